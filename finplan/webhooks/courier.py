"""The courier: takes what is due, sends it, and reports what came of it; endpoints are apart.

What it holds is claimed for a while. Whatever happens to it, somebody takes the rest up when that is
over, under the same id: each delivery arrives at least once.
"""

import asyncio
import logging
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from finplan.model.errors import Fault, StoreDamaged
from finplan.webhooks.retries import Attempt

AT_ONCE = 8
"""How many deliveries are on their way to one webhook at a time."""

AHEAD = 64
"""How many more are held ready for it, so that they are taken up by few transactions."""

PROBES = 2
"""How many at a time go to a webhook whose last attempt failed, and none is held ready."""

MOST_AT_ONCE = 256
"""How many are on their way to all webhooks together."""

CLAIMED_FOR = 60_000
"""For how long deliveries are claimed, in milliseconds."""

SENDING_TAKES = 25_000
"""How long a claim has to hold when sending begins, in milliseconds: longer than any attempt takes."""

GATHERED_FOR = 0.02
"""How long news and outcomes gather until they are taken up and reported together, in seconds: of many
deliveries, each would otherwise be two transactions, which requests wait beside."""

LOOKS_AGAIN = 600.0
"""After how long it is looked again though nobody told of anything, in seconds."""

REFUSED_FOR = 60.0
"""After how long it is tried again where the store or the data key refused, in seconds."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Letter:
    """A delivery as it is sent. Without `secrets` it cannot be signed; `attempts` were made before.

    `former_status` and `former_next_attempt_at` are what a try that somebody asked for leaves it in if
    it fails; of one that falls on its schedule they are null.
    """

    no: int
    id: str
    webhook_no: int
    url: str
    body: bytes
    secrets: tuple[bytes, ...] = field(repr=False)
    attempts: int
    claimed_until: int
    former_status: str | None = None
    former_next_attempt_at: int | None = None


@dataclass(frozen=True, slots=True)
class TriedLetter:
    """What came of one attempt to send a letter, which ended at an instant; `luck` is from 0 to 1."""

    letter: Letter
    attempt: Attempt
    ended: int
    luck: float


@dataclass(frozen=True, slots=True)
class Exchange:
    """What is handed out: letters that are due, and when more will be."""

    letters: Sequence[Letter]
    next_due: int | None


class Book(Protocol):
    """Where deliveries are kept."""

    async def exchange(
        self,
        outcomes: Sequence[TriedLetter],
        unsent: Sequence[Letter],
        room_of: Callable[[int], int],
        now: int,
    ) -> Exchange:
        """Record outcomes, let go of what was not sent, and claim what is due, in one transaction.

        `room_of` answers how many letters a webhook may be given. Raises Fault.
        """

    async def still(self, letter: Letter) -> bool:
        """Whether a letter that was handed out is still to be sent to its address. Raises Fault."""


class Clock:
    """The time, and waiting for it or for something to happen."""

    def now(self) -> int:
        """The present instant in milliseconds."""
        return time.time_ns() // 1_000_000

    async def wait(self, happened: asyncio.Event, seconds: float) -> None:
        """Wait until something happens, but no longer than so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await happened.wait()
        except TimeoutError:
            return


Send = Callable[[Letter, int], Awaitable[Attempt]]
"""Sends a letter at an instant; whatever goes wrong is the attempt's outcome."""


@dataclass(slots=True)
class _Line:
    """What is on its way to one webhook, and what waits for its turn."""

    waiting: deque[Letter] = field(default_factory=deque)
    running: set[Letter] = field(default_factory=set)
    failing: bool = False

    @property
    def at_once(self) -> int:
        return PROBES if self.failing else AT_ONCE

    @property
    def room(self) -> int:
        most = PROBES if self.failing else AT_ONCE + AHEAD
        return most - len(self.running) - len(self.waiting)


