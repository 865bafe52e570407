"""Which charges come again: one series for each payee and cluster of amounts that keeps a rhythm.

A payee's charges are read in three ways, from the surest to the loosest: equal amounts that each keep
a rhythm of their own (two subscriptions stay two, and a price step joins what it parted), then all
charges as one bill that varies, then clusters of near amounts. How much a bill may vary depends on
what it is for; shopping is a habit, and a habit is a bill only at a fixed price. Food, fuel and cash
are never bills. Of equal charges on one day each is read on its own: their sum is not a price.
Source: plan-semantics, section 3, and field, section 5.6.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from typing import Literal

from finplan.plan.amounts import by_nearness, comparable, is_steady, latest_step, spread_within
from finplan.plan.books import Series
from finplan.plan.cadence import rhythm_of
from finplan.plan.classes import Sheet
from finplan.plan.days import ORDINAL
from finplan.plan.ledger import LedgerPayee, Row
from finplan.plan.rhythm import Rhythm, fit
from finplan.plan.series import Moment, Occurrence, Origin, by_day, occurred, regular

Latitude = Literal["habit", "even", "varying"]
"""How far amounts may differ: `habit` not at all, `even` by 15 %, `varying` as a meter does."""

_NEVER = frozenset({"cash", "unlinked_card", "groceries", "transport", "dining"})
"""Withdrawals, payments to unknown cards, food and fuel repeat, yet nobody bills them."""

_HABITS = frozenset({"shopping", "entertainment", "interest_fees"})
"""Interest follows what is owed and a fee what was done: only a fixed price of either is a bill."""

_ATM = re.compile(r"\batm\b", re.IGNORECASE)
"""A fee for withdrawing cash is as little a bill as the cash."""

_VISITS = 3
"""So many charges a month at a payee that is in no category are visits rather than bills."""

_BILLED = """
rent mortgage home_upkeep utilities phone_internet insurance childcare education family_support
loan_payment taxes subscriptions
"""
_BILLS = frozenset(_BILLED.split())

_DAY_AND_AMOUNT = itemgetter(0, 1)

_OFTEN = frozenset({"weekly", "biweekly", "semimonthly"})

_MOST_PRICES = 24
"""How many of a payee's repeated amounts are tried: a busy shop has hundreds by chance."""

_TAIL = 72
"""How many of a payee's last charges tell whether they are one bill."""

_MOST_CLUSTERS = 4
"""More groups of near amounts than this are no groups."""


@dataclass(frozen=True, slots=True)
class _Stream:
    """Ordered charges of one payee that keep a rhythm together; those of one day count as one."""

    charges: list[Occurrence]
    rhythm: Rhythm

    @property
    def first(self) -> int:
        return self.charges[0][0]

    @property
    def price(self) -> int:
        return self.charges[-1][1]


def charges(
    sheets: Iterable[Sheet], payees: Mapping[int, LedgerPayee], moment: Moment
) -> list[Series]:
    """The recurring charges of all history, active or not, dearest month first."""
    found = [
        regular(_origin(sheet, payees), stream.charges, stream.rhythm, moment)
        for sheet in sheets
        if sheet.flow == "spending" and len(sheet.rows) > 1 and _may_be_billed(sheet, payees)
        for stream in _streams(sheet)
    ]
    return sorted(found, key=lambda one: (-one.monthly, one.name, one.payees, one.first_date))


def _may_be_billed(sheet: Sheet, payees: Mapping[int, LedgerPayee]) -> bool:
    """Whether regular charges of a sheet can be a bill at all, going by what they are for."""
    if sheet.category == "interest_fees":
        return _ATM.search(payees[sheet.payee].name) is None
    if sheet.category == "uncategorized":
        days = ORDINAL[sheet.rows[-1][2]] - ORDINAL[sheet.rows[0][2]]
        # There is one more charge than there are periods between the first and the last.
        return (len(sheet.rows) - 1) * 365 < _VISITS * 12 * days
    return sheet.category not in _NEVER


def _origin(sheet: Sheet, payees: Mapping[int, LedgerPayee]) -> Origin:
    return Origin((sheet.payee,), payees[sheet.payee].name, sheet.category)


