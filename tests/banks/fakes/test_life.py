"""A drawn life as the three servers show it, and what may happen to an answer on its way.

Each server leads its client to the world's own totals; faults are as httpx sees them over TLS.
"""

import ssl
from collections.abc import AsyncIterator, Iterable
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import httpx
import pytest
from aiohttp import web

from tests.banks.fakes import wire
from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import epoch
from tests.banks.fakes.ways import Application, Developer, Person
from tests.banks.fakes.world import Held, Life, World
from tests.webhooks.receiver import Authority

TODAY = date(2026, 6, 15)


def lived(seed: int) -> tuple[World, Life]:
    world = World(TODAY)
    bank = world.bank("Harbour Bank")
    accounts = [world.open(bank, name, opening=100_000) for name in ("Checking", "Joint")]
    return world, Life(world, accounts, Random(seed))


def posted(world: World, account: Held) -> list[int]:
    return sorted(row.amount for row in world.rows_of(account) if not row.pending)


def cents(amount: str) -> int:
    return int(Decimal(amount) * 100)


def test_the_same_dice_draw_the_same_life() -> None:
    """And others another one."""

    def rows(seed: int) -> list[Any]:
        world, life = lived(seed)
        for _each in range(30):
            life.day()
        return list(world.rows.values())

    assert rows(1) == rows(1)
    assert rows(1) != rows(2)


def test_a_life_has_everything_that_banks_do() -> None:
    """In a year there are tips, kept ids, forgotten links, lapses, equal rows and new words."""
    world, life = lived(3)
    was: dict[str, Any] = {}
    tips = kept = forgotten = vanished = reworded = 0
    for _each in range(365):
        life.day()
        now = {row.id: row for row in world.rows.values()}
        for row in now.values():
            held = was.get(row.settles or row.id)
            if held is None:
                forgotten += row.transacted != row.day
                continue
            tips += row.amount < held.amount
            kept += held.pending and not row.pending and row.id == held.id
            reworded += held.text != row.text
        settled = {row.settles for row in now.values()}
        vanished += sum(key not in now and key not in settled for key in was)
        was = now
    assert min(tips, kept, forgotten, vanished, reworded) > 5
    equal = [(row.account, row.day, row.amount, row.text) for row in world.rows.values()]
    assert len(equal) > len(set(equal)) + 5
    assert any(row.pending and row.day < world.today - timedelta(days=30) for row in was.values())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
async def test_simplefin_shows_what_is(world: World, person: Person, seed: int) -> None:
    """A window that is read anew each day replaces what was known of it."""
    life = Life(world, [world.checking], Random(seed))
    rows: dict[str, Any] = {}
    for _each in range(30):
        life.day()
        answer = await person.accounts(
            ("start-date", epoch(world.today - timedelta(days=40))), ("pending", 1)
        )
        [account] = answer["accounts"]
        rows = {row["id"]: row for row in account["transactions"]}
    got = [cents(row["amount"]) for row in rows.values() if "pending" not in row]
    assert sorted(got) == posted(world, world.checking)
    assert cents(account["balance"]) == world.balance_of(world.checking)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(3))
async def test_plaid_shows_what_is(
    world: World, plaid: PlaidApi, developer: Developer, seed: int
) -> None:
    """Every change of every page, in any order, leads from nothing to the rows of today."""
    dice = Random(seed)
    plaid.order = lambda changes: dice.sample(changes, len(changes))
    life = Life(world, [world.checking], Random(seed))
    token = await developer.link(world.checking.bank)
    rows: dict[str, Any] = {}
    cursor, more = "", True
    for _each in range(30):
        life.day()
        more = True
        while more:
            page = await developer.ok(
                "/transactions/sync", access_token=token, cursor=cursor, count=3
            )
            rows |= {row["transaction_id"]: row for row in page["added"] + page["modified"]}
            for row in page["removed"]:
                del rows[row["transaction_id"]]
            cursor, more = page["next_cursor"], page["has_more"]
    got = [-cents(str(row["amount"])) for row in rows.values() if not row["pending"]]
    assert sorted(got) == posted(world, world.checking)
    assert {row["name"] for row in rows.values()} == {row.text for row in world.rows.values()}
    [account] = (await developer.ok("/accounts/get", access_token=token))["accounts"]
    assert cents(str(account["balances"]["current"])) == world.balance_of(world.checking)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(3))
