"""Two kinds of journey: the family's week in summer, and work trips that the employer pays back."""

from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import NamedTuple

from finplan.banks.demo.calendar import month_of, months, workday_from
from finplan.banks.demo.charge import DemoCharge, write_for_charge
from finplan.banks.demo.dice import Dice
from finplan.banks.demo.household import CHECKING, REWARDS, DemoHousehold
from finplan.banks.demo.places import CONFERENCE_TOWNS, SEASIDES

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
        for number, month in months(home.start, month_of(through, 1))
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
        return DemoCharge(
            day, REWARDS, -bill - added, write_for_charge(template, dice), -bill if tip else None
        )

    tickets = [
        DemoCharge(
            booked, REWARDS, -fare, write_for_charge("SOUTHWES 5262^^^^^^^^^ 800-435-9792 TX", dice)
        )
        for _ in range(4)
    ]
    house = home.priced(dice.number(118_000, 149_000), leave)
    return Trip(
        leave,
        leave + timedelta(days=7),
        (
            DemoCharge(
                booked,
                REWARDS,
                -house,
                write_for_charge("AIRBNB * HM???????? 415-800-5959 CA", dice),
            ),
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


def _work_trip(home: DemoHousehold, month: date) -> Trip:
    """Three nights at a conference; in the next month the employer repays every cent."""
    dice = Dice(home.seed, "work trip", month)
    there = "{} {}".format(*dice.pick(CONFERENCE_TOWNS))
    leave = month + timedelta(days=dice.number(4, 9))
    leave += timedelta(days=(0 - leave.weekday()) % 7)
    spent = [
        DemoCharge(
            leave + timedelta(days=after),
            REWARDS,
            -dice.number(low, high),
            write_for_charge(template, dice),
        )
        for after, low, high, template in (
            (-dice.number(9, 16), 31_000, 46_000, "UNITED 0162^^^^^^^^^ UNITED.COM TX"),
            (0, 2_600, 4_800, "UBER *TRIP HELP.UBER.COM CA"),
            (1, 1_400, 2_400, f"CURB SVC {there}"),
            (2, 1_400, 2_400, f"CURB SVC {there}"),
            (3, 52_000, 72_000, f"HYATT PLACE {there}"),
            (3, 2_600, 4_800, "UBER *TRIP HELP.UBER.COM CA"),
        )
    ]
    day = workday_from(month_of(month, 1) + timedelta(days=dice.number(7, 14)))
    raw = write_for_charge(f"EXPENSIFY {home.employer.split()[0]} EXP REIMB ID: 2^^^^^^^^^", dice)
    repaid = DemoCharge(day, CHECKING, -sum(charge.amount for charge in spent), raw)
    return Trip(leave, leave + timedelta(days=3), (*spent, repaid))