def _latitude(category: str) -> Latitude:
    """How far the amounts of a category's charges may differ in one series."""
    if category in _HABITS:
        return "habit"
    return "varying" if category in _BILLS else "even"


def _streams(sheet: Sheet) -> list[_Stream]:
    """The series among one sheet's charges; no charge is in two of them."""
    leeway = _latitude(sheet.category)
    rows = [row for row in sheet.rows if row[3] < 0]
    least = 3 if leeway == "habit" or len(rows) > _MOST_PRICES else 2
    prices = _prices(rows, least)
    if leeway == "habit":
        # Most rows of a ledger are habits, so nothing is made of those that repeat no amount.
        rows = [row for row in rows if -row[3] in prices]
    return [
        stream
        for layer in _layers(occurred(rows, outflows=True))
        for stream in (
            _of_habit(layer, prices) if leeway == "habit" else _of_bills(layer, prices, leeway)
        )
    ]


def _layers(paid: Sequence[Occurrence]) -> list[Sequence[Occurrence]]:
    """Ordered charges such that equal ones of a day are apart: the first of each day, the second, ..."""
    if len(set(map(_DAY_AND_AMOUNT, paid))) == len(paid):
        return [paid]
    times: Counter[tuple[int, int]] = Counter()
    layers: defaultdict[int, list[Occurrence]] = defaultdict(list)
    for charge in paid:
        day_and_amount = _DAY_AND_AMOUNT(charge)
        layers[times[day_and_amount]].append(charge)
        times[day_and_amount] += 1
    return list(layers.values())


def _of_habit(equal: Sequence[Occurrence], prices: frozenset[int]) -> list[_Stream]:
    """The fixed prices among charges that repeat an amount, monthly or rarer."""
    return _join_steps(
        [stream for stream in _fixed(equal, prices) if stream.rhythm.cadence not in _OFTEN]
    )


def _of_bills(
    paid: Sequence[Occurrence], prices: frozenset[int], leeway: Latitude
) -> list[_Stream]:
    """The series of a payee that may bill: fixed prices, one bill that varies, or near amounts."""
    fixed = _join_steps(_fixed(paid, prices))
    if len(fixed) < 2:
        whole = _whole(paid, leeway)
        if whole and (not fixed or _explains_more(whole, fixed[0], len(paid))):
            return [whole]
    taken = {charge for stream in fixed for charge in stream.charges}
    rest = [charge for charge in paid if charge not in taken]
    return [_continued(stream, rest) for stream in fixed] + _clustered(rest, leeway)


def _prices(rows: Sequence[Row], least: int) -> frozenset[int]:
    """The amounts that repeat, at least so many times; the most frequent if they are many."""
    if len(rows) < least:
        return frozenset()
    times = Counter([row[3] for row in rows])
    repeated = sorted((-count, -amount) for amount, count in times.items() if count >= least)
    return frozenset(amount for _, amount in repeated[:_MOST_PRICES])


def _fixed(paid: Sequence[Occurrence], prices: frozenset[int]) -> list[_Stream]:
    """Equal amounts that keep a rhythm of their own."""
    needed = _dates_needed(len(prices))
    by_price: dict[int, list[Occurrence]] = {price: [] for price in prices}
    for charge in paid:
        if charge[1] in by_price:
            by_price[charge[1]].append(charge)
    streams = []
    for equal in by_price.values():
        rhythm = rhythm_of(_days(equal))
        if rhythm is None or rhythm.seen < (2 if rhythm.cadence == "annual" else needed):
            continue
        # Where prices are many, some repeat about a month apart by accident, but not on one day.
        if len(prices) == 1 or rhythm.strays_at_most(1):
            streams.append(_Stream(_up_to(rhythm.last, equal), rhythm))
    return streams


def _dates_needed(prices: int) -> int:
    """How many dates rule out chance: one distance in eight fits some cadence, and each price tries.

    The bound is 3 in 100 that any of the prices keeps a rhythm by accident.
    """
    return next(dates for dates in count(3) if 100 * prices <= 3 * 8 ** (dates - 1))


