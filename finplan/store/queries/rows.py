"""What is asked of the rows of one table, whichever it is: found by their values, added, changed, gone.

`values` are those of columns, by their names; None is the null of SQL.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Table,
    delete,
    func,
    insert,
    select,
    update,
)

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

FORGOTTEN_AT_ONCE = 500
"""How many rows of a table go at once at most, so that nobody waits long behind it."""


LISTED = "(SELECT value FROM json_each(?))"
"""The numbers of a list, however long it is, of which `as_list` makes the one that is told to SQLite."""


def as_list(values: Iterable[int]) -> str:
    """Some numbers as the database takes a list."""
    return json.dumps([*values])


def every(connection: Connection, query: Select[Any]) -> Sequence[RowMapping]:
    """All rows of a query."""
    return connection.execute(query).mappings().all()


def first(connection: Connection, query: Select[Any]) -> RowMapping | None:
    """The first row of a query, None without one."""
    return connection.execute(query).mappings().first()


def is_any(connection: Connection, query: Select[Any]) -> bool:
    """Whether a query has a row."""
    return connection.execute(query.limit(1)).first() is not None


def fetch(connection: Connection, query: str, values: Any = ()) -> list[Any]:
    """All rows of a query in the database's own words, as plain tuples.

    SQLAlchemy wraps each row; over a whole ledger the driver's own tuples are much faster.
    """
    with closing(connection.exec_driver_sql(query, values)) as result:
        return list(result.cursor.fetchall())


def grouped(rows: Iterable[tuple[_Key, _Value]]) -> dict[_Key, list[_Value]]:
    """The values of each key, in their order."""
    groups: dict[_Key, list[_Value]] = {}
    for key, value in rows:
        groups.setdefault(key, []).append(value)
    return groups


def find(connection: Connection, table: Table, **values: Any) -> RowMapping | None:
    """The row with some values, None without one."""
    return first(connection, select(table).filter_by(**values))


def get(connection: Connection, table: Table, no: int) -> RowMapping:
    """The row of a number, which is there."""
    return connection.execute(select(table).filter_by(no=no)).mappings().one()


def is_there(connection: Connection, table: Table, **values: Any) -> bool:
    """Whether there is a row with some values."""
    return is_any(connection, select(table.c.no).filter_by(**values))


def count(connection: Connection, table: Table, **values: Any) -> int:
    """How many rows have some values."""
    query = select(func.count()).select_from(table).filter_by(**values)
    return int(connection.execute(query).scalar_one())


def add(connection: Connection, table: Table, values: Mapping[str, Any]) -> int:
    """Add a row; answers its number."""
    query = insert(table).values(**values).returning(table.c.no)
    return int(connection.execute(query).scalar_one())


def add_all(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows of the same columns; nothing happens without any."""
    if rows:
        connection.execute(insert(table), list(rows))


def change(connection: Connection, table: Table, no: int, **values: Any) -> None:
    """Set some columns of the row of a number; nothing happens without any."""
    if values:
        connection.execute(update(table).filter_by(no=no).values(**values))


def remove(connection: Connection, table: Table, **values: Any) -> None:
    """Delete the rows with some values, and what hangs on them."""
    connection.execute(delete(table).filter_by(**values))


def forget_some(connection: Connection, table: Table, over: ColumnElement[bool]) -> bool:
    """Forget a batch of the rows that are over; answers whether there may be more of them."""
    batch = select(table.c.no).where(over).limit(FORGOTTEN_AT_ONCE)
    gone = connection.execute(delete(table).where(table.c.no.in_(batch))).rowcount
    return gone == FORGOTTEN_AT_ONCE