async def test_enable_banking_shows_what_is(
    world: World, api: EnableBanking, application: Application, seed: int
) -> None:
    """All pages of a window are the rows of its days."""
    api.page_size = 4
    life = Life(world, [world.checking], Random(seed))
    for _each in range(30):
        life.day()
    session = await application.session(world.checking.bank)
    path = f"/accounts/{session['accounts'][0]['uid']}"
    got: list[int] = []
    query: dict[str, str] = {"transaction_status": "BOOK"}
    while True:
        page = await application.ok("GET", f"{path}/transactions", params=query)
        for row in page["transactions"]:
            amount = cents(row["transaction_amount"]["amount"])
            got.append(-amount if row["credit_debit_indicator"] == "DBIT" else amount)
        if page["continuation_key"] is None:
            break
        query["continuation_key"] = page["continuation_key"]
    assert sorted(got) == posted(world, world.checking)
    [_available, booked] = (await application.ok("GET", f"{path}/balances"))["balances"]
    assert cents(booked["balance_amount"]["amount"]) == world.balance_of(world.checking)


class Counter(wire.FakeBank):
    """A bank that counts."""

    count = 0

    def routes(self) -> Iterable[web.RouteDef]:
        return [web.get("/count", self._counted), web.get("/other", self._other)]

    async def _counted(self, _request: web.Request) -> web.Response:
        self.count += 1
        return web.json_response({"count": self.count})

    async def _other(self, _request: web.Request) -> web.Response:
        return web.json_response({"other": True})


@pytest.fixture
async def bank(authority: Authority) -> AsyncIterator[Counter]:
    async with wire.serving(Counter(World(date(2026, 3, 2))), authority) as running:
        yield running


@pytest.fixture
def trust(authority: Authority) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(authority.authorities))


@pytest.fixture
async def client(bank: Counter, trust: ssl.SSLContext) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=bank.url, verify=trust) as made:
        yield made


async def test_who_does_not_know_the_authority_is_not_served(bank: Counter) -> None:
    """The certificate is of no authority that a machine trusts by itself."""
    async with httpx.AsyncClient(base_url=bank.url) as stranger:
        with pytest.raises(httpx.ConnectError):
            await stranger.get("/count")
    assert bank.seen == []


async def test_requests_are_kept_as_they_arrived(bank: Counter, client: httpx.AsyncClient) -> None:
    """With its parameters in order, repeated ones too, and what headers it had."""
    await client.get("/count?account=a&account=b&pending=1", headers={"X-Own": "yes"})
    await client.get("/other")
    assert [each.path for each in bank.asked()] == ["/count", "/other"]
    [asked] = bank.asked("/c*")
    assert asked.all("account") == ["a", "b"]
    assert asked.all("pending") == ["1"]
    assert asked.headers["X-Own"] == "yes"


async def test_a_fault_strikes_as_often_as_said(bank: Counter, client: httpx.AsyncClient) -> None:
    """The nth of a route from now and so many; others are answered as ever."""
    bank.misbehave(wire.Answered(503, "{}"), "/count", nth=2, times=2)
    paths = ("/count", "/other", "/count", "/count", "/other", "/count")
    statuses = [(await client.get(path)).status_code for path in paths]
    assert statuses == [200, 200, 503, 503, 200, 200]
    # What is answered on the way never reaches the bank.
    assert bank.count == 2


async def test_faults_of_a_route_count_together(bank: Counter, client: httpx.AsyncClient) -> None:
    """The second fault's third request is the route's third, whatever befell the first."""
    bank.misbehave(wire.Answered(503, "{}"), "/count", nth=1)
    bank.misbehave(wire.Answered(429, "{}"), "/count", nth=3)
    statuses = [(await client.get("/count")).status_code for _each in range(4)]
    assert statuses == [503, 200, 429, 200]


