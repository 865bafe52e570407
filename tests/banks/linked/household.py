"""Households whose banks are fakes on real sockets, compared with the world that they show.

One linked its bank at Plaid's page, another reaches banks through Enable Banking. A process may be
made to end at one of its writes.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Any

from sqlalchemy import Connection

from finplan.banks.base import Aggregator
from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.banks.simplefin.bank import SimpleFin
from finplan.model import connection as connections
from finplan.model.base import Nothing
from finplan.model.statement import ImportReport
from finplan.service.banking.connections import list_connections, sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.banking.page_links import begin_link, show_link
from finplan.service.context import Context
from finplan.store.store import Store
from tests.banks.fakes.plaid import Item, PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import trusting
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import Held, HeldAt, World
from tests.service.conftest import bring
from tests.service.own_money import sealer
from tests.webhooks.receiver import Authority

Rows = Counter[tuple[str, int, int]]
"""Account's name, day and amount of rows, how often each."""


@dataclass
class ComparedHome:
    """One person with a linked bank, and the truth that it shows."""

    context: Context
    world: World
    connection: str = ""
    reports: list[connections.SyncReport] = field(default_factory=list)
    hour: int = 15

    def now(self) -> datetime:
        """An instant of the world's day."""
        return datetime.combine(self.world.today, time(self.hour), UTC)

    async def sync(self) -> connections.SyncReport:
        """Fetch what is new."""
        report = await sync_connection(self.context, connections.ConnectionId(id=self.connection))
        self.reports.append(report)
        return report

    async def bring(self, files: dict[str, str], **how: object) -> ImportReport:
        """Import files given as name=text, with the usual answers."""
        report: ImportReport = await bring(self.context, files, **how)
        return report

    async def must_sync(self) -> connections.SyncReport:
        """Fetch what is new without any trouble, and have what the world has."""
        report = await self.sync()
        assert report.ok, report.error
        await self.must_be_true()
        return report

    async def must_be_settled(self) -> None:
        """Two syncs are whole and lead to what the world has, and a third one finds nothing new."""
        for _ in range(2):
            report = await self.sync()
            assert (report.ok, report.complete) == (True, True), report.error
        await self.must_be_true()
        dump = await self.dump()
        again = await self.sync()
        assert (again.added, again.removed) == (0, 0)
        assert await self.dump() == dump

    async def record(self) -> connections.ConnectionRecord:
        """How the connection stands."""
        records = await list_connections(self.context, Nothing())
        return next(each for each in records if each.connection.id == self.connection)

    async def posted(self) -> Rows:
        """The posted rows of the store."""
        return await self._rows("tx")

    async def waiting(self) -> Rows:
        """The pending rows of the store."""
        return await self._rows("pending")

    async def balances(self) -> dict[str, int | None]:
        """What each account of the store holds or owes, by name."""
        query = "SELECT name, balance FROM account ORDER BY name"
        rows = await self.context.store.read(lambda c: c.exec_driver_sql(query).all())
        return {str(row[0]): row[1] for row in rows}

    async def _rows(self, table: str) -> Rows:
        query = (
            f"SELECT name, day, amount FROM {table} JOIN account ON account.no = {table}.account_no"
        )
        rows = await self.context.store.read(lambda c: c.exec_driver_sql(query).all())
        return Counter((name, day, amount) for name, day, amount in rows)

    def true_rows(self, *, pending: bool) -> Rows:
        """The rows of the world."""
        return Counter(
            (account.name, int(row.day.strftime("%Y%m%d")), row.amount)
            for account in self.world.accounts.values()
            for row in self.world.rows_of(account)
            if row.pending == pending
        )

    def true_balances(self) -> dict[str, int | None]:
        """What each account holds, or owes on cards and loans."""
        return {
            account.name: self._owned(account) * (-1 if account.kind in ("credit", "loan") else 1)
            for account in sorted(self.world.accounts.values(), key=lambda each: each.name)
        }

    def _owned(self, account: Held) -> int:
        return self.world.balance_of(account)

    async def must_be_true(self) -> None:
        """The store has the world's rows, waiting rows and balances, each as often."""
        for stored, true in (
            (await self.posted(), self.true_rows(pending=False)),
            (await self.waiting(), self.true_rows(pending=True)),
        ):
            more, less = dict(stored - true), dict(true - stored)
            assert (more, less) == ({}, {}), f"beyond the bank: {more}; missing: {less}"
        assert await self.balances() == self.true_balances()

    async def dump(self) -> dict[str, list[tuple[object, ...]]]:
        """The rows of the store as they are known outside, whatever their numbers."""

        def read(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
            return {
                table: sorted(
                    tuple(row)
                    for row in connection.exec_driver_sql(
                        f"SELECT account.external_id, coalesce({table}.external_id, ''), day, amount,"
                        f" {table}.raw"
                        f" FROM {table} JOIN account ON account.no = {table}.account_no"
                    )
                )
                for table in ("tx", "pending")
            }

        return await self.context.store.read(read)


@dataclass
class LinkedHome(ComparedHome):
    """One person, and the bridge that they linked."""

    bridge: SimplefinBridge = field(kw_only=True)

    async def link(self, token: str | None = None, **more: Any) -> connections.ConnectionRecord:
        """Claim a setup token."""
        ask = connections.LinkRequest(
            provider="aggregator", public_token=token or self.bridge.setup_token(), **more
        )
        made = await link_connection(self.context, ask)
        self.connection = made.answer.connection.id
        return made.answer

    async def relink(self) -> connections.ConnectionRecord:
        """Put a new access in the place of the one that there is."""
        return await self.link(reconnect=connections.Reconnection(connection_id=self.connection))


def linked_home(
    context: Context, world: World, bridge: SimplefinBridge, authority: Authority
) -> LinkedHome:
    """The home of a context, whose clock goes by the days of a world."""
    home = LinkedHome(context, world, bridge=bridge)
    simplefin = SimpleFin(BankHttp("SimpleFIN", trust=trusting(authority)))
    home.context = replace(
        context, aggregators={"simplefin": simplefin}, sealer=sealer, now=home.now
    )
    return home


@dataclass
class PlaidHome(ComparedHome):
    """One person, and Plaid as their keys reach it."""

    plaid: PlaidApi = field(kw_only=True)
    second: int = 0

    def now(self) -> datetime:
        """An instant of the world's day."""
        return super().now() + timedelta(seconds=self.second)

    async def begin(self, reconnect: str | None = None) -> connections.BankLink:
        """Open a page."""
        of = None if reconnect is None else connections.Reconnection(connection_id=reconnect)
        made = await begin_link(
            self.context, connections.BankLinkRequest(bank="plaid", reconnect=of)
        )
        return made.answer

    async def poll(self, link: connections.BankLink) -> connections.BankLink:
        """Ask for a link, a while after it was asked for last."""
        self.second += 3
        return await show_link(self.context, connections.BankLinkId(id=link.id))

    async def link(self, bank: HeldAt, **more: Any) -> connections.BankLink:
        """Sign in at a bank by a page, from its opening to the first sync."""
        link = await self.begin(**more)
        self.plaid.finish_link(self.token, bank)
        link = await self.poll(link)
        assert link.connection is not None, link.error
        self.connection = link.connection.id
        return link

    @property
    def token(self) -> str:
        """The link token of the page that was opened last."""
        return list(self.plaid.links)[-1]

    @property
    def item(self) -> Item:
        """The item that was made last."""
        return list(self.plaid.items.values())[-1]

    def exchanges(self) -> int:
        """How often a token was exchanged, or tried to be."""
        return len(self.plaid.asked("/item/public_token/exchange"))


def plaid_home(context: Context, world: World, plaid: PlaidApi, authority: Authority) -> PlaidHome:
    """The home of a context, whose clock goes by the days of a world, with the keys of a Plaid."""
    home = PlaidHome(context, world, plaid=plaid)
    keys = PlaidKeys(plaid.keys.client_id, plaid.keys.secret, "sandbox", host=plaid.url)
    bank = Plaid(BankHttp("Plaid", trust=trusting(authority)), keys)
    plaid.now = home.now
    home.context = replace(context, aggregators={"plaid": bank}, sealer=sealer, now=home.now)
    return home


@dataclass(frozen=True)
class ReachedHarbour:
    """One bank with an account and a row, and the aggregators by which finplan reaches it."""

    harbour: HeldAt
    plaid: PlaidApi
    bridge: SimplefinBridge
    aggregators: Mapping[str, Aggregator]


@asynccontextmanager
async def reaching_harbour(today: date, authority: Authority) -> AsyncIterator[ReachedHarbour]:
    """Let Plaid and SimpleFIN show a bank."""
    world = World(today)
    harbour = world.bank("Harbour Bank")
    account = world.open(harbour, "Everyday Checking", opening=120_050)
    world.book(account, -450, "CORNER CAFE 12")
    async with (
        serving(PlaidApi(world), authority) as plaid,
        serving(SimplefinBridge(world), authority) as bridge,
    ):
        keys = PlaidKeys(plaid.keys.client_id, plaid.keys.secret, "sandbox", host=plaid.url)
        trust = trusting(authority)
        aggregators: dict[str, Aggregator] = {
            "simplefin": SimpleFin(BankHttp("SimpleFIN", trust=trust)),
            "plaid": Plaid(BankHttp("Plaid", trust=trust), keys),
        }
        yield ReachedHarbour(harbour, plaid, bridge, aggregators)


class Crashed(BaseException):
    """The process ends here."""


class Mortal:
    """A store that ends the process before or after one of its next writes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.left: int | None = None
        self.before = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def sync(self, home: ComparedHome, chance: Random) -> None:
        """Sync a home, whose process may end at some write; then nothing ends it any more."""
        if chance.random() < 0.4:
            self.left, self.before = chance.randrange(1, 4), chance.random() < 0.5
        with suppress(Crashed):
            await home.sync()
        self.left = None

    async def write(self, work: Callable[..., Any], **how: Any) -> Any:
        """Write, unless the end has come."""
        if self.left is None:
            return await self._store.write(work, **how)
        self.left -= 1
        if self.left == 0 and self.before:
            raise Crashed
        written = await self._store.write(work, **how)
        if self.left == 0:
            raise Crashed
        return written
