"""What a demo household buys when it feels like it, and its journeys.

Each errand has an uneven rhythm of its own. The family's week is in summer, and the employer pays
back work trips.
"""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from finplan.banks.demo import household, places as shops
from finplan.banks.demo.household import (
    CHECKING,
    PLATINUM,
    REWARDS,
    DemoCharge,
    DemoHousehold,
    Dice,
)
from finplan.banks.demo.places import CONFERENCE_TOWNS, SEASIDES
from finplan.model.money import half_even

_ANY_DAY = (0, 1, 2, 3, 4, 5, 6)
_WORKDAYS = (0, 1, 2, 3, 4)
_EVENINGS_OUT = (3, 4, 5, 6)
_WEEKEND = (5, 6)


class Errand(NamedTuple):
    """Shopping `every` so many days on average, for `low` to `high` cents, mostly nearer to low.

    `regulars` is how many of the shops the family goes to, the first most often. `on` lists the
    weekdays that suit (Monday is 0). `step` rounds amounts. `tip` adds a tip after the card was
    held for the bill. `festive` doubles the pace before Christmas. Of a thousand, `returned` are
    brought back. `debit` says that the account's own card is used; a `fee` comes now and then.
    """

    name: str
    shops: tuple[str, ...]
    every: int
    low: int
    high: int
    regulars: int = 1
    on: tuple[int, ...] = _ANY_DAY
    account: str = REWARDS
    step: int = 1
    tip: bool = False
    festive: bool = False
    returned: int = 0
    debit: bool = False
    fee: int = 0


def errands(home: DemoHousehold) -> list[Errand]:
    """Every errand of a household, in the amounts of the reference family."""
    return [*_daily_needs(home), *_upkeep(), *_wants(), *_mysteries(home), *_people(home)]


def _daily_needs(home: DemoHousehold) -> list[Errand]:
    grocers = tuple(f"{chain} @" for chain in home.metro.groceries)
    stations = tuple(f"{brand} @" for brand in home.metro.fuel)
    corner = shops.SECOND_GROCERS
    return [
        Errand("groceries", grocers, 7, 9_000, 22_000, 2, (4, 5, 6)),
        Errand("corner", corner, 6, 1_500, 6_000, 2, account=CHECKING, debit=True),
        Errand("warehouse", shops.WAREHOUSES, 28, 11_000, 29_000, 1, _WEEKEND),
        Errand("fuel", stations, 6, 3_200, 5_800, 2),
        Errand("parking", shops.PARKING, 15, 300, 1_800, 2),
        Errand("rides", shops.RIDES, 38, 1_100, 4_200, 2, _EVENINGS_OUT),
        Errand("lunches", shops.LUNCHES, 24, 4_000, 6_000, 1, _WORKDAYS, step=1_000),
    ]


def _upkeep() -> list[Errand]:
    """What keeps people, animals, cars and the house going."""
    return [
        Errand("pharmacy", shops.PHARMACIES, 17, 800, 6_500, 2),
        Errand("copay", shops.COPAYS, 48, 3_000, 6_000, 2, _WORKDAYS, step=500),
        Errand("dentist", shops.DENTISTS, 120, 6_000, 19_000, 1, _WORKDAYS, step=100),
        Errand("pets", shops.PETS, 32, 3_800, 9_500, 2),
        Errand("vet", shops.VETS, 170, 8_000, 32_000, 1, _WORKDAYS),
        Errand("garage", shops.GARAGES, 95, 6_000, 42_000, 3, _WORKDAYS),
        Errand("upkeep", shops.UPKEEP, 80, 9_500, 52_000, 3, _WORKDAYS),
        Errand("haircut", shops.HAIRCUTS, 33, 4_500, 11_000, 2, (1, 2, 3, 4, 5), step=100),
        Errand("beauty", shops.BEAUTY, 50, 2_000, 8_000, 2),
    ]


def _wants() -> list[Errand]:
    """What could wait; what is for the house goes on the card that is not paid off."""
    tools = shops.HARDWARE
    return [
        Errand("coffee", shops.COFFEE, 3, 450, 1_600, 5),
        Errand("restaurant", shops.RESTAURANTS, 7, 4_200, 13_500, 9, _EVENINGS_OUT, tip=True),
        Errand("fast food", shops.FAST_FOOD, 5, 1_100, 4_200, 7),
        Errand("delivery", shops.DELIVERIES, 15, 2_400, 6_200, 2, _EVENINGS_OUT),
        Errand("orders", shops.MARKETPLACES, 6, 900, 10_500, 3, festive=True, returned=70),
        Errand("shopping", shops.SHOPS, 9, 1_800, 16_500, 6, festive=True, returned=90),
        Errand("electronics", shops.ELECTRONICS, 75, 6_000, 42_000, festive=True),
        Errand("gifts", shops.GIFTS, 30, 2_000, 12_000, 3, festive=True),
        Errand("hardware", tools, 17, 1_500, 14_000, 3, _WEEKEND, PLATINUM, returned=60),
        Errand("furnishing", shops.FURNISHINGS, 60, 6_000, 38_000, 3),
        Errand("outing", shops.OUTINGS, 16, 1_400, 9_500, 4, _EVENINGS_OUT),
        Errand("hobby", shops.HOBBIES, 21, 1_800, 11_000, 3),
    ]


