"""Files sent piece by piece, while they are made."""

import logging
from contextlib import aclosing

from aiohttp import web

from finplan.operation import StreamedFile

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
