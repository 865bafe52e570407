"""API keys as credentials: whom a key speaks for, and when it was last used."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from aiohttp import web

from finplan.daemon.auth.client_address import AddressOf
from finplan.daemon.auth.noting import UseNotes
from finplan.model.errors import Unauthorized
from finplan.service.context import Caller
from finplan.service.credentials.keys import KeyFound, find_key
from finplan.store.queries import credentials as table
from finplan.store.store import Store

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
        shown = request.headers.getall(KEY_HEADER, [])
        if not shown:
            return None
        if len(shown) > 1:
            raise Unauthorized("The request shows several API keys, and could mean any of them.")
        found = await find_key(self.store, shown[0])
        if found is None:
            raise Unauthorized(
                "This is no API key of this daemon. `finplan keys create` makes one."
            )
        now = int(self.now().timestamp() * 1000)
        if found.revoked_at is not None:
            raise Unauthorized("This API key was revoked. `finplan keys create` makes another one.")
        if found.expires_at is not None and found.expires_at <= now:
            raise Unauthorized("This API key is over. `finplan keys create` makes another one.")
        self._note_use(found, now)
        return replace(found.caller, address=self.address_of(request))

    def _note_use(self, key: KeyFound, now: int) -> None:
        known = key.last_used_at
        if known is None or known <= now - NOTED_EACH:
            work = partial(table.note_key_use, no=key.no, now=now, before=now - NOTED_EACH)
            self.notes.note(key.caller.credential, work)
