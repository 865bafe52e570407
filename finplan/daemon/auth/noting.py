"""When a credential was last used, noted beside the request, which must not wait for a long write."""

import asyncio
import logging
from dataclasses import dataclass, field

from aiohttp import web

from finplan.model.errors import StorageFull, StoreDamaged
from finplan.store.offload import Work
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

    async def finish(self, _app: web.Application) -> None:
        """Wait for what is still to be noted; for when the daemon stops."""
        await asyncio.gather(*self._noting.values())

    async def _write(self, credential: str, work: Work[None]) -> None:
        try:
            await self.store.write(work)
        except StorageFull:
            log.warning("The disk is full: the last use of %s was not noted.", credential)
        except StoreDamaged:
            # The daemon tells of it by itself, and the request has its answer all the same.
            return
