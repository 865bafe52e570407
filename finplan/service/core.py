"""Who asks, and with what: the Caller and the Context that every performer is handed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from finplan.banks.base import Bank
from finplan.operation import Scope
from finplan.store.engine import Store
from finplan.store.study import Answer, Work, in_one_read
from finplan.store.transfers import newest_row

LARGE_LEDGER = 20_000
"""How many rows are worth a process of their own, which must perhaps be started."""

CallerKind = Literal["session"]
"""Which kind of credential was shown: a first-party session may do everything."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The person whose data are asked for, and what the credential allows."""

    owner: int
    scopes: frozenset[Scope]
    kind: CallerKind


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks and when: as much of a Context as a study may be sent with; `now` is in UTC."""

    owner: int
    now: datetime

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return int(self.now.timestamp() * 1000)

    def today(self, time_zone: str) -> date:
        """The calendar date where the person lives."""
        return self.now.astimezone(ZoneInfo(time_zone)).date()


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a performer may use; `now` answers the present instant, in UTC."""

    caller: Caller
    store: Store
    banks: Mapping[str, Bank]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @property
    def asking(self) -> Asking:
        """The caller's number and the present instant."""
        return Asking(self.caller.owner, self.now())

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return self.asking.milliseconds()

    def today(self, time_zone: str) -> date:
        """The calendar date where the person lives."""
        return self.asking.today(time_zone)

    async def think(self, work: Work[Answer]) -> Answer:
        """Read and work out something of a whole ledger, on one snapshot, beside other requests.

        Work on a large store may be done in another process, so it and its answer can be pickled.
        """
        large = await self.store.read(newest_row) >= LARGE_LEDGER
        return await self.store.study(in_one_read(work), large=large)
