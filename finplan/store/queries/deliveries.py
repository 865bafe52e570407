"""Webhooks, how they fare, the deliveries on their way to them, and what they were told.

Deliveries are written with what they tell of and claimed by a courier, with what came of each
attempt. What a courier asks in each of its rounds are statements that are made once: to put one
together takes SQLAlchemy longer than SQLite needs to answer it, and requests wait meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.sql import ColumnElement

from finplan.store.queries.rows import add, add_all, change, every, find, remove
from finplan.store.store_file import LookUp
from finplan.store.tables.tables import (
    api_key,
    oauth_client,
    oauth_code,
    oauth_grant,
    oauth_token,
    told_series,
    webhook,
    webhook_delivery as delivery,
)

HEALTH = ("failing_since", "last_failed_at", "last_error")
"""What is noted of how a webhook fares; all of it is null as long as deliveries arrive."""

# The courier asks it in each of its rounds, and to put it together takes longer than to answer it.
_WEBHOOKS_BY_NUMBERS = sa.select(webhook).where(
    webhook.c.no.in_(sa.bindparam("numbers", expanding=True))
)


def add_webhook(connection: sa.Connection, values: Mapping[str, Any]) -> None:
    """Add a webhook."""
    add(connection, webhook, values)


def list_webhooks(connection: sa.Connection, owner: int) -> Sequence[sa.RowMapping]:
    """A person's webhooks, newest first."""
    query = sa.select(webhook).filter_by(owner_no=owner).order_by(webhook.c.no.desc())
    return every(connection, query)


def find_webhook(connection: sa.Connection, owner: int, public_id: str) -> sa.RowMapping | None:
    """A person's webhook by its id."""
    return find(connection, webhook, owner_no=owner, id=public_id)


def webhooks_of(connection: sa.Connection, numbers: Sequence[int]) -> Sequence[sa.RowMapping]:
    """Webhooks by their numbers, whose ever they are."""
    return connection.execute(_WEBHOOKS_BY_NUMBERS, {"numbers": numbers}).mappings().all()


def enabled_webhooks(connection: sa.Connection, owner: int) -> Sequence[tuple[int, str]]:
    """The numbers of a person's webhooks that deliveries go to, each with its events."""
    query = sa.select(webhook.c.no, webhook.c.events).filter_by(owner_no=owner, disabled_at=None)
    return [(no, events) for no, events in connection.execute(query)]


def change_webhook(connection: sa.Connection, no: int, values: Mapping[str, Any]) -> None:
    """Change a webhook."""
    change(connection, webhook, no, **values)


def remove_webhook(connection: sa.Connection, no: int) -> None:
    """Remove a webhook with all of its deliveries."""
    remove(connection, webhook, no=no)


def chosen_by(
    connection: sa.Connection, program: str, owner: int | None = None
) -> Sequence[sa.RowMapping]:
    """The webhooks that deliveries go to because a program chose so; of one person or of everybody."""
    query = sa.select(webhook).filter_by(chosen_by=program, disabled_at=None)
    return every(connection, query if owner is None else query.filter_by(owner_no=owner))


def chosen_by_keys_over(connection: sa.Connection, now: int) -> Sequence[sa.RowMapping]:
    """The webhooks that deliveries go to because a key chose so that is over at an instant."""
    name = "key:" + sa.cast(api_key.c.no, sa.String)
    query = (
        sa.select(webhook)
        .join(api_key, name == webhook.c.chosen_by)
        .where(api_key.c.expires_at <= now, webhook.c.disabled_at.is_(None))
    )
    return every(connection, query)


def chosen_by_clients_over(connection: sa.Connection, now: int) -> Sequence[sa.RowMapping]:
    """The webhooks that deliveries go to because a client chose so that nothing lets in any more."""
    granted = sa.select(oauth_grant.c.no).join(
        oauth_client, oauth_client.c.no == oauth_grant.c.client_no
    )
    holding = granted.where(
        "client:" + oauth_client.c.id == webhook.c.chosen_by,
        oauth_grant.c.owner_no == webhook.c.owner_no,
        sa.or_(_holds(oauth_token, now), _holds(oauth_code, now)),
    )
    query = sa.select(webhook).where(
        webhook.c.chosen_by.startswith("client:"),
        webhook.c.disabled_at.is_(None),
        ~holding.exists(),
    )
    return every(connection, query)


