"""Whether the rows of one account go on with those of another: told by their days and balances.

Banks give an account out month by month, under another file's name each time. What a file says of its
account ends where the next one begins.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from finplan.plan.ledger.days import Interval
from finplan.plan.pairing.repetition import DatedAmount


@dataclass(frozen=True, slots=True)
class Stretch:
    """The days that some files cover of an account, and what its balance was and became there.

    `intervals` are in order, so are `stated`, days YYYYMMDD with the balance that a file states as of
    each in the bank's own sign; `moved` tells what the rows after a day and up to another add up to.
    """

    intervals: Sequence[Interval]
    stated: Sequence[tuple[int, int]]
    moved: Callable[[int, int], int]


def balance_goes_on(one: Stretch, other: Stretch) -> bool:
    """Say whether the later one's first balance follows from the earlier one's last and the rows.

    A balance of nothing shows nothing, since every card that is paid off goes on from it.
    """
    return unexplained(one, other) == 0 and _in_order(one, other)[0].stated[-1][1] != 0


def unexplained(one: Stretch, other: Stretch) -> int | None:
    """What the rows leave open between the earlier one's last balance and the later one's first.

    None where nothing tells: days that both cover, or one without a balance.
    """
    if not all((one.intervals, one.stated, other.intervals, other.stated)):
        return None
    before, after = _in_order(one, other)
    day, balance = before.stated[-1]
    later, ended = after.stated[0]
    if day >= later or before.intervals[-1].until > after.intervals[0].since:
        return None
    return ended - balance - before.moved(day, later) - after.moved(day, later)


def _in_order(one: Stretch, other: Stretch) -> tuple[Stretch, Stretch]:
    return (other, one) if other.intervals[0] < one.intervals[0] else (one, other)


def speak_against(
    ours: Iterable[DatedAmount],
    our_days: Sequence[Interval],
    theirs: Iterable[DatedAmount],
    their_days: Sequence[Interval],
) -> bool:
    """Say whether rows of two accounts are not one account's, since too many are on one side alone.

    A file has every row of its account on the days between its first and its last one.
    """
    left, right = Counter(ours), Counter(theirs)
    alone = _count_within(left - right, their_days) + _count_within(right - left, our_days)
    return alone > (left & right).total()


def _count_within(rows: Counter[DatedAmount], intervals: Sequence[Interval]) -> int:
    """How many rows are on a day that is covered and is no first or last one."""
    return sum(
        any(each.since < day < each.until for each in intervals) for day, _ in rows.elements()
    )
