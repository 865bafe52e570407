"""Which rows of an account are those that its bank lists now, though they came from elsewhere.

A statement file and a bank's own list name one row by other ids, and may date it by the booking or by
the value day. Each row is one other at most, so that what happened twice stays twice.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from finplan.plan.ledger.days import ORDINAL
from finplan.plan.pairing.repetition import DAYS_APART

Key = TypeVar("Key", bound=Hashable)


class ComparedRow(NamedTuple):
    """A row's payee, its day YYYYMMDD and its amount."""

    payee: int
    day: int
    amount: int


def joined_rows(
    listed: Mapping[Key, ComparedRow], present: Mapping[int, ComparedRow]
) -> dict[Key, int]:
    """The present row that each listed one is: the nearest of its amount, of its payee before others."""
    found: dict[Key, int] = {}
    by_amount: dict[int, list[int]] = defaultdict(list)
    for number, row in present.items():
        by_amount[row.amount].append(number)
    near = [
        (_apart(row, present[number]), present[number].payee != row.payee, place, number)
        for place, row in enumerate(listed.values())
        for number in by_amount.get(row.amount, ())
        if _apart(row, present[number]) <= DAYS_APART
    ]
    keys: Sequence[Key] = list(listed)
    taken: set[int] = set()
    for _, _, place, number in sorted(near):
        if keys[place] not in found and number not in taken:
            found[keys[place]] = number
            taken.add(number)
    return found


def _apart(one: ComparedRow, other: ComparedRow) -> int:
    return abs(ORDINAL[one.day] - ORDINAL[other.day])
