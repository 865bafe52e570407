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
    """An address that is told of events; disabled when `disabledAt` is set."""

    id: str
    url: Annotated[str, Field(pattern=r"^https://")]
    description: str | None
    events: tuple[WebhookEventType, ...]
    created_at: Timestamp
    disabled_at: Timestamp | None


class WebhookRecord(Wire):
    """A webhook with how it fares: `disabledWhy` is a sentence, `failingSince` the first failed try.

    `failingSince` is null as long as the last try arrived; `waiting` is how many deliveries are on
    their way, `heldUp` why none of them can be sent now, and `nextTryAt` when the first of those that
    failed is tried again; both secrets sign until `formerSecretUntil`.
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
    """Register an address for events; it has to be reachable on the public internet by https."""

    url: HttpsUrl
    events: Events
    description: Text | None = None


class CreatedWebhook(Webhook):
    """A webhook with the secret that its deliveries are signed with, which is shown this once."""

    secret: str


class WebhookId(ById):
    """Names one webhook."""


class WebhookChange(ById):
    """What is to be otherwise; what is left out stays. `disabled` false lets deliveries go on."""

    url: Annotated[HttpsUrl | None, NEVER_NULL] = None
    events: Annotated[Events | None, NEVER_NULL] = None
    description: Text | None = None
    disabled: Annotated[bool | None, NEVER_NULL] = None


class NewSecret(Wire):
    """The secret that deliveries are signed with from now on, shown this once.

    Until `formerUntil` they are signed with the one before, too. A still older one that would have
    signed until `olderUntil` signs no more: it ended with this answer; null where there was none.
    """

    id: str
    secret: str
    former_until: Timestamp
    older_until: Timestamp | None


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


class DeliveryQuery(ById):
    """The deliveries of one webhook, newest first, a page at a time."""

    limit: Annotated[int, Field(ge=1, le=LARGEST_PAGE, description="How many at most.")] = 50
    cursor: Annotated[
        Annotated[str, Field(json_schema_extra={"format": "cursor"})] | None,
        Field(description="Where the page begins: the `nextCursor` of the one before."),
    ] = None


class DeliveryPage(Wire):
    """One page; `nextCursor` is null on the last one."""

    deliveries: tuple[WebhookDelivery, ...]
    next_cursor: str | None


class DeliveryId(ById):
    """Names one delivery of one webhook."""

    delivery_id: PathId


class BuiltPlan(Wire):
    """What is told of a plan that was built: its sums of a month, and the kinds of its actions in order.

    All of it is answered by `GET /plan`.
    """

    created_at: Timestamp
    generated_on: date
    income: Amount
    total_spend: Amount
    surplus: Amount
    net_worth: Amount
    actions: tuple[str, ...]


class DetectedRecurring(Wire):
    """A charge that was found to come again; null where one plan found more than twenty at once.

    `count` is how many were found: one, or all of them at once.
    """

    recurring: RecurringCharge | None
    count: Whole


class BankToReconnect(Wire):
    """A bank that wants the person to sign in again."""

    connection: Connection


class WebhookTried(Wire):
    """The webhook that a test event was asked for."""

    webhook_id: str


class _Told(Wire):
    timestamp: Annotated[datetime, Field(description="When it happened, in UTC.")]


class PlanBuiltEvent(_Told):
    """A plan was built."""

    type: Literal["plan.built"]
    data: BuiltPlan


class RecurringDetectedEvent(_Told):
    """A charge comes again that no earlier plan knew of; sent once for each."""

    type: Literal["recurring.detected"]
    data: DetectedRecurring


class BankReconnectRequiredEvent(_Told):
    """A bank lets finplan fetch nothing until the person signs in there again; sent once each time."""

    type: Literal["bank.reconnect_required"]
    data: BankToReconnect


class WebhookTestEvent(_Told):
    """A test was asked for."""

    type: Literal["webhook.test"]
    data: WebhookTried


WebhookEvent = (
    PlanBuiltEvent | RecurringDetectedEvent | BankReconnectRequiredEvent | WebhookTestEvent
)
EVENT_SHAPES: tuple[type[WebhookEvent], ...] = get_args(WebhookEvent)
"""The body of each event, in the order of `WebhookEventType`."""
