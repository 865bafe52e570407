"""The keys that messages of this service are signed with (Ed25519), and their published directory.

A key is published a day before it signs, since others keep the directory for a day. It signs for 90
days, and stays published as long as anything that it signed is looked at. The private half is sealed in
the store; without the data key another one is made.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pydantic_core import from_json, to_json
from sqlalchemy import Connection, RowMapping

from finplan.store.queries import authorization as table
from finplan.store.sealing import CannotOpen, Sealer, about_message_key
from finplan.store.store import Store
from finplan.webhooks.signing import MessageKey, public_jwk

ALGORITHM = "Ed25519"
_DAY = 24 * 60 * 60 * 1000
KNOWN_AFTER = _DAY
"""How long others may keep the directory, and so how long a new key waits, in milliseconds."""

SIGNS_FOR = 90 * _DAY
PUBLISHED_FOR = SIGNS_FOR + 31 * _DAY


class Directory(NamedTuple):
    """The published keys as JSON, and those of them that can sign it."""

    body: bytes
    keys: Sequence[MessageKey]


@dataclass(slots=True)
class MessageKeys:
    """Finds the keys of a daemon, and makes one where the newest has signed for long enough."""

    store: Store
    _opened: dict[str, MessageKey] = field(default_factory=dict, repr=False)
    _chosen: MessageKey | None = field(default=None, repr=False)
    _chosen_at: int = 0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def signing_key(self, sealer: Sealer, now: int) -> MessageKey:
        """The key that signs now; it is looked up anew every hour."""
        # A clock that was ahead and is set right is before the last look, too.
        if self._chosen is None or not self._chosen_at <= now < self._chosen_at + _DAY // 24:
            self._chosen = _signing(await self._usable(sealer, now), now)
            self._chosen_at = now
        return self._chosen

    async def directory(self, sealer: Sealer, now: int) -> Directory:
        """What is published now."""
        keys = await self._usable(sealer, now)
        return Directory(await self.published(), [key for key, _ in keys])

    async def published(self) -> bytes:
        """What is published now, as JSON; the data key is not needed."""
        rows = await self.store.read(lambda c: table.list_signing_keys(c, (ALGORITHM,)))
        return to_json({"keys": [from_json(row["public"]) for row in rows]})

    async def _usable(self, sealer: Sealer, now: int) -> list[tuple[MessageKey, int]]:
        """The keys that can be opened with when each was made, the newest first; there is always one."""
        async with self._turn:
            rows = await self.store.read(lambda c: table.list_signing_keys(c, (ALGORITHM,)))
            keys = self._open(rows, sealer)
            ahead = any(row["created_at"] > now for row in rows)
            is_old = ahead or not keys or keys[0][1] <= now - SIGNS_FOR
            if is_old and (not keys or self.store.damage is None):
                await self.store.write(lambda c: _make(c, sealer, now))
                rows = await self.store.read(lambda c: table.list_signing_keys(c, (ALGORITHM,)))
                keys = self._open(rows, sealer)
            return keys

    def _open(self, rows: Sequence[RowMapping], sealer: Sealer) -> list[tuple[MessageKey, int]]:
        keys = []
        for row in rows:
            key = self._opened.get(row["kid"]) or _open_key(row, sealer)
            if key is not None:
                self._opened[row["kid"]] = key
                keys.append((key, row["created_at"]))
        return keys


def _signing(keys: Sequence[tuple[MessageKey, int]], now: int) -> MessageKey:
    """The newest key that others know by now; the first of all signs at once, as none is known."""
    return next((key for key, created in keys if created <= now - KNOWN_AFTER), keys[-1][0])


def _make(connection: Connection, sealer: Sealer, now: int) -> None:
    """Make a key, unless another daemon of this store has made one just now.

    A key from the future, made while the clock was ahead, counts as made now. The key that signs is
    never forgotten, however old a clock says that it is.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    table.count_signing_keys_from(connection, (ALGORITHM,), now)
    rows = table.list_signing_keys(connection, (ALGORITHM,))
    opened = [(_open_key(row, sealer), row["created_at"]) for row in rows]
    keys = [(key, created) for key, created in opened if key is not None]
    signs = _signing(keys, now).kid if keys else None
    table.sweep_signing_keys(connection, (ALGORITHM,), now - PUBLISHED_FOR, signs)
    if any(created > now - SIGNS_FOR for _, created in keys):
        return
    private = Ed25519PrivateKey.generate()
    jwk = public_jwk(private.public_key().public_bytes_raw())
    table.add_signing_key(
        connection,
        {
            "kid": jwk["kid"],
            "algorithm": ALGORITHM,
            "public": to_json(jwk).decode(),
            "sealed": sealer.seal(private.private_bytes_raw(), about_message_key(jwk["kid"])),
            "created_at": now,
        },
    )


def _open_key(row: RowMapping, sealer: Sealer) -> MessageKey | None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        private = sealer.open(row["sealed"], about_message_key(row["kid"]))
    except CannotOpen:
        return None
    return MessageKey(row["kid"], Ed25519PrivateKey.from_private_bytes(private))
