"""Deliveries as a person sees them: a page of them, one tried again, a test."""

import base64
import binascii
import hashlib
import re

from sqlalchemy import Connection, RowMapping

from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.webhook import (
    DeliveryId,
    DeliveryPage,
    DeliveryQuery,
    WebhookDelivery,
    WebhookId,
)
from finplan.operation import Made
from finplan.service.context import Context
from finplan.service.outbox.news import send_test
from finplan.service.webhooks.webhooks import find
from finplan.store.queries import deliveries as table
from finplan.store.writer import raise_on_commit
from finplan.webhooks.courier import CLAIMED_FOR

_WRITTEN = re.compile(r"([0-9]{1,16})\.[0-9a-f]{6}")
_CHECKED_BYTES = 3


async def list_deliveries(context: Context, query: DeliveryQuery) -> DeliveryPage:
    """A page of the deliveries of one webhook, newest first. Raises NotFound."""
    before, owner = _read_cursor(query), context.caller.owner

    def read(connection: Connection) -> DeliveryPage:
        webhook = find(connection, owner, query.id)
        rows = table.list_deliveries(connection, webhook["no"], before, query.limit + 1)
        shown = rows[: query.limit]
        more = len(rows) > query.limit
        return DeliveryPage(
            deliveries=tuple(map(delivery_of, shown)),
            next_cursor=_write_cursor(shown[-1]["no"], query.id) if more else None,
        )

    return await context.store.read(read)


async def try_webhook(context: Context, ask: WebhookId) -> Made[WebhookDelivery]:
    """Send a test event to one webhook, whichever events it wants. Raises NotFound and Conflict."""
    owner, now = context.caller.owner, context.milliseconds()

    def write(connection: Connection) -> Made[WebhookDelivery]:
        webhook = _enabled(find(connection, owner, ask.id))
        delivery = send_test(connection, owner, webhook["no"], ask.id, now)
        row = table.find_delivery(connection, webhook["no"], delivery)
        assert row is not None, "It was written just now."
        return Made(delivery_of(row), new=True)

    return await context.commit(write)


async def retry_delivery(context: Context, ask: DeliveryId) -> WebhookDelivery:
    """Let a delivery be tried at once, one that has failed for good too; failing, it is as it was.

    Raises NotFound, and Conflict for one that has arrived, is being sent this moment, or whose webhook
    is disabled.
    """
    owner, now = context.caller.owner, context.milliseconds()

    def write(connection: Connection) -> WebhookDelivery:
        webhook = find(connection, owner, ask.id)
        row = table.find_delivery(connection, webhook["no"], ask.delivery_id)
        if row is None:
            raise NotFound(
                f"There is no delivery {ask.delivery_id} of this webhook. `finplan webhooks deliveries"
                f" {ask.id}` shows those of the last thirty days."
            )
        _enabled(webhook)
        if row["status"] == "delivered":
            raise Conflict("It has arrived, so it is not sent again.")
        if _is_being_sent(row, now):
            raise Conflict(
                "It is being sent, or about to be; what comes of it is known within a minute."
            )
        table.try_again(connection, row["no"], now, _former(row, now))
        raise_on_commit(connection)
        again = table.find_delivery(connection, webhook["no"], ask.delivery_id)
        assert again is not None, "It was there just now."
        return delivery_of(again)

    return await context.commit(write)


def delivery_of(row: RowMapping) -> WebhookDelivery:
    """A delivery as the interface shows it."""
    return WebhookDelivery(
        id=row["id"],
        type=row["type"],
        status=row["status"],
        attempts=row["attempts"],
        next_attempt_at=row["next_attempt_at"],
        last_status=row["last_status"],
        last_error=row["last_error"],
        created_at=row["created_at"],
        delivered_at=row["delivered_at"],
    )


def _former(row: RowMapping, now: int) -> tuple[str, int] | None:
    """What a delivery is to be if the try fails; None where its schedule or an earlier wish says so."""
    waits = row["status"] == "pending"
    if waits and (row["former_status"] is not None or not row["attempts"]):
        return None
    due: int = row["next_attempt_at"]
    return None if waits and due <= now else (row["status"], due)


def _is_being_sent(row: RowMapping, now: int) -> bool:
    until = row["claimed_until"]
    # A claim that reaches further was made by a clock that has been set back since.
    return until is not None and now < until <= now + 2 * CLAIMED_FOR


def _enabled(webhook: RowMapping) -> RowMapping:
    if webhook["disabled_at"] is not None:
        raise Conflict(
            f"The webhook {webhook['id']} is disabled, and nothing is sent to it. `finplan webhooks"
            f" change {webhook['id']} --enable` lets deliveries go on."
        )
    return webhook


def _write_cursor(no: int, webhook_id: str) -> str:
    """A place as a caller hands it back, with a check of it and of the webhook: no secret."""
    check = hashlib.blake2s(f"{no}.{webhook_id}".encode(), digest_size=_CHECKED_BYTES).hexdigest()
    return base64.urlsafe_b64encode(f"{no}.{check}".encode()).decode().rstrip("=")


def _read_cursor(query: DeliveryQuery) -> int | None:
    if query.cursor is None:
        return None
    try:
        padded = query.cursor + "=" * (-len(query.cursor) % 4)
        written = _WRITTEN.fullmatch(base64.b64decode(padded, altchars=b"-_").decode())
    except (ValueError, binascii.Error):
        written = None
    if written is None or _write_cursor(int(written[1]), query.id) != query.cursor:
        raise BadRequest(
            "This cursor does not come from a page of this webhook's deliveries. Start without one."
        )
    return int(written[1])
