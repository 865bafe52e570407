"""What the person answered or dismissed; the open questions follow from the data.

One question may have several answers: one for the money in, one for an exact amount.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, insert, select

from finplan.store.tables.tables import task_answer as table


def save_answer(connection: Connection, values: Mapping[str, Any]) -> None:
    """Keep an answer, in place of an earlier one to the same question that made the same."""
    made = (table.c[name].is_not_distinct_from(values.get(name)) for name in ("rule_no", "word_no"))
    same = (table.c.owner_no == values["owner_no"], table.c.task_id == values["task_id"], *made)
    connection.execute(delete(table).where(*same))
    connection.execute(insert(table).values(**values))


def answers_to(connection: Connection, owner: int, task_id: str) -> Sequence[RowMapping]:
    """A person's answers to one question, newest first."""
    query = (
        select(table)
        .where(table.c.owner_no == owner, table.c.task_id == task_id)
        .order_by(table.c.answered_at.desc(), table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def list_answers(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's answers, newest first."""
    query = (
        select(table)
        .where(table.c.owner_no == owner)
        .order_by(table.c.answered_at.desc(), table.c.no.desc())
    )
    return connection.execute(query).mappings().all()


def remove_answer(connection: Connection, number: int) -> None:
    """Forget an answer, by its number."""
    connection.execute(delete(table).where(table.c.no == number))


def is_dismissal(answer: RowMapping) -> bool:
    """Whether the person wants the question not to be asked again, and said nothing else."""
    return answer["rule_no"] is None and answer["word_no"] is None and not answer["each"]


def asked_each_time(answers: Sequence[RowMapping]) -> frozenset[str]:
    """The keys of the payees each row of which the person wants to be asked about."""
    return frozenset(json.loads(row["body"])["payeeKey"] for row in answers if row["each"])
