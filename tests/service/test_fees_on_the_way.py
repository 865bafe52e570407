"""What is kept of a transfer on its way is spending, and what arrives is a movement alone."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.detection import TransferVerdict
from finplan.model.transaction import SpendingQuery, SplitPart, Transaction, TransactionQuery
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, COUNTS, PEER
from finplan.service.context import Context
from finplan.service.derived.household import load_ledger
from finplan.service.planning.plans import build_plan
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.transfers import decide_transfer
from tests.service.own_money import csv, spent, transfers

Import = Callable[..., Awaitable[Any]]

FILES = {
    "first.csv": csv(
        "2026-08-05,WIRE TRANSFER OUT,-1015.00",
        "2026-09-05,WIRE TRANSFER OUT,-1015.00",
        "2026-09-20,CORNER GROCER,-40.00",
    ),
    "second.csv": csv(
        "2026-08-06,INCOMING WIRE TRANSFER,1000.00",
        "2026-09-06,INCOMING WIRE TRANSFER,1000.00",
        "2026-09-07,INTEREST,1.00",
    ),
}


async def _wires(context: Context, **query: Any) -> list[Transaction]:
    page = await list_transactions(context, TransactionQuery(**query))
    return [row for row in page.transactions if row.raw.startswith("WIRE")]


async def test_the_fee_is_spending_and_the_rest_is_not(
    context: Context, import_texts: Import
) -> None:
    """Totals, the plan and the list of transactions hold the fee alone, in its own category."""
    await import_texts(FILES)

    assert [pair.status for pair in await transfers(context)] == ["paired", "paired"]
    assert await spent(context) == 2 * 15_00 + 40_00
    report = await query_spending(context, SpendingQuery(group_by="category"))
    totals = {group.key: (group.total, group.count) for group in report.groups}
    assert totals["interest_fees"] == (30_00, 2)
    months = await query_spending(context, SpendingQuery(group_by="month"))
    assert {group.key: group.total for group in months.groups} == {
        "2026-08": 15_00,
        "2026-09": 55_00,
    }
    merchants = await query_spending(context, SpendingQuery(group_by="merchant"))
    assert sum(group.total for group in merchants.groups) == report.total == 70_00

    (wire, _) = await _wires(context)
    assert (wire.category, wire.line, wire.amount) == ("transfer", "not_spending", -1015_00)
    assert wire.splits == (
        SplitPart(amount=-1000_00, category="transfer", note=None),
        SplitPart(amount=-15_00, category="interest_fees", note=None),
    )
    plan = await build_plan(context, Nothing())
    fees = {line.category: line.total for line in plan.plan.categories}["interest_fees"]
    assert fees in (15_00, 30_00)
    assert plan.plan.monthly.income in (0, 1_00)


@pytest.mark.parametrize(
    ("category", "count"), [("interest_fees", 2), ("transfer", 2), ("groceries", 0)]
)
async def test_a_row_with_a_fee_is_found_by_either_part(
    context: Context, import_texts: Import, category: str, count: int
) -> None:
    """The category of what arrived and that of the fee both find it."""
    await import_texts(FILES)
    assert len(await _wires(context, category=(category,))) == count


async def test_the_parts_of_a_row_add_up_to_it(context: Context, import_texts: Import) -> None:
    """The ledger holds what arrived and the fee; paired moves net to nothing."""
    await import_texts(FILES)
    rows = await context.store.read(lambda c: load_ledger(c, context.caller.owner).rows)
    moves = [row for row in rows if row[PEER] and not row[COUNTS]]
    fees = [row[AMOUNT] for row in rows if row[PEER] and row[COUNTS]]

    assert sum(row[AMOUNT] for row in moves) == 0
    assert fees == [-15_00, -15_00]
    assert len({row[ACCOUNT] for row in moves}) == 2


async def test_a_rejected_pair_has_no_fee(context: Context, import_texts: Import) -> None:
    """Its rows are as they were, whole, and with the word taken back the fee is there again."""
    await import_texts(FILES)
    (pair, _) = await transfers(context)
    await decide_transfer(context, TransferVerdict(id=pair.id, verdict="reject"))
    assert [wire.splits is None for wire in await _wires(context)] == [True, False]

    await decide_transfer(context, TransferVerdict(id=pair.id, verdict="auto"))
    assert await spent(context) == 70_00
