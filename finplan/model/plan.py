"""The plan, as part 2 of the interface defines it field by field, and how exact it is.

Unknown spending and missing balances turn some figures into bounds.
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
    """The days that the averages cover; `months` is the divisor of every average."""

    days: Whole
    months: float
    transaction_count: Whole
    account_count: Whole


class SnapshotAccount(Wire):
    """An account with its role in the plan."""

    id: str
    institution_name: str
    name: str
    mask: str | None
    kind: AccountKind
    subtype: str | None
    balance: Amount | None
    role: Role


class PlanSnapshot(Wire):
    """Your assets and debts on the day of the plan."""

    liquid_cash: Amount
    credit_card_debt: Amount
    other_debt: Amount
    investments: Amount
    net_worth: Amount
    accounts: tuple[SnapshotAccount, ...]


class Monthly(Wire):
    """The monthly averages of the window."""

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
    """A source of income: its payer, amount and cadence."""

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
    """A recurring charge."""

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
    """How long your cash lasts, and how much is missing."""

    months_covered: float
    target_months: Whole
    target_amount: Amount
    gap: Amount
    monthly_contribution: Amount
    months_to_target: Whole | None


class Card(Wire):
    """One credit account; `balance` is the debt, as stored."""

    account_id: str
    institution_name: str
    name: str
    mask: str | None
    balance: Amount
    limit: Amount | None
    utilization: float | None


class Debt(Wire):
    """Your cards, and how to pay them off."""

    cards: tuple[Card, ...]
    total: Amount
    strategy: DebtStrategy
    monthly_payment: Amount
    months_to_clear: Whole | None


class BudgetItem(Wire):
    """One line of the budget: its current amount and its target."""

    key: BudgetKey
    label: str
    current: Amount
    target: Amount
    target_share: float


class Action(Wire):
    """One next step, most urgent first."""

    priority: Whole
    kind: str
    title: str
    detail: str
    amount: Amount | None


class Plan(Wire):
    """A personal finance plan from your own bank data."""

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
    """When one connection last synced."""

    connection_id: str
    institution_name: str
    last_synced_at: Timestamp | None


Bound = Literal["exact", "at most", "at least", "unknown"]
"""How exact a sum is to which a missing balance adds 0."""

UncertainFigure = Literal["netWorth", "debt", "available", "monthsCovered"]
"""A figure that a missing debt may make look too good."""

UnlinkedKind = Literal["loan", "savings"]
"""Kinds of unlinked accounts, other than cards, that payments show."""


class PlanStanding(Wire):
    """How much of a plan is unknown.

    `unknownShare` is the uncategorized share of spending, from 0 to 1, and `moneyUnknown` is that
    spending a month. If `unknownShare` is 0.1 or more, the plan is an estimate (`provisional`). The plan
    is also an estimate if a tenth of the money in is uncategorized. `moneyInUnknown` is the
    uncategorized money in a month, or 0 below a tenth. The figures in `atMost` may be worse because a
    debt is missing: `debt` may be higher, and the other figures lower. `unlinked` lists kinds of
    accounts, other than cards, that regular payments point to but no balance includes.
    """

    provisional: bool
    unknown_share: float
    money_unknown: Amount
    money_in_unknown: Amount = 0
    at_most: tuple[UncertainFigure, ...]
    unlinked: tuple[UnlinkedKind, ...] = ()


def bound(*, too_high: bool, too_low: bool) -> Bound:
    """How exact a sum is that may be too high, too low, or both."""
    if too_high and too_low:
        return "unknown"
    return "at most" if too_high else "at least" if too_low else "exact"
