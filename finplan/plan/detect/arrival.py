"""How likely a charge's next one comes: on its day, and within a tenth of its amount.

What was seen of the series adds up to log-odds, by weights that were learnt from made-up households
(`python -m benchmarks.quality.arrival`). A weight is in hundredths, and so whole. What came so unevenly
that its day is a guess is not recurring; a bill that keeps its day is, however its amount varies, and
one that is late is until it is over. No figure is scaled by a probability. Source: plan-semantics,
section 5a.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp

from finplan.plan.detect.cadence import grace, share_seen
from finplan.plan.detect.rhythm import Rhythm

LEAST_LIKELY = 0.5
"""A charge that is less likely than this to come on its day, before it is late, is not recurring."""

_LATENESS = frozenset({"late", "left out once"})
"""A bill that is a day late must not leave the plan, and come back when it is paid."""

_LOOSE = "keeps its quarter alone"

_LATEST = 6
"""How many of the last amounts are held against the expected one."""

_ONCE_SEEN = (0.6, 0.79)
"""The least and the most that is said of what came once and is of a kind that comes yearly."""

_WITHIN = 10
"""Percent of the amount within which the next one is as expected."""


def signs_of(
    rhythm: Rhythm,
    days: Sequence[int],
    amounts: Sequence[int],
    amount: int,
    others: int,
    end: int,
    *,
    on_card: bool = False,
) -> Mapping[str, int]:
    """What is seen of a series, by the names of the weights; a sign that is not there is 0.

    `days` (ordinals) and `amounts` are of all its occurrences, `amount` is the expected one, `others`
    how many other charges its payee has, and `end` the ordinal on which the data end. `on_card` says
    that it is charged to a card, where purchases most often lie as far apart as a bill's by accident.
    """
    count = len(days)
    lately = amounts[-_LATEST:]
    off = sum(100 * abs(one - amount) > _WITHIN * amount for one in lately)
    late = end - rhythm.due()
    return {
        "always": 1,
        "seen twice": count <= 2,
        "seen three times": count == 3,
        "seen four or five times": 4 <= count <= 5,
        "seen twelve times or more": count >= 12,
        "quarters of a day astray": _quarters(rhythm),
        "sixths of the last amounts that were off": round(6 * off / len(lately)),
        "no two of the last amounts are equal": len(set(lately)) == len(lately) > 1,
        "tenths of its periods missed": round(10 * (1 - share_seen(rhythm, days))),
        "other charges at the payee": others > 0,
        "more other charges than own": others > count,
        "late": 0 < late <= grace(rhythm),
        "left out once": late > grace(rhythm),
        "on a card": on_card,
        "on a card, seen twice": on_card and count <= 2,
        "on a card, seen three times": on_card and count == 3,
        "on a card, seen four or five times": on_card and 4 <= count <= 5,
        _LOOSE: rhythm.is_loose(),
        f"comes {rhythm.cadence}": 1,
    }


def arrival_of(signs: Mapping[str, int]) -> float:
    """The probability that the next charge comes on its day, in whole hundredths."""
    return round(_share(signs, "day"), 2)


def is_likely(signs: Mapping[str, int]) -> bool:
    """Whether a charge is as likely as not to come on its day, going by how it came so far.

    What keeps its quarter and no day of it shows by that alone that it is a bill.
    """
    if signs.get(_LOOSE):
        return True
    so_far = {sign: value for sign, value in signs.items() if sign not in _LATENESS}
    return arrival_of(so_far) >= LEAST_LIKELY


def probability_of(signs: Mapping[str, int]) -> float:
    """The probability that it comes on its day and within a tenth of its amount, in hundredths.

    It is learnt from rough households, too, where more is missed and cancelled than most people see, and
    payments are as far apart as a bill's by accident: what is said to come must not disappoint.
    """
    return round(min(_share(signs, "next") * _share(signs, "amount"), _share(signs, "day")), 2)


def return_of(signs: Mapping[str, int]) -> float:
    """The probability that what came once comes again after a year, in whole hundredths.

    One payment makes nothing sure, and what nobody would be surprised by is no guess.
    """
    least, most = _ONCE_SEEN
    return round(min(most, max(least, _share(signs, "again"))), 2)


def _share(signs: Mapping[str, int], of: str) -> float:
    weights = _weights()[of]
    log_odds = sum(weights.get(sign, 0) * value for sign, value in signs.items())
    return 1 / (1 + exp(-log_odds / 100))


@cache
def _weights() -> Mapping[str, Mapping[str, int]]:
    return tomllib.loads(files(__package__).joinpath("arrival.toml").read_text("utf-8"))


def _quarters(rhythm: Rhythm) -> int:
    return min(8, round(4 * rhythm.cost / rhythm.seen))
