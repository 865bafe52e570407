"""Running figures: what a month brings and costs from now on, beside what it was on average.

What changed in the averaged months or since is found first: sources and bills that began, resumed,
stepped or ended. A source or a bill that did none of these since the averaged months began counts
at its mean, so that without a change running figures are the observed ones to the unit. One that
did counts at its level, times how often it comes a month, times the share of its periods in which
it came; one that is over counts nothing, and a one-off is in no running figure. A yearly bill that
came once counts a twelfth. Source: plan-semantics, 2a and C33.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import takewhile
from typing import NamedTuple

from finplan.categorise.catalogue import Catalogue, Flow
from finplan.model.money import apportion
from finplan.plan.detect.cadence import presence_share, rhythm_of_series
from finplan.plan.ledger import books
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, Row

_LEAST_VARIED = 3
"""So many amounts say what pay that varies comes to."""

_MONTHS_A_YEAR = 12

_STEP_MARGIN = 5
"""Days at the start of a history that may be missing, with a payment before the first one."""


def change_of_source(
    source: books.Series, window: books.WindowFacts, known_since: date
) -> books.MonthlyChange | None:
    """What a source with a rhythm did since the window began; None where it goes on as it was.

    `known_since` is the day of the household's first row. Between seasons a source goes on as it was.
    """
    if source.cadence == "irregular" or source.interval_days is None or source.between_seasons:
        return None
    if not source.running:
        ended = source.total > 0 and not source.active
        return (
            _change(source, "ended", source.last_date, 0, window, is_income=True) if ended else None
        )
    kind, since = _kind_and_day(source, window, known_since)
    if kind is None:
        return None
    return _change(source, kind, since, _pay_a_month(source), window, is_income=True)


def _change(
    series: books.Series,
    kind: books.ChangeKind,
    since: date,
    now: int,
    window: books.WindowFacts,
    *,
    is_income: bool = False,
) -> books.MonthlyChange:
    averaged = round(Fraction(series.total) / (window.months or 1))
    return books.MonthlyChange(series, kind, is_income, since, averaged, now)


def changes_of_bills(
    charges: Iterable[books.Series],
    young: Iterable[books.Series],
    sheets: Iterable[Sheet],
    window: books.WindowFacts,
    known_since: date,
) -> list[books.MonthlyChange]:
    """What the recurring charges did since the window began; those that go on as they were left out.

    A bill began only where its payees were paid nothing of its category before, and has ended only where
    they are paid nothing since: else its rhythm changed, and the mean tells better.
    """
    among = list(charges)
    by_payee: dict[tuple[int, str], Sheet] = {
        (sheet.payee, sheet.category): sheet for sheet in sheets if sheet.flow == "spending"
    }
    explained = _Explained(among, by_payee)
    changes = [
        _change(bill, "began", bill.first_date, _monthly_of_series(bill), window) for bill in young
    ]
    for bill in among:
        if bill.between_seasons:
            continue
        if not bill.active:
            if bill.total > 0 and (bill.replaced or not explained.paid_since(bill, window)):
                changes.append(_change(bill, "ended", bill.last_date, 0, window))
            continue
        kind, since = _kind_and_day(bill, window, known_since)
        if kind is not None and not (kind == "began" and explained.paid_before(bill, window)):
            changes.append(_change(bill, kind, since, _monthly_of_series(bill), window))
    return changes


def _kind_and_day(
    series: books.Series, window: books.WindowFacts, known_since: date
) -> tuple[books.ChangeKind | None, date]:
    """What an active series did since the window began."""
    # Of a history that begins with the window its first days may be missing.
    since = window.since + timedelta(0 if known_since < window.since else _STEP_MARGIN)
    if series.resumed is not None and _slot_before(series.resumed, series) >= since:
        return "resumed", series.resumed
    if _slot_before(series.first_date, series) >= since:
        return "began", series.first_date
    changed = series.price_changed
    if changed is not None and any(
        window.holds(day_of(day)) and day < changed for day, _ in series.recent
    ):
        return "stepped", changed
    return None, series.first_date


def _slot_before(first: date, series: books.Series) -> date:
    """The day on which a series was due before a first payment of it."""
    interval = series.interval_days or 0
    rhythm = rhythm_of_series(series, series.days)
    day = first.toordinal()
    before = takewhile(lambda slot: slot < day - interval // 2, rhythm.slots(day - 2 * interval))
    return date.fromordinal(max(before, default=day - interval))


def _pay_a_month(source: books.Series) -> int:
    """What a source brings a month from now on; pay that varies at most its mean since it resumed."""
    since = source.resumed or source.first_date
    amounts = [amount for day, amount in source.recent if day >= since]
    if source.steady or len(amounts) < _LEAST_VARIED:
        return source.monthly
    mean = source.monthly * Fraction(sum(amounts), len(amounts)) / source.amount
    return min(source.monthly, round(mean))


def _monthly_of_series(bill: books.Series) -> int:
    """What a bill comes to a month from now on: its month, by the share of periods it was seen in."""
    since = (bill.resumed or bill.first_date).toordinal()
    days = [day for day in bill.days if day >= since]
    if len(days) < 2:
        return bill.monthly
    return round(bill.monthly * presence_share(rhythm_of_series(bill, days), days))


class _Explained:
    """Which charges of a payee are in no recurring charge."""

    def __init__(
        self, charges: Sequence[books.Series], by_payee: Mapping[tuple[int, str], Sheet]
    ) -> None:
        self._sheets = by_payee
        self._days: dict[tuple[int, str], set[int]] = {}
        for charge in charges:
            for payee in charge.payees:
                self._days.setdefault((payee, charge.category), set()).update(charge.days)

    def paid_before(self, bill: books.Series, window: books.WindowFacts) -> bool:
        """Whether the bill's payees were paid in the window before it began, beside other bills."""
        before = day_of(bill.first_date - timedelta(1))
        return any(self._unexplained(bill, day_of(window.since), before))

    def paid_since(self, bill: books.Series, window: books.WindowFacts) -> bool:
        """Whether the bill's payees were paid since it ended, beside other bills."""
        after = day_of(bill.last_date + timedelta(1))
        return any(self._unexplained(bill, after, day_of(window.data_end)))

    def _unexplained(self, bill: books.Series, since: int, until: int) -> Iterator[bool]:
        for payee in bill.payees:
            sheet = self._sheets.get((payee, bill.category))
            known_days = self._days.get((payee, bill.category), ())
            for row in books.rows_between(sheet, since, until) if sheet is not None else ():
                yield row[AMOUNT] < 0 and ORDINAL[row[DAY]] not in known_days


