"""However days, pages, faults, crashes and relinks are mixed, all is there that Plaid's banks hold."""

from dataclasses import replace
from random import Random

import pytest

from finplan.banks.plaid import bank as plaid_bank
from tests.banks.fakes.faults import (
    BAD_GATEWAY,
    NOT_JSON,
    Cut,
    Fault,
    HalfJson,
    Meanwhile,
    Truncated,
)
from tests.banks.fakes.life import Life
from tests.banks.fakes.plaid_errors import refusing
from tests.banks.fakes.plaid_sync import Change
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.mortal import Crashed, Mortal
from tests.banks.linked.plaid_home import PlaidHome

FAULTS: tuple[Fault, ...] = (
    *(BAD_GATEWAY, NOT_JSON, Cut(), Cut(after=True), HalfJson(), Truncated()),
    *(refusing("TRANSACTIONS_SYNC_LIMIT"), refusing("INSTITUTION_DOWN")),
    *(refusing("ITEM_LOGIN_REQUIRED"), refusing("INTERNAL_SERVER_ERROR")),
)
ROUTES = ("/transactions/sync", "/accounts/get", "/item/get", "/liabilities/get")
MUTATION = "TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"


async def _try(chance: Random, plaid: PlaidHome, mortal: Mortal, life: Life) -> None:
    """Sync, perhaps in vain, while rows change, or with an end in the middle."""
    if chance.random() < 0.4:
        plaid.plaid.misbehave(
            chance.choice(FAULTS), chance.choice(ROUTES), nth=chance.randrange(1, 4)
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
    if chance.random() < 0.4:
        mortal.left, mortal.before = chance.randrange(1, 4), chance.random() < 0.5
    try:
        await plaid.sync()
    except Crashed:
        pass
    finally:
        mortal.left = None
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
async def test_the_store_ends_with_what_the_banks_hold(
    plaid: PlaidHome,
    world: World,
    harbour: HeldAt,
    checking: Held,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
) -> None:
    """Posted rows, waiting rows and balances are the world's, each as often, after any history."""
    chance = Random(seed)
    monkeypatch.setattr(plaid_bank, "ROWS_A_PAGE", chance.choice((5, 40, 500)))
    plaid.plaid.overlap = chance.random() < 0.5

    def any_order(changes: list[Change]) -> list[Change]:
        return chance.sample(changes, len(changes))

    if chance.random() < 0.7:
        plaid.plaid.order = any_order
    card = world.open(harbour, "Harbour Visa", kind="credit", subtype="credit card", mask="4417")
    savings = world.open(harbour, "Rainy Day", subtype="savings", mask="0042")
    life = Life(world, [checking, card, savings], chance)
    for _ in range(25):
        life.day()
    mortal = Mortal(plaid.context.store)
    plaid.context = replace(plaid.context, store=mortal)  # type: ignore[arg-type]
    await plaid.link(harbour)
    # A row that changes between two accesses is another one to whoever reads the second.
    relinks = seed % 3 == 0
    for _ in range(15):
        for _ in range(chance.choice((0, 1, 1, 2, 6))):
            life.day()
        await _try(chance, plaid, mortal, life)
        if relinks and chance.random() < 0.15:
            assert (await plaid.sync()).ok
            await _relink(plaid, world, harbour)
    world.advance()
    for _ in range(2):
        report = await plaid.sync()
        assert (report.ok, report.complete) == (True, True)
    await plaid.must_be_true()
    dump = await plaid.dump()
    again = await plaid.sync()
    assert (again.added, again.removed) == (0, 0)
    assert await plaid.dump() == dump
