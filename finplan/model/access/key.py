"""API keys: how another program shows that the person let it in."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, field_validator

from finplan.model.base import PathId, Timestamp, Wire
from finplan.model.names import Name

KeyScope = Literal["service:read", "service:write"]
"""What a key may be allowed; whatever needs the person's own session, no key may do."""

KEY_SCOPES: Mapping[KeyScope, str] = {
    "service:read": (
        "Read the plan, accounts, categories and questions. That is all of your money: banks, balances,"
        " imported statement files, every transaction, transfers, what comes again, and rules, also as"
        " one file; what is done by itself, webhooks and what was sent to them; and your name, e-mail"
        " address and settings."
    ),
    "service:write": (
        "Answer questions, record decisions, link and sync banks, build plans. That is all that changes"
        " your plan: import statement files and undo that, unlink banks with all that they brought,"
        " correct accounts, say what single transactions are for, decide on transfers, duplicates and"
        " what comes again, change your categories, rules, settings and name, have done at once what is"
        " else done by itself, and add, change and remove webhooks, which are told of your plan. Each"
        " change answers with what comes of it, such as the plan."
    ),
}
"""What each scope allows: its gist, then all of it, since a person grants it by these words."""


class ApiKey(Wire):
    """A key without its secret; `prefix` is its beginning, to tell it by."""

    id: str
    name: str
    prefix: str
    scopes: tuple[KeyScope, ...]
    created_at: Timestamp
    last_used_at: Timestamp | None
    revoked_at: Timestamp | None
    expires_at: Timestamp | None


class CreatedKey(ApiKey):
    """A new key with its secret, which is shown this once."""

    key: str


class NewKey(Wire):
    """Make a key; without scopes it may do whatever a key can, and without an end it has none."""

    name: Name
    scopes: Annotated[
        tuple[KeyScope, ...],
        Field(min_length=1, max_length=2, json_schema_extra={"uniqueItems": True}),
    ] = (
        "service:read",
        "service:write",
    )
    expires_at: Timestamp | None = None

    @field_validator("scopes")
    @classmethod
    def _each_once(cls, scopes: tuple[KeyScope, ...]) -> tuple[KeyScope, ...]:
        if len(set(scopes)) < len(scopes):
            raise ValueError("A scope may be given only once")
        return scopes


class KeyId(Wire):
    """Names a key."""

    id: PathId
