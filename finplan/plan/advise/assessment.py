"""Everything that is worked out about a household on a day, before it is put into words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from finplan.model.forecast import FURTHEST
from finplan.model.plan import BudgetItem, EmergencyFund, PlanCategory, PlanSnapshot
from finplan.plan.advise.tasks import PayeeQuestion
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.expected import ExpectedCharge, Period, period_of
from finplan.plan.live.forecast import CashOutlook
from finplan.plan.live.lump_sum import LumpSum
from finplan.plan.live.view import CashAhead
from finplan.plan.sections.budget import LivingOnSavings
from finplan.plan.sections.debt import CardUse, PayoffPlan
from finplan.plan.sections.emergency import FundTarget
from finplan.plan.sections.missing_accounts import MissingAccount
from finplan.plan.sections.monthly import Means, PlannedMonth
from finplan.plan.sections.standing import Standing
from finplan.plan.words import day, exact_money, money, month

_LIKELY = 0.25
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
    `guard` is what cash can spare until `period` ends, `ahead` what
    cash is known to be day by day until a month after the next period, both None where cash is not
    known; `lump` is what dear cards can get at once and `outlook` how far cash strays, both None where
    that is not asked; `upcoming` are the charges of the next thirty days; `missing` and `questions` are
    the open tasks of those kinds.
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
        days = min((self.period.end - self.today).days - 1, FURTHEST)
        chance = self.outlook.below_zero(days)
        lowest = self.outlook.lowest(days)
        return LikelyGap(lowest, chance) if chance >= _LIKELY else None

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
