from dataclasses import replace
from datetime import date
from random import Random

import pytest

from tests.banks.fakes.world import Held, World, decimal

MONDAY = date(2026, 3, 2)
WEDNESDAY = date(2026, 3, 4)


@pytest.fixture
def world() -> World:
    return World(MONDAY)


@pytest.fixture
def checking(world: World) -> Held:
    return world.open(world.bank("Harbour Bank"), "Everyday Checking", opening=100_000)


def test_a_balance_is_the_opening_and_what_posted(world: World, checking: Held) -> None:
    """What is held moves what is available, and the balance only when it posts."""
    world.book(checking, 250_000, "PAYROLL")
    world.hold(checking, -2_000, "TRATTORIA", posts=WEDNESDAY, tip=-400)
    view = world.shown(checking)
    assert (view.balance, view.available) == (350_000, 348_000)
    world.advance(WEDNESDAY)
    view = world.shown(checking)
    assert (view.balance, view.available) == (347_600, 347_600)
    assert view.balance == world.balance_of(checking)


def test_a_booking_names_the_held_row_that_it_settles(world: World, checking: Held) -> None:
    """What posts is a row of its own, on the day on which it posts, made when it was made."""
    held = world.hold(checking, -2_000, "TRATTORIA", posts=WEDNESDAY)
    world.advance(date(2026, 3, 3))
    assert world.rows_of(checking) == [held]
    world.advance(WEDNESDAY)
    [posted] = world.rows_of(checking)
    assert posted.id != held.id
    assert posted.settles == held.id
    assert (posted.day, posted.transacted, posted.amount) == (WEDNESDAY, MONDAY, -2_000)
    assert not posted.pending


def test_a_bank_may_keep_the_id_or_forget_the_link(world: World, checking: Held) -> None:
    """A row that keeps its id settles nothing, and a bank may not say what another settles."""
    kept = world.hold(checking, -100, "BUS", posts=WEDNESDAY, same_id=True)
    world.hold(checking, -200, "FERRY", posts=WEDNESDAY, linked=False)
    world.advance(WEDNESDAY)
    bus, ferry = world.rows_of(checking)
    assert (bus.id, bus.settles, bus.pending) == (kept.id, None, False)
    assert (ferry.settles, ferry.pending) == (None, False)


def test_a_held_row_may_lapse_or_stay_for_ever(world: World, checking: Held) -> None:
    """Nothing is posted of either."""
    stays = world.hold(checking, -5_000, "HOTEL DEPOSIT")
    world.hold(checking, -100, "FUEL", lapses=WEDNESDAY)
    world.advance(date(2026, 6, 1))
    assert world.rows_of(checking) == [stays]
    assert world.balance_of(checking) == 100_000


def test_days_pass_one_by_one(world: World, checking: Held) -> None:
    """What happens on a day sees that day, and may say what happens later."""
    days: list[date] = []
    world.on(WEDNESDAY, lambda: days.append(world.today))
    world.on(date(2026, 3, 3), lambda: world.on(date(2026, 3, 5), lambda: days.append(world.today)))
    world.advance(date(2026, 3, 9))
    assert days == [WEDNESDAY, date(2026, 3, 5)]
    with pytest.raises(AssertionError):
        world.on(world.today, lambda: None)


def test_a_bank_that_waits_for_a_sign_in_shows_what_is_old(world: World, checking: Held) -> None:
    """The truth goes on; it is seen after the sign-in."""
    bank = world.banks[checking.bank]
    world.sign_out(bank)
    world.advance(WEDNESDAY)
    world.book(checking, -450, "CORNER CAFE")
    old = world.shown(checking)
    assert (old.as_of, old.balance, old.rows) == (MONDAY, 100_000, ())
    world.sign_in(bank)
    now = world.shown(checking)
    assert (now.as_of, now.balance, len(now.rows)) == (WEDNESDAY, 99_550, 1)


def test_a_link_anew_gives_other_ids_to_the_same_rows(world: World, checking: Held) -> None:
    """Only ids change, of accounts and rows of that bank alone."""
    other = world.open(world.bank("Hill Union"), "Savings")
    world.book(other, 1, "INTEREST")
    world.book(checking, -450, "CORNER CAFE")
    before = world.shown(checking), world.shown(other)
    bank = world.banks[checking.bank]
    world.sign_out(bank)
    world.relink(bank)
    after = world.shown(checking), world.shown(other)
    assert after[1] == before[1]
    assert after[0].account.id != before[0].account.id
    assert [row.id for row in after[0].rows] != [row.id for row in before[0].rows]
    assert [row.amount for row in after[0].rows] == [-450]
    assert world.banks[bank.id].generation == 1
    assert not world.signed_out(bank)


def test_a_bank_may_show_nothing_that_is_pending(world: World, checking: Held) -> None:
    """The row is there when it posts, and what is available has known of it."""
    world.banks[checking.bank] = replace(world.banks[checking.bank], shows_pending=False)
    world.hold(checking, -2_000, "TRATTORIA", posts=WEDNESDAY)
    assert (world.shown(checking).rows, world.shown(checking).available) == ((), 98_000)
    world.advance(WEDNESDAY)
    assert len(world.shown(checking).rows) == 1


def test_ids_tell_upper_case_from_lower() -> None:
    """No two ids are the same, and they are of 37 letters and digits."""
    world = World(MONDAY)
    account = world.open(world.bank("Harbour Bank"), "Checking")
    ids = [world.book(account, 1, "COFFEE").id for _each in range(500)]
    assert len(set(ids)) == 500
    assert {len(each) for each in ids} == {37}
    assert any(each != each.lower() and each != each.upper() for each in ids)


@pytest.mark.parametrize(
    ("amount", "currency", "said"),
    [
        (5, "USD", "0.05"),
        (-5, "USD", "-0.05"),
        (-123_456, "EUR", "-1234.56"),
        (0, "USD", "0.00"),
        (1200, "JPY", "1200"),
        (-1_234, "KWD", "-1.234"),
    ],
)
def test_an_amount_has_the_places_of_its_currency(amount: int, currency: str, said: str) -> None:
    """Minor units become a decimal string without a float on the way."""
    assert decimal(amount, currency) == said


def test_an_amount_is_read_back_exactly() -> None:
    """No cent is lost in the string."""
    dice = Random(1)
    for amount in (dice.randrange(-(10**12), 10**12) for _each in range(500)):
        assert int(decimal(amount, "USD").replace(".", "")) == amount
