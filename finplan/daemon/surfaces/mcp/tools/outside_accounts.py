"""What accounts that enter no total charged or received: loans, investments, hidden ones."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from finplan.daemon.surfaces.mcp.tools.asked_money import AskedMoney
from finplan.daemon.surfaces.mcp.tools.money_rows import MoneyRow, read_all_rows
from finplan.daemon.surfaces.mcp.tools.money_shapes import MoneyGrouping, SpentGroup
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted
from finplan.model.errors import BadRequest
from finplan.model.spending import RecordedDays, SpendingReport
from finplan.model.transaction import Transaction, TransactionQuery


class OutsideRows(NamedTuple):
    """The accounts' own rows of some days, the largest first, and the report of what they come to."""

    report: SpendingReport
    rows: tuple[MoneyRow, ...]


async def read_outside(call: Call, asked: AskedMoney, report: SpendingReport) -> OutsideRows:
    """Read the accounts' own rows, transfers left out; `report` is that of the totals they are not in.

    Raises BadRequest for an account in another currency than sums are in.
    """
    narrowed = TransactionQuery(
        merchant=asked.filter.merchant, account=asked.filter.account, pending=False
    )
    rows = await read_all_rows(call, narrowed)
    if not rows:
        return OutsideRows(report, ())
    strange = next((row.currency for row in rows if row.currency != asked.currency), None)
    if strange is not None:
        raise BadRequest(
            f"{', '.join(map(quoted, asked.outside))} is in {strange}, and sums are in {asked.currency}."
            " `finplan transactions` lists its rows."
        )
    recorded = RecordedDays(
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
    key_of: Mapping[MoneyGrouping, Callable[[Transaction], str]] = {
        "category": lambda row: row.category,
        "merchant": lambda row: row.payee_key,
        "month": lambda row: f"{row.date:%Y-%m}",
        "account": lambda row: row.account_id,
    }
    sums: dict[str, list[MoneyRow]] = {}
    for each in rows:
        sums.setdefault(key_of[group_by](each.row), []).append(each)
    groups = [
        SpentGroup(
            key=key,
            label=some[0].row.payee if group_by == "merchant" else labels.get(key, key),
            total=sum(each.amount for each in some),
            count=len(some),
        )
        for key, some in sums.items()
    ]
    if group_by == "month":
        return sorted(groups, key=lambda each: each.key)
    return sorted(groups, key=lambda each: (-each.total, each.key))
