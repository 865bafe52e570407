"""Deliveries: written with what they tell of, claimed by a courier, and what came of each attempt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    not_,
    or_,
    select,
    update,
)

from finplan.store.look_up import LookUp
from finplan.store.tables.tables import webhook
from finplan.store.tables.tables import webhook_delivery as table

_DISABLED = "The webhook was disabled before it was tried again."
_WHY_FAILED = func.coalesce(table.c.last_error, _DISABLED)

STILL_TO_BE_SENT = LookUp(
    "SELECT d.no FROM webhook_delivery AS d JOIN webhook AS w ON w.no = d.webhook_no"
    " WHERE d.no = ? AND d.id = ? AND d.claim = ? AND w.url = ? AND w.disabled_at IS NULL",
    int,
)
"""The row of a delivery by its number and id, while a claim holds it and its webhook has a URL."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A delivery that a courier holds; `attempts` were made before."""

    no: int
    id: str
    webhook_no: int
    body: str
    attempts: int


@dataclass(frozen=True, slots=True)
class DueSpan:
    """What instants can be planned as of `now`: claims end and pauses end by the others at the latest.

    One further ahead was written by a clock that was set back since, and nobody waits for it.
    """

    now: int
    claims_end: int
    pauses_end: int


def add_deliveries(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Add deliveries that are due at once."""
    if rows:
        connection.execute(insert(table), list(rows))


def claim(
    connection: Connection,
    span: DueSpan,
    until: int,
    name: str,
    room_of: Callable[[int], int],
) -> Sequence[Claimed]:
    """Claim what is due, for each webhook as many deliveries as there is room for.

    What another courier holds is left to it until its time is over.
    """
    claimed = list[Claimed]()
    for webhook_no in _due_webhooks(connection, span):
        room = room_of(webhook_no)
        if room > 0:
            claimed += _due_deliveries(connection, webhook_no, span, room)
    if claimed:
        connection.execute(
            update(table)
            .where(table.c.no == bindparam("row"))
            .values(claim=name, claimed_until=until),
            [{"row": each.no} for each in claimed],
        )
    return claimed


def _due_webhooks(connection: Connection, span: DueSpan) -> Sequence[int]:
    due = exists().where(table.c.webhook_no == webhook.c.no, *_is_due(span))
    query = select(webhook.c.no).where(webhook.c.disabled_at.is_(None), due)
    return connection.execute(query).scalars().all()


def _due_deliveries(
    connection: Connection, webhook_no: int, span: DueSpan, limit: int
) -> Sequence[Claimed]:
    query = (
        select(table.c.no, table.c.id, table.c.webhook_no, table.c.body, table.c.attempts)
        .where(table.c.webhook_no == webhook_no, *_is_due(span))
        .order_by(table.c.next_attempt_at, table.c.no)
        .limit(limit)
    )
    return [Claimed(*row) for row in connection.execute(query)]


def _is_due(span: DueSpan) -> tuple[Any, ...]:
    # The first attempt is due when a delivery is written, whatever the clock said then.
    due = or_(
        table.c.attempts == 0, not_(_is_ahead(table.c.next_attempt_at, span.now, span.pauses_end))
    )
    free = not_(_is_ahead(table.c.claimed_until, span.now, span.claims_end))
    return table.c.status == "pending", due, or_(table.c.claimed_until.is_(None), free)


def _is_ahead(instant: Any, now: int, latest: int) -> Any:
    return and_(instant > now, instant <= latest)


def record(connection: Connection, name: str, results: Sequence[Mapping[str, Any]]) -> None:
    """Record what came of attempts, and let go of the rows; one that another courier took is its own.

    Each result has the `row`, and all that its outcome says: status, attempts, next_attempt_at,
    last_status, last_error and delivered_at.
    """
    if not results:
        return
    connection.execute(
        update(table)
        .where(table.c.no == bindparam("row"), table.c.claim == name)
        .values(
            status=bindparam("new_status"),
            attempts=bindparam("made"),
            next_attempt_at=func.coalesce(bindparam("due"), table.c.next_attempt_at),
            last_status=bindparam("answered"),
            last_error=bindparam("failed_of"),
            delivered_at=bindparam("arrived_at"),
            claim=None,
            claimed_until=None,
        ),
        list(results),
    )


def let_go(connection: Connection, name: str, numbers: Sequence[int]) -> None:
    """Let go of deliveries that were claimed and not tried: any courier may take them at once.

    What was claimed for a webhook that is disabled has failed.
    """
    if numbers:
        over = _is_disabled()
        connection.execute(
            update(table)
            .where(table.c.no == bindparam("row"), table.c.claim == name)
            .values(
                status=case((over, "failed"), else_=table.c.status),
                last_error=case((over, _WHY_FAILED), else_=table.c.last_error),
                claim=None,
                claimed_until=None,
            ),
            [{"row": no} for no in numbers],
        )


def give_up_abandoned(connection: Connection, span: DueSpan) -> None:
    """Note that what a courier never reported of has failed, where its webhook was disabled since."""
    connection.execute(
        update(table)
        .where(
            table.c.claimed_until.is_not(None),
            not_(_is_ahead(table.c.claimed_until, span.now, span.claims_end)),
            table.c.status == "pending",
            _is_disabled(),
        )
        .values(status="failed", last_error=_WHY_FAILED, claim=None, claimed_until=None)
    )


def _is_disabled() -> Any:
    return exists().where(webhook.c.no == table.c.webhook_no, webhook.c.disabled_at.is_not(None))


def next_due(connection: Connection, span: DueSpan) -> int | None:
    """When something is due next that is not due yet; None while nothing is to come.

    What another courier holds is due when its time is over. Instants are in milliseconds.
    """
    planned = (
        select(func.min(table.c.next_attempt_at))
        .select_from(webhook.join(table, table.c.webhook_no == webhook.c.no))
        .where(
            webhook.c.disabled_at.is_(None),
            table.c.status == "pending",
            table.c.attempts > 0,
            _is_ahead(table.c.next_attempt_at, span.now, span.pauses_end),
        )
    )
    held = select(func.min(table.c.claimed_until)).where(
        _is_ahead(table.c.claimed_until, span.now, span.claims_end)
    )
    found = [connection.execute(query).scalar() for query in (planned, held)]
    return min((each for each in found if each is not None), default=None)


def give_up(connection: Connection, webhook_no: int, now: int) -> None:
    """Note of what waits for a webhook that was disabled that it has failed.

    What is on its way this moment is left to its courier.
    """
    connection.execute(
        update(table)
        .where(
            table.c.webhook_no == webhook_no,
            table.c.status == "pending",
            or_(table.c.claimed_until.is_(None), table.c.claimed_until <= now),
        )
        .values(status="failed", last_error=_WHY_FAILED)
    )


def list_deliveries(
    connection: Connection, webhook_no: int, before: int | None, limit: int
) -> Sequence[RowMapping]:
    """A page of the deliveries of a webhook, newest first; `before` is the last row before it."""
    query = select(table).where(table.c.webhook_no == webhook_no)
    if before is not None:
        query = query.where(table.c.no < before)
    return connection.execute(query.order_by(table.c.no.desc()).limit(limit)).mappings().all()


def find_delivery(connection: Connection, webhook_no: int, public_id: str) -> RowMapping | None:
    """A delivery of a webhook by its id."""
    query = select(table).where(table.c.webhook_no == webhook_no, table.c.id == public_id)
    return connection.execute(query).mappings().first()


def try_again(connection: Connection, no: int, now: int) -> None:
    """Let a delivery be tried at once."""
    values = {"status": "pending", "next_attempt_at": now}
    connection.execute(update(table).where(table.c.no == no).values(**values))


def prune(connection: Connection, before: int) -> None:
    """Forget the deliveries that were written before an instant in milliseconds."""
    connection.execute(delete(table).where(table.c.created_at < before))
