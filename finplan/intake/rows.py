"""Matching: which rows of the files the store has already, and which are new.

Left-over rows are new ones of a file that are old ones in other words, or under another day: another
format of an account prints other texts, and perhaps the value day for the booking day. A file has every
row of its account on its days. So where most rows of common days are on both sides, a row of the file
that the account lacks, and one of the account that the file lacks, are one if their amounts are equal
and their days at most three apart. Days of rows that are booked on days to come may have been read the
wrong way round.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple, Protocol, TypeVar

from finplan.intake.evidence import Wording, wordings_agree, words_of_text
from finplan.intake.files import ImportRun
from finplan.plan.ledger.days import ORDINAL, date_of, day_of, day_of_ordinal
from finplan.plan.pairing.evidence import evidence_of
from finplan.plan.pairing.repetition import (
    DAYS_APART,
    DIFFERENT,
    ENOUGH,
    DatedAmount,
    is_most,
    pair_nearest,
)


class LeftOverRow(NamedTuple):
    """A row that no equal one was found of: staged, or of the store.

    `number` is its own on its side; `source` is the kind of source that it is from, `imported` whether
    an import brought it. The day is YYYYMMDD.
    """

    number: int
    day: int
    amount: int
    raw: str
    source: str
    imported: bool


class FoundRows(NamedTuple):
    """Rows of a file that are there already: how many, how many by identity, of which amounts."""

    rows: int
    identical: int
    amounts: frozenset[int]


class OtherRow(NamedTuple):
    """A row that a new one may be; `is_stored` says that it is in the store, not in an earlier file."""

    row: LeftOverRow
    is_stored: bool


class SamePair(NamedTuple):
    """A row of a file, and the one that it may be."""

    ours: LeftOverRow
    other: OtherRow

    @property
    def days(self) -> int:
        """How many days the two are apart."""
        return abs(ORDINAL[self.ours.day] - ORDINAL[self.other.row.day])

    @property
    def as_matched(self) -> tuple[int, int | None, bool]:
        """The row's number, that of the other one in the store if any, and if an import brought it."""
        row = self.other.row
        return self.ours.number, row.number if self.other.is_stored else None, row.imported

    @property
    def is_across(self) -> bool:
        """Whether the two are from two kinds of source."""
        return self.ours.source != self.other.row.source

    @property
    def is_renumbered(self) -> bool:
        """Whether the two differ in the bank's id alone.

        A bank whose ids last lists a row under its id again, in every file of its day.
        """
        is_alike = not self.days and not self.is_across
        return is_alike and self.ours.raw == self.other.row.raw

    @property
    def shares_words(self) -> bool:
        """Whether the texts have a word in common that few other rows have."""
        ours, theirs = evidence_of(self.ours.raw), evidence_of(self.other.row.raw)
        return not ours.tokens.isdisjoint(theirs.tokens)


class Beside(NamedTuple):
    """What stands beside each other on the days that a file and its account both cover.

    `found` rows of the file on those days were recognised already. `our_days` and `their_days` are the
    first and the last day of either side.
    """

    ours: Sequence[LeftOverRow]
    others: Sequence[OtherRow]
    found: FoundRows
    our_days: tuple[int, int]
    their_days: tuple[int, int]

    def covers(self, row: LeftOverRow) -> bool:
        """Whether both sides cover a row's day."""
        first, last = common_days(self.our_days, self.their_days)
        return first <= row.day <= last

    def may_be_one(self, pair: SamePair) -> bool:
        """Whether the sides that the rows are missing from would have listed one of them.

        Where each side begins or ends before the other's row, both rows may well be there for good. On
        its last day a file may lack what is booked later on that day.
        """
        is_ours = self.covers(pair.ours) and pair.ours.day < self.their_days[1]
        is_theirs = self.covers(pair.other.row) and pair.other.row.day < self.our_days[1]
        return self.is_within(pair) or is_ours or is_theirs

    def is_on_seam(self, pair: SamePair) -> bool:
        """Whether one side ends on the day on which the other begins: each may have a part of it."""
        (first, last), (their_first, their_last) = self.our_days, self.their_days
        return pair.ours.day == first == their_last or pair.ours.day == last == their_first

    def is_within(self, pair: SamePair) -> bool:
        """Whether both sides cover the days of both rows."""
        return self.covers(pair.ours) and self.covers(pair.other.row)


