"""Matching: which rows of the files the store has already, and which are new."""

from collections import Counter
from dataclasses import replace

from sqlalchemy import Connection

from finplan.service.imports.days_to_come import note_days_to_come
from finplan.service.imports.file_accounts import describe_accounts
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.left_over_rows import match_left_over
from finplan.service.imports.reports import report_of
from finplan.service.imports.wording import Wording, agree, words_of_text
from finplan.service.restoring.reports import restored_of
from finplan.store.queries import staged_rows
from finplan.store.queries.staged_rows import LeftOver

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
        same = next((each for each in _first(waiting) if _is_same(row, each)), None)
        if same is None:
            rest.append(row)
        else:
            pairs.append((row, same))
            waiting.remove(same)
    likely = sorted(
        (
            (len(words_of_text(row.raw) & words_of_text(each.raw)), -ours, -theirs)
            for ours, row in enumerate(_first(rest))
            for theirs, each in enumerate(_first(waiting))
            if agree(_wording(row), _wording(each))
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


def _first(rows: list[LeftOver]) -> list[LeftOver]:
    return rows[:_MOST_COMPARED]


def _is_same(read: LeftOver, stored: LeftOver) -> bool:
    """Say whether two rows have the same words, whatever their order."""
    same = words_of_text(read.raw) == words_of_text(stored.raw)
    return same and agree(_wording(read), _wording(stored))


def _wording(row: LeftOver) -> Wording:
    return Wording(row.raw, row.aside, row.external_id)