def _holds(secret: sa.Table, now: int) -> ColumnElement[bool]:
    """Whether a grant has a secret that holds."""
    return (
        sa.select(secret.c.no)
        .where(secret.c.grant_no == oauth_grant.c.no, secret.c.used_at.is_(None))
        .where(secret.c.expires_at > now)
        .exists()
    )


@dataclass(frozen=True, slots=True)
class WaitingDeliveries:
    """How many deliveries are on their way to a webhook, and when one that failed is tried again."""

    count: int = 0
    next_try: int | None = None


def waiting(connection: sa.Connection, owner: int) -> Mapping[int, WaitingDeliveries]:
    """What is on its way to each of a person's webhooks, by its number, where there is anything."""
    again = sa.case((delivery.c.attempts > 0, delivery.c.next_attempt_at))
    query = (
        sa.select(delivery.c.webhook_no, sa.func.count(), sa.func.min(again))
        .where(
            delivery.c.owner_no == owner,
            delivery.c.status == "pending",
        )
        .group_by(delivery.c.webhook_no)
    )
    return {int(no): WaitingDeliveries(*counts) for no, *counts in connection.execute(query)}


def forget_former_secrets(connection: sa.Connection, now: int) -> None:
    """Forget the secrets that sign no more, as of an instant in milliseconds."""
    over = sa.update(webhook).where(webhook.c.former_until <= now)
    connection.execute(over.values(former_secret=None, former_until=None))


_DISABLED = "The webhook was disabled before it was tried again."

STILL_TO_BE_SENT = LookUp(
    "SELECT d.no FROM webhook_delivery AS d JOIN webhook AS w ON w.no = d.webhook_no"
    " WHERE d.no = ? AND d.id = ? AND d.claim = ? AND w.url = ? AND w.disabled_at IS NULL",
    int,
)
"""The row of a delivery by its number and id, while a claim holds it and its webhook has a URL."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that a courier holds; `attempts` of its schedule were made before.

    A try that somebody asked for leaves it in `former_status` if it fails.
    """

    no: int
    id: str
    webhook_no: int
    body: str
    attempts: int
    former_status: str | None
    former_next_attempt_at: int | None


class DueSpan(NamedTuple):
    """What instants can be planned as of `now`, each kind by one of the others at the latest.

    Claims end by the first, pauses of the schedule by the second, those that receivers asked for by the
    third.

    One further ahead was written by a clock that was set back since, and nobody waits for it.
    """

    now: int
    claims_end: int
    pauses_end: int
    put_off_end: int


_NOW, _CLAIMS_END, _PAUSES_END, _PUT_OFF_END = (
    sa.bindparam(name, type_=sa.Integer()) for name in DueSpan._fields
)


def _is_ahead(instant: Any, latest: Any) -> Any:
    return sa.and_(instant > _NOW, instant <= latest)


_IS_FREE = sa.not_(_is_ahead(delivery.c.claimed_until, _CLAIMS_END))
_IS_TO_COME = sa.or_(
    _is_ahead(delivery.c.next_attempt_at, _PAUSES_END),
    sa.and_(
        # Equality with null would leave open whether it waits.
        delivery.c.next_attempt_at.is_not_distinct_from(delivery.c.put_off_until),
        _is_ahead(delivery.c.next_attempt_at, _PUT_OFF_END),
    ),
)
_IS_DUE = (
    delivery.c.status == "pending",
    # The first attempt is due when a delivery is written, whatever the clock said then.
    sa.or_(delivery.c.attempts == 0, sa.not_(_IS_TO_COME)),
    sa.or_(delivery.c.claimed_until.is_(None), _IS_FREE),
)
_IS_DISABLED = sa.exists().where(
    webhook.c.no == delivery.c.webhook_no,
    webhook.c.disabled_at.is_not(None),
)
_FREE = {"claim": None, "claimed_until": None}

