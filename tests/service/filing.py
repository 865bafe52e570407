"""Making categories and adding up what is in them, for tests."""

from typing import Any

from finplan.model.category import BudgetLine, CategoryChoice, NewCategory
from finplan.model.transaction import SpendingQuery
from finplan.service.categories import create_category
from finplan.service.context import Context
from finplan.service.spending import query_spending


async def make(
    context: Context,
    name: str,
    line: BudgetLine = "discretionary",
    *payees: str,
    reimbursable: bool = False,
) -> CategoryChoice:
    ask = NewCategory(name=name, line=line, reimbursable=reimbursable, payee_keys=payees)
    return (await create_category(context, ask)).answer.category


async def spent(context: Context, **query: Any) -> dict[str, int]:
    """The totals by group, which must be the same money in every grouping."""
    report = await query_spending(context, SpendingQuery(**{"group_by": "category", **query}))
    for grouping in ("merchant", "month", None):
        other = await query_spending(context, SpendingQuery(**{**query, "group_by": grouping}))
        assert (other.total, other.count) == (report.total, report.count)
    assert report.total == sum(group.total for group in report.groups)
    return {group.label: group.total for group in report.groups}
