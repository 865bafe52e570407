"""Charges that keep a rhythm together, and the three ways to find them among one payee's.

Equal amounts with a rhythm of their own are the surest: two subscriptions stay two, and a price
step joins what it parted. All charges together may be one bill that varies. What is left may hold
chains of near amounts (`varying_bills`). An occurrence is a day, a positive amount and an account;
days are ordinals. Source: detection, section 3.

A word of the person on one charge, or a rule for one amount, says what that charge was for. The
bill still came that month, so its series must not lack it: for detection alone, a charge that is
filed apart from its payee's others lies with the rest of them.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, groupby, pairwise
from operator import attrgetter, itemgetter
from typing import Literal

from finplan.plan.detect.cadence import DISTANCES, rhythm_of_bill
from finplan.plan.detect.rhythm import DAYS, Rhythm, fit
from finplan.plan.detect.series import Occurrence, merged_by_day
from finplan.plan.ledger.amounts import (
    comparable,
    is_steady,
    latest_step,
    median,
    mostly_within,
    spread_within,
)
from finplan.plan.ledger.classes import Sheet
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, PEER, Row

AmountTolerance = Literal["fixed", "even", "varying"]
"""How far amounts may differ: `fixed` not at all, `even` by about a fifth, `varying` as a meter does."""

OFTEN = frozenset({"weekly", "biweekly", "semimonthly"})
"""The cadences at which people visit shops, so that a bill must keep its price to be told from them."""

_FIT_BY_CHANCE = 8
"""One distance in so many fits some cadence."""

_MOST_CHANCE = 0.03
"""The chance that may remain that a payee's charges keep a rhythm by accident."""

LEAST_VARYING = 5
"""So many charges on their day show a bill whatever the meter says."""

MOST_BESIDE_A_PAIR = 12
"""One pair of a shop's charges in fifty is of one amount, and one in fifty is about a year apart, so
that twelve charges, which are 66 pairs, hold both by accident in 3 cases of 100."""

_MOST_BESIDE_A_RENEWAL = 4
"""Unequal amounts within 15% are ten times as many by accident."""

_RENEWED = (350, 380)
"""The fewest and the most days after which a yearly charge comes again."""

_RENEWED_WITHIN = 15
"""Percent by which its price may differ."""

_TAIL_OF_CHARGES = 72
"""How many of a payee's last charges tell whether they are one bill."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Ordered charges of a payee, or credits of a payer, that keep a rhythm together.

    Those of one day count as one.
    """

    charges: Sequence[Occurrence]
    rhythm: Rhythm

    @property
    def first(self) -> int:
        """The ordinal of the first charge."""
        return self.charges[0][0]

    @property
    def price(self) -> int:
        """The last amount."""
        return self.charges[-1][1]


def days_of(charges: Sequence[Occurrence]) -> list[int]:
    """The distinct days of ordered charges."""
    return list(dict.fromkeys([day for day, _, _ in charges]))


def may_be_chance(rhythm: Rhythm, tries: int) -> bool:
    """Whether as many charges on any days might keep such a rhythm in one of so many tries.

    The first charge says where the slots are and the second which cadence it is (where only distances
    are even, a third says how long they are); each further one falls so near to its slot by accident as
    the share of days that are so near. The bound is 3 in 100.
    """
    near = min(1.0, (1 + 2 * rhythm.cost / rhythm.fitted) / rhythm.interval_days)
    informative = rhythm.fitted - (2 if rhythm.anchors or rhythm.cadence in DAYS else 3)
    return tries / _FIT_BY_CHANCE * near ** max(informative, 0) > _MOST_CHANCE


def fixed_price_streams(
    paid: Sequence[Occurrence], prices: frozenset[int], tries: int
) -> list[Stream]:
    """Equal amounts that keep a rhythm of their own, a price step joined; three charges or more.

    Only the amounts among `prices` are tried, and `tries` is how many amounts might have been.
    """
    if not prices:
        return []
    by_price: Mapping[int, list[Occurrence]] = {price: [] for price in prices}
    for charge in paid:
        if charge[1] in by_price:
            by_price[charge[1]].append(charge)
    streams = []
    for equal in by_price.values():
        rhythm = rhythm_of_bill(days_of(equal))
        if rhythm is not None and rhythm.fitted > 2 and not may_be_chance(rhythm, tries):
            streams.append(Stream(_up_to(rhythm.last, equal), rhythm))
    return _join_steps(streams)


