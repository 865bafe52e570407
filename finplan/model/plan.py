"""The plan, as part 2 of the interface defines it field by field, and how far it can be trusted.

What of spending is unknown makes some figures bounds.
"""

from datetime import date
from typing import Literal

from finplan.model.account import AccountKind
from finplan.model.base import Amount, DateSpan, Timestamp, Whole, Wire
from finplan.model.category import SpendingLine

Cadence = Literal[
    "weekly", "biweekly", "semimonthly", "monthly", "quarterly", "twice_yearly", "annual"
]
IncomeCadence = Literal[Cadence, "irregular"]
Role = Literal["cash", "debt", "investment", "none"]
BudgetKey = Literal["essentials", "discretionary", "savings"]
DebtStrategy = Literal["none", "pay_in_full", "paydown"]


class Window(DateSpan):
    """The days that the averages cover; `months` is the divisor of every mean."""

    days: Whole
    months: float
    transaction_count: Whole
    account_count: Whole


class SnapshotAccount(Wire):
    """An account with the role that it plays in the plan."""

    id: str
    institution_name: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    balance: Amount | None
    role: Role


class PlanSnapshot(Wire):
    """What the person owns and owes on the day of the plan."""

    liquid_cash: Amount
    credit_card_debt: Amount
    other_debt: Amount
    investments: Amount
    net_worth: Amount
    accounts: tuple[SnapshotAccount, ...]


class Monthly(Wire):
    """The means of the window."""

    income: Amount
    essentials: Amount
    discretionary: Amount
    total_spend: Amount
    surplus: Amount
    savings_rate: float
    saved: Amount
    daily_allowance: Amount


class PlanCategory(Wire):
    """One spending category in the window."""

    category: str
    label: str
    line: SpendingLine
    monthly: Amount
    total: Amount
    count: Whole
    share_of_spend: float


class IncomeSource(Wire):
    """Who pays the person, how much and how often."""

    name: str
    amount: Amount
    monthly: Amount
    total: Amount
    count: Whole
    cadence: IncomeCadence
    interval_days: Whole | None
    last_date: date
    next_date: date | None
    active: bool


class RecurringCharge(Wire):
    """A charge that comes again."""

    name: str
    amount: Amount
    monthly: Amount
    interval_days: Whole
    cadence: Cadence
    count: Whole
    last_date: date
    next_date: date
    category: str


class EmergencyFund(Wire):
    """How long the household lasts on its cash, and what is missing."""

    months_covered: float
    target_months: Whole
    target_amount: Amount
    gap: Amount
    monthly_contribution: Amount
    months_to_target: Whole | None


class Card(Wire):
    """One credit account; `balance` is what is owed, as stored."""

    account_id: str
    institution_name: str
    name: str
    mask: str | None
    balance: Amount
    limit: Amount | None
    utilization: float | None


class Debt(Wire):
    """The cards and the way out of them."""

    cards: tuple[Card, ...]
    total: Amount
    strategy: DebtStrategy
    monthly_payment: Amount
    months_to_clear: Whole | None


class BudgetItem(Wire):
    """One third of the budget: what it is, and what it could be."""

    key: BudgetKey
    label: str
    current: Amount
    target: Amount
    target_share: float


class Action(Wire):
    """One thing to do next, most useful first."""

    priority: Whole
    kind: str
    title: str
    detail: str
    amount: Amount | None


class Plan(Wire):
    """A personal finance plan from the person's own bank data."""

    version: Literal[1] = 1
    generated_on: date
    window: Window
    snapshot: PlanSnapshot
    monthly: Monthly
    categories: tuple[PlanCategory, ...]
    income_sources: tuple[IncomeSource, ...]
    recurring: tuple[RecurringCharge, ...]
    emergency_fund: EmergencyFund
    debt: Debt
    budget: tuple[BudgetItem, ...]
    actions: tuple[Action, ...]
    notes: tuple[str, ...]


class StoredPlan(Wire):
    """A plan and when it was built."""

    plan: Plan
    created_at: Timestamp


class DataAge(Wire):
    """How fresh one connection's data are."""

    connection_id: str
    institution_name: str
    last_synced_at: Timestamp | None


Bound = Literal["exact", "at most", "at least", "unknown"]
"""What a sum is worth to which a balance that nobody told adds 0."""

UncertainFigure = Literal["netWorth", "debt", "available", "monthsCovered"]
"""A figure that a debt nobody told makes look better than it may be."""

UnlinkedKind = Literal["loan", "savings"]
"""What rows show that is not linked, beside cards: loans, and savings or investments."""


class PlanStanding(Wire):
    """What of a plan is unknown.

    `unknownShare` is the part of spending in no known category, within 0..1, and `moneyUnknown` what
    that is a month; from a tenth on the plan is provisional. So it is where a tenth of the money in is
    not known: `moneyInUnknown` is that a month, and 0 below a tenth. The figures of `atMost` may be
    worse, since a debt is unknown: of `debt`, which is what is known of it, that means more, of the
    others less. `unlinked` are the kinds of accounts beside cards that regular payments show and no
    balance holds.
    """

    provisional: bool
    unknown_share: float
    money_unknown: Amount
    money_in_unknown: Amount = 0
    at_most: tuple[UncertainFigure, ...]
    unlinked: tuple[UnlinkedKind, ...] = ()


def bound(*, too_high: bool, too_low: bool) -> Bound:
    """What a sum is worth that may be higher than the truth, or lower, or both."""
    if too_high and too_low:
        return "unknown"
    return "at most" if too_high else "at least" if too_low else "exact"
