"""What of a European bank's answer cannot be read is left out and told, and keeps nothing else away."""

from datetime import timedelta
from typing import Any

import pytest

from tests.banks.fakes.faults import Answered, Changed
from tests.banks.fakes.world import Held, HeldAt, World
from tests.banks.linked.enable.home import EnableHome

ROWS = "/accounts/*/transactions"


def _odd(text: str, **values: Any) -> Changed:
    def change(told: Any) -> Any:
        for row in told["transactions"]:
            if text in str(row["remittance_information"]):
                row.update(values)
        return told

    return Changed(change)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"credit_debit_indicator": None}, "it does not say which way it goes"),
        ({"transaction_amount": None}, "it has no amount in a currency"),
        ({"transaction_amount": {"amount": "7.77"}}, "it has no amount in a currency"),
    ],
)
async def test_an_odd_row_stays_out_until_it_can_be_read(
    home: EnableHome, world: World, harbour: HeldAt, checking: Held, values: Any, why: str
) -> None:
    """The others come, it is told, and it comes once it can be read, however much later."""
    savings = world.open(harbour, "Sparkonto", currency="EUR")
    await home.link()
    world.advance()
    world.book(checking, -777, "ODD ONE")
    home.bridge.misbehave(_odd("ODD ONE", **values), ROWS, times=None)
    for _ in range(20):
        world.book(checking, -100 - world.today.day, "KIOSK")
        world.book(savings, 50 + world.today.day, "ZINSEN")
        report = await home.sync()
        assert f"Girokonto: a row of 2026-06-16 is left out, since {why}." in str(report.error)
        lacks = home.true_rows(pending=False) - await home.posted()
        assert [key[2] for key in lacks.elements()] == [-777]
        world.advance()
    home.bridge.behave()
    assert (await home.sync()).ok
    await home.must_be_true()


async def test_a_row_that_became_odd_stays_as_it_was(
    home: EnableHome, world: World, checking: Held
) -> None:
    """Its account's list has a hole, so that nothing is taken for withdrawn."""
    world.book(checking, -777, "ODD ONE")
    world.book(checking, -500, "KIOSK", day=world.today - timedelta(days=1))
    await home.link()
    home.bridge.misbehave(_odd("ODD ONE", transaction_amount=None), ROWS, times=None)
    world.advance()
    report = await home.sync()
    assert not report.ok
    await home.must_be_true()


async def test_a_relink_with_an_odd_row_is_done(
    home: EnableHome, world: World, checking: Held
) -> None:
    """All accounts were told, so that they are known again; the row is left out."""
    world.book(checking, -500, "KIOSK")
    await home.link()
    world.relink(next(iter(world.banks.values())))
    world.book(checking, -777, "ODD ONE")
    home.bridge.misbehave(_odd("ODD ONE", transaction_amount=None), ROWS, times=None)
    record = await home.relink()
    assert "a row of 2026-06-15 is left out" in str(record.connection.error)
    assert [key[2] for key in await home.posted()] == [-500]
    home.bridge.behave()
    assert (await home.sync()).ok
    await home.must_be_true()


async def test_an_account_in_another_currency_stays_as_it_was(
    home: EnableHome, world: World, checking: Held
) -> None:
    """What it is kept in is no unit of what is told now."""
    world.book(checking, -500, "KIOSK")
    await home.link()
    before = await home.posted()
    await home.context.store.write(
        lambda c: c.exec_driver_sql("UPDATE account SET currency = 'SEK'")
    )
    world.book(checking, -300, "KIOSK")
    report = await home.sync()
    told = "Girokonto is not brought up to date, since it is told in EUR now, and is kept in SEK."
    assert told in str(report.error)
    assert await home.posted() == before


async def test_an_account_whose_answer_is_none_keeps_no_other(
    home: EnableHome, world: World, harbour: HeldAt, checking: Held
) -> None:
    """It is asked first each time, since it waits longest, and the others are read all the same."""
    savings = world.open(harbour, "Sparkonto", currency="EUR", opening=5_000)
    world.book(savings, 500, "ZINSEN")
    wrong = Answered(200, '{"transactions": null}')
    home.bridge.misbehave(wrong, ROWS)
    record = await home.link()
    assert "Girokonto: Enable Banking cannot be understood" in str(record.connection.error)
    assert [key[2] for key in await home.posted()] == [500]
