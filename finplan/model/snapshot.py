"""The live view of the money, and balances over time.

What is here today, what the evenings ahead bring with what moves them, and what is owned and owed.
"""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, DateSpan, Month, Timestamp, TypedAmount, Whole, Wire
from finplan.model.category import SpendingLine
from finplan.model.plan import DataAge, Plan, PlanStanding
from finplan.model.recurring import Probability
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


class SnapshotWindow(DateSpan):
    """The window of the plan that the averages come from."""

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


ForecastKind = Literal["income", "bill", "card", "spending"]

FURTHEST_DAY_AHEAD = 120
"""Days: beyond, nobody knows enough to draw a line."""

USUAL_DAYS_AHEAD = 60


class ForecastItem(Wire):
    """What moves cash on a day: positive comes in, negative goes out.

    `card` is what a card takes: its bill, or its minimum and what is usually paid beyond it; `spending`
    is what such a weekday usually brings and takes beside all that is named. `probability` is how likely
    a charge is to come on its day and within a tenth of its amount, null of everything else.
    """

    kind: ForecastKind
    name: str
    amount: Amount
    probability: Probability | None


class ForecastDay(Wire):
    """The end of a day: `expected` is that of the day before and the sum of the day's items.

    Cash lies between `low` and `high` on four of five paths; both are null where nothing usual is known.
    """

    date: date
    expected: Amount
    low: Amount | None
    high: Amount | None
    items: tuple[ForecastItem, ...]


class ForecastLow(Wire):
    """The first day on which expected cash is lowest."""

    date: date
    expected: Amount


class Forecast(DateSpan):
    """Cash from today, `from`, to `to`, minor units.

    `start` is cash now less what is pending, and the first day is today with what is still due. `notes`
    say what the days rest on and leave out. Without a known balance `start` and `low` are null, and
    there are no days.
    """

    start: Amount | None
    low: ForecastLow | None
    days: tuple[ForecastDay, ...]
    notes: tuple[str, ...]


class ForecastQuery(Wire):
    """How many days are looked ahead."""

    days: Annotated[
        Whole,
        Field(ge=1, le=FURTHEST_DAY_AHEAD, description="How many days after today, 1 to 120."),
    ] = USUAL_DAYS_AHEAD


class WealthBalances(Wire):
    """Balances today; `available` is cash after what is owed on cards."""

    cash: Amount
    investments: Amount
    card_debt: Amount
    loans: Amount
    net_worth: Amount
    available: Amount


class WealthPoint(Wire):
    """One day's assets, debts and their difference."""

    date: date
    assets: Amount
    debts: Amount
    net_worth: Amount


class Wealth(Wire):
    """Balances today and the history of net worth; the last point is today."""

    today: date
    balances: WealthBalances
    history: tuple[WealthPoint, ...]
