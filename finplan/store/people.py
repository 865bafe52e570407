"""People: who they are, what they set, and the generation of their data."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, RowMapping, insert, select, update

from finplan.store.tables import person


def only_person(connection: Connection) -> RowMapping | None:
    """The first person of the store, None in a new one."""
    return connection.execute(select(person).order_by(person.c.no).limit(1)).mappings().first()


def add_person(connection: Connection, values: Mapping[str, Any]) -> int:
    """Add a person and answer the number."""
    return int(
        connection.execute(insert(person).values(**values).returning(person.c.no)).scalar_one()
    )


def get_person(connection: Connection, owner: int) -> RowMapping:
    """The person of a number."""
    return connection.execute(select(person).where(person.c.no == owner)).mappings().one()


def change_person(connection: Connection, owner: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a person."""
    if values:
        connection.execute(update(person).where(person.c.no == owner).values(**values))


def raise_generation(connection: Connection, owner: int) -> None:
    """Say that the person's data have changed; what was cached for the old generation is stale."""
    connection.execute(
        update(person).where(person.c.no == owner).values(generation=person.c.generation + 1)
    )
