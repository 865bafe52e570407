"""How far back a bank was read, and whether there is more, by account and by window."""

from datetime import date, timedelta

import pytest

from finplan.banks.base import Link
from finplan.banks.simplefin.bank import WINDOW, ReadSoFar
from finplan.model.base import Nothing
from finplan.service.banking.accounts import list_account_records
from tests.banks.fakes.simplefin import Trouble
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome
from tests.banks.linked.plaid_home import PlaidHome


async def test_an_account_is_covered_from_its_own_first_row(
    plaid: PlaidHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """What another account of the same sign-in has of earlier days covers nothing of this one."""
    young = world.open(harbour, "Rainy Day", subtype="savings", mask="0042")
    first = {
        checking.name: world.today - timedelta(days=60),
        "Rainy Day": world.today - timedelta(9),
    }
    world.book(checking, -500, "CORNER CAFE 12", day=first[checking.name])
    world.book(young, 700, "STANDING ORDER", day=first["Rainy Day"])
    await plaid.link(harbour)

    records = await list_account_records(plaid.context, Nothing())
    assert {each.account.name: [span.since for span in each.coverage] for each in records} == {
        name: [day] for name, day in first.items()
    }


@pytest.mark.parametrize(("days", "reaches"), [([1], WINDOW - 1), ([1, 75], 75)])
async def test_simplefin_covers_its_windows(
    home: LinkedHome, world: World, checking: Held, days: list[int], reaches: int
) -> None:
    """From the first day of the newest window, or from an older row, through today."""
    for ago in days:
        world.book(checking, -500, "CORNER CAFE 12", day=world.today - timedelta(days=ago))
    await home.link()
    (record,) = await list_account_records(home.context, Nothing())
    (span,) = record.coverage
    assert (span.since, span.until) == (world.today - timedelta(days=reaches), world.today)


def test_a_window_is_as_long_as_it_says() -> None:
    """The newest window of who was never read has its length in days, the last of them today."""
    today = date(2026, 6, 15)
    since = ReadSoFar().window_since(today)
    assert len([since + timedelta(days=each) for each in range((today - since).days + 1)]) == WINDOW


async def test_a_page_with_a_trouble_is_not_all_that_there_is(
    home: LinkedHome, checking: Held
) -> None:
    """A bank that a part of the accounts is not brought of has more to give, also on its last page."""
    await home.link()
    user, password = next(iter(home.bridge._access.items()))
    secret = f"https://{user}:{password}@{home.bridge.url.removeprefix('https://')}/simplefin"
    simplefin = home.context.aggregators["simplefin"]
    link = Link("usr_ada", "Harbour Bank", secret)
    cursor, page = None, await simplefin.sync(link, None, home.world.today)
    while page.more:
        cursor = page.cursor
        page = await simplefin.sync(link, cursor, home.world.today)
    assert page.complete

    home.bridge.says.append(Trouble("con.auth", "You must reauthenticate.", checking.bank))
    page = await simplefin.sync(link, page.cursor, home.world.today)
    assert (page.more, page.complete) == (False, False)
