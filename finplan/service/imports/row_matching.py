"""Matching: which rows of the files the store has already, and which are new."""

from dataclasses import astuple, replace

from sqlalchemy import Connection

from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.left_over_rows import match_left_over
from finplan.service.imports.reports import report_of
from finplan.store.queries import staged_rows
from finplan.store.queries.staged_rows import MatchCounts


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
    )
    counts = staged_rows.count_matches(connection)
    has_new = [
        place
        for place, file in enumerate(files)
        if file.booked > sum(astuple(counts.get(place, MatchCounts())))
    ]
    notes = match_left_over(connection, run, has_new)
    if has_new:
        counts = staged_rows.count_matches(connection)
    reports = (
        report_of(
            file,
            [run.accounts[local] for local in file.accounts],
            counts.get(place, MatchCounts()),
            notes.get(place, ()),
        )
        for place, file in enumerate(files)
    )
    return replace(run, reports=tuple(reports))
