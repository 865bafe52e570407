"""What finplan writes when a person takes the data along: rows, and the shape of a writer.

A file that finplan wrote is read again to the same rows of the same accounts, so every format carries
the account's id, the bank's text and id of each row, and the key of its payee.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from finplan.model.household import ExportedHome
from finplan.statements.statement import StatementAccount

Side = Literal["expenses", "income", "equity"]
"""Where the other side of a row belongs in double entry: money that only moves is equity."""


class ExportedPart(NamedTuple):
    """A part of a row that the person split; the amounts of all parts add up to that of the row."""

    amount: int
    category: str
    note: str | None = None


class ExportedRow(NamedTuple):
    """One posted row; `day` is YYYYMMDD, `amount` in minor units, positive when money comes in.

    `account` is the account's id. `payee_key` names the payee for good, `payee` for a reader. `source`
    and `ordinal` tell it from equal rows, `code` is the bank's own of what it was for. `transfer` is the
    id of the pair whose leg it is, and `spends` says that it is spending all the same. `note` and
    `parts` are what the person said of this row alone; `parts` is empty where it is whole.
    """

    account: str
    day: int
    amount: int
    raw: str
    external_id: str | None
    payee_key: str
    payee: str
    category: str
    source: str = ""
    ordinal: int = 0
    code: str | None = None
    transfer: str | None = None
    spends: bool = False
    note: str | None = None
    parts: tuple[ExportedPart, ...] = ()

    @property
    def filed(self) -> Sequence[ExportedPart]:
        """What each share of the amount is for: the parts, or all of it."""
        return self.parts or (ExportedPart(self.amount, self.category),)


class CounterAccount(NamedTuple):
    """What a category is in double entry: a side, and the words of its account below."""

    side: Side
    words: str


@dataclass(frozen=True, slots=True)
class Exported:
    """What a writer knows before the first row: the accounts by id, and each category's counter.

    `balances` has day and balance of each account by its id, oldest first: positive is what is owned,
    but on credit and loan accounts what is owed. `home` is all that is known besides the rows, for JSON
    alone; None where only some rows are exported.
    """

    accounts: Mapping[str, StatementAccount]
    counters: Mapping[str, CounterAccount]
    balances: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    home: ExportedHome | None = None

    @property
    def currencies(self) -> list[str]:
        """The currencies of the accounts, each once, in alphabetical order."""
        return sorted({account.currency for account in self.accounts.values()})


class StatementWriter(Protocol):
    """Writes one file: its head, then its rows in runs of any length, then its tail."""

    def head(self) -> str:
        """What stands before the first row."""
        ...

    def body(self, rows: Sequence[ExportedRow]) -> str:
        """The next rows."""
        ...

    def tail(self) -> str:
        """What stands after the last row."""
        ...


def iso_date(day: int) -> str:
    """Write a day YYYYMMDD as 2026-11-21."""
    return f"{day // 10000:04d}-{day // 100 % 100:02d}-{day % 100:02d}"
