"""A kind that the person or their files say stands over a bank's guess, and balances follow it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.service.banking.accounts import change_account, list_account_records
from finplan.service.banking.bank_accounts import _refresh
from finplan.store.queries import accounts
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


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_bank_that_finds_out_a_kind_turns_every_balance(
    home: LinkedHome, world: World, harbour: HeldAt, checking: Held, *, is_told: bool
) -> None:
    """What was owned is owed with the other sign, recorded balances too, whether it is told or not."""
    await home.link()
    context = home.context

    def found_out(connection: Connection) -> tuple[int, list[int]]:
        [row] = accounts.list_accounts(connection, 1)
        before = row["balance"]
        known = BankAccount(
            external_id=row["external_id"],
            name=row["name"],
            mask=row["mask"],
            kind="credit",
            subtype=None,
            currency=row["currency"],
            balance=-before if is_told else None,
        )
        _refresh(connection, row, known, row["balance_day"])
        now = next(
            each for each in accounts.list_accounts(connection, 1) if each["no"] == row["no"]
        )
        assert now["balance"] == -before
        return before, [balance for _, balance in accounts.balances_of(connection, row["no"])]

    before, recorded = await context.store.write(found_out)
    assert recorded == [-before]
