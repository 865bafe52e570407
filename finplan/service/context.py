"""Who asks, and with what: the Caller and the Context that every performer is handed."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, Protocol

from sqlalchemy import Connection

from finplan.banks.base import Bank
from finplan.operation import Scope
from finplan.service.asker import Asking
from finplan.service.background import Background
from finplan.service.derived.allowances import KeptAllowances
from finplan.service.spending.kept import KeptSums
from finplan.store.queries.transfers import newest_row
from finplan.store.store import Store
from finplan.store.study import Answer, Work, in_one_read

LARGE_LEDGER = 20_000
"""How many rows are worth a process of their own, which must perhaps be started."""

CallerKind = Literal["session", "api_key"]
"""Which kind of credential was shown: a first-party session may do everything."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The person whose data are asked for, and what the credential allows.

    `credential` names the one credential that was shown, and is no secret.
    """

    owner: int
    scopes: frozenset[Scope]
    kind: CallerKind
    credential: str = "session"


class KeepReply(Protocol):
    """Keeps the answer of an operation as the reply to its request, in the given transaction."""

    def __call__(self, connection: Connection, answer: Any, *, final: bool) -> None:
        """Keep it; one that is not final is replaced by the next one."""


EndCredentials = Callable[[int], Awaitable[None]]
"""Ends the credentials that are no rows of the store, of the person of a number."""


async def _end_nothing(_owner: int) -> None:
    """For where no credential but those of the store is known."""


@dataclass(frozen=True, slots=True)
class State:
    """What answers follow from besides the question: the generation of the data, and the day."""

    generation: int
    today: date


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a performer may use; `now` answers the present instant, in UTC.

    `keep_reply` is there when the request must take effect only once, however often it is sent.
    `background` is where work goes on when the request is over. `end_credentials` ends what a process
    remembers of a person who was deleted. `sums` keeps running sums of spending, and `allowances`
    the daily allowances that are known. `state` is what the request found the data in, if it looked.
    `as_json` says that the answer will be sent as JSON and not be looked at.
    """

    caller: Caller
    store: Store
    banks: Mapping[str, Bank]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    keep_reply: KeepReply | None = None
    background: Background = field(default_factory=Background)
    sums: KeptSums = field(default_factory=KeptSums)
    allowances: KeptAllowances = field(default_factory=KeptAllowances)
    state: State | None = None
    as_json: bool = False
    end_credentials: EndCredentials = _end_nothing

    async def commit(
        self, work: Work[Answer], *, beside: Path | None = None, final: bool = True
    ) -> Answer:
        """Let an operation take effect: as `store.write`, where the reply commits with the effect.

        `work` answers what the performer will. A performer that has to write more than once says
        `final=False` until it does so for the last time; what it answered before stands after a crash.
        """
        keep_reply = self.keep_reply
        if keep_reply is None:
            return await self.store.write(work, beside=beside)

        def work_and_keep(connection: Connection) -> Answer:
            answer = work(connection)
            keep_reply(connection, answer, final=final)
            return answer

        return await self.store.write(work_and_keep, beside=beside)

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
        done = await self.store.consider(partial(_unless_large, work=work))
        if done is None:
            return await self.store.study(in_one_read(work), large=True)
        return done.answer


class _Done(NamedTuple, Generic[Answer]):
    answer: Answer


def _unless_large(connection: Connection, work: Work[Answer]) -> _Done[Answer] | None:
    """Do some work, unless the store is so large that it is better done elsewhere."""
    return _Done(work(connection)) if newest_row(connection) < LARGE_LEDGER else None
