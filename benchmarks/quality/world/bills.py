"""A household's recurring charges, the payees that have two, and what is bought beside them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from random import Random

from benchmarks.quality.world import rates
from benchmarks.quality.world.billers import ANYWHERE, KNOWN, Bill
from benchmarks.quality.world.diary import Diary
from benchmarks.quality.world.payees import SELLERS
from benchmarks.quality.world.schedule import Schedule, drawn, every_four_weeks, on_weekday
from benchmarks.quality.world.streams import Outline, voiced, write
from benchmarks.quality.world.truth import LabelledRow
from finplan.model.plan import Cadence

_WELL_KNOWN = 0.60
"""Share of bills with a telling name whose payee everybody knows, where the country has one."""


def write_bills(diary: Diary) -> None:
    """Write all recurring charges of a household."""
    outlines = [
        outline
        for cadence, mean in rates.CHARGES.items()
        for _ in range(diary.around(mean))
        if (outline := _outline(diary, cadence)) is not None
    ]
    for outline in outlines:
        write(diary, outline)
    # A payee with a second contract is one that bills in its own name, never a person.
    firms = [one for one in outlines if one.what != "cleaner" and one.until is None]
    for first in diary.dice.sample(firms, min(len(firms), diary.around(rates.SECOND_STREAMS))):
        write(diary, _second(diary, first))
    for _ in range(diary.around(rates.BOUGHT_BESIDE)):
        _subscription_with_purchases(diary)


def weekend_rule(diary: Diary, shares: dict[int, float]) -> int:
    """What a payee does on weekends; on clean data, nothing."""
    if not diary.noise.weekends:
        return 0
    return weighted(diary.dice, list(shares), list(shares.values()))


def weighted(dice: Random, choices: Sequence[int], weights: Sequence[float]) -> int:
    """One of the choices, by weight."""
    return dice.choices(choices, weights)[0]


def paying_account(diary: Diary, bill: Bill) -> int:
    """The account that a bill is charged to."""
    if bill.channel == "card" and diary.cards and diary.chance(rates.PURCHASES_ON_CARD):
        return diary.dice.choice(diary.cards).number
    return diary.held("checking").number


def _outline(diary: Diary, cadence: Cadence) -> Outline | None:
    known = KNOWN[diary.country].get(cadence, ())
    bills = known if known and diary.chance(_WELL_KNOWN) else ANYWHERE[cadence]
    bill = diary.dice.choice(bills)
    opaque = bill.channel != "person" and diary.chance(rates.OPAQUE_BILLS)
    name = (
        diary.opaque() if opaque else diary.named(bill.names[:1] if bill.spellings else bill.names)
    )
    if name is None:
        return None
    schedule = _schedule(diary, cadence)
    account = paying_account(diary, bill)
    since, quirks = _begins(diary, schedule)
    until = _dies_with_card(diary, account)
    return Outline(
        side="charge",
        what=bill.what,
        payee=name.lower(),
        voice=voiced(
            diary, name, bill.channel, bill.names if bill.spellings and not opaque else (), account
        ),
        schedule=schedule,
        shares=((account, 1.0),),
        amount=_price(diary, bill.least, bill.most),
        since=since,
        until=until,
        stops=rates.STOPS[cadence],
        sway=diary.noise.sway if bill.sways else 0.0,
        seasonal=bill.sways == 2,
        says_yearly=not opaque,
        quirks=(*quirks, *(["card died"] if until else []), *(["opaque"] if opaque else [])),
    )


def _schedule(diary: Diary, cadence: Cadence) -> Schedule:
    if cadence == "monthly":
        kind = diary.dice.random()
        if kind < rates.NTH_WEEKDAY:
            return on_weekday(diary.today, diary.dice)
        if kind < rates.NTH_WEEKDAY + rates.FOUR_WEEKS:
            return every_four_weeks(diary.today, diary.dice)
    return drawn(cadence, diary.today, weekend_rule(diary, dict(rates.WEEKEND_RULES)), diary.dice)


def _dies_with_card(diary: Diary, account: int) -> date | None:
    """The last day of a charge that ends with its card, None if it is on no such card or moves."""
    if diary.dead is None or diary.dead[0] != account or diary.chance(rates.DEAD_CARD_MOVED):
        return None
    return diary.dead[1] - timedelta(1)


def _price(diary: Diary, least: int, most: int) -> int:
    """Most prices end in 99, 50 or 00, the rest in any cent."""
    price = diary.dice.randint(least, most)
    ending = diary.dice.choice((99, 50, 0, None, None))
    return price if ending is None or price < 500 else price // 100 * 100 + ending


def _begins(diary: Diary, schedule: Schedule) -> tuple[date, tuple[str, ...]]:
    """From when on a charge is due, and what to call that."""
    dues = list(schedule.due(diary.since, diary.today))
    fate = diary.dice.random()
    seen = diary.dice.choice((3, 4))
    if fate < rates.LATE and len(dues) > seen:
        return dues[-seen], ("late",)
    if rates.LATE <= fate < rates.LATE + rates.BEGUN and len(dues) > seen:
        return diary.dice.choice(dues[: -seen + 1]), ("begun",)
    return diary.since, ()


def _second(diary: Diary, first: Outline) -> Outline:
    """Another contract with the same payee, at a price that cannot be taken for the first's."""
    factor = diary.dice.choice((diary.dice.uniform(0.3, 0.7), diary.dice.uniform(1.5, 2.6)))
    schedule = first.schedule
    if not diary.chance(rates.SAME_DAY):
        schedule = drawn(schedule.cadence, diary.today, schedule.weekends, diary.dice)
    return replace(
        first,
        schedule=schedule,
        amount=max(100, round(first.amount * factor)),
        since=diary.since,
        says_yearly=first.says_yearly,
        quirks=("second at payee",),
    )


def _subscription_with_purchases(diary: Diary) -> None:
    name = diary.named(SELLERS[diary.country])
    if name is None:
        return
    bill = Bill("subscription", (name,), "card", 299, 1999)
    account = paying_account(diary, bill)
    rule = weekend_rule(diary, dict(rates.WEEKEND_RULES))
    outline = Outline(
        side="charge",
        what=bill.what,
        payee=name.lower(),
        voice=voiced(diary, name, "card", account=account),
        schedule=drawn("monthly", diary.today, rule, diary.dice),
        shares=((account, 1.0),),
        amount=_price(diary, bill.least, bill.most),
        since=diary.since,
        stops=rates.STOPS["monthly"],
        quirks=("purchases beside",),
    )
    write(diary, outline)
    for _ in range(diary.dice.randint(4, 24)):
        day = diary.since + timedelta(diary.dice.randrange((diary.today - diary.since).days))
        amount = -diary.dice.randint(1200, 14000)
        diary.book(LabelledRow(account, day, amount, outline.voice.on(day, diary), outline.payee))
