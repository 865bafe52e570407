"""Secrets at rest: sealed with AES-256-GCM under the data key of the profile.

What is sealed is bound to what it is about, so that it opens in no other place of the store.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, field

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
