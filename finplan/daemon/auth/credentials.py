"""API keys and access tokens (RFC 6750) as credentials: whom each speaks for, and for what.

When a credential was last used is noted beside the request, which must not wait for a long write.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from aiohttp import hdrs, web

from finplan.daemon.auth.client_address import AddressOf
from finplan.model.errors import InvalidToken, StorageFull, StoreDamaged, Unauthorized
from finplan.service.context import Caller
from finplan.service.credentials.keys import KeyFound, digest, find_key
from finplan.store.offload import Work
from finplan.store.queries import authorization, credentials as api_keys
from finplan.store.store import Store

log = logging.getLogger(__name__)


@dataclass(slots=True)
class UseNotes:
    """Writes the use of each credential once at a time; one that is being noted is not noted again."""

    store: Store
    _noting: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    def note(self, credential: str, work: Work[None]) -> None:
        """Note a use by a function that writes it."""
        if credential in self._noting:
            return
        noting = asyncio.create_task(self._write(credential, work))
        self._noting[credential] = noting
        noting.add_done_callback(lambda _done: self._noting.pop(credential))

    async def finish(self) -> None:
        """Wait for what is still to be noted; for when the daemon stops."""
        await asyncio.gather(*self._noting.values())

    async def _write(self, credential: str, work: Work[None]) -> None:
        try:
            await self.store.write(work)
        except StorageFull:
            log.warning("The disk is full: the last use of %s was not recorded.", credential)
        except StoreDamaged:
            # The daemon tells of it by itself, and the request has its answer all the same.
            return


KEY_HEADER = "x-api-key"

NOTED_EACH = 60_000
"""How old the noted time of a key's last use may get before it is written anew, in milliseconds."""


@dataclass(frozen=True, slots=True)
class ApiKeys:
    """Finds the key that a request shows; nothing is remembered of it, so a revoked one is refused."""

    store: Store
    now: Callable[[], datetime]
    notes: UseNotes
    address_of: AddressOf

    async def caller_of(self, request: web.Request) -> Caller | None:
        """Whom the request's key speaks for; None when it shows none. Raises Unauthorized."""
        values = request.headers.getall(KEY_HEADER, [])
        if not values:
            return None
        if len(values) > 1:
            raise Unauthorized("The request has several API keys. Send only one.")
        key = await find_key(self.store, values[0])
        if key is None:
            raise Unauthorized("Unknown API key. Create one with `finplan keys create`.")
        now = int(self.now().timestamp() * 1000)
        if key.revoked_at is not None:
            raise Unauthorized(
                "This API key was revoked. Create another with `finplan keys create`."
            )
        if key.expires_at is not None and key.expires_at <= now:
            raise Unauthorized(
                "This API key has expired. Create another with `finplan keys create`."
            )
        self._note_use(key, now)
        return replace(key.caller, address=self.address_of(request))

    def _note_use(self, key: KeyFound, now: int) -> None:
        last_use = key.last_used_at
        if last_use is None or last_use <= now - NOTED_EACH:
            work = partial(api_keys.note_key_use, no=key.no, now=now, before=now - NOTED_EACH)
            self.notes.note(key.caller.credential, work)


BEARER = "bearer"


@dataclass(frozen=True, slots=True)
class AccessTokens:
    """Finds the token that a request shows; nothing is remembered, so one that was ended is refused."""

    store: Store
    now: Callable[[], datetime]
    address_of: AddressOf

    async def caller_of(self, request: web.Request) -> Caller | None:
        """Whom the request's token speaks for; None when it shows none. Raises InvalidToken."""
        access = await self.find(request)
        if access is None:
            return None
        # What authorizes is loaded when a program first comes with a token.
        from finplan.service.authorization.scopes import is_resource_for

        caller, resource, _ = access
        if not is_resource_for(resource, request.path):
            raise InvalidToken("This access token is for another part of this site.")
        return caller

    async def find(self, request: web.Request) -> tuple[Caller, str, str] | None:
        """The caller, the resource and the scopes of the request's token. Raises InvalidToken."""
        headers = request.headers.getall(hdrs.AUTHORIZATION, [])
        # What a proxy in front asks for by another scheme is none of ours.
        parts = [header.partition(" ") for header in headers]
        tokens = [token.strip() for scheme, _, token in parts if scheme.lower() == BEARER]
        if not tokens:
            return None
        token = tokens[0]
        if len(headers) > 1 or not token:
            raise InvalidToken("Send one access token, as `Authorization: Bearer TOKEN`.")
        row = await self.store.look_up(authorization.TOKEN_OF_HASH, digest(token))
        if row is None or row.kind != "access":
            raise InvalidToken("This access token was revoked, or this finplan did not issue it.")
        if row.expires_at <= int(self.now().timestamp() * 1000):
            raise InvalidToken("This access token has expired. Get a new one.")
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
