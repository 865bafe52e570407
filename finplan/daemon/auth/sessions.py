"""The local session: a secret of this run of the daemon that lets the machine's owner in."""

import hmac
import secrets
from dataclasses import dataclass, field

from aiohttp import web

from finplan.client.request import SESSION_COOKIE
from finplan.model.errors import Unauthorized
from finplan.operation import Scope
from finplan.service.context import Caller

EVERYTHING: frozenset[Scope] = frozenset({"read", "write", "session"})


def new_token() -> str:
    """A secret that cannot be guessed, safe in a cookie."""
    return secrets.token_urlsafe(32)


@dataclass(slots=True)
class LocalSession:
    """Who shows the token speaks for the owner and may do everything."""

    owner: int
    token: str = field(repr=False)

    def renew(self, owner: int) -> None:
        """End the session, and begin another one's with a new token."""
        self.owner, self.token = owner, new_token()

    def caller_of(self, request: web.Request) -> Caller:
        """Whom a request speaks for. Raises Unauthorized."""
        shown = request.cookies.get(SESSION_COOKIE)
        if shown is None:
            raise Unauthorized("This needs a credential, and the request carries none.")
        # Bytes that are no text arrive as lone surrogates, which only this way back can encode.
        if not hmac.compare_digest(shown.encode(errors="surrogateescape"), self.token.encode()):
            raise Unauthorized("The session has ended; run the command again, or sign in again.")
        return Caller(self.owner, EVERYTHING, "session")
