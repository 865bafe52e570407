"""Matching: which rows of the files the store has already, and which are new."""

from dataclasses import replace

from sqlalchemy import Connection

from finplan.service.imports.file_accounts import describe_accounts
from finplan.service.imports.import_run import ImportRun
from finplan.service.imports.reports import report_of
from finplan.store.queries import staged_rows


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
    described = describe_accounts(connection, run)
    reports = (
        report_of(
            file,
            [(run.accounts[local], described[place, local]) for local in file.accounts],
        )
        for place, file in enumerate(files)
    )
    return replace(run, reports=tuple(reports))
