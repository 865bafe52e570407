"""What a statement file says, in any format: whose account, which rows, what balance."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import NamedTuple, Protocol

from finplan.model.account import AccountKind
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
    from the descriptor, `code` the bank's own code of the merchant's trade (ISO 18245).
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

    The columns are equally long and named like the fields of StatementRow; `codes` is empty where no
    row has one, `origins` in every file but an export.
    """

    days: Sequence[int] = ()
    amounts: Sequence[int] = ()
    raws: Sequence[str] = ()
    external_ids: Sequence[str | None] = ()
    payees: Sequence[str | None] = ()
    pending: Sequence[bool] = ()
    codes: Sequence[str | None] = ()
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


@dataclass(frozen=True, slots=True)
class StatementPart:
    """Some rows of one account; a file is a stream of parts, so that memory does not grow with it.

    Parts of one account may follow each other. `since` and `until` are the days the file says that it
    covers; `balance` is the ledger balance with the bank's own sign (negative on a card that is owed
    on), as of `balance_day`. Each may stand in any part of its account, None elsewhere. `notes` are
    sentences on what a person should look at before the file is imported.
    """

    account: StatementAccount
    rows: StatementRows = StatementRows()
    since: int | None = None
    until: int | None = None
    balance: int | None = None
    balance_day: int | None = None
    notes: tuple[str, ...] = ()


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
    currency: str | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """What the person says about a file; it overrules what the reader infers.

    `currency` is the currency to assume where a file names none; `decimal_sign` is asked for only where
    every amount looks like 1.000. `profiles` has the answers given before, by the signature of a header.
    """

    currency: str = "USD"
    encoding: str | None = None
    date_order: DateOrder | None = None
    decimal_sign: DecimalSign | None = None
    profiles: Mapping[str, HeaderAnswers] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ParsedStatement:
    """How a file is read: its format, its encoding, and its parts, converted as they are taken.

    `header` is a table's, None in any other format; `used` is what decided of the answers given before.
    `home` is all that an export of finplan's own holds besides its rows, None where it holds rows alone.
    """

    format: str
    encoding: str
    parts: Iterator[StatementPart]
    header: Header | None = None
    used: HeaderAnswers = HeaderAnswers()
    home: ExportedHome | None = None


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


@dataclass
class AmbiguousStatement(Exception):
    """The file can be read in more than one way, and only the person knows which is right.

    `hint` names the field of Hints that decides, `choices` its possible values, each with an example.
    """

    message: str
    hint: str
    choices: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[type["AmbiguousStatement"], tuple[str, str, dict[str, str]]]:
        # An exception is pickled by its positional arguments, and these may be given by name.
        return AmbiguousStatement, (self.message, self.hint, self.choices)
