"""A month of a household with three banks, each behind another aggregator, on a clock that is set ahead.

The schedule is the daemon's own, and so is everything behind it; the banks are fakes on real sockets.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from typing import Any, Literal, NamedTuple

import pytest
from sqlalchemy import Connection

from finplan.banks.base import Link, SyncPage
from finplan.daemon import background as schedule
from finplan.daemon.background import Schedule
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionState
from finplan.model.errors import BankProviderError
from finplan.model.task import TaskQuery
from finplan.service.banking.connections import list_connection_states
from finplan.service.context import Background, Caller, Context
from finplan.service.planning.tasks import list_tasks
from tests.banks.fakes import enable_banking, enable_shapes
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import Held, World
from tests.banks.linked.enable.home import EnableHome, enable_home
from tests.banks.linked.household import ComparedHome, LinkedHome, Rows, linked_home
from tests.banks.linked.plaid_home import PlaidHome, plaid_home
from tests.webhooks.receiver import Authority

SECOND = timedelta(seconds=1)
CONSENT_DAYS = 20
"""How long the bank in Europe lets itself be read."""

Came = Literal["ok", "provider_error", "rate_limited", "login_required"]


class Tried(NamedTuple):
    """A try to sync a bank: when, which, what came of it, and how the store has the bank then."""

    at: datetime
    bank: str
    came: Came
    state: ConnectionState | None


class NotedBank:
    """An aggregator whose syncs are noted."""

    def __init__(self, bank: Any, note: Callable[[Came], None]) -> None:
        self._bank, self._note = bank, note

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bank, name)

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Sync, and note what came of it."""
        try:
            page: SyncPage = await self._bank.sync(link, cursor, today)
        except BankProviderError as error:
            self._note(error.failure)
            raise
        if not page.more:
            self._note("ok" if page.trouble is None else page.trouble.failure)
        return page


@dataclass
class Month:
    """The household, its banks, and what happens at which instant."""

    now: datetime
    context: Context
    bridge: SimplefinBridge
    homes: dict[str, ComparedHome] = field(default_factory=dict)
    accounts: dict[str, Held] = field(default_factory=dict)
    happenings: list[tuple[datetime, Callable[[], Awaitable[None]]]] = field(default_factory=list)
    tried: list[Tried] = field(default_factory=list)
    open_tasks: list[tuple[datetime, frozenset[str]]] = field(default_factory=list)

    def note(self, bank: str, came: Came) -> None:
        """Note a try."""
        self.tried.append(Tried(self.now, bank, came, None))

    def at(self, when: datetime, happens: Callable[[], Awaitable[None]]) -> None:
        """Something happens at an instant, before whoever looks then."""
        self.happenings.append((when, happens))
        self.happenings.sort(key=lambda each: each[0])

    async def live(self, until: datetime) -> None:
        """Go on until an instant; each day has a purchase at every bank."""
        background = Background()

        def context_of(owner: int) -> Context:
            caller = Caller(owner, frozenset({"read", "write"}), "schedule", "daemon")
            return replace(self.context, caller=caller, background=background)

        runs = Schedule(self.context.store, context_of, background, lambda: self.now)
        look = self.now
        while True:
            happens = self.happenings[0][0] if self.happenings else until
            if min(look, happens) >= until:
                break
            await self._come_to(max(self.now, min(look, happens)))
            if happens <= self.now:
                await self.happenings.pop(0)[1]()
                await self._note_states()
                look = self.now
            pause = await runs.look()
            await runs.end_of_runs()
            ran = await self._note_states()
            # The end of a run is news, which a loop sees after a second.
            look = self.now + (SECOND if ran else timedelta(seconds=pause))
        await self._come_to(until)

    async def _come_to(self, instant: datetime) -> None:
        for name, home in self.homes.items():
            while home.world.today < instant.date():
                home.world.advance()
                home.world.book(self.accounts[name], -700 - home.world.today.day, "CORNER CAFE 12")
        self.now = instant

    async def _note_states(self) -> bool:
        """Add to what was tried lately how the store has each bank now, and note the open tasks."""
        new = [place for place, each in enumerate(self.tried) if each.state is None]
        if not new:
            return False
        states = {
            name: state
            for state in await list_connection_states(self.context, Nothing())
            for name, home in self.homes.items()
            if home.connection == state.record.connection.id
        }
        for place in new:
            self.tried[place] = self.tried[place]._replace(state=states[self.tried[place].bank])
        await self.note_tasks()
        return True

    async def note_tasks(self) -> None:
        """Note which banks the open tasks are about."""
        banks = {home.connection: name for name, home in self.homes.items()}
        tasks = await list_tasks(self.context, TaskQuery())
        asked = {banks[each.connection_id] for each in tasks if each.kind == "reconnect_connection"}
        self.open_tasks.append((self.now, frozenset(asked)))

    async def webhooks_sent(self) -> list[tuple[datetime, str, str]]:
        """When which event was written down for the receiver, and of which connection."""

        def read(connection: Connection) -> list[tuple[datetime, str, str]]:
            rows = connection.exec_driver_sql(
                "SELECT json_extract(body, '$.timestamp'), type,"
                " json_extract(body, '$.data.connection.id') FROM webhook_delivery ORDER BY no"
            )
            return [(datetime.fromisoformat(at), kind, str(link)) for at, kind, link in rows]

        banks = {home.connection: name for name, home in self.homes.items()}
        found = await self.context.store.read(read)
        return [
            (at, kind, banks[link]) for at, kind, link in found if kind == "bank.reconnect_required"
        ]

    async def must_be_true(self) -> None:
        """Every row of every bank is there, each once."""
        true: Rows = sum(
            (home.true_rows(pending=False) for home in self.homes.values()), start=Rows()
        )
        stored = await next(iter(self.homes.values())).posted()
        more, less = dict(stored - true), dict(true - stored)
        assert (more, less) == ({}, {}), f"beyond the banks: {more}; missing: {less}"


