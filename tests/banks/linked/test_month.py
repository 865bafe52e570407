"""Thirty days with three banks that fail, want a sign-in and are linked anew, as the handbook says.

The household's three banks are each behind another aggregator, on a clock that is set ahead.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import pytest
from sqlalchemy import Connection

from finplan.banks.base import Link, SyncPage
from finplan.daemon import background as schedule
from finplan.daemon.background import Schedule
from finplan.model.base import Nothing
from finplan.model.connection import ConnectionState, Reconnection
from finplan.model.errors import BankProviderError
from finplan.model.task import TaskQuery
from finplan.model.webhook import NewWebhook
from finplan.service.banking.connections import list_connection_states
from finplan.service.context import Background, Caller, Context
from finplan.service.planning.tasks import list_tasks
from finplan.service.webhooks.webhooks import create_webhook
from tests.banks.fakes import enable_banking
from tests.banks.fakes.enable_banking import denying
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import TOO_MANY, SimplefinBridge
from tests.banks.fakes.wire import BAD_GATEWAY, serving
from tests.banks.fakes.world import Held, World
from tests.banks.linked.enable.home import EnableHome, enable_home
from tests.banks.linked.household import (
    ComparedHome,
    LinkedHome,
    PlaidHome,
    Rows,
    linked_home,
    plaid_home,
)
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
    monkeypatch.setattr(enable_banking, "CONSENT_SECONDS", CONSENT_DAYS * 24 * 3600)
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
        month.context = replace(simplefin_home.context, aggregators=aggregators, now=now)
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


START = datetime(2026, 3, 2, 10, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
LATE = timedelta(seconds=2)

Wrong = Literal["provider_error", "rate_limited", "login_required"]


def day(number: float) -> datetime:
    """So many days after the start."""
    return START + number * DAY


@dataclass(frozen=True)
class Script:
    """What is wrong with a bank from when until when, and when the person links it anew."""

    wrong: tuple[tuple[datetime, datetime, Wrong], ...]
    relinked: tuple[datetime, ...] = ()
    consent_ends: tuple[datetime, ...] = ()

    def at(self, instant: datetime) -> str:
        """What comes of a try at an instant."""
        return next((what for since, until, what in self.wrong if since <= instant < until), "ok")


SCRIPTS = {
    "simplefin": Script(
        (
            (day(3), day(5.5), "provider_error"),
            (day(7), day(8), "rate_limited"),
            (day(9), day(13), "login_required"),
            (day(22), day(24), "login_required"),
        ),
        (day(13), day(24)),
    ),
    "plaid": Script(
        (
            (day(6), day(6.25), "provider_error"),
            (day(11), day(15), "login_required"),
            (day(25), day(99), "login_required"),
        ),
        (day(15),),
    ),
    "enablebanking": Script(
        ((day(4), day(5), "provider_error"), (day(CONSENT_DAYS), day(23), "login_required")),
        (day(23),),
        (day(CONSENT_DAYS), day(23 + CONSENT_DAYS)),
    ),
}
MOST_A_DAY = {"simplefin": 20, "enablebanking": 4}
"""How often each is asked within 24 hours at most, whoever asks."""

INCIDENTS = {"simplefin": 2, "plaid": 2, "enablebanking": 1}
"""How often each asks to sign in again."""


@dataclass
class Ear:
    """Who is told."""

    month: Month
    heard: list[tuple[datetime, str, str]] = field(default_factory=list)

    async def tell(self, kind: str, _headline: str, text: str) -> str | None:
        self.heard.append((self.month.now, kind, text))
        return None


@pytest.fixture
async def month(
    context: Context, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Month]:
    async with a_month(START, context, authority, monkeypatch) as made:
        yield made


def _script(month: Month) -> None:
    """Let happen what is wrong, and what the person does, at its instants."""
    simplefin, plaid, enable = _homes(month)
    harbour, larkmoor, _ = (next(iter(home.world.banks.values())) for home in month.homes.values())

    async def relink() -> None:
        simplefin.world.relink(harbour)
        await simplefin.relink()

    async def sign_in() -> None:
        await plaid.begin(plaid.connection)
        plaid.plaid.finish_link(plaid.token, larkmoor)

    async def consent() -> None:
        await enable.link(reconnect=Reconnection(connection_id=enable.connection))

    def simply(does: Callable[[], object]) -> Callable[[], Awaitable[None]]:
        async def happens() -> None:
            does()

        return happens

    fail = partial(simplefin.bridge.misbehave, BAD_GATEWAY, times=None)
    tell_off = partial(simplefin.bridge.misbehave, TOO_MANY, times=None)
    fail_at_plaid = partial(plaid.plaid.misbehave, BAD_GATEWAY, times=None)
    closed = denying("ASPSP_ERROR", status=503)
    fail_in_europe = partial(enable.bridge.misbehave, closed, times=None)
    sign_out = partial(plaid.world.sign_out, larkmoor)
    for at, does in (
        *((3, fail), (5.5, simplefin.bridge.behave), (7, tell_off), (8, simplefin.bridge.behave)),
        *((9, simplefin.bridge.disable), (22, simplefin.bridge.disable)),
        *((6, fail_at_plaid), (6.25, plaid.plaid.behave), (11, sign_out), (25, sign_out)),
        *((4, fail_in_europe), (5, enable.bridge.behave)),
    ):
        month.at(day(at), simply(does))
    for at, happens in ((13, relink), (24, relink), (15, sign_in), (23, consent)):
        month.at(day(at), happens)


def _homes(month: Month) -> tuple[LinkedHome, PlaidHome, EnableHome]:
    simplefin, plaid, enable = month.homes.values()
    assert isinstance(simplefin, LinkedHome)
    assert isinstance(plaid, PlaidHome)
    assert isinstance(enable, EnableHome)
    return simplefin, plaid, enable


@pytest.mark.slow
async def test_thirty_days_with_three_banks(month: Month) -> None:
    """Each try comes when it should, and status, questions, webhooks and notices are as documented."""
    purchase_accounts(month)
    ear = Ear(month)
    month.context = replace(month.context, tell=ear.tell)
    for home in month.homes.values():
        home.context = month.context
    webhook = NewWebhook(url="https://hooks.example.com/", events=("bank.reconnect_required",))
    await create_webhook(month.context, webhook)
    simplefin, plaid, enable = _homes(month)
    await simplefin.link()
    await plaid.link(next(iter(plaid.world.banks.values())))
    await enable.link()
    _script(month)

    await month.live(day(30))

    incidents = {name: await _must_be_asked_as_documented(month, name) for name in SCRIPTS}
    assert {name: len(found) for name, found in incidents.items()} == INCIDENTS
    sent = await month.webhooks_sent()
    assert sorted((at, name) for at, _, name in sent) == sorted(
        (at.replace(microsecond=0), name) for name, found in incidents.items() for at in found
    )
    _questions_are_asked(month, incidents)
    _notices_are_given(ear, month, incidents)
    for home in month.homes.values():
        if home is not plaid:
            assert (await home.sync()).ok
    plaid.world.sign_in(next(iter(plaid.world.banks.values())))
    await plaid.begin(plaid.connection)
    plaid.plaid.finish_link(plaid.token, next(iter(plaid.world.banks.values())))
    assert (await plaid.sync()).ok
    await month.must_be_true()


def _tries(month: Month, name: str) -> list[Tried]:
    """The tries at a bank, the last of each instant."""
    return list({each.at: each for each in month.tried if each.bank == name}.values())


async def _must_be_asked_as_documented(month: Month, name: str) -> list[datetime]:
    """Check each try at a bank, and how it stands after it; answers when it began to wait."""
    script, tries = SCRIPTS[name], _tries(month, name)
    status, failures = "ok", 0
    incidents, asked = list[datetime](), list[datetime]()
    for each, following in pairwise([*tries, None]):
        assert each is not None
        came = script.at(each.at)
        asked = [at for at in asked if each.at - at < DAY]
        if len(asked) >= MOST_A_DAY.get(name, 99):
            came = "rate_limited"
        else:
            asked.append(each.at)
        assert each.came == came, (name, each.at)
        if came == "ok":
            status, failures = "ok", 0
        elif came == "login_required":
            if status != "login_required":
                incidents.append(each.at)
            status, failures = "login_required", failures + 1
        elif came == "provider_error":
            failures += 1
            if failures >= 3 and status == "ok":
                status = "error"
        assert each.state is not None
        link = each.state.record.connection
        assert link.status == status, (name, each.at)
        assert (link.error is None) == (came == "ok")
        pause = _pause(came, status, failures)
        told = datetime.fromtimestamp((each.state.next_try_at or 0) / 1000, UTC)
        assert pause <= told - each.at <= 1.1 * pause, (name, each.at)
        if following is not None and following.at not in script.relinked:
            late = following.at - told
            signed_in = any(timedelta() <= following.at - at <= HOUR for at in script.relinked)
            assert signed_in or timedelta() <= late <= LATE, (name, each.at, following.at)
    return incidents


def _pause(came: str, status: str, failures: int) -> timedelta:
    """When a bank is tried again: twice a day, sooner and ever later after failures, rarely in vain."""
    if status == "login_required":
        return 72 * HOUR
    if came == "provider_error":
        return HOUR / 2 * min(1 << (failures - 1), 24)
    return 12 * HOUR


def _waits(month: Month, name: str, incidents: list[datetime], at: datetime) -> bool:
    """Whether a bank waits for the person at an instant."""
    over = [each.at for each in _tries(month, name) if each.came == "ok"]
    began = [each for each in incidents if each <= at]
    return bool(began) and not any(began[-1] < each <= at for each in over)


def _questions_are_asked(month: Month, incidents: dict[str, list[datetime]]) -> None:
    """A bank that waits is asked about, and one whose consent ends within a week."""
    assert month.open_tasks
    for at, asked in month.open_tasks:
        expected = {name for name in SCRIPTS if _waits(month, name, incidents[name], at)}
        consents = SCRIPTS["enablebanking"].consent_ends
        ends = consents[0] if at < SCRIPTS["enablebanking"].relinked[0] else consents[1]
        if (ends.date() - at.date()).days <= 7:
            expected.add("enablebanking")
        assert asked == expected, at


def _notices_are_given(ear: Ear, month: Month, incidents: dict[str, list[datetime]]) -> None:
    """Each incident once, at the next of three times of the day, and the end of the consent once."""
    told = [(at, text) for at, kind, text in ear.heard if kind == "reconnect"]
    names = {name: next(iter(home.world.banks.values())).name for name, home in month.homes.items()}
    for name, found in incidents.items():
        own = [at for at, text in told if text.startswith(names[name])]
        assert len(own) == len(found), (name, own)
        for at, began in zip(own, found, strict=True):
            assert timedelta() <= at - began <= 15 * HOUR
    ends = [(at, text) for at, kind, text in ear.heard if kind == "consent_ends"]
    assert len(ends) == 1
    assert ends[0][1].startswith("Hafenbank")
    assert timedelta() <= ends[0][0] - day(CONSENT_DAYS - 7).replace(hour=0) <= DAY
