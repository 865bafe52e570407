"""Which of a payer's credits are its pay, and which came beside it.

A payer may send one pay, in one part or several, or two streams of their own, such as two pensions; a
bonus or a repaid expense comes beside these. An occurrence is a day, a positive amount and an account;
days are ordinals. Source: plan-semantics, C28 and C34.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter

from finplan.plan.detect.cadence import is_active, rhythm_of
from finplan.plan.detect.rhythm import Rhythm, fit
from finplan.plan.detect.series import Occurrence, merged_by_day
from finplan.plan.detect.streams import Stream, days_of, fixed_price_streams, with_new_prices
from finplan.plan.ledger.amounts import comparable, median, same_amount

_LEAST_TO_PART = 3
"""So many equal amounts show a stream of its own."""

_MOST_STREAMS = 3
"""Of more amounts in turn nobody knows that they are streams: pay that varies repeats itself."""

_UNEXPLAINED = 10
"""At most one in so many credits may lie in none of several streams."""

_OFF_ITS_DAY = 3
"""Days from its slot beyond which a second credit of a period came beside the pay."""

_LATEST = 24
"""So many of the last credits are held against the slots."""

_A_MONTH = 36
"""Days: two streams that keep one rhythm together come monthly at least."""

_OFTEN = 10
"""Days: what comes more often than that has no room for a second credit in a period."""

_DAY = itemgetter(0)


@dataclass(frozen=True, slots=True)
class Pay:
    """The credits of one stream, one for each payday, and the rhythm that they keep."""

    credits: Sequence[Occurrence]
    rhythm: Rhythm


@dataclass(frozen=True, slots=True)
class PayerCredits:
    """The pays of one payer, and the single credits that came beside them."""

    pays: Sequence[Pay]
    beside: Sequence[Occurrence]


def find_pays(received: Sequence[Occurrence], *, is_work: bool) -> PayerCredits:
    """Part ordered credits of one payer into its pays and the rest.

    Credits that keep no rhythm are all beside. `is_work` says that they are wages: pay twice a month in
    two amounts is one pay then.
    """
    streams = _part_streams(received, is_work=is_work)
    if streams:
        taken = Counter(one for pay in streams for one in pay.credits)
        return PayerCredits(streams, _left_of(received, taken))
    paydays = _one_a_day(received)
    pay = _keep_rhythm(paydays)
    if pay is None:
        return PayerCredits((), received)
    kept = _one_a_period(pay)
    days = {day for day, _, _ in kept.credits}
    whole = {day: amount for day, amount, _ in kept.credits}
    taken = Counter()
    for day, parts in groupby(received, _DAY):
        if day in days:
            of_day = list(parts)
            together = sum(amount for _, amount, _ in of_day) == whole[day]
            taken.update(of_day if together else [next(o for o in of_day if o[1] == whole[day])])
    return PayerCredits((kept,), _left_of(received, taken))


def _left_of(received: Sequence[Occurrence], taken: Counter[Occurrence]) -> list[Occurrence]:
    left = Counter(received)
    left.subtract(taken)
    return sorted(left.elements())


def _part_streams(received: Sequence[Occurrence], *, is_work: bool) -> list[Pay]:
    """Two or more streams of fixed amounts that explain nearly all credits; empty where there are none.

    Each is one amount in a rhythm of its own, with what it was raised to.
    """
    times = Counter(amount for _, amount, _ in received)
    prices = frozenset(amount for amount, count in times.items() if count >= _LEAST_TO_PART)
    if len(prices) < 2:
        return []
    streams = fixed_price_streams(received, prices, len(prices))
    if not 2 <= len(streams) <= _MOST_STREAMS:
        return []
    taken = {one for stream in streams for one in stream.charges}
    rest = [one for one in received if one not in taken]
    streams = [with_new_prices(stream, rest) for stream in streams]
    by_start = sorted(streams, key=lambda stream: stream.first)
    if not all(_run_apart(*two) for two in pairwise(by_start)):
        return []
    if len(rest) * _UNEXPLAINED > len(received):
        return []
    whole = rhythm_of(sorted({day for day, _, _ in received}))
    if whole is not None and (
        (is_work and whole.cadence == "semimonthly")
        or len(streams) > 2
        or any(stream.rhythm.interval_days > _A_MONTH for stream in streams)
    ):
        # Amounts that come by turns are one pay that varies, or pay twice a month.
        return []
    return [Pay(merged_by_day(stream.charges), stream.rhythm) for stream in streams]


def _run_apart(stream: Stream, later: Stream) -> bool:
    """Whether two streams run at the same time on days of their own."""
    days, later_days = days_of(stream.charges), days_of(later.charges)
    shared = len(set(days) & set(later_days))
    return later_days[0] <= days[-1] and 2 * shared < min(len(days), len(later_days))


def _one_a_day(received: Sequence[Occurrence]) -> list[Occurrence]:
    """One credit for each day: all of the day where parts come together, else the one near the level.

    Parts come together where two of three paydays in a row have several.
    """
    days = [list(parts) for _, parts in groupby(received, _DAY)]
    several = [len(parts) > 1 for parts in days]
    if not any(several):
        return list(received)
    alone = [parts[0][1] for parts in days if len(parts) == 1]
    level = median(alone) if alone else 0
    chosen = []
    for index, parts in enumerate(days):
        near = several[max(0, index - 2) : index + 3]
        together = any(sum(near[start : start + 3]) > 1 for start in range(max(1, len(near) - 2)))
        if several[index] and not together and level:
            chosen.append(min(parts, key=lambda one: (abs(one[1] - level), one)))
        else:
            chosen += merged_by_day(parts)
    return chosen


def _keep_rhythm(received: Sequence[Occurrence]) -> Pay | None:
    """The credits that keep a rhythm: all of them, or those near the usual amount.

    Two credits make a rare cadence when their amounts are within 20 %.
    """
    rhythm = rhythm_of([day for day, _, _ in received])
    if rhythm and _is_afterwards(received, rhythm):
        return _keep_rhythm(received[:-1])
    if rhythm and len(received) == 2:
        low, high = sorted(amount for _, amount, _ in received)
        return Pay(received, rhythm) if 5 * low >= 4 * high else None
    if rhythm:
        return Pay(received, _gone_on(received, rhythm))
    if len(received) < 4:
        return None
    # A bonus or a repaid expense from the employer may lie between the paydays.
    middle = median([amount for _, amount, _ in received])
    near = [one for one in received if comparable(one[1], middle)]
    if not 3 <= len(near) < len(received):
        return None
    rhythm = rhythm_of([day for day, _, _ in near])
    return Pay(near, rhythm) if rhythm else None


def _gone_on(received: Sequence[Occurrence], rhythm: Rhythm) -> Rhythm:
    """The rhythm up to the last credit, where one or two of its size have come after a long pause."""
    before = [amount for day, amount, _ in received if day <= rhythm.last]
    after = [amount for day, amount, _ in received if day > rhythm.last]
    if not after or not all(comparable(amount, median(before)) for amount in after):
        return rhythm
    return fit(rhythm.cadence, [day for day, _, _ in received], rhythm.interval_days)


def _is_afterwards(received: Sequence[Occurrence], rhythm: Rhythm) -> bool:
    """Whether the last credit came after the pay had stopped, off its days and of another size.

    A repaid expense or what was left of a holiday is no sign that an employer pays again.
    """
    if len(received) < 4 or rhythm.last != received[-1][0]:
        return False
    before, (day, amount, _) = received[:-1], received[-1]
    earlier = fit(rhythm.cadence, [one[0] for one in before], rhythm.interval_days)
    tolerance = max(3, rhythm.interval_days // 6)
    return (
        not is_active(earlier.last, earlier.interval_days, day)
        and next(earlier.slots(day - tolerance - 1)) > day + tolerance
        and not comparable(amount, median([one[1] for one in before]))
    )


def _one_a_period(pay: Pay) -> Pay:
    """The pay without second credits of a period that came off its day, such as a bonus."""
    rhythm = pay.rhythm
    if rhythm.interval_days <= _OFTEN:
        return pay
    # The slots were fitted to the latest credits, and say little of those years before.
    kept = list(pay.credits[:-_LATEST])
    level = median([amount for _, amount, _ in pay.credits])
    latest = pay.credits[-_LATEST:]
    for _, of_slot in groupby(latest, lambda one: _nearest_slot(rhythm, one[0])[0]):
        kept += _on_their_day(rhythm, list(of_slot), level)
    if len(kept) == len(pay.credits) or len(kept) < 2:
        return pay
    days = [day for day, _, _ in kept]
    last = max(day for day in days if day <= rhythm.last)
    refitted = fit(rhythm.cadence, [day for day in days if day <= last], rhythm.interval_days)
    return Pay(kept, refitted)


def _on_their_day(
    rhythm: Rhythm, credits_: Sequence[Occurrence], level: int
) -> Iterator[Occurrence]:
    """The credits of one slot: of several, those near their day, or the one most like the pay."""
    if len(credits_) == 1:
        yield credits_[0]
        return
    near = [one for one in credits_ if _nearest_slot(rhythm, one[0])[1] <= _OFF_ITS_DAY]
    alike = [one for one in credits_ if same_amount(one[1], level)]
    if len(alike) == 1:
        yield alike[0]
    else:
        yield from near or [min(credits_, key=lambda one: (abs(one[1] - level), one))]


def _nearest_slot(rhythm: Rhythm, day: int) -> tuple[int, int]:
    """The slot that a day is nearest to, and how many days lie between."""
    slots = rhythm.slots(day - rhythm.interval_days)
    before = next(slots)
    while (after := next(slots)) <= day:
        before = after
    slot = min((before, after), key=lambda one: abs(one - day))
    return slot, abs(slot - day)
