"""Running figures: what a month brings and costs from now on.

A source or a bill that neither began, resumed, stepped nor ended since the averaged months began counts
at its mean, so that without a change running figures are the observed ones to the unit. One that did
counts at its level, times how often it comes a month, times the share of its periods in which it came;
one that is over counts nothing, and a one-off is in no running figure. A yearly bill that came once
counts a twelfth. Source: plan-semantics, 2a and C33.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from finplan.categorise.catalogue import Catalogue, Flow
from finplan.model.money import apportion, half_even
from finplan.plan.ledger.books import (
    CategoryTotal,
    MonthlyChange,
    RunningFigures,
    Series,
    WindowFacts,
)
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Row
from finplan.plan.ledger.lookup import rows_within
from finplan.plan.running.changes import (
    SeriesChange,
    change_of_source,
    changes_of_bills,
    changes_of_yearly_bills,
)

_SHORT_WINDOW = 6
"""Months: a shorter window may hold a payday more than its months bring on average."""


@dataclass(frozen=True, slots=True)
class DetectedMonth:
    """What running figures are worked out from: the window's sums, and the rhythms of all history."""

    window: WindowFacts
    categories: Mapping[str, CategoryTotal]
    sources: Sequence[Series]
    charges: Sequence[Series]
    young_bills: Sequence[Series]
    expected_again: Sequence[Series]
    sheets: Sequence[Sheet]


def take_running(
    detected: DetectedMonth, catalogue: Catalogue, one_offs: Collection[Row]
) -> RunningFigures:
    """Work out the running figures; `one_offs` are the single rows that no month brings again."""
    window = detected.window
    months = window.months or Fraction(1)
    first = min((sheet.rows[0][DAY] for sheet in detected.sheets), default=day_of(window.since))
    known_since = date_of(first)
    changed = [change_of_source(source, window, known_since) for source in detected.sources]
    found = [
        (source, change, _income_of(source, change, window, one_offs))
        for source, change in zip(detected.sources, changed, strict=True)
    ]
    exact = [monthly for _, _, monthly in found]
    income = _rounded(exact)
    of_bills = changes_of_bills(
        detected.charges, detected.young_bills, detected.sheets, window, known_since
    )
    of_bills += changes_of_yearly_bills(detected.expected_again, window)
    once = _one_off_totals(detected, one_offs, "spending")
    costs = _costs(detected, catalogue, of_bills, once)
    lines = {category: catalogue[category].line for category in costs}
    by_line = [
        sum((cost for category, cost in costs.items() if lines[category] == line), Fraction(0))
        for line in ("essential", "discretionary")
    ]
    spend = _rounded(by_line)
    essentials, discretionary = apportion(spend, by_line)
    by_category: dict[str, int] = {}
    for line, whole in (("essential", essentials), ("discretionary", discretionary)):
        members = [category for category in costs if lines[category] == line]
        parts = apportion(whole, [costs[category] for category in members])
        by_category |= dict(zip(members, parts, strict=True))
    changes = [
        _as_change(change, months, is_income=True) for _, change, _ in found if change is not None
    ]
    changes += [_as_change(change, months, is_income=False) for change in of_bills]
    return RunningFigures(
        income=income,
        spend=spend,
        essentials=essentials,
        discretionary=discretionary,
        by_source=tuple(
            (source, part)
            for (source, _, _), part in zip(found, apportion(income, exact), strict=True)
            if source.running
        ),
        by_category=by_category,
        changes=tuple(sorted(changes, key=_largest_first)),
        one_offs=frozenset(one_offs),
        one_off_totals=once,
        one_off_income=-sum(_one_off_totals(detected, one_offs, "income").values()),
    )


def _rounded(parts: Iterable[Fraction]) -> int:
    whole = sum(parts, Fraction(0))
    return half_even(whole.numerator, whole.denominator)


def _largest_first(change: MonthlyChange) -> tuple[int, str, int]:
    return (
        -abs(change.now - change.averaged),
        change.series.name,
        change.series.first_date.toordinal(),
    )


def _as_change(change: SeriesChange, months: Fraction, *, is_income: bool) -> MonthlyChange:
    averaged = Fraction(change.series.total) / months
    return MonthlyChange(
        series=change.series,
        kind=change.kind,
        is_income=is_income,
        since=change.since,
        averaged=half_even(averaged.numerator, averaged.denominator),
        now=change.now,
    )


def _income_of(
    source: Series, change: SeriesChange | None, window: WindowFacts, one_offs: Collection[Row]
) -> Fraction:
    """What a source brings a month from now on."""
    months = window.months or Fraction(1)
    if not source.running:
        return Fraction(0)
    if source.cadence == "irregular":
        return Fraction(sum(row[AMOUNT] for row in source.planned if row not in one_offs)) / months
    if change is not None:
        return Fraction(change.now)
    mean = Fraction(source.total - sum(row[AMOUNT] for row in source.beside)) / months
    return min(mean, Fraction(source.monthly)) if months < _SHORT_WINDOW and source.active else mean


def _costs(
    detected: DetectedMonth,
    catalogue: Catalogue,
    changes: Sequence[SeriesChange],
    once: Mapping[str, int],
) -> dict[str, Fraction]:
    """What each spending category costs a month from now on, before rounding, by id."""
    months = detected.window.months or Fraction(1)
    totals = Counter(
        {
            category: entry.total
            for category, entry in sorted(detected.categories.items())
            if entry.count and catalogue.flow(category) == "spending"
        }
    )
    totals.subtract(once)
    now: Counter[str] = Counter()
    for change in changes:
        totals[change.series.category] -= change.series.total
        now[change.series.category] += change.now
    return {
        category: Fraction(totals[category]) / months + now[category]
        for category in sorted({*totals, *now})
    }


def _one_off_totals(detected: DetectedMonth, one_offs: Collection[Row], flow: Flow) -> Counter[str]:
    """What one-offs of the window took of each category of a flow, positive when money went out."""
    payees = {row[PAYEE] for row in one_offs}
    totals: Counter[str] = Counter()
    for sheet in detected.sheets:
        if sheet.flow == flow and sheet.payee in payees:
            for row in rows_within(sheet, detected.window):
                if row in one_offs:
                    totals[sheet.category] -= row[AMOUNT]
    return totals
