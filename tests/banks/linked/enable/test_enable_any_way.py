"""However days, faults, crashes and consents are mixed, the store ends with what the bank holds."""

from dataclasses import replace
from random import Random

import pytest

from tests.banks.fakes.enable_errors import denying
from tests.banks.fakes.faults import BAD_GATEWAY, NOT_JSON, Cut, Fault, HalfJson, Truncated
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.enable.home import EnableHome
from tests.banks.linked.mortal import Crashed, Mortal
from tests.banks.linked.test_any_way import _live

FAULTS: tuple[Fault, ...] = (
    *(BAD_GATEWAY, NOT_JSON, Cut(), Cut(after=True), HalfJson(), Truncated()),
    *(denying("ASPSP_RATE_LIMIT_EXCEEDED"), denying("ASPSP_ERROR"), denying("EXPIRED_SESSION")),
)


async def _try(chance: Random, home: EnableHome, mortal: Mortal) -> None:
    """Sync, perhaps in vain, or with an end in the middle."""
    if chance.random() < 0.4:
        nth = chance.randrange(1, 7)
        home.bridge.misbehave(chance.choice(FAULTS), "/accounts/*", nth=nth)
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
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 18))]
)
async def test_the_store_ends_with_what_the_bank_holds(
    home: EnableHome, world: World, harbour: HeldAt, checking: Held, seed: int
) -> None:
    """Posted rows, waiting rows and balances are the world's, each as often, after any history."""
    chance = Random(seed)
    api = home.bridge
    api.page_size = chance.choice((9, 50, 500))
    api.empty_pages = chance.random() < 0.3
    api.refuses_strategy = chance.random() < 0.3
    api.history = 730
    card = world.open(
        harbour, "Kreditkarte", kind="credit", subtype="credit card", mask="4417", currency="EUR"
    )
    other = world.open(harbour, "Tagesgeld", subtype="savings", mask="0042", currency="EUR")
    accounts = [checking, card, other]
    for _ in range(30):
        _live(chance, world, accounts, alters=True)
        world.advance()
    mortal = Mortal(home.context.store)
    home.context = replace(home.context, store=mortal)  # type: ignore[arg-type]
    await home.link()
    for _ in range(20):
        for _ in range(chance.choice((1, 1, 1, 2, 30))):
            _live(chance, world, accounts, alters=True)
            world.advance()
        # References come, go and come again, and what waits has some or none.
        api.references = chance.random() < 0.7
        api.pending_references = chance.random() < 0.5
        await _try(chance, home, mortal)
        if chance.random() < 0.15:
            if chance.random() < 0.3:
                world.relink(world.banks[harbour.id])
            await home.relink()
    world.advance()
    await home.relink()
    world.advance()
    for _ in range(2):
        report = await home.sync()
        assert (report.ok, report.complete) == (True, True), report.error
    await home.must_be_true()
    dump = await home.dump()
    assert (await home.sync()).added == 0
    assert await home.dump() == dump
