"""Answers that go on for a while, as server-sent events (WHATWG HTML, 9.2)."""

import asyncio
from contextlib import aclosing

from aiohttp import hdrs, web

from finplan.daemon.errors import answer_to
from finplan.model.characters import escaped
from finplan.operation import Event, EventStream

KEEP_ALIVE = 5.0
"""How often a sign of life is sent while there is no news, in seconds."""

_SIGN_OF_LIFE = b":\n\n"


async def send_events(request: web.Request, stream: EventStream) -> web.StreamResponse:
    """Send events until the last one; a failure on the way is an event too."""
    response = web.StreamResponse(headers={hdrs.CACHE_CONTROL: "no-cache"})
    response.content_type = "text/event-stream"
    response.charset = "utf-8"
    await response.prepare(request)
    try:
        await response.write(_SIGN_OF_LIFE)
        await _send_all(request, response, stream)
        await response.write_eof()
    except ConnectionError:
        # Whoever listened has left; what goes on goes on without them.
        pass
    return response


async def _send_all(
    request: web.Request, response: web.StreamResponse, stream: EventStream
) -> None:
    async with aclosing(stream.events) as events:
        while True:
            coming = asyncio.ensure_future(anext(events, None))
            try:
                while not (await asyncio.wait({coming}, timeout=KEEP_ALIVE))[0]:
                    await response.write(_SIGN_OF_LIFE)
                event = coming.result()
            except ConnectionError:
                raise
            except Exception as error:  # noqa: BLE001 - whatever it is, it is told.
                body = answer_to(error, request).body
                assert isinstance(body, bytes)
                await response.write(_as_text("error", body))
                return
            finally:
                coming.cancel()
                await asyncio.wait({coming})
            if event is None:
                return
            await response.write(_as_text(event.name, _encoded(event)))


def _encoded(event: Event) -> bytes:
    return escaped(event.data.model_dump_json(by_alias=True).encode())


def _as_text(name: str, data: bytes) -> bytes:
    # JSON is written on one line, as the data of an event must be.
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
