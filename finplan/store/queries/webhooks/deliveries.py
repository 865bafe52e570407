"""Deliveries: written with what they tell of, claimed by a courier, and what came of each attempt.

What a courier asks in each of its rounds are statements that are made once: to put one together takes
SQLAlchemy longer than SQLite needs to answer it, and requests wait meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import (
    Connection,
    Integer,
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
    bindparam(each, type_=Integer()) for each in DueSpan._fields
)


def _is_ahead(instant: Any, latest: Any) -> Any:
    return and_(instant > _NOW, instant <= latest)


_IS_FREE = not_(_is_ahead(table.c.claimed_until, _CLAIMS_END))
_IS_TO_COME = or_(
    _is_ahead(table.c.next_attempt_at, _PAUSES_END),
    and_(
        # Equality with null would leave open whether it waits.
        table.c.next_attempt_at.is_not_distinct_from(table.c.put_off_until),
        _is_ahead(table.c.next_attempt_at, _PUT_OFF_END),
    ),
)
_IS_DUE = (
    table.c.status == "pending",
    # The first attempt is due when a delivery is written, whatever the clock said then.
    or_(table.c.attempts == 0, not_(_IS_TO_COME)),
    or_(table.c.claimed_until.is_(None), _IS_FREE),
)
_IS_DISABLED = exists().where(
    webhook.c.no == table.c.webhook_no, webhook.c.disabled_at.is_not(None)
)
_FREE = {"claim": None, "claimed_until": None}

_DUE_WEBHOOKS = select(webhook.c.no).where(
    webhook.c.disabled_at.is_(None), exists().where(table.c.webhook_no == webhook.c.no, *_IS_DUE)
)
_DUE_DELIVERIES = (
    select(
        table.c.no,
        table.c.id,
        table.c.webhook_no,
        table.c.body,
        table.c.attempts,
        table.c.former_status,
        table.c.former_next_attempt_at,
    )
    .where(table.c.webhook_no == bindparam("webhook"), *_IS_DUE)
    .order_by(table.c.next_attempt_at, table.c.no)
    .limit(bindparam("room", type_=Integer()))
)
_CLAIM = (
    update(table)
    .where(table.c.no == bindparam("row"))
    .values(claim=bindparam("name"), claimed_until=bindparam("until"))
)
_HELD = select(table.c.no).where(
    table.c.claim == bindparam("name"), table.c.no.in_(bindparam("numbers", expanding=True))
)
_RECORD = (
    update(table)
    .where(table.c.no == bindparam("row"), table.c.claim == bindparam("name"))
    .values(
        status=bindparam("new_status"),
        attempts=bindparam("made"),
        next_attempt_at=func.coalesce(bindparam("due"), table.c.next_attempt_at),
        put_off_until=func.coalesce(bindparam("put_off"), table.c.put_off_until),
        last_status=bindparam("answered"),
        last_error=bindparam("failed_of"),
        delivered_at=bindparam("arrived_at"),
        former_status=None,
        former_next_attempt_at=None,
        **_FREE,
    )
)
_LET_GO = (
    update(table)
    .where(table.c.no == bindparam("row"), table.c.claim == bindparam("name"))
    .values(
        status=case((_IS_DISABLED, "failed"), else_=table.c.status),
        last_error=case((_IS_DISABLED, _DISABLED), else_=table.c.last_error),
        **_FREE,
    )
)
_GIVE_UP_ABANDONED = (
    update(table)
    .where(table.c.claimed_until.is_not(None), _IS_FREE, table.c.status == "pending", _IS_DISABLED)
    .values(status="failed", last_error=_DISABLED, **_FREE)
)
_NEXT_PLANNED = (
    select(func.min(table.c.next_attempt_at))
    .select_from(webhook.join(table, table.c.webhook_no == webhook.c.no))
    .where(
        webhook.c.disabled_at.is_(None),
        table.c.status == "pending",
        table.c.attempts > 0,
        _IS_TO_COME,
    )
)
_NEXT_LET_GO = select(func.min(table.c.claimed_until)).where(
    _is_ahead(table.c.claimed_until, _CLAIMS_END)
)


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
    due = span._asdict()
    claimed = list[Claimed]()
    for webhook_no in connection.execute(_DUE_WEBHOOKS, due).scalars().all():
        room = room_of(webhook_no)
        if room > 0:
            asked = {**due, "webhook": webhook_no, "room": room}
            claimed += [Claimed(*row) for row in connection.execute(_DUE_DELIVERIES, asked)]
    if claimed:
        held = [{"row": each.no, "name": name, "until": until} for each in claimed]
        connection.execute(_CLAIM, held)
    return claimed


def held_by(connection: Connection, name: str, numbers: Sequence[int]) -> AbstractSet[int]:
    """Those of some deliveries, by their numbers, that a courier still holds."""
    return set(connection.execute(_HELD, {"name": name, "numbers": numbers}).scalars())


def record(connection: Connection, name: str, results: Sequence[Mapping[str, Any]]) -> None:
    """Record what came of attempts, and let go of the rows; one that another courier took is its own.

    Each result has the `row`, and all that its outcome says: status, attempts, next_attempt_at,
    put_off_until, last_status, last_error and delivered_at.
    """
    if results:
        connection.execute(_RECORD, [{**each, "name": name} for each in results])


def let_go(connection: Connection, name: str, numbers: Sequence[int]) -> None:
    """Let go of deliveries that were claimed and not tried: any courier may take them at once.

    What was claimed for a webhook that is disabled has failed.
    """
    if numbers:
        connection.execute(_LET_GO, [{"row": no, "name": name} for no in numbers])


def give_up_abandoned(connection: Connection, span: DueSpan) -> None:
    """Note that what a courier never reported of has failed, where its webhook was disabled since."""
    connection.execute(_GIVE_UP_ABANDONED, span._asdict())


def next_due(connection: Connection, span: DueSpan) -> int | None:
    """When something is due next that is not due yet; None while nothing is to come.

    What another courier holds is due when its time is over. Instants are in milliseconds.
    """
    asked = span._asdict()
    found = [connection.execute(query, asked).scalar() for query in (_NEXT_PLANNED, _NEXT_LET_GO)]
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
        .values(status="failed", last_error=_DISABLED)
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


def try_again(connection: Connection, no: int, now: int, former: tuple[str, int] | None) -> None:
    """Let a delivery be tried at once; a failing try leaves it in the `former` status and next attempt.

    Without `former` what was noted of that stays.
    """
    values: dict[str, Any] = {"status": "pending", "next_attempt_at": now}
    if former is not None:
        values |= {"former_status": former[0], "former_next_attempt_at": former[1]}
    connection.execute(update(table).where(table.c.no == no).values(**values))


def prune(connection: Connection, before: int) -> None:
    """Forget the deliveries that were written before an instant in milliseconds, and wait no more."""
    connection.execute(
        delete(table).where(table.c.created_at < before, table.c.status != "pending")
    )
