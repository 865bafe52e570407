"""All rows that count, added up by payee, so that those of any time are a difference of two sums.

Nothing here knows a category, so that filing a payee elsewhere leaves all of it as it is.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from operator import sub
from typing import TypeAlias

from finplan.store.queries.spending import PaidDay

MOST_NUMBERS = 500_000
"""How many numbers the sums up to the marks may be in all, of eight bytes each and for both kinds."""

MOST_MARKS = 256

Vector: TypeAlias = "array[int]"

Fact = tuple[int, int, int]
"""The place of a day, what was spent on it, and by how many rows."""


class RowSums:
    """Sums of every payee and day, and for some places among them, the marks, of all before the place.

    A slot is either what went to a payee, at the payee's rank, or what came from it, at the slot that
    `inflows` has for the rank: the two may be filed apart. `days` are in order, YYYYMMDD; what is spent
    is positive.
    """

    def __init__(self, rows: Iterable[PaidDay], ranks: Mapping[int, int]) -> None:
        """Add up rows in the order of their days; `ranks` has the rank of each payee, from 0 on."""
        self.inflows: dict[int, int] = {}
        self.days: list[int] = []
        self._starts: list[int] = []
        self._slots, self._totals, self._counts = array("q"), array("q"), array("q")
        for payee, day, total, count, inflow, inflow_count in rows:
            if not self.days or self.days[-1] != day:
                self.days.append(day)
                self._starts.append(len(self._slots))
            rank = ranks[payee]
            if inflow_count:
                self._slots.append(self.inflows.setdefault(rank, len(ranks) + len(self.inflows)))
                self._totals.append(-inflow)
                self._counts.append(inflow_count)
            if count > inflow_count:
                self._slots.append(rank)
                self._totals.append(inflow - total)
                self._counts.append(count - inflow_count)
        self._starts.append(len(self._slots))
        self._add_up(len(ranks) + len(self.inflows))

    def between(self, since: int, until: int) -> tuple[list[int], list[int]]:
        """What each slot comes to from day to day, YYYYMMDD inclusive, and by how many rows."""
        first, last = (self._starts[place] for place in self.places(since, until))
        low, high = first // self._apart, last // self._apart
        totals = list(map(sub, self._totals_before[high], self._totals_before[low]))
        counts = list(map(sub, self._counts_before[high], self._counts_before[low]))
        for place in range(high * self._apart, last):
            totals[self._slots[place]] += self._totals[place]
            counts[self._slots[place]] += self._counts[place]
        for place in range(low * self._apart, first):
            totals[self._slots[place]] -= self._totals[place]
            counts[self._slots[place]] -= self._counts[place]
        return totals, counts

    def places(self, since: int, until: int) -> tuple[int, int]:
        """The places among `days` of the first day from one on, and of the first after another."""
        first = bisect_left(self.days, since)
        return first, max(first, bisect_right(self.days, until))

    def facts(self) -> Iterator[tuple[int, Fact]]:
        """Every fact with its slot."""
        for place, (start, end) in enumerate(zip(self._starts, self._starts[1:], strict=False)):
            for each in range(start, end):
                yield self._slots[each], (place, self._totals[each], self._counts[each])

    def facts_of(self, slots: Container[int]) -> Iterator[tuple[int, Fact]]:
        """The facts of some slots, each with its slot."""
        for each, slot in enumerate(self._slots):
            if slot in slots:
                place = bisect_right(self._starts, each) - 1
                yield slot, (place, self._totals[each], self._counts[each])

    def _add_up(self, slots: int) -> None:
        marks = max(1, min(MOST_MARKS, MOST_NUMBERS // max(1, slots)))
        self._apart = len(self._slots) // marks + 1
        totals, counts = array("q", bytes(8 * slots)), array("q", bytes(8 * slots))
        self._totals_before: list[Vector] = []
        self._counts_before: list[Vector] = []
        facts = zip(self._slots, self._totals, self._counts, strict=True)
        for place, (slot, total, count) in enumerate(facts):
            if place % self._apart == 0:
                self._totals_before.append(totals[:])
                self._counts_before.append(counts[:])
            totals[slot] += total
            counts[slot] += count
        # A time may end after the last row, at a place that may be the next mark's.
        self._totals_before.append(totals)
        self._counts_before.append(counts)
