"""Households that are rougher than those of detection: what comes is missed, moved, cancelled, imitated.

They are made of the same parts, to which the base rates here are added. None was chosen, or changed, by
what a detector or a probability made of it.
"""

from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import NamedTuple

from benchmarks.quality.rough.quarterly import write_quarterly
from benchmarks.quality.rough.yearly import write_yearly
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
from finplan.model.plan import Cadence

ROUGH = rates.Noise(
    jitter=0.35,
    jitter_days=(-3, -2, -1, -1, 1, 1, 2, 2, 3, 5),
    weekends=True,
    skipped=0.08,
    stepped=0.45,
    step=(0.03, 0.20),
    sway=0.15,
    season=0.30,
    renamed=0.15,
    slipped=0.08,
)

CANCELLED: dict[Cadence, float] = {
    "weekly": 0.04,
    "biweekly": 0.06,
    "semimonthly": 0.05,
    "monthly": 0.07,
    "quarterly": 0.10,
    "twice_yearly": 0.12,
    "annual": 0.25,
}
"""The chance that what has come until now is cancelled, moved to another provider, or paused at its next
due day."""

LOOKALIKES = 4.0
"""Mean number of payees that are visited about as regularly as a bill comes, and bill nobody."""


class Visits(NamedTuple):
    """How far apart visits are in days, what they cost, and how many prices there are; 0 is any."""

    gap: tuple[int, int]
    least: int
    most: int
    menu: int


KINDS = (
    Visits((26, 36), 1_500, 9_000, 1),
    Visits((27, 34), 2_000, 12_000, 2),
    Visits((12, 17), 1_000, 6_000, 1),
    Visits((13, 15), 1_500, 8_000, 3),
    Visits((6, 8), 800, 4_000, 1),
    Visits((84, 98), 4_000, 20_000, 2),
    Visits((28, 33), 3_000, 20_000, 0),
)

COINCIDENCES = 16.0
"""Mean number of payees, of trades that send bills as well, that were paid two to five times about as
far apart as a bill by accident: a course, a repair, a licence for one job, a gift."""

BOUGHT_AT = (
    "~ SOFTWARE",
    "~ ONLINE",
    "~ ANTIVIRUS",
    "~ MAGAZINE",
    "~ GARAGE",
    "~ CAR SERVICE",
    "~ TYRES",
    "~ SOCIETY",
    "~ TRAINING",
    "~ MOBILE",
    "~ HOSTING",
    "~ INSURANCE",
)
ACCIDENTS: dict[int, int] = {365: 2, 182: 3, 91: 3, 30: 3}
"""Days between two such payments, and how many there are at least."""

HOW_OFTEN = (*(365,) * 12, 182, 91, 91, 30)
"""How often each occurs beside the others: two payments a year apart are most common on cards."""

_MORE = 2
_APART = 0.04
"""At most so many more; the share of the distance by which one strays."""

PRICE_KEPT = 0.6

_LASTS = (90, 900)
"""For how many days somebody goes there."""


def rough_household(seed: int) -> Household:
    """The household of a seed; the same seed always makes the same one."""
    diary = opened(Random(f"rough {seed}"), "noisy")
    diary.noise = ROUGH
    write_bills(diary)
    write_mixed(diary)
    write_unnamed(diary)
    write_income(diary)
    write_habits(diary)
    write_yearly(diary)
    write_quarterly(diary)
    for _ in range(diary.around(LOOKALIKES)):
        _write_visits(diary)
    for _ in range(diary.around(COINCIDENCES)):
        _write_coincidence(diary)
    write_moves(diary)
    write_foreign(diary)
    write_traps(diary)
    return _with_cancellations(closed(diary, seed), diary)


def _with_cancellations(made: Household, diary: Diary) -> Household:
    """The household of which some charges never come again, though nothing shows it yet."""
    streams = [
        replace(one, next=None)
        if one.side == "charge"
        and not one.what.startswith("yearly")
        and one.cadence != "irregular"
        and diary.chance(CANCELLED[one.cadence])
        else one
        for one in made.streams
    ]
    return replace(made, streams=streams)


def _write_coincidence(diary: Diary) -> None:
    """A few like payments about as far apart as a bill's, and none after them."""
    dice = diary.dice
    name = diary.opaque() if diary.chance(rates.OPAQUE_BILLS) else diary.named(BOUGHT_AT)
    if name is None:
        return
    account = dice.choice(diary.cards or [diary.held("checking")]).number
    spelled = diary.spelled(name, "card", account)
    gap = dice.choice(HOW_OFTEN)
    times = ACCIDENTS[gap] + (dice.randint(0, _MORE) if gap < 365 else 0)
    amount, stray = dice.randint(1_000, 40_000), max(1, round(gap * _APART))
    # The last of them lies so near that nothing shows yet that no other follows.
    day = diary.today - timedelta(dice.randrange(gap))
    for _ in range(times):
        paid = amount if diary.chance(PRICE_KEPT) else round(amount * dice.uniform(0.9, 1.1))
        diary.book(LabelledRow(account, day, -paid, spelled.on(day, dice), name.lower()))
        day -= timedelta(gap + dice.randint(-stray, stray))


def _write_visits(diary: Diary) -> None:
    """Somebody goes somewhere again and again, until it ends or beyond the last day."""
    name, dice = diary.opaque(), diary.dice
    if name is None:
        return
    visits = dice.choice(KINDS)
    account = diary.held("checking").number
    if diary.cards and diary.chance(rates.PURCHASES_ON_CARD):
        account = dice.choice(diary.cards).number
    spelled = diary.spelled(name, "card", account)
    prices = [dice.randint(visits.least, visits.most) for _ in range(visits.menu)]
    day = diary.since + timedelta(dice.randrange((diary.today - diary.since).days))
    until = day + timedelta(dice.randint(*_LASTS))
    while day <= min(until, diary.today):
        amount = dice.choice(prices) if prices else dice.randint(visits.least, visits.most)
        diary.book(LabelledRow(account, day, -amount, spelled.on(day, dice), name.lower()))
        day += timedelta(dice.randint(*visits.gap))
