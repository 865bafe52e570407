"""Recognising an account by its rows, where a file names none: its days and rows tell whose it is.

An export comes under another file name each time. In the days that it has in common with an account
most of the rows are the same on both sides, or it is another account's.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from finplan.store.intake import Overlap

ENOUGH = 3
"""How many rows prove it; one or two, as a fee and its tax, are equal on two accounts by chance."""

MOST = 0.8
"""What share of the rows of the common days must be the same, on either side."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The accounts whose rows a file has for certain, and those whose it may have, by number."""

    certain: tuple[int, ...]
    perhaps: tuple[int, ...]


def recognise(overlaps: Mapping[int, Overlap]) -> Recognised:
    """Judge what a file has in common with some accounts, given by number.

    Equal days, amounts and texts prove it. Equal days and amounts alone, as in another format of the
    same account, only suggest it; so do equal rows that are few, or just half of those of one side.
    """
    certain = tuple(no for no, seen in overlaps.items() if _prove(seen.same, seen))
    perhaps = tuple(
        no
        for no, seen in overlaps.items()
        if no not in certain and (_suggest(seen) or _prove(seen.alike, seen))
    )
    return Recognised(certain, perhaps)


def _prove(rows: int, seen: Overlap) -> bool:
    return rows >= ENOUGH and rows >= MOST * max(seen.ours, seen.theirs)


def _suggest(seen: Overlap) -> bool:
    return seen.same > 0 and 2 * seen.same >= min(seen.ours, seen.theirs)
