"""Webhooks and their deliveries."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Timestamp, Whole, Wire

WebhookEventType = Literal[
    "plan.built", "recurring.detected", "bank.reconnect_required", "webhook.test"
]


class Webhook(Wire):
    """An address that is told of events; disabled when `disabledAt` is set."""

    id: str
    url: Annotated[str, Field(pattern=r"^https://")]
    description: str | None
    events: tuple[WebhookEventType, ...]
    created_at: Timestamp
    disabled_at: Timestamp | None


class WebhookDelivery(Wire):
    """One event's way to one webhook."""

    id: str
    type: WebhookEventType
    status: Literal["pending", "delivered", "failed"]
    attempts: Whole
    next_attempt_at: Timestamp
    last_status: Whole | None
    last_error: str | None
    created_at: Timestamp
    delivered_at: Timestamp | None
