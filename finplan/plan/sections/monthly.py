"""The means of the window, month by month, and what they say about the months to come.

Every mean divides a window's total by the window's months, half-even once. The two lines of
spending are parts of the mean of all spending, by largest remainder, so they add up to it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from finplan.categorise.catalogue import Catalogue
from finplan.model.money import half_even
from finplan.model.plan import Monthly
from finplan.plan.ledger.books import Books, CategoryTotal, rows_in_window
from finplan.plan.ledger.days import add_months, date_of, day_of, months_from
from finplan.plan.ledger.ledger import AMOUNT, DAY, Ledger, Row
from finplan.plan.ledger.window import Coverage, coverages
from finplan.plan.pairing.twins import find_twins
from finplan.plan.running import part_by_line

UNKNOWN_SPENDING = ("uncategorized", "unlinked_card")
"""The spending categories that say only that money went out."""

_UNKNOWN_FROM = 10
"""The plan depends on answers once a tenth of the money in is unknown."""

MONTHS_TO_TRUST = 3
"""Below this many months a household without a running source is planned with at what came in."""


@dataclass(frozen=True, slots=True)
class Means:
    """What was: the means of the window, minor units a month.

    `card_interest` is the part of spending that credit accounts took as interest and fees;
    `by_category` holds what each spending category took, and adds up to its line.
    """

    income: int
    essentials: int
    discretionary: int
    total_spend: int
    surplus: int
    saved: int
    card_interest: int
    by_category: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlannedMonth:
    """What is planned with: what a month brings and costs from now on, minor units.

    `income` is the person's own figure, else what running sources bring. `unknown` is the part of
    `discretionary` in no known category, and `capacity` what income leaves after spending and
    planned payments, 0 at least.
    `unanswered` is the money in that may be income, where it is so much that the plan depends on it.
    `set_aside` is what planned payments take of each month until then; it is in no spending.
    """

    income: int
    spend: int
    essentials: int
    discretionary: int
    unknown: int
    unanswered: int = 0
    set_aside: int = 0

    @property
    def surplus(self) -> int:
        """What a month leaves; below 0 it lacks that."""
        return self.income - self.spend

    @property
    def left_by_needs(self) -> int:
        """What essentials leave of income; 0 at least."""
        return max(0, self.income - self.essentials)

    @property
    def capacity(self) -> int:
        """What a month leaves to put aside or to pay cards with."""
        return max(0, self.surplus - self.set_aside)


def per_month(total: int, months: Fraction) -> int:
    """The mean of a window's total, half-even once; 0 when the window holds nothing."""
    return round(total / months) if months else 0


def ratio(part: int, total: int) -> float:
    """A ratio with 4 decimals, half-even; 0 when the denominator is not positive."""
    return half_even(10_000 * part, total) / 10_000 if total > 0 else 0.0


def spending_totals(books: Books, catalogue: Catalogue) -> list[CategoryTotal]:
    """The window's spending categories that hold rows, by id."""
    return [
        books.categories[category]
        for category in sorted(books.categories)
        if books.categories[category].count and catalogue.flow(category) == "spending"
    ]


def take_means(books: Books, catalogue: Catalogue) -> Means:
    """The means of a window."""
    months = books.window.months
    income = per_month(books.income, months)
    total_spend = per_month(books.spending, months)
    exact = {
        category_total.category: category_total.total / months
        for category_total in spending_totals(books, catalogue)
    }
    lines = part_by_line(total_spend, exact, catalogue)
    return Means(
        income=income,
        essentials=lines.essentials,
        discretionary=lines.discretionary,
        total_spend=total_spend,
        surplus=income - total_spend,
        saved=per_month(books.saved, months),
        card_interest=max(0, per_month(books.card_interest, months)),
        by_category=lines.by_category,
    )


