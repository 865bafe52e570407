"""The outbox: an event becomes one delivery for each webhook that wants to know of it."""

from sqlalchemy import Connection

from finplan.model.webhook import WebhookEvent
from finplan.service.ids import new_id
from finplan.store.queries import deliveries
from finplan.store.writer import raise_on_commit


def emit(connection: Connection, owner: int, event: WebhookEvent, now: int) -> None:
    """Let a person's webhooks be told of an event, once this transaction commits."""
    told = [
        no
        for no, events in deliveries.enabled_webhooks(connection, owner)
        if event.type in events.split()
    ]
    for no in told:
        send_to(connection, owner, no, event, now)


def send_to(
    connection: Connection, owner: int, webhook_no: int, event: WebhookEvent, now: int
) -> str:
    """Let one webhook be told of an event, whichever it wants; answers the id of the delivery."""
    delivery = new_id("dlv")
    values = {
        "id": delivery,
        "owner_no": owner,
        "webhook_no": webhook_no,
        "type": event.type,
        "body": event.model_dump_json(),
        "status": "pending",
        "attempts": 0,
        "next_attempt_at": now,
        "created_at": now,
    }
    deliveries.add_deliveries(connection, [values])
    raise_on_commit(connection)
    return delivery


def is_wanted(connection: Connection, owner: int, kind: str) -> bool:
    """Whether any webhook of a person that deliveries go to wants to know of a kind of event."""
    return any(
        kind in events.split() for _, events in deliveries.enabled_webhooks(connection, owner)
    )
