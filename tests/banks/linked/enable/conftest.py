"""A world with one bank in Europe, Enable Banking that shows it, and a person with an application."""

from collections.abc import AsyncIterator

import pytest

from finplan.service.context import Context
from tests.banks.fakes.enable_banking import EnableBanking
from tests.banks.fakes.wire import serving
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.enable.home import EnableHome, enable_home
from tests.webhooks.receiver import Authority


@pytest.fixture
def harbour(world: World) -> HeldAt:
    world.harbour = world.bank("Hafenbank", country="DE")
    return world.harbour


@pytest.fixture
def checking(world: World, harbour: HeldAt) -> Held:
    world.checking = world.open(harbour, "Girokonto", mask="3704", currency="EUR", opening=120_050)
    return world.checking


@pytest.fixture
async def home(
    context: Context, world: World, checking: Held, authority: Authority
) -> AsyncIterator[EnableHome]:
    async with serving(EnableBanking(world), authority) as api:
        yield enable_home(context, world, api, authority)
