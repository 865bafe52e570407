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
    """The calculation of safe to spend until payday; both subtractions are exact."""

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
    """Safe to spend today, and for each day until payday."""

    today: Amount
    daily: Amount
    spent_today: Amount
    payday: date | None
    breakdown: Breakdown


class PeriodCash(Wire):
    """Cash until the next payday, in minor units.

    `from` is the first day: the last payday, or the first of the month. `setAside` is the part of the
    breakdown's bills that goes to the emergency fund, cards or savings. `guard` is the spare cash before
    the next payday: below 0 when cash is short, null when a balance is missing. `needs` is the average
    spending on groceries and transportation, minus what was already spent. `unanswered` is monthly money
    in that may be income. It is set only if so much of it is uncategorized that all figures here are
    estimates.
    """

    since: Annotated[date, Field(alias="from")]
    set_aside: Amount
    guard: Amount | None
    needs: Amount
    unanswered: Amount = 0


class SnapshotBalances(Wire):
    """Balances today; `netWorth` includes investments, which have no field here."""

    cash: Amount
    card_debt: Amount
    loans: Amount
    net_worth: Amount


class Upcoming(Wire):
    """One charge expected in the next thirty days; positive when money goes out.

    `likely`: the charge may not come, because it is a yearly charge seen only once or its day varies.
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
    """Charges due in thirty days, including today: `total` adds up `upcoming` until `until`.

    `cardBills` are bills of cards that you pay in full. No sum includes them, since purchases are
    already counted. `repayments` are what others pay you back every month, such as a flatmate's share of
    the rent. No sum includes them either: they reduce spending, not a bill.
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
    """A group of spending categories this calendar month.

    `monthly` is the group's average. `left` is the group's usual monthly spending from now on, minus
    `spent` and `upcoming`.
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
    """The days that the plan's averages are based on."""

    months: float


class Draw(Wire):
    """The cash that this month needs because income is below the budget."""

    month: Month
    budget: Amount
    income: Amount
    draw: Amount


class SnapshotIncome(Wire):
    """The source of the income figure."""

    source: Literal["detected", "manual"]
    draw: Draw | None


class Change(Wire):
    """The latest event that changed how much is safe to spend each day; `from` and `to` are amounts."""

    id: str
    at: Timestamp
    before: Annotated[Amount, Field(alias="from")]
    after: Annotated[Amount, Field(alias="to")]


class Behind(Wire):
    """A connection that has not synced recently."""

    connection_id: str
    institution_name: str
    last_synced_at: Timestamp | None


class Tally(Wire):
    """A number of transactions, and their sum."""

    count: Whole
    total: Amount


class Gaps(Wire):
    """Data that is missing from the figures."""

    behind: tuple[Behind, ...]
    missing: tuple[Literal["income", "spending"], ...]
    uncategorised: Tally
    pending: Tally


class Snapshot(Wire):
    """The live view of the household's money.

    `spendableFrom` is the first day when you can spend again; null if you can spend now, or if no
    expected income allows it.
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
    """Monthly income set by the person; null returns to the detected figure."""

    monthly: Annotated[TypedAmount, Field(ge=0)] | None


class RunningChange(Wire):
    """An income or a bill that the plan expects to differ from its average.

    `averaged` and `now` are minor units a month, positive for money in and money out alike. `since` is
    when it began, resumed, changed or was last seen; `text` says this in one sentence.
    """

    name: str
    kind: Literal["began", "resumed", "stepped", "ended", "yearly"]
    income: bool
    since: date
    averaged: Amount
    now: Amount
    text: str


class RunningMonth(Wire):
    """Income and spending of a month from now on; the basis of targets, safe to spend and advice.

    `differs` is true if the month differs from the averages of `Plan.monthly` by 5% of income or more.
    `changes` are the reasons, largest first. `text` describes both months and the largest changes in
    sentences, and is empty if the months agree.
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
    """The latest plan, with the figures that its page shows."""

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
    """One event of cash on a day: positive for money in, negative for money out.

    `card` is a card payment: the card's bill, or its minimum payment plus the usual extra payment.
    `spending` is everyday spending on this weekday, net of other money in. `probability` is the chance
    that a charge comes on its day and within 10% of its amount; null for everything else.
    """

    kind: ForecastKind
    name: str
    amount: Amount
    probability: Probability | None


class ForecastDay(Wire):
    """Cash at the end of a day: `expected` is that of the day before plus the day's items.

    Cash is between `low` and `high` in four of five simulations; both are null without everyday
    spending.
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
    """Cash from today (`from`) to `to`, in minor units.

    `start` is cash now minus pending transactions; the first day is today, with only the items that are
    still due. `notes` say what the forecast is based on and what it excludes. If a balance is missing,
    `start` and `low` are null and `days` is empty.
    """

    start: Amount | None
    low: ForecastLow | None
    days: tuple[ForecastDay, ...]
    notes: tuple[str, ...]


class ForecastQuery(Wire):
    """The length of the forecast."""

    days: Annotated[
        Whole,
        Field(ge=1, le=FURTHEST_DAY_AHEAD, description="How many days after today, 1 to 120."),
    ] = USUAL_DAYS_AHEAD


class WealthBalances(Wire):
    """Balances today; `available` is cash minus card debt."""

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
