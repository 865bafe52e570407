"""The live money view: what is safe to spend until the next payday."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Month, Timestamp, TypedAmount, Whole, Wire
from finplan.model.category import SpendingLine
from finplan.model.plan import DataAge, Plan, PlanStanding
from finplan.model.task import Task


class Breakdown(Wire):
    """How the allowance of this period comes about; both subtractions are exact."""

    income: Amount
    bills: Amount
    groceries: Amount
    transportation: Amount
    available: Amount
    spent: Amount
    upcoming: Amount
    remaining: Amount
    days_left: Whole


class Allowance(Wire):
    """What is safe to spend: today, and a day until payday."""

    today: Amount
    daily: Amount
    spent_today: Amount
    payday: date | None
    breakdown: Breakdown


class PeriodCash(Wire):
    """What the period still asks of cash, minor units.

    `from` is its first day: the last payday, or the first of the month. `setAside` is the part of the
    breakdown's bills that goes to the fund, the cards or savings. `guard` is what cash can spare before
    the period ends, below 0 when it is short and null where a balance of cash is not known. `needs` is
    what cash has still to pay of the usual groceries and transportation of this period: their mean less
    what was spent, whatever the days that are left would usually take. `unanswered` is the money in a
    month that may be income, where so much of it waits for an answer that no figure here is firm.
    """

    since: Annotated[date, Field(alias="from")]
    set_aside: Amount
    guard: Amount | None
    needs: Amount
    unanswered: Amount = 0


class SnapshotBalances(Wire):
    """Balances today; net worth includes investments, which are not listed here."""

    cash: Amount
    card_debt: Amount
    loans: Amount
    net_worth: Amount


class Upcoming(Wire):
    """One charge expected from today to thirty days from now; positive when money goes out.

    `likely` says that it may not come: it came once and is of a yearly kind, or keeps no sure day.
    """

    date: date
    name: str
    amount: Amount
    likely: bool = False

    @property
    def title(self) -> str:
        """The name in a list, which marks a charge that may not come."""
        return f"{self.name} (likely)" if self.likely else self.name


class DueSoon(Wire):
    """What falls due in thirty days, today counted: the `total` of `upcoming` that is dated to `until`.

    `cardBills` are what cards that are paid in full take from cash in these days. They are in no sum,
    since purchases count when they are made. `repayments` are what others pay back every month, such as
    a flatmate's share of the rent: they are in no sum either, since they lower spending and no bill.
    """

    until: date
    total: Amount
    card_bills: tuple[Upcoming, ...]
    repayments: tuple[Upcoming, ...]


class GroupCategory(Wire):
    """One category of a money group."""

    category: str
    label: str
    monthly: Amount
    spent: Amount


class MoneyGroup(Wire):
    """A theme of spending this calendar month.

    `monthly` is its average, and `left` what a month takes from now on, minus spent minus upcoming.
    """

    key: str
    label: str
    line: SpendingLine
    monthly: Amount
    spent: Amount
    upcoming: Amount
    left: Amount
    share: float
    categories: tuple[GroupCategory, ...]

    @property
    def usual(self) -> int:
        """What a month takes from now on, minor units."""
        return self.left + self.spent + self.upcoming


class SnapshotWindow(Wire):
    """The window of the plan that the averages come from."""

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    months: float


class Draw(Wire):
    """What this month takes from cash because income falls short of the budget."""

    month: Month
    budget: Amount
    income: Amount
    draw: Amount


class SnapshotIncome(Wire):
    """Where the income figure comes from."""

    source: Literal["detected", "manual"]
    draw: Draw | None


class Change(Wire):
    """The last event that moved the daily allowance; `from` and `to` are amounts."""

    id: str
    at: Timestamp
    before: Annotated[Amount, Field(alias="from")]
    after: Annotated[Amount, Field(alias="to")]


class Behind(Wire):
    """A connection whose data are old."""

    connection_id: str
    institution_name: str
    last_synced_at: Timestamp | None


class Tally(Wire):
    """How many rows, and their sum."""

    count: Whole
    total: Amount


class Gaps(Wire):
    """What the figures do not know."""

    behind: tuple[Behind, ...]
    missing: tuple[Literal["income", "spending"], ...]
    uncategorised: Tally
    pending: Tally


class Snapshot(Wire):
    """The live view of the household's money.

    `spendableFrom` is the first day on which something is safe to spend again; null while something is,
    and where nothing that is expected brings it.
    """

    allowance: Allowance
    balances: SnapshotBalances
    upcoming: tuple[Upcoming, ...]
    groups: tuple[MoneyGroup, ...]
    window: SnapshotWindow
    plan_date: date
    synced_at: Timestamp | None
    income: SnapshotIncome
    change: Change | None
    gaps: Gaps
    spendable_from: date | None
    period: PeriodCash
    due: DueSoon

    @property
    def waits_for_answers(self) -> bool:
        """Whether so much money in waits for an answer that no share of a day is firm."""
        return self.period.unanswered > 0 and (self.period.guard or 0) > 0


class IncomeRequest(Wire):
    """The person's own figure of monthly income; null returns to the detected one."""

    monthly: Annotated[TypedAmount, Field(ge=0)] | None


class RunningChange(Wire):
    """A source or a bill that is planned with at another sum than it had on average.

    `averaged` and `now` are minor units a month, positive for money in and for money out alike; `since`
    is when it began, went on, changed or was seen last, and `text` says so in one sentence.
    """

    name: str
    kind: Literal["began", "resumed", "stepped", "ended", "yearly"]
    income: bool
    since: date
    averaged: Amount
    now: Amount
    text: str


class RunningMonth(Wire):
    """What a month brings and costs from now on, which targets, fund, allowance and advice rest on.

    `differs` says that it lies a twentieth of the income or more from the averages of `Plan.monthly`;
    `changes` say why, the largest first. `text` holds both months and the largest changes in sentences,
    and none where they agree.
    """

    income: Amount
    essentials: Amount
    discretionary: Amount
    total_spend: Amount
    surplus: Amount
    differs: bool
    changes: tuple[RunningChange, ...]
    text: tuple[str, ...]


class PlanView(Wire):
    """The latest plan with everything that a page about it shows."""

    plan: Plan
    running: RunningMonth
    created_at: Timestamp
    standing: PlanStanding
    snapshot: Snapshot
    open_tasks: tuple[Task, ...]
    data_age: tuple[DataAge, ...]
