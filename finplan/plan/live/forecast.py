"""The days ahead: cash evening by evening, by all that is known and by what is usual.

Source: plan-semantics, section 7a.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import chain

from finplan.model.forecast import (
    FURTHEST,
    Forecast,
    ForecastDay,
    ForecastItem,
    ForecastKind,
    ForecastLow,
)
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import ACCOUNT, Ledger
from finplan.plan.live.at_hand import cash_accounts
from finplan.plan.live.forecast_notes import forecast_notes
from finplan.plan.live.later_bills import card_paces, later_bills
from finplan.plan.live.outcomes import CashRange, ranges
from finplan.plan.live.saving_plans import planned_transfers, saving_plans
from finplan.plan.live.schedule import CashSchedule, CashStep, StepKind, cash_schedule
from finplan.plan.live.usual import UsualDays, usual_days
from finplan.plan.live.view import LiveView

_KINDS: Mapping[StepKind, ForecastKind] = {
    "income": "income",
    "charge": "bill",
    "transfer": "bill",
    "minimum": "card",
    "card bill": "card",
    "later bill": "card",
}

USUAL_NAME = "Usual spending"


@dataclass(frozen=True, slots=True)
class _Ahead:
    """Everything that the days rest on; `steps` are all that have a day."""

    steps: Sequence[CashStep]
    usual: UsualDays | None
    ranges: Sequence[CashRange | None]


def forecast(ledger: Ledger, books: Books, live: LiveView, days: int) -> Forecast:
    """What cash is expected to be on today's evening and those of so many `days` after it.

    Fewer days are the first of more, byte for byte.
    """
    today = live.today
    furthest = today + timedelta(FURTHEST)
    cash = live.schedule.cash
    schedule = cash_schedule(
        ledger, books, live.cards, cash, ledger.pending, live.period, today, furthest
    )
    until = today + timedelta(days)
    ahead = _ahead(ledger, books, live, schedule, furthest)
    shown = [] if cash is None else list(_days(schedule.start, ahead, today, until))
    lowest = min(shown, key=lambda each: (each.expected, each.date), default=None)
    return Forecast(
        since=today,
        until=until,
        start=None if cash is None else schedule.start,
        low=None if lowest is None else ForecastLow(date=lowest.date, expected=lowest.expected),
        days=tuple(shown),
        notes=tuple(
            forecast_notes(
                ledger, books, live, is_usual=ahead.usual is not None, is_moved=bool(ahead.steps)
            )
        ),
    )


def _ahead(
    ledger: Ledger, books: Books, live: LiveView, schedule: CashSchedule, furthest: date
) -> _Ahead:
    """What is known, and with a month of history what is usual and how far all of it strays."""
    today, pays_cash = live.today, cash_accounts(ledger)
    count = FURTHEST + 1
    plans = saving_plans(ledger, books, pays_cash, today)
    apart = set(chain.from_iterable(rows for _, rows in plans))
    usual = usual_days(ledger, books, pays_cash, apart)
    if usual is None:
        return _Ahead(schedule.steps, None, [None] * count)
    waiting = [row for row in ledger.pending if row[ACCOUNT] in pays_cash]
    paces = card_paces(books, live.cards)
    steps = [
        *schedule.steps,
        *planned_transfers([plan for plan, _ in plans], waiting, today, furthest),
        *later_bills(ledger, live.cards, schedule, paces, books.window.data_end, furthest),
    ]
    dates = [today + timedelta(place) for place in range(count)]
    return _Ahead(steps, usual, ranges(schedule.start, steps, usual, paces, dates))


def _days(start: int, ahead: _Ahead, today: date, until: date) -> Iterator[ForecastDay]:
    by_day: dict[date, list[CashStep]] = {}
    for step in ahead.steps:
        by_day.setdefault(step.day, []).append(step)
    expected, day = start, today
    for found in ahead.ranges[: (until - today).days + 1]:
        items = _items(by_day.get(day, ()))
        # Nobody knows how much of what is usual today has been spent by now.
        usual = ahead.usual.mean_of(day) if ahead.usual is not None and day > today else 0
        if usual:
            items.append(
                ForecastItem(kind="spending", name=USUAL_NAME, amount=usual, probability=None)
            )
        expected += sum(each.amount for each in items)
        yield ForecastDay(
            date=day,
            expected=expected,
            low=None if found is None else min(found.low, expected),
            high=None if found is None else max(found.high, expected),
            items=tuple(items),
        )
        day += timedelta(1)


def _items(steps: Sequence[CashStep]) -> list[ForecastItem]:
    """The items of a day, what comes in first; what one card takes on a day is one item."""
    sums: dict[tuple[ForecastKind, str, float | None], int] = {}
    for step in steps:
        name = step.name.removesuffix(" minimum") if step.card is not None else step.name
        probability = None if step.source is None else step.source.probability
        key = (_KINDS[step.kind], name, probability)
        sums[key] = sums.get(key, 0) + step.amount
    ordered = sorted(sums.items(), key=lambda each: (-each[1], each[0][1], each[0][0]))
    return [
        ForecastItem(kind=kind, name=name, amount=amount, probability=probability)
        for (kind, name, probability), amount in ordered
    ]
