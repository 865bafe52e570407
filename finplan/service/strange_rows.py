"""Rows that no finplan wrote as they are: something else gave them values that it cannot read."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, RowMapping

from finplan.model.task import Task
from finplan.model.user import is_time_zone
from finplan.service.banking.accounts import shown_account
from finplan.service.derived.household import household_settings
from finplan.service.people import shown_user
from finplan.store.engine import reading_engine
from finplan.store.migrate import HEAD, revision
from finplan.store.queries import accounts, people, verdicts

_TASK: TypeAdapter[Task] = TypeAdapter(Task)


def strange_rows_in(path: Path) -> list[str]:
    """Each row of a store of this version that cannot be read: its table, its number, and what is wrong.

    No value is told: it may be anybody's secret. Nothing is changed.
    """
    engine = reading_engine(path, 1)
    try:
        with engine.connect() as connection:
            return list(_strange_rows(connection))
    finally:
        engine.dispose()


def strange_rows_of(path: Path) -> list[str]:
    """As `strange_rows_in`; of a store of an earlier version, with other columns, none is looked at."""
    return strange_rows_in(path) if revision(path) == HEAD else []


def _strange_rows(connection: Connection) -> Iterator[str]:
    everybody = people.list_people(connection)
    yield from _check_rows("person", everybody, shown_user, household_settings, _zone)
    for person in everybody:
        owner = person["no"]
        yield from _check_rows("account", accounts.list_accounts(connection, owner), shown_account)
        yield from _check_rows("task_answer", verdicts.list_answers(connection, owner), _task)


def _task(row: RowMapping) -> Task:
    return _TASK.validate_json(row["body"])


def _zone(row: RowMapping) -> None:
    if not is_time_zone(row["time_zone"]):
        raise ValueError


def _check_rows(
    table: str, rows: Iterable[RowMapping], *shapes: Callable[[RowMapping], object]
) -> Iterator[str]:
    for row in rows:
        for shape in shapes:
            try:
                shape(row)
            except ValidationError as error:
                yield f"row {row['no']} of the table {table} ({_what_is_wrong(error)})"
            except (TypeError, ValueError):
                yield f"row {row['no']} of the table {table} (unknown value)"


def _what_is_wrong(error: ValidationError) -> str:
    issue = error.errors(include_url=False, include_input=False)[0]
    path = ".".join(map(str, issue["loc"]))
    return f"{path}: {issue['msg']}" if path else issue["msg"]
