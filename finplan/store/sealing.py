"""Secrets at rest: sealed with AES-256-GCM under the data key of the profile.

What is sealed is bound to what it is about, so that it opens in no other place of the store.
"""

import os
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

    def seal(self, content: bytes, about: bytes) -> bytes:
        """Seal some bytes; `about` is not kept, and has to be told again to open them."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce = os.urandom(_NONCE_BYTES)
        return _FORMAT + nonce + AESGCM(self.key).encrypt(nonce, content, about)

    def open(self, sealed: bytes, about: bytes) -> bytes:
        """Open what `seal` answered. Raises CannotOpen."""
        # The library is loaded when something is sealed: most runs of the daemon never need it.
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        start = len(_FORMAT) + _NONCE_BYTES
        if not sealed.startswith(_FORMAT) or len(sealed) < start:
            raise CannotOpen
        try:
            return AESGCM(self.key).decrypt(sealed[len(_FORMAT) : start], sealed[start:], about)
        except InvalidTag:
            raise CannotOpen from None
