"""Running sums of all spending, by which any question about a time is answered without its rows."""

from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, compress
from operator import add, itemgetter
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.categorise.catalogue import Catalogue
from finplan.service.derived.household import catalogue_of
from finplan.service.spending.report import Groups, head_of
from finplan.service.spending.rows import Fact, RowSums, Vector
from finplan.store.queries import spending as store
from finplan.store.queries.transfers import newest_row

MOST_ROWS = 200_000
"""How many rows a store may have had for its sums to be kept in memory, some 100 bytes each."""

MOST_PAYEES = 10_000
"""How many payees may be looked at for one answer, while everybody else waits."""


class Line(NamedTuple):
    """Running sums of one thing: what was spent before each place of a day, and by how many rows."""

    totals: Vector
    counts: Vector

    def plus(self, facts: Iterable[Fact]) -> "Line":
        """The line with more facts in it."""
        totals, counts = [0] * len(self.totals), [0] * len(self.counts)
        for place, total, count in facts:
            totals[place + 1] += total
            counts[place + 1] += count
        return Line(
            array("q", map(add, self.totals, accumulate(totals))),
            array("q", map(add, self.counts, accumulate(counts))),
        )

    def between(self, first: int, last: int) -> tuple[int, int]:
        """What was spent from one place on and before another."""
        return self.totals[last] - self.totals[first], self.counts[last] - self.counts[first]


class Payee(NamedTuple):
    """How a payee is filed, and what its group in a report begins with."""

    filed: store.FiledPayee
    head: str

    @property
    def out(self) -> str:
        """The category of what goes to it."""
        return self.filed[3]

    @property
    def into(self) -> str:
        """The category of what comes from it."""
        return self.filed[4]


class Exempt(NamedTuple):
    """Rows of a day that are filed elsewhere than their payee, who has a rank."""

    rank: int
    payee_category: str
    category: str
    fact: Fact


Move = tuple[Fact, str | None, str | None]
"""A fact, and from which category to which it moves; None is none."""

Lines = Mapping[str | None, Line]
"""The line of each category of spending, and that of all spending under None."""


@dataclass(frozen=True)
class SpendingSums:
    """All of a person's spending; `payees` are in the order of their keys.

    `labels` are those of the categories.
    """

    rows: RowSums
    payees: tuple[Payee, ...]
    exempts: tuple[Exempt, ...]
    labels: Mapping[str, str]
    lines: Lines

    def by_category(self, since: int, until: int) -> Groups:
        """The groups of a time, from day to day, YYYYMMDD inclusive; the most spent first."""
        first, last = self.rows.places(since, until)
        found = [
            (*line.between(first, last), category)
            for category, line in self.lines.items()
            if category is not None
        ]
        found.sort(key=lambda each: (-each[0], each[2]))
        return Groups.of(
            {category: (total, count) for total, count, category in found if count},
            self.labels,
        )

    def by_merchant(self, since: int, until: int) -> Groups:
        """The groups of a time; the most spent first, then by key."""
        totals, counts = self.rows.between(since, until)
        for rank in self._unspent:
            totals[rank] = counts[rank] = 0
        for rank, slot in self._given_back:
            totals[rank] += totals[slot]
            counts[rank] += counts[slot]
        first, last = self.rows.places(since, until)
        for rank, (place, total, count) in self._strays:
            if first <= place < last:
                totals[rank] += total
                counts[rank] += count
        spent = list(compress(range(len(self.payees)), counts))
        # Sorting keeps the order of equal ones, which is that of their keys, also in reverse.
        spent.sort(key=totals.__getitem__, reverse=True)
        return Groups(
            list(map(self._heads.__getitem__, spent)),
            list(map(totals.__getitem__, spent)),
            list(map(counts.__getitem__, spent)),
        )

    def by_month(self, since: int, until: int) -> dict[int, tuple[int, int]]:
        """Total and count of each month, YYYYMM, with rows that count."""
        days, whole = self.rows.days, self.lines[None]
        first, last = self.rows.places(since, until)
        months: dict[int, tuple[int, int]] = {}
        while first < last:
            month = days[first] // 100
            end = bisect_left(days, (month + 1) * 100, first, last)
            months[month] = whole.between(first, end)
            first = end
        return months

    @cached_property
    def _heads(self) -> list[str]:
        return [payee.head for payee in self.payees]

    @cached_property
    def _unspent(self) -> list[int]:
        """The ranks of payees to whom money goes that is no spending."""
        return [rank for rank, payee in enumerate(self.payees) if payee.out not in self.lines]

    @cached_property
    def _given_back(self) -> list[tuple[int, int]]:
        """The ranks of payees whose money back is less spending, with the slot of that."""
        inflows = self.rows.inflows.items()
        return [(rank, slot) for rank, slot in inflows if self.payees[rank].into in self.lines]

    @cached_property
    def _strays(self) -> list[tuple[int, Fact]]:
        """What exempt rows change in their payee's spending."""
        strays = []
        for rank, home, category, (place, total, count) in self.exempts:
            sign = (category in self.lines) - (home in self.lines)
            if sign:
                strays.append((rank, (place, sign * total, sign * count)))
        return strays