def _mysteries(home: DemoHousehold) -> list[Errand]:
    """Five shops whose names say nothing, each visited about every seven weeks."""
    dice = Dice(home.seed, "mysteries")
    return [
        Errand(raw, (raw,), dice.number(40, 54), 1_400, dice.number(9_000, 17_000))
        for raw in dice.deal(shops.NOBODY_KNOWS, 5)
    ]


def _people(home: DemoHousehold) -> list[Errand]:
    """Cash, checks, and money sent to people: the bank sees no more than a name."""
    dice = Dice(home.seed, "people")
    zelle = (f"Zelle payment to {dice.pick(shops.PEOPLE)} ^^^^^^^^^^^",)
    venmo = ("VENMO PAYMENT 10^^^^^^^^^^^ WEB ID: 3264680012",)
    street = dice.pick(("MAIN ST", "MARKET ST", "OAK AVE"))
    machine = (f"ATM WITHDRAWAL 00^^^^ {{date}} {dice.number(101, 9_899)} {street} @",)
    check = ("CHECK {number}",)
    return [
        Errand("zelle", zelle, 14, 6_000, 9_000, 1, (3,), CHECKING, step=500),
        Errand("venmo", venmo, 17, 1_200, 9_000, 1, _WORKDAYS, CHECKING, step=100),
        Errand("cash", machine, 13, 6_000, 18_000, 1, _ANY_DAY, CHECKING, step=2_000, fee=350),
        Errand("check", check, 60, 6_000, 18_000, 1, _WORKDAYS, CHECKING, step=500),
    ]


def shopping(
    home: DemoHousehold, through: date, is_away: Callable[[date], bool]
) -> Iterator[DemoCharge]:
    """Every charge of every errand from the start through a day, with its fee and its refund."""
    for errand in errands(home):
        dice = Dice(home.seed, "errand", errand.name)
        places = [
            household.write_for_household(raw, home, dice)
            for raw in dice.deal(errand.shops, errand.regulars)
        ]
        for number, day in enumerate(_visits(home, errand, dice, through)):
            if day < home.start or is_away(day):
                continue
            shop = dice.favourite(places).format(number=1041 + number, date=f"{day:%m/%d}")
            if errand.debit:
                shop = (
                    f"PURCHASE AUTHORIZED ON {day:%m/%d} {shop} CARD {home.masks[household.DEBIT]}"
                )
            for charge in _visit(home, errand, shop, day, dice):
                if charge.day <= through:
                    yield charge