_SHORT_WINDOW = 6
"""Months: a shorter window may hold a payday more than its months bring on average."""


@dataclass(frozen=True, slots=True)
class DetectedMonth:
    """What running figures are worked out from: the window's sums, and the rhythms of all history."""

    window: books.WindowFacts
    categories: Mapping[str, books.CategoryTotal]
    sources: Sequence[books.Series]
    charges: Sequence[books.Series]
    young_bills: Sequence[books.Series]
    expected_again: Sequence[books.Series]
    sheets: Sequence[Sheet]


def take_running(
    detected: DetectedMonth, catalogue: Catalogue, one_offs: Collection[Row]
) -> books.RunningFigures:
    """Work out the running figures; `one_offs` are the single rows that no month brings again."""
    window = detected.window
    first = min((sheet.rows[0][DAY] for sheet in detected.sheets), default=day_of(window.since))
    known_since = date_of(first)
    of_sources = [change_of_source(source, window, known_since) for source in detected.sources]
    exact = [
        _income_of(source, change, window, one_offs)
        for source, change in zip(detected.sources, of_sources, strict=True)
    ]
    income = round(sum(exact, Fraction(0)))
    of_bills = changes_of_bills(
        detected.charges, detected.young_bills, detected.sheets, window, known_since
    )
    # The averages may not spread so what is expected again after a year.
    of_bills += [
        _change(bill, "yearly", bill.last_date, bill.monthly, window)
        for bill in detected.expected_again
        if bill.total * _MONTHS_A_YEAR != bill.amount * window.months
    ]
    once = _one_off_totals(detected, one_offs, "spending")
    costs = _costs(detected, catalogue, of_bills, once)
    spend = round(sum(costs.values(), Fraction(0)))
    lines = part_by_line(spend, costs, catalogue)
    return books.RunningFigures(
        income=income,
        spend=spend,
        essentials=lines.essentials,
        discretionary=lines.discretionary,
        by_source=tuple(
            (source, part)
            for source, part in zip(detected.sources, apportion(income, exact), strict=True)
            if source.running
        ),
        by_category=lines.by_category,
        changes=tuple(sorted([*filter(None, of_sources), *of_bills], key=_largest_first)),
        one_offs=frozenset(one_offs),
        one_off_totals=once,
        one_off_income=-sum(_one_off_totals(detected, one_offs, "income").values()),
    )


def planned_part(
    running: books.RunningFigures, charge: books.Series, window: books.WindowFacts
) -> int:
    """What a recurring charge takes of a month's spending from now on, minor units."""
    for change in running.changes:
        if change.series is charge:
            return change.now
    return round(Fraction(charge.total) / (window.months or 1))


class LineParts(NamedTuple):
    """What a month's spending is for: each line, and each category by its id; minor units."""

    essentials: int
    discretionary: int
    by_category: Mapping[str, int]


def part_by_line(total: int, exact: Mapping[str, Fraction], catalogue: Catalogue) -> LineParts:
    """Part a month's spending into its lines, and each line into its categories.

    `exact` is what each category comes to before rounding.
    """
    members = [
        [category for category in exact if catalogue[category].line == line]
        for line in ("essential", "discretionary")
    ]
    sums = [sum((exact[category] for category in of_line), Fraction(0)) for of_line in members]
    essentials, discretionary = apportion(total, sums)
    by_category: dict[str, int] = {}
    for amount, of_line in zip((essentials, discretionary), members, strict=True):
        parts = apportion(amount, [exact[category] for category in of_line])
        by_category |= dict(zip(of_line, parts, strict=True))
    return LineParts(essentials, discretionary, by_category)


def _largest_first(change: books.MonthlyChange) -> tuple[int, str, int]:
    return (
        -abs(change.now - change.averaged),
        change.series.name,
        change.series.first_date.toordinal(),
    )


def _income_of(
    source: books.Series,
    change: books.MonthlyChange | None,
    window: books.WindowFacts,
    one_offs: Collection[Row],
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
    changes: Sequence[books.MonthlyChange],
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
            for row in books.rows_within(sheet, detected.window):
                if row in one_offs:
                    totals[sheet.category] -= row[AMOUNT]
    return totals
