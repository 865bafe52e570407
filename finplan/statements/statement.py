"""What a statement file says, in any format: whose account, which rows, what balance.

Beside these shapes stand what all readers say in the same words, why a row is left out and that an
answer was not needed; the gathering of rows that come one by one; and which account numbers mean one
account: an IBAN, and the number that it is made of. An older format prints the bank's code and the
account's number (“10020030/1234567”) or the whole national number, and a newer one the IBAN that holds
both. The source of the structures is the IBAN registry of SWIFT (ISO 13616).
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat
from pathlib import Path
from typing import NamedTuple, Protocol

from finplan.model.account import AccountKind, KindWord
from finplan.model.household import ExportedHome
from finplan.model.statement import DateOrder, DecimalSign


class ExportedOrigin(NamedTuple):
    """What an export of finplan's own says of a row besides what every statement says.

    `place` is its own in the file, from 1. `source` is the kind of source that brought it, None where
    the file does not say, and `ordinal` tells it from equal rows. `transfer` is the id of the pair whose
    leg it is, and `spends` says that it is spending all the same.
    """

    place: int
    source: str | None
    ordinal: int
    transfer: str | None
    spends: bool


class StatementRow(NamedTuple):
    """One booked or pending row as the file prints it.

    `day` is YYYYMMDD as an integer; `amount` is in minor units of the account's currency, positive when
    money comes in. `raw` is the descriptor with white space folded. `external_id` is the bank's
    own id of the row (a FITID), or None. `payee` is the merchant's name where the file gives one apart
    from the descriptor, `code` the bank's own code of the merchant's trade (ISO 18245), or what it calls
    its category.
    """

    day: int
    amount: int
    raw: str
    external_id: str | None = None
    payee: str | None = None
    pending: bool = False
    code: str | None = None


@dataclass(frozen=True, slots=True)
class StatementRows:
    """Rows column by column, because a loop over a million rows takes several times as long.

    The columns are equally long and named like the fields of StatementRow. `asides` are what else rows
    print, which an earlier version may have taken for descriptors; they and `codes` are empty where no
    row has one, `origins` in every file but an export.
    """

    days: Sequence[int] = ()
    amounts: Sequence[int] = ()
    raws: Sequence[str] = ()
    external_ids: Sequence[str | None] = ()
    payees: Sequence[str | None] = ()
    pending: Sequence[bool] = ()
    codes: Sequence[str | None] = ()
    asides: Sequence[str] = ()
    origins: Sequence[ExportedOrigin] = ()

    @classmethod
    def of(cls, rows: Sequence[StatementRow]) -> "StatementRows":
        """Turn rows into columns."""
        return cls(*zip(*rows, strict=True)) if rows else cls()

    def __len__(self) -> int:
        return len(self.days)

    def __iter__(self) -> Iterator[StatementRow]:
        columns = (self.days, self.amounts, self.raws, self.external_ids, self.payees, self.pending)
        return map(StatementRow, *columns, self.codes or repeat(None))


RowCells = tuple[str, ...]
"""The cells of a table's row as they are printed, by which it is told from its other rows."""


@dataclass(frozen=True, slots=True)
class StatementAccount:
    """An account as a file names it; `number` identifies it at its institution, None when unnamed.

    `kind`, `subtype` and `institution` are None when the file does not say. `id` is the account's id
    in the store that wrote the file, None in every file but an export of finplan's own. Where the file
    names no currency it is assumed, which makes no account another one.
    """

    number: str | None
    name: str
    currency: str
    institution: str | None = None
    kind: AccountKind | None = None
    subtype: str | None = None
    id: str | None = None
    currency_is_assumed: bool = field(default=False, compare=False)


class KindClue(NamedTuple):
    """What speaks for a kind of account: for which kinds alike, with how many points, and why.

    `why` is a clause that a person understands, as in "its columns are those of a Chase card".
    `by_direction` says that it rests on which way money goes.
    """

    kinds: tuple[KindWord, ...]
    points: int
    why: str
    by_direction: bool = False


class UnshownRow(NamedTuple):
    """A row whose way its file does not show, above all the oldest one beside a running balance.

    `amount` and `raw` are as it was read, by an answer or as is likely. `balance` is the one after the
    account's oldest row, as that of what the person has, None of other rows and where none is printed.
    Where it may as well be a debt, `is_owed` says whether it is read as one, else it is None.
    """

    cells: RowCells
    account: StatementAccount
    day: int
    amount: int
    raw: str
    balance: int | None
    is_owed: bool | None


