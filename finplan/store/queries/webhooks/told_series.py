"""Which recurring charges a person's webhooks know of: how many of each name."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from finplan.store.tables.tables import told_series as table


def told(connection: Connection, owner: int) -> Mapping[str, int]:
    """How many of each name."""
    query = select(table.c.name, table.c.count).where(table.c.owner_no == owner)
    return {str(name): int(count) for name, count in connection.execute(query)}


def tell(connection: Connection, owner: int, counts: Mapping[str, int]) -> None:
    """From now on so many of each of these names are known."""
    if not counts:
        return
    connection.execute(
        delete(table).where(table.c.owner_no == owner, table.c.name.in_(list(counts)))
    )
    rows = [{"owner_no": owner, "name": name, "count": count} for name, count in counts.items()]
    connection.execute(insert(table), rows)


def forget(connection: Connection, owner: int) -> None:
    """Forget all of them."""
    connection.execute(delete(table).where(table.c.owner_no == owner))
