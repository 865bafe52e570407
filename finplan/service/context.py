"""Who asks, and with what: the Caller and the Context that every performer is handed.

An Asker is as much of a Context as may be sent to another process; its Background holds the work that
goes on when the request that began it is over.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from finplan.banks.base import Aggregator, Bank
from finplan.model.errors import SecretsUnreachable
from finplan.operation import Scope
from finplan.service.password_hashes import Passwords
from finplan.store.offload import Answer, Work
from finplan.store.queries import people
from finplan.store.sealing import Sealer
from finplan.store.store import Store


@dataclass(frozen=True, slots=True)
class Asker:
    """The person of a number, and the present instant in UTC."""

    owner: int
    now: datetime

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return int(self.now.timestamp() * 1000)

    def today(self, time_zone: str) -> date:
        """The calendar date where the person lives."""
        return self.now.astimezone(ZoneInfo(time_zone)).date()


log = logging.getLogger(__name__)

Make = Callable[[], Awaitable[None]]


class Background:
    """Tasks of one process, one at a time for each name; what they have done is for rows to tell."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._wanted: dict[str, Make] = {}
        self._stirred = asyncio.Event()

    def ensure(self, name: str, make: Make) -> None:
        """See to it that some work is done from its beginning, after this call, once at least."""
        self._wanted[name] = make
        if name not in self._tasks:
            self._tasks[name] = asyncio.create_task(self._run(name))

    def stir(self) -> None:
        """Wake all who wait for news."""
        self._stirred.set()
        self._stirred = asyncio.Event()

    def news(self) -> asyncio.Event:
        """What is set with the next news; ask for it before looking, so that none is missed."""
        return self._stirred

    async def end(self) -> None:
        """Give all work up, and wait until it has ended."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, name: str) -> None:
        try:
            # What is wanted while it is done is done again, since it may have come too late for it.
            while (make := self._wanted.pop(name, None)) is not None:
                try:
                    await make()
                except Exception:
                    log.exception("Background work failed: %s.", name)
        finally:
            del self._tasks[name]
            self.stir()


CallerKind = Literal["session", "api_key", "token", "schedule"]
"""Which kind of credential was shown: a first-party session may do everything. The schedule shows none,
and acts for a person as a program of theirs would."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The person whose data are asked for, and what the credential allows.

    `credential` names the one credential that was shown, and is no secret; `address` is where it was
    shown from. A `guest` is an agent that nobody has claimed.
    """

    owner: int
    scopes: frozenset[Scope]
    kind: CallerKind
    credential: str = "session"
    address: str | None = None
    guest: bool = False


GUESTS_REACH_THE_DEMO = (
    "An unclaimed agent can use only the demo household. Ask the person you act for to claim you:"
    " POST /agent/identity/claim."
)
"""What a guest is told that asks for more."""


class KeepReply(Protocol):
    """Keeps the answer of an operation as the reply to its request, in the given transaction."""

    def __call__(self, connection: Connection, answer: Any, *, final: bool) -> None:
        """Keep it; one that is not final is replaced by the next one."""


class CountTries(Protocol):
    """Counts how often it was tried to tell a person's password, by their address and by the client."""

    def enter(self, email: str, client: str) -> None:
        """Count a try, before it is looked at. Raises TooManyRequests."""

    def succeed(self, email: str, client: str) -> None:
        """Take a try back that was no failure."""


class UncountedTries:
    """For where nobody from outside tells a password."""

    def enter(self, email: str, client: str) -> None:
        """Nothing is counted."""

    def succeed(self, email: str, client: str) -> None:
        """Nothing was counted."""


EndCredentials = Callable[[int], Awaitable[None]]
"""Ends the credentials that are no rows of the store, of the person of a number."""


TellOwner = Callable[[str, str, str], Awaitable[str | None]]
"""Tells the owner of the machine something unasked: its kind, a headline without a name or an amount,
and the whole of it. Answers what failed."""
SealerOf = Callable[[], Awaitable[Sealer]]
"""Answers what secrets are sealed with. Raises SecretsUnreachable."""

VetTarget = Callable[[str], Awaitable[None]]
"""Raises RefusedTarget, with a sentence, unless a URL may be sent to."""


async def _no_sealer() -> Sealer:
    raise SecretsUnreachable(
        "The data key is missing, so secrets cannot be saved. Run `finplan secrets` to see where"
        " the key belongs."
    )


async def _vet_nothing(_url: str) -> None:
    """For where nothing is sent anywhere."""


async def _end_nothing(_owner: int) -> None:
    """For where no credential but those of the store is known."""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a performer may use; `now` answers the present instant, in UTC.

    `keep_reply` is there when the request must take effect only once, however often it is sent.
    `background` is where work goes on when the request is over. `end_credentials` ends what a process
    remembers of a person who was deleted. `site_url` is where a browser finds the daemon,
    `passwords` hashes and compares them, and `tries` counts how often one is told wrongly. `sealer`
    seals secrets, and `vet_target` says where webhooks may be. `tell` is None where nobody is to be told
    anything. `aggregators` reach banks by what a person brings along, each under its name. `data_key` is
    the file that says where the data key is kept, None where there is none.
    """

    caller: Caller
    store: Store
    banks: Mapping[str, Bank]
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    keep_reply: KeepReply | None = None
    background: Background = field(default_factory=Background)
    end_credentials: EndCredentials = _end_nothing
    site_url: str = ""
    passwords: Passwords = field(default_factory=Passwords)
    tries: CountTries = field(default_factory=UncountedTries)
    sealer: SealerOf = _no_sealer
    vet_target: VetTarget = _vet_nothing
    tell: TellOwner | None = None
    aggregators: Mapping[str, Aggregator] = field(default_factory=dict)
    data_key: Path | None = None

    async def commit(
        self,
        work: Work[Answer],
        *,
        beside: Path | None = None,
        final: bool = True,
        event: bool = False,
    ) -> Answer:
        """Let an operation take effect: as `store.write`, where the reply commits with the effect.

        `work` answers what the performer will. A performer that has to write more than once says
        `final=False` until it does so for the last time; what it answered before stands after a crash.
        An `event` may change what a plan follows from: rows, rules, answers, accounts, settings.
        """
        keep_reply, owner, now = self.keep_reply, self.caller.owner, self.milliseconds()

        def work_and_keep(connection: Connection) -> Answer:
            answer = work(connection)
            if event:
                people.note_event(connection, owner, now)
            if keep_reply is not None:
                keep_reply(connection, answer, final=final)
            return answer

        return await self.store.write(work_and_keep, beside=beside)

    @property
    def asker(self) -> Asker:
        """The caller's number and the present instant."""
        return Asker(self.caller.owner, self.now())

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return self.asker.milliseconds()

    def today(self, time_zone: str) -> date:
        """The calendar date where the person lives."""
        return self.asker.today(time_zone)
