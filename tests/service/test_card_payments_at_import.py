"""Card payments booked days apart: found whatever comes in first, and in homes that are older."""

from collections.abc import Awaitable, Callable, Mapping
from itertools import permutations
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, BankTransaction
from finplan.model.connection import ConnectionId
from finplan.model.detection import TransferVerdict
from finplan.service.banking.connections import sync_connection
from finplan.service.context import Context
from finplan.service.ledger.payee_keys import rekey_payees
from finplan.service.verdicts.transfers import decide_transfer
from finplan.store.queries import people
from tests.service.own_money import Bank, Branch, csv, linked, spent, statuses, transfers

Import = Callable[..., Awaitable[Any]]

FILES: Mapping[str, tuple[str, str]] = {
    "checking": (
        "depository",
        csv(
            "2026-07-31,CHASE CREDIT CRD AUTOPAY,-412.07",
            "2026-08-31,CHASE CREDIT CRD AUTOPAY,-388.19",
            "2026-09-30,CHASE CREDIT CRD AUTOPAY,-95.63",
            "2026-10-02,CORNER GROCER,-40.00",
        ),
    ),
    "card": (
        "credit",
        csv(
            "2026-07-28,AUTOMATIC PAYMENT - THANK YOU,412.07",
            "2026-08-12,TICKET OFFICE,-388.19",
            "2026-08-26,AUTOMATIC PAYMENT - THANK YOU,388.19",
        ),
    ),
    "card later": (
        "credit",
        csv(
            "2026-10-05,AUTOMATIC PAYMENT - THANK YOU,95.63",
            "2026-10-06,TICKET OFFICE,-60.00",
        ),
    ),
    "savings": ("depository", csv("2026-08-28,GUTSCHRIFT MAX MUSTERMANN,388.19")),
}
CARD_PAYMENTS = {(-412_07, 412_07), (-388_19, 388_19), (-95_63, 95_63)}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("order", list(permutations(FILES)), ids="-".join)
async def test_the_order_of_imports_makes_no_difference(
    context: Context, import_texts: Import, order: tuple[str, ...]
) -> None:
    """The debit's file or the credit's may come first: each payment is told once, and no stranger's."""
    for name in order:
        kind, text = FILES[name]
        await import_texts({f"{name.split()[0]}.csv": text}, account_kind=kind)
    assert await statuses(context) == dict.fromkeys(CARD_PAYMENTS, "paired")
    assert await spent(context) == 40_00 + 388_19 + 60_00


async def test_a_sync_finds_what_was_credited_days_before(context: Context) -> None:
    """A debit that a bank brings with a later sync meets the credit that is there since days."""
    checking = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)
    card = BankAccount("crd", "Card", "3333", "credit", "credit card", "USD", 100_00)
    rows = [BankTransaction("crd", "c1", 20260903, 212_40, "PAYMENT - THANK YOU")]
    branch = Branch((checking, card), rows)
    known, connection = await linked(context, Bank(Larkmoor=branch), "Larkmoor")
    assert await transfers(known) == ()
    rows.append(BankTransaction("chk", "t1", 20260907, -212_40, "PAYMENT TO CRD 3333"))
    await sync_connection(known, ConnectionId(id=connection))

    (pair,) = await transfers(known)
    assert pair.status == "paired"
    assert pair.why == (
        "Same amount, 4 days earlier; a row names the other account, 3333; both rows say payment."
    )


async def _forget_pairs(context: Context) -> None:
    """Make the store one whose transfers were found by other rules."""

    def forget(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM transfer")
        connection.exec_driver_sql("UPDATE tx SET transfer_no = NULL, peer_no = NULL, counts = 1")
        connection.exec_driver_sql("UPDATE person SET key_rules = 0")

    await context.store.write(forget)


async def test_an_older_home_is_looked_through_once(context: Context, import_texts: Import) -> None:
    """What other rules left in no pair is paired at the next start, and what was said of pairs holds."""
    for name in ("checking", "card"):
        kind, text = FILES[name]
        await import_texts({f"{name}.csv": text}, account_kind=kind)
    before = {each.out.amount: each for each in await transfers(context)}
    wrong = before[-412_07]
    await decide_transfer(context, TransferVerdict(id=wrong.id, verdict="reject"))
    counted = await spent(context)
    await _forget_pairs(context)
    owner = context.caller.owner
    event = await context.store.read(lambda c: people.last_event(c, owner))

    await rekey_payees(context.store, context.milliseconds())

    after = await transfers(context)
    assert {each.id: each.status for each in after} == {
        wrong.id: "rejected",
        before[-388_19].id: "paired",
    }
    assert await spent(context) == counted
    later = await context.store.read(lambda c: people.last_event(c, owner))
    assert later.data_no > event.data_no
