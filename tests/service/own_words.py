"""What tests say of single transactions, and how they ask what came of it."""

from typing import Any

from finplan.model.transaction import SplitPart, Transaction, TransactionQuery, TransactionWord
from finplan.service.context import Context
from finplan.service.transactions import change_transaction, list_transactions


async def all_rows(context: Context, **which: Any) -> list[Transaction]:
    """Every row, or those of a filter."""
    return list(
        (await list_transactions(context, TransactionQuery(limit=500, **which))).transactions
    )


async def the_row(context: Context, raw: str, **which: Any) -> Transaction:
    """The one row in whose text something stands."""
    (found,) = [row for row in await all_rows(context, **which) if raw in row.raw]
    return found


async def say(context: Context, row: Transaction, **word: Any) -> Transaction:
    """Say something of a row; `splits` are pairs of an amount and a category."""
    if word.get("splits") is not None:
        word["splits"] = tuple(
            part if isinstance(part, SplitPart) else SplitPart(amount=part[0], category=part[1])
            for part in word["splits"]
        )
    return await change_transaction(context, TransactionWord(id=row.id, **word))


NOTHING = {"category": None, "note": None, "splits": None}
"""What takes a word back whole."""