@dataclass(frozen=True, slots=True)
class StatementPart:
    """Some rows of one account; a file is a stream of parts, so that memory does not grow with it.

    Parts of one account may follow each other. `since` and `until` are the days the file says that it
    covers; `balance` is the ledger balance with the bank's own sign (negative on a card that is owed
    on), as of `balance_day`. `balance_fits` says whether it follows from the rows and a balance before
    them, None where the file states no such balance. Each may stand in any part of its account, None
    elsewhere. `notes` are sentences on what a person should look at before the file is imported,
    `assumed` on what was taken for granted. `left_out` counts the rows that are none of the account's
    money by the reason, one of `statements.left_out`; parts add up. `kind_clues` are what the file says
    of the account's kind where its format has no field for that.
    """

    account: StatementAccount
    rows: StatementRows = StatementRows()
    since: int | None = None
    until: int | None = None
    balance: int | None = None
    balance_day: int | None = None
    notes: tuple[str, ...] = ()
    balance_fits: bool | None = None
    assumed: tuple[str, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    kind_clues: tuple[KindClue, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file on disk with the name that the person knows it by, and its first bytes."""

    path: Path
    name: str
    head: bytes

    @classmethod
    def of(cls, path: Path, name: str | None = None) -> "SourceFile":
        """Look at a file: its name and its first 64 KiB."""
        with path.open("rb") as file:
            return cls(path, name or path.name, file.read(65536))


class Header(NamedTuple):
    """A table's column names: a signature that equal headers share, and how a person knows them."""

    signature: str
    columns: str


@dataclass(frozen=True, slots=True)
class HeaderAnswers:
    """What the person said of earlier files with one header; it answers what a file leaves open.

    It never overrules what a file proves, nor Hints. `currency` is assumed where a file names none.
    """

    encoding: str | None = None
    date_order: DateOrder | None = None
    decimal_sign: DecimalSign | None = None
    direction: str | None = None
    amount_column: str | None = None
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """What the person says about a file; it overrules what the reader infers.

    `currency` is that of a file which names none, None where nobody said it; `household` is the currency
    of the person's household, the weakest evidence. `decimal_sign` is asked for only where every amount
    looks like 1.000, `direction`, a model.question.AmountDirection, only where nothing says
    which way money goes, and `amount_column`, a header or a place counted from 1, only where several
    columns may hold the amounts. `profiles` has the answers given before, by the signature of a header,
    `ways` what is known otherwise of rows whose way the file does not show: 1 in, -1 out. `is_card` says
    whether the account is a credit card, None where nobody said it; `card_headers` are the signatures of
    headers whose files went to credit cards alone.
    """

    currency: str | None = None
    encoding: str | None = None
    date_order: DateOrder | None = None
    decimal_sign: DecimalSign | None = None
    direction: str | None = None
    amount_column: str | None = None
    profiles: Mapping[str, HeaderAnswers] = field(default_factory=dict)
    household: str | None = None
    ways: Mapping[RowCells, int] = field(default_factory=dict)
    is_card: bool | None = None
    card_headers: Collection[str] = ()

    @property
    def assumed_currency(self) -> str:
        """The currency of a file without any evidence of one; empty where nobody knows."""
        return self.currency or self.household or ""


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """How a file is read: its format, its encoding, and its parts, converted as they are taken.

    `header` is a table's, None in any other format; `used` is what decided of the answers given before.
    `home` is all that an export of finplan's own holds besides its rows, None where it holds rows alone.
    `notes` are sentences on what the person said of the file, where that decided nothing or turned a
    balance round. `unshown` are the rows of which only an answer says which way they go.
    """

    format: str
    encoding: str
    parts: Iterator[StatementPart]
    header: Header | None = None
    used: HeaderAnswers = HeaderAnswers()
    home: ExportedHome | None = None
    notes: tuple[str, ...] = ()
    unshown: tuple[UnshownRow, ...] = ()


class StatementReader(Protocol):
    """A format: knows its files by content, and converts them."""

    format: str

    def recognises(self, source: SourceFile) -> bool:
        """Say whether the first bytes look like this format."""
        ...

    def read(self, source: SourceFile, hints: Hints) -> ParsedStatement:
        """Convert a file. Raises UnreadableStatement, AmbiguousStatement; so do the parts."""
        ...


class UnreadableStatement(Exception):
    """The file cannot be read; the message says why in one sentence that a person understands."""

    def __init__(self, message: str) -> None:
        # A file may be quoted, and hold halves of characters, which nothing can write.
        super().__init__(message.encode("utf-8", "replace").decode())


class Choice(NamedTuple):
    """One answer to a question: its value, what it means, and a row of the file read that way."""

    value: str
    label: str
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a file leaves open and only the person knows.

    `about` names the field of Hints that decides. The choice that is likeliest comes first; where
    `is_open`, another value may be right too. `words` are those of a column that an answer has to say
    the meaning of, each of them.
    """

    about: str
    text: str
    choices: tuple[Choice, ...]
    is_open: bool = False
    words: tuple[str, ...] = ()

    def allows(self, value: str | None) -> bool:
        """Say whether a value answers it."""
        return value is not None and (
            self.is_open or value in {choice.value for choice in self.choices}
        )


class AmbiguousStatement(Exception):
    """The file can be read in more than one way, and only the person knows which is right."""

    def __init__(self, *questions: Question) -> None:
        super().__init__(*questions)
        self.questions = questions

    def __str__(self) -> str:
        return " ".join(question.text for question in self.questions)


DECLINED = "declined"
NO_AMOUNT = "no amount"
NOT_BOOKED = "not booked yet"
STATES_BALANCE = "only a balance"
STATES_SUM = "only a total"
HELD = "a hold or its release, which moves no money"
ONLY_NOTED = "only authorized or noted, without moving money"
NEITHER_WAY = "marked as neither money in nor money out"
ONLY_INFORMATION = "for information only"
NO_CASH = "investments that moved no cash"
CATEGORY_SIDE = "in income and expense accounts"
SPLIT_PART = "part of a split transaction"

INVESTMENTS_ONLY = "The file contains only investments and no bank transactions."
LONG_LINE = "A line in the file has more than a million characters, so it is not a bank statement."


def unneeded(option: str, value: str, why: str, *, is_followed: bool) -> str:
    """Say that an option decided nothing, be it that the file tells the same or something else."""
    return f"--{option} {value} was {'not needed' if is_followed else 'ignored'}: {why}."


def unneeded_in_format(name: str, hints: Hints) -> tuple[str, ...]:
    """What is said of a format or an app whose amounts and directions are known without an answer."""
    notes = []
    if hints.direction is not None:
        why = f"{name} files show money in and money out"
        notes.append(unneeded("direction", hints.direction, why, is_followed=True))
    if hints.amount_column is not None:
        why = f"{name} files mark their amounts"
        notes.append(unneeded("amount-column", hints.amount_column, why, is_followed=True))
    return tuple(notes)


_GATHERED_AT_ONCE = 4096


ExportedStatementRow = tuple[StatementAccount, StatementRow, ExportedOrigin]
"""A row of an export with its account, and what only an export says of it."""


def gathered_export(rows: Iterable[ExportedStatementRow]) -> Iterator[StatementPart]:
    """As `gathered`, of an export's rows."""
    by_account: dict[StatementAccount, list[tuple[StatementRow, ExportedOrigin]]] = {}
    count = 0
    for account, row, origin in rows:
        by_account.setdefault(account, []).append((row, origin))
        count += 1
        if count >= _GATHERED_AT_ONCE:
            yield from _parts_of_export(by_account)
            by_account, count = {}, 0
    yield from _parts_of_export(by_account)


def _parts_of_export(
    by_account: dict[StatementAccount, list[tuple[StatementRow, ExportedOrigin]]],
) -> Iterator[StatementPart]:
    for account, rows in by_account.items():
        columns = StatementRows.of([row for row, _ in rows])
        yield StatementPart(account, replace(columns, origins=[origin for _, origin in rows]))


def gathered(rows: Iterable[tuple[StatementAccount, StatementRow]]) -> Iterator[StatementPart]:
    """Yield parts of some thousand rows; each account's rows keep the order in which they came."""
    by_account: dict[StatementAccount, list[StatementRow]] = {}
    count = 0
    for account, row in rows:
        by_account.setdefault(account, []).append(row)
        count += 1
        if count >= _GATHERED_AT_ONCE:
            yield from _parts_of_rows(by_account)
            by_account, count = {}, 0
    yield from _parts_of_rows(by_account)


def _parts_of_rows(
    by_account: dict[StatementAccount, list[StatementRow]],
) -> Iterator[StatementPart]:
    for account, rows in by_account.items():
        yield StatementPart(account, StatementRows.of(rows))


_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")


def is_iban(compact: str) -> bool:
    """Say whether a number without blanks is an IBAN, by its form and its check digits."""
    if _IBAN.fullmatch(compact) is None:
        return False
    turned = compact[4:] + compact[:4]
    return int("".join(str(int(letter, 36)) for letter in turned)) % 97 == 1
