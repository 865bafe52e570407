"""API keys as credentials: whom a key speaks for, and when it was last used."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from aiohttp import web

from finplan.model.errors import StorageFull, Unauthorized
from finplan.service.context import Caller
from finplan.service.credentials.keys import KeyFound, find_key
from finplan.store.queries.access import keys as table
from finplan.store.store import Store

KEY_HEADER = "x-api-key"

NOTED_EACH = 60_000
"""How old the noted time of a key's last use may get before it is written anew, in milliseconds."""

log = logging.getLogger(__name__)


@dataclass(slots=True)
class ApiKeys:
    """Finds the key that a request shows; nothing is remembered of it, so a revoked one is refused."""

    store: Store
    now: Callable[[], datetime]
    _noting: dict[int, asyncio.Task[None]] = field(default_factory=dict)

    async def caller_of(self, request: web.Request) -> Caller | None:
        """Whom the request's key speaks for; None when it shows none. Raises Unauthorized."""
        shown = request.headers.getall(KEY_HEADER, [])
        if not shown:
            return None
        if len(shown) > 1:
            raise Unauthorized("The request shows several API keys, and could mean any of them.")
        found = await self.store.read(partial(find_key, secret=shown[0]))
        if found is None:
            raise Unauthorized(
                "This is no API key of this daemon. `finplan keys create` makes one."
            )
        if found.revoked_at is not None:
            raise Unauthorized("This API key was revoked. `finplan keys create` makes another one.")
        self._note_use(found)
        return found.caller

    async def finish(self, _app: web.Application) -> None:
        """Wait for what is still to be noted; for when the daemon stops."""
        await asyncio.gather(*self._noting.values())

    def _note_use(self, key: KeyFound) -> None:
        """Note the use beside the request, which must not wait for a long write such as an import."""
        now = int(self.now().timestamp() * 1000)
        known = key.last_used_at
        if key.no in self._noting or (known is not None and known > now - NOTED_EACH):
            return
        noting = asyncio.create_task(self._write(key.no, now))
        self._noting[key.no] = noting
        noting.add_done_callback(lambda _done: self._noting.pop(key.no))

    async def _write(self, no: int, now: int) -> None:
        try:
            await self.store.write(lambda c: table.note_use(c, no, now, now - NOTED_EACH))
        except StorageFull:
            log.warning("The disk is full: the last use of an API key was not noted.")
