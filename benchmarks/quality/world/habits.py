"""What comes again and is no bill: habits, cash, one-offs, refunds, money to and from friends."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from benchmarks.quality.world import rates
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.payees import ONE_OFF_KINDS, PLACES, SHOPS
from benchmarks.quality.world.truth import LabelledRow
from benchmarks.quality.world.voices import Spelling


@dataclass(frozen=True, slots=True)
class _Habit:
    """When it happens and what it costs.

    Days are `gap` apart, or weekly on one weekday when `weekly`, or on the first Saturday of each month
    when `gap` is empty. `menu` is the number of fixed prices to choose from, 0 for any amount.
    """

    gap: tuple[int, int] | None
    amounts: tuple[int, int]
    menu: int = 0
    weekly: bool = False
    missed: float = 0.0
    weekday: int | None = None


_HABITS = {
    "coffee": _Habit(None, (350, 900), menu=2, weekly=True, missed=0.12),
    "grocery run": _Habit(None, (9_000, 32_000), missed=0.05),
    "groceries": _Habit((2, 6), (1_500, 12_000)),
    "fuel": _Habit((6, 13), (3_000, 6_800)),
    "lottery": _Habit(None, (300, 1_000), menu=1, weekly=True, missed=0.06),
    "cash weekly": _Habit(None, (6_000, 12_000), menu=1, weekly=True, missed=0.08),
    "cash monthly": _Habit((28, 33), (10_000, 40_000), menu=1),
    "friday restaurant": _Habit(None, (2_500, 8_000), weekly=True, missed=0.25, weekday=4),
    "lunch": _Habit((1, 5), (850, 1_600)),
    "marketplace": _Habit((2, 20), (700, 12_000)),
    "barber": _Habit((28, 42), (2_500, 6_000), menu=1),
    "transit": _Habit((7, 16), (2_000, 5_000), menu=1),
    "pharmacy": _Habit((10, 40), (600, 6_000)),
    "parking": _Habit((3, 15), (300, 2_400), menu=4),
}


_CHAINS = frozenset({"groceries", "grocery run", "fuel", "coffee", "pharmacy", "lunch"})
"""Habits at shops with many branches."""


def write_habits(diary: Diary) -> None:
    """Write everything that is neither a stream nor a transfer."""
    for what, share in rates.HABITS.items():
        if diary.chance(share):
            _habit(diary, what, _HABITS[what])
    for _ in range(diary.around(rates.ONE_OFFS)):
        _one_off(diary)
    _refunds(diary)
    _friends(diary)


def _habit(diary: Diary, what: str, habit: _Habit) -> None:
    cash = what.startswith("cash")
    opaque = not cash and diary.chance(rates.OPAQUE_HABITS)
    name = "cash" if cash else diary.opaque() if opaque else diary.named(SHOPS[what][diary.country])
    if name is None:
        return
    prices = [diary.dice.randint(*habit.amounts) for _ in range(habit.menu)]
    if cash:
        prices = [price // 2000 * 2000 for price in prices]
    account = diary.held("checking").number
    if not cash and diary.cards and diary.chance(rates.PURCHASES_ON_CARD):
        account = diary.dice.choice(diary.cards).number
    branches = _branches(diary, what, name, account)
    for day in _days(diary, habit):
        if diary.chance(habit.missed):
            continue
        amount = diary.dice.choice(prices) if prices else diary.dice.randint(*habit.amounts)
        raw = diary.dice.choice(branches).on(day, diary.dice)
        diary.book(LabelledRow(account, day, -amount, raw, name.lower(), cash=cash))


def _branches(diary: Diary, what: str, name: str, account: int) -> list[Spelling]:
    """How a shop's branches are written: each with its town, or its own place after the name."""
    first = diary.spelled(name, "cash" if what.startswith("cash") else "card", account)
    more = diary.dice.choice((0, 0, 1, 3))
    if what in _CHAINS and diary.chance(rates.BRANCH_TAILS):
        places = diary.dice.sample(PLACES, more + 1)
        wing = diary.dice.choice(("", "", " SNAX", " EXPRESS")) if what == "fuel" else ""
        return [Spelling(name, f"{{name}}{wing} {place}", first.fixed) for place in places]
    return [first, *(first.elsewhere(diary.country, diary.dice) for _ in range(more))]


def _days(diary: Diary, habit: _Habit) -> Iterator[date]:
    day = diary.since + timedelta(diary.dice.randrange(7))
    if habit.weekly:
        weekday = diary.dice.randrange(7) if habit.weekday is None else habit.weekday
        day += timedelta((weekday - day.weekday()) % 7)
    elif habit.gap is None:
        day = _first_saturday(day.replace(day=1))
    while day <= diary.today:
        yield day
        if habit.weekly:
            day += timedelta(7)
        elif habit.gap is None:
            day = _first_saturday((day.replace(day=1) + timedelta(31)).replace(day=1))
        else:
            day += timedelta(diary.dice.randint(*habit.gap))


def _first_saturday(first: date) -> date:
    return first + timedelta((5 - first.weekday()) % 7)


def _some_day(diary: Diary) -> date:
    return diary.since + timedelta(diary.dice.randrange((diary.today - diary.since).days))


def _one_off(diary: Diary) -> None:
    telling = [f"~ {diary.dice.choice(ONE_OFF_KINDS)}"]
    name = diary.opaque() if diary.chance(rates.OPAQUE_ONE_OFFS) else diary.named(telling)
    if name is None:
        return
    places = [diary.held("checking"), *diary.cards]
    account = diary.dice.choice(places).number
    spelled = diary.spelled(name, "card", account)
    for _ in range(diary.dice.choice((1, 1, 1, 2))):
        day = _some_day(diary)
        amount = -diary.dice.randint(500, 40_000)
        raw = spelled.on(day, diary.dice)
        diary.book(LabelledRow(account, day, amount, raw, name.lower()))


def _refunds(diary: Diary) -> None:
    """Money back from a shop, whole or in part, some days after the purchase."""
    bought = [row for row in diary.rows if row.amount < 0 and row.stream is None and not row.cash]
    for _ in range(diary.around(rates.REFUNDS)):
        row = diary.dice.choice(bought)
        share = diary.dice.choice((1.0, 1.0, 0.5, 0.3))
        back = max(1, round(-row.amount * share))
        day = row.day + timedelta(diary.dice.randint(3, 20))
        diary.book(row._replace(day=day, amount=back))


def _friends(diary: Diary) -> None:
    friends = [diary.person() for _ in range(3)]
    checking = diary.held("checking").number
    for _ in range(diary.around(rates.FRIENDS)):
        friend, day = diary.dice.choice(friends), _some_day(diary)
        spelled = diary.spelled(friend, "from_person")
        amount = diary.dice.randint(500, 20_000)
        diary.book(LabelledRow(checking, day, amount, spelled.on(day, diary.dice), friend.lower()))
    for _ in range(diary.around(rates.FRIENDS)):
        friend, day = diary.dice.choice(friends), _some_day(diary)
        spelled = diary.spelled(friend, "person")
        amount = -diary.dice.randint(500, 20_000)
        diary.book(LabelledRow(checking, day, amount, spelled.on(day, diary.dice), friend.lower()))
