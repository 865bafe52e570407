"""How a row is answered: encoded once for a state of the data, drawn as a page, or piece by piece.

An answer that follows from a person's data has a tag, and is encoded once for a state of those. It is
found again only by a caller who may do the same for the same person, so that nothing is ever shared
between people, and only in the state that it was made in. Rows that say so are drawn as pages. Files
are sent while they are made, and what goes on for a while is told as server-sent events (WHATWG HTML,
9.2).
"""

import asyncio
import hashlib
import logging
import socket
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any, NamedTuple, Self

from aiohttp import hdrs, web

from finplan.daemon.errors import answer_to
from finplan.daemon.surfaces import negotiation
from finplan.model.base import Nothing
from finplan.model.characters import escaped
from finplan.operation import AnyOperation, Derived, EventStream, Scope, StreamedFile
from finplan.operations.person import SHOW_SETTINGS
from finplan.service.context import CallerKind, Context
from finplan.store.derived import DerivedCache, State

PAGE_CONTENT_TYPE = "text/html; charset=utf-8"


def is_drawn(operation: AnyOperation) -> bool:
    """Whether a row is answered as a page to who would rather have one."""
    return isinstance(operation.body, Derived) and operation.body.page


async def draw_page(
    perform: Callable[..., Awaitable[Any]],
    context: Context,
    answer: Any,
    today: date,
    notice: str | None,
) -> bytes:
    """Draw the plan for the person who asks, on a day, under a notice if there is one."""
    # Most daemons are never asked for a page, so what draws one is loaded when one is.
    from finplan.daemon.surfaces.pages import plan

    settings = await perform(context, SHOW_SETTINGS, Nothing())
    return plan.draw(answer, settings, today, notice)


def page_headers() -> Mapping[str, str]:
    """What a browser is told of a page: it loads nothing, runs nothing and is framed by nobody."""
    from finplan.daemon.surfaces.pages.plan import policy

    return {
        "Content-Security-Policy": policy(),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }


class EncodedAnswer(NamedTuple):
    """An answer as it is sent, and its tag."""

    content: bytes
    tag: str

    @classmethod
    def of(cls, content: bytes) -> Self:
        """The answer of some bytes.

        The tag is made from them, so that a change of the data that leaves the answer as it is costs a
        client nothing, and a tag stays right when a backup is restored or finplan is updated.
        """
        return cls(content, hashlib.blake2b(content, digest_size=16).hexdigest())


@dataclass(frozen=True, slots=True)
class AskedAnswer:
    """What the credential allows, the row, the question, and whether it is drawn as a page.

    `notice` is the sentence that a page begins with.
    """

    kind: CallerKind
    scopes: frozenset[Scope]
    operation: AnyOperation
    ask: Hashable
    page: bool = False
    notice: str | None = None


class _Packed(NamedTuple):
    asked: AskedAnswer


# No tuple: one of the same field would be equal to what is packed.
@dataclass(frozen=True, slots=True)
class _Values:
    asked: AskedAnswer


LARGEST_AS_VALUES = 64 * 1024
"""Up to how many bytes an answer is kept as values, too: what names are looked up in is no larger."""

_TIMES_LARGER = 8
"""About how many times as many bytes the values of an answer take as its letters."""


LookAtState = Callable[[], Awaitable[State]]
"""Reads the state that the data are in."""

MakeAnswer = Callable[[State], Awaitable[bytes]]
"""Makes the answer of data that are in a state, or in a later one."""

ReadAnswer = Callable[[bytes], Any]
"""Reads an answer as values."""

_Place = tuple[int, AskedAnswer]
"""Whose answer it is, and what was asked."""


@dataclass(eq=False, slots=True)
class _Making:
    """An answer that is being made, and the one after it; `state` is None until it is looked for."""

    state: State | None = None
    task: asyncio.Task[tuple[State, EncodedAnswer]] = field(init=False)
    following: "_Making | None" = None


