"""Everything that is worked out about a household on a day, before it is put into words.

One piece of advice has no place among the others yet. What advice takes from spare cash, which is
what bills leave of cash until the period ends, each kind takes in turn, so that no two count on the
same money: cards that revolve, then nearly full ones, then bills ahead, then idle cash. A monthly
sum begins with the first pay that bills leave enough of.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from finplan.model.plan import BudgetItem, EmergencyFund, PlanCategory, PlanSnapshot
from finplan.model.snapshot import FURTHEST_DAY_AHEAD
from finplan.plan.advise.tasks import PayeeQuestion
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.classes import nature_of
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.expected import AHEAD, ExpectedCharge, Period, period_of
from finplan.plan.live.forecast import CashOutlook
from finplan.plan.live.lump_sum import LumpSum
from finplan.plan.live.view import CashAhead
from finplan.plan.sections.budget import LivingOnSavings
from finplan.plan.sections.debt import CardUse, PayoffPlan
from finplan.plan.sections.emergency import FundTarget
from finplan.plan.sections.missing_accounts import MissingAccount
from finplan.plan.sections.monthly import Means, PlannedMonth
from finplan.plan.sections.spending import rare_bills
from finplan.plan.sections.standing import Standing
from finplan.plan.words import day, exact_money, listed, money, month

_LIKELY_SHARE = 0.25
"""What happens in one of four cases is to be said."""


class LikelyGap(NamedTuple):
    """The least that cash may be until the period ends, and how likely it falls below zero by then."""

    lowest: int
    chance: float

    @property
    def amount(self) -> int:
        """What covers it in most cases, minor units."""
        return max(0, -self.lowest)


@dataclass(frozen=True, slots=True)
class Assessment:
    """The figures behind a plan.

    `means` are what was, and `planned` is what is planned with. `standing` says what is unknown,
    `living` how savings carry what income does not. `cards` are all visible cards and how each is used;
    `guard` is what cash can spare until `period` ends, `ahead` what cash is known to be day by day until
    a month after the next period, both None where cash is not known; `lump` is what dear cards can get
    at once and `outlook` how far cash strays, both None where that is not asked; `upcoming` are the
    charges of the next thirty days; `missing` and `questions` are the open tasks of those kinds.
    """

    ledger: Ledger
    books: Books
    today: date
    snapshot: PlanSnapshot
    means: Means
    planned: PlannedMonth
    standing: Standing
    living: LivingOnSavings
    categories: Sequence[PlanCategory]
    cards: Sequence[CardUse]
    payoff: PayoffPlan
    target: FundTarget
    fund: EmergencyFund
    budget: tuple[BudgetItem, BudgetItem, BudgetItem]
    period: Period
    upcoming: Sequence[ExpectedCharge]
    guard: int | None
    lump: LumpSum | None
    outlook: CashOutlook | None
    ahead: CashAhead | None
    missing: Sequence[MissingAccount]
    questions: Sequence[PayeeQuestion]

    @property
    def currency(self) -> str:
        """The household's currency."""
        return self.ledger.settings.currency

    @property
    def free_cash(self) -> int:
        """Cash after everything that cards are owed; it may be below zero."""
        return self.snapshot.liquid_cash - self.payoff.total

    @property
    def likely_gap(self) -> LikelyGap | None:
        """What covers cash until the period ends where usual spending may well take what bills leave."""
        if self.outlook is None or self.guard is None or self.guard < 0:
            return None
        days = min((self.period.end - self.today).days - 1, FURTHEST_DAY_AHEAD)
        chance = self.outlook.below_zero(days)
        lowest = self.outlook.lowest(days)
        return LikelyGap(lowest, chance) if chance >= _LIKELY_SHARE else None

    @property
    def spare_cash(self) -> int:
        """Cash that neither bills nor, likely, usual spending take until the period ends; 0 at least."""
        return 0 if self.likely_gap else max(0, self.guard or 0)

    @property
    def next_period(self) -> Period:
        """The period after the one that holds today."""
        return period_of(self.books.sources, self.period.end)

    @property
    def known_wants(self) -> int:
        """Discretionary spending a month in categories that say what it was for."""
        return self.planned.discretionary - self.planned.unknown

    @property
    def plans_on_other_income(self) -> bool:
        """Whether planned income lies a fiftieth or more from what came in, so that it must be said."""
        income = self.means.income
        return 50 * abs(self.planned.income - income) >= income > 0

    @property
    def full_months(self) -> int:
        """How many full months the averages are taken over; 0 when there is none."""
        return len(self.books.window.month_keys)

    def money(self, amount: int) -> str:
        """An amount as this household writes it."""
        return money(amount, self.currency)

    def exact(self, amount: int) -> str:
        """An amount to the cent, for sums that a person adds up."""
        return exact_money(amount, self.currency)

    def day(self, when: date) -> str:
        """A day as a person says it today."""
        return day(when, self.today)

    def month(self, when: date) -> str:
        """A month as a person says it today."""
        return month(when, self.today)


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do: `detail` holds the figures and ends with what to do; `amount` is positive."""

    title: str
    detail: str
    amount: int | None = None


Adviser = Callable[[Assessment], Iterable[Advice]]
"""Gives the advice of one kind, one for each subject, or none."""


def listed_wants(household: Assessment, wants: Sequence[PlanCategory], between: str = "and") -> str:
    """Categories with what they take a month, as a sentence lists them."""
    return listed([f"{want.label} ({household.money(want.monthly)})" for want in wants], between)


def wants_by_size(household: Assessment) -> Sequence[PlanCategory]:
    """The discretionary categories that a person can choose to spend less on, the largest first."""
    wants = [
        want
        for want in household.categories
        if want.line == "discretionary" and want.category not in _NOT_A_CHOICE and want.monthly > 0
    ]
    return sorted(wants, key=lambda want: -want.monthly)


_NOT_A_CHOICE = frozenset({"uncategorized", "unlinked_card", "cash"})
"""Nobody can spend less on what is not known."""


_HEALTHY_TENTHS = 3
_FULL_TENTHS = 9
"""A card above nine tenths of its limit is nearly full; below three tenths it harms no score."""

_BILL_AHEAD_DAYS = 60

_MONTHS_TO_SPARE = 3
"""Months of essentials that stay beyond a full fund before cash is idle."""


@dataclass(frozen=True, slots=True)
class BillAhead:
    """A rare bill due on a day, and how much of the cash there is can be put aside for it.

    `is_reserved` says that it falls due before the period ends, so that what is safe to spend leaves it
    out.
    """

    bill: Series
    due: date
    aside: int
    is_reserved: bool

    @property
    def missing(self) -> int:
        """What has yet to come in for it."""
        return 0 if self.is_reserved else self.bill.amount - self.aside


def pays_off_now(household: Assessment) -> bool:
    """Whether what revolves can be paid from cash before the period ends."""
    return 0 < household.payoff.revolving_owed <= household.spare_cash


def card_payoff(household: Assessment) -> int:
    """What paying the cards that revolve takes at once from the cash there is."""
    payoff = household.payoff
    if payoff.lump:
        return payoff.lump
    pays = payoff.strategy == "pay_in_full" and pays_off_now(household)
    return payoff.revolving_owed if pays else 0


def full_cards(household: Assessment) -> list[tuple[CardUse, int]]:
    """Nearly full cards that are paid in full by habit, and what brings each to three tenths.

    Only what cash covers, and never while other cards are paid down: all that is spare goes to those.
    """
    if household.payoff.strategy == "paydown":
        return []
    spare = min(household.spare_cash - card_payoff(household), household.free_cash)
    payments = []
    for card in sorted(household.cards, key=lambda use: (-use.owed, use.account.id)):
        limit = card.account.credit_limit or 0
        if card.in_full and not card.assumed and 10 * card.owed > _FULL_TENTHS * limit > 0:
            payment = card.owed - limit * _HEALTHY_TENTHS // 10
            if payment <= spare:
                payments.append((card, payment))
                spare -= payment
    return payments


def bills_ahead(household: Assessment) -> list[BillAhead]:
    """Rare bills of the next sixty days that are large against surplus and spare cash, by their day."""
    surplus, guard = household.planned.surplus, household.guard
    if surplus <= 0 or guard is None:
        return []
    horizon = household.today + timedelta(_BILL_AHEAD_DAYS)
    spare = household.spare_cash - card_payoff(household)
    spare -= sum(payment for _, payment in full_cards(household))
    large = [
        (due, charge)
        for due, charge in rare_bills(household.books, horizon)
        if 4 * charge.amount > surplus and 2 * charge.amount > guard
    ]
    bills = []
    for due, charge in large:
        paid_from = household.ledger.accounts[charge.account]
        is_held = due < household.period.end and nature_of(paid_from) == "cash"
        aside = 0 if is_held else min(charge.amount, spare)
        spare -= aside
        bills.append(BillAhead(charge, due, aside, is_held))
    return bills


def remaining_cash(household: Assessment) -> int:
    """What bills and the advice above leave of cash until the period ends."""
    taken = card_payoff(household)
    taken += sum(payment for _, payment in full_cards(household))
    taken += sum(bill.aside for bill in bills_ahead(household))
    return household.spare_cash - taken


def idle_cash(household: Assessment) -> int:
    """What cash holds beyond a full fund and three months of essentials, and no other advice takes."""
    essentials = household.planned.essentials
    target = household.target
    beyond = target.reserve - target.amount - _MONTHS_TO_SPARE * essentials
    return max(0, min(beyond, remaining_cash(household)))


WITH_THE_NEXT_PAY = "with your next pay"
ONCE_COVERED = "once this pay period's bills are covered"


def first_pay_to_save(household: Assessment, monthly: int) -> date | None:
    """The first of the next two paydays from which on cash bears that a sum a month is put aside.

    It does where it is never short for a month, with known bills, pay, groceries and transport. None
    where that is so from neither payday, where pay has no rhythm, and where cash is not known.
    """
    ahead = household.ahead
    if ahead is None or household.period.payday is None:
        return None
    for payday in (household.period.end, household.next_period.end):
        if ahead.lowest_in_use(payday, payday + timedelta(AHEAD), monthly).cash >= 0:
            return payday
    return None


def begins(household: Assessment, monthly: int) -> str:
    """When to begin with a sum, as a sentence says it after "starting"."""
    payday = household.period.payday
    start = first_pay_to_save(household, monthly)
    if payday is None or household.ahead is None or start == payday:
        short = household.guard is not None and household.guard < 0
        return ONCE_COVERED if short else WITH_THE_NEXT_PAY
    return (
        f"with your pay on {household.day(start)}"
        if start
        else "once your pay leaves enough for it"
    )


def until_then(household: Assessment, monthly: int) -> str:
    """Why a sum does not begin with the next pay, as a sentence after a blank; nothing where it does."""
    waits = begins(household, monthly) not in {WITH_THE_NEXT_PAY, ONCE_COVERED}
    return " Until then, bills and groceries use up your income." if waits else ""
