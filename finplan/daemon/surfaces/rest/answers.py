"""Answers that follow from a person's data: each is encoded once for a state of those, with its tag.

An answer is found again only by a caller who may do the same for the same person, so that nothing is
ever shared between people, and only in the state that it was made in.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Self

from finplan.daemon.surfaces import negotiation
from finplan.model.base import Wire
from finplan.operation import AnyOperation, Scope
from finplan.service.context import Caller, CallerKind
from finplan.store.derived import DerivedCache, State


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

    @classmethod
    def of(
        cls,
        caller: Caller,
        operation: AnyOperation,
        ask: Wire,
        *,
        page: bool = False,
        notice: str | None = None,
    ) -> Self:
        """What one caller asks of a row."""
        return cls(caller.kind, caller.scopes, operation, ask, page, notice)


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
        values = self._cache.get(state, _Values(asked))
        if values is None:
            values = read(answer.content)
            if len(answer.content) <= LARGEST_AS_VALUES:
                size = len(answer.content) * _TIMES_LARGER
                self._cache.put(state, _Values(asked), values, size)
        return values

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
