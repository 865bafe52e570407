"""The application that a person has registered at Enable Banking, and the tokens that it signs."""

import time
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from joserfc.jwk import RSAKey

TOKEN_LIVES = 600
"""In seconds. Each request has a token of its own; the API takes none that lives longer than a day."""


CALLBACK = "/connect/enablebanking"
"""The path of the address that people are led back to, unless a setting names another address."""

NOWHERE = "https://localhost"
"""Where nothing need answer: a browser shows the address that it was led to all the same."""


class UnusableKey(Exception):
    """A private key that no token can be signed with."""


@dataclass(frozen=True, slots=True)
class RegisteredApplication:
    """An application: its id, its private RSA key as PEM, and where it lets people be led back to."""

    id: str
    key: str = field(repr=False)
    redirect_url: str

    def token(self) -> str:
        """A token that the API knows the application by, for now. Raises UnusableKey."""
        # Who links no bank here does without it.
        from joserfc import jwt
        from joserfc.errors import JoseError

        now = int(time.time())
        claims = {
            "iss": "enablebanking.com",
            "aud": "api.enablebanking.com",
            "iat": now,
            "exp": now + TOKEN_LIVES,
        }
        try:
            key = _imported(self.key)
            header = {"typ": "JWT", "alg": "RS256", "kid": self.id}
            return jwt.encode(header, claims, key, algorithms=["RS256"])
        except (JoseError, ValueError, TypeError):
            # What was wrong about it may quote it.
            raise UnusableKey from None


@cache
def _imported(pem: str) -> "RSAKey":
    """The key of a PEM. It is examined when it is read, which takes far longer than to sign."""
    from joserfc.jwk import RSAKey

    return RSAKey.import_key(pem)
