"""The currency of a household whose first data come from a bank: where most of its rows are."""

from datetime import timedelta

import pytest

from finplan.store.queries import people
from tests.banks.fakes.plaid_items import HISTORICAL, NOT_READY
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import ComparedHome, LinkedHome
from tests.banks.linked.plaid_home import PlaidHome

MILES = "https://harbour.example/miles"


async def _currency(home: ComparedHome) -> str | None:
    owner = home.context.caller.owner
    found = await home.context.store.read(lambda it: people.get_person(it, owner))
    return None if found["currency"] is None else str(found["currency"])


async def _forget(home: ComparedHome, currency: str | None) -> None:
    """Let a household have no currency, or one of the person's."""
    owner = home.context.caller.owner
    await home.context.store.write(
        lambda it: people.change_person(it, owner, {"currency": currency})
    )


def _spend(world: World, account: Held, rows: int, *, since: int = 0) -> None:
    for ago in range(since, since + rows):
        world.book(account, -700, "KIOSK", day=world.today - timedelta(days=ago % 85))


@pytest.mark.parametrize(
    ("before", "opened", "rows", "after"),
    [
        (None, ["EUR"], 3, "EUR"),
        (None, ["EUR"], 1, "USD"),
        (None, ["EUR", "EUR"], 0, "EUR"),
        (None, ["EUR"], 0, "USD"),
        (None, [MILES, MILES], 3, "USD"),
        ("CHF", ["EUR"], 3, "CHF"),
    ],
)
async def test_the_first_bank_brings_the_households_currency(
    home: LinkedHome,
    world: World,
    harbour: HeldAt,
    checking: Held,
    before: str | None,
    opened: list[str],
    rows: int,
    after: str,
) -> None:
    """It is that of most rows, without any that of most accounts; one that is known stays."""
    for each in opened:
        _spend(world, world.open(harbour, f"Reise {each[:3]}", currency=each, opening=100), rows)
    _spend(world, checking, 2 if rows else 0)
    await _forget(home, before)
    await home.link()
    assert await _currency(home) == after


async def test_all_windows_are_counted(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """A month abroad is most of the newest window, and not most of what the bank tells."""
    _spend(world, world.open(harbour, "Reise", currency="EUR", opening=100), 15)
    _spend(world, checking, 10)
    _spend(world, checking, 10, since=62)
    await _forget(home, None)
    await home.link()
    assert await _currency(home) == "USD"
    spent = await home.context.store.read(
        lambda it: it.exec_driver_sql("SELECT count(*) FROM tx WHERE counts").scalar_one()
    )
    assert spent == 20


async def test_miles_alone_bring_none(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Points are what no household counts in, so that the next account brings its currency."""
    del world.accounts[checking.number]
    world.open(harbour, "Miles", currency=MILES, opening=900_000)
    await _forget(home, None)
    await home.link()
    assert await _currency(home) is None
    world.open(harbour, "Girokonto", currency="EUR", opening=100)
    await home.sync()
    assert await _currency(home) == "EUR"


async def test_rows_that_are_not_read_yet_are_waited_for(
    plaid: PlaidHome, world: World, harbour: HeldAt
) -> None:
    """The account that a bank lists first decides nothing, also while its history is still read."""
    travel = world.open(harbour, "Travel", currency="EUR", opening=100)
    everyday = world.open(harbour, "Everyday", opening=100)
    _spend(world, travel, 1)
    _spend(world, everyday, 20)
    await _forget(plaid, None)
    plaid.plaid.progress = NOT_READY
    await plaid.link(harbour)
    assert await _currency(plaid) is None
    plaid.item.progress = HISTORICAL
    await plaid.sync()
    assert await _currency(plaid) == "USD"
