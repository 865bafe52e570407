"""QIF as text: sections, the accounts they belong to, and their transactions column by column."""

import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from finplan.statements.statement import UnreadableStatement
from finplan.statements.table.balance_lines import balance_name
from finplan.statements.text.descriptors import (
    LONGEST_REMEMBERED,
    MOST_REMEMBERED,
    fold,
    joined,
    quoted,
)
from finplan.statements.text.encoding import Charset, texts

BANK_SECTIONS = frozenset(["bank", "cash", "ccard", "oth a", "oth l"])
"""The sections whose records move money of an account; the others are investments and lists."""

_INVESTMENTS = frozenset(["invst", "port", "mutual", "401(k)/403(b)"])
_OPENINGS = {"whole", "begun"}
_RECORD_END = "\n^"
_LONGEST_PIECE = 1 << 20
_AFTER_SIGN = re.compile(r"([/'.-])\s+")
_SHORT_YEAR = re.compile(r"(\d{1,2}[/.-]\d{1,2})'(\d{1,2})")


@dataclass(frozen=True, slots=True)
class QifAccount:
    """An account as the file names it; `section` is the sort of its records, as in !Type:Bank."""

    name: str = ""
    section: str = ""
    statement_day: str = ""
    statement_balance: str = ""


@dataclass(slots=True)
class QifRows:
    """Transactions of one account, as printed, in columns of equal length.

    `opening` is the place of a record that states with which balance the account was opened.
    """

    account: QifAccount
    days: list[str] = field(default_factory=list)
    amounts: list[str] = field(default_factory=list)
    raws: list[str] = field(default_factory=list)
    payees: list[str | None] = field(default_factory=list)
    opening: int | None = None


class QifFile:
    """A file that can be read from its beginning more than once."""

    def __init__(self, path: Path, charset: Charset) -> None:
        self._path = path
        self._charset = charset
        self.sections: set[str] = set()
        """All sections that a reading has come by, in small letters."""
        self.investments = 0
        """How many records of investments the latest reading has come by."""

    def rows(self) -> Iterator[QifRows]:
        """Yield the transactions of bank accounts, some thousands at once.

        Raises UnreadableStatement for a record without a date or an amount, and for a file that is
        cut off.
        """
        walk = _Walk(self.sections)
        for records in _records(texts(self._path, self._charset)):
            for record in records:
                yield from walk.take(record)
            yield from walk.rows()
        self.investments = walk.investments

    def why_nothing(self) -> str:
        """Say what the file holds instead of bank transactions."""
        if self.sections & _INVESTMENTS:
            return "The file holds investments only, no bank transactions."
        return "The QIF file holds no transactions, only lists of accounts, categories or the like."


def printed_day(printed: str) -> str:
    """Write a date as other programs do: blanks fill up a day, and ' is the sign of a year from 2000."""
    tight = _AFTER_SIGN.sub(r"\1", printed.strip())
    found = _SHORT_YEAR.fullmatch(tight)
    if found is None:
        return tight.replace("'", "/")
    year = int(found[2])
    return f"{found[1]}{found[1].lstrip('0123456789')[0]}{year + (1900 if year >= 70 else 2000)}"


def _records(blocks: Iterator[str]) -> Iterator[list[str]]:
    """Yield the text of whole records, without the ^ that ends each."""
    kept = unfinished = ""
    for block in blocks:
        # A block may end between the two characters of a line's end.
        text = unfinished + block
        unfinished = "\r" if text.endswith("\r") else ""
        text = kept + text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        *records, kept = text.split(_RECORD_END)
        if len(kept) > _LONGEST_PIECE:
            raise UnreadableStatement("The file has a record that never ends.")
        yield records
    if unfinished or kept.endswith("\n") or "\n" not in kept.strip("\n"):
        yield [kept]
    else:
        raise UnreadableStatement(
            "The file is cut off in the middle of its last record; export it again."
        )


class _Walk:
    """Where a reading is: the section, the account, and the transactions not handed over yet."""

    def __init__(self, sections: set[str]) -> None:
        self._sections = sections
        self._section = ""
        self._account = QifAccount()
        self._rows = QifRows(self._account)
        self._is_first = True
        self._seen = 0
        self.investments = 0
        self._descriptors = _Descriptors()

    def take(self, record: str) -> Iterator[QifRows]:
        """Take in one record, which may begin with the heads of sections."""
        if "!" in record:
            record = yield from self._pass_heads(record)
        # The first line of a sort counts: what follows a split is the split's.
        fields = {line[:1]: line[1:].strip() for line in reversed(record.split("\n"))}
        if self._section in BANK_SECTIONS:
            self._add(fields)
        elif self._section in _INVESTMENTS:
            self.investments += bool(fields.get("D"))
        elif self._section == "account" and fields.get("N"):
            yield from self.rows()
            self._account = QifAccount(
                fold(fields["N"]),
                statement_day=fields.get("/", ""),
                statement_balance=fields.get("$", ""),
            )

    def rows(self) -> Iterator[QifRows]:
        """Hand over what has gathered."""
        rows, self._rows = self._rows, QifRows(self._account)
        if rows.days:
            yield rows

    def _pass_heads(self, record: str) -> Generator[QifRows, None, str]:
        """Follow the heads before a record; returns what is below them."""
        below: list[str] = []
        for line in record.split("\n"):
            if line.startswith("!"):
                below = []
                yield from self.rows()
                self._enter(line[1:].strip().lower())
            else:
                below.append(line)
        return "\n".join(below)

    def _enter(self, head: str) -> None:
        if head == "clear:autoswitch":
            # What stands before is the list of all accounts, none of which is meant.
            self._account = QifAccount(section=self._account.section)
            self._rows = QifRows(self._account)
        if not head.startswith(("type:", "account")):
            return
        self._section = head.partition(":")[2].strip() if head.startswith("type:") else "account"
        self._sections.add(self._section)
        if self._section in BANK_SECTIONS:
            self._is_first = True
            self._account = replace(self._account, section=self._section)
        self._rows = QifRows(self._account)

    def _add(self, fields: dict[str, str]) -> None:
        day, amount = fields.get("D", ""), fields.get("T") or fields.get("U", "")
        if not day and not amount and not fields.get("P"):
            return
        self._seen += 1
        payee, memo, category = (fields.get(tag, "") for tag in "PML")
        if not day or not amount:
            name = f" ({quoted(payee)})" if payee else ""
            missing = "amount" if day else "date"
            raise UnreadableStatement(
                f"Transaction {self._seen}{name} has no {missing}; the file is damaged or incomplete."
            )
        rows = self._rows
        if self._is_first and category.startswith("[") and balance_name(payee) in _OPENINGS:
            rows.opening = len(rows.days)
        self._is_first = False
        raw = self._descriptors[payee, memo]
        rows.days.append(printed_day(day) if "'" in day or " " in day else day)
        rows.amounts.append(amount)
        rows.raws.append(raw or _other_words(fields))
        rows.payees.append(fold(payee) if payee and memo else None)


class _Descriptors(dict[tuple[str, str], str]):
    """Remembers the descriptor of each payee and memo."""

    def __missing__(self, words: tuple[str, str]) -> str:
        raw = joined(map(fold, words))
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        if sum(map(len, words)) <= LONGEST_REMEMBERED:
            self[words] = raw
        return raw


def _other_words(fields: dict[str, str]) -> str:
    """Describe a record without payee and memo by its category, else by its check number."""
    category, number = fields.get("L") or fields.get("S", ""), fields.get("N", "")
    return fold(category) or (f"Check {number}" if number.isdecimal() else fold(number))
