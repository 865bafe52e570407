"""Single transactions and what of each is asked for: all of them, and the largest first."""

from collections.abc import Iterable
from typing import NamedTuple

from finplan.daemon.surfaces.mcp.tools.household_accounts import HouseholdAccounts
from finplan.daemon.surfaces.mcp.tools.names import KnownCategories
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.errors import BadRequest
from finplan.model.spending import MoneyFilter
from finplan.model.transaction import LARGEST_PAGE, Transaction, TransactionPage, TransactionQuery
from finplan.operations.transaction import LIST_TRANSACTIONS

MOST_PAGES = 40
"""How many pages of rows are looked through for one answer: 20,000 rows."""


class MoneyRow(NamedTuple):
    """A transaction, and what of it is asked for: positive, whichever way the money went."""

    amount: int
    row: Transaction


async def read_all_rows(call: Call, narrowed: TransactionQuery) -> list[Transaction]:
    """Read every page of some rows. Raises BadRequest for more than one answer looks through."""
    rows: list[Transaction] = []
    asked = narrowed.model_copy(update={"limit": LARGEST_PAGE})
    for _ in range(MOST_PAGES):
        page: TransactionPage = await call.ask(LIST_TRANSACTIONS, asked)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        asked = asked.model_copy(update={"cursor": page.next_cursor})
    raise BadRequest(
        f"There are more than {MOST_PAGES * LARGEST_PAGE:,} rows to look through: name fewer days."
    )


async def find_largest(
    call: Call,
    narrowed: MoneyFilter,
    categories: KnownCategories,
    accounts: HouseholdAccounts,
    sizes: tuple[int | None, int | None] = (None, None),
) -> list[MoneyRow]:
    """The rows of a filter that spent or earned money, on accounts that enter totals, largest first.

    `sizes` are the least and the most. What shops gave back is no purchase, and a payment that was
    reversed no income.
    """
    wanted = narrowed.category or categories.all_of(narrowed.flow)
    counted = [each for each in accounts.counted if each in (narrowed.account or accounts.counted)]
    least, most = sizes
    rows = await read_all_rows(
        call,
        TransactionQuery(
            since=narrowed.since,
            until=narrowed.until,
            category=wanted,
            merchant=narrowed.merchant,
            account=tuple(counted),
            min_amount=least,
            max_amount=most,
            pending=False,
        ),
    )
    sign = 1 if narrowed.flow == "income" else -1
    sized = [
        MoneyRow(amount, row)
        for row in rows
        if (amount := sign * _amount_in(row, frozenset(wanted))) > 0
    ]
    return sorted(sized, key=lambda each: (each.amount, each.row.date, each.row.id), reverse=True)


def _amount_in(row: Transaction, categories: frozenset[str]) -> int:
    """What of a row is in some categories: of a split one its parts there."""
    parts: Iterable[tuple[int, str]] = [(row.amount, row.category)]
    if row.splits:
        parts = [(part.amount, part.category) for part in row.splits]
    return sum(amount for amount, category in parts if category in categories)
