"""The record of what lets people in: who came in with what, and what was given and taken back."""

from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Timestamp, Wire

AuditKind = Literal[
    "session.opened",
    "session.ended",
    "sign_in.failed",
    "link.created",
    "password.changed",
    "email.changed",
    "google.connected",
    "google.disconnected",
    "invite.created",
    "invite.revoked",
    "person.joined",
    "person.left",
    "key.created",
    "key.revoked",
    "client.created",
    "client.registered",
    "client.granted",
    "client.refused",
    "client.revoked",
    "token.replayed",
    "token.revoked",
    "agent.introduced",
    "agent.claim_asked",
    "agent.claimed",
    "agent.denied",
    "agent.revoked",
    "webhook.created",
    "webhook.changed",
    "webhook.removed",
    "webhook.secret_changed",
    "webhook.disabled",
    "data_key.rotated",
]
"""What can be told."""


class AuditEvent(Wire):
    """One thing that happened; `credential` names what it was done with, `address` where from.

    The credential `session` by itself is the command line of the machine, `session:7` a browser's,
    `key:7` an API key's; there is none where nothing was shown, or a password.
    """

    id: str
    at: Timestamp
    kind: AuditKind
    credential: str | None
    address: str | None
    text: str


class AuditQuery(Wire):
    """The newest things that happened, before an instant where one is given."""

    limit: Annotated[int, Field(ge=1, le=1000, description="How many at most.")] = 100
    before: Annotated[
        Timestamp | None, Field(description="Only what happened before, in milliseconds.")
    ] = None
