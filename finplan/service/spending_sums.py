"""Running sums of all spending, by which any question about a time is answered without its rows.

They are made for one generation of a person's data, once several questions have been asked of it, and
are kept in memory. The first questions after a change are answered by the store: for one question that
costs less than adding everything up.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate, groupby
from operator import itemgetter
from threading import Lock

from sqlalchemy import Connection

from finplan.store import spending as store
from finplan.store.transfers import newest_row

ASKED = 3
"""From which question on, of one generation, running sums pay."""

MOST_ROWS = 200_000
"""How many rows a store may have had for its sums to be kept in memory, some 200 bytes each."""

MOST_PEOPLE = 4
"""Of how many people sums are kept."""

Fact = tuple[int, int, int]
"""Day, what was spent, and by how many rows; fewer than none where rows are filed elsewhere."""


class RunningSums:
    """The sums of one thing, day by day, so that those of any time are a difference."""

    __slots__ = ("_counts", "_days", "_totals")

    def __init__(self, facts: Iterable[Fact]) -> None:
        days: dict[int, list[int]] = {}
        for day, total, count in facts:
            sums = days.setdefault(day, [0, 0])
            sums[0] += total
            sums[1] += count
        self._days = sorted(days)
        self._totals = list(accumulate((days[day][0] for day in self._days), initial=0))
        self._counts = list(accumulate((days[day][1] for day in self._days), initial=0))

    def between(self, since: int, until: int) -> tuple[int, int]:
        """What was spent from day to day, YYYYMMDD inclusive, and by how many rows."""
        first, last = bisect_left(self._days, since), bisect_right(self._days, until)
        return (
            self._totals[last] - self._totals[first],
            self._counts[last] - self._counts[first],
        )

    def by_month(self, since: int, until: int) -> dict[int, tuple[int, int]]:
        """The same for each month, YYYYMM, in which there are rows."""
        months: dict[int, tuple[int, int]] = {}
        first, last = bisect_left(self._days, since), bisect_right(self._days, until)
        while first < last:
            month = self._days[first] // 100
            end = bisect_right(self._days, month * 100 + 99, first, last)
            months[month] = (
                self._totals[end] - self._totals[first],
                self._counts[end] - self._counts[first],
            )
            first = end
        return months


@dataclass(frozen=True, slots=True)
class SpendingSums:
    """All of a person's spending: as a whole, by category, and by payee key with the payee's name."""

    whole: RunningSums
    categories: Mapping[str, RunningSums]
    payees: Mapping[str, tuple[str, RunningSums]]


class KeptSums:
    """The sums of a few people, each of the newest generation that was asked about."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[int, int]] = {}
        self._kept: dict[int, tuple[int, SpendingSums]] = {}
        self._lock = Lock()

    def of(
        self, owner: int, generation: int, make: Callable[[], SpendingSums | None]
    ) -> SpendingSums | None:
        """The sums of a person's data; None while it does not pay to have them."""
        with self._lock:
            kept_of, kept = self._kept.get(owner, (None, None))
            if kept_of == generation:
                return kept
            asked_of, times = self._asked.get(owner, (generation, 0))
            times = times + 1 if asked_of == generation else 1
            self._asked[owner] = (generation, times)
            if times < ASKED:
                return None
        made = make()
        if made is not None:
            with self._lock:
                self._kept.pop(owner, None)
                while len(self._kept) >= MOST_PEOPLE:
                    del self._kept[next(iter(self._kept))]
                self._kept[owner] = (generation, made)
        return made

    def forget(self) -> None:
        """Give the memory back; for a time when nothing is asked."""
        with self._lock:
            self._kept.clear()
            self._asked.clear()


def add_everything_up(
    connection: Connection, owner: int, spending: frozenset[str]
) -> SpendingSums | None:
    """The sums of what is filed under the categories of spending; None of too many rows."""
    if newest_row(connection) > MOST_ROWS:
        return None
    categories: dict[str, list[Fact]] = defaultdict(list)
    payees: dict[str, tuple[str, list[Fact]]] = {}
    for (key, name), rows in groupby(store.filed_by_day(connection, owner), itemgetter(0, 1)):
        facts = []
        for _, _, category, day, total, count in rows:
            if category in spending:
                fact = (day, -total, count)
                facts.append(fact)
                categories[category].append(fact)
        if facts:
            payees[key] = (name, facts)
    for each in store.exempt(connection, store.Span(owner), by_day=True):
        for category, sign in ((each.home, -1), (each.category, 1)):
            if category in spending:
                fact = (each.time, -each.total * sign, each.rows * sign)
                payees.setdefault(each.key, (each.name, []))[1].append(fact)
                categories[category].append(fact)
    return SpendingSums(
        RunningSums(fact for facts in categories.values() for fact in facts),
        {category: RunningSums(facts) for category, facts in categories.items()},
        {key: (name, RunningSums(facts)) for key, (name, facts) in payees.items()},
    )
