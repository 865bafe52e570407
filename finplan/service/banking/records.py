"""A linked bank as the interface shows it."""

from sqlalchemy import RowMapping

from finplan.model.connection import Connection


def connection_of(row: RowMapping, user_id: str) -> Connection:
    """The connection of a row; `user_id` is the id of its person."""
    return Connection(
        id=row["id"],
        user_id=user_id,
        provider=row["provider"],
        institution_name=row["institution_name"],
        status=row["status"],
        error=row["error"],
    )
