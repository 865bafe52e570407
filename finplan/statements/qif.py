"""QIF: Quicken's old format, whose dates and numbers only the whole file can tell how to read.

The text has sections, the accounts that they belong to, and their transactions, kept column by column.
"""

import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath

from finplan.model.account import AccountKind
from finplan.model.money import LARGEST_AMOUNT, to_text
from finplan.statements import statement
from finplan.statements.table.dates import DateConverter, DateEvidence, DateReading
from finplan.statements.table.numbers import AmountConverter, NumberEvidence
from finplan.statements.table.row_words import balance_name
from finplan.statements.text import descriptors
from finplan.statements.text.currencies import known_currency
from finplan.statements.text.encoding import Charset, find_charset, glance, texts

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
        for records in _records_in(texts(self._path, self._charset)):
            for record in records:
                yield from walk.take(record)
            yield from walk.rows()
        self.investments = walk.investments

    def why_nothing(self) -> str:
        """Say what the file holds instead of bank transactions."""
        if self.sections & _INVESTMENTS:
            return statement.INVESTMENTS_ONLY
        return "This QIF file contains no transactions, only lists such as accounts or categories."


def printed_day(printed: str) -> str:
    """Write a date as other programs do: blanks fill up a day, and ' is the sign of a year from 2000."""
    tight = _AFTER_SIGN.sub(r"\1", printed.strip())
    match = _SHORT_YEAR.fullmatch(tight)
    if match is None:
        return tight.replace("'", "/")
    year = int(match[2])
    return f"{match[1]}{match[1].lstrip('0123456789')[0]}{year + (1900 if year >= 70 else 2000)}"


