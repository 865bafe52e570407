"""Matching: which rows of the files the store has already, and which are new.

Left-over rows are new ones of a file that are old ones in other words, or under another day: another
format of an account prints other texts, and perhaps the value day for the booking day. A file has every
row of its account on its days. So where most rows of common days are on both sides, a row of the file
that the account lacks, and one of the account that the file lacks, are one if their amounts are equal
and their days at most three apart. Days of rows that are booked on days to come may have been read the
wrong way round.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.plan.ledger.days import ORDINAL, date_of, day_of
from finplan.plan.pairing.evidence import evidence_of
from finplan.plan.pairing.repetition import DAYS_APART, DIFFERENT, ENOUGH, is_most, pair_nearest
from finplan.service.imports.file_reports import describe_accounts, report_of, restored_of
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.row_evidence import Wording, wordings_agree, words_of_text
from finplan.store.queries import repeated_rows, staged_rows
from finplan.store.queries.staged_rows import LeftOver


class _Other(NamedTuple):
    """A row that a new one may be; `is_stored` says that it is in the store, not in an earlier file."""

    row: repeated_rows.LeftOverRow
    is_stored: bool


class _Pair(NamedTuple):
    ours: repeated_rows.LeftOverRow
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
        return not ours.words.isdisjoint(theirs.words)


class _Beside(NamedTuple):
    """What stands beside each other on the days that a file and its account both cover.

    `found` rows of the file on those days were recognised already. `our_days` and `their_days` are the
    first and the last day of either side.
    """

    ours: Sequence[repeated_rows.LeftOverRow]
    others: Sequence[_Other]
    found: repeated_rows.FoundRows
    our_days: tuple[int, int]
    their_days: tuple[int, int]

    def covers(self, row: repeated_rows.LeftOverRow) -> bool:
        """Whether both sides cover a row's day."""
        first, last = _common_days(self.our_days, self.their_days)
        return first <= row.day <= last

    def may_be_one(self, pair: _Pair) -> bool:
        """Whether the sides that the rows are missing from would have listed one of them.

        Where each side begins or ends before the other's row, both rows may well be there for good. On
        its last day a file may lack what is booked later on that day.
        """
        is_ours = self.covers(pair.ours) and pair.ours.day < self.their_days[1]
        is_theirs = self.covers(pair.other.row) and pair.other.row.day < self.our_days[1]
        return self.is_within(pair) or is_ours or is_theirs

    def is_on_seam(self, pair: _Pair) -> bool:
        """Whether one side ends on the day on which the other begins: each may have a part of it."""
        (first, last), (their_first, their_last) = self.our_days, self.their_days
        return pair.ours.day == first == their_last or pair.ours.day == last == their_first

    def is_within(self, pair: _Pair) -> bool:
        """Whether both sides cover the days of both rows."""
        return self.covers(pair.ours) and self.covers(pair.other.row)


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
            repeated_rows.note_matches(
                connection, place, [(each.ours, each.other.row, each.other.is_stored) for each in pairs]
            )  # fmt: skip
            moved += [each for each in pairs if each.days]
        if moved:
            notes[place] = [_note_on_left_over(len(moved), max(each.days for each in moved))]
    return notes


def _beside(connection: Connection, local: int, file: int, account: int | None) -> _Beside | None:
    """What is left over on both sides; None where one side has nothing."""
    span = repeated_rows.span_of(connection, local, file)
    if span is None:
        return None
    reach = _moved(span[0], -DAYS_APART), _moved(span[1], DAYS_APART)
    others = [
        _Other(row, is_stored=False)
        for row in repeated_rows.left_over_of_earlier_files(connection, local, file, reach)
    ]
    if others:
        others = list(_without(others, repeated_rows.repeated_in_batch(connection, local, file)))
    if account is not None:
        stored = repeated_rows.left_over_stored(connection, account, file, reach)
        others += [_Other(row, is_stored=True) for row in stored]
    beside = repeated_rows.span_beside(connection, local, file, account)
    if not others or beside is None:
        return None
    days = [other.row.day for other in others]
    near = _moved(min(days), -DAYS_APART), _moved(max(days), DAYS_APART)
    ours = repeated_rows.left_over_staged(connection, local, file, near)
    found = repeated_rows.rows_found(connection, local, file, _common_days(span, beside), DIFFERENT)
    return _Beside(ours, others, found, span, beside)


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
    pairs = [each for each in _pairs(beside.ours, beside.others) if beside.may_be_one(each)]
    within = [each for each in pairs if beside.is_within(each)]
    shared = beside.found.rows + len(within)
    ours = beside.found.rows + sum(map(beside.covers, beside.ours))
    theirs = beside.found.rows + sum(beside.covers(each.row) for each in beside.others)
    # A standing order says nothing however often it is there: it may be on two accounts.
    amounts = len(beside.found.amounts.union(each.ours.amount for each in within))
    is_repeated = is_most(shared, ours, theirs)
    is_all = shared == ours == theirs
    for each in pairs:
        if each.days and not each.is_across and beside.found.identical:
            # A file of the same layout dates its rows alike, so another day is another row.
            continue
        is_within = beside.is_within(each)
        is_enough = is_repeated and amounts >= (DIFFERENT if each.days else ENOUGH)
        is_proven = (is_enough and is_within) or (each.is_across and not each.days)
        is_renumbered = each.is_renumbered and not beside.is_on_seam(each)
        is_proven = is_proven or (is_within and is_renumbered)
        may_be_one = is_enough or (is_within and (each.is_across or is_all))
        if is_proven or (may_be_one and each.shares_words):
            yield each


