"""A world with one bank, the bridge that shows it, and a person who has not linked it yet."""

from collections.abc import AsyncIterator
from datetime import date

import pytest

from finplan.service.context import Context
from tests.banks.fakes.plaid import PlaidApi
from tests.banks.fakes.simplefin import SimplefinBridge
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome, PlaidHome, linked_home, plaid_home
from tests.service.conftest import context, newcomer, store
from tests.webhooks.receiver import Authority

__all__ = ("context", "newcomer", "store")


@pytest.fixture
def world() -> World:
    return World(date(2026, 6, 15))


@pytest.fixture
def harbour(world: World) -> HeldAt:
    world.harbour = world.bank("Harbour Bank")
    return world.harbour


@pytest.fixture
def checking(world: World, harbour: HeldAt) -> Held:
    world.checking = world.open(harbour, "Everyday Checking", opening=120_050)
    return world.checking


@pytest.fixture
async def home(
    context: Context, world: World, checking: Held, authority: Authority
) -> AsyncIterator[LinkedHome]:
    async with serving(SimplefinBridge(world), authority) as bridge:
        yield linked_home(context, world, bridge, authority)


@pytest.fixture
async def plaid(
    context: Context, world: World, checking: Held, authority: Authority
) -> AsyncIterator[PlaidHome]:
    async with serving(PlaidApi(world), authority) as api:
        yield plaid_home(context, world, api, authority)
