"""API keys: made, listed, revoked, and found again when a program shows one.

A key is 256 random bits, and the store keeps its SHA-256. A slow, salted hash as for passwords would
add nothing: it makes guessing dear, and 2**256 keys cannot be guessed at any price. The hash is looked
up by equality; the time that takes tells nothing of use about a key, since nobody can choose a key
whose hash begins in a wanted way.
"""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, RowMapping

from finplan.model.access.key import ApiKey, CreatedKey, KeyId, KeyScope, NewKey
from finplan.model.base import Nothing
from finplan.model.errors import NotFound
from finplan.operation import Made, Scope
from finplan.service.context import Caller, Context
from finplan.service.ids import new_id
from finplan.store.queries.access import keys as table

PREFIX = "fpk_"
"""What every key begins with, so that it is known as one wherever it turns up."""

SHOWN = len(PREFIX) + 6
"""How many of its characters stay readable; 220 bits remain unknown."""

ALLOWED: dict[KeyScope, Scope] = {"service:read": "read", "service:write": "write"}
"""The scopes of keys by their names outside."""


@dataclass(frozen=True, slots=True)
class KeyFound:
    """A key that a request showed: its number, for whom it speaks, and what is known of its use."""

    no: int
    caller: Caller
    last_used_at: int | None
    revoked_at: int | None


async def create_key(context: Context, ask: NewKey) -> Made[CreatedKey]:
    """Make a key; its secret is in this answer and nowhere else."""
    secret = PREFIX + secrets.token_urlsafe(32)

    def create(connection: Connection) -> Made[CreatedKey]:
        values = {
            "id": new_id("key"),
            "name": ask.name,
            "prefix": secret[:SHOWN],
            "scopes": " ".join(scope for scope in ALLOWED if scope in ask.scopes),
            "created_at": context.milliseconds(),
        }
        table.add_key(
            connection, {**values, "owner_no": context.caller.owner, "hash": _hash(secret)}
        )
        row = table.find_key(connection, context.caller.owner, str(values["id"]))
        assert row is not None, "It was added just now."
        return Made(CreatedKey(key=secret, **_shown(row).model_dump(by_alias=False)), new=True)

    return await context.commit(create)


async def list_keys(context: Context, _ask: Nothing) -> tuple[ApiKey, ...]:
    """The person's keys, newest first; those that were revoked come last."""
    rows = await context.store.read(lambda c: table.list_keys(c, context.caller.owner))
    return tuple(_shown(row) for row in rows)


async def revoke_key(context: Context, ask: KeyId) -> ApiKey:
    """Revoke a key, which is refused from its next use on; a second time changes nothing."""
    owner = context.caller.owner

    def revoke(connection: Connection) -> ApiKey:
        row = table.find_key(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"There is no API key {ask.id}. `finplan keys list` shows them.")
        table.revoke_key(connection, row["no"], context.milliseconds())
        revoked = table.find_key(connection, owner, ask.id)
        assert revoked is not None, "A revoked key stays in the list."
        return _shown(revoked)

    return await context.commit(revoke)


def find_key(connection: Connection, secret: str) -> KeyFound | None:
    """The key with a secret, revoked or not."""
    row = table.key_of_hash(connection, _hash(secret))
    if row is None:
        return None
    no, owner, scopes, last_used_at, revoked_at = row
    allowed = frozenset(ALLOWED[scope] for scope in ALLOWED if scope in scopes.split())
    return KeyFound(no, Caller(owner, allowed, "api_key", f"key:{no}"), last_used_at, revoked_at)


def _hash(secret: str) -> str:
    # What arrives in a header may be no text at all; it is then no key, but has a hash all the same.
    return hashlib.sha256(secret.encode(errors="surrogateescape")).hexdigest()


def _shown(row: RowMapping) -> ApiKey:
    return ApiKey(
        id=row["id"],
        name=row["name"],
        prefix=row["prefix"],
        scopes=tuple(row["scopes"].split()),
        created_at=row["created_at"],
        last_used_at=row["last_used_at"],
        revoked_at=row["revoked_at"],
    )
