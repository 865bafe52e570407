"""The budget: a guide, and the nearest split that the household's essentials leave room for.

Needs are accepted as they are: where they take more than the guide's half, the rest is shared 60:40
between wants and what is left over. A person's own shares stand untouched.
"""

from collections.abc import Sequence
from fractions import Fraction

from finplan.model.money import apportion, half_even
from finplan.model.plan import BudgetItem, BudgetKey
from finplan.model.user import BudgetShares
from finplan.plan.sections.monthly import Means

GUIDE = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))
"""50/30/20 of take-home pay (Warren and Tyagi, All Your Worth)."""

_ITEMS: Sequence[tuple[BudgetKey, str]] = (
    ("essentials", "Essentials"),
    ("discretionary", "Discretionary"),
    ("savings", "Savings and extra debt payments"),
)


def target_shares(means: Means, own: BudgetShares | None) -> tuple[Fraction, Fraction, Fraction]:
    """The exact shares of essentials, discretionary and savings; they add up to 1."""
    if own is not None:
        return _of_person(own)
    if means.income <= 0:
        return GUIDE
    essentials = Fraction(means.essentials, means.income)
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
    means: Means, own: BudgetShares | None
) -> tuple[BudgetItem, BudgetItem, BudgetItem]:
    """Essentials, discretionary and savings; current adds up to income, target to income or 0.

    "Savings" is what is left over, so extra debt payments and idle cash are in it too.
    """
    exact = target_shares(means, own)
    income = max(0, means.income)
    targets = apportion(income, [share * income for share in exact])
    rounded = apportion(10_000, [share * 10_000 for share in exact])
    currents = (means.essentials, means.discretionary, means.surplus)
    first, second, third = (
        BudgetItem(
            key=key, label=label, current=current, target=target, target_share=share / 10_000
        )
        for (key, label), current, target, share in zip(
            _ITEMS, currents, targets, rounded, strict=True
        )
    )
    return first, second, third


def above_guide(means: Means) -> int:
    """What essentials take a month beyond the guide's half of income, minor units; 0 when not."""
    return max(0, means.essentials - half_even(means.income, 2)) if means.income > 0 else 0
