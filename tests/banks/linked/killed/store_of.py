"""What a store holds of a household, without what no person sees: numbers, ids and instants."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine

from tests.service.household_tables import kept_tables

Tables = Mapping[str, Sequence[tuple[Any, ...]]]

_OURS = re.compile(r"[a-z]{2,4}_[0-9A-Za-z]{16,}")
"""An id that finplan has made up."""

_AN_INSTANT = 10**12

_MORE: Mapping[str, str] = {
    "linked": (
        "SELECT provider, bank, institution_name, institution_id, named_by_bank, status, error, cursor,"
        " failures, unfinished, access_ends_at IS NULL, secret IS NULL, next_try_at IS NULL"
        " FROM connection"
    ),
    "reached": "SELECT institution, name FROM account",
    "claimed": (
        "SELECT name, pending_id, posted_id, day FROM claimed_pending"
        " JOIN account ON account.no = account_no"
    ),
    "incidents": "SELECT incident FROM notice",
}


def held_in(path: Path, *, places: bool) -> Tables:
    """All of a household that a store holds, in an order that hangs on no number.

    `places` says whether the place to go on from is told, too: it is another for each item of Plaid's.
    """
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as connection:
            kept = dict(kept_tables(connection))
            for name, query in _MORE.items():
                kept[name] = connection.exec_driver_sql(query).all()
            ids = connection.exec_driver_sql("SELECT id, name FROM account").all()
    finally:
        engine.dispose()
    if not places:
        kept["linked"] = [(*row[:7], "a cursor", *row[8:]) for row in kept["linked"]]
    names = {str(row[0]): str(row[1]) for row in ids}
    return {table: _known(rows, names) for table, rows in kept.items()}


def rows_of(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What a query finds in a store."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def _known(rows: Sequence[tuple[Any, ...]], names: Mapping[str, str]) -> list[tuple[Any, ...]]:
    return sorted((tuple(_value(each, names) for each in row) for row in rows), key=repr)


def _value(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, int) and value > _AN_INSTANT:
        return "an instant"
    if isinstance(value, str):
        return _OURS.sub("an id", names.get(value, value))
    return value