def yearly_streams(occurrences: Sequence[Occurrence]) -> list[Stream]:
    """Pairs of like amounts a year apart, unless so many charges would hold one by accident.

    Equal amounts are paired first; others differ by 15% at most, as what is renewed does.
    """
    if not 2 <= len(occurrences) <= MOST_BESIDE_A_PAIR:
        return []
    pairs = sorted(
        (abs(later[1] - earlier[1]), later[0] - earlier[0], earlier, later)
        for index, earlier in enumerate(occurrences)
        for later in occurrences[index + 1 :]
        if _is_renewed(earlier, later)
    )
    streams: list[Stream] = []
    taken: set[Occurrence] = set()
    for change, _, earlier, later in pairs:
        if taken & {earlier, later} or (change and len(occurrences) > _MOST_BESIDE_A_RENEWAL):
            continue
        taken |= {earlier, later}
        days = [earlier[0], later[0]]
        streams.append(Stream([earlier, later], fit("annual", days, days[1] - days[0])))
    return streams


def _is_renewed(earlier: Occurrence, later: Occurrence) -> bool:
    """Whether a charge came again after a year, at a price within 15%."""
    fewest, most = _RENEWED
    return (
        fewest <= later[0] - earlier[0] <= most
        and 100 * abs(later[1] - earlier[1]) <= _RENEWED_WITHIN * earlier[1]
    )


def single_bill(paid: Sequence[Occurrence], tolerance: AmountTolerance) -> Stream | None:
    """All the charges as one series, if they keep a rhythm and differ no more than they may."""
    rhythm = rhythm_of_bill(days_of(paid[-_TAIL_OF_CHARGES:]))
    if rhythm is None or may_be_chance(rhythm, 1):
        return None
    charges = _up_to(rhythm.last, paid)
    merged = merged_by_day(charges)
    amounts = [amount for _, amount, _ in merged]
    if not _even_enough(amounts, rhythm, tolerance) or _is_two(charges, rhythm):
        return None
    if len(merged) == 3 and _is_uneven(merged, rhythm) and not spread_within(amounts, 2):
        return None
    return Stream(charges, rhythm)


def explains_more(bill: Stream, equal: Stream, paid: int) -> bool:
    """Whether a bill that varies explains more of all `paid` charges than the equal ones in it."""
    return (
        bill.rhythm.cadence == equal.rhythm.cadence
        and len(bill.charges) > len(equal.charges)
        and 10 * len(equal.charges) < 9 * paid
    )


