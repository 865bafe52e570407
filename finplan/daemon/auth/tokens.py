"""Access tokens as credentials (RFC 6750): whom a token speaks for, and for which part of the site."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from aiohttp import hdrs, web

from finplan.daemon.auth.client_address import AddressOf
from finplan.model.errors import InvalidToken
from finplan.service.context import Caller
from finplan.service.credentials.tokens import digest
from finplan.store.queries import authorization
from finplan.store.store import Store

SCHEME = "bearer"


@dataclass(frozen=True, slots=True)
class AccessTokens:
    """Finds the token that a request shows; nothing is remembered, so one that was ended is refused."""

    store: Store
    now: Callable[[], datetime]
    address_of: AddressOf

    async def caller_of(self, request: web.Request) -> Caller | None:
        """Whom the request's token speaks for; None when it shows none. Raises InvalidToken."""
        found = await self.find(request)
        if found is None:
            return None
        # What authorizes is loaded when a program first comes with a token.
        from finplan.service.authorization.resources import is_for

        caller, resource, _ = found
        if not is_for(resource, request.path):
            raise InvalidToken("This access token is for another part of this site.")
        return caller

    async def find(self, request: web.Request) -> tuple[Caller, str, str] | None:
        """The caller, the resource and the scopes of the request's token. Raises InvalidToken."""
        shown = request.headers.getall(hdrs.AUTHORIZATION, [])
        # What a proxy in front asks for by another scheme is none of ours.
        parts = [each.partition(" ") for each in shown]
        tokens = [token.strip() for scheme, _, token in parts if scheme.lower() == SCHEME]
        if not tokens:
            return None
        token = tokens[0]
        if len(shown) > 1 or not token:
            raise InvalidToken("Send one access token, as `Authorization: Bearer TOKEN`.")
        row = await self.store.look_up(authorization.TOKEN_OF_HASH, digest(token))
        if row is None or row.kind != "access":
            raise InvalidToken("This access token was taken back, or is not of this daemon.")
        if row.expires_at <= int(self.now().timestamp() * 1000):
            raise InvalidToken("This access token is over. Get a new one.")
        from finplan.service.authorization.scopes import allowed

        # A client or an agent has one window, however many tokens it gets.
        of = f"agent:{row.agent_no}" if row.grant_no is None else f"grant:{row.grant_no}"
        caller = Caller(
            row.owner,
            allowed(row.scopes),
            "token",
            of,
            self.address_of(request),
            guest=row.guest,
        )
        return caller, row.resource, row.scopes
