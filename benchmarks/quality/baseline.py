"""The plain way, to be beaten: per payee and direction the median gap, and pairs of equal amounts.

It sees the same payees as the product. Series are what repeats near a cadence's gap with most amounts
within a fifth of the median; transfers are equal amounts on two accounts within four days, the nearest
first.
"""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import pairwise
from statistics import median

from benchmarks.quality.chain import Reading, read
from benchmarks.quality.claims import Claim, Findings
from benchmarks.quality.world.truth import Household
from finplan.model.plan import Cadence

_DAYS: Mapping[Cadence, float] = {
    "weekly": 7,
    "biweekly": 14,
    "semimonthly": 15.2,
    "monthly": 30.4,
    "quarterly": 91.3,
    "twice_yearly": 182.6,
    "annual": 365.2,
}
_NEAR = 0.15
_ALIKE = 0.20
_MOST = 0.60
_APART = 4


def findings_of(household: Household) -> Findings:
    """What the plain way says of a household."""
    pairs = _pairs(household)
    paired = {place for pair in pairs for place in pair}
    reading = read(household)
    start = time.perf_counter()
    charges, sources = _series(household, reading, paired)
    return Findings(charges, sources, pairs, time.perf_counter() - start)


def _pairs(household: Household) -> list[tuple[int, int]]:
    arrivals: dict[int, list[int]] = defaultdict(list)
    rows = household.rows
    for place, row in enumerate(rows):
        if row.amount > 0:
            arrivals[row.amount].append(place)
    possible = [
        (abs((rows[into].day - row.day).days), out, into)
        for out, row in enumerate(rows)
        if row.amount < 0
        for into in arrivals.get(-row.amount, ())
        if rows[into].account != row.account and abs((rows[into].day - row.day).days) <= _APART
    ]
    taken: set[int] = set()
    found = []
    for _, out, into in sorted(possible):
        if out not in taken and into not in taken:
            taken |= {out, into}
            found.append((out, into))
    return found


def _series(
    household: Household, reading: Reading, paired: set[int]
) -> tuple[list[Claim], list[Claim]]:
    counted = {one.number for one in household.accounts if one.kind in {"depository", "credit"}}
    groups: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for place, row in enumerate(household.rows):
        if place not in paired and row.account in counted:
            groups[reading.payee_of_row[place], row.amount > 0].append(place)
    found: dict[bool, list[Claim]] = {False: [], True: []}
    for (payee, arrives), places in groups.items():
        claim = _claim(household, reading.known[payee][1], places)
        if claim is not None:
            found[arrives].append(claim)
    return found[False], found[True]


def _claim(household: Household, name: str, places: Sequence[int]) -> Claim | None:
    days = sorted({household.rows[place].day for place in places})
    gaps = [(later - day).days for day, later in pairwise(days)]
    if not gaps:
        return None
    gap = median(gaps)
    cadence = min(_DAYS, key=lambda one: abs(_DAYS[one] - gap))
    enough = len(days) >= (2 if cadence == "annual" else 3)
    if not enough or abs(gap / _DAYS[cadence] - 1) > _NEAR:
        return None
    amounts = [abs(household.rows[place].amount) for place in places]
    usual = median(amounts)
    alike = sum(abs(amount - usual) <= _ALIKE * usual for amount in amounts)
    if alike < _MOST * len(amounts):
        return None
    silent = (household.today - days[-1]).days
    active = silent <= 1.5 * gap
    coming = max(days[-1] + timedelta(round(gap)), household.today)
    amount = abs(household.rows[max(places)].amount)
    return Claim(
        name, frozenset(places), frozenset(), cadence, active, coming if active else None, amount
    )
