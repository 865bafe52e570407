"""Spending by category or merchant and by month: one table whose lines and columns add up exactly."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from sqlalchemy import Connection

from finplan.model.errors import BadRequest
from finplan.model.spending import MOST_MONTHS, SpendingMonths, SpendingMonthsQuery
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.ledger.inference import read_inferred
from finplan.service.spending.asked import AskedSpending, month_name, read_question
from finplan.store.queries import spending as sums


class _Cell(NamedTuple):
    """What one group's rows of one month come to, positive when money went out."""

    total: int
    rows: int


_Table = dict[str, dict[int, _Cell]]
"""The cells by group and by month, YYYYMM; a cell that is not there has no rows."""

_NOTHING = _Cell(0, 0)


async def query_spending_months(context: Context, query: SpendingMonthsQuery) -> SpendingMonths:
    """Add up the person's spending by group and month, as `query_spending` adds each of them up.

    Raises BadRequest for more months than a table has.
    """
    return await read_inferred(context, partial(_months, asker=context.asker, query=query))


def _months(connection: Connection, asker: Asker, query: SpendingMonthsQuery) -> SpendingMonths:
    asked = read_question(connection, asker, query)
    months = asked.months()
    if len(months) > MOST_MONTHS:
        raise BadRequest(
            f"{asked.since} to {asked.until} are {len(months):,} months; a table has {MOST_MONTHS:,}"
            " at most. Ask for fewer, with `from` and `to`."
        )
    if query.group_by == "category":
        table = _by_category(connection, asked)
        labels: Mapping[str, str] = {key: asked.catalogue[key].label for key in table}
    else:
        table, labels = _by_merchant(connection, asked)
    return _arranged(asked, query, months, table, labels)


def _by_category(connection: Connection, asked: AskedSpending) -> _Table:
    table: _Table = defaultdict(dict)
    for out, into, month, paid in sums.by_categories_and_month(connection, asked.span):
        _add(table, out, month, paid.inflow - paid.total, paid.rows - paid.inflows)
        _add(table, into, month, -paid.inflow, paid.inflows)
    for each in sums.corrections(connection, asked.span, by_month=True):
        _add(table, each.category, each.month, -each.total, each.rows)
    return {key: cells for key, cells in table.items() if key in asked.wanted}


def _by_merchant(connection: Connection, asked: AskedSpending) -> tuple[_Table, Mapping[str, str]]:
    table: _Table = defaultdict(dict)
    names: dict[str, str] = {}
    keys: dict[int, str] = {}
    paid = sums.by_payee_and_month(connection, asked.span)
    for number, key, name, out, into, month, total, rows, inflow, inflows in paid:
        names[key], keys[number] = name, key
        if out in asked.wanted:
            _add(table, key, month, inflow - total, rows - inflows)
        if into in asked.wanted:
            _add(table, key, month, -inflow, inflows)
    for each in sums.corrections_within(
        connection, asked.span, asked.wanted, by_payee=True, by_month=True
    ):
        _add(table, keys[each.payee], each.month, -each.total, each.rows)
    return table, names


def _arranged(
    asked: AskedSpending,
    query: SpendingMonthsQuery,
    months: list[int],
    table: _Table,
    labels: Mapping[str, str],
) -> SpendingMonths:
    """The groups that have rows, the largest total first and by key where these are equal."""
    groups = []
    for key, cells in table.items():
        count = sum([cell.rows for cell in cells.values()])
        if count:
            totals = [asked.sign * cells.get(month, _NOTHING).total for month in months]
            groups.append((-sum(totals), key, tuple(totals), count))
    groups.sort(key=lambda group: group[:2])
    return SpendingMonths.model_validate(
        {
            "since": asked.since,
            "until": asked.until,
            "recorded": asked.recorded,
            "group_by": query.group_by,
            "months": tuple(map(month_name, months)),
            "totals": tuple(
                sum([totals[place] for _, _, totals, _ in groups]) for place in range(len(months))
            ),
            "total": -sum([total for total, _, _, _ in groups]),
            "groups": tuple(
                {
                    "key": key,
                    "label": labels[key],
                    "totals": totals,
                    "total": -total,
                    "count": count,
                }
                for total, key, totals, count in groups
            ),
        }
    )


def _add(table: _Table, key: str, month: int, total: int, rows: int) -> None:
    before = table[key].get(month, _NOTHING)
    table[key][month] = _Cell(before.total + total, before.rows + rows)