def _records_in(blocks: Iterator[str]) -> Iterator[list[str]]:
    """Yield the text of whole records, without the ^ that ends each."""
    buffer = unfinished = ""
    for block in blocks:
        # A block may end between the two characters of a line's end.
        text = unfinished + block
        unfinished = "\r" if text.endswith("\r") else ""
        text = buffer + text.removesuffix("\r").replace("\r\n", "\n").replace("\r", "\n")
        *records, buffer = text.split(_RECORD_END)
        if len(buffer) > _LONGEST_PIECE:
            raise statement.UnreadableStatement(
                "A record in the file never ends. Export the file again."
            )
        yield records
    if unfinished or buffer.endswith("\n") or "\n" not in buffer.strip("\n"):
        yield [buffer]
    else:
        raise statement.UnreadableStatement(
            "The file is cut off in its last record. Export it again."
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
                descriptors.fold(fields["N"]),
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
            name = f" ({descriptors.quoted(payee)})" if payee else ""
            missing = "amount" if day else "date"
            raise statement.UnreadableStatement(
                f"Transaction {self._seen}{name}: missing {missing}. The file is damaged or"
                " incomplete. Export it again."
            )
        rows = self._rows
        if self._is_first and category.startswith("[") and balance_name(payee) in _OPENINGS:
            rows.opening = len(rows.days)
        self._is_first = False
        raw = self._descriptors[payee, memo]
        rows.days.append(printed_day(day) if "'" in day or " " in day else day)
        rows.amounts.append(amount)
        rows.raws.append(raw or _other_words(fields))
        rows.payees.append(descriptors.fold(payee) if payee and memo else None)


class _Descriptors(dict[tuple[str, str], str]):
    """Remembers the descriptor of each payee and memo."""

    def __missing__(self, parts: tuple[str, str]) -> str:
        raw = descriptors.join_texts(map(descriptors.fold, parts))
        if len(self) >= descriptors.MOST_REMEMBERED:
            self.clear()
        if sum(map(len, parts)) <= descriptors.LONGEST_REMEMBERED:
            self[parts] = raw
        return raw


def _other_words(fields: dict[str, str]) -> str:
    """Describe a record without payee and memo by its category, else by its check number."""
    category, number = fields.get("L") or fields.get("S", ""), fields.get("N", "")
    return descriptors.fold(category) or (
        f"Check {number}" if number.isdecimal() else descriptors.fold(number)
    )


_RECOGNISED = re.compile(r"^!(?:type:|account\s*$|option:|clear:)", re.IGNORECASE | re.MULTILINE)
_KINDS: dict[str, tuple[AccountKind, str]] = {
    "bank": ("depository", "checking"),
    "cash": ("depository", "cash"),
    "ccard": ("credit", "credit card"),
    "oth a": ("other", "asset"),
    "oth l": ("loan", "liability"),
}
_SMALL_FILE = 8 << 20
"""Bytes of a file whose records are kept between the two passes; they take several times as many."""


class QifReader:
    """Reads QIF; one pass infers the order of dates and the decimal sign, and one converts."""

    format = "QIF"

    def recognises(self, source: statement.SourceFile) -> bool:
        """Say whether a section's head stands in the first bytes."""
        return _RECOGNISED.search(glance(source.head).replace("\r", "\n")) is not None

    def read(
        self, source: statement.SourceFile, hints: statement.Hints
    ) -> statement.ParsedStatement:
        """Infer how the file is read; the rows are converted while the parts are taken.

        Raises UnreadableStatement, for a record without a possible date or amount and for a file
        without bank transactions, and AmbiguousStatement, both before any part.
        """
        charset = find_charset(source, hints.encoding)
        file = QifFile(source.path, charset)
        dates, numbers = DateEvidence(), NumberEvidence()
        is_small = source.path.stat().st_size <= _SMALL_FILE
        chunks = []
        rows = None
        for rows in file.rows():
            dates.add(rows.days)
            numbers.add(0, rows.amounts, descriptors.shapes_of(rows.amounts))
            if is_small:
                chunks.append(rows)
        if rows is None:
            raise statement.UnreadableStatement(file.why_nothing())
        currency = known_currency(hints.assumed_currency)
        sign = numbers.conclude(currency, hints.decimal_sign)
        order = dates.conclude(hints.date_order, decimal_comma=numbers.proves_comma)
        converter = _Converter(
            DateConverter(DateReading(order)),
            AmountConverter(sign, currency),
            currency,
            PurePath(source.name).stem,
        )
        parts = converter.parts(chunks or file.rows(), file)
        return statement.ParsedStatement(self.format, charset.name, parts)


class _Converter:
    """Converts rows account by account, and adds up those whose opening balance is stated."""

    def __init__(
        self, dates: DateConverter, amounts: AmountConverter, currency: str, file_name: str
    ) -> None:
        self._dates = dates
        self._amounts = amounts
        self._currency = currency
        self._file_name = file_name
        self._seen = 0
        self._balances: dict[statement.StatementAccount, tuple[int, int]] = {}
        self._stated: dict[statement.StatementAccount, tuple[int, int]] = {}

    def parts(self, runs: Iterable[QifRows], file: QifFile) -> Iterator[statement.StatementPart]:
        """Yield the rows of each run, and in the end the balances that the file tells.

        The last account is told of the records of investments, which belong to none.
        """
        account = None
        for rows in runs:
            account = self._account(rows.account)
            days, amounts = self._days(rows), self._minor(rows)
            self._seen += len(days)
            self._add_up(account, rows, days, amounts)
            left_out = {} if rows.opening is None else {statement.STATES_BALANCE: 1}
            booked = _without_opening(rows, days, amounts)
            yield statement.StatementPart(account, booked, left_out=left_out)
        for own, (balance, day) in (self._stated | self._balances).items():
            if abs(balance) <= LARGEST_AMOUNT:
                yield statement.StatementPart(
                    own, balance=balance, balance_day=day, balance_fits=self._fits(own)
                )
        if account is not None and file.investments:
            yield statement.StatementPart(account, left_out={statement.NO_CASH: file.investments})

    def _fits(self, account: statement.StatementAccount) -> bool | None:
        """Whether opening balance and rows make the balance that the account's statement says."""
        if account not in self._stated or account not in self._balances:
            return None
        return self._stated[account][0] == self._balances[account][0]

    def _account(self, account: QifAccount) -> statement.StatementAccount:
        kind, subtype = _KINDS[account.section]
        if account.section == "bank" and "saving" in account.name.lower():
            subtype = "savings"
        return statement.StatementAccount(
            number=account.name or None,
            name=account.name or self._file_name,
            currency=self._currency,
            kind=kind,
            subtype=subtype,
            currency_is_assumed=True,
        )

    def _days(self, rows: QifRows) -> list[int]:
        days = self._dates.convert(rows.days)
        if min(days) <= 0:
            index = days.index(min(days))
            raise self._refusal(
                rows, index, f"{descriptors.quoted(rows.days[index])} is not a possible date"
            )
        return days

    def _minor(self, rows: QifRows) -> list[int]:
        shapes = descriptors.shapes_of(rows.amounts)
        if not self._amounts.knows(set(shapes)):
            readable = [self._amounts.knows([shape]) for shape in shapes]
            index = readable.index(False)
            raise self._refusal(
                rows, index, f"{descriptors.quoted(rows.amounts[index])} is not an amount"
            )
        amounts = self._amounts.convert(rows.amounts, shapes)
        largest = max(amounts, key=abs)
        if abs(largest) > LARGEST_AMOUNT:
            limit = to_text(LARGEST_AMOUNT, self._currency)
            printed = to_text(largest, self._currency)
            raise self._refusal(
                rows,
                amounts.index(largest),
                f"{printed} is too large (at most {limit})",
            )
        return amounts

    def _add_up(
        self,
        account: statement.StatementAccount,
        rows: QifRows,
        days: list[int],
        amounts: list[int],
    ) -> None:
        """Follow the balance from its opening, and note what the account's statement says.

        Programs write the opening record only where all that follows it is in the file.
        """
        if rows.opening is not None:
            self._balances[account] = 0, 0
        if account in self._balances:
            balance, day = self._balances[account]
            self._balances[account] = balance + sum(amounts), max(day, *days)
        stated = rows.account
        shapes = descriptors.shapes_of([stated.statement_balance])
        (day,) = self._dates.convert([printed_day(stated.statement_day)])
        if stated.statement_balance and day > 0 and self._amounts.knows(shapes):
            (balance,) = self._amounts.convert([stated.statement_balance], shapes)
            self._stated[account] = balance, day

    def _refusal(self, rows: QifRows, index: int, what: str) -> statement.UnreadableStatement:
        name = f" ({descriptors.quoted(rows.raws[index])})" if rows.raws[index] else ""
        return statement.UnreadableStatement(f"Transaction {self._seen + index + 1}{name}: {what}.")


def _without_opening(rows: QifRows, days: list[int], amounts: list[int]) -> statement.StatementRows:
    """Give the rows without the one that states the opening balance, which moves no money."""
    columns = (days, amounts, rows.raws, rows.payees)
    if rows.opening is not None:
        for column in columns:
            del column[rows.opening]
    count = len(days)
    return statement.StatementRows(
        days, amounts, rows.raws, [None] * count, rows.payees, [False] * count
    )
