"""Own accounts in another currency: what is paid to them is saving where it stays, else spending."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.detection import TransferVerdict
from finplan.model.statement import ImportId
from finplan.model.task import TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import list_tasks
from finplan.service.rules import set_rule
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.transfers import decide_transfer
from tests.service.own_money import csv, spent, statuses, transfers

Import = Callable[..., Awaitable[Any]]

HOME = csv(
    "2026-08-01,PAYROLL ACME,4000.00",
    "2026-08-03,TRANSFER TO EUR ACCOUNT,-500.00",
    "2026-09-01,PAYROLL ACME,4000.00",
    "2026-09-03,TRANSFER TO EUR ACCOUNT,-560.00",
    "2026-10-01,PAYROLL ACME,4000.00",
    "2026-10-02,CORNER GROCER,-40.00",
)
ARRIVED = ("2026-08-04,TRANSFER FROM USD ACCOUNT,446.00", "2026-09-04,TRANSFER FROM USD,500.00")
KEPT = csv(*ARRIVED, "2026-09-20,PHARMACIE,-20.00")
SPENT = csv(*ARRIVED, "2026-09-20,LOYER PARIS,-800.00")


async def _at_home(import_texts: Import) -> None:
    await import_texts({"home.csv": HOME}, account_kind="depository", currency="USD")


async def _abroad(import_texts: Import, text: str) -> Any:
    return await import_texts({"abroad.csv": text}, account_kind="depository", currency="EUR")


async def _filed(context: Context) -> dict[int, str]:
    """The category of every row that is a leg, by its amount."""
    page = await list_transactions(context, TransactionQuery(limit=200))
    return {row.amount: row.category for row in page.transactions if row.transfer_id}


@pytest.mark.parametrize("first", ["home", "abroad"])
async def test_what_an_account_abroad_keeps_is_saved(
    context: Context, import_texts: Import, first: str
) -> None:
    """Both rows say so, whichever file came first; nothing is spent, and the plan says saved."""
    if first == "abroad":
        # The household's currency is that of the first file.
        await import_texts(
            {"bank.csv": csv("2026-08-01,CORNER GROCER,-10.00")},
            account_kind="depository",
            currency="USD",
        )
        await _abroad(import_texts, KEPT)
        await _at_home(import_texts)
    else:
        await _at_home(import_texts)
        await _abroad(import_texts, KEPT)
    assert await statuses(context) == {(-500_00, 446_00): "paired", (-560_00, 500_00): "paired"}
    pair = (await transfers(context))[0]
    assert (pair.out.currency, pair.into.currency) == ("USD", "EUR")
    assert pair.why == (
        "560.00 USD became 500.00 EUR, 1 day later; both rows say transfer;"
        " both rows say that money is changed into the other currency."
    )
    assert set((await _filed(context)).values()) == {"savings"}
    assert await spent(context) == 40_00 + 10_00 * (first == "abroad")


async def test_what_an_account_abroad_spends_is_spent(
    context: Context, import_texts: Import
) -> None:
    """More than half of what came has left it: the payment is spending, and the person is asked."""
    await _at_home(import_texts)
    await _abroad(import_texts, SPENT)
    filed = await _filed(context)
    assert (filed[-500_00], filed[-560_00]) == ("uncategorized", "uncategorized")
    assert await spent(context) == 40_00 + 1060_00
    stored = await build_plan(context, Nothing())
    plan = stored.plan
    assert {each.category: each.total for each in plan.categories}["uncategorized"] == 1060_00
    tasks = await list_tasks(context, TaskQuery())
    (asked,) = [each for each in tasks if each.kind == "categorize_payee"]
    assert asked.payee_key

    await set_rule(context, RuleRequest(payee_key=asked.payee_key, category="rent"))
    assert (await _filed(context))[-500_00] == "rent"
    assert await spent(context) == 40_00 + 1060_00
    after = (await build_plan(context, Nothing())).plan
    assert {each.category: each.total for each in after.categories}["rent"] == 1060_00


async def test_what_is_kept_is_looked_at_with_every_file(
    context: Context, import_texts: Import
) -> None:
    """A later file may show that the money was spent, and its undoing that it was not."""
    await _at_home(import_texts)
    await _abroad(import_texts, KEPT)
    assert await spent(context) == 40_00
    later = await import_texts(
        {"abroad.csv": csv("2026-10-05,LOYER PARIS,-600.00", "2026-10-06,INTERETS,1.00")},
        account_kind="depository",
        currency="EUR",
        account="abroad",
    )
    assert await spent(context) == 40_00 + 1060_00
    await undo_import(context, ImportId(id=later.id))
    assert await spent(context) == 40_00


async def test_a_rejected_pair_counts_by_its_category(
    context: Context, import_texts: Import
) -> None:
    """What the person parts is a payment like any other, and taking it back pairs it again."""
    await _at_home(import_texts)
    await _abroad(import_texts, SPENT)
    for pair in await transfers(context):
        await decide_transfer(context, TransferVerdict(id=pair.id, verdict="reject"))
    assert await _filed(context) == {}
    for pair in await transfers(context, "rejected"):
        await decide_transfer(context, TransferVerdict(id=pair.id, verdict="auto"))
    assert await spent(context) == 40_00 + 1060_00


async def test_what_the_other_half_files_is_not_said_to_be_filed_by_the_person(
    context: Context, import_texts: Import
) -> None:
    """A word on one amount of a payee files no row whose other half is abroad, and none says so."""
    await _at_home(import_texts)
    await _abroad(import_texts, SPENT)
    page = await list_transactions(context, TransactionQuery(text="to eur account"))
    key = page.transactions[0].payee_key
    await set_rule(context, RuleRequest(payee_key=key, category="kids", amount=500_00))
    page = await list_transactions(context, TransactionQuery(text="to eur account"))
    told = {row.amount: (row.category, row.why.text) for row in page.transactions}
    abroad = "The other half of this transfer is on an account of yours in another currency."
    assert told == {
        -500_00: ("uncategorized", abroad),
        -560_00: ("uncategorized", "Nothing is known of this payee yet."),
    }