def plan_month(ledger: Ledger, books: Books) -> PlannedMonth:
    """What a month is planned with; the person's own figure of income goes before what is seen."""
    running, own_income = books.running, ledger.monthly_income
    unanswered = unanswered_inflows(ledger, books) if own_income is None else 0
    return PlannedMonth(
        income=planned_income(books) if own_income is None else own_income,
        unanswered=per_month(unanswered, books.window.months),
        spend=running.spend,
        essentials=running.essentials,
        discretionary=running.discretionary,
        unknown=max(0, sum(running.by_category.get(category, 0) for category in UNKNOWN_SPENDING)),
        set_aside=sum(followed.monthly for followed in books.planned),
    )


def unanswered_inflows(ledger: Ledger, books: Books) -> int:
    """The window's money in that may be income, minor units; 0 below a tenth of all that came in.

    What may be a transfer from an own account is left out. Source: plan-semantics, C32.
    """
    rows = [
        row
        for row in rows_in_window(books, {"unknown_inflow"})
        if row[AMOUNT] > 0 and row not in books.running.one_offs
    ]
    if not _is_much(rows, books):
        return 0
    twins = {row for twin in find_twins(ledger, books) for _, row in twin.pairs}
    rows = [row for row in rows if row not in twins]
    return sum(row[AMOUNT] for row in rows) if _is_much(rows, books) else 0


def _is_much(rows: Sequence[Row], books: Books) -> bool:
    """Whether some rows are a tenth of these and the income, one-offs apart."""
    total = sum(row[AMOUNT] for row in rows)
    return 0 < total * _UNKNOWN_FROM >= books.income - books.running.one_off_income + total


def planned_income(books: Books) -> int:
    """What running sources bring a month; of a short history without any, what came in."""
    window = books.window
    if not books.running.by_source and window.months < MONTHS_TO_TRUST:
        return per_month(books.income - books.running.one_off_income, window.months)
    return books.running.income


def monthly_section(means: Means, discretionary_target: int) -> Monthly:
    """The plan's `monthly`; the daily allowance is the pace of the discretionary target."""
    return Monthly.of(
        means,
        savings_rate=ratio(means.surplus, means.income),
        daily_allowance=max(0, discretionary_target) * 12 // 365,
    )


_MOST_MONTHS = 24
"""As many months as net worth is told of."""


@dataclass(frozen=True, slots=True)
class MonthFlow:
    """What came in and what was spent in a month that begins on `first`, minor units.

    `whole` says that the month is over, and that every account which tells of it tells of all of it.
    """

    first: date
    income: int
    spending: int
    whole: bool


def month_flows(ledger: Ledger, books: Books, today: date) -> tuple[MonthFlow, ...]:
    """The months to the last that any account tells of, two years of them; none without rows.

    Those of the window are among them, however old it is. Months without rows between others add up to
    nothing. Every row counts in the class that the plan counts it in, so that the months of the window
    add up to its income and spending.
    """
    sums: dict[str, Counter[int]] = {"income": Counter(), "spending": Counter()}
    for sheet in books.sheets:
        if sheet.flow in sums:
            for row in sheet.rows:
                sums[sheet.flow][row[DAY] // 100] += row[AMOUNT]
    covered = coverages(
        ledger.accounts, (row for sheet in books.sheets for row in sheet.rows), day_of(today)
    )
    if not covered:
        return ()
    this_month = today.year * 100 + today.month
    newest = max(span.until for span in covered.values()) // 100
    earliest = min([add_months(newest, 1 - _MOST_MONTHS), *books.window.month_keys])
    oldest = max(earliest, min(span.since for span in covered.values()) // 100)
    months = (add_months(oldest, index) for index in range(months_from(oldest, newest)))
    return tuple(
        MonthFlow(
            date_of(month * 100 + 1),
            sums["income"][month],
            -sums["spending"][month],
            month < this_month and _is_told_whole(month, covered),
        )
        for month in months
    )


def _is_told_whole(month: int, covered: Mapping[int, Coverage]) -> bool:
    """Whether no account tells of a part of a month alone, or has fallen silent without being closed."""
    latest = max(span.until for span in covered.values())
    return all(
        span.covers(month)
        for span in covered.values()
        if span.since // 100 <= month and not (month > span.until // 100 and span.is_closed(latest))
    )
