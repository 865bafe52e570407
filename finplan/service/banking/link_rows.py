"""What the row of a link says: the connection that it renews or has become, and what is told."""

from sqlalchemy import Connection as Database
from sqlalchemy import RowMapping

from finplan.model.connection import BankLink, ConnectionRecord
from finplan.model.errors import Conflict, NotFound
from finplan.service.banking.connections import find_record
from finplan.service.banking.records import connection_of
from finplan.store.queries import connections, people


def connection_of_link(database: Database, row: RowMapping) -> RowMapping | None:
    """The connection that a link renews, or that came of it."""
    if row["connection_no"] is None:
        return None
    found = connections.connection_of_number(database, row["connection_no"])
    if found is None:
        raise NotFound("The bank that was to be reconnected was unlinked meanwhile.")
    return found


def finished_link(database: Database, owner: int, link_id: str) -> ConnectionRecord | None:
    """What a link has become, None where it failed.

    Raises Conflict where it is open, so that somebody else holds it: who was asked twice, or a process
    that has died and cannot say whether the token was spent.
    """
    row = find_link(database, owner, link_id)
    if row["status"] == "linked":
        linked = connection_of_link(database, row)
        assert linked is not None
        return find_record(database, owner, linked["id"])
    if not row["is_over"]:
        raise Conflict(
            "This address was given just now, and is being exchanged. `finplan connections list` shows"
            " whether the bank is linked; if it is not in some minutes, begin again: `finplan connect"
            f" {row['bank']}`."
        )
    return None


def find_link(database: Database, owner: int, link_id: str) -> RowMapping:
    """A person's link by its id. Raises NotFound."""
    row = connections.find_link(database, owner, link_id)
    if row is None:
        raise NotFound(
            f"There is no link {link_id}, or it is over for long, or its bank was unlinked."
            " `finplan connections list` shows what is linked."
        )
    return row


def told_link(database: Database, owner: int, link_id: str) -> BankLink:
    """A link as its person is told of it. Raises NotFound."""
    row = find_link(database, owner, link_id)
    connection = None
    if row["status"] == "linked":
        linked = connection_of_link(database, row)
        assert linked is not None
        connection = connection_of(linked, people.get_person(database, owner)["id"])
    return BankLink(
        id=row["id"],
        bank=row["bank"],
        url=row["url"],
        expires_at=row["expires_at"],
        status=row["status"],
        connection=connection,
        error=row["error"],
    )