def with_new_prices(stream: Stream, occurrences: list[Occurrence]) -> Stream:
    """The stream with the charges that came when it was due at a new price; taken out of `occurrences`.

    Where other charges of such amounts are so many that one comes near any day, none is taken.
    """
    rhythm, charges = stream.rhythm, list(stream.charges)
    tolerance = max(3, rhythm.interval_days // 6)
    like = [charge for charge in occurrences if comparable(charge[1], stream.price)]
    if _are_crowded(like, stream, tolerance):
        return stream
    while True:
        due = rhythm.due()
        near = [charge for charge in like if abs(charge[0] - due) <= tolerance]
        if not near:
            return Stream(charges, rhythm)
        taken = min(
            near, key=lambda charge: (abs(charge[0] - due), abs(charge[1] - charges[-1][1]), charge)
        )
        occurrences.remove(taken)
        like.remove(taken)
        charges.append(taken)
        rhythm = fit(rhythm.cadence, days_of(charges), rhythm.interval_days)


def is_bill(charges: Sequence[Occurrence], rhythm: Rhythm, tolerance: AmountTolerance) -> bool:
    """Whether charges that were picked out of a payee's are near enough to each other to be a bill."""
    amounts = [amount for _, amount, _ in charges]
    return len(amounts) >= LEAST_VARYING and _even_enough(amounts, rhythm, tolerance)


def _are_crowded(like: Sequence[Occurrence], stream: Stream, tolerance: int) -> bool:
    """Whether charges that may be the next lie between the slots so often as to come near any day."""
    if not like:
        return False
    slots = stream.rhythm.slots
    between = sum(next(slots(day - tolerance - 1)) > day + tolerance for day, _, _ in like)
    life = max(like)[0] - min(stream.first, min(like)[0])
    return between * (2 * tolerance + 1) * 10 > life


def _join_steps(streams: Sequence[Stream]) -> list[Stream]:
    """Streams of which the later begins where the earlier ends: one price, raised or cut."""
    joined: list[Stream] = []
    for later in sorted(streams, key=lambda stream: (stream.first, stream.price)):
        ways = (
            (abs(earlier.price - later.price), index, both)
            for index, earlier in enumerate(joined)
            if (both := _both(earlier, later)) is not None
        )
        nearest = min(ways, key=lambda way: way[:2], default=None)
        if nearest is None:
            joined.append(later)
        else:
            _, index, joined[index] = nearest
    return joined


def _both(earlier: Stream, later: Stream) -> Stream | None:
    """The stream that two make, if the first's rhythm goes on in the second at a like price.

    A few charges twice a month may have looked biweekly, so it is the rhythm of both that counts.
    """
    pause = later.first - earlier.rhythm.last
    if not (
        0 < 2 * pause <= 5 * earlier.rhythm.interval_days and comparable(earlier.price, later.price)
    ):
        return None
    both = [*earlier.charges, *later.charges]
    rhythm = rhythm_of_bill(days_of(both))
    if rhythm is not None and rhythm.cadence == earlier.rhythm.cadence:
        return Stream(both, rhythm)
    alike = earlier.rhythm.cadence == later.rhythm.cadence
    return Stream(both, later.rhythm) if alike else None


def _even_enough(amounts: Sequence[int], rhythm: Rhythm, tolerance: AmountTolerance) -> bool:
    """Whether amounts that came in a rhythm are near enough to each other to be one charge."""
    if tolerance != "varying" and rhythm.cadence in OFTEN:
        return spread_within(amounts, 2) or latest_step(amounts) is not None
    if mostly_within(amounts, 20) or is_steady(amounts):
        return True
    is_known = len(amounts) >= LEAST_VARYING
    if tolerance == "varying":
        # Gas in winter is seven times what it is in summer, so the dates alone must be reliable.
        return spread_within(amounts, 15) or (is_known and rhythm.strays_at_most(2))
    # Visits keep a weekday, and so stray by two days from any day of the month.
    on_its_day = rhythm.strays_at_most(1) and not rhythm.keeps_a_weekday()
    return is_known and on_its_day and mostly_within(amounts, 35)


def _is_uneven(charges: Sequence[Occurrence], rhythm: Rhythm) -> bool:
    """Whether a charge was skipped or late; of three, that leaves one distance or none to go by."""
    fewest, most = DISTANCES[rhythm.cadence]
    return any(not fewest <= later[0] - earlier[0] <= most for earlier, later in pairwise(charges))


def _is_two(charges: Sequence[Occurrence], rhythm: Rhythm) -> bool:
    """Whether two bills look like one: far amounts on one day, or large and small ones by turns."""
    amounts = [amount for _, amount, _ in charges]
    beside = [
        max(amount, next_amount) * 4 > min(amount, next_amount) * 5
        for (day, amount, _), (other_day, next_amount, _) in pairwise(charges)
        if day == other_day
    ]
    if 4 * len(beside) > len(charges) and 2 * sum(beside) > len(beside):
        return True
    if rhythm.cadence != "semimonthly" or len(amounts) < 2 * LEAST_VARYING:
        return False
    by_turns = [abs(later - amount) for amount, later in zip(amounts, amounts[2:], strict=False)]
    in_turn = [abs(later - amount) for amount, later in pairwise(amounts)]
    return 2 * median(by_turns) < median(in_turn)


def _up_to(last: int, charges: Sequence[Occurrence]) -> list[Occurrence]:
    return [charge for charge in charges if charge[0] <= last]


_PAYEE_OF_SHEET = attrgetter("payee")
_DAY_OF_ROW = itemgetter(DAY)

_FILED_SERIES = 3
"""So many charges that are filed alike are a series of their own, and stay in it."""


def with_filed_apart(
    sheets: Sequence[Sheet],
    billing: Callable[[Sheet], bool],
    find: Callable[[Sheet], Sequence[Stream]],
) -> list[Sheet]:
    """The sheets that may be billed, each with the charges of its series that are filed elsewhere.

    `find` tells the series of a sheet. A charge joins those that are most of its series, where one is
    missing; never one of income, of a transfer, or of a series that is filed apart as a whole.
    """
    gathered: list[Sheet] = []
    for _, group in groupby(sheets, key=_PAYEE_OF_SHEET):
        of_payee = list(group)
        if len(of_payee) > 1 and sum(map(_has_charges, of_payee)) > 1:
            gathered += filter(billing, _gathered_sheets(of_payee, billing, find))
        else:
            gathered += filter(billing, of_payee)
    return gathered


def _has_charges(sheet: Sheet) -> bool:
    return any(row[AMOUNT] < 0 for row in sheet.rows)


def _gathered_sheets(
    of_payee: Sequence[Sheet],
    billing: Callable[[Sheet], bool],
    find: Callable[[Sheet], Sequence[Stream]],
) -> Iterator[Sheet]:
    """One payee's sheets, the largest first to be asked what it lacks; none of them empty."""
    streams_of = {sheet.category: find(sheet) for sheet in of_payee}
    free = {
        sheet.category: _charges_to_lend(sheet, streams_of[sheet.category]) for sheet in of_payee
    }
    rows: Mapping[str, Sequence[Row]] = {sheet.category: sheet.rows for sheet in of_payee}
    for sheet in sorted(
        filter(billing, of_payee),
        key=lambda sheet_by_size: (-len(sheet_by_size.rows), sheet_by_size.category),
    ):
        here = sheet.category
        elsewhere = list(
            chain.from_iterable(free[category] for category in free if category != here)
        )
        if not elsewhere:
            continue
        merged = sorted([*rows[here], *elsewhere], key=_DAY_OF_ROW)
        lent = _lent_charges(rows[here], streams_of[here], find(replace(sheet, rows=merged)))
        taken = [row for row in elsewhere if _occurrence_of(row) in lent]
        gained = sorted([*rows[here], *taken], key=_DAY_OF_ROW)
        rows = {category: _rows_without(taken, rows[category]) for category in rows} | {
            here: gained
        }
        free = {category: _rows_without(taken, free[category]) for category in free}
    for sheet in of_payee:
        if rows[sheet.category]:
            yield replace(sheet, rows=rows[sheet.category])


def _charges_to_lend(sheet: Sheet, streams: Sequence[Stream]) -> list[Row]:
    """The charges of a sheet that may be of a series which is filed elsewhere."""
    if sheet.flow == "income":
        return []
    taken = {
        charge
        for stream in streams
        if len(stream.charges) >= _FILED_SERIES
        for charge in stream.charges
    }
    return [
        row
        for row in sheet.rows
        if row[AMOUNT] < 0 and not row[PEER] and _occurrence_of(row) not in taken
    ]


def _lent_charges(
    rows: Sequence[Row], before: Sequence[Stream], after: Sequence[Stream]
) -> Collection[Occurrence]:
    """The charges from elsewhere in series that run on in them, and lose none that they had before."""
    own: Mapping[Occurrence, int] = Counter(_occurrence_of(row) for row in rows)
    lent: set[Occurrence] = set()
    for stream in after:
        own_charges = [charge for charge in stream.charges if own.get(charge)]
        away = [charge for charge in stream.charges if not own.get(charge)]
        touched = [lender for lender in before if set(lender.charges) & set(own_charges)]
        if len(away) < len(own_charges) and all(
            set(lender.charges) <= set(own_charges) for lender in touched
        ):
            lent |= {
                charge
                for charge in away
                if _is_missing(charge, own_charges, stream.rhythm.interval_days)
            }
    return lent


def _is_missing(charge: Occurrence, occurrences: Sequence[Occurrence], interval_days: int) -> bool:
    """Whether no charge of the series came within half a period of this one."""
    return all(2 * abs(charge[0] - day) > interval_days for day, _, _ in occurrences)


def _rows_without(taken: Collection[Row], rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row not in taken]


def _occurrence_of(row: Row) -> Occurrence:
    return ORDINAL[row[DAY]], -row[AMOUNT], row[ACCOUNT]
