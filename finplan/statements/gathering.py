"""Rows that come one by one, gathered into parts by account, so that memory stays small."""

from collections.abc import Iterable, Iterator

from finplan.statements.statement import (
    StatementAccount,
    StatementPart,
    StatementRow,
    StatementRows,
)

_AT_ONCE = 4096


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
