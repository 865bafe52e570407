"""Recognising an account by its rows, where a file names none: its days and rows tell whose it is.

An export comes under another file name each time. In the days that it has in common with an account
the rows are the same on both sides, or it is another account's: two accounts of one person may get the
same standing orders and pay the same fees.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping

from finplan.store.queries.overlaps import Overlap, overlap_with_held, overlap_with_staged

ENOUGH = 3
"""How many rows tell; one or two, as a fee and its tax, are on two accounts by chance."""

DIFFERENT = 6
"""How many different amounts prove it; the same few standing orders and fees are on two accounts."""

MOST = 0.8
"""What share of the rows of the common days must be the same, on either side."""

CHANCE = 0.05
"""What share of the rows of two accounts may have days and amounts in common by chance."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The accounts whose rows a file has for certain, very likely, or perhaps, by number."""

    certain: tuple[int, ...]
    likely: tuple[int, ...]
    perhaps: tuple[int, ...]

    def strength(self, account: int) -> int:
        """How much the rows speak for an account: from 0, not at all, to 3, for certain."""
        return (
            3 * (account in self.certain) + 2 * (account in self.likely) + (account in self.perhaps)
        )


@dataclass(frozen=True, slots=True)
class RowsOfFile:
    """The staged rows of an account of the files, given by its local number."""

    connection: Connection
    local: int

    def among(self, held: Iterable[RowMapping]) -> Recognised:
        """What the rows tell of some accounts."""
        return recognise({row["no"]: self._beside_held(row["no"]) for row in held})

    def beside(self, places: Iterable[int]) -> Recognised:
        """What the rows tell of other accounts of the files."""
        return recognise(
            {place: overlap_with_staged(self.connection, self.local, place) for place in places}
        )

    def those_of(self, held: Iterable[RowMapping]) -> list[RowMapping]:
        """Of some accounts those whose rows these are, for certain or very likely."""
        listed = list(held)
        told = self.among(listed)
        return [row for row in listed if row["no"] in (*told.certain, *told.likely)]

    def rivals_of(self, held: RowMapping, others: Iterable[RowMapping]) -> list[RowMapping]:
        """Of other accounts those that the rows speak for, and no less than for a given one."""
        listed = list(others)
        told = self.among([held, *listed])
        least = max(1, told.strength(held["no"]))
        return [row for row in listed if told.strength(row["no"]) >= least]

    def deny(self, account: int) -> bool:
        """Say whether the rows speak against an account that a name or a header leads to."""
        return contradict(self._beside_held(account))

    def _beside_held(self, account: int) -> Overlap:
        return overlap_with_held(self.connection, self.local, account)


def recognise(overlaps: Mapping[int, Overlap]) -> Recognised:
    """Judge what a file has in common with some accounts, given by number.

    Equal days, amounts and texts prove it where no row of the common days is on one side alone, and the
    amounts are several; where most rows are the same it is likely. Equal days and amounts alone, as in
    another format of the same account, only suggest it; so do equal rows that are few, or just half of
    those of one side.
    """
    likely = [no for no, seen in overlaps.items() if _most(seen.same, seen)]
    certain = tuple(no for no in likely if _is_all(overlaps[no]))
    perhaps = tuple(
        no
        for no, seen in overlaps.items()
        if no not in likely and (_suggest(seen) or _most(seen.alike, seen))
    )
    return Recognised(certain, tuple(no for no in likely if no not in certain), perhaps)


def contradict(seen: Overlap) -> bool:
    """Say whether two accounts are hardly one: both have rows on common days, and hardly any alike."""
    fewest = min(seen.ours, seen.theirs)
    return fewest >= ENOUGH and seen.alike < CHANCE * fewest


def _most(rows: int, seen: Overlap) -> bool:
    return rows >= ENOUGH and rows >= MOST * max(seen.ours, seen.theirs)


def _is_all(seen: Overlap) -> bool:
    return seen.apart == 0 and seen.amounts >= DIFFERENT


def _suggest(seen: Overlap) -> bool:
    return seen.same > 0 and 2 * seen.same >= min(seen.ours, seen.theirs)
