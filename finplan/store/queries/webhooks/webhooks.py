"""Webhooks: registered, changed, disabled, and how they fare."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    String,
    Table,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.sql import ColumnElement

from finplan.store.tables.tables import api_key as key
from finplan.store.tables.tables import oauth_client as client
from finplan.store.tables.tables import oauth_code as code
from finplan.store.tables.tables import oauth_grant as grant
from finplan.store.tables.tables import oauth_token as token
from finplan.store.tables.tables import webhook as table
from finplan.store.tables.tables import webhook_delivery as delivery

HEALTH = ("failing_since", "last_failed_at", "last_error")
"""What is noted of how a webhook fares; all of it is null as long as deliveries arrive."""

# The courier asks it in each of its rounds, and to put it together takes longer than to answer it.
_BY_NUMBERS = select(table).where(table.c.no.in_(bindparam("numbers", expanding=True)))


def add_webhook(connection: Connection, values: Mapping[str, Any]) -> None:
    """Add a webhook."""
    connection.execute(insert(table).values(**values))


def list_webhooks(connection: Connection, owner: int) -> Sequence[RowMapping]:
    """A person's webhooks, newest first."""
    query = select(table).where(table.c.owner_no == owner).order_by(table.c.no.desc())
    return connection.execute(query).mappings().all()


def find_webhook(connection: Connection, owner: int, public_id: str) -> RowMapping | None:
    """A person's webhook by its id."""
    query = select(table).where(table.c.owner_no == owner, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def webhooks_of(connection: Connection, numbers: Sequence[int]) -> Sequence[RowMapping]:
    """Webhooks by their numbers, whose ever they are."""
    return connection.execute(_BY_NUMBERS, {"numbers": numbers}).mappings().all()


def enabled_webhooks(connection: Connection, owner: int) -> Sequence[tuple[int, str]]:
    """The numbers of a person's webhooks that deliveries go to, each with its events."""
    query = select(table.c.no, table.c.events).where(
        table.c.owner_no == owner, table.c.disabled_at.is_(None)
    )
    return [(no, events) for no, events in connection.execute(query)]


def change_webhook(connection: Connection, no: int, values: Mapping[str, Any]) -> None:
    """Change a webhook."""
    connection.execute(update(table).where(table.c.no == no).values(**values))


def remove_webhook(connection: Connection, no: int) -> None:
    """Remove a webhook with all of its deliveries."""
    connection.execute(delete(table).where(table.c.no == no))


def chosen_by(
    connection: Connection, program: str, owner: int | None = None
) -> Sequence[RowMapping]:
    """The webhooks that deliveries go to because a program chose so; of one person or of everybody."""
    query = select(table).where(table.c.chosen_by == program, table.c.disabled_at.is_(None))
    if owner is not None:
        query = query.where(table.c.owner_no == owner)
    return connection.execute(query).mappings().all()


def chosen_by_keys_over(connection: Connection, now: int) -> Sequence[RowMapping]:
    """The webhooks that deliveries go to because a key chose so that is over at an instant."""
    name = "key:" + cast(key.c.no, String)
    query = (
        select(table)
        .join(key, name == table.c.chosen_by)
        .where(key.c.expires_at <= now, table.c.disabled_at.is_(None))
    )
    return connection.execute(query).mappings().all()


def chosen_by_clients_over(connection: Connection, now: int) -> Sequence[RowMapping]:
    """The webhooks that deliveries go to because a client chose so that nothing lets in any more."""
    granted = select(grant.c.no).join(client, client.c.no == grant.c.client_no)
    holding = granted.where(
        "client:" + client.c.id == table.c.chosen_by,
        grant.c.owner_no == table.c.owner_no,
        or_(_holds(token, now), _holds(code, now)),
    )
    query = select(table).where(
        table.c.chosen_by.startswith("client:"), table.c.disabled_at.is_(None), ~holding.exists()
    )
    return connection.execute(query).mappings().all()


def _holds(secret: Table, now: int) -> ColumnElement[bool]:
    """Whether a grant has a secret that holds."""
    return (
        select(secret.c.no)
        .where(secret.c.grant_no == grant.c.no, secret.c.used_at.is_(None))
        .where(secret.c.expires_at > now)
        .exists()
    )


@dataclass(frozen=True, slots=True)
class WaitingDeliveries:
    """How many deliveries are on their way to a webhook, and when one that failed is tried again."""

    count: int = 0
    next_try: int | None = None


def waiting(connection: Connection, owner: int) -> Mapping[int, WaitingDeliveries]:
    """What is on its way to each of a person's webhooks, by its number, where there is anything."""
    again = case((delivery.c.attempts > 0, delivery.c.next_attempt_at))
    query = (
        select(delivery.c.webhook_no, func.count(), func.min(again))
        .where(delivery.c.owner_no == owner, delivery.c.status == "pending")
        .group_by(delivery.c.webhook_no)
    )
    return {int(no): WaitingDeliveries(*told) for no, *told in connection.execute(query)}


def forget_former_secrets(connection: Connection, now: int) -> None:
    """Forget the secrets that sign no more, as of an instant in milliseconds."""
    over = update(table).where(table.c.former_until <= now)
    connection.execute(over.values(former_secret=None, former_until=None))
