"""A kind that the person or their files say stands over a bank's guess, and balances follow it."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.service.banking.accounts import change_account, list_account_records
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.household import LinkedHome

BLUE = "Blue Rewards 4417"
"""A name that does not say that it is a card's."""


async def _blue(home: LinkedHome) -> Any:
    records = await list_account_records(home.context, Nothing())
    (found,) = [each for each in records if each.account.mask == "4417"]
    return found


def _owing(world: World, harbour: HeldAt) -> Held:
    return world.open(harbour, BLUE, kind="credit", subtype="credit card", opening=-50_000)


async def test_what_a_card_owes_stays_owed_with_each_sync(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """Who says that an account is a card owes what the bank calls below zero, now and later."""
    card = _owing(world, harbour)
    await home.link()
    assert (await _blue(home)).account.balance == -50_000
    said = await _blue(home)
    await change_account(home.context, AccountChange(id=said.account.id, kind="credit"))
    assert (await _blue(home)).account.balance == 50_000

    world.advance()
    world.book(card, -1_000, "MARKET HALL")
    await home.sync()

    known = await _blue(home)
    assert (known.account.kind, known.account.balance) == ("credit", 51_000)
    assert [each.balance for each in known.anchors] == [50_000, 51_000]


async def test_a_card_that_files_know_owes_what_the_bank_says(
    home: LinkedHome,
    world: World,
    harbour: HeldAt,
    checking: Held,
    import_texts: Callable[..., Awaitable[Any]],
) -> None:
    """An account that joins the one of its files has that one's kind, and its balance the sign of it."""
    card = _owing(world, harbour)
    rows = [world.book(card, -1_000 - each, f"MARKET HALL {each}") for each in range(6)]
    lines = [f"{row.day:%m/%d/%Y},{row.text},{-row.amount / 100:.2f}" for row in rows]
    content = "\n".join(["Transaction Date,Description,Amount", *lines, ""])
    await import_texts({"card.csv": content}, account=BLUE, account_kind="credit", direction="out")
    await home.link()

    known = await _blue(home)
    assert (known.account.kind, known.account.balance) == ("credit", -home._owned(card))