_DUE_WEBHOOKS = sa.select(webhook.c.no).where(
    webhook.c.disabled_at.is_(None),
    sa.exists().where(delivery.c.webhook_no == webhook.c.no, *_IS_DUE),
)
_DUE_DELIVERIES = (
    sa.select(*(delivery.c[field.name] for field in fields(Claimed)))
    .where(delivery.c.webhook_no == sa.bindparam("webhook"), *_IS_DUE)
    .order_by(delivery.c.next_attempt_at, delivery.c.no)
    .limit(sa.bindparam("room", type_=sa.Integer()))
)
_CLAIM = (
    sa.update(delivery)
    .where(delivery.c.no == sa.bindparam("row"))
    .values(claim=sa.bindparam("name"), claimed_until=sa.bindparam("until"))
)
_HELD = sa.select(delivery.c.no).where(
    delivery.c.claim == sa.bindparam("name"),
    delivery.c.no.in_(sa.bindparam("numbers", expanding=True)),
)
_CHANGE_HELD = sa.update(delivery).where(
    delivery.c.no == sa.bindparam("row"), delivery.c.claim == sa.bindparam("name")
)
_RECORD = _CHANGE_HELD.values(
    status=sa.bindparam("new_status"),
    attempts=sa.bindparam("made"),
    next_attempt_at=sa.func.coalesce(sa.bindparam("due"), delivery.c.next_attempt_at),
    put_off_until=sa.func.coalesce(sa.bindparam("put_off"), delivery.c.put_off_until),
    last_status=sa.bindparam("answered"),
    last_error=sa.bindparam("failed_of"),
    delivered_at=sa.bindparam("arrived_at"),
    former_status=None,
    former_next_attempt_at=None,
    **_FREE,
)
_LET_GO = _CHANGE_HELD.values(
    status=sa.case((_IS_DISABLED, "failed"), else_=delivery.c.status),
    last_error=sa.case((_IS_DISABLED, _DISABLED), else_=delivery.c.last_error),
    **_FREE,
)
_GIVE_UP_ABANDONED = (
    sa.update(delivery)
    .where(
        delivery.c.claimed_until.is_not(None),
        _IS_FREE,
        delivery.c.status == "pending",
        _IS_DISABLED,
    )
    .values(status="failed", last_error=_DISABLED, **_FREE)
)
_NEXT_PLANNED = (
    sa.select(sa.func.min(delivery.c.next_attempt_at))
    .select_from(webhook.join(delivery, delivery.c.webhook_no == webhook.c.no))
    .where(
        webhook.c.disabled_at.is_(None),
        delivery.c.status == "pending",
        delivery.c.attempts > 0,
        _IS_TO_COME,
    )
)
_NEXT_LET_GO = sa.select(sa.func.min(delivery.c.claimed_until)).where(
    _is_ahead(delivery.c.claimed_until, _CLAIMS_END)
)