def _join_steps(streams: Sequence[_Stream]) -> list[_Stream]:
    """Streams of one cadence, the later beginning where the earlier ends: one price, raised or cut."""
    joined: list[_Stream] = []
    for later in sorted(streams, key=lambda stream: (stream.first, stream.price)):
        earlier = min(
            (stream for stream in joined if _leads_to(stream, later)),
            key=lambda stream: abs(stream.price - later.price),
            default=None,
        )
        if earlier is None:
            joined.append(later)
        else:
            both = earlier.charges + later.charges
            rhythm = rhythm_of(_days(both)) or later.rhythm
            joined[joined.index(earlier)] = _Stream(both, rhythm)
    return joined


def _leads_to(earlier: _Stream, later: _Stream) -> bool:
    pause = later.first - earlier.rhythm.last
    return (
        earlier.rhythm.cadence == later.rhythm.cadence
        and 0 < 2 * pause <= 5 * earlier.rhythm.interval_days
        and comparable(earlier.price, later.price)
    )


def _whole(paid: Sequence[Occurrence], leeway: Latitude) -> _Stream | None:
    """All the charges as one series, if they keep a rhythm and differ no more than they may."""
    rhythm = rhythm_of(_days(paid[-_TAIL:]))
    if rhythm is None:
        return None
    kept = _up_to(rhythm.last, paid)
    amounts = [amount for _, amount, _ in by_day(kept)]
    return _Stream(kept, rhythm) if _even_enough(amounts, rhythm, leeway) else None


def _even_enough(amounts: Sequence[int], rhythm: Rhythm, leeway: Latitude) -> bool:
    """Whether amounts that came in a rhythm are near enough to each other to be one charge."""
    if len(amounts) == 2:
        return rhythm.cadence == "annual" and amounts[0] == amounts[1]
    if leeway == "even" and rhythm.cadence in _OFTEN:
        return spread_within(amounts, 2) or latest_step(amounts) is not None
    if spread_within(amounts, 15) or is_steady(amounts):
        return True
    # Gas in winter is seven times what it is in summer, so a bill's dates alone must be reliable.
    return leeway == "varying" and len(amounts) >= 5 and rhythm.strays_at_most(2)


def _explains_more(whole: _Stream, fixed: _Stream, paid: int) -> bool:
    """Whether a bill that varies says more than the equal charges in it: same cadence, more charges."""
    return (
        whole.rhythm.cadence == fixed.rhythm.cadence
        and len(whole.charges) > len(fixed.charges)
        and 10 * len(fixed.charges) < 9 * paid
    )


def _continued(stream: _Stream, rest: list[Occurrence]) -> _Stream:
    """The stream with the charges that came when it was due at a new price; taken out of `rest`."""
    rhythm, kept = stream.rhythm, list(stream.charges)
    leeway = max(3, rhythm.interval_days // 6)
    while True:
        due = rhythm.due()
        near = [
            one for one in rest if abs(one[0] - due) <= leeway and comparable(one[1], kept[-1][1])
        ]
        if not near:
            return _Stream(kept, rhythm)
        taken = min(near, key=lambda one: (abs(one[0] - due), one))
        rest.remove(taken)
        kept.append(taken)
        rhythm = fit(rhythm.cadence, _days(kept), rhythm.interval_days)


def _clustered(rest: Sequence[Occurrence], leeway: Latitude) -> list[_Stream]:
    """Series among charges of near amounts: two meters at one supplier, two policies at one insurer."""
    if len(rest) < 3:
        return []
    bounds = by_nearness([amount for _, amount, _ in rest])
    if len(bounds) > _MOST_CLUSTERS:
        return []
    clusters = ([one for one in rest if low <= one[1] <= high] for low, high in bounds)
    return [stream for stream in (_whole(cluster, leeway) for cluster in clusters) if stream]


def _up_to(last: int, charges: Sequence[Occurrence]) -> list[Occurrence]:
    return [charge for charge in charges if charge[0] <= last]


def _days(charges: Sequence[Occurrence]) -> list[int]:
    """The distinct days of ordered charges."""
    return list(dict.fromkeys([day for day, _, _ in charges]))
