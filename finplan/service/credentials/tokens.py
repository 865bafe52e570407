"""Secrets that are handed out once: 256 random bits, of which the store keeps only the SHA-256.

A slow, salted hash as for passwords would add nothing: it makes guessing dear, and 2**256 secrets
cannot be guessed at any price. The hash is looked up by equality; the time that takes tells nothing of
use, since nobody can choose a secret whose hash begins in a wanted way.
"""

import hashlib
import secrets
import string
from zlib import crc32

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
    body = prefix + _spelled(secrets.randbits(256), _LETTERS)
    return body + _spelled(crc32(body.encode()), _CHECKS)


def is_mistyped(token: str, prefix: str) -> bool:
    """Whether a secret has the length and the beginning of a kind, but not its checksum."""
    if not token.startswith(prefix) or len(token) != len(prefix) + _LETTERS + _CHECKS:
        return False
    body, check = token[:-_CHECKS], token[-_CHECKS:]
    return _spelled(crc32(body.encode(errors="surrogateescape")), _CHECKS) != check


def digest(token: str) -> str:
    """What the store keeps of a secret, in hexadecimal digits."""
    # What arrives in a header may be no text at all; it is then no secret, but has a hash all the same.
    return hashlib.sha256(token.encode(errors="surrogateescape")).hexdigest()


def _spelled(number: int, letters: int) -> str:
    spelled = []
    for _ in range(letters):
        number, place = divmod(number, len(_DIGITS))
        spelled.append(_DIGITS[place])
    return "".join(reversed(spelled))
