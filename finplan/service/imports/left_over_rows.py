"""Left-over rows: new ones of a file that are old ones in other words, or under another day.

Another format of an account prints other texts, and perhaps the value day for the booking day. A file
has every row of its account on its days. So where most rows of common days are on both sides, a row of
the file that the account lacks, and one of the account that the file lacks, are one if their amounts
are equal and their days at most three apart.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.pairing.evidence import evidence_of
from finplan.plan.pairing.repetition import DAYS_APART, DIFFERENT, ENOUGH, is_most
from finplan.service.imports.import_run import ImportRun
from finplan.store.queries.staged.repeated_rows import (
    LeftOverRow,
    count_matched,
    left_over_of_earlier_files,
    left_over_staged,
    left_over_stored,
    note_matches,
    repeated_in_batch,
    span_beside,
    span_of,
)


class _Other(NamedTuple):
    """A row that a new one may be; `is_stored` says that it is in the store, not in an earlier file."""

    row: LeftOverRow
    is_stored: bool


class _Pair(NamedTuple):
    ours: LeftOverRow
    other: _Other

    @property
    def days(self) -> int:
        """How many days the two are apart."""
        return abs(ORDINAL[self.ours.day] - ORDINAL[self.other.row.day])

    @property
    def is_across(self) -> bool:
        """Whether the two are from two kinds of source."""
        return self.ours.source != self.other.row.source

    @property
    def shares_words(self) -> bool:
        """Whether the texts have a word in common that few other rows have."""
        ours, theirs = evidence_of(self.ours.raw), evidence_of(self.other.row.raw)
        return not ours.words.isdisjoint(theirs.words)


class _Beside(NamedTuple):
    """What stands beside each other on the days that a file and its account both cover.

    `found` rows of the file were recognised already, so many of them by their identity; `span` is the
    common time.
    """

    ours: Sequence[LeftOverRow]
    others: Sequence[_Other]
    found: int
    identical: int
    span: tuple[int, int]

    def covers(self, row: LeftOverRow) -> bool:
        """Whether both sides cover a row's day."""
        return self.span[0] <= row.day <= self.span[1]


def match_left_over(
    connection: Connection, run: ImportRun, places: Iterable[int]
) -> dict[int, list[str]]:
    """Match what is left over of some files; answers a note for each of which days differed."""
    notes = {}
    for place in places:
        file, moved = run.staged.files[place], list[_Pair]()
        for local in file.accounts:
            account = run.accounts[local]
            if account.new and not any(local in each.accounts for each in run.staged.files[:place]):
                continue
            beside = _beside(connection, local, place, None if account.new else account.no)
            if beside is None:
                continue
            pairs = list(_accepted(beside))
            note_matches(
                connection, place, [(each.ours, each.other.row, each.other.is_stored) for each in pairs]
            )  # fmt: skip
            moved += [each for each in pairs if each.days]
        if moved:
            notes[place] = [_note(len(moved), max(each.days for each in moved))]
    return notes


def _beside(connection: Connection, local: int, file: int, account: int | None) -> _Beside | None:
    """What is left over on both sides; None where one side has nothing."""
    span = span_of(connection, local, file)
    if span is None:
        return None
    reach = _moved(span[0], -DAYS_APART), _moved(span[1], DAYS_APART)
    others = [
        _Other(row, is_stored=False)
        for row in left_over_of_earlier_files(connection, local, file, reach)
    ]
    if others:
        others = list(_without(others, repeated_in_batch(connection, local, file)))
    if account is not None:
        stored = left_over_stored(connection, account, file, reach)
        others += [_Other(row, is_stored=True) for row in stored]
    beside = span_beside(connection, local, file, account)
    if not others or beside is None:
        return None
    days = [other.row.day for other in others]
    near = _moved(min(days), -DAYS_APART), _moved(max(days), DAYS_APART)
    ours = left_over_staged(connection, local, file, near)
    common = max(span[0], beside[0]), min(span[1], beside[1])
    return _Beside(ours, others, *count_matched(connection, local, file, common), common)


def _without(others: Iterable[_Other], taken: Iterable[tuple[int, int]]) -> Iterator[_Other]:
    """The rows of earlier files but for those that this file repeats, by day and amount."""
    left = Counter(taken)
    for other in others:
        key = other.row.day, other.row.amount
        if left[key]:
            left[key] -= 1
        else:
            yield other


def _accepted(beside: _Beside) -> Iterator[_Pair]:
    """The pairs that are one row each."""
    pairs = _pairs(beside.ours, beside.others)
    within = [each for each in pairs if beside.covers(each.ours) and beside.covers(each.other.row)]
    shared = beside.found + len(within)
    ours = beside.found + sum(map(beside.covers, beside.ours))
    theirs = beside.found + sum(beside.covers(each.row) for each in beside.others)
    amounts = beside.found + len({each.ours.amount for each in within})
    is_repeated = is_most(shared, ours, theirs)
    is_all = shared == ours == theirs
    for each in pairs:
        if each.days and not each.is_across and beside.identical:
            # A file of the same layout dates its rows alike, so another day is another row.
            continue
        is_within = beside.covers(each.ours) and beside.covers(each.other.row)
        is_enough = is_repeated and amounts >= (DIFFERENT if each.days else ENOUGH)
        is_proven = (is_enough and is_within) or (each.is_across and not each.days)
        may_be_one = is_enough or (is_within and (each.is_across or is_all))
        if is_proven or (may_be_one and each.shares_words):
            yield each


def _pairs(ours: Sequence[LeftOverRow], others: Sequence[_Other]) -> list[_Pair]:
    """Rows of equal amounts, each with the nearest that is left within a few days."""
    by_place: defaultdict[tuple[int, int], list[_Other]] = defaultdict(list)
    for other in others:
        by_place[other.row.amount, ORDINAL[other.row.day]].append(other)
    near = [
        _Pair(row, other)
        for row in ours
        for day in range(ORDINAL[row.day] - DAYS_APART, ORDINAL[row.day] + DAYS_APART + 1)
        for other in by_place.get((row.amount, day), ())
    ]
    near.sort(key=lambda each: (each.days, each.ours.number, each.other.row.number))
    taken_ours: set[int] = set()
    taken_others: set[tuple[bool, int]] = set()
    found = []
    for pair in near:
        theirs = pair.other.is_stored, pair.other.row.number
        if pair.ours.number not in taken_ours and theirs not in taken_others:
            taken_ours.add(pair.ours.number)
            taken_others.add(theirs)
            found.append(pair)
    return found


def _note(count: int, days: int) -> str:
    rows = "One row has" if count == 1 else f"{count} rows have"
    apart = "a day" if days == 1 else f"up to {days} days"
    return f"{rows} another day here than in the account, {apart} apart, and are not added again."


def _moved(day: int, days: int) -> int:
    return day_of(date_of(day) + timedelta(days))
