"""Files sent piece by piece, while they are made."""

import logging
import socket
from contextlib import aclosing

from aiohttp import web

from finplan.operation import StreamedFile

WAITING = 128 * 1024
"""How much of a file the system may hold for a receiver that does not take it, in bytes.

Left to itself it holds megabytes, which many who take nothing have made while one who does take waits.
"""

log = logging.getLogger(__name__)


async def send(request: web.Request, file: StreamedFile) -> web.StreamResponse:
    """Send a file as an attachment; one that cannot be finished is cut off, and so known as broken."""
    response = web.StreamResponse(
        headers={"Content-Disposition": f'attachment; filename="{file.name}"'}
    )
    response.content_type = file.media_type
    response.charset = "utf-8"
    await response.prepare(request)
    if request.method == "HEAD":
        return response
    _keep_little_waiting(request)
    try:
        async with aclosing(file.content) as pieces:
            async for piece in pieces:
                await response.write(piece)
        await response.write_eof()
    except ConnectionError:
        # The receiver has left, and nobody need be told.
        return response
    except Exception:
        # The head has been sent, so the only way left to say it is to end without the last chunk.
        log.exception("The file %s could not be finished.", file.name)
        if request.transport is not None:
            request.transport.close()
    return response


def _keep_little_waiting(request: web.Request) -> None:
    connection = None if request.transport is None else request.transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, WAITING)
