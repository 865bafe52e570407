"""The budget: a guide, and the nearest split that the household's essentials leave room for.

Needs are accepted as they are: where they take more than the guide's half of planned income, the rest
is shared 60:40 between wants and what is left over. A person's own shares stand untouched. Who lives on
savings has targets of another kind (`living_on_savings`): no split of an income carries them.
"""

from collections.abc import Sequence
from fractions import Fraction

from finplan.model.money import apportion, half_even
from finplan.model.plan import BudgetItem, BudgetKey
from finplan.model.plan_words import DRAWN, UNTIL_ANSWERED
from finplan.model.user import BudgetShares
from finplan.plan.sections.living_on_savings import LivingOnSavings
from finplan.plan.sections.monthly import Means, PlannedMonth

GUIDE = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
"""50/30/20 of take-home pay (Warren and Tyagi, All Your Worth)."""

LEFT_OVER = "Savings and extra debt payments"
NOT_COVERED = "Not covered"
NOT_COVERED_BY_INCOME_SEEN = "Not covered by income seen"

_LINES: Sequence[tuple[BudgetKey, str]] = (
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
        return _of_person(own)
    if planned.income <= 0:
        return GUIDE
    essentials = Fraction(planned.essentials, planned.income)
    if essentials <= GUIDE[0]:
        return GUIDE
    if essentials >= 1:
        return Fraction(1), Fraction(0), Fraction(0)
    rest = 1 - essentials
    return essentials, rest * Fraction(3, 5), rest * Fraction(2, 5)


def _of_person(own: BudgetShares) -> tuple[Fraction, Fraction, Fraction]:
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
    labels = [label for _, label in _LINES]
    if living.applies:
        targets = [living.essentials, living.discretionary, living.savings]
        shares = _shares_of_what_is_spent(targets)
        if living.savings < 0:
            labels[2] = _drawn_label(living, income_is_missing=income_is_missing)
    else:
        exact = target_shares(planned, own)
        income = max(0, planned.income)
        if planned.unanswered and planned.income <= planned.essentials:
            labels[2] = UNTIL_ANSWERED
        targets = apportion(income, [share * income for share in exact])
        shares = apportion(10_000, [share * 10_000 for share in exact])
    currents = (means.essentials, means.discretionary, means.surplus)
    first, second, third = (
        BudgetItem(
            key=key, label=label, current=current, target=target, target_share=share / 10_000
        )
        for (key, _), label, current, target, share in zip(
            _LINES, labels, currents, targets, shares, strict=True
        )
    )
    return first, second, third


def _shares_of_what_is_spent(targets: Sequence[int]) -> list[int]:
    """Ten-thousandths of the two targets that are spent; what is drawn is no share of anything."""
    spent = sum(targets[:2])
    if spent <= 0:
        return [half_even(10_000 * share.numerator, share.denominator) for share in GUIDE]
    return [*apportion(10_000, [Fraction(10_000 * each, spent) for each in targets[:2]]), 0]


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
