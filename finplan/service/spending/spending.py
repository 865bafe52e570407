"""Exact answers to spending questions: sums from the store, arranged into groups that add up."""

from collections.abc import Iterable
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection

from finplan.model.spending import SpendingQuery, SpendingReport
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.ledger.inference import read_inferred
from finplan.service.spending.asked import month_name, read_question
from finplan.service.spending.report import SortableSums, most_first, report_of
from finplan.store.queries import spending as sums

_Group = TypeVar("_Group", str, int)

_Totals = dict[_Group, tuple[int, int]]
"""Total (positive out) and row count by group: a category, a month YYYYMM or the number of a payee."""

_NOTHING = (0, 0)


async def query_spending(context: Context, query: SpendingQuery) -> SpendingReport:
    """Add up the person's spending; the groups always add up to the total."""
    return await read_inferred(context, partial(_report, asker=context.asker, query=query))


def _report(connection: Connection, asker: Asker, query: SpendingQuery) -> SpendingReport:
    asked = read_question(connection, asker, query)
    span, wanted = asked.span, asked.wanted
    if query.group_by == "category":
        spent = _by_category(connection, span, wanted)
        groups = most_first(
            (-asked.sign * total, key, asked.catalogue[key].label, rows)
            for key, (total, rows) in spent.items()
        )
    elif query.group_by == "merchant":
        groups = most_first(
            (asked.sign * total, key, name, rows)
            for total, key, name, rows in _by_merchant(connection, span, wanted)
        )
    else:
        everything = not query.category and query.flow == "spending"
        totals = _by_month(connection, span, wanted, everything=everything)
        groups = []
        for month in asked.months():
            total, rows = totals.get(month, _NOTHING)
            groups.append((month_name(month), month_name(month), asked.sign * total, rows))
    report = report_of(asked.since, asked.until, query.group_by, groups)
    return report.model_copy(update={"recorded": asked.recorded})


def _by_month(
    connection: Connection, span: sums.Span, wanted: frozenset[str], *, everything: bool
) -> _Totals[int]:
    totals: _Totals[int] = {}
    if everything:
        # Most rows are spending, so those that are not are taken off all of them.
        for row in sums.by_month(connection, span):
            _add(totals, row.month, -row.total, row.rows)
        for row in sums.filed_by_month(connection, span, sorted(wanted), elsewhere=True):
            _add(totals, row.month, row.total, -row.rows)
    else:
        for row in sums.filed_by_month(connection, span, sorted(wanted)):
            _add(totals, row.month, -row.total, row.rows)
    for each in sums.corrections_within(connection, span, wanted, by_month=True):
        _add(totals, each.month, -each.total, each.rows)
    return totals


def _by_category(connection: Connection, span: sums.Span, wanted: frozenset[str]) -> _Totals[str]:
    totals: _Totals[str] = {}
    for row in sums.by_category(connection, span):
        total, rows, inflow, inflows = row.sums
        _add(totals, row.category_out, inflow - total, rows - inflows)
        _add(totals, row.category_in, -inflow, inflows)
    for each in sums.corrections(connection, span):
        _add(totals, each.category, -each.total, each.rows)
    return {key: sum_ for key, sum_ in totals.items() if key in wanted and sum_[1]}


def _by_merchant(
    connection: Connection, span: sums.Span, wanted: frozenset[str]
) -> list[SortableSums]:
    # All payees are read first: the few that the corrections look up are at hand then.
    paid = sums.by_payee(connection, span)
    moved = _moved_by_merchant(sums.corrections_within(connection, span, wanted, by_payee=True))
    groups: list[SortableSums] = []
    for number, key, name, out, into, total, count, inflow, inflows in paid:
        # What is spent is money out, so its sum on statements is negative.
        earned = rows = 0
        if out in wanted:
            earned, rows = total - inflow, count - inflows
        if into in wanted:
            earned, rows = earned + inflow, rows + inflows
        # Few merchants have rows that are filed elsewhere than their payee.
        if number in moved:
            more = moved[number]
            earned, rows = earned + more[0], rows + more[1]
        if rows:
            groups.append((earned, key, name, rows))
    return groups


def _moved_by_merchant(corrections: Iterable[sums.SumCorrection]) -> _Totals[int]:
    """What each merchant's sum and rows are off by, signed as on statements."""
    moved: _Totals[int] = {}
    for number, _, _, total, rows in corrections:
        _add(moved, number, total, rows)
    return moved


def _add(totals: _Totals[_Group], key: _Group, total: int, count: int) -> None:
    before = totals.get(key, _NOTHING)
    totals[key] = (before[0] + total, before[1] + count)
