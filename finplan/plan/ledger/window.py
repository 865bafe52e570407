"""Which days the means are taken over: the full months that every account that matters covers.

A month that an account covers only in part would make its spending look small, so such a month is not
averaged: neither the one in which it begins, nor one that a hole between its statements touches. Where
no month is full, the last days make one, as many as a month has; fewer are one too, since nothing is
extrapolated. Source: plan-semantics, section 3.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from operator import itemgetter
from typing import Self

from finplan.plan.ledger import days
from finplan.plan.ledger.books import WindowFacts
from finplan.plan.ledger.ledger import ACCOUNT, DAY, Ledger, LedgerAccount, Row

_ACCOUNT_AND_DAY = itemgetter(ACCOUNT, DAY)

_LONGEST = 12
"""The most months that a mean is taken over."""

START_GRACE = 3
"""A month is covered from its start when coverage begins on its third day or before."""

_AMONG = 18
"""The full months of the window are among so many months that end with the last full one."""

CLOSED_AFTER = 90
"""Days of silence after which an account may be closed."""

MATERIAL = 20
"""An account matters from one twentieth of the household's outflow or inflow."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The days, YYYYMMDD, from which and to which an account's rows are known to be all there.

    `runs` are the stretches between holes, in order: first and last day of each. `full` are the spans
    of months, YYYYMM, that are covered whole, likewise. `last_row` is the day of the newest row, and
    `is_empty` says that the account holds and owes nothing.
    """

    since: int
    until: int
    runs: tuple[tuple[int, int], ...]
    full: tuple[tuple[int, int], ...]
    last_row: int
    is_empty: bool

    @classmethod
    def of(cls, intervals: Sequence[days.Interval], last_row: int, *, is_empty: bool) -> Self:
        """The coverage of an account whose intervals are in order, with holes between them."""
        full = (_full_span(days.widened(interval)) for interval in intervals)
        spans = tuple((first, last) for first, last in full if first <= last)
        runs = tuple((span.since, span.until) for span in intervals)
        return cls(runs[0][0], runs[-1][1], runs, spans, last_row, is_empty)

    @property
    def first_full(self) -> int:
        """The first month, YYYYMM, that is covered whole; later than the last one if none is."""
        return self.full[0][0] if self.full else days.add_months(self.until // 100, 1)

    @property
    def last_full(self) -> int:
        """The last month, YYYYMM, that is covered whole; earlier than the first one if none is."""
        return self.full[-1][1] if self.full else days.add_months(self.since // 100, -1)

    def covers(self, month: int) -> bool:
        """Whether a month is covered whole."""
        return any(first <= month <= last for first, last in self.full)

    def touches(self, month: int) -> bool:
        """Whether any day of a month is covered."""
        return any(first // 100 <= month <= last // 100 for first, last in self.runs)

    def is_closed(self, latest: int) -> bool:
        """Whether the account ended before a day on which others go on, and is known to be closed.

        It is where its sources told of 90 days without a row, or where it is empty and they have told
        nothing for so long. Any other silence may as well be a statement that nobody imported.
        """
        until = days.ORDINAL[self.until]
        is_quiet = until - days.ORDINAL[self.last_row] >= CLOSED_AFTER
        is_left = self.is_empty and days.ORDINAL[latest] - until >= CLOSED_AFTER
        return self.until < latest and (is_quiet or is_left)


def window_of(ledger: Ledger, today: date) -> WindowFacts:
    """The window of a ledger on a day: at most twelve full months, or what there is of one.

    No row of the ledger is later than that day.
    """
    present = days.day_of(today)
    coverage = coverages(ledger.accounts, ledger.rows, present)
    if not coverage:
        return WindowFacts(today, today, Fraction(0), (), 0, None, today, ((present, present),))
    live = _live(coverage)
    recent = _recent(ledger.rows, live)
    limiting = _limiting(live, recent)
    data_end = min(span.until for span in limiting.values())
    months = _full_months(limiting, present // 100)
    since, until = _days(months, live, data_end)
    divisor = Fraction(len(months) or 1)
    runs = _runs(months) or ((since, until),)
    count = sum(first <= row[DAY] <= last for row in recent for first, last in runs)
    return WindowFacts(
        since=days.date_of(since),
        until=days.date_of(until),
        months=divisor if count else Fraction(0),
        month_keys=tuple(months) if count else (),
        transaction_count=count,
        limited_by=_limiter(limiting, months),
        data_end=days.date_of(data_end),
        runs=runs,
    )


def window_start(
    accounts: Mapping[int, LedgerAccount],
    ends: Iterable[Row],
    weighed: Callable[[int], Iterable[Row]],
    today: date,
) -> date:
    """The first day of the window that `window_of` finds, without all the rows.

    `ends` are the first and the last row of each account up to that day. `weighed` answers the rows that
    spending may count after a day YYYYMMDD, which may be added up by account, sign and month; it is only
    called when the accounts do not agree on the months.
    """
    present = days.day_of(today)
    coverage = coverages(accounts, ends, present)
    if not coverage:
        return today
    live = _live(coverage)
    alone = {tuple(_full_months({no: span}, present // 100)) for no, span in live.items()}
    agree = len(alone) == 1 and () not in alone
    limiting = live if agree else _limiting(live, list(weighed(_weighed_after(live))))
    data_end = min(span.until for span in limiting.values())
    return days.date_of(_days(_full_months(limiting, present // 100), live, data_end)[0])


def coverages(
    accounts: Mapping[int, LedgerAccount], rows: Iterable[Row], present: int
) -> dict[int, Coverage]:
    """What each account with rows covers up to a day YYYYMMDD."""
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    for number, day in set(map(_ACCOUNT_AND_DAY, rows)):
        if day < first.setdefault(number, day):
            first[number] = day
        if day > last.setdefault(number, day):
            last[number] = day
    return {
        number: Coverage.of(
            _intervals(accounts[number].coverage, first[number], last[number], present),
            last[number],
            is_empty=accounts[number].balance == 0,
        )
        for number in sorted(first)
    }


def _intervals(
    stated: Sequence[days.Interval], first: int, last: int, present: int
) -> Sequence[days.Interval]:
    """What sources cover up to a day, widened by rows outside of it; without any the rows alone tell."""
    intervals = [interval for interval in stated if interval.since <= present]
    if not intervals:
        return [days.Interval(first, last, since_stated=False, until_stated=False)]
    if first < intervals[0].since:
        intervals[0] = intervals[0]._replace(since=first, since_stated=False)
    if last > intervals[-1].until:
        intervals[-1] = intervals[-1]._replace(until=last, until_stated=False)
    return [*intervals[:-1], intervals[-1]._replace(until=min(present, intervals[-1].until))]


def _full_span(interval: days.Interval) -> tuple[int, int]:
    """The first and the last month that an interval covers whole, reversed where it covers none."""
    first, start = divmod(interval.since, 100)
    last, end = divmod(interval.until, 100)
    return (
        first if start <= START_GRACE else days.add_months(first, 1),
        last if end >= days.month_length(last) else days.add_months(last, -1),
    )


def _live(coverage: Mapping[int, Coverage]) -> dict[int, Coverage]:
    """The accounts that are neither closed nor silent for all the months that can be averaged."""
    latest = max(span.until for span in coverage.values())
    oldest_month = days.add_months(latest // 100, -_LONGEST)
    return {
        number: span
        for number, span in coverage.items()
        if span.until // 100 > oldest_month and not span.is_closed(latest)
    }


def _recent(rows: Sequence[Row], live: Mapping[int, Coverage]) -> Sequence[Row]:
    """The rows that any window of these accounts may hold, and some more."""
    newest = max(span.until for span in live.values())
    oldest_month = days.add_months(newest // 100, -2 * _LONGEST)
    return [row for row in rows if row[DAY] > oldest_month * 100]


def _limiting(live: Mapping[int, Coverage], recent: Sequence[Row]) -> dict[int, Coverage]:
    """The accounts whose coverage limits the window."""
    limiting = _material(live, recent) or dict(live)
    # One that covers no full month would leave none to the others.
    return {number: span for number, span in limiting.items() if span.full} or limiting


def _days(months: Sequence[int], live: Mapping[int, Coverage], data_end: int) -> tuple[int, int]:
    """The first and the last day of the window: whole months, or what there is of one."""
    if months:
        return months[0] * 100 + 1, days.last_day(months[-1])
    return _partial(live, data_end)


def _runs(months: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """The first and the last day of each run of months that follow each other."""
    runs: list[tuple[int, int]] = []
    for month in months:
        if runs and runs[-1][1] == days.last_day(days.add_months(month, -1)):
            runs[-1] = runs[-1][0], days.last_day(month)
        else:
            runs.append((month * 100 + 1, days.last_day(month)))
    return tuple(runs)


def _weighed_after(live: Mapping[int, Coverage]) -> int:
    """The day, YYYYMMDD, after which rows say how much an account matters: the last twelve months."""
    return days.last_day(
        days.add_months(max(span.until for span in live.values()) // 100, -_LONGEST)
    )


def _material(live: Mapping[int, Coverage], recent: Sequence[Row]) -> dict[int, Coverage]:
    """The accounts that carry a twentieth of the outflow or inflow of the months they cover.

    Only the last twelve months and the rows that spending may count are looked at: what an account did
    long ago, or how much is moved through it, says nothing about the averages of today.
    """
    after = _weighed_after(live)
    flows: dict[tuple[int, int], int] = {}
    for _, number, day, amount, _, counts in recent:
        if counts and day > after:
            key = (number if amount < 0 else -number, day // 100)
            flows[key] = flows.get(key, 0) + amount
    return {
        number: span
        for number, span in live.items()
        if any(_is_material(flows, side, span) for side in (number, -number))
    }


def _is_material(flows: Mapping[tuple[int, int], int], side: int, span: Coverage) -> bool:
    """Whether one side of an account is material; sides are numbers, negative for inflows."""
    here = everywhere = 0
    for (account, month), amount in flows.items():
        if span.touches(month) and (account < 0) == (side < 0):
            everywhere += abs(amount)
            here += abs(amount) * (account == side)
    return here * MATERIAL >= everywhere > 0


def _full_months(limiting: Mapping[int, Coverage], this_month: int) -> list[int]:
    """The last months, at most twelve, that every one of these accounts covers whole, ascending."""
    first = max(span.first_full for span in limiting.values())
    last = min(days.add_months(this_month, -1), *(span.last_full for span in limiting.values()))
    months = [
        days.add_months(last, -index)
        for index in range(days.months_from(first, last))
        if all(span.covers(days.add_months(last, -index)) for span in limiting.values())
    ]
    among = [month for month in months if month > days.add_months(months[0], -_AMONG)]
    return among[:_LONGEST][::-1]


def _partial(live: Mapping[int, Coverage], data_end: int) -> tuple[int, int]:
    """The last days of the data that lie behind every hole, at most as many as a month has."""
    holding = [run for span in live.values() for run in span.runs if run[0] <= data_end <= run[1]]
    first = min(since for since, _ in holding)
    return max(first, _a_month_to(data_end)), data_end


def _a_month_to(day: int) -> int:
    """The first day YYYYMMDD of the month's worth of days, 28 to 31, that ends with a day."""
    month, of_month = divmod(day, 100)
    before = days.add_months(month, -1)
    same = before * 100 + min(of_month, days.month_length(before))
    return days.day_of_ordinal(days.ORDINAL[same] + 1)


def _limiter(limiting: Mapping[int, Coverage], months: Sequence[int]) -> int | None:
    """The account without which the window would be longer: the last to start or the first to end."""
    if len(months) == _LONGEST:
        return None
    latest = max(limiting, key=lambda number: (limiting[number].first_full, -number))
    begin = limiting[latest].first_full
    # Of months that lie farther back none would be averaged in any case.
    is_near = not months or begin > days.add_months(months[-1], -_AMONG)
    if is_near and begin > min(span.first_full for span in limiting.values()):
        return latest
    earliest = min(limiting, key=lambda number: (limiting[number].last_full, number))
    if limiting[earliest].last_full < max(span.last_full for span in limiting.values()):
        return earliest
    return None