@asynccontextmanager
async def a_month(
    start: datetime, context: Context, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Month]:
    """Three banks, linked one after the other; the household's clock is the banks', too."""
    # Looks in between find nothing, and a month has 43,200 minutes.
    monkeypatch.setattr(schedule, "LONGEST_SLEEP", 3600.0)
    monkeypatch.setattr(enable_shapes, "CONSENT_SECONDS", CONSENT_DAYS * 24 * 3600)
    async with AsyncExitStack() as stack:
        worlds = [World(start.date()) for _ in range(3)]
        bridge = await stack.enter_async_context(serving(SimplefinBridge(worlds[0]), authority))
        plaid = await stack.enter_async_context(serving(PlaidApi(worlds[1]), authority))
        enable = await stack.enter_async_context(
            serving(enable_banking.EnableBanking(worlds[2]), authority)
        )
        month = Month(start, context, bridge)

        def now() -> datetime:
            return month.now

        simplefin_home = linked_home(context, worlds[0], bridge, authority)
        plaids_home = plaid_home(context, worlds[1], plaid, authority)
        enables_home = enable_home(context, worlds[2], enable, authority)
        month.homes = {
            "simplefin": simplefin_home,
            "plaid": plaids_home,
            "enablebanking": enables_home,
        }
        aggregators = {}
        for name, home in month.homes.items():
            bank = home.context.aggregators[name]

            def note(came: Came, name: str = name) -> None:
                month.note(name, came)

            aggregators[name] = NotedBank(bank, note)
        month.context = replace(
            simplefin_home.context,
            aggregators=aggregators,
            now=now,
        )
        for home in month.homes.values():
            home.context = month.context
            monkeypatch.setattr(home, "now", now)
        # What asks the hour asks the clock of the month.
        bridge.now = plaid.now = enable.now = now
        aggregators["enablebanking"]._bank._now = now
        yield month


def purchase_accounts(month: Month) -> None:
    """One account at a bank behind each aggregator."""
    for name, bank, account in (
        ("simplefin", "Harbour Bank", "Everyday Checking"),
        ("plaid", "Larkmoor", "Plain Checking"),
        ("enablebanking", "Hafenbank", "Girokonto"),
    ):
        world = month.homes[name].world
        country = "DE" if name == "enablebanking" else "US"
        held = world.bank(bank, country=country)
        month.accounts[name] = world.open(held, account, mask="3704", opening=120_050)


__all__ = (
    "CONSENT_DAYS",
    "EnableHome",
    "LinkedHome",
    "Month",
    "PlaidHome",
    "Tried",
    "a_month",
    "purchase_accounts",
)