class AnswerCache:
    """Encoded answers in the cache of derived state; those who ask at once wait for the same one."""

    def __init__(self, cache: DerivedCache) -> None:
        self._cache = cache
        self._making: dict[_Place, _Making] = {}

    async def answer(
        self, asked: AskedAnswer, look: LookAtState, make: MakeAnswer, seen: State | None = None
    ) -> tuple[State, EncodedAnswer]:
        """The answer, and the state it is of: the one that the asker has `seen`, or a later one.

        Data that change while it is made only make it newer than its state, which then never comes back.
        While one of another state is made, whoever asks waits for the next one, in whatever state that
        finds the data: so nobody waits for more than two, however often the data change.
        """
        state = seen or await look()
        kept: EncodedAnswer | None = self._cache.get(state, asked)
        if kept is not None:
            return state, kept
        place = state.owner, asked
        making = self._making.get(place)
        if making is None:
            making = self._making[place] = _Making(state)
            self._begin(place, making, self._make(asked, state, make))
        elif making.state != state:
            making = making.following or self._follow(place, making, look, make)
        # One who hangs up must not take the answer away from the others.
        return await asyncio.shield(making.task)

    async def packed(self, asked: AskedAnswer, state: State, answer: EncodedAnswer) -> bytes:
        """An answer packed for who takes gzip."""
        kept: bytes | None = self._cache.get(state, _Packed(asked))
        if kept is not None:
            return kept
        packed = await negotiation.pack(answer.content)
        self._cache.put(state, _Packed(asked), packed, len(packed))
        return packed

    def values(
        self, asked: AskedAnswer, state: State, answer: EncodedAnswer, read: ReadAnswer
    ) -> Any:
        """An answer as values, which nobody changes, for who tells it in other words."""
        values = self.kept_values(asked, state)
        if values is None:
            values = read(answer.content)
            if len(answer.content) <= LARGEST_AS_VALUES:
                size = len(answer.content) * _TIMES_LARGER
                self._cache.put(state, _Values(asked), values, size)
        return values

    def kept_values(self, asked: AskedAnswer, state: State) -> Any:
        """The values of an answer that is kept as such; None where it has to be read, or made."""
        return self._cache.get(state, _Values(asked))

    def _begin(
        self,
        place: _Place,
        making: _Making,
        made: Coroutine[None, None, tuple[State, EncodedAnswer]],
    ) -> None:
        making.task = asyncio.create_task(made)
        making.task.add_done_callback(partial(self._made, place, making))

    def _follow(
        self, place: _Place, former: _Making, look: LookAtState, make: MakeAnswer
    ) -> _Making:
        following = former.following = _Making()
        self._begin(place, following, self._make_after(place, former, following, look, make))
        return following

    async def _make_after(
        self, place: _Place, former: _Making, making: _Making, look: LookAtState, make: MakeAnswer
    ) -> tuple[State, EncodedAnswer]:
        await asyncio.wait([former.task])
        # Where this one fails, its error holds this frame, and would hold all that came before it.
        del former
        # Whoever waits for this one asked before the look or saw the same state: it has all they know.
        state = making.state = await look()
        _, asked = place
        kept: EncodedAnswer | None = self._cache.get(state, asked)
        return (state, kept) if kept is not None else await self._make(asked, state, make)

    async def _make(
        self, asked: AskedAnswer, state: State, make: MakeAnswer
    ) -> tuple[State, EncodedAnswer]:
        answer = EncodedAnswer.of(await make(state))
        self._cache.put(state, asked, answer, len(answer.content))
        return state, answer

    def _made(
        self, place: _Place, making: _Making, task: asyncio.Task[tuple[State, EncodedAnswer]]
    ) -> None:
        if making.following is None:
            del self._making[place]
        else:
            self._making[place] = making.following
        # A failure that nobody waits for any more is not reported as forgotten.
        if not task.cancelled():
            task.exception()


PIECES_WAITING = 128 * 1024
"""How much of a file the system may hold for a receiver that does not take it, in bytes.

Left to itself it holds megabytes, which many who take nothing have made while one who does take waits.
"""

log = logging.getLogger(__name__)


async def send_download(request: web.Request, file: StreamedFile) -> web.StreamResponse:
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
        log.exception("The file %s could not be sent completely.", file.name)
        if request.transport is not None:
            request.transport.close()
    return response


def _keep_little_waiting(request: web.Request) -> None:
    connection = None if request.transport is None else request.transport.get_extra_info("socket")
    if connection is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIECES_WAITING)


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
        await _send_all_events(request, response, stream)
        await response.write_eof()
    except ConnectionError:
        # Whoever listened has left; what goes on goes on without them.
        pass
    return response


async def _send_all_events(
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
            data = escaped(event.data.model_dump_json(by_alias=True).encode())
            await response.write(_as_text(event.name, data))


def _as_text(name: str, data: bytes) -> bytes:
    # JSON is written on one line, as the data of an event must be.
    return b"event: " + name.encode() + b"\ndata: " + data + b"\n\n"
