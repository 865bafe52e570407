"""Several sign-ins at one page of Plaid's: each is a connection of its own, and none is lost."""

from datetime import timedelta
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.service.banking.connections import list_connections
from finplan.service.banking.page_links import look_at_links_due
from tests.banks.fakes.faults import Changed
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.plaid_home import PlaidHome


async def _linked(home: PlaidHome) -> list[str]:
    records = await list_connections(home.context, Nothing())
    return [each.connection.institution_name for each in records]


async def _minutes(home: PlaidHome, number: int) -> None:
    """Minutes pass in which the schedule looks at what is due."""
    for _ in range(number):
        home.second += 61
        await look_at_links_due(home.context)


@pytest.fixture
def second(world: World) -> HeldAt:
    bank = world.bank("Elm Gate Bank")
    world.open(bank, "Elm Checking", opening=7_000)
    return bank


@pytest.mark.parametrize("is_later", [False, True])
async def test_each_visit_of_a_page_is_a_connection(
    plaid: PlaidHome, harbour: HeldAt, checking: Held, second: HeldAt, *, is_later: bool
) -> None:
    """Whether the first sign-in was linked before the second one or not."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, harbour)
    if not is_later:
        plaid.plaid.finish_link(plaid.token, second)
    told = await plaid.poll(link)
    assert told.connection is not None
    assert told.connection.institution_name == "Harbour Bank"
    await _minutes(plaid, 2)
    if is_later:
        plaid.plaid.finish_link(plaid.token, second)
    await _minutes(plaid, 2)
    assert await _linked(plaid) == ["Harbour Bank", "Elm Gate Bank"]
    assert plaid.exchanges() == 2
    await plaid.must_be_true()


async def test_each_sign_in_of_a_visit_is_a_connection(
    plaid: PlaidHome, harbour: HeldAt, checking: Held, second: HeldAt
) -> None:
    """A page that gives several tokens at once is read to its end."""
    link = await plaid.begin()
    plaid.plaid.finish_link(plaid.token, harbour)
    plaid.plaid.finish_link(plaid.token, second)

    def at_once(told: Any) -> Any:
        first, other = told["link_sessions"]
        first["results"]["item_add_results"] += other["results"]["item_add_results"]
        return told | {"link_sessions": [first]}

    plaid.plaid.misbehave(Changed(at_once), "/link/token/get", times=None)
    await plaid.poll(link)
    await _minutes(plaid, 2)
    assert await _linked(plaid) == ["Harbour Bank", "Elm Gate Bank"]
    await plaid.must_be_true()


@pytest.mark.thorough
async def test_who_signs_in_once_has_one_connection(
    plaid: PlaidHome, harbour: HeldAt, checking: Held
) -> None:
    """Nothing more comes of the page, and once it is closed for long nobody asks for it."""
    await plaid.link(harbour)
    await _minutes(plaid, 90)
    asked = len(plaid.plaid.asked("/link/token/get"))
    await _minutes(plaid, 5)
    assert len(plaid.plaid.asked("/link/token/get")) == asked
    assert (await _linked(plaid), plaid.exchanges()) == (["Harbour Bank"], 1)


@pytest.mark.thorough
async def test_a_page_to_sign_in_again_is_for_one(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """What comes of it is the access that there was, and nothing more is looked for."""
    await plaid.link(harbour)
    await _minutes(plaid, 90)
    world.advance(world.today + timedelta(days=1))
    await plaid.link(harbour, reconnect=plaid.connection)
    assert await look_at_links_due(plaid.context) == 0
    plaid.second += 61
    assert await look_at_links_due(plaid.context) == 0
    assert plaid.exchanges() == 1
