"""OAuth clients: registered, listed, used, and forgotten where nobody ever let one in."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from finplan.store.queries.access.sweeping import forget
from finplan.store.tables.tables import oauth_client as table
from finplan.store.tables.tables import oauth_grant as grant


def add_client(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a client."""
    connection.execute(insert(table).values(**values))


def client_of_id(connection: Connection, public_id: str) -> RowMapping | None:
    """A client by its id, whoever it belongs to."""
    return connection.execute(select(table).where(table.c.id == public_id)).mappings().first()


def list_clients(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """The clients that a person made or let in, the newest first."""
    return connection.execute(_of(owner).order_by(table.c.no.desc())).mappings().all()


def find_client(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A client that a person made or let in, by its id."""
    return connection.execute(_of(owner).where(table.c.id == public_id)).mappings().first()


def note_client_use(connection: Connection, no: int, now: int) -> None:
    """Note when a client was last used."""
    connection.execute(update(table).where(table.c.no == no).values(last_used_at=now))


def remove_client(connection: Connection, no: int) -> None:
    """Remove a client with all that it was granted."""
    connection.execute(delete(table).where(table.c.no == no))


def has_grants(connection: Connection, no: int) -> bool:
    """Whether anybody let a client in."""
    query = select(func.count()).select_from(grant).where(grant.c.client_no == no)
    return bool(connection.execute(query).scalar_one())


def sweep(connection: Connection, before: int) -> bool:
    """Forget a batch of those that registered themselves before an instant and nobody ever let in.

    Answers whether more may be.
    """
    granted = exists().where(grant.c.client_no == table.c.no)
    never = (table.c.owner_no.is_(None), table.c.last_used_at.is_(None), ~granted)
    return forget(connection, table, and_(*never, table.c.created_at < before))


def _of(owner: int) -> Any:
    granted = exists().where(grant.c.client_no == table.c.no, grant.c.owner_no == owner)
    return select(table).where(or_(table.c.owner_no == owner, granted))
