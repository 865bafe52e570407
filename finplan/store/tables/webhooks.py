"""The tables of what other programs are told and answered.

Webhooks, the deliveries on their way to them and what was told already; what agents have asked over
A2A; and the replies to requests that carry an Idempotency-Key.
"""

from sqlalchemy import Index, LargeBinary, Text
from sqlmodel import Field

from finplan.store.tables.columns import IdentifiedRow, OwnedRow, big, partial_index, refers_to


class WebhookRow(IdentifiedRow, table=True):
    """An address that is told of events; `events` are words with spaces between, secrets are sealed.

    Both secrets sign until `former_until`. `failing_since` is when the first of the attempts was made
    that all failed since without a long gap, `last_failed_at` when the last one was, and `last_error`
    what that failed of. `chosen_by` names the program
    that chose the URL, or let deliveries go there again; none where the person did.
    """

    __tablename__ = "webhook"
    url: str = Field(sa_type=Text)
    description: str | None
    events: str
    secret: bytes = Field(sa_type=LargeBinary)
    former_secret: bytes | None = Field(sa_type=LargeBinary)
    former_until: int | None = big(nullable=True)
    created_at: int = big()
    disabled_at: int | None = big(nullable=True)
    disabled_why: str | None
    failing_since: int | None = big(nullable=True)
    last_error: str | None
    chosen_by: str | None
    last_failed_at: int | None = big(nullable=True)

    __table_args__ = (
        Index("webhook_owner", "owner_no"),
        Index("webhook_chosen_by", "chosen_by"),
    )


class WebhookDeliveryRow(IdentifiedRow, table=True):
    """One event on its way to one webhook: pending, delivered or failed; `body` is sent as it is.

    A courier holds a row by a `claim` of its own until `claimed_until`; then any courier may take it.
    While a try that somebody asked for is to come, `former_status` and `former_next_attempt_at` are what
    a failing one leaves it in. `put_off_until` is the instant that the receiver wanted to be asked again
    at, where that was later than the schedule's.
    """

    __tablename__ = "webhook_delivery"
    webhook_no: int = refers_to("webhook.no")
    type: str
    body: str = Field(sa_type=Text)
    status: str
    attempts: int = big(default=0)
    next_attempt_at: int = big()
    claim: str | None
    claimed_until: int | None = big(nullable=True)
    last_status: int | None
    last_error: str | None
    created_at: int = big()
    delivered_at: int | None = big(nullable=True)
    former_status: str | None
    former_next_attempt_at: int | None = big(nullable=True)
    put_off_until: int | None = big(nullable=True)

    __table_args__ = (
        Index("webhook_delivery_owner", "owner_no"),
        Index("webhook_delivery_webhook", "webhook_no"),
        Index("webhook_delivery_age", "created_at"),
        partial_index(
            "webhook_delivery_due", "webhook_no", "next_attempt_at", where="status = 'pending'"
        ),
        partial_index("webhook_delivery_claim", "claimed_until", where="claimed_until IS NOT NULL"),
    )


class ToldSeriesRow(OwnedRow, table=True):
    """How many recurring charges of one name a person's webhooks know of."""

    __tablename__ = "told_series"
    name: str
    count: int

    __table_args__ = (Index("told_series_name", "owner_no", "name", unique=True),)


class AgentTaskRow(IdentifiedRow, table=True):
    """What an agent asked for a person: how it stands since `status_at`, and what was said, in JSON.

    `turns` counts the messages of the agent, so that of two that come at once one is the next. `asked`
    is the sentence that was not understood, None where nothing is open.
    """

    __tablename__ = "agent_task"
    context_id: str
    state: str
    status_at: int = big()
    turns: int
    asked: str | None = Field(sa_type=Text)
    said: str = Field(sa_type=Text)

    __table_args__ = (Index("agent_task_owner", "owner_no", "status_at", "no"),)


class KeptReplyRow(OwnedRow, table=True):
    """A request that runs once: who runs it and until when, and what was answered.

    `fingerprint` is a SHA-256 of the question in hexadecimal digits. `holder` names the run that may
    still change something, None when the reply is final; `held_until` is when another run may take its
    place. `reply` is sealed.
    """

    __tablename__ = "kept_reply"
    method: str
    path: str
    key: str
    fingerprint: str
    created_at: int = big()
    holder: str | None
    held_until: int = big()
    reply: bytes | None

    __table_args__ = (
        Index("kept_reply_request", "owner_no", "method", "path", "key", unique=True),
        Index("kept_reply_age", "created_at"),
    )
