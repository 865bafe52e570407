"""A world with one bank and one account, and who asks of it."""

from collections.abc import AsyncIterator
from datetime import date

import pytest

from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.ways import Application, Developer, Person, client_of
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import Held, World
from tests.webhooks.receiver import Authority


@pytest.fixture
def world() -> World:
    return World(date(2026, 6, 15))


@pytest.fixture
def checking(world: World) -> Held:
    world.checking = world.open(world.bank("Harbour Bank"), "Everyday Checking", opening=120_050)
    return world.checking


@pytest.fixture
async def bridge(
    world: World, checking: Held, authority: Authority
) -> AsyncIterator[SimplefinBridge]:
    async with serving(SimplefinBridge(world), authority) as running:
        yield running


@pytest.fixture
async def person(bridge: SimplefinBridge, authority: Authority) -> AsyncIterator[Person]:
    async with client_of(authority) as client:
        made = Person(bridge, client)
        await made.claim(bridge.setup_token())
        yield made


@pytest.fixture
async def plaid(world: World, checking: Held, authority: Authority) -> AsyncIterator[PlaidApi]:
    async with serving(PlaidApi(world), authority) as running:
        yield running


@pytest.fixture
async def developer(plaid: PlaidApi, authority: Authority) -> AsyncIterator[Developer]:
    async with client_of(authority, plaid.url) as client:
        yield Developer(plaid, client)


@pytest.fixture
async def api(world: World, checking: Held, authority: Authority) -> AsyncIterator[EnableBanking]:
    async with serving(EnableBanking(world), authority) as running:
        yield running


@pytest.fixture
async def application(api: EnableBanking, authority: Authority) -> AsyncIterator[Application]:
    async with client_of(authority, api.url) as client:
        yield Application(api, client)
