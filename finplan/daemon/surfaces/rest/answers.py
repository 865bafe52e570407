"""Answers that are kept: each is encoded once for a state of the person's data, however often asked.

An answer is found again only by a caller who may do the same for the same person, so that nothing is
ever shared between people, and only in the state that it was made in.
"""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field

from finplan.daemon.surfaces import negotiation
from finplan.model.base import Wire
from finplan.operation import AnyOperation, Scope
from finplan.service.context import Caller, CallerKind, State
from finplan.service.derived.joining import Joined

ROOM = 8 * 2**20
"""How many bytes of answers are kept; those not asked for the longest go first."""

_BESIDES = 2048
"""About what an entry takes besides its bytes."""


@dataclass(slots=True)
class KeptAnswer:
    """An encoded answer, its tag, and its packed form once somebody has asked for that."""

    content: bytes
    packed: bytes | None = None
    tag: str = field(init=False)

    def __post_init__(self) -> None:
        # Made from the bytes, so that a change of the data that leaves the answer as it is costs a
        # client nothing, and a tag stays right when a backup is restored or finplan is updated.
        self.tag = hashlib.blake2b(self.content, digest_size=16).hexdigest()

    def size(self) -> int:
        """How much room it takes."""
        return len(self.content) + len(self.packed or b"") + _BESIDES


@dataclass(frozen=True, slots=True)
class Question:
    """Who asks what: whose data, what the credential allows, the row, the question, as a page or not."""

    owner: int
    kind: CallerKind
    scopes: frozenset[Scope]
    operation: AnyOperation
    ask: Hashable
    page: bool = False

    @classmethod
    def of(
        cls, caller: Caller, operation: AnyOperation, ask: Wire, *, page: bool = False
    ) -> "Question":
        """What one caller asks of a row."""
        return cls(caller.owner, caller.kind, caller.scopes, operation, ask, page)


Make = Callable[[State], Awaitable[bytes]]
"""Makes an answer of the data as they are, or later, than in a state."""

Look = Callable[[], Awaitable[State]]
"""Reads the state that the data are in."""


class KeptAnswers:
    """Answers by question, in one state each; the one asked for the longest ago stands first."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._taken = 0
        self._kept: OrderedDict[Question, tuple[State, KeptAnswer]] = OrderedDict()
        self._making: Joined[KeptAnswer] = Joined()
        self._made_in: dict[Question, State] = {}

    async def answer(self, question: Question, state: State, make: Make, look: Look) -> KeptAnswer:
        """The answer in this state, or in a later one; those who ask at once wait for the same one.

        `state` has to be read before: data that change meanwhile then only make the answer too new.
        While an older answer is made, whoever asks waits for the next one, before which `look` reads the
        state.
        """
        kept = self._find(question, state)
        if kept is not None:
            return kept
        making = self._making.running(question)
        if making is not None and self._made_in.get(question) == state:
            # One who hangs up must not take the answer away from the others.
            return await asyncio.shield(making)
        if making is None:
            # Said before it begins, for those who ask at the same time.
            self._made_in[question] = state
        return await self._making.done(
            question,
            lambda: self._make_anew(question, make, look),
            lambda: self._make(question, state, make),
        )

    async def packed(self, question: Question, answer: KeptAnswer) -> bytes:
        """The answer packed, which is done once."""
        if answer.packed is None:
            packed = await negotiation.pack(answer.content)
            if answer.packed is None:
                answer.packed = packed
                if self._holds(question, answer):
                    self._taken += len(packed)
                    self._make_room()
        return answer.packed

    def clear(self) -> None:
        """Forget everything; for a time when nothing is asked."""
        self._kept.clear()
        self._taken = 0

    @property
    def taken(self) -> int:
        """How many bytes the answers take."""
        return self._taken

    def _find(self, question: Question, state: State) -> KeptAnswer | None:
        kept_in, kept = self._kept.get(question, (None, None))
        if kept is None or kept_in != state:
            return None
        self._kept.move_to_end(question)
        return kept

    async def _make_anew(self, question: Question, make: Make, look: Look) -> KeptAnswer:
        state = await look()
        return self._find(question, state) or await self._make(question, state, make)

    async def _make(self, question: Question, state: State, make: Make) -> KeptAnswer:
        self._made_in[question] = state
        try:
            answer = KeptAnswer(await make(state))
        finally:
            del self._made_in[question]
        self._drop(question)
        if answer.size() <= self._room // 2:
            self._kept[question] = state, answer
            self._taken += answer.size()
            self._make_room()
        return answer

    def _holds(self, question: Question, answer: KeptAnswer) -> bool:
        return self._kept.get(question, (None, None))[1] is answer

    def _make_room(self) -> None:
        while self._taken > self._room:
            self._drop(next(iter(self._kept)))

    def _drop(self, question: Question) -> None:
        _, answer = self._kept.pop(question, (None, None))
        if answer is not None:
            self._taken -= answer.size()
