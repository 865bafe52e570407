"""However days, pages, faults, crashes and relinks are mixed, the store ends with what banks hold."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from finplan.banks.plaid import bank as plaid_bank
from tests.banks.fakes.plaid import Change
from tests.banks.fakes.plaid_shapes import refusing
from tests.banks.fakes.simplefin import TOO_MANY
from tests.banks.fakes.wire import BAD_GATEWAY, NOT_JSON, Cut, Fault, HalfJson, Meanwhile, Truncated
from tests.banks.fakes.world import Held, HeldAt, Life, World
from tests.banks.linked.household import LinkedHome, Mortal, PlaidHome

BOOKED = ("CORNER CAFE 12", "MARKET HALL", "STANDING ORDER")
HELD = ("RISTORANTE LUIGI", "GARAGE", "KIOSK")
"""A hold beside an equal booking of its shop, whose own hold nobody saw, counts as that one's."""

FAULTS: tuple[Fault, ...] = (
    *(BAD_GATEWAY, NOT_JSON, Cut(), Cut(after=True)),
    *(HalfJson(), Truncated(), TOO_MANY),
)


def _live(chance: Random, world: World, accounts: list[Held], *, alters: bool) -> None:
    """What happens on some day: equal amounts and shops are common, so that rows seem others."""
    for _ in range(chance.randrange(4)):
        account = chance.choice(accounts)
        amount = -chance.choice((500, 500, 700, 1_250, 9_900))
        ago = chance.choice((0, 0, 1, 3, 10))
        if chance.random() < 0.5:
            day = world.today - timedelta(days=ago)
            world.book(account, amount, chance.choice(BOOKED), day=day)
            continue
        shop = chance.choice(HELD)
        ends = world.today + timedelta(days=chance.randrange(1, 8))
        if chance.random() < 0.2:
            world.hold(account, amount, shop, lapses=ends)
        else:
            tip = -chance.choice((0, 0, 0, 100))
            world.hold(account, amount, shop, posts=ends, tip=tip, same_id=chance.random() < 0.2)
    if alters and world.rows and chance.random() < 0.2:
        row = chance.choice(list(world.rows.values()))
        if not row.pending and world.today - row.day <= timedelta(days=10):
            world.alter(row, amount=row.amount - 1)


async def _try(chance: Random, home: LinkedHome, mortal: Mortal) -> None:
    """Sync, perhaps in vain, or with an end in the middle."""
    if chance.random() < 0.4:
        nth = chance.randrange(1, 3)
        home.bridge.misbehave(chance.choice(FAULTS), "/simplefin/accounts", nth=nth)
    await mortal.sync(home, chance)
    home.bridge.behave()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 24))]
)
async def test_the_store_ends_with_what_the_banks_hold(
    home: LinkedHome, world: World, seed: int
) -> None:
    """Posted rows, waiting rows and balances are the world's, each as often, after any history."""
    chance = Random(seed)
    # A row that changes between two accesses is another one to whoever reads the second.
    alters = seed % 2 == 0
    # What a bank has forgotten before a sync worked nobody brings back.
    home.bridge.depth = timedelta(days=1_000)
    card = world.open(world.harbour, "Harbour Visa 4417", kind="credit", subtype="credit card")
    other = world.open(world.bank("Elmgate"), "Share Savings", subtype="savings", mask="0042")
    accounts = [world.checking, card, other]
    for _ in range(30):
        _live(chance, world, accounts, alters=alters)
        world.advance()
    mortal = Mortal(home.context.store)
    home.context = replace(home.context, store=mortal)  # type: ignore[arg-type]
    await home.link()
    for _ in range(20):
        for _ in range(chance.choice((1, 1, 1, 2, 30))):
            _live(chance, world, accounts, alters=alters)
            world.advance()
        await _try(chance, home, mortal)
        if not alters and chance.random() < 0.1:
            world.relink(chance.choice([world.harbour, world.banks[other.bank]]))
            home.bridge.disable()
            await home.relink()
    world.advance()
    await home.must_be_settled()


PLAID_FAULTS: tuple[Fault, ...] = (
    *(BAD_GATEWAY, NOT_JSON, Cut(), Cut(after=True), HalfJson(), Truncated()),
    *(refusing("TRANSACTIONS_SYNC_LIMIT"), refusing("INSTITUTION_DOWN")),
    *(refusing("ITEM_LOGIN_REQUIRED"), refusing("INTERNAL_SERVER_ERROR")),
)
ROUTES = ("/transactions/sync", "/accounts/get", "/item/get", "/liabilities/get")
MUTATION = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"


async def _try_plaid(chance: Random, plaid: PlaidHome, mortal: Mortal, life: Life) -> None:
    """Sync, perhaps in vain, while rows change, or with an end in the middle."""
    if chance.random() < 0.4:
        plaid.plaid.misbehave(
            chance.choice(PLAID_FAULTS), chance.choice(ROUTES), nth=chance.randrange(1, 4)
        )
    if chance.random() < 0.3:
        between = Meanwhile(life._happenings()[0])
        plaid.plaid.misbehave(
            between, "/transactions/sync", nth=2, times=chance.choice((1, 2, None))
        )
    if chance.random() < 0.15:
        plaid.plaid.misbehave(refusing(MUTATION), "/transactions/sync", times=4)
    if chance.random() < 0.1:
        wrong = "UPDATE connection SET cursor = 'nobody knows'"
        await plaid.context.store.write(lambda c: c.exec_driver_sql(wrong))
    await mortal.sync(plaid, chance)
    plaid.plaid.behave()


async def _relink(plaid: PlaidHome, world: World, harbour: HeldAt) -> None:
    """The bank takes the access back, and the person links it anew: all ids are others."""
    plaid.item.removed = True
    world.relink(harbour)
    plaid.plaid.misbehave(refusing("ITEM_NOT_FOUND"), "/link/token/create")
    await plaid.link(harbour, reconnect=plaid.connection)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 24))]
)
async def test_the_store_ends_with_what_the_banks_of_plaid_hold(
    plaid: PlaidHome, world: World, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Posted rows, waiting rows and balances are the world's, each as often, after any history."""
    chance = Random(seed)
    monkeypatch.setattr(plaid_bank, "ROWS_A_PAGE", chance.choice((5, 40, 500)))
    plaid.plaid.overlap = chance.random() < 0.5

    def any_order(changes: list[Change]) -> list[Change]:
        return chance.sample(changes, len(changes))

    if chance.random() < 0.7:
        plaid.plaid.order = any_order
    card = world.open(
        world.harbour, "Harbour Visa", kind="credit", subtype="credit card", mask="4417"
    )
    savings = world.open(world.harbour, "Rainy Day", subtype="savings", mask="0042")
    life = Life(world, [world.checking, card, savings], chance)
    for _ in range(25):
        life.day()
    mortal = Mortal(plaid.context.store)
    plaid.context = replace(plaid.context, store=mortal)  # type: ignore[arg-type]
    await plaid.link(world.harbour)
    # A row that changes between two accesses is another one to whoever reads the second.
    relinks = seed % 3 == 0
    for _ in range(15):
        for _ in range(chance.choice((0, 1, 1, 2, 6))):
            life.day()
        await _try_plaid(chance, plaid, mortal, life)
        if relinks and chance.random() < 0.15:
            assert (await plaid.sync()).ok
            await _relink(plaid, world, world.harbour)
    world.advance()
    await plaid.must_be_settled()