class Courier:
    """Sends what a book holds, until it is cancelled."""

    def __init__(
        self,
        book: Book,
        send: Send,
        clock: Clock | None = None,
        luck: Callable[[], float] = random.random,
    ) -> None:
        self._book = book
        self._send = send
        self._clock = clock or Clock()
        self._luck = luck
        self._lines: dict[int, _Line] = {}
        self._outcomes: list[TriedLetter] = []
        self._unsent: list[Letter] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._running = 0
        self._ends = False
        self._happened = asyncio.Event()

    def stir(self) -> None:
        """Let it look at what is due; to be called in its loop."""
        self._happened.set()

    async def run(self) -> None:
        """Send what is due, for ever; what has no outcome yet when it is cancelled is let go."""
        asking: asyncio.Task[float] | None = None
        try:
            while True:
                self._happened.clear()
                # What a cancellation comes upon is still recorded, so its end has to be known.
                asking = asyncio.create_task(self._round())
                pause = await asyncio.shield(asking)
                self._begin()
                await self._clock.wait(self._happened, pause)
                if self._happened.is_set():
                    await asyncio.sleep(GATHERED_FOR)
        finally:
            await self._end(asking)

    async def _round(self) -> float:
        """Report and take what is due; answers for how many seconds nothing more is."""
        outcomes, self._outcomes = self._outcomes, []
        unsent, self._unsent = self._unsent, []
        now = self._clock.now()
        try:
            given = await self._book.exchange(outcomes, unsent, self._room_of, now)
        except Exception as error:  # noqa: BLE001 - Whatever is wrong, deliveries go on later.
            # Nothing was recorded, so all of it is reported once more.
            self._outcomes[:0], self._unsent[:0] = outcomes, unsent
            _tell_of_refusal(error)
            return REFUSED_FOR
        for letter in given.letters:
            self._line(letter.webhook_no).waiting.append(letter)
        if given.next_due is None:
            return LOOKS_AGAIN
        return min(LOOKS_AGAIN, max(0.0, (given.next_due - self._clock.now()) / 1000))

    def _line(self, webhook_no: int) -> _Line:
        return self._lines.setdefault(webhook_no, _Line())

    def _room_of(self, webhook_no: int) -> int:
        line = self._lines.get(webhook_no)
        return AT_ONCE + AHEAD if line is None else line.room

    def _begin(self) -> None:
        """Let as many letters begin as may be on their way, of each webhook in turn."""
        begun = not self._ends
        while begun:
            begun = False
            for line in self._lines.values():
                begun = self._begin_one(line) or begun

    def _begin_one(self, line: _Line) -> bool:
        if not line.waiting or len(line.running) >= line.at_once or self._running >= MOST_AT_ONCE:
            return False
        letter = line.waiting.popleft()
        if letter.claimed_until - self._clock.now() < SENDING_TAKES:
            # It has waited so long that another courier might take it up while it is sent.
            self._unsent.append(letter)
            self._happened.set()
            return True
        line.running.add(letter)
        self._running += 1
        task = asyncio.create_task(self._deliver(letter, line))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _deliver(self, letter: Letter, line: _Line) -> None:
        # Its webhook may have been removed, disabled or changed while it was held ready.
        attempt = await self._try(letter) if await self._still(letter) else None
        line.running.discard(letter)
        self._running -= 1
        if attempt is None:
            self._unsent.append(letter)
        else:
            self._note(line, TriedLetter(letter, attempt, self._clock.now(), self._luck()))
        self._happened.set()
        self._begin()

    def _note(self, line: _Line, tried: TriedLetter) -> None:
        self._outcomes.append(tried)
        line.failing = not tried.attempt.arrived
        if line.failing:
            self._unsent += line.waiting
            line.waiting.clear()

    async def _still(self, letter: Letter) -> bool:
        try:
            return await self._book.still(letter)
        except Exception as error:  # noqa: BLE001 - Whatever is wrong, it is not sent unasked.
            _tell_of_refusal(error)
            return False

    async def _try(self, letter: Letter) -> Attempt:
        try:
            return await self._send(letter, self._clock.now())
        except Exception:
            # One that ended without an outcome would hold its place for ever.
            log.exception("A delivery failed unexpectedly.")
            return Attempt(None, "finplan failed unexpectedly. See `finplan daemon logs`.")

    async def _end(self, asking: asyncio.Task[float] | None) -> None:
        # One whose status has come still ends as an attempt, and gives its place to no other.
        self._ends = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if asking is not None:
            await asyncio.wait([asking])
        for line in self._lines.values():
            self._unsent += [*line.running, *line.waiting]
        outcomes, unsent = self._outcomes, self._unsent
        self._lines.clear()
        if not outcomes and not unsent:
            return
        try:
            await self._book.exchange(outcomes, unsent, lambda _: 0, self._clock.now())
        except Exception as error:  # noqa: BLE001 - What is not noted is delivered again.
            _tell_of_refusal(error)


def _tell_of_refusal(error: Exception) -> None:
    """Log why deliveries wait: a fault that a person can mend, or a mistake of this program."""
    if isinstance(error, StoreDamaged):
        # The daemon tells of it by itself, once.
        return
    if isinstance(error, Fault):
        log.warning("Webhook deliveries are waiting: %s", error.message)
    else:
        log.error("Webhook deliveries are waiting.", exc_info=error)
