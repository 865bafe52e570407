"""Webhooks and their deliveries: what is asked and answered, and the body of each event."""

from datetime import date, datetime
from typing import Annotated, Literal, get_args

from pydantic import Field

from finplan.model.base import NEVER_NULL, Amount, ById, PathId, Text, Timestamp, Whole, Wire
from finplan.model.connection import Connection
from finplan.model.plan import RecurringCharge

WebhookEventType = Literal[
    "plan.built", "recurring.detected", "bank.reconnect_required", "webhook.test"
]

LARGEST_PAGE = 200
"""How many deliveries one page holds at most."""

LONGEST_URL = 2000
WEBHOOK_SECRET_PREFIX = "whsec_"  # noqa: S105  # What every secret begins with is none.
"""What a signing secret begins with; base64 of its 32 bytes follows."""

HttpsUrl = Annotated[
    str,
    Field(
        pattern=r"^https://",
        max_length=LONGEST_URL,
        json_schema_extra={"examples": ["https://hooks.example.com/finplan"]},
    ),
]
Events = Annotated[tuple[WebhookEventType, ...], Field(min_length=1, max_length=4)]


class Webhook(Wire):
    """An address that receives events; disabled when `disabledAt` is set."""

    id: str
    url: Annotated[str, Field(pattern=r"^https://")]
    description: str | None
    events: tuple[WebhookEventType, ...]
    created_at: Timestamp
    disabled_at: Timestamp | None


class WebhookRecord(Wire):
    """A webhook with the state of its deliveries.

    `disabledWhy` is a sentence. `failingSince` is the time of its first failure, or null while
    deliveries succeed. `waiting` counts pending deliveries, and `nextTryAt` is the time of the next
    retry. `heldUp` is the reason if no delivery can be sent now. Until `formerSecretUntil`, deliveries
    are signed with both secrets.
    """

    webhook: Webhook
    disabled_why: str | None
    failing_since: Timestamp | None
    last_error: str | None
    waiting: Whole
    held_up: str | None
    next_try_at: Timestamp | None
    former_secret_until: Timestamp | None


class NewWebhook(Wire):
    """Register an https address on the public internet for events."""

    url: HttpsUrl
    events: Events
    description: Text | None = None


class CreatedWebhook(Webhook):
    """A webhook with its signing secret, which is shown only once."""

    secret: str


class WebhookId(ById):
    """Identifies one webhook."""


class WebhookChange(ById):
    """What to change; absent fields stay unchanged. To enable the webhook, set `disabled` to false."""

    url: Annotated[HttpsUrl | None, NEVER_NULL] = None
    events: Annotated[Events | None, NEVER_NULL] = None
    description: Text | None = None
    disabled: Annotated[bool | None, NEVER_NULL] = None


class NewSecret(Wire):
    """The new signing secret, shown only once.

    Until `formerUntil`, the previous secret signs too. If an even older secret was valid until
    `olderUntil`, that secret no longer works; otherwise `olderUntil` is null.
    """

    id: str
    secret: str
    former_until: Timestamp
    older_until: Timestamp | None


class WebhookDelivery(Wire):
    """The delivery of one event to one webhook."""

    id: str
    type: WebhookEventType
    status: Literal["pending", "delivered", "failed"]
    attempts: Whole
    next_attempt_at: Timestamp
    last_status: Whole | None
    last_error: str | None
    created_at: Timestamp
    delivered_at: Timestamp | None


class DeliveryQuery(ById):
    """The deliveries of one webhook, newest first, a page at a time."""

    limit: Annotated[
        int,
        Field(ge=1, le=LARGEST_PAGE, description="The maximum number of deliveries to return."),
    ] = 50
    cursor: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "cursor"})] | None,
        Field(description="The `nextCursor` of the previous page."),
    ] = None


class DeliveryPage(Wire):
    """One page; `nextCursor` is null on the last page."""

    deliveries: tuple[WebhookDelivery, ...]
    next_cursor: str | None


class DeliveryId(ById):
    """Identifies one delivery of one webhook."""

    delivery_id: PathId


class BuiltPlan(Wire):
    """A plan that was built: its monthly sums, and the kinds of its actions in order.

    `GET /plan` returns the whole plan.
    """

    created_at: Timestamp
    generated_on: date
    income: Amount
    total_spend: Amount
    surplus: Amount
    net_worth: Amount
    actions: tuple[str, ...]


class DetectedRecurring(Wire):
    """A new recurring charge; `recurring` is null if one plan found more than twenty.

    `count` is then the number of all of them, and otherwise 1.
    """

    recurring: RecurringCharge | None
    count: Whole


class BankToReconnect(Wire):
    """A bank that needs the person to sign in again."""

    connection: Connection


class WebhookTried(Wire):
    """The webhook that the test event is for."""

    webhook_id: str


class _Told(Wire):
    timestamp: Annotated[datetime, Field(description="The time of the event, in UTC.")]


class PlanBuiltEvent(_Told):
    """A plan was built."""

    type: Literal["plan.built"]
    data: BuiltPlan


class RecurringDetectedEvent(_Told):
    """A new recurring charge was found; sent once for each."""

    type: Literal["recurring.detected"]
    data: DetectedRecurring


class BankReconnectRequiredEvent(_Told):
    """A bank needs the person to sign in again before finplan can sync it; sent once each time."""

    type: Literal["bank.reconnect_required"]
    data: BankToReconnect


class WebhookTestEvent(_Told):
    """Somebody sent a test event."""

    type: Literal["webhook.test"]
    data: WebhookTried


WebhookEvent = (
    PlanBuiltEvent | RecurringDetectedEvent | BankReconnectRequiredEvent | WebhookTestEvent
)
EVENT_SHAPES: tuple[type[WebhookEvent], ...] = get_args(WebhookEvent)
"""The body of each event, in the order of `WebhookEventType`."""
