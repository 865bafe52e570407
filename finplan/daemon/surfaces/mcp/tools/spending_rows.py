"""The transactions that a question about money asks for: all, the largest, and those outside totals.

Accounts that enter no total are loans, investments and hidden ones: what they charged or received.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from finplan.daemon.surfaces.mcp.tools.names import HouseholdAccounts, KnownCategories
from finplan.daemon.surfaces.mcp.tools.spending_question import AskedMoney
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted
from finplan.model import transaction
from finplan.model.errors import BadRequest
from finplan.model.spending import MoneyGrouping, SpentGroup
from finplan.operations.transaction import LIST_TRANSACTIONS

MOST_PAGES = 40
"""How many pages of rows are looked through for one answer: 20,000 rows."""


class MoneyRow(NamedTuple):
    """A transaction, and what of it is asked for: positive, whichever way the money went."""

    amount: int
    row: transaction.Transaction


async def read_all_rows(
    call: Call, narrowed: transaction.TransactionQuery
) -> list[transaction.Transaction]:
    """Read every page of some rows. Raises BadRequest for more than one answer looks through."""
    rows: list[transaction.Transaction] = []
    asked = narrowed.model_copy(update={"limit": transaction.LARGEST_PAGE})
    for _ in range(MOST_PAGES):
        page: transaction.TransactionPage = await call.ask(LIST_TRANSACTIONS, asked)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        asked = asked.model_copy(update={"cursor": page.next_cursor})
    raise BadRequest(
        f"More than {MOST_PAGES * transaction.LARGEST_PAGE:,} transactions match. Use fewer days."
    )


async def find_largest(
    call: Call,
    narrowed: transaction.MoneyFilter,
    categories: KnownCategories,
    accounts: HouseholdAccounts,
) -> list[MoneyRow]:
    """The rows of a filter that spent or earned money, on accounts that enter totals, largest first.

    A refund is not a purchase, and a reversed payment is not income.
    """
    wanted = narrowed.category or categories.all_of(narrowed.flow)
    counted = [each for each in accounts.counted if each in (narrowed.account or accounts.counted)]
    rows = await read_all_rows(
        call,
        transaction.TransactionQuery.of(
            narrowed, category=wanted, account=tuple(counted), pending=False
        ),
    )
    sign = 1 if narrowed.flow == "income" else -1
    sized = [
        MoneyRow(amount, row)
        for row in rows
        if (amount := sign * _amount_in(row, frozenset(wanted))) > 0
    ]
    return sorted(sized, key=lambda each: (each.amount, each.row.date, each.row.id), reverse=True)


def _amount_in(row: transaction.Transaction, categories: frozenset[str]) -> int:
    """What of a row is in some categories: of a split one its parts there."""
    parts: Iterable[tuple[int, str]] = [(row.amount, row.category)]
    if row.splits:
        parts = [(part.amount, part.category) for part in row.splits]
    return sum(amount for amount, category in parts if category in categories)


class OutsideRows(NamedTuple):
    """The accounts' own rows of some days, the largest first, and the report of what they come to."""

    report: transaction.SpendingReport
    rows: tuple[MoneyRow, ...]


async def read_outside(
    call: Call, asked: AskedMoney, report: transaction.SpendingReport
) -> OutsideRows:
    """Read the accounts' own rows, transfers left out; `report` is that of the totals they are not in.

    Raises BadRequest for an account in another currency than sums are in.
    """
    narrowed = transaction.TransactionQuery(
        account=asked.filter.account, pending=False, **asked.filter.plain_filters
    )
    rows = await read_all_rows(call, narrowed)
    if not rows:
        return OutsideRows(report, ())
    strange = next((row.currency for row in rows if row.currency != asked.currency), None)
    if strange is not None:
        raise BadRequest(
            f"{', '.join(map(quoted, asked.outside))} is in {strange}, but sums are in {asked.currency}."
            " `finplan transactions` lists the account's transactions."
        )
    recorded = transaction.RecordedDays(
        since=min(row.date for row in rows), until=max(row.date for row in rows)
    )
    since = asked.filter.since or min(recorded.since, asked.filter.until or recorded.since)
    until = asked.filter.until or max(recorded.until, since)
    sign = 1 if asked.flow == "income" else -1
    sized = [
        MoneyRow(sign * row.amount, row)
        for row in rows
        if sign * row.amount > 0 and since <= row.date <= until and row.transfer_id is None
        if not asked.filter.category or row.category in asked.filter.category
    ]
    sized.sort(key=lambda each: (-each.amount, each.row.date, each.row.id))
    sums = {"total": sum(each.amount for each in sized), "count": len(sized)}
    days = {"since": since, "until": until, "recorded": recorded}
    return OutsideRows(report.model_copy(update={**days, **sums}), tuple(sized))


def group_rows(
    rows: Iterable[MoneyRow], group_by: MoneyGrouping | None, labels: Mapping[str, str]
) -> list[SpentGroup]:
    """Add up rows by what they are grouped by: months in their order, else the largest first."""
    if group_by is None:
        return []
    sums: dict[str, list[MoneyRow]] = {}
    for each in rows:
        key = (
            each.row.account_id
            if group_by == "account"
            else transaction.GROUP_KEYS[group_by](each.row)
        )
        sums.setdefault(key, []).append(each)
    groups = [
        SpentGroup(
            key=key,
            label=some[0].row.payee
            if group_by == "merchant"
            else labels.get(key) or transaction.label_of_group(group_by, key),
            total=sum(each.amount for each in some),
            count=len(some),
        )
        for key, some in sums.items()
    ]
    if group_by == "month":
        return sorted(groups, key=lambda each: each.key)
    return sorted(groups, key=lambda each: (-each.total, each.key))
