"""The tool that answers spending questions with exact totals."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import category_ids
from finplan.daemon.surfaces.mcp.tools.periods import read_days
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted, sentence
from finplan.model.base import Amount, Day, Month, Whole, Wire
from finplan.model.category import CategoryChoice, PayeeName
from finplan.model.figures import money
from finplan.model.filters import RowFilter
from finplan.model.spending import (
    Grouping,
    SpendingMonths,
    SpendingMonthsQuery,
    SpendingQuery,
    SpendingReport,
)
from finplan.model.words.spending import beyond_rows
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import QUERY_SPENDING, QUERY_SPENDING_MONTHS

PeriodPhrase = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        description="Days in words instead of from and to: last month, 2026-Q3, ytd, last 90 days,"
        " march to may, this pay period.",
    ),
]
CategoryWord = Annotated[str, Field(min_length=1, max_length=80)]


class SpendingQuestion(Wire):
    """Which spending, of which days, and how to arrange it."""

    period: PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None
    group_by: Annotated[Grouping | None, Field(description="Left out: one total.")] = None
    by_month: Annotated[bool, Field(description="Each category or merchant month by month.")] = (
        False
    )
    category: Annotated[
        tuple[CategoryWord, ...], Field(max_length=50, description="Names or ids.")
    ] = ()
    merchant: Annotated[
        tuple[PayeeName, ...], Field(max_length=50, description="Names or keys.")
    ] = ()
    limit: Annotated[int, Field(ge=1, le=100, description="Most groups.")] = 20


class SpentGroup(Wire):
    """One group's exact total, positive when money went out; `totals` by month where asked."""

    key: str
    label: str
    total: Amount
    count: Whole
    totals: tuple[Amount, ...] | None = None


class LeftOutGroups(Wire):
    """The groups beyond the limit, together: with them the groups add up to the total."""

    groups: Whole
    total: Amount
    count: Whole


class SpendingTold(Wire):
    """Exact totals; the groups and what is left out add up to the total.

    `notSpending` are the categories of the question that are no spending: nothing of them is in it.
    """

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str | None
    beyond_rows: str | None
    group_by: Grouping | None
    total: Amount
    count: Whole
    months: tuple[Month, ...] | None = None
    totals: tuple[Amount, ...] | None = None
    groups: tuple[SpentGroup, ...]
    left_out: LeftOutGroups | None
    not_spending: tuple[str, ...] = ()


async def query_spending(call: Call, ask: SpendingQuestion) -> SpendingTold:
    """Exact totals of what was spent. Raises BadRequest with near matches for what is not there."""
    told = await _totals(call, ask)
    if not ask.category:
        return told
    choices: tuple[CategoryChoice, ...] = await call.ask(LIST_CATEGORIES)
    asked = await category_ids(call, ask.category)
    return told.model_copy(
        update={
            "not_spending": tuple(
                each.label
                for each in choices
                if each.category in asked and each.line == "not_spending"
            )
        }
    )


async def _totals(call: Call, ask: SpendingQuestion) -> SpendingTold:
    since, until, understood = await read_days(call, ask.period, ask.since, ask.until)
    narrowed = RowFilter(
        since=since,
        until=until,
        category=await category_ids(call, ask.category),
        merchant=ask.merchant,
    ).model_dump()
    if ask.by_month and ask.group_by != "month":
        grouping = ask.group_by or "category"
        asked = SpendingMonthsQuery.model_validate({"group_by": grouping, **narrowed})
        table: SpendingMonths = await call.ask(QUERY_SPENDING_MONTHS, asked)
        most = min(ask.limit, max(1, MOST_CELLS // max(1, len(table.months))))
        return _of_months(table, most, understood)
    question = SpendingQuery.model_validate({"group_by": ask.group_by, **narrowed})
    report: SpendingReport = await call.ask(QUERY_SPENDING, question)
    return _of_report(report, ask.limit, understood)


MOST_CELLS = 1000
"""How many amounts a table of months has, so that an answer stays short; the rest is told in one."""


def _of_report(report: SpendingReport, limit: int, understood: str | None) -> SpendingTold:
    # Months are in order, and none of them may be missing from the middle of a year.
    most = len(report.groups) if report.group_by == "month" else limit
    groups = [
        SpentGroup(key=each.key, label=each.label, total=each.total, count=each.count)
        for each in report.groups
    ]
    return SpendingTold(
        since=report.since,
        until=report.until,
        understood=understood,
        beyond_rows=beyond_rows(report.since, report.until, report.recorded),
        group_by=report.group_by,
        total=report.total,
        count=report.count,
        groups=tuple(groups[:most]),
        left_out=_left_out(groups[most:]),
    )


def _of_months(table: SpendingMonths, limit: int, understood: str | None) -> SpendingTold:
    groups = [
        SpentGroup(
            key=each.key, label=each.label, total=each.total, count=each.count, totals=each.totals
        )
        for each in table.groups
    ]
    return SpendingTold(
        since=table.since,
        until=table.until,
        understood=understood,
        beyond_rows=beyond_rows(table.since, table.until, table.recorded),
        group_by=table.group_by,
        total=table.total,
        count=sum(each.count for each in groups),
        months=table.months,
        totals=table.totals,
        groups=tuple(groups[:limit]),
        left_out=_left_out(groups[limit:]),
    )


def _left_out(groups: list[SpentGroup]) -> LeftOutGroups | None:
    if not groups:
        return None
    return LeftOutGroups(
        groups=len(groups),
        total=sum(each.total for each in groups),
        count=sum(each.count for each in groups),
    )


def _say(told: SpendingTold, currency: str) -> str:
    rest = told.left_out
    return lines(
        f"Spent {money(told.total, currency)} in {counted(told.count, 'row')},"
        f" {told.since} to {told.until}.",
        told.beyond_rows,
        listed(_said(each, told, currency) for each in told.groups),
        None
        if rest is None
        else f"- {counted(rest.groups, 'more group')}: {money(rest.total, currency)}",
        *_months_said(told, currency),
        f"{', '.join(map(sentence, told.not_spending))} is no spending, so nothing of it is in this:"
        " list_transactions finds its rows."
        if told.not_spending
        else None,
    )


def _months_said(told: SpendingTold, currency: str) -> Iterable[str]:
    """What each month of a table comes to; those of each group are beside the text."""
    if told.months is None or told.totals is None:
        return
    yield "All of it by month (each group's months are its `totals`):"
    yield listed(
        f"{month}: {money(total, currency)}"
        for month, total in zip(told.months, told.totals, strict=True)
    )


def _said(group: SpentGroup, told: SpendingTold, currency: str) -> str:
    label = group.label if told.group_by == "month" else quoted(group.label)
    return f"{label}: {money(group.total, currency)}"


QUERY = Tool(
    "query_spending",
    "Ask about spending",
    "Exact totals of what was spent, after category rules and refunds: in all, or by category, merchant"
    " or month. Transfers between own accounts are no spending. Never add up rows yourself.",
    SpendingQuestion,
    SpendingTold,
    (QUERY_SPENDING, QUERY_SPENDING_MONTHS),
    "reads",
    query_spending,
    _say,
)
