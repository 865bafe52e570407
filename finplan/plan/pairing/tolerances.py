"""Which departures and arrivals are near enough to be one movement, in days and in amount.

The money leaves no later than a day after it arrives, and arrives at most four days after it left: so
it is with transfers that nothing else tells of. What both banks name may be booked further apart, since
a card's issuer credits a payment on the day it was asked for, and collects it from the bank days later.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from finplan.model.money import exponent
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.scoring import USUAL_DAYS, USUAL_FEE_PERCENT, Leg

_EARLIEST, _LATEST = USUAL_DAYS[0], USUAL_DAYS[-1]

_FURTHEST = 5
"""Days between the two, whichever is first, where both rows tell that they belong together."""

_NAMED_FEE_PERCENT, _NAMED_FEE_UNITS = 15, 50
"""What may be lost where a text says wire or fee: so much of what left, and so many units at most."""

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


def within_fees(
    outs: Iterable[Leg], intos: Iterable[Leg], currencies: Mapping[int, str]
) -> NearbyLegs:
    """Each arrival with the departures near it that are larger by what a fee may be; sixteen a day.

    `currencies` are the accounts'.
    """
    legs = {leg.number: leg for leg in outs}
    sent = _by_day((ORDINAL[leg.day], -leg.amount, leg.number) for leg in legs.values())
    # Fewer rows bring money than take it, so the arrivals are gone through.
    for into in sorted(intos, key=by_time):
        arrived, most = ORDINAL[into.day], _most_sent(into.amount, currencies[into.account])
        for day in range(arrived - _LATEST, arrived - _EARLIEST + 1):
            for _, number in _of_band(sent.get(day, ()), into.amount, most)[:_MOST_CANDIDATES]:
                yield legs[number], into, arrived - day


def within_fee_of_another(
    rows: Iterable[tuple[int, int, int, int]], currencies: Mapping[int, str]
) -> set[int]:
    """The numbers of those rows that are near another one of which a fee may have been lost.

    A row is its number, account, day YYYYMMDD and signed amount; `currencies` are the accounts'. Nothing
    else is looked at, so that of many rows whose texts say transfer only few have to be read.
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
        most = _most_sent(amount, currencies[account])
        for left in range(ORDINAL[day] - _LATEST, ORDINAL[day] - _EARLIEST + 1):
            for _, other in _of_band(sent.get(left, ()), amount, most):
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


def _most_sent(arrived: int, currency: str) -> int:
    """The most that can have been sent of what arrived."""
    units: int = _NAMED_FEE_UNITS * 10 ** exponent(currency)
    named = min(100 * arrived // (100 - _NAMED_FEE_PERCENT), arrived + units)
    return max(100 * arrived // (100 - USUAL_FEE_PERCENT), named)


def _of_band(sent: Sequence[tuple[int, int]], arrived: int, most: int) -> Sequence[tuple[int, int]]:
    """Those of a day's departures that are larger than what arrived, up to the most."""
    if not sent:
        return ()
    since = bisect_right(sent, arrived, key=_AMOUNT)
    return sent[since : bisect_right(sent, most, key=_AMOUNT)]