def _visits(home: DemoHousehold, errand: Errand, dice: Dice, through: date) -> Iterator[date]:
    """The days of an errand: an uneven rhythm, each beat moved to a weekday that suits.

    A beat may be moved back by three days, so beats are thrown until three days after the last.
    """
    low = max(1, errand.every // 2)
    beat = home.start + timedelta(days=dice.number(0, errand.every - 1))
    while beat <= through + timedelta(days=3):
        yield next(day for day in _around(beat) if day.weekday() in errand.on)
        gap = dice.number(low, 2 * errand.every - low)
        festive = errand.festive and (11, 18) <= (beat.month, beat.day) <= (12, 20)
        beat += timedelta(days=max(1, gap // 2) if festive else gap)


def _around(day: date) -> Iterator[date]:
    for offset in (0, 1, -1, 2, -2, 3, -3):
        yield day + timedelta(days=offset)


def _visit(
    home: DemoHousehold, errand: Errand, shop: str, day: date, dice: Dice
) -> Iterator[DemoCharge]:
    cents = home.priced(dice.skewed(errand.low, errand.high), day)
    bill = max(1, half_even(cents, errand.step)) * errand.step
    tip = half_even(bill * dice.number(170, 230), 1000) if errand.tip else 0
    # A bank books what touches an account itself on workdays only.
    booked = household.workday_from(day) if errand.account == CHECKING else day
    hold = -bill if tip else None
    yield DemoCharge(
        booked, errand.account, -bill - tip, household.write_for_charge(shop, dice), hold
    )
    if errand.fee and dice.chance(500):
        yield DemoCharge(booked, errand.account, -errand.fee, "NON-LARKMOOR ATM FEE-WITH")
    if dice.chance(errand.returned):
        back = bill if dice.chance(600) else half_even(bill * dice.number(250, 700), 1000)
        later = day + timedelta(days=dice.number(4, 15))
        yield DemoCharge(later, errand.account, back, household.write_for_charge(shop, dice))


_WORK_TRIP_EVERY = 12
_FIRST_WORK_TRIP = 9


class Trip(NamedTuple):
    """A journey: the first and last day away, and what it costs, before, during and afterwards."""

    leave: date
    back: date
    charges: tuple[DemoCharge, ...]


def journeys(
    home: DemoHousehold, through: date
) -> tuple[Iterator[DemoCharge], Callable[[date], bool]]:
    """The charges of every journey through a day, and whether the family is away on a given day.

    A work trip of next month may be booked in this one, so next month's is planned too.
    """
    vacations = [_vacation(home, year) for year in range(home.start.year, through.year + 1)]
    trips = vacations + [
        _work_trip(home, month)
        for number, month in household.months(home.start, household.month_of(through, 1))
        if number % _WORK_TRIP_EVERY == _FIRST_WORK_TRIP
    ]
    charges = (
        charge for trip in trips for charge in trip.charges if home.start <= charge.day <= through
    )
    return charges, lambda day: any(trip.leave <= day <= trip.back for trip in vacations)


def _vacation(home: DemoHousehold, year: int) -> Trip:
    """A week from a Saturday between mid-June and early August, flown to, in a rented house."""
    dice = Dice(home.seed, "vacation", year)
    town, state = dice.pick(SEASIDES)
    leave = date(year, 6, 14) + timedelta(days=dice.number(0, 49))
    leave += timedelta(days=(5 - leave.weekday()) % 7)
    booked = leave - timedelta(days=dice.number(38, 60))
    fare = home.priced(dice.number(17_900, 24_900), leave)
    there = f"{town} {state}"

    def cost(after: int, low: int, high: int, template: str, tip: bool = False) -> DemoCharge:
        bill = home.priced(dice.skewed(low, high), leave)
        day = leave + timedelta(days=after)
        added = bill // 5 if tip else 0
        return _on_card(day, bill + added, template, dice, -bill if tip else None)

    ticket = "SOUTHWES 5262^^^^^^^^^ 800-435-9792 TX"
    tickets = [_on_card(booked, fare, ticket, dice) for _ in range(4)]
    house = home.priced(dice.number(118_000, 149_000), leave)
    return Trip(
        leave,
        leave + timedelta(days=7),
        (
            _on_card(booked, house, "AIRBNB * HM???????? 415-800-5959 CA", dice),
            *tickets,
            cost(0, 1_400, 4_200, f"HUDSON NEWS ST^^^^ {home.metro.airport} {home.metro.state}"),
            cost(0, 5_200, 11_000, f"TST* SANDBAR GRILL {there}", tip=True),
            cost(1, 9_500, 19_000, f"SEASIDE MARKET #^^ {there}"),
            cost(2, 4_400, 9_000, f"SQ *DRIFTWOOD KAYAKS {there}"),
            cost(3, 4_800, 11_000, f"TST* THE LIGHTHOUSE {there}", tip=True),
            cost(3, 900, 2_600, f"SQ *SCOOPS BY THE SEA {there}"),
            cost(4, 7_500, 16_000, f"DOLPHIN BAY BOAT TOURS {there}"),
            cost(5, 5_200, 12_500, f"TST* CATCH 21 OYSTER BAR {there}", tip=True),
            cost(6, 1_800, 6_000, f"SEASHELL GIFTS & SURF {there}"),
            cost(7, 3_200, 5_000, f"SHELL OIL 57^^^^^^^^^ {there}"),
            cost(7, 26_000, 36_000, f"ENTERPRISE RENT-A-CAR {there}"),
        ),
    )


def _on_card(
    day: date, cents: int, template: str, dice: Dice, hold: int | None = None
) -> DemoCharge:
    """What a journey costs, paid by the family's card."""
    raw = household.write_for_charge(template, dice)
    return DemoCharge(day, REWARDS, -cents, raw, hold)


def _work_trip(home: DemoHousehold, month: date) -> Trip:
    """Three nights at a conference; in the next month the employer repays every cent."""
    dice = Dice(home.seed, "work trip", month)
    there = "{} {}".format(*dice.pick(CONFERENCE_TOWNS))
    leave = month + timedelta(days=dice.number(4, 9))
    leave += timedelta(days=(0 - leave.weekday()) % 7)
    spent = [
        _on_card(leave + timedelta(days=after), dice.number(low, high), template, dice)
        for after, low, high, template in (
            (-dice.number(9, 16), 31_000, 46_000, "UNITED 0162^^^^^^^^^ UNITED.COM TX"),
            (0, 2_600, 4_800, "UBER *TRIP HELP.UBER.COM CA"),
            (1, 1_400, 2_400, f"CURB SVC {there}"),
            (2, 1_400, 2_400, f"CURB SVC {there}"),
            (3, 52_000, 72_000, f"HYATT PLACE {there}"),
            (3, 2_600, 4_800, "UBER *TRIP HELP.UBER.COM CA"),
        )
    ]
    day = household.workday_from(household.month_of(month, 1) + timedelta(days=dice.number(7, 14)))
    raw = household.write_for_charge(
        f"EXPENSIFY {home.employer.split()[0]} EXP REIMB ID: 2^^^^^^^^^", dice
    )
    repaid = DemoCharge(day, CHECKING, -sum(charge.amount for charge in spent), raw)
    return Trip(leave, leave + timedelta(days=3), (*spent, repaid))
