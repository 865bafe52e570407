"""What the person answered or dismissed; the open questions follow from the data."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.tables.tables import task_answer as table


def save_answer(connection: Connection, values: Mapping[str, Any]) -> None:
    """Keep an answer, in place of an earlier one to the same question."""
    remove_answer(connection, values["owner_no"], values["task_id"])
    connection.execute(insert(table).values(**values))


def find_answer(connection: Connection, owner: int, task_id: str) -> RowMapping | None:
    """A person's answer to one question."""
    query = select(table).where(table.c.owner_no == owner, table.c.task_id == task_id)
    return connection.execute(query).mappings().first()


def list_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's answers, newest first."""
    query = (
        select(table)
        .where(table.c.owner_no == owner)
        .order_by(table.c.answered_at.desc(), table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def remove_answer(connection: Connection, owner: int, task_id: str) -> None:
    """Forget a person's answer to one question."""
    connection.execute(delete(table).where(table.c.owner_no == owner, table.c.task_id == task_id))
