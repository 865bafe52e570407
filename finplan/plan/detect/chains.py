"""Chains of near amounts that come a period apart, such as two meters at one supplier.

Where one payee's bills vary and mingle, neither equal amounts nor the charges as a whole keep a rhythm.
A chain leads from charge to charge, each about a period after the last and of a like amount; the best
one holds the most charges with the least change of amount and of distance, found by dynamic
programming. It is taken out, and the next is looked for. Source: detection, section 3.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from finplan.model.plan import Cadence
from finplan.plan.detect.cadence import DISTANCES, rhythm_of
from finplan.plan.detect.series import Occurrence
from finplan.plan.detect.streams import (
    LEAST_VARYING,
    AmountTolerance,
    Stream,
    days_of,
    is_bill,
    may_be_chance,
)
from finplan.plan.ledger.amounts import amount_clusters

_CADENCES: tuple[Cadence, ...] = ("monthly", "quarterly", "twice_yearly", "annual")
"""Bills that vary come no more often than monthly."""

_LONGEST = 72
"""How many of the last charges are looked at, which bounds the cost of a busy payee."""

_MOST = 4
"""So many chains are looked for at one payee."""

_SKIP = 0.5
_FAR = 0.5
"""What a skipped period and a distance at the end of its band cost, in charges."""

_CHANGED = 3
"""What a change of the amount by its whole costs: to cross over to another bill and back must cost more
than the charge and the skip that it saves, for amounts a third apart."""

_CHANGE: Mapping[AmountTolerance, float] = {"even": 0.16, "varying": 1 / 3}
"""The largest part by which an amount may differ from the one before."""

_UNEXPLAINED = 4
"""At most one in so many charges may be in no chain."""


def find_chains(paid: Sequence[Occurrence], tolerance: AmountTolerance) -> list[Stream]:
    """The chains among ordered charges, the longest first; no charge is in two.

    They explain nearly all of the charges or nothing: among many visits some are a month apart. Where
    little is known of the payee, its amounts must lie in a few groups.
    """
    rest = list(paid[-_LONGEST:])
    if len(rest) < LEAST_VARYING:
        return []
    if tolerance == "even" and not _are_grouped([charge[1] for charge in rest]):
        return []
    unexplained = len(rest) // _UNEXPLAINED
    found: list[Stream] = []
    while len(rest) > unexplained and len(found) < _MOST:
        stream = _best(rest, tolerance)
        if stream is None:
            return []
        found.append(stream)
        taken = set(stream.charges)
        rest = [charge for charge in rest if charge not in taken]
    return found if len(rest) <= unexplained and _differ(found) else []


def _are_grouped(amounts: Sequence[int]) -> bool:
    """Whether nearly all amounts lie in two groups or more, each large enough for a bill."""
    if len(amounts) < 2 * LEAST_VARYING:
        return False
    held = [
        sum(low <= amount <= high for amount in amounts) for low, high in amount_clusters(amounts)
    ]
    large = [count for count in held if count >= LEAST_VARYING]
    return len(large) > 1 and (len(amounts) - sum(large)) * _UNEXPLAINED <= len(amounts)


def _differ(found: Sequence[Stream]) -> bool:
    """Whether the prices tell the chains apart; visits at one price can be cut into chains as well."""
    prices = sorted(stream.price for stream in found)
    return all(10 * dearer >= 11 * price for price, dearer in pairwise(prices))


def _best(rest: Sequence[Occurrence], tolerance: AmountTolerance) -> Stream | None:
    """The bill among the best chains of all cadences that holds the most charges."""
    days = rest[-1][0] - rest[0][0]
    bills = (
        Stream(list(charges), rhythm)
        for cadence in _CADENCES
        if (LEAST_VARYING - 1) * DISTANCES[cadence][0] <= days
        and len(charges := _longest(rest, cadence, _CHANGE[tolerance])) >= LEAST_VARYING
        and (rhythm := rhythm_of(days_of(charges)))
        and rhythm.cadence == cadence
        and rhythm.last == charges[-1][0]
        and is_bill(charges, rhythm, tolerance)
        and not may_be_chance(rhythm, _MOST)
    )
    return max(bills, key=lambda stream: len(stream.charges), default=None)


def _longest(rest: Sequence[Occurrence], cadence: Cadence, change: float) -> tuple[Occurrence, ...]:
    """The best chain of a cadence; empty if no two charges are a period apart."""
    worth = [1.0] * len(rest)
    before = [-1] * len(rest)
    for place, (day, amount, _) in enumerate(rest):
        for earlier, loss in _links(rest, place, day, cadence):
            previous = rest[earlier][1]
            changed = abs(amount - previous) / max(amount, previous)
            if changed > change:
                continue
            gained = worth[earlier] + 1 - loss - _CHANGED * changed
            if gained > worth[place]:
                worth[place], before[place] = gained, earlier
    place = max(range(len(rest)), key=lambda one: (worth[one], one))
    chain = []
    while place >= 0:
        chain.append(rest[place])
        place = before[place]
    return tuple(reversed(chain)) if len(chain) > 1 else ()


def _links(
    rest: Sequence[Occurrence], place: int, day: int, cadence: Cadence
) -> Iterator[tuple[int, float]]:
    """The charges one period before or two, with what is lost by linking to them."""
    fewest, most = DISTANCES[cadence]
    for earlier in range(place - 1, -1, -1):
        apart = day - rest[earlier][0]
        if apart > 2 * most:
            return
        if fewest <= apart <= most:
            yield earlier, _FAR * abs(2 * apart - fewest - most) / (most - fewest)
        elif apart >= 2 * fewest:
            yield earlier, _SKIP + _FAR * abs(apart - fewest - most) / (most - fewest)
