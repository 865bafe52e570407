"""Payees that are judged again as they were before stay as they are in the store."""

from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, event

from finplan.service.context import Context
from finplan.service.ledger.categorisation import categorise_payees
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]

ROWS = csv("2026-05-03,QUILLZWALD COFFEE,-20.00", "2026-05-04,TERRVIX DENTAL,-80.00")


async def test_what_is_decided_as_before_is_not_written(
    context: Context, import_texts: Import
) -> None:
    """Only decisions that are new are saved, however many payees are judged."""
    await import_texts({"checking.csv": ROWS})
    written: list[str] = []

    def remember(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith("UPDATE payee"):
            written.append(statement)

    def judge_again(connection: Connection) -> int:
        event.listen(connection, "before_cursor_execute", remember)
        categorise_payees(connection, context.caller.owner, None)
        unchanged = len(written)
        connection.exec_driver_sql("UPDATE payee SET decided_out = 'travel'")
        categorise_payees(connection, context.caller.owner, None)
        event.remove(connection, "before_cursor_execute", remember)
        return unchanged

    assert await context.store.write(judge_again) == 0
    assert len(written) == 2
