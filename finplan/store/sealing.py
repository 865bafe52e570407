"""Secrets at rest: sealed with AES-256-GCM under the data key of the profile.

What is sealed is bound to what it is about, so that it opens in no other place of the store.
Everything in the store that is sealed stands here: what each is about, whether it opens, and
sealing it anew.
"""

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Column, Connection, RowMapping, Table, select, update

from finplan.store.tables import tables

_FORMAT = b"\x01"
_NONCE_BYTES = 12


class CannotOpen(Exception):
    """It was sealed under another key, or about something else, or was changed since."""


@dataclass(frozen=True, slots=True)
class Sealer:
    """Seals and opens bytes under one key of 32 bytes.

    Nonces are random, as NIST SP 800-38D 8.2.2 allows for up to 2**32 seals under a key.
    """

    key: bytes = field(repr=False)

    def keys(self) -> tuple[bytes, ...]:
        """The keys under which something may be sealed; the first is the one to seal under."""
        return (self.key,)

    def seal(self, content: bytes, about: bytes) -> bytes:
        """Seal some bytes; `about` is not kept, and has to be told again to open them.

        What goes into the store is sealed within the transaction that writes it: whoever makes the key
        anew seals again what was committed before, and whatever comes after is sealed under the new one.
        """
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + AESGCM(self.keys()[0]).encrypt(nonce, content, about)

    def open(self, sealed: bytes, about: bytes) -> bytes:
        """Open what `seal` answered. Raises CannotOpen."""
        # The library is loaded when something is sealed: most runs of the daemon never need it.
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        start = len(_FORMAT) + _NONCE_BYTES
        if not sealed.startswith(_FORMAT) or len(sealed) < start:
            raise CannotOpen
        for key in self.keys():
            try:
                return AESGCM(key).decrypt(sealed[len(_FORMAT) : start], sealed[start:], about)
            except InvalidTag:
                continue
        raise CannotOpen


@dataclass(frozen=True, slots=True)
class OpeningSealer(Sealer):
    """A sealer that opens what a former key sealed, too."""

    former: bytes | None = field(repr=False)

    def keys(self) -> tuple[bytes, ...]:
        """The key to seal under, then the former one."""
        return (self.key,) if self.former is None else (self.key, self.former)


@dataclass(frozen=True, slots=True)
class FollowingSealer(Sealer):
    """A sealer whose keys may be made anew while it is there: they are looked up at each use."""

    now: Callable[[], tuple[bytes, ...]] = field(repr=False)

    def keys(self) -> tuple[bytes, ...]:
        """The keys of this moment. Raises SecretsUnreachable and Conflict."""
        return self.now()


_BATCH = 200
"""How many rows are held at once: a reply may be large."""


def about_access(connection_id: str) -> bytes:
    """What the access of a connection is sealed about."""
    return f"bank access {connection_id}".encode()


def about_link(link_id: str) -> bytes:
    """What the ticket of a page is sealed about at which a bank is linked."""
    return f"bank link {link_id}".encode()


def about_webhook(webhook_id: str) -> bytes:
    """What the signing secrets of a webhook are sealed about."""
    return f"webhook secret {webhook_id}".encode()


def about_signing_key(kid: str) -> bytes:
    """What a key that signs tokens is sealed about."""
    return f"signing key {kid}".encode()


def about_message_key(kid: str) -> bytes:
    """What a key that signs messages is sealed about."""
    return f"message key {kid}".encode()


def about_reply(owner: int, method: str, path: str, key: str) -> bytes:
    """What the reply to a request is sealed about."""
    return json.dumps([owner, method, path, key]).encode()


class SealedColumn(NamedTuple):
    """A column of which every value is sealed; `about` tells about what, of a row of its table.

    `owner_no` and `name` say whose it is and how its person calls it, where it is somebody's.
    """

    kind: str
    table: Table
    column: str
    about: Callable[[RowMapping], bytes]
    name: str | None = None


def _of_signing_key(row: RowMapping) -> bytes:
    about = about_message_key if row["algorithm"] == "Ed25519" else about_signing_key
    return about(row["kid"])


def _of_reply(row: RowMapping) -> bytes:
    return about_reply(row["owner_no"], row["method"], row["path"], row["key"])


def _of_webhook(row: RowMapping) -> bytes:
    return about_webhook(row["id"])


SEALED: tuple[SealedColumn, ...] = (
    SealedColumn(
        "bank_access",
        tables.connection,
        "secret",
        lambda row: about_access(row["id"]),
        "institution_name",
    ),
    SealedColumn(
        "bank_link", tables.bank_link, "ticket", lambda row: about_link(row["id"]), "bank"
    ),
    SealedColumn("webhook_secret", tables.webhook, "secret", _of_webhook, "url"),
    SealedColumn("webhook_secret", tables.webhook, "former_secret", _of_webhook, "url"),
    SealedColumn("signing_key", tables.signing_key, "sealed", _of_signing_key),
    SealedColumn("kept_reply", tables.kept_reply, "reply", _of_reply),
)
"""All that is sealed. A column that is missing here is lost when the key is made anew."""


class SealedThing(NamedTuple):
    """Something sealed: its kind, whose it is and how they call it, and whether it opens.

    `opens` is None where nobody gives a key.
    """

    kind: str
    owner: int | None
    name: str | None
    opens: bool | None


def sealed_things(connection: Connection, sealer: Sealer | None) -> Iterator[SealedThing]:
    """All that is sealed, and whether each opens."""
    for column in SEALED:
        for row in _rows(connection, column):
            yield SealedThing(
                column.kind,
                row.get("owner_no"),
                None if column.name is None else row[column.name],
                None if sealer is None else _content(sealer, column, row) is not None,
            )


class Resealed(NamedTuple):
    """How many were sealed anew, and how many open under none of the keys that there are."""

    done: int
    lost: int


def seal_anew(connection: Connection, opener: Sealer, newest: Sealer) -> Resealed:
    """Seal all anew under the newest key; what opens under no key that is held stays as it is."""
    done = lost = 0
    for column in SEALED:
        for row in _rows(connection, column):
            content = _content(opener, column, row)
            if content is None:
                lost += 1
                continue
            fresh = newest.seal(content, column.about(row))
            change = update(column.table).where(column.table.c.no == row["no"])
            connection.execute(change.values({column.column: fresh}))
            done += 1
    return Resealed(done, lost)


def _content(sealer: Sealer, column: SealedColumn, row: RowMapping) -> bytes | None:
    try:
        return sealer.open(row[column.column], column.about(row))
    except CannotOpen:
        return None


def _rows(connection: Connection, column: SealedColumn) -> Iterator[RowMapping]:
    table, no = column.table, column.table.c.no
    sealed: Column[bytes] = table.c[column.column]
    last = 0
    while True:
        query = select(table).where(sealed.is_not(None), no > last).order_by(no).limit(_BATCH)
        rows = connection.execute(query).mappings().all()
        yield from rows
        if len(rows) < _BATCH:
            return
        last = rows[-1]["no"]