def accounts_beside(run: ImportRun, index: int) -> Iterator[tuple[int, int | None]]:
    """The accounts of a file that have rows elsewhere: local number, and that of the store if any."""
    before = {local for file in run.staged.files[:index] for local in file.accounts}
    for local in run.staged.files[index].accounts:
        account = run.accounts[local]
        if not account.new or local in before:
            yield local, None if account.new else account.no


def same_rows_of(beside: Beside | None) -> list[SamePair]:
    """The rows of a file that are others, each with the one that it is; none without any beside it."""
    return [] if beside is None else list(_accepted(beside))


def notes_on_dates(pairs: Sequence[SamePair]) -> list[str]:
    """The sentence that rows have another day in a file than in their account, where some have."""
    moved = [pair.days for pair in pairs if pair.days]
    return [_note_on_left_over(len(moved), max(moved))] if moved else []


def others_beside(
    before: Iterable[LeftOverRow], repeated: Iterable[DatedAmount], stored: Iterable[LeftOverRow]
) -> list[OtherRow]:
    """The rows that those of a file may be: of files `before` it, but for those that it repeats.

    And those of the store.
    """
    unmatched = Counter(repeated)
    others = []
    for row in before:
        if unmatched[row.day, row.amount]:
            unmatched[row.day, row.amount] -= 1
        else:
            others.append(OtherRow(row, is_stored=False))
    return [*others, *(OtherRow(row, is_stored=True) for row in stored)]


def days_beside(days: Iterable[int]) -> tuple[int, int]:
    """The first and the last day on which a row may be one of some days."""
    listed = [ORDINAL[day] for day in days]
    return day_of_ordinal(min(listed) - DAYS_APART), day_of_ordinal(max(listed) + DAYS_APART)


def _accepted(beside: Beside) -> Iterator[SamePair]:
    """The pairs that are one row each."""
    pairs = [pair for pair in _pairs(beside.ours, beside.others) if beside.may_be_one(pair)]
    within = [pair for pair in pairs if beside.is_within(pair)]
    shared = beside.found.rows + len(within)
    ours = beside.found.rows + sum(map(beside.covers, beside.ours))
    theirs = beside.found.rows + sum(beside.covers(candidate.row) for candidate in beside.others)
    # A standing order says nothing however often it is there: it may be on two accounts.
    amounts = len(beside.found.amounts.union(pair.ours.amount for pair in within))
    is_repeated = is_most(shared, ours, theirs)
    is_all = shared == ours == theirs
    for pair in pairs:
        if pair.days and not pair.is_across and beside.found.identical:
            # A file of the same layout dates its rows alike, so another day is another row.
            continue
        is_within = beside.is_within(pair)
        is_enough = is_repeated and amounts >= (DIFFERENT if pair.days else ENOUGH)
        is_proven = (is_enough and is_within) or (pair.is_across and not pair.days)
        is_renumbered = pair.is_renumbered and not beside.is_on_seam(pair)
        is_proven = is_proven or (is_within and is_renumbered)
        may_be_one = is_enough or (is_within and (pair.is_across or is_all))
        if is_proven or (may_be_one and pair.shares_words):
            yield pair


def _pairs(ours: Iterable[LeftOverRow], others: Iterable[OtherRow]) -> list[SamePair]:
    """Rows of equal amounts, each with the nearest that is left within a few days."""
    first = sorted(ours, key=lambda row: row.number)
    second = sorted(others, key=lambda candidate: candidate.row.number)
    places = pair_nearest(
        [(row.day, row.amount) for row in first],
        [(candidate.row.day, candidate.row.amount) for candidate in second],
    )
    return [SamePair(first[index], second[theirs]) for index, theirs in places]


