"""Answers that follow from a person's data: each is encoded once for a state of those, with its tag.

An answer is found again only by a caller who may do the same for the same person, so that nothing is
ever shared between people, and only in the state that it was made in.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Self

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
    """What the credential allows, the row, the question, and whether it is drawn as a page."""

    kind: CallerKind
    scopes: frozenset[Scope]
    operation: AnyOperation
    ask: Hashable
    page: bool = False

    @classmethod
    def of(cls, caller: Caller, operation: AnyOperation, ask: Wire, *, page: bool = False) -> Self:
        """What one caller asks of a row."""
        return cls(caller.kind, caller.scopes, operation, ask, page)


class _Packed(NamedTuple):
    asked: AskedAnswer


class _Making(NamedTuple):
    state: State
    task: asyncio.Task[EncodedAnswer]


class Answers:
    """Encoded answers in the cache of derived state; those who ask at once wait for the same one."""

    def __init__(self, cache: DerivedCache) -> None:
        self._cache = cache
        self._making: dict[tuple[int, AskedAnswer], _Making] = {}

    async def answer(
        self,
        asked: AskedAnswer,
        look: Callable[[], Awaitable[State]],
        make: Callable[[State], Awaitable[bytes]],
    ) -> tuple[State, EncodedAnswer]:
        """The answer, and the state it is of; `look` reads the state that the data are in.

        Data that change while it is made only make it newer than its state, which then never comes back.
        While one of an older state is made, whoever asks waits for that, and then all for the next one.
        """
        while True:
            state = await look()
            kept: EncodedAnswer | None = self._cache.get(state, asked)
            if kept is not None:
                return state, kept
            place = state.owner, asked
            making = self._making.get(place)
            if making is None:
                task = asyncio.create_task(self._make(asked, state, make))
                making = self._making[place] = _Making(state, task)
                task.add_done_callback(partial(self._made, place))
            if making.state == state:
                # One who hangs up must not take the answer away from the others.
                return state, await asyncio.shield(making.task)
            await asyncio.wait([making.task])

    async def packed(self, asked: AskedAnswer, state: State, answer: EncodedAnswer) -> bytes:
        """An answer packed for who takes gzip."""
        kept: bytes | None = self._cache.get(state, _Packed(asked))
        if kept is not None:
            return kept
        packed = await negotiation.pack(answer.content)
        self._cache.put(state, _Packed(asked), packed, len(packed))
        return packed

    async def _make(
        self, asked: AskedAnswer, state: State, make: Callable[[State], Awaitable[bytes]]
    ) -> EncodedAnswer:
        answer = EncodedAnswer.of(await make(state))
        self._cache.put(state, asked, answer, len(answer.content))
        return answer

    def _made(self, place: tuple[int, AskedAnswer], making: asyncio.Task[EncodedAnswer]) -> None:
        del self._making[place]
        # A failure that nobody waits for any more is not reported as forgotten.
        if not making.cancelled():
            making.exception()