def _pairs(ours: Iterable[repeated_rows.LeftOverRow], others: Iterable[_Other]) -> list[_Pair]:
    """Rows of equal amounts, each with the nearest that is left within a few days."""
    first = sorted(ours, key=lambda row: row.number)
    second = sorted(others, key=lambda other: other.row.number)
    places = pair_nearest(
        [(row.day, row.amount) for row in first],
        [(other.row.day, other.row.amount) for other in second],
    )
    return [_Pair(first[place], second[theirs]) for place, theirs in places]


def _common_days(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The first and the last day of two spans that both have; reversed where they have none."""
    return max(one[0], other[0]), min(one[1], other[1])


def _note_on_left_over(count: int, days: int) -> str:
    rows = "One row has" if count == 1 else f"{count} rows have"
    apart = "a day" if days == 1 else f"up to {days} days"
    return f"{rows} another day here than in the account, {apart} apart, and are not added again."


def _moved(day: int, days: int) -> int:
    return day_of(date_of(day) + timedelta(days))


_MONTHS = 12
_AHEAD = timedelta(days=7)
"""How far ahead banks date what they have booked, over holidays and between time zones."""


def note_days_to_come(connection: Connection, run: ImportRun) -> dict[int, tuple[str, ...]]:
    """A sentence on each file, by its place, that has booked rows more than a week after today."""
    limit = day_of(date_of(run.today) + _AHEAD)
    latest = [said.last or 0 for each in run.staged.accounts for said in each.in_files.values()]
    if max(latest, default=0) <= limit:
        return {}
    return {
        place: (_sentence_on_days_to_come(run.staged.files[place].source, count, last),)
        for place, (count, last) in staged_rows.booked_after(connection, limit).items()
    }


def _sentence_on_days_to_come(source: str, count: int, last: int) -> str:
    day = f"{date_of(last):%-d %b %Y}"
    sentence = f"{count:,} rows are on days to come, the last on {day}"
    if count == 1:
        sentence = f"One row is on a day to come, {day}"
    # A day after the twelfth is no month, so it cannot be read the other way round.
    if source in {"csv", "qif"} and date_of(last).day <= _MONTHS:
        return f"{sentence}; if days and months are the wrong way round, say it with --date-order."
    return f"{sentence}."


_MOST_COMPARED = 100
"""How many rows of one day and amount are compared with how many others, word for word."""


def match_rows(connection: Connection, run: ImportRun) -> ImportRun:
    """Match the staged rows with those of the resolved accounts, and report it file by file."""
    files = run.staged.files
    across_sources = any(
        run.accounts[local].sources() - {file.source} for file in files for local in file.accounts
    )
    staged_rows.match_rows(
        connection,
        {local: None if each.new else each.no for local, each in enumerate(run.accounts)},
        {place: file.source for place, file in enumerate(files)},
        across_sources=across_sources,
        pair=pair_left_overs,
    )
    notes = match_left_over(connection, run, _files_with_new(connection, run))
    ahead = note_days_to_come(connection, run)
    described = describe_accounts(connection, run)
    home = run.staged.home
    restored = None if home is None else restored_of(home)
    reports = (
        report_of(
            file,
            place,
            [(run.accounts[local], described[place, local]) for local in file.accounts],
            restored,
            (*ahead.get(place, ()), *notes.get(place, ())),
        )
        for place, file in enumerate(files)
    )
    return replace(run, reports=tuple(reports))


def _files_with_new(connection: Connection, run: ImportRun) -> list[int]:
    """The places of the files of which some booked row was not found."""
    booked = Counter[int]()
    # Several local numbers may be one account.
    for account in {id(each): each for each in run.accounts}.values():
        for place, said in account.staged.in_files.items():
            booked[place] += said.booked
    matched = staged_rows.matched_by_file(connection)
    return [place for place in sorted(booked) if booked[place] > matched.get(place, 0)]


def pair_left_overs(
    read: list[LeftOver], stored: list[LeftOver]
) -> list[tuple[LeftOver, LeftOver]]:
    """Pair the rows of one day and amount that may be one but for their wording, the likest first."""
    waiting = [*stored]
    pairs: list[tuple[LeftOver, LeftOver]] = []
    rest: list[LeftOver] = []
    for row in read:
        same = next((each for each in _first_left_overs(waiting) if _is_same(row, each)), None)
        if same is None:
            rest.append(row)
        else:
            pairs.append((row, same))
            waiting.remove(same)
    likely = sorted(
        (
            (len(words_of_text(row.raw) & words_of_text(each.raw)), -ours, -theirs)
            for ours, row in enumerate(_first_left_overs(rest))
            for theirs, each in enumerate(_first_left_overs(waiting))
            if wordings_agree(_wording(row), _wording(each))
        ),
        reverse=True,
    )
    taken: set[int] = set()
    matched: set[int] = set()
    for _, ours, theirs in likely:
        if ours not in matched and theirs not in taken:
            matched.add(ours)
            taken.add(theirs)
            pairs.append((rest[-ours], waiting[-theirs]))
    return pairs


def _first_left_overs(rows: list[LeftOver]) -> list[LeftOver]:
    return rows[:_MOST_COMPARED]


def _is_same(read: LeftOver, stored: LeftOver) -> bool:
    """Say whether two rows have the same words, whatever their order."""
    same = words_of_text(read.raw) == words_of_text(stored.raw)
    return same and wordings_agree(_wording(read), _wording(stored))


def _wording(row: LeftOver) -> Wording:
    return Wording(row.raw, row.aside, row.external_id)
