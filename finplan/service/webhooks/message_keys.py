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

from finplan.store.queries.access import signing_keys as table
from finplan.store.sealing import CannotOpen, Sealer
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
    _chosen_until: int = 0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def signing_key(self, sealer: Sealer, now: int) -> MessageKey:
        """The key that signs now; it is looked up anew every hour."""
        if self._chosen is None or now >= self._chosen_until:
            keys = await self._usable(sealer, now)
            known = [key for key, made in keys if made <= now - KNOWN_AFTER]
            # The first key of all signs at once: there is no other that is known.
            self._chosen = known[0] if known else keys[-1][0]
            self._chosen_until = now + _DAY // 24
        return self._chosen

    async def directory(self, sealer: Sealer, now: int) -> Directory:
        """What is published now."""
        keys = await self._usable(sealer, now)
        return Directory(await self.published(), [key for key, _ in keys])

    async def published(self) -> bytes:
        """What is published now, as JSON; the data key is not needed."""
        rows = await self.store.read(lambda c: table.list_keys(c, (ALGORITHM,)))
        return to_json({"keys": [from_json(row["public"]) for row in rows]})

    async def _usable(self, sealer: Sealer, now: int) -> list[tuple[MessageKey, int]]:
        """The keys that can be opened with when each was made, the newest first; there is always one."""
        async with self._turn:
            rows = await self.store.read(lambda c: table.list_keys(c, (ALGORITHM,)))
            found = self._open(rows, sealer)
            if not found or found[0][1] <= now - SIGNS_FOR:
                await self.store.write(lambda c: _make(c, sealer, now))
                rows = await self.store.read(lambda c: table.list_keys(c, (ALGORITHM,)))
                found = self._open(rows, sealer)
            return found

    def _open(self, rows: Sequence[RowMapping], sealer: Sealer) -> list[tuple[MessageKey, int]]:
        found = []
        for row in rows:
            key = self._opened.get(row["kid"]) or _opened(row, sealer)
            if key is not None:
                self._opened[row["kid"]] = key
                found.append((key, row["created_at"]))
        return found


def _make(connection: Connection, sealer: Sealer, now: int) -> None:
    """Make a key, unless another daemon of this store has made one just now."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    table.sweep(connection, now - PUBLISHED_FOR)
    rows = table.list_keys(connection, (ALGORITHM,))
    if any(row["created_at"] > now - SIGNS_FOR and _opened(row, sealer) for row in rows):
        return
    private = Ed25519PrivateKey.generate()
    jwk = public_jwk(private.public_key().public_bytes_raw())
    table.add_key(
        connection,
        {
            "kid": jwk["kid"],
            "algorithm": ALGORITHM,
            "public": to_json(jwk).decode(),
            "sealed": sealer.seal(private.private_bytes_raw(), _about(jwk["kid"])),
            "created_at": now,
        },
    )


def _opened(row: RowMapping, sealer: Sealer) -> MessageKey | None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    try:
        private = sealer.open(row["sealed"], _about(row["kid"]))
    except CannotOpen:
        return None
    return MessageKey(row["kid"], Ed25519PrivateKey.from_private_bytes(private))


def _about(kid: str) -> bytes:
    return f"message key {kid}".encode()
