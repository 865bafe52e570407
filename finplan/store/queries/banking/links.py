"""Pages at which people link banks: begun, looked at by one process at a time, and over."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, delete, func, insert, or_, select, update

from finplan.store.tables.tables import bank_link as table


def add_link(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a link that was begun."""
    connection.execute(insert(table).values(**values))


def find_link(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's link by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def find_link_by_state(connection: Connection, owner: int, bank: str, state: str) -> str | None:
    """The id of a person's link whose page leads to an address that is known by this."""
    query = select(table.c.id).where(
        table.c.owner_no == owner, table.c.bank == bank, table.c.state == state
    )
    found = connection.execute(query).scalar()
    return None if found is None else str(found)


def links_due(connection: Connection, owner: int, now: int, latest: int) -> Sequence[str]:
    """The ids of a person's links that it is time to look at; none is due after the `latest` instant."""
    due = or_(table.c.next_look_at <= now, table.c.next_look_at > latest)
    query = select(table.c.id).where(table.c.owner_no == owner, table.c.is_over == 0, due)
    return connection.execute(query.order_by(table.c.no)).scalars().all()


def first_looks(connection: Connection) -> Mapping[int, int]:
    """The instant at which each person's link that is due first is looked at."""
    query = select(table.c.owner_no, func.min(table.c.next_look_at)).where(table.c.is_over == 0)
    found = connection.execute(query.group_by(table.c.owner_no))
    return {owner: int(at) for owner, at in found}


def hold_link(connection: Connection, no: int, now: int, pause: int, until: int) -> bool:
    """Let one process look at a link, until an instant; whether it is this one's turn.

    It is nobody's while another looks, within the `pause` after the last look, and once it is over. What
    lies in the future was written under a clock that has been set back.
    """
    is_busy = and_(table.c.busy_until > now, table.c.busy_until <= until)
    is_early = and_(table.c.asked_at > now - pause, table.c.asked_at <= now)
    query = (
        update(table)
        .where(table.c.no == no, table.c.is_over == 0, ~is_busy, ~is_early)
        .values(busy_until=until, asked_at=now)
    )
    return connection.execute(query).rowcount == 1


def change_link(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a link."""
    connection.execute(update(table).where(table.c.no == no).values(**values))


def note_look(connection: Connection, no: int, until: int, values: Mapping[str, Any]) -> None:
    """Set some columns of a link, as long as who held it until an instant still does."""
    query = update(table).where(table.c.no == no, table.c.is_over == 0, table.c.busy_until == until)
    connection.execute(query.values(**values))


def prune_links(connection: Connection, before: int) -> None:
    """Forget the links that are over and were begun before an instant."""
    connection.execute(delete(table).where(table.c.is_over == 1, table.c.created_at < before))