def common_days(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    """The first and the last day of two spans that both have; reversed where they have none."""
    return max(first[0], second[0]), min(first[1], second[1])


def _note_on_left_over(count: int, days: int) -> str:
    rows = "One transaction is" if count == 1 else f"{count} transactions are"
    apart = "one day" if days == 1 else f"up to {days} days"
    them = "it" if count == 1 else "them"
    return (
        f"{rows} already in the account on a date {apart} earlier or later, so finplan does not add"
        f" {them} again."
    )


_MONTHS = 12
_AHEAD = timedelta(days=7)
"""How far ahead banks date what they have booked, over holidays and between time zones."""


def latest_day(run: ImportRun) -> int:
    """The last day, YYYYMMDD, on which a row may be booked already: a week after today."""
    return day_of(date_of(run.today) + _AHEAD)


def has_days_to_come(run: ImportRun) -> bool:
    """Say whether any file has a booked row after that."""
    latest = [
        in_file.last or 0
        for account in run.staged.accounts
        for in_file in account.in_files.values()
    ]
    return max(latest, default=0) > latest_day(run)


def notes_on_days_to_come(
    run: ImportRun, booked: Mapping[int, tuple[int, int]]
) -> dict[int, list[str]]:
    """A sentence on each file, by its place, of which so many rows are `booked` up to so late a day."""
    return {
        index: [_sentence_on_days_to_come(run.staged.files[index].source, count, last)]
        for index, (count, last) in booked.items()
    }


def _sentence_on_days_to_come(source: str, count: int, last: int) -> str:
    day = f"{date_of(last):%-d %b %Y}"
    sentence = f"{count:,} transactions are in the future, the last on {day}."
    if count == 1:
        sentence = f"One transaction is in the future, on {day}."
    # A day after the twelfth is no month, so it cannot be read the other way round.
    if source in {"csv", "qif"} and date_of(last).day <= _MONTHS:
        return f"{sentence} If the day and the month are swapped, set --date-order."
    return sentence


_MOST_COMPARED = 100
"""How many rows of one day and amount are compared with how many others, word for word."""


def are_across_sources(run: ImportRun) -> bool:
    """Say whether one of the accounts has rows of another kind of source than its file."""
    return any(
        run.accounts[local].sources - {file.source}
        for file in run.staged.files
        for local in file.accounts
    )


def files_with_new(run: ImportRun, matched: Mapping[int, int]) -> list[int]:
    """The places of the files of which some booked row was not `matched`, counted by file."""
    booked = Counter[int]()
    # Several local numbers may be one account.
    for account in {id(resolved): resolved for resolved in run.accounts}.values():
        for index, in_file in account.staged.in_files.items():
            booked[index] += in_file.booked
    return [index for index in sorted(booked) if booked[index] > matched.get(index, 0)]


class LeftOverText(Protocol):
    """A row that no equal one was found of, read by an import or stored, by its text."""

    @property
    def raw(self) -> str:
        """Its text."""
        ...

    @property
    def aside(self) -> str:
        """What a read row prints beside its text."""
        ...

    @property
    def external_id(self) -> str | None:
        """The bank's id of it."""
        ...


LeftOverT = TypeVar("LeftOverT", bound=LeftOverText)


def pair_left_overs(
    read: list[LeftOverT], stored: list[LeftOverT]
) -> list[tuple[LeftOverT, LeftOverT]]:
    """Pair the rows of one day and amount that may be one but for their wording, the likest first."""
    waiting = [*stored]
    pairs: list[tuple[LeftOverT, LeftOverT]] = []
    unpaired: list[LeftOverT] = []
    for row in read:
        same = next(
            (candidate for candidate in _first_left_overs(waiting) if _is_same(row, candidate)),
            None,
        )
        if same is None:
            unpaired.append(row)
        else:
            pairs.append((row, same))
            waiting.remove(same)
    likely = sorted(
        (
            (len(words_of_text(row.raw) & words_of_text(candidate.raw)), -ours, -theirs)
            for ours, row in enumerate(_first_left_overs(unpaired))
            for theirs, candidate in enumerate(_first_left_overs(waiting))
            if wordings_agree(_wording(row), _wording(candidate))
        ),
        reverse=True,
    )
    taken: set[int] = set()
    matched: set[int] = set()
    for _, ours, theirs in likely:
        if ours not in matched and theirs not in taken:
            matched.add(ours)
            taken.add(theirs)
            pairs.append((unpaired[-ours], waiting[-theirs]))
    return pairs


def _first_left_overs(rows: list[LeftOverT]) -> list[LeftOverT]:
    return rows[:_MOST_COMPARED]


def _is_same(read: LeftOverText, stored: LeftOverText) -> bool:
    """Say whether two rows have the same words, whatever their order."""
    same = words_of_text(read.raw) == words_of_text(stored.raw)
    return same and wordings_agree(_wording(read), _wording(stored))


def _wording(row: LeftOverText) -> Wording:
    return Wording(row.raw, row.aside, row.external_id)
