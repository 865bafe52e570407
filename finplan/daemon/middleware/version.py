"""Headers that every answer carries: the daemon's version, and a notice while there is one."""

import logging
from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Handler

from finplan import __version__
from finplan.client.request import VERSION_HEADER
from finplan.model.words import notices
from finplan.store.store import Store

OnPrepare = Callable[[web.Request, web.StreamResponse], Awaitable[None]]

log = logging.getLogger(__name__)


@web.middleware
async def compare_versions(request: web.Request, handler: Handler) -> web.StreamResponse:
    """A client of another version is noted in the log, where it explains what follows."""
    version = request.headers.get(VERSION_HEADER, __version__)
    if version != __version__:
        log.warning("A client of version %.20r uses this daemon of %s.", version, __version__)
    return await handler(request)


def say_notice(store: Store) -> OnPrepare:
    """The signal by which every answer of the application carries the notice that there is."""

    async def say(_request: web.Request, response: web.StreamResponse) -> None:
        if store.damage is not None:
            response.headers[notices.HEADER] = notices.STORE_DAMAGED

    return say


async def say_version(_request: web.Request, response: web.StreamResponse) -> None:
    """The signal by which every answer of the application carries the version."""
    add_version(response)


def add_version(response: web.StreamResponse) -> None:
    """Put the daemon's version on an answer."""
    response.headers[VERSION_HEADER] = __version__
