"""The sealer of a daemon, made when something is first sealed: a keyring may be locked, or take long."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial

from finplan.model.errors import Fault
from finplan.store.sealing import Sealer

WORTH_REMEMBERING = 1.0
"""How long a refusal took if it is remembered, in seconds: a person may have seen a prompt."""


@dataclass(slots=True)
class LateSealer:
    """Answers one sealer; until there is one, the key is asked for again, by one request at a time.

    `key` may take seconds and raises a Fault where there is none, so it is asked in a thread of its own,
    which holds up no other work. A refusal that took long holds as long again. `sealing` makes the
    sealer of the first key that there is.
    """

    key: Callable[[], bytes]
    sealer: Sealer | None = None
    clock: Callable[[], float] = time.monotonic
    sealing: Callable[[bytes], Sealer] = Sealer
    _refusal: Fault | None = None
    _refused_until: float = 0.0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _thread: ThreadPoolExecutor = field(
        default_factory=partial(ThreadPoolExecutor, 1, "data-key"), repr=False
    )

    async def __call__(self) -> Sealer:
        """The sealer. Raises what asking for the key raises."""
        if self.sealer is not None:
            return self.sealer
        async with self._turn:
            if self.sealer is None:
                self._raise_what_holds()
                loop = asyncio.get_running_loop()
                self.sealer = self.sealing(await loop.run_in_executor(self._thread, self._ask))
                self._thread.shutdown(wait=False)
        return self.sealer

    def _raise_what_holds(self) -> None:
        if self._refusal is not None and self.clock() < self._refused_until:
            # Else each who is refused would leave where they asked in what the next one is told.
            raise self._refusal.with_traceback(None)

    def _ask(self) -> bytes:
        begun = self.clock()
        try:
            return self.key()
        except Fault as refusal:
            now = self.clock()
            took = now - begun
            if took >= WORTH_REMEMBERING:
                self._refusal, self._refused_until = refusal, now + took
            raise
