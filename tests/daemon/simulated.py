"""A month in a minute: schedules over one store, on a clock that is set forward from look to look.

A schedule is not woken by its loop here, but looks when it said it would; so each instant is exact, and
nothing waits. A daemon that is killed is one that is cancelled without a word.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.daemon.background import Schedule
from finplan.model.errors import BankFailure, BankProviderError
from finplan.service.automation import kinds
from finplan.service.automation.job import JobRun, Outcome, PerformJob
from finplan.service.context import Background, Caller, Context
from finplan.service.people import new_person
from finplan.store.queries import connections, jobs, people
from finplan.store.store import Store

SECOND = timedelta(seconds=1)

During = Callable[[str], Awaitable[None]]


class Ran(NamedTuple):
    """A run that began: when, of which job, whose, and by which of the daemons."""

    at: datetime
    name: str
    owner: int
    daemon: int


@dataclass
class Trouble:
    """From when until when a bank fails, and how."""

    bank: str
    since: datetime
    until: datetime
    failure: BankFailure = "provider_error"


@dataclass
class Banks:
    """Banks of which each has one new row a day; `tried` says when each was asked."""

    now: Callable[[], datetime]
    troubles: list[Trouble] = field(default_factory=list)
    tried: list[tuple[datetime, str]] = field(default_factory=list)

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Answer the rows since the cursor, which is a day; or fail, in times of trouble."""
        now = self.now()
        self.tried.append((now, link.institution))
        for each in self.troubles:
            if each.bank == link.institution and each.since <= now < each.until:
                raise BankProviderError("The bank is closed.", "aggregator", each.failure)
        since = today - timedelta(days=40) if not cursor else date.fromisoformat(cursor)
        days = [since + timedelta(days=place) for place in range(1, (today - since).days + 1)]
        account = BankAccount("1", "Checking", None, "depository", None, "EUR", 100_00)
        rows = tuple(
            BankTransaction("1", day.isoformat(), int(day.strftime("%Y%m%d")), -7_00, "BAKERY")
            for day in days
        )
        return SyncPage((account,), rows, (), (), today.isoformat())


class World:
    """Daemons on one store, with a clock of their own."""

    def __init__(self, database: Path, start: datetime, daemons: int = 1) -> None:
        self.now = start
        self.banks = Banks(lambda: self.now)
        self.ran: list[Ran] = []
        self.during: During | None = None
        self.stores = [Store.open(database, database.parent / "backups") for _ in range(daemons)]
        self.backgrounds = [Background() for _ in range(daemons)]
        self.schedules = [self._schedule(no) for no in range(daemons)]
        self._looks = [start] * daemons

    @property
    def store(self) -> Store:
        """The first daemon's."""
        return self.stores[0]

    def context(self, owner: int, daemon: int = 0) -> Context:
        """The context of a person in one of the daemons."""
        caller = Caller(owner, frozenset({"read", "write"}), "schedule", f"daemon {daemon}")
        banks = {"aggregator": self.banks, "demo": self.banks}
        background = self.backgrounds[daemon]
        return Context(caller, self.stores[daemon], banks, lambda: self.now, background=background)

    def _schedule(self, daemon: int) -> Schedule:
        return Schedule(
            self.stores[daemon],
            lambda owner: self.context(owner, daemon),
            self.backgrounds[daemon],
            lambda: self.now,
        )

    async def add_person(self, name: str, time_zone: str, **more: int) -> int:
        """Somebody who lives somewhere; the first owns the machine."""
        values = new_person(f"{name}@localhost", name, time_zone, 0) | more
        return await self.store.write(lambda c: people.add_person(c, values))

    async def add_bank(self, owner: int, name: str, provider: str = "aggregator") -> None:
        """A bank that was never synced."""
        values = {"id": f"con_{name}", "owner_no": owner, "provider": provider, "status": "ok"}
        more = {"institution_name": name, "failures": 0, "created_at": 0}
        await self.store.write(lambda c: connections.add_connection(c, values | more))

    async def look(self, daemon: int = 0) -> float:
        """Let a daemon look, and wait until what it began has ended; answers how long it sleeps."""
        pause = await self.schedules[daemon].look()
        await self.schedules[daemon].end_of_runs()
        return pause

    async def live(
        self, until: datetime, asleep: tuple[tuple[datetime, datetime], ...] = ()
    ) -> None:
        """Go on until an instant; whoever should look while the machine is `asleep` looks after it."""
        while (at := min(self._looks)) < until:
            for since, awake in asleep:
                at = awake if since <= at < awake else at
            self.now = max(self.now, at)
            due = [no for no, look in enumerate(self._looks) if look <= self.now]
            before = len(self.ran)
            # All who look at this instant look at once.
            pauses = await asyncio.gather(*(self.schedules[no].look() for no in due))
            await asyncio.gather(*(self.schedules[no].end_of_runs() for no in due))
            some_ran = len(self.ran) > before
            for no, pause in zip(due, pauses, strict=True):
                # The end of a run is news, which a loop sees after a second.
                self._looks[no] = self.now + (SECOND if some_ran else timedelta(seconds=pause))
        self.now = until
        self._looks = [max(look, until) for look in self._looks]

    async def job(self, owner: int | None, name: str) -> dict[str, object]:
        """The row of a job."""

        def find(connection: Connection) -> dict[str, object]:
            rows = jobs.list_jobs(connection)
            return next(dict(r) for r in rows if (r["owner_no"], r["name"]) == (owner, name))

        return await self.store.read(find)

    def times(self, name: str, owner: int) -> list[datetime]:
        """When a job of somebody's ran."""
        return [ran.at for ran in self.ran if (ran.name, ran.owner) == (name, owner)]

    def close(self) -> None:
        """Close every store."""
        for store in self.stores:
            store.close()


@contextmanager
def watched(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A world whose runs are noted; the jobs themselves are the real ones."""
    for name, kind in list(kinds.KINDS.items()):
        perform = kind.perform

        async def noted(
            context: Context, run: JobRun, name: str = name, perform: PerformJob = perform
        ) -> Outcome:
            daemon = int(context.caller.credential.rpartition(" ")[2])
            world.ran.append(Ran(world.now, name, context.caller.owner, daemon))
            if world.during is not None:
                await world.during(name)
            return await perform(context, run)

        monkeypatch.setitem(kinds.KINDS, name, replace(kind, perform=noted))
    try:
        yield world
    finally:
        world.close()


def utc(text: str) -> datetime:
    """An instant from its text."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
