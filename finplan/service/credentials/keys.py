"""API keys, made, listed, revoked, and found again; and every secret that is handed out once.

A secret is 256 random bits, of which the store keeps only the SHA-256. A slow, salted hash as for
passwords would add nothing: it makes guessing dear, and 2**256 secrets cannot be guessed at any price.
The hash is looked up by equality; the time that takes tells nothing of use, since nobody can choose a
secret whose hash begins in a wanted way.
"""

import hashlib
import secrets
import string
from dataclasses import dataclass
from zlib import crc32

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.credential import ApiKey, CreatedKey, KeyId, KeyScope, NewKey
from finplan.model.errors import BadRequest, NotFound
from finplan.operation import Made, Scope
from finplan.service.context import Caller, Context
from finplan.service.credentials import audit
from finplan.service.ids import new_id
from finplan.store.queries import credentials as table
from finplan.store.store import Store

_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
_LETTERS = 43
"""How many digits of 62 hold 256 bits."""
_CHECKS = 6
"""How many hold the 32 bits of a checksum."""


def new_token(prefix: str) -> str:
    """A secret that begins with what it is, and ends with a checksum of the rest.

    A double click selects it whole, scanners for leaked secrets know it by its beginning, and a wrongly
    typed one is known without a look into the store.
    """
    body = prefix + _spell(secrets.randbits(256), _LETTERS)
    return body + _spell(crc32(body.encode()), _CHECKS)


def is_mistyped(token: str, prefix: str) -> bool:
    """Whether a secret has the length and the beginning of a kind, but not its checksum."""
    if not token.startswith(prefix) or len(token) != len(prefix) + _LETTERS + _CHECKS:
        return False
    body, check = token[:-_CHECKS], token[-_CHECKS:]
    return _spell(crc32(body.encode(errors="surrogateescape")), _CHECKS) != check


def digest(token: str) -> str:
    """What the store keeps of a secret, in hexadecimal digits."""
    # What arrives in a header may be no text at all; it is then no secret, but has a hash all the same.
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()


def _spell(number: int, letters: int) -> str:
    spelled = []
    for _ in range(letters):
        number, digit = divmod(number, len(_DIGITS))
        spelled.append(_DIGITS[digit])
    return "".join(reversed(spelled))


KEY_PREFIX = "fpk_"
"""What every key begins with, so that it is known as one wherever it turns up."""

SHOWN_OF_KEY = len(KEY_PREFIX) + 6
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
    expires_at: int | None


async def create_key(context: Context, ask: NewKey) -> Made[CreatedKey]:
    """Make a key; its secret is in this answer and nowhere else. Raises BadRequest for a past end."""
    secret, now = new_token(KEY_PREFIX), context.milliseconds()
    if ask.expires_at is not None and ask.expires_at <= now:
        raise BadRequest("The key's expiry is in the past. Choose a later time.")

    def create(connection: Connection) -> Made[CreatedKey]:
        values = {
            "id": new_id("key"),
            "name": ask.name,
            "prefix": secret[:SHOWN_OF_KEY],
            "scopes": " ".join(scope for scope in ALLOWED if scope in ask.scopes),
            "created_at": now,
            "expires_at": ask.expires_at,
        }
        table.add_key(
            connection, {**values, "owner_no": context.caller.owner, "hash": digest(secret)}
        )
        text = f"Created the API key {ask.name!r}: {values['scopes']}."
        audit.note(connection, context.caller, "key.created", text, now)
        row = table.find_key(connection, context.caller.owner, str(values["id"]))
        assert row is not None, "It was added just now."
        return Made(CreatedKey.of(_shown_key(row), key=secret), new=True)

    return await context.commit(create)


async def list_keys(context: Context, _ask: Nothing) -> tuple[ApiKey, ...]:
    """The person's keys, newest first; those that were revoked come last."""
    rows = await context.store.read(lambda c: table.list_keys(c, context.caller.owner))
    return tuple(_shown_key(row) for row in rows)


async def revoke_key(context: Context, ask: KeyId) -> ApiKey:
    """Revoke a key, which is refused from its next use on; a second time changes nothing."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> ApiKey:
        row = table.find_key(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"No API key {ask.id}. List your keys with `finplan keys list`.")
        if row["revoked_at"] is None:
            table.revoke_key(connection, row["no"], now)
            text = f"Revoked the API key {row['name']!r}."
            audit.note(connection, context.caller, "key.revoked", text, now)
            why = f"The API key {row['name']!r}, which set the webhook's URL, was revoked."
            audit.silence(connection, f"key:{row['no']}", why, now)
        revoked = table.find_key(connection, owner, ask.id)
        assert revoked is not None, "A revoked key stays in the list."
        return _shown_key(revoked)

    return await context.commit(revoke)


async def find_key(store: Store, secret: str) -> KeyFound | None:
    """The key with a secret, whether it holds or not."""
    if is_mistyped(secret, KEY_PREFIX):
        return None
    key = await store.look_up(table.KEY_OF_HASH, digest(secret))
    if key is None:
        return None
    allowed = frozenset(ALLOWED[scope] for scope in ALLOWED if scope in key.scopes.split())
    caller = Caller(key.owner, allowed, "api_key", f"key:{key.no}")
    return KeyFound(key.no, caller, key.last_used_at, key.revoked_at, key.expires_at)


def _shown_key(row: RowMapping) -> ApiKey:
    return ApiKey.of(row, scopes=tuple(row["scopes"].split()))
