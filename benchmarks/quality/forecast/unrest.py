"""What makes the days ahead hard to tell, beside all that detection finds hard.

The households of `benchmarks.quality.world` spend evenly: each month draws from the same sums. People
do not. Here a month is dearer or cheaper than another and the next one takes after it, December is dear,
something breaks, and people travel. None of these rates was chosen by what a forecast made of them.
"""

from datetime import date, timedelta
from math import exp
from random import Random

from benchmarks.quality.world import rates
from benchmarks.quality.world.bills import write_bills
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.foreign import write_foreign
from benchmarks.quality.world.habits import write_habits
from benchmarks.quality.world.household import closed, opened
from benchmarks.quality.world.mixed import write_mixed
from benchmarks.quality.world.moves import write_moves
from benchmarks.quality.world.pay import write_income
from benchmarks.quality.world.traps import write_traps
from benchmarks.quality.world.truth import Household, LabelledRow
from benchmarks.quality.world.unnamed import write_unnamed

PACE_SPREAD = 0.25
"""How far a month's spending strays from the usual, as a standard deviation of its logarithm."""

PACE_LASTS = 0.5
"""What of a month's stray the next month keeps."""

DECEMBER = 1.3

BREAKS_A_YEAR = 1.6
BROKEN = (30_000, 300_000)
"""Repairs, dentists and washing machines: how often, and what they cost."""

JOURNEYS_A_YEAR = 1.3
JOURNEY_DAYS = (4, 14)
JOURNEY_DAY = (4_000, 22_000)
"""Holidays: how often, how long, and what one of their days costs."""


def unruly_household(seed: int) -> Household:
    """The household of a seed, noisy and with all of this; its last day ends what is known of it."""
    diary = opened(Random(seed), "noisy")
    write_bills(diary)
    write_mixed(diary)
    write_unnamed(diary)
    write_income(diary)
    write_habits(diary)
    _vary_months(diary)
    _break_things(diary)
    _travel(diary)
    write_moves(diary)
    write_foreign(diary)
    write_traps(diary)
    return closed(diary, seed)


def _vary_months(diary: Diary) -> None:
    """Multiply what is bought in a month by the month's pace; bills, pay and cash keep theirs."""
    stray, paces = 0.0, {}
    for month in range(_month(diary.since), _month(diary.today) + 1):
        fresh = diary.dice.gauss(0, PACE_SPREAD * (1 - PACE_LASTS**2) ** 0.5)
        stray = PACE_LASTS * stray + fresh
        paces[month] = exp(stray) * (DECEMBER if month % 12 == 11 else 1)
    for place, row in enumerate(diary.rows):
        if row.stream is None and row.pair is None and row.amount < 0 and not row.cash:
            amount = min(-1, round(row.amount * paces[_month(row.day)]))
            diary.rows[place] = row._replace(amount=amount)


def _break_things(diary: Diary) -> None:
    for _ in range(diary.around(BREAKS_A_YEAR * _years(diary))):
        name = diary.opaque()
        if name is not None:
            _buy(diary, name, _some_day(diary), diary.dice.randint(*BROKEN))


def _travel(diary: Diary) -> None:
    for _ in range(diary.around(JOURNEYS_A_YEAR * _years(diary))):
        name, first = diary.opaque(), _some_day(diary)
        for place in range(diary.dice.randint(*JOURNEY_DAYS)):
            day = first + timedelta(place)
            if name is not None and day <= diary.today:
                _buy(diary, name, day, diary.dice.randint(*JOURNEY_DAY))


def _buy(diary: Diary, name: str, day: date, amount: int) -> None:
    account = diary.held("checking").number
    if diary.cards and diary.chance(rates.PURCHASES_ON_CARD):
        account = diary.dice.choice(diary.cards).number
    spelled = diary.spelled(name, "card", account)
    diary.book(LabelledRow(account, day, -amount, spelled.on(day, diary.dice), name.lower()))


def _years(diary: Diary) -> float:
    return (diary.today - diary.since).days / 365


def _month(day: date) -> int:
    return day.year * 12 + day.month - 1


def _some_day(diary: Diary) -> date:
    return diary.since + timedelta(diary.dice.randrange((diary.today - diary.since).days))
