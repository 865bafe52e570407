"""The means of the window, and what they say about the months to come.

Every mean divides a window's total by the window's months, half-even once. The two lines of spending
are parts of the mean of all spending, by largest remainder, so they add up to it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import apportion, half_even
from finplan.model.plan import IncomeCadence, Monthly
from finplan.plan.ledger.books import Books, CategoryTotal

CREDITS_TO_RUN = 3
"""A source counts as running from this many credits in the window; fewer are one-offs."""

MONTHS_TO_TRUST = 3
"""Below this many months too few sources show a rhythm to plan with these alone."""


class PaySource(Protocol):
    """What a source of income is to these means: a series of the books or a line of a plan."""

    @property
    def active(self) -> bool:
        """Whether it still pays."""

    @property
    def count(self) -> int:
        """How many credits the window holds."""

    @property
    def monthly(self) -> int:
        """What it pays a month."""

    @property
    def total(self) -> int:
        """What it paid in the window."""

    @property
    def cadence(self) -> IncomeCadence:
        """How often it pays."""


@dataclass(frozen=True, slots=True)
class Means:
    """Minor units a month.

    `running` is what active sources with at least three credits in the window pay, and `beyond_rhythm`
    what regular ones brought beyond their cadence. `planned` is the person's own figure of income, else
    the lower of observed and running income, or in a short window what was observed without
    `beyond_rhythm`; `capacity` is what planned income leaves after spending.
    `card_interest` is the part of spending that credit accounts took as interest and fees.
    """

    income: int
    essentials: int
    discretionary: int
    total_spend: int
    surplus: int
    saved: int
    running: int
    beyond_rhythm: int
    planned: int
    capacity: int
    card_interest: int


def per_month(total: int, months: Fraction) -> int:
    """The mean of a window's total, half-even once; 0 when the window holds nothing."""
    return half_even(total * months.denominator, months.numerator) if months else 0


def exact_per_month(total: int, months: Fraction) -> Fraction:
    """The mean before rounding, for parts that must add up to a rounded whole."""
    return total / months if months else Fraction(0)


def ratio(part: int, whole: int) -> float:
    """A ratio with 4 decimals, half-even; 0 when the denominator is not positive."""
    return half_even(10_000 * part, whole) / 10_000 if whole > 0 else 0.0


def spending_totals(books: Books, catalogue: Catalogue) -> list[CategoryTotal]:
    """The window's spending categories that hold rows, by id."""
    return [
        books.categories[category]
        for category in sorted(books.categories)
        if books.categories[category].count and catalogue.flow(category) == "spending"
    ]


def take_means(books: Books, catalogue: Catalogue, own_income: int | None = None) -> Means:
    """The means of a window; `own_income` is the person's own figure of monthly income, minor units."""
    months = books.window.months
    income = per_month(books.income, months)
    total_spend = per_month(books.spending, months)
    by_line = {"essential": 0, "discretionary": 0}
    for entry in spending_totals(books, catalogue):
        by_line[catalogue[entry.category].line] += entry.total
    exact = [exact_per_month(total, months) for total in by_line.values()]
    essentials, discretionary = apportion(total_spend, exact)
    planned = planned_income(income, months, books.sources) if own_income is None else own_income
    return Means(
        income=income,
        essentials=essentials,
        discretionary=discretionary,
        total_spend=total_spend,
        surplus=income - total_spend,
        saved=per_month(books.saved, months),
        running=running_income(books.sources),
        beyond_rhythm=beyond_rhythm(months, books.sources),
        planned=planned,
        capacity=max(0, planned - total_spend),
        card_interest=max(0, per_month(books.card_interest, months)),
    )


def running_income(sources: Iterable[PaySource]) -> int:
    """What active sources with at least three credits in the window pay a month, in minor units."""
    return sum(
        source.monthly for source in sources if source.active and source.count >= CREDITS_TO_RUN
    )


def planned_income(income: int, months: Fraction | float, sources: Iterable[PaySource]) -> int:
    """The income that a household can keep a plan on: the lower of observed and running.

    A window too short to know every source by its rhythm leaves what was observed, but for the pay that
    those with a known rhythm brought beyond it.
    """
    if months < MONTHS_TO_TRUST:
        return income - beyond_rhythm(months, sources)
    return min(income, running_income(sources))


def beyond_rhythm(months: Fraction | float, sources: Iterable[PaySource]) -> int:
    """What regular sources brought a month beyond what their cadence brings: an extra payday."""
    exact = Fraction(months)
    return sum(
        max(0, per_month(source.total, exact) - source.monthly)
        for source in sources
        if source.active and source.cadence != "irregular"
    )


def monthly_section(means: Means, discretionary_target: int) -> Monthly:
    """The plan's `monthly`; the daily allowance is the pace of the discretionary target."""
    return Monthly(
        income=means.income,
        essentials=means.essentials,
        discretionary=means.discretionary,
        total_spend=means.total_spend,
        surplus=means.surplus,
        savings_rate=ratio(means.surplus, means.income),
        saved=means.saved,
        daily_allowance=max(0, discretionary_target) * 12 // 365,
    )