def add_everything_up(connection: Connection, owner: int) -> SpendingSums | None:
    """The sums of all that counts; None of too much of it."""
    if newest_row(connection) > MOST_ROWS:
        return None
    paid = store.paid_by_day(connection, owner)
    numbers = {row[0] for row in paid}
    if len(numbers) > MOST_PAYEES:
        return None
    known = [each for each in store.filed_payees(connection, owner) if each[0] in numbers]
    known.sort(key=itemgetter(1))
    rows = RowSums(paid, {each[0]: rank for rank, each in enumerate(known)})
    payees = tuple(Payee(each, head_of(each[1], each[2])) for each in known)
    exempts = _exempts(connection, owner, rows, payees)
    catalogue = catalogue_of(connection, owner)
    lines = _new_lines(rows, payees, exempts, catalogue)
    return SpendingSums(rows, payees, exempts, _labels(catalogue), lines)


def file_afresh(connection: Connection, owner: int, sums: SpendingSums) -> SpendingSums:
    """The sums of the same rows as payees, rules and categories file them now."""
    filed = {each[0]: each for each in store.filed_payees(connection, owner)}
    payees = tuple(_refiled(payee, filed[payee.filed[0]]) for payee in sums.payees)
    exempts = _exempts(connection, owner, sums.rows, payees)
    catalogue = catalogue_of(connection, owner)
    if sums.lines.keys() != {None, *_spending(catalogue)}:
        lines = _new_lines(sums.rows, payees, exempts, catalogue)
    else:
        lines = _moved(sums.lines, _moves(sums, payees, exempts))
    return SpendingSums(sums.rows, payees, exempts, _labels(catalogue), lines)


def _refiled(payee: Payee, filed: store.FiledPayee) -> Payee:
    if filed == payee.filed:
        return payee
    return Payee(filed, head_of(filed[1], filed[2]))


def _exempts(
    connection: Connection, owner: int, rows: RowSums, payees: tuple[Payee, ...]
) -> tuple[Exempt, ...]:
    found = store.override_sums(connection, store.Span(owner), by_day=True)
    ranks = {payee.filed[1]: rank for rank, payee in enumerate(payees)} if found else {}
    return tuple(
        Exempt(
            ranks[each.key],
            each.payee_category,
            each.category,
            (rows.places(each.time, each.time)[0], -each.total, each.rows),
        )
        for each in found
    )


def _labels(catalogue: Catalogue) -> Mapping[str, str]:
    return {each.id: each.label for each in catalogue.categories.values()}


def _spending(catalogue: Catalogue) -> Iterator[str]:
    return (each.id for each in catalogue.categories.values() if each.flow == "spending")


def _new_lines(
    rows: RowSums, payees: tuple[Payee, ...], exempts: tuple[Exempt, ...], catalogue: Catalogue
) -> Lines:
    """The lines of all facts where their payees are filed, and of exempt rows where they are."""
    room = len(rows.days) + 1
    by_day = {category: ([0] * room, [0] * room) for category in (None, *_spending(catalogue))}
    categories = [*(payee.out for payee in payees), *(payees[rank].into for rank in rows.inflows)]
    spent, times = by_day[None]
    of_slot = [by_day.get(category) for category in categories]
    for slot, (place, total, count) in rows.facts():
        sums = of_slot[slot]
        if sums is not None:
            sums[0][place + 1] += total
            sums[1][place + 1] += count
            spent[place + 1] += total
            times[place + 1] += count
    lines = {category: Line(*map(_running, sums)) for category, sums in by_day.items()}
    return _moved(lines, ((each.fact, each.payee_category, each.category) for each in exempts))


def _running(sums: Iterable[int]) -> Vector:
    return array("q", accumulate(sums))


def _moves(
    sums: SpendingSums, payees: tuple[Payee, ...], exempts: tuple[Exempt, ...]
) -> Iterator[Move]:
    """What moves between categories when payees and exempt rows are filed anew."""
    former: dict[int, tuple[str, str]] = {}
    for rank, (before, now) in enumerate(zip(sums.payees, payees, strict=True)):
        if before.out != now.out:
            former[rank] = before.out, now.out
        if before.into != now.into and rank in sums.rows.inflows:
            former[sums.rows.inflows[rank]] = before.into, now.into
    if former:
        for slot, fact in sums.rows.facts_of(former):
            yield fact, *former[slot]
    if exempts != sums.exempts:
        for each in sums.exempts:
            yield each.fact, each.category, each.payee_category
        for each in exempts:
            yield each.fact, each.payee_category, each.category


def _moved(lines: Lines, moves: Iterable[Move]) -> Lines:
    """The lines after some facts have moved; what is no spending has no line."""
    more: dict[str | None, list[Fact]] = defaultdict(list)
    for fact, before, after in moves:
        place, total, count = fact
        away = (place, -total, -count)
        if before in lines and before is not None:
            more[before].append(away)
            more[None].append(away)
        if after in lines and after is not None:
            more[after].append(fact)
            more[None].append(fact)
    return {**lines, **{category: lines[category].plus(facts) for category, facts in more.items()}}