def add_deliveries(connection: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add deliveries that are due at once."""
    add_all(connection, delivery, rows)


def claim(
    connection: sa.Connection,
    span: DueSpan,
    until: int,
    name: str,
    room_of: Callable[[int], int],
) -> Sequence[Claimed]:
    """Claim what is due, for each webhook as many deliveries as there is room for.

    What another courier holds is left to it until its time is over.
    """
    due = span._asdict()
    claimed = list[Claimed]()
    for webhook_no in connection.execute(_DUE_WEBHOOKS, due).scalars().all():
        room = room_of(webhook_no)
        if room > 0:
            values = {**due, "webhook": webhook_no, "room": room}
            claimed += [Claimed(*row) for row in connection.execute(_DUE_DELIVERIES, values)]
    if claimed:
        claims = [{"row": row.no, "name": name, "until": until} for row in claimed]
        connection.execute(_CLAIM, claims)
    return claimed


def held_by(connection: sa.Connection, name: str, numbers: Sequence[int]) -> AbstractSet[int]:
    """Those of some deliveries, by their numbers, that a courier still holds."""
    return set(connection.execute(_HELD, {"name": name, "numbers": numbers}).scalars())


def record(connection: sa.Connection, name: str, results: Sequence[Mapping[str, Any]]) -> None:
    """Record what came of attempts, and let go of the rows; one that another courier took is its own.

    Each result has the `row`, and all that its outcome says: status, attempts, next_attempt_at,
    put_off_until, last_status, last_error and delivered_at.
    """
    if results:
        connection.execute(_RECORD, [{**result, "name": name} for result in results])


def let_go(connection: sa.Connection, name: str, numbers: Sequence[int]) -> None:
    """Let go of deliveries that were claimed and not tried: any courier may take them at once.

    What was claimed for a webhook that is disabled has failed.
    """
    if numbers:
        connection.execute(_LET_GO, [{"row": no, "name": name} for no in numbers])


def give_up_abandoned(connection: sa.Connection, span: DueSpan) -> None:
    """Note that what a courier never reported of has failed, where its webhook was disabled since."""
    connection.execute(_GIVE_UP_ABANDONED, span._asdict())


def next_due(connection: sa.Connection, span: DueSpan) -> int | None:
    """When something is due next that is not due yet; None while nothing is to come.

    What another courier holds is due when its time is over. Instants are in milliseconds.
    """
    values = span._asdict()
    times = [connection.execute(query, values).scalar() for query in (_NEXT_PLANNED, _NEXT_LET_GO)]
    return min((instant for instant in times if instant is not None), default=None)


def give_up(connection: sa.Connection, webhook_no: int, now: int) -> None:
    """Note of what waits for a webhook that was disabled that it has failed.

    What is on its way this moment is left to its courier.
    """
    is_free = sa.or_(delivery.c.claimed_until.is_(None), delivery.c.claimed_until <= now)
    waits = sa.update(delivery).filter_by(webhook_no=webhook_no, status="pending").where(is_free)
    connection.execute(waits.values(status="failed", last_error=_DISABLED))


def list_deliveries(
    connection: sa.Connection, webhook_no: int, before: int | None, limit: int
) -> Sequence[sa.RowMapping]:
    """A page of the deliveries of a webhook, newest first; `before` is the last row before it."""
    query = sa.select(delivery).filter_by(webhook_no=webhook_no)
    if before is not None:
        query = query.where(delivery.c.no < before)
    return every(connection, query.order_by(delivery.c.no.desc()).limit(limit))


def find_delivery(
    connection: sa.Connection, webhook_no: int, public_id: str
) -> sa.RowMapping | None:
    """A delivery of a webhook by its id."""
    return find(connection, delivery, webhook_no=webhook_no, id=public_id)


def try_again(connection: sa.Connection, no: int, now: int, former: tuple[str, int] | None) -> None:
    """Let a delivery be tried at once; a failing try leaves it in the `former` status and next attempt.

    Without `former` what was noted of that stays.
    """
    values: dict[str, Any] = {"status": "pending", "next_attempt_at": now}
    if former is not None:
        values |= {"former_status": former[0], "former_next_attempt_at": former[1]}
    change(connection, delivery, no, **values)


def prune(connection: sa.Connection, before: int) -> None:
    """Forget the deliveries that were written before an instant in milliseconds, and wait no more."""
    over = sa.and_(delivery.c.created_at < before, delivery.c.status != "pending")
    connection.execute(sa.delete(delivery).where(over))


def count_told_series(connection: sa.Connection, owner: int) -> Mapping[str, int]:
    """How many of each name."""
    query = sa.select(told_series.c.name, told_series.c.count).filter_by(owner_no=owner)
    return {str(name): int(count) for name, count in connection.execute(query)}


def tell_series(connection: sa.Connection, owner: int, counts: Mapping[str, int]) -> None:
    """From now on so many of each of these names are known."""
    former = sa.delete(told_series).filter_by(owner_no=owner)
    connection.execute(former.where(told_series.c.name.in_(list(counts))))
    rows = [{"owner_no": owner, "name": name, "count": count} for name, count in counts.items()]
    add_all(connection, told_series, rows)


def forget_told_series(connection: sa.Connection, owner: int) -> None:
    """Forget all of them."""
    remove(connection, told_series, owner_no=owner)
