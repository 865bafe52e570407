"""What changed in the averaged months or since: sources and bills that began, resumed, stepped, ended.

Source: plan-semantics, section 2a.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from itertools import takewhile

from finplan.model.money import half_even
from finplan.plan.detect.cadence import rhythm_of_series, share_seen
from finplan.plan.ledger.books import ChangeKind, Series, WindowFacts
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY
from finplan.plan.ledger.lookup import rows_between

_LEAST_VARIED = 3
"""So many amounts say what pay that varies comes to."""

_MONTHS_A_YEAR = 12

_MARGIN = 5
"""Days at the start of a history that may be missing, with a payment before the first one."""


@dataclass(frozen=True, slots=True)
class SeriesChange:
    """What a source or a bill did, and since when.

    `now` is what it comes to a month from now on, 0 where it has ended; minor units.
    """

    series: Series
    kind: ChangeKind
    since: date
    now: int


def change_of_source(source: Series, window: WindowFacts, known_since: date) -> SeriesChange | None:
    """What a source with a rhythm did since the window began; None where it goes on as it was.

    `known_since` is the day of the household's first row. Between seasons a source goes on as it was.
    """
    if source.cadence == "irregular" or source.interval_days is None or source.between_seasons:
        return None
    if not source.running:
        ended = source.total > 0 and not source.active
        return SeriesChange(source, "ended", source.last_date, 0) if ended else None
    kind, since = _kind_and_day(source, window, known_since)
    return None if kind is None else SeriesChange(source, kind, since, _pay_a_month(source))


def changes_of_bills(
    charges: Iterable[Series],
    young: Iterable[Series],
    sheets: Iterable[Sheet],
    window: WindowFacts,
    known_since: date,
) -> list[SeriesChange]:
    """What the recurring charges did since the window began; those that go on as they were left out.

    A bill began only where its payees were paid nothing of its category before, and has ended only where
    they are paid nothing since: else its rhythm changed, and the mean tells better.
    """
    among = list(charges)
    by_payee: dict[tuple[int, str], Sheet] = {
        (sheet.payee, sheet.category): sheet for sheet in sheets if sheet.flow == "spending"
    }
    explained = _Explained(among, by_payee)
    changes = [SeriesChange(bill, "began", bill.first_date, _monthly(bill)) for bill in young]
    for bill in among:
        if bill.between_seasons:
            continue
        if not bill.active:
            if _is_over(bill, explained, window):
                changes.append(SeriesChange(bill, "ended", bill.last_date, 0))
            continue
        kind, since = _kind_and_day(bill, window, known_since)
        if kind is not None and not (kind == "began" and explained.paid_before(bill, window)):
            changes.append(SeriesChange(bill, kind, since, _monthly(bill)))
    return changes


def changes_of_yearly_bills(
    expected_again: Iterable[Series], window: WindowFacts
) -> list[SeriesChange]:
    """The payments that are expected again after a year and that the averages do not spread so."""
    return [
        SeriesChange(bill, "yearly", bill.last_date, bill.monthly)
        for bill in expected_again
        if bill.total * _MONTHS_A_YEAR != bill.amount * window.months
    ]


def _kind_and_day(
    series: Series, window: WindowFacts, known_since: date
) -> tuple[ChangeKind | None, date]:
    """What an active series did since the window began."""
    # Of a history that begins with the window its first days may be missing.
    since = window.since + timedelta(0 if known_since < window.since else _MARGIN)
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


def _slot_before(first: date, series: Series) -> date:
    """The day on which a series was due before a first payment of it."""
    interval = series.interval_days or 0
    rhythm = rhythm_of_series(series, {day.toordinal() for day, _ in series.recent})
    day = first.toordinal()
    before = takewhile(lambda slot: slot < day - interval // 2, rhythm.slots(day - 2 * interval))
    return date.fromordinal(max(before, default=day - interval))


def _is_over(bill: Series, explained: "_Explained", window: WindowFacts) -> bool:
    """Whether a bill that is not active has charges in the window, and its payee none since."""
    return bill.total > 0 and (bill.replaced or not explained.paid_since(bill, window))


def _pay_a_month(source: Series) -> int:
    """What a source brings a month from now on; pay that varies at most its mean since it resumed."""
    since = source.resumed or source.first_date
    amounts = [amount for day, amount in source.recent if day >= since]
    if source.steady or len(amounts) < _LEAST_VARIED:
        return source.monthly
    mean = source.monthly * Fraction(sum(amounts), len(amounts)) / source.amount
    return min(source.monthly, half_even(mean.numerator, mean.denominator))


def _monthly(bill: Series) -> int:
    """What a bill comes to a month from now on: its month, by the share of periods it was seen in."""
    since = bill.resumed or bill.first_date
    days = sorted({day.toordinal() for day, _ in bill.recent if day >= since})
    if len(days) < 2:
        return bill.monthly
    seen = bill.monthly * share_seen(rhythm_of_series(bill, days), days)
    return half_even(seen.numerator, seen.denominator)


class _Explained:
    """Which charges of a payee are in no recurring charge."""

    def __init__(
        self, charges: Sequence[Series], by_payee: Mapping[tuple[int, str], Sheet]
    ) -> None:
        self._sheets = by_payee
        self._days: dict[tuple[int, str], set[int]] = {}
        for charge in charges:
            for payee in charge.payees:
                days = self._days.setdefault((payee, charge.category), set())
                days.update(day.toordinal() for day, _ in charge.recent)

    def paid_before(self, bill: Series, window: WindowFacts) -> bool:
        """Whether the bill's payees were paid in the window before it began, beside other bills."""
        before = day_of(bill.first_date - timedelta(1))
        return any(self._unexplained(bill, day_of(window.since), before))

    def paid_since(self, bill: Series, window: WindowFacts) -> bool:
        """Whether the bill's payees were paid since it ended, beside other bills."""
        after = day_of(bill.last_date + timedelta(1))
        return any(self._unexplained(bill, after, day_of(window.data_end)))

    def _unexplained(self, bill: Series, since: int, until: int) -> Iterator[bool]:
        for payee in bill.payees:
            sheet = self._sheets.get((payee, bill.category))
            known = self._days.get((payee, bill.category), ())
            for row in rows_between(sheet, since, until) if sheet is not None else ():
                yield row[AMOUNT] < 0 and ORDINAL[row[DAY]] not in known
