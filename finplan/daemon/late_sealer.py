"""The sealer of a daemon, made when something is first sealed: a keyring may be locked, or take long."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from finplan.store.sealing import Sealer


@dataclass(slots=True)
class LateSealer:
    """Answers one sealer; until there is one, each call asks for the key again.

    `key` may take seconds and raises a Fault where there is none, so it is asked in a thread.
    """

    key: Callable[[], bytes]
    sealer: Sealer | None = None

    async def __call__(self) -> Sealer:
        """The sealer. Raises what asking for the key raises."""
        if self.sealer is None:
            self.sealer = Sealer(await asyncio.to_thread(self.key))
        return self.sealer
