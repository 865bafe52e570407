"""However days, faults, crashes and relinks are mixed, the store ends with what the banks hold."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from tests.banks.fakes.faults import BAD_GATEWAY, NOT_JSON, Cut, Fault, HalfJson, Truncated
from tests.banks.fakes.simplefin import TOO_MANY
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome
from tests.banks.linked.mortal import Crashed, Mortal

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
    if chance.random() < 0.4:
        mortal.left, mortal.before = chance.randrange(1, 4), chance.random() < 0.5
    try:
        await home.sync()
    except Crashed:
        pass
    finally:
        mortal.left = None
        home.bridge.behave()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 24))]
)
async def test_the_store_ends_with_what_the_banks_hold(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held, seed: int
) -> None:
    """Posted rows, waiting rows and balances are the world's, each as often, after any history."""
    chance = Random(seed)
    # A row that changes between two accesses is another one to whoever reads the second.
    alters = seed % 2 == 0
    # What a bank has forgotten before a sync worked nobody brings back.
    home.bridge.depth = timedelta(days=1_000)
    card = world.open(harbour, "Harbour Visa 4417", kind="credit", subtype="credit card")
    other = world.open(world.bank("Elmgate"), "Share Savings", subtype="savings", mask="0042")
    accounts = [checking, card, other]
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
            world.relink(chance.choice([harbour, world.banks[other.bank]]))
            home.bridge.disable()
            await home.relink()
    world.advance()
    for _ in range(2):
        report = await home.sync()
        assert (report.ok, report.complete) == (True, True)
    await home.must_be_true()
    dump = await home.dump()
    assert (await home.sync()).added == 0
    assert await home.dump() == dump
