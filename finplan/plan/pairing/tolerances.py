"""Which departures and arrivals are near enough to be one movement, in days and in amount.

The money leaves no later than a day after it arrives, and arrives at most four days after it left: so
it is with transfers that nothing else tells of. What both banks name may be booked further apart, since
a card's issuer credits a payment on the day it was asked for, and collects it from the bank days later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.scoring import USUAL_DAYS, Leg

_EARLIEST, _LATEST = USUAL_DAYS[0], USUAL_DAYS[-1]

_FURTHEST = 5
"""Days between the two, whichever is first, where both rows tell that they belong together."""

_FEE_PERCENT = 3
"""What may be lost on the way when both banks call it a transfer."""

_MOST_CANDIDATES = 16
"""How many arrivals are scored for one departure; more equal ones are told apart by nothing anyway."""

_AMOUNT = itemgetter(0)

NearbyLegs = Iterator[tuple[Leg, Leg, int]]
"""An outgoing leg, an incoming leg, and the days from the one to the other, below zero where the money
arrives before it leaves."""


def by_time(leg: Leg) -> tuple[int, int]:
    """The order in which legs are looked at."""
    return (leg.day, leg.number)


def within_days(outs: Iterable[Leg], intos: Iterable[Leg]) -> NearbyLegs:
    """Each departure with the arrivals up to five days from it, nearest first, at most sixteen."""
    arrivals = sorted(intos, key=by_time)
    days = [ORDINAL[leg.day] for leg in arrivals]
    for out in sorted(outs, key=by_time):
        left = ORDINAL[out.day]
        places = range(bisect_left(days, left - _FURTHEST), bisect_right(days, left + _FURTHEST))
        for place in sorted(places, key=lambda place: abs(days[place] - left))[:_MOST_CANDIDATES]:
            yield out, arrivals[place], days[place] - left


def within_fees(outs: Iterable[Leg], intos: Iterable[Leg]) -> NearbyLegs:
    """Each arrival with the departures near it that are larger, by 3 % at most; sixteen a day."""
    legs = {leg.number: leg for leg in outs}
    sent = _by_day((ORDINAL[leg.day], -leg.amount, leg.number) for leg in legs.values())
    # Fewer rows bring money than take it, so the arrivals are gone through.
    for into in sorted(intos, key=by_time):
        arrived = ORDINAL[into.day]
        for day in range(arrived - _LATEST, arrived - _EARLIEST + 1):
            for _, number in _of_band(sent.get(day, ()), into.amount)[:_MOST_CANDIDATES]:
                yield legs[number], into, arrived - day


def within_fee_of_another(rows: Iterable[tuple[int, int, int, int]]) -> set[int]:
    """The numbers of those rows that are near another one of which 3 % at most may have been lost.

    A row is its number, account, day YYYYMMDD and signed amount. Nothing else is looked at, so that of
    many rows whose texts say transfer only few have to be read.
    """
    listed = list(rows)
    accounts = {number: account for number, account, _, _ in listed}
    sent = _by_day(
        (ORDINAL[day], -amount, number) for number, _, day, amount in listed if amount < 0
    )
    near: set[int] = set()
    for number, account, day, amount in listed:
        if amount < 0:
            continue
        for left in range(ORDINAL[day] - _LATEST, ORDINAL[day] - _EARLIEST + 1):
            for _, other in _of_band(sent.get(left, ()), amount):
                if accounts[other] != account:
                    near |= {number, other}
    return near


def _by_day(departures: Iterable[tuple[int, int, int]]) -> dict[int, list[tuple[int, int]]]:
    """What was sent on each day: amount and number, ascending."""
    sent: dict[int, list[tuple[int, int]]] = {}
    for day, amount, number in departures:
        sent.setdefault(day, []).append((amount, number))
    for of_day in sent.values():
        of_day.sort()
    return sent


def _of_band(sent: Sequence[tuple[int, int]], arrived: int) -> Sequence[tuple[int, int]]:
    """Those of a day's departures that are what arrived and a fee."""
    if not sent:
        return ()
    most = 100 * arrived // (100 - _FEE_PERCENT)
    since = bisect_right(sent, arrived, key=_AMOUNT)
    return sent[since : bisect_right(sent, most, key=_AMOUNT)]
