"""Rows that come one by one, gathered into parts by account, so that memory stays small."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from finplan.statements.statement import (
    ExportedOrigin,
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
)

_AT_ONCE = 4096


ExportedStatementRow = tuple[StatementAccount, StatementRow, ExportedOrigin]
"""A row of an export with its account, and what only an export says of it."""


def gathered_export(rows: Iterable[ExportedStatementRow]) -> Iterator[StatementPart]:
    """As `gathered`, of an export's rows."""
    held: dict[StatementAccount, list[tuple[StatementRow, ExportedOrigin]]] = {}
    count = 0
    for account, row, origin in rows:
        held.setdefault(account, []).append((row, origin))
        count += 1
        if count >= _AT_ONCE:
            yield from _parts_of_export(held)
            held, count = {}, 0
    yield from _parts_of_export(held)


def _parts_of_export(
    held: dict[StatementAccount, list[tuple[StatementRow, ExportedOrigin]]],
) -> Iterator[StatementPart]:
    for account, rows in held.items():
        columns = StatementRows.of([row for row, _ in rows])
        yield StatementPart(account, replace(columns, origins=[origin for _, origin in rows]))


def gathered(rows: Iterable[tuple[StatementAccount, StatementRow]]) -> Iterator[StatementPart]:
    """Yield parts of some thousand rows; each account's rows keep the order in which they came."""
    held: dict[StatementAccount, list[StatementRow]] = {}
    count = 0
    for account, row in rows:
        held.setdefault(account, []).append(row)
        count += 1
        if count >= _AT_ONCE:
            yield from _parts(held)
            held, count = {}, 0
    yield from _parts(held)


def _parts(held: dict[StatementAccount, list[StatementRow]]) -> Iterator[StatementPart]:
    for account, rows in held.items():
        yield StatementPart(account, StatementRows.of(rows))
