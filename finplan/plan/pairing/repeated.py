"""Pairs of two payees that come again at one amount: a standing order, though no text says so.

Three times at one amount are no accident. They prove nothing either: a relative may send the rent each
month on the day on which it is paid.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from finplan.plan.pairing.scoring import Leg

OFTEN = 3
"""So many pairs of two payees at one amount are no accident."""


class PayeePair(NamedTuple):
    """The payees of two rows, what left and what arrived; both amounts as on statements."""

    out: int
    into: int
    left: int
    arrived: int


def payee_pair(out: Leg, into: Leg) -> PayeePair:
    """What a possible pair is one more of."""
    return PayeePair(out.payee, into.payee, out.amount, into.amount)


def count_repeated(
    possible: Iterable[tuple[Leg, Leg]], made: Mapping[PayeePair, int]
) -> Mapping[PayeePair, int]:
    """How often each pair of payees was seen at one amount: among the possible pairs and those made.

    A row counts once, however many it may be paired with.
    """
    outs: dict[PayeePair, set[int]] = {}
    intos: dict[PayeePair, set[int]] = {}
    for out, into in possible:
        if out.payee and into.payee:
            outs.setdefault(payee_pair(out, into), set()).add(out.number)
            intos.setdefault(payee_pair(out, into), set()).add(into.number)
    seen = Counter({pair: min(len(outs[pair]), len(intos[pair])) for pair in outs})
    seen.update(made)
    return seen
