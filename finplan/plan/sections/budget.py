"""The budget: a guide, the nearest split that essentials leave room for, or what savings carry.

Needs are accepted as they are: where they take more than the guide's half of planned income, the
rest is shared 60:40 between wants and what is left over. A person's own shares stand untouched.

Who lives on savings has targets of another kind: no split of an income carries them. How much a
household draws a month, what it can draw on, and how long that lasts is here. Source:
plan-semantics, C22 and section 6a.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from finplan.model.money import apportion, half_even
from finplan.model.plan import BudgetItem, BudgetKey, DebtStrategy, PlanSnapshot
from finplan.model.user import BudgetShares
from finplan.plan.ledger.books import Books, Series, latest_rows, rows_in_window
from finplan.plan.ledger.classes import folded_subtype
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PEER, Ledger
from finplan.plan.sections.monthly import Means, PlannedMonth

_PAY_CATEGORIES = frozenset({"wages", "self_employment"})

_BENEFIT_LASTS = 182
"""Days after its start from which on a temporary benefit may end at any time: half a year."""

_DAYS_A_MONTH = Fraction(365, 12)

_ALARM_OF_RETIRED = 120
"""Months: a pensioner whose savings last ten years is not short of money."""

_HORIZON = 24
_HORIZON_OF_RETIRED = 240
"""Months that savings should last: two years between jobs, twenty in retirement."""

_NO_PAY_DAYS = 183
"""Half a year without pay, and with a pension, is retirement."""

_REGULAR_DRAWS = 3
"""Draws in so many months, and in half of the averaged ones at least, are regular."""

_NEVER_SOLD = frozenset(
    {"hsa", "fsa", "529", "property", "realestate", "home", "vehicle", "healthreimbursementarrangement"}
)  # fmt: skip

_RETIREMENT = frozenset(
    {
        "401a", "401k", "403b", "457b", "ira", "traditionalira", "rolloverira", "rothira", "sepira",
        "simpleira", "sarsep", "keogh", "roth", "roth401k", "profitsharingplan", "thriftsavingsplan",
        "retirement", "pension", "sipp", "rrsp", "rrif", "rlif", "lif", "lira", "lrif", "lrsp", "prif",
    }
)  # fmt: skip
"""Subtypes of accounts that cost those dear who draw on them before they retire."""


@dataclass(frozen=True, slots=True)
class TemporaryBenefit:
    """Unemployment, parental and sickness benefits: what they pay a month, and for how long at least.

    `monthly` is in minor units; `months` are those from today until the first of them may end.
    """

    monthly: int
    months: Fraction

    def runway(self, drawable: int, draw: int) -> Fraction | None:
        """How many months savings last with the benefit and then without it; None without an end.

        `drawable` is what there is, and `draw` what a month takes of it while the benefit comes.
        """
        if not self.monthly:
            return Fraction(drawable, draw) if draw > 0 else None
        remaining = drawable - draw * self.months
        if draw > 0 and remaining <= 0:
            return Fraction(drawable, draw)
        later = draw + self.monthly
        return self.months + remaining / later if later > 0 else None


@dataclass(frozen=True, slots=True)
class LivingOnSavings:
    """What a household draws on its savings, in minor units.

    `applies` says that income does not carry it; the other figures stand whether it does or not.
    `shortfall` is what spending takes a month beyond planned income, at most 0 where there is none;
    `drawable` the cash and investments that can pay for it; `runway_months` how many months that lasts,
    None without a shortfall. `horizon` is how many months it should last. `regular_draws` says that an
    investment that is not linked pays regularly. `essentials`, `discretionary` and `savings` are the
    budget's targets; they add up to planned income, so `savings` is what is drawn, as a negative amount,
    and never above 0.
    """

    applies: bool
    retired: bool
    shortfall: int
    drawable: int
    runway_months: Fraction | None
    horizon: int
    regular_draws: bool
    essentials: int
    discretionary: int
    savings: int
    benefit: TemporaryBenefit = TemporaryBenefit(0, Fraction(0))

    @property
    def lasts(self) -> bool:
        """Whether the savings last so long that nothing needs to be done."""
        enough = _ALARM_OF_RETIRED if self.retired else self.horizon
        return self.regular_draws or self.runway_months is None or self.runway_months >= enough

    @property
    def months_by_targets(self) -> Fraction | None:
        """How many months the savings last by the targets; None when nothing is drawn."""
        return self.benefit.runway(self.drawable, -self.savings)


def live_on_savings(
    ledger: Ledger,
    books: Books,
    planned: PlannedMonth,
    snapshot: PlanSnapshot,
    *,
    base: int,
    strategy: DebtStrategy,
    owed: int,
) -> LivingOnSavings:
    """How a household lives on savings.

    `base` is what the emergency fund is measured by and `owed` what cards are owed, minor units.
    """
    income = max(0, planned.income)
    paid = any(source.active and source.category in _PAY_CATEGORIES for source in books.sources)
    retired = is_retired(ledger, books)
    horizon = _HORIZON_OF_RETIRED if retired else _HORIZON
    shortfall = planned.spend - income
    drawable = _drawable(snapshot, strategy, owed, retired=retired)
    benefit = temporary_benefit(books)
    runway = benefit.runway(drawable, shortfall)
    regular = draws_regularly(books)
    part = Fraction(1) if runway is None or regular else min(Fraction(1), runway / horizon)

    essentials = max(0, planned.essentials)
    wants = part * max(0, planned.discretionary - planned.unknown)
    # What income leaves after essentials may be spent however short the savings are.
    remaining = income - essentials
    discretionary = max(planned.unknown + round(wants), remaining)
    return LivingOnSavings(
        applies=not planned.unanswered and (income < base or (income < planned.spend and not paid)),
        retired=retired,
        shortfall=shortfall,
        drawable=drawable,
        runway_months=runway,
        horizon=horizon,
        regular_draws=regular,
        essentials=essentials,
        discretionary=discretionary,
        savings=income - essentials - discretionary,
        benefit=benefit,
    )


def temporary_benefit(books: Books) -> TemporaryBenefit:
    """What benefits that end pay a month, and the months until the first of them may end."""
    benefits = [
        (source, monthly)
        for source, monthly in books.running.by_source
        if source.sign == "temporary"
    ]
    if not benefits:
        return TemporaryBenefit(0, Fraction(0))
    began = min(source.resumed or source.first_date for source, _ in benefits)
    days_left = (began - books.window.data_end).days + _BENEFIT_LASTS
    return TemporaryBenefit(
        sum(monthly for _, monthly in benefits), max(0, days_left) / _DAYS_A_MONTH
    )


def is_pension(ledger: Ledger, source: Series) -> bool:
    """Whether a source pays a pension, an annuity or an old-age benefit, by its words.

    What the person files under pensions and says nothing itself is one; other benefits are none.
    """
    signs = {ledger.payees[number].inflow_sign for number in source.payees}
    return source.category == "pension_benefits" and signs <= {"pension", None}


def is_retired(ledger: Ledger, books: Books) -> bool:
    """Whether a pension comes and no pay has come in half a year that the history covers."""
    since = day_of(books.window.data_end - timedelta(_NO_PAY_DAYS))
    pension = any(source.active and is_pension(ledger, source) for source in books.sources)
    if not pension or min(sheet.rows[0][DAY] for sheet in books.sheets) > since:
        return False
    paid = latest_rows(books, _PAY_CATEGORIES, _NO_PAY_DAYS + 1)
    return not any(row[AMOUNT] > 0 for row in paid)


def draws_regularly(books: Books) -> bool:
    """Whether an investment that is not linked pays in three months and in half of those averaged."""
    rows = rows_in_window(books, {"investing"})
    drawn = {row[DAY] // 100 for row in rows if row[AMOUNT] > 0 and not row[PEER]}
    months = len(books.window.month_keys)
    return len(drawn) >= _REGULAR_DRAWS and 2 * len(drawn) >= months


def _drawable(snapshot: PlanSnapshot, strategy: DebtStrategy, owed: int, *, retired: bool) -> int:
    """Cash that is not spoken for and what can be sold; where cards are paid down, cash alone."""
    if strategy == "paydown":
        return max(0, snapshot.liquid_cash)
    untouched: Collection[str] = _NEVER_SOLD if retired else _NEVER_SOLD | _RETIREMENT
    sold = sum(
        account.balance or 0
        for account in snapshot.accounts
        if account.role == "investment" and folded_subtype(account.subtype) not in untouched
    )
    return max(0, snapshot.liquid_cash - owed) + max(0, sold)


GUIDE = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
"""50/30/20 of take-home pay (Warren and Tyagi, All Your Worth)."""

LEFT_OVER = "Savings and extra debt payments"
UNTIL_ANSWERED = "Without unanswered income"
DRAWN = "Drawn from savings"
NOT_COVERED = "Not covered"
NOT_COVERED_BY_INCOME_SEEN = "Not covered by known income"

_BUDGET_LINES: Sequence[tuple[BudgetKey, str]] = (
    ("essentials", "Essentials"),
    ("discretionary", "Discretionary"),
    ("savings", LEFT_OVER),
)

_MONTHS_TO_DRAW_ON = 3
"""Savings that last less long are nothing to live on."""


def target_shares(
    planned: PlannedMonth, own: BudgetShares | None
) -> tuple[Fraction, Fraction, Fraction]:
    """The exact shares of essentials, discretionary and savings in planned income; they add up to 1."""
    if own is not None:
        return _shares_of_person(own)
    if planned.income <= 0:
        return GUIDE
    essentials = Fraction(planned.essentials, planned.income)
    if essentials <= GUIDE[0]:
        return GUIDE
    if essentials >= 1:
        return Fraction(1), Fraction(0), Fraction(0)
    remainder = 1 - essentials
    return essentials, remainder * Fraction(3, 5), remainder * Fraction(2, 5)


def _shares_of_person(own: BudgetShares) -> tuple[Fraction, Fraction, Fraction]:
    """A person's shares in ten-thousandths; savings take what rounding leaves over."""
    essentials = Fraction(round(own.essentials * 10_000), 10_000)
    discretionary = Fraction(round(own.discretionary * 10_000), 10_000)
    return essentials, discretionary, 1 - essentials - discretionary


