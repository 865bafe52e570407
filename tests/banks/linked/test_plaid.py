"""Plaid over TLS: what is linked at its page is what the world holds, to the cent and the day."""

from datetime import date, timedelta

import pytest

from tests.banks.fakes.faults import BAD_GATEWAY, Changed
from tests.banks.fakes.plaid_items import INITIAL, NOT_READY
from tests.banks.fakes.world import Debt, Held, HeldAt, World
from tests.banks.linked.plaid_home import PlaidHome

UNKNOWN = "TRANSACTIONS_UPDATE_STATUS_UNKNOWN"
NOTHING = {"added": [], "modified": [], "removed": [], "next_cursor": "", "has_more": False}


def _days(world: World, ago: int) -> date:
    return world.today - timedelta(days=ago)


async def test_all_history_comes_with_the_link(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Rows of two years on every kind of account are there once, with balances as each is told."""
    card = world.open(harbour, "Harbour Visa", kind="credit", subtype="credit card", mask="4417")
    loan = world.open(harbour, "Home", kind="loan", subtype="mortgage", opening=-20_000_000)
    world.open(harbour, "Brokerage", kind="investment", subtype="brokerage", opening=777_777)
    yen = world.open(harbour, "Yen", currency="JPY", opening=5_000)
    for ago in range(0, 729, 3):
        world.book(checking, -501 - ago, "CORNER CAFE 12", day=_days(world, ago))
        world.book(card, -1_299, "MARKET HALL", day=_days(world, ago))
        world.book(yen, -13, "KISSATEN", day=_days(world, ago))
    world.book(loan, 120_000, "PAYMENT", day=_days(world, 20))
    link = await plaid.link(harbour)

    await plaid.must_be_true()
    assert (link.status, link.error) == ("linked", None)
    assert link.connection is not None
    assert link.connection.institution_name == "Harbour Bank"
    again = await plaid.sync()
    assert (again.ok, again.complete, again.added, again.modified, again.removed) == (
        *(True, True, 0, 0, 0),
    )
    await plaid.must_be_true()


async def test_an_update_is_read_in_pages_that_commit_together(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """More rows than a page holds, with rows listed again at each page's start, are there once."""
    plaid.plaid.overlap = True
    for each in range(1_203):
        world.book(checking, -100 - each, "CORNER CAFE 12", day=_days(world, each % 400))
    await plaid.link(harbour)

    assert len(plaid.plaid.asked("/transactions/sync")) == 3
    await plaid.must_be_true()


async def test_holds_become_their_bookings(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """A hold becomes its booking with or without Plaid's word, with a tip, under its id, or lapses."""
    await plaid.link(harbour)
    soon, later = _days(world, -2), _days(world, -4)
    world.hold(checking, -2_000, "RISTORANTE", posts=soon, tip=-400)
    world.hold(checking, -2_100, "RISTORANTE", posts=later, linked=False)
    world.hold(checking, -700, "CORNER CAFE 12", posts=soon)
    world.hold(checking, -701, "CORNER CAFE 12", posts=later, same_id=True)
    world.hold(checking, -9_900, "HOTEL", lapses=later)
    world.hold(checking, -100, "GARAGE")
    for _ in range(6):
        await plaid.sync()
        await plaid.must_be_true()
        world.advance()


async def test_rates_and_payments_come_where_the_person_let_them(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """A card's rate is a ratio, its least payment is money; without consent both are simply unknown."""
    debt = Debt(apr=21.99, minimum=3_500, due=_days(world, -20), statement=80_000)
    world.open(harbour, "Visa", kind="credit", subtype="credit card", opening=-90_000, debt=debt)
    await plaid.link(harbour)
    told = "SELECT apr, minimum_payment FROM account WHERE name = 'Visa'"
    found = await plaid.context.store.read(lambda c: c.exec_driver_sql(told).one())
    assert tuple(found) == (0.2199, 3_500)

    # What is known of a debt stays while Plaid cannot say it.
    plaid.item.products.remove("liabilities")
    assert (await plaid.sync()).ok
    found = await plaid.context.store.read(lambda c: c.exec_driver_sql(told).one())
    assert tuple(found) == (0.2199, 3_500)


async def test_a_history_that_is_still_read_is_asked_for_soon(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Until Plaid has read all, a sync is not complete, and the next one is minutes away, then hours."""
    for ago in range(0, 300, 5):
        world.book(checking, -500 - ago, "CORNER CAFE 12", day=_days(world, ago))
    plaid.plaid.progress = NOT_READY
    link = await plaid.link(harbour)
    assert link.connection is not None
    assert link.connection.status == "ok"
    assert await plaid.posted() == {}

    async def minutes() -> float:
        query = "SELECT next_try_at FROM connection"
        at = await plaid.context.store.read(lambda c: c.exec_driver_sql(query).scalar_one())
        return (int(at) - int(plaid.now().timestamp() * 1000)) / 60_000

    assert 1 <= await minutes() <= 1.1
    plaid.item.progress = INITIAL
    report = await plaid.sync()
    assert (report.ok, report.complete) == (True, False)
    assert 0 < len(await plaid.posted()) < 60
    assert 2 <= await minutes() <= 2.2
    plaid.item.progress = "HISTORICAL_UPDATE_COMPLETE"
    report = await plaid.sync()
    assert (report.ok, report.complete) == (True, True)
    assert await minutes() >= 12 * 60
    await plaid.must_be_true()


@pytest.mark.parametrize("has_begun", [True, False])
async def test_a_history_whose_end_plaid_does_not_know_is_not_waited_for(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held, has_begun: bool
) -> None:
    """The sync is complete, the next one comes as usual, and what Plaid reads later comes with it."""
    world.book(checking, -500, "CORNER CAFE 12", day=_days(world, 3))
    plaid.plaid.progress = UNKNOWN
    if not has_begun:
        plaid.plaid.misbehave(Changed(lambda told: told | NOTHING), "/transactions/sync")
    link = await plaid.link(harbour)
    assert (link.status, link.error) == ("linked", None)
    query = "SELECT unfinished, next_try_at FROM connection"
    unfinished, at = await plaid.context.store.read(lambda c: c.exec_driver_sql(query).one())
    assert unfinished == 0
    assert int(at) - int(plaid.now().timestamp() * 1000) >= 12 * 3_600_000
    world.advance()
    world.book(checking, -250, "MARKET HALL")
    report = await plaid.sync()
    assert (report.ok, report.complete) == (True, True)
    await plaid.must_be_true()


async def test_a_changed_row_keeps_what_the_person_said(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """A row that Plaid puts right is one row, and the person's own word stays on it."""
    from finplan.model.transaction import TransactionQuery, TransactionWord
    from finplan.service.transactions import change_transaction, list_transactions

    row = world.book(checking, -1_000, "MARKET HALL", category="FOOD_AND_DRINK_GROCERIES")
    await plaid.link(harbour)
    [shown] = (await list_transactions(plaid.context, TransactionQuery())).transactions
    word = TransactionWord(id=shown.id, category="pets", note="for the cat")
    await change_transaction(plaid.context, word)
    world.alter(row, text="MARKET HALL 0042", category="TRAVEL_FLIGHTS")
    report = await plaid.sync()

    assert (report.added, report.modified) == (0, 1)
    [shown] = (await list_transactions(plaid.context, TransactionQuery())).transactions
    assert (shown.category, shown.note, shown.raw) == ("pets", "for the cat", "MARKET HALL 0042")
    await plaid.must_be_true()


async def test_the_secrets_are_nowhere_in_the_file(
    plaid: PlaidHome, harbour: HeldAt, checking: Held
) -> None:
    """Neither the access, nor the page's ticket, nor a key can be read in the store."""
    await plaid.link(harbour)
    held = await plaid.context.store.read(lambda c: "\n".join(c.connection.iterdump()))

    assert "bank_link" in held
    for secret in (plaid.item.access_token, plaid.token, plaid.plaid.keys.secret):
        assert secret not in held


async def test_unlinking_removes_the_item(
    plaid: PlaidHome, harbour: HeldAt, checking: Held
) -> None:
    """Plaid is told that an item is needed no more, and one that is gone already keeps nobody."""
    from finplan.model.connection import Unlinking
    from finplan.service.banking.connections import unlink_connection

    await plaid.link(harbour)
    plaid.item.removed = True
    await unlink_connection(plaid.context, Unlinking(id=plaid.connection))
    await plaid.link(harbour)
    await unlink_connection(plaid.context, Unlinking(id=plaid.connection))
    assert plaid.item.removed
    assert await plaid.balances() == {}


@pytest.mark.parametrize("answers", [True, False])
async def test_who_leaves_pays_for_nothing_any_more(
    plaid: PlaidHome, harbour: HeldAt, checking: Held, *, answers: bool
) -> None:
    """Deleting oneself removes the item, and a Plaid that does not answer keeps nobody."""
    from finplan.model.base import Nothing
    from finplan.service.credentials.membership import delete_me

    await plaid.link(harbour)
    if not answers:
        plaid.plaid.misbehave(BAD_GATEWAY, "/item/remove")
    gone = await delete_me(plaid.context, Nothing())
    assert gone.connections == 1
    assert plaid.item.removed == answers
    assert await plaid.balances() == {}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("amount", [-1, -12_345_678_901, 1, 99, 100_000_000])
async def test_amounts_are_exact(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held, amount: int
) -> None:
    """A number of JSON is the cents that it says, never those of a float nearby."""
    world.book(checking, amount, "CORNER CAFE 12")
    await plaid.link(harbour)
    await plaid.must_be_true()
