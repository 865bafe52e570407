"""Forgetting rows a batch at a time, so that nobody waits long behind it."""

from sqlalchemy import ColumnElement, Connection, Table, delete, select

AT_ONCE = 500
"""How many rows of a table go at once at most."""


def forget(connection: Connection, table: Table, over: ColumnElement[bool]) -> bool:
    """Forget a batch of the rows that are over; answers whether there may be more of them."""
    batch = select(table.c.no).where(over).limit(AT_ONCE)
    return connection.execute(delete(table).where(table.c.no.in_(batch))).rowcount == AT_ONCE
