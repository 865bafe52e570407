"""What people were told of unasked, so that nobody is told twice."""

from collections.abc import Iterable, Mapping

from sqlalchemy import Connection, delete, insert, select

from finplan.store.tables.tables import notice as table


def notices_of(connection: Connection, owner: int) -> Mapping[str, int]:
    """The incidents that a person was told of, each with the instant in ms."""
    query = select(table.c.incident, table.c.told_at).where(table.c.owner_no == owner)
    return {row.incident: row.told_at for row in connection.execute(query)}


def add_notice(connection: Connection, owner: int, incident: str, told_at: int) -> None:
    """Remember that a person was told."""
    values = {"owner_no": owner, "incident": incident, "told_at": told_at}
    connection.execute(insert(table).values(**values))


def forget_notices(connection: Connection, owner: int, incidents: Iterable[str]) -> None:
    """Let a person be told again, should it happen again."""
    connection.execute(
        delete(table).where(table.c.owner_no == owner, table.c.incident.in_(list(incidents)))
    )
