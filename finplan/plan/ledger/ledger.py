"""The one argument of every figure: the household's accounts, payees and rows as they are stored.

A row is a plain tuple, because a ledger may hold a million of them: `(payee, account, day, amount,
peer, counts)`. `payee` and `account` are the numbers under which the ledger holds them, `day` is
YYYYMMDD, `amount` is in minor units and positive when money comes in, `peer` is the number of the
account that the other leg of a paired transfer is on (0 when the row is not paired), and `counts` is 1
when spending totals may count the row, 0 for a paired move, a saving pair or extra principal.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from finplan.categorise.catalogue import Catalogue
from finplan.categorise.curated import InflowSign as InflowSign  # noqa: PLC0414 (exported again)
from finplan.model.account import AccountKind
from finplan.model.connection import ConnectionStatus, Provider
from finplan.model.plan import Cadence
from finplan.model.user import HouseholdSettings
from finplan.plan.ledger.days import Interval

Row = tuple[int, int, int, int, int, int]
RowPlace = tuple[int, int, int]
"""Account, day and amount of a row."""

RowParts = tuple[tuple[int, str], ...]
"""What a row is for by the person's own word: the amount of each part, as a row's, and its category."""

PAYEE, ACCOUNT, DAY, AMOUNT, PEER, COUNTS = range(6)
"""The places of a row's numbers, for whoever reads one of them alone."""


@dataclass(frozen=True, slots=True)
class LedgerAccount:
    """An account as the plan needs it.

    `balance` is owned, or on credit and loan accounts owed. `coverage` are the days that its sources
    cover, in order, with a hole between two intervals; empty where only the rows tell. `duplicate` says
    that the person hid it as another account seen twice. `own` is one that the person added, and `since`
    the day, YYYYMMDD, on which it became theirs, None where they do not say.
    """

    id: str
    connection_id: str
    institution: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    currency: str
    balance: int | None
    credit_limit: int | None = None
    apr: float | None = None
    minimum_payment: int | None = None
    hidden: bool = False
    coverage: tuple[Interval, ...] = ()
    duplicate: bool = False
    own: bool = False
    since: int | None = None

    @property
    def covered_since(self) -> int | None:
        """The first day that a source covers, None where only the rows tell."""
        return self.coverage[0].since if self.coverage else None

    @property
    def covered_until(self) -> int | None:
        """The last day that a source covers, None where only the rows tell."""
        return self.coverage[-1].until if self.coverage else None


@dataclass(frozen=True, slots=True)
class LedgerPayee:
    """A payee with the category of its outflows and of its inflows, both already resolved by rules.

    `by_amount` maps an exact amount, positive when money goes out, to a category; it wins. `by_row` says
    what rows are for that are filed by themselves, which wins over all, by account, day and amount as in
    a row; of equal rows it does not matter which is meant. `by_pending_row` says it of pending rows.
    `filed` says which of its money, `out` and `in`, the person filed as a whole; `suggested`,
    `confidence` and `alternatives` are the best guess for a question to the person. `inflow_sign` is
    what the words of its money in say, None where they say nothing.
    """

    key: str
    name: str
    out: str
    into: str
    by_amount: Mapping[int, str]
    suggested: str | None = None
    confidence: float | None = None
    alternatives: tuple[str, ...] = ()
    filed: frozenset[str] = frozenset()
    inflow_sign: InflowSign | None = None
    by_row: Mapping[RowPlace, Sequence[RowParts]] = field(default_factory=dict)
    by_pending_row: Mapping[RowPlace, Sequence[RowParts]] = field(default_factory=dict)

    def said_parts(self) -> Counter[tuple[RowPlace, str]]:
        """How often the person's words on posted rows put an amount of a day into a category."""
        return Counter(
            ((account, day, amount), category)
            for (account, day, _), categories in self.by_row.items()
            for row_parts in categories
            for amount, category in row_parts
        )

    def is_filed(self, amount: int) -> bool:
        """Whether the person filed all money of an amount's direction; positive is money in."""
        return ("out" if amount < 0 else "in") in self.filed