async def test_a_fault_ends_when_the_bank_behaves(bank: Counter, client: httpx.AsyncClient) -> None:
    """Until then no request is spared."""
    bank.misbehave(wire.Answered(500, "{}"), times=None)
    assert [(await client.get("/count")).status_code for _each in range(3)] == [500] * 3
    bank.behave()
    assert (await client.get("/count")).status_code == 200


async def test_a_refusal_has_its_headers(bank: Counter, client: httpx.AsyncClient) -> None:
    """When to come again is said as a server says it."""
    bank.misbehave(wire.Answered(429, "slow down", "text/plain", (("Retry-After", "30"),)))
    answer = await client.get("/count")
    assert (answer.headers["Retry-After"], answer.text) == ("30", "slow down")


@pytest.mark.parametrize(("after", "counted"), [(False, 0), (True, 1)])
async def test_a_cut_connection_gives_no_answer(
    bank: Counter, client: httpx.AsyncClient, after: bool, counted: int
) -> None:
    """Whether the bank did what it was asked is what nobody can tell from outside."""
    bank.misbehave(wire.Cut(after=after))
    with pytest.raises(httpx.TransportError):
        await client.get("/count")
    assert bank.count == counted
    assert (await client.get("/count")).status_code == 200


async def test_a_truncated_answer_ends_too_early(bank: Counter, client: httpx.AsyncClient) -> None:
    """Its length was promised, so that whoever reads it can tell."""
    bank.misbehave(wire.Truncated())
    with pytest.raises(httpx.RemoteProtocolError, match="without sending complete"):
        await client.get("/count")
    assert bank.count == 1


async def test_half_of_json_is_whole_for_http(bank: Counter, client: httpx.AsyncClient) -> None:
    """Only who reads the JSON can tell."""
    bank.misbehave(wire.HalfJson())
    answer = await client.get("/count")
    assert answer.status_code == 200
    with pytest.raises(ValueError, match="Unterminated"):
        answer.json()


async def test_a_page_may_come_instead_of_json(bank: Counter, client: httpx.AsyncClient) -> None:
    """With status 200, as what stands before a bank answers."""
    bank.misbehave(wire.NOT_JSON)
    answer = await client.get("/count")
    assert (answer.status_code, answer.headers["Content-Type"].split(";")[0]) == (200, "text/html")


async def test_a_slow_answer_comes_on_release(bank: Counter, client: httpx.AsyncClient) -> None:
    """Others are answered meanwhile."""
    import asyncio

    slow = wire.Slow()
    bank.misbehave(slow, "/count")
    waiting = asyncio.create_task(client.get("/count"))
    await slow.arrived()
    assert (await client.get("/other")).status_code == 200
    assert not waiting.done()
    slow.go()
    assert (await waiting).json() == {"count": 1}


async def test_the_world_may_change_meanwhile(bank: Counter, client: httpx.AsyncClient) -> None:
    """What the test does then is done when the bank answers."""

    def jump() -> None:
        bank.count = 40

    bank.misbehave(wire.Meanwhile(jump), nth=2)
    assert [(await client.get("/count")).json()["count"] for _each in range(3)] == [1, 41, 42]


async def test_a_test_may_change_an_answer(bank: Counter, client: httpx.AsyncClient) -> None:
    """Its status stays."""
    bank.misbehave(wire.Changed(lambda body: {**body, "extra": "new"}))
    assert (await client.get("/count")).json() == {"count": 1, "extra": "new"}


def test_a_test_without_async_may_run_a_bank(authority: Authority, trust: ssl.SSLContext) -> None:
    """It listens on the same port when it comes back."""
    bank = Counter(World(date(2026, 3, 2)))
    with wire.hosting(bank, authority), httpx.Client(verify=trust) as client:
        assert client.get(f"{bank.url}/count").json() == {"count": 1}
        bank.misbehave(wire.Slow())
    port = bank.port
    with httpx.Client(verify=trust) as client:
        with pytest.raises(httpx.ConnectError):
            client.get(f"{bank.url}/count")
        with wire.hosting(bank, authority):
            assert client.get(f"{bank.url}/count").json() == {"count": 2}
    assert bank.port == port