def budget_items(
    means: Means,
    planned: PlannedMonth,
    own: BudgetShares | None,
    living: LivingOnSavings,
    *,
    income_is_missing: bool = False,
) -> tuple[BudgetItem, BudgetItem, BudgetItem]:
    """Essentials, discretionary and savings; current adds up to income, target to planned income or 0.

    "Savings" is what is left over, so extra debt payments and idle cash are in it too; below 0 it is
    what a month draws. `income_is_missing` says that a question for missing income is open.
    """
    labels = [label for _, label in _BUDGET_LINES]
    if living.applies:
        targets = [living.essentials, living.discretionary, living.savings]
        shares = _shares_of_what_is_spent(targets)
        if living.savings < 0:
            labels[2] = _drawn_label(living, income_is_missing=income_is_missing)
    else:
        exact = target_shares(planned, own)
        income = max(0, planned.income)
        if planned.unanswered and (means.surplus < 0 or planned.income <= planned.essentials):
            labels[2] = UNTIL_ANSWERED
        targets = apportion(income, [share * income for share in exact])
        shares = apportion(10_000, [share * 10_000 for share in exact])
    currents = (means.essentials, means.discretionary, means.surplus)
    first, second, third = (
        BudgetItem(
            key=key, label=label, current=current, target=target, target_share=share / 10_000
        )
        for (key, _), label, current, target, share in zip(
            _BUDGET_LINES, labels, currents, targets, shares, strict=True
        )
    )
    return first, second, third


def _shares_of_what_is_spent(targets: Sequence[int]) -> list[int]:
    """Ten-thousandths of the two targets that are spent; what is drawn is no share of anything."""
    spent = sum(targets[:2])
    if spent <= 0:
        return [round(10_000 * share) for share in GUIDE]
    return [*apportion(10_000, [Fraction(10_000 * target, spent) for target in targets[:2]]), 0]


def _drawn_label(living: LivingOnSavings, *, income_is_missing: bool) -> str:
    """Whether what a month lacks comes out of savings that last, out of too little, or is unknown."""
    if income_is_missing:
        return NOT_COVERED_BY_INCOME_SEEN
    runway = living.runway_months
    lasting = runway is None or runway >= _MONTHS_TO_DRAW_ON
    return DRAWN if lasting or living.regular_draws else NOT_COVERED


def above_guide(planned: PlannedMonth) -> int:
    """What essentials take a month beyond the guide's half of planned income, minor units, or 0."""
    above = planned.essentials - half_even(planned.income, 2)
    return max(0, above) if planned.income > 0 else 0