@dataclass(frozen=True, slots=True)
class LoneRow:
    """A row that the person wants to be asked about by itself, with the id of its question."""

    row: Row
    task_id: str


@dataclass(frozen=True, slots=True)
class LedgerConnection:
    """A connection as the plan needs it; `last_synced_at` is in milliseconds, None if never synced.

    `access_ends_at` is when the person's consent ends, None where it has no end.
    """

    id: str
    institution: str
    provider: Provider
    status: ConnectionStatus
    error: str | None
    last_synced_at: int | None
    access_ends_at: int | None = None


@dataclass(frozen=True, slots=True)
class RecordedBalance:
    """What an account's balance was on a day, YYYYMMDD, in the sign of its kind.

    `stated` says that a statement states it, not the bank's sync or the person.
    """

    account: int
    day: int
    balance: int
    stated: bool = False


@dataclass(frozen=True, slots=True)
class SeriesVerdict:
    """The person's word on a series: one of its occurrences was `amount` (positive) on `day`, YYYYMMDD.

    `cadence` and `interval_days` are what the series had when the person judged it.
    """

    id: str
    kind: Literal["charge", "income"]
    payee_key: str
    amount: int
    day: int
    cadence: Cadence
    interval_days: int
    verdict: Literal["confirm", "dismiss"]


@dataclass(frozen=True, slots=True)
class PlannedMoney:
    """Money that the person expects to receive (`incoming`) or to pay; `amount` is positive.

    `first` is its day; where only the month is known (`in_month`) it is the month's last day for money
    in and its first for money out, so that cash is never told to be there too early. It repeats by
    `cadence` until a day, or happens once. `account` is the number of the account that it is on, None
    where that is open. `done` says that it happened, by the person's own word.
    """

    id: str
    name: str
    amount: int
    incoming: bool
    first: date
    in_month: bool
    cadence: Cadence | None
    until: date | None
    account: int | None
    category: str | None
    planned_on: date
    done: bool = False


@dataclass(frozen=True, slots=True)
class Ledger:
    """One person's household at one moment.

    `rows` are the posted rows of every account that enters totals (see `roles.counts_in_totals`),
    ordered by payee, then day. `pending` has the same shape and enters no total. `dismissed` holds the
    ids of tasks that the person dismissed; `monthly_income` is the person's own figure, if any.
    `verdicts` are the person's word on series, `different` the pairs of accounts said to be two, by
    their ids. `each_time` has the keys of the payees whose rows are asked about one by one, and
    `lone_rows` those of their rows that nobody has filed by itself, oldest first. `spent_abroad` are the
    accounts in other currencies that payments are spent from. `planned` is planned money in the
    household's currency.
    """

    settings: HouseholdSettings
    accounts: Mapping[int, LedgerAccount]
    payees: Mapping[int, LedgerPayee]
    rows: Sequence[Row]
    pending: Sequence[Row]
    catalogue: Catalogue
    connections: Sequence[LedgerConnection] = ()
    recorded: Sequence[RecordedBalance] = ()
    dismissed: frozenset[str] = frozenset()
    monthly_income: int | None = None
    verdicts: Sequence[SeriesVerdict] = ()
    different: frozenset[frozenset[str]] = frozenset()
    each_time: frozenset[str] = frozenset()
    lone_rows: Sequence[LoneRow] = ()
    spent_abroad: frozenset[int] = frozenset()
    planned: Sequence[PlannedMoney] = ()

    def moves_on(self, accounts: Iterable[int]) -> dict[int, list[tuple[int, int]]]:
        """Day and amount of each row of some accounts, by their numbers."""
        moves: dict[int, list[tuple[int, int]]] = {number: [] for number in accounts}
        for _, number, day, amount, _, _ in self.rows:
            if number in moves:
                moves[number].append((day, amount))
        return moves
