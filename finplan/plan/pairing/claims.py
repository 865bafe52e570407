"""Which pending rows newly posted rows are, where the bank gives a row another id once it posts.

A hold and its booking are equal, or the booking is larger by a tip. Nothing is claimed where another row
may be meant just as well: both stay then, and the person is asked (`duplicates`).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from finplan.plan.ledger.days import ORDINAL

POSTED_WITHIN = 8
"""Days after which an equal row is not the pending one any more."""

TIPPED_WITHIN = 3
LARGEST_TIP = 30
"""By how many hundredths a posted row may be larger than it waited."""


class WaitingCharge(NamedTuple):
    """A pending row; `listed` says that the bank still lists it beside what it has posted."""

    external_id: str
    payee: int
    day: int
    amount: int
    listed: bool


class NewlyPosted(NamedTuple):
    """A row that was posted since the last sync; days are YYYYMMDD, amounts as on statements."""

    external_id: str
    payee: int
    day: int
    amount: int


def claimed(
    waiting: Sequence[WaitingCharge], posted: Iterable[NewlyPosted]
) -> dict[str, NewlyPosted]:
    """The posted row that each claimed pending one became, by the pending one's id; one account's rows.

    Equal amounts come first: of one payee before others, what the bank lists no more before what it
    still does, the nearest day, then the oldest. Then come tips, where each fits one other alone.
    """
    rows = list(posted)
    found: dict[str, NewlyPosted] = {}
    taken: set[int] = set()
    for _, held, place in sorted(_equal(waiting, rows)):
        if waiting[held].external_id not in found and place not in taken:
            found[waiting[held].external_id] = rows[place]
            taken.add(place)
    left = [each for each in waiting if each.external_id not in found]
    return found | dict(_tipped(left, [row for at, row in enumerate(rows) if at not in taken]))


def _equal(
    waiting: Sequence[WaitingCharge], posted: Sequence[NewlyPosted]
) -> Iterator[tuple[tuple[bool, bool, int], int, int]]:
    for place, row in enumerate(posted):
        for at, held in enumerate(waiting):
            days = ORDINAL[row.day] - ORDINAL[held.day]
            is_other = held.payee != row.payee and held.listed
            if held.amount == row.amount and 0 <= days <= POSTED_WITHIN and not is_other:
                yield (held.payee != row.payee, held.listed, days), at, place


def _tipped(
    waiting: Iterable[WaitingCharge], posted: Sequence[NewlyPosted]
) -> Iterator[tuple[str, NewlyPosted]]:
    fits = [
        (held, row)
        for held in waiting
        # What the bank lists beside the posted row is another one, as far as anybody knows.
        if held.amount < 0 and not held.listed
        for row in posted
        if row.payee == held.payee
        and 0 <= ORDINAL[row.day] - ORDINAL[held.day] <= TIPPED_WITHIN
        and 100 * held.amount > 100 * row.amount >= (100 + LARGEST_TIP) * held.amount
    ]
    held_by = Counter(held.external_id for held, _ in fits)
    taken_by = Counter(row for _, row in fits)
    for held, row in fits:
        if held_by[held.external_id] == 1 and taken_by[row] == 1:
            yield held.external_id, row
