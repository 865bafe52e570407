"""The tool that answers questions of money out and money in with exact totals.

Means are of whole units of the calendar, within what is asked for and within the rows.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any, NamedTuple

from finplan.categorise.catalogue import UNFILED, UNKNOWN
from finplan.daemon.surfaces.mcp.tools import wording
from finplan.daemon.surfaces.mcp.tools.names import categories_of, today_of
from finplan.daemon.surfaces.mcp.tools.spending_question import (
    AskedMoney,
    SpendingQuestion,
    find_money,
)
from finplan.daemon.surfaces.mcp.tools.spending_rows import (
    MoneyRow,
    OutsideRows,
    find_largest,
    group_rows,
    read_outside,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, ToolReply
from finplan.model import transaction
from finplan.model.errors import BadRequest
from finplan.model.money import half_even
from finplan.model.spending import LargestRow, LeftOutGroups, SpendingTold, SpentGroup
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import LIST_TRANSACTIONS, QUERY_SPENDING, QUERY_SPENDING_MONTHS
from finplan.periods.grammar import unit_of
from finplan.views import spending as spending_view


class WholeUnits(NamedTuple):
    """The first and last day of some whole units, and their number."""

    since: date
    until: date
    number: int


def whole_units(
    unit: str, since: date, until: date, recorded: transaction.RecordedDays | None, today: date
) -> WholeUnits:
    """The whole units within some days and the rows; one that is not over yet is none.

    Raises BadRequest where there is none.
    """
    if recorded is None:
        raise BadRequest(spending_view.NO_ROWS)
    begin = max(since, recorded.since)
    end = min(until, recorded.until, today - timedelta(1))
    first = unit_of(unit, begin)
    if first.first < begin:
        first = unit_of(unit, begin, 1)
    count, last = 0, first
    while last.last <= end:
        count, last = count + 1, unit_of(unit, last.last + timedelta(1))
    if count == 0:
        raise BadRequest(
            f"These days contain no complete past {unit} with data, so an average per {unit} is not"
            " possible."
            " Use more days or a shorter unit, or ask for the sum."
        )
    return WholeUnits(first.first, last.first - timedelta(1), count)


MOST_CELLS = 1000
"""How many amounts a table of months has, so that an answer stays short; the rest is told in one."""


async def reply_spending(call: Call, ask: SpendingQuestion) -> ToolReply[SpendingTold]:
    """As `query_spending`, and in words."""
    answer = await query_spending(call, ask)
    return ToolReply(answer, wording.write_text(spending_view.brief(answer, await call.how())))


async def query_spending(call: Call, ask: SpendingQuestion) -> SpendingTold:
    """Exact totals of what was spent or earned.

    Raises BadRequest with near matches for what is not there, and for ways that exclude each other.
    """
    _check(ask)
    asked = await _money_meant(call, ask)
    if ask.mean is not None:
        told = await _mean(call, asked, ask)
    elif ask.largest is not None:
        told = await _largest(call, asked, ask.largest)
    else:
        told = await _totals(call, asked, ask)
        if asked.flow == "income" and not (ask.category or asked.outside):
            told = await _with_unfiled(call, asked, told)
    return told.model_copy(
        update={
            "understood": asked.understood,
            "flow": asked.flow,
            "not_spending": asked.not_spending,
            "outside_totals": asked.outside,
            "notes": asked.notes,
        }
    )


async def _money_meant(call: Call, ask: SpendingQuestion) -> AskedMoney:
    """What a question names, or what else it must mean where there is nothing of that.

    A payee or an account may only have brought money, and the rows of a loan are in no category.
    """
    asked = await find_money(call, ask)
    named = bool(ask.category or ask.left_out)
    meant = [asked]
    if named and asked.outside:
        meant += [asked.of_no_category(flow) for flow in _flows(ask)]
    elif not named and (ask.account or any(ask.plain_filters.values())):
        meant += [asked.of_flow(flow) for flow in _flows(ask)]
    for each in meant if len(meant) > 1 else ():
        if await _has_rows(call, each):
            return each
    return asked


def _flows(ask: SpendingQuestion) -> tuple[transaction.MoneyFlow, ...]:
    return ("spending", "income") if ask.flow is None else (ask.flow,)


async def _has_rows(call: Call, asked: AskedMoney) -> bool:
    return (await _read_report(call, asked)).report.count > 0


async def _read_report(call: Call, asked: AskedMoney) -> OutsideRows:
    """One total of what is asked for; its single rows where they are of accounts outside all totals."""
    report = await _ask_sums(call, asked.filter)
    return await read_outside(call, asked, report) if asked.outside else OutsideRows(report, ())


def _check(ask: SpendingQuestion) -> None:
    """Raise BadRequest for ways of arranging an answer that exclude each other."""
    if ask.largest is not None and (ask.group_by or ask.by_month or ask.mean):
        raise BadRequest(
            "`largest` lists single transactions. Remove `mean`, `byMonth` and `groupBy`. For the"
            " largest groups use `groupBy` with `limit`."
        )
    if ask.mean is not None and (ask.group_by or ask.by_month):
        raise BadRequest(
            "`mean` is one average. Remove `groupBy` and `byMonth`, and ask for one category at a time."
        )


async def _totals(call: Call, asked: AskedMoney, ask: SpendingQuestion) -> SpendingTold:
    if asked.outside:
        return await _outside(call, asked, ask)
    if ask.group_by == "account":
        return await _by_account(call, asked, ask)
    if ask.by_month and ask.group_by != "month":
        by = ask.group_by or "category"
        question = transaction.SpendingMonthsQuery.of(asked.filter, group_by=by)
        table: transaction.SpendingMonths = await call.ask(QUERY_SPENDING_MONTHS, question)
        return _of_months(await _without_future(call, table), ask.limit)
    return await _past(call, await _ask_sums(call, asked.filter, ask.group_by), ask.limit)


async def _ask_sums(
    call: Call, narrowed: transaction.MoneyFilter, group_by: transaction.Grouping | None = None
) -> transaction.SpendingReport:
    question = transaction.SpendingQuery.of(narrowed, group_by=group_by)
    report: transaction.SpendingReport = await call.ask(QUERY_SPENDING, question)
    return report


async def _past(call: Call, report: transaction.SpendingReport, limit: int) -> SpendingTold:
    """A report as it is told: without months that are yet to come."""
    groups = [*map(SpentGroup.of, report.groups)]
    if report.group_by != "month":
        return _make_answer(report, groups, limit)
    # Months are in order, and none of them may be missing from the middle of a year.
    newest = await _newest_month(call, report)
    groups = [each for each in groups if each.key <= newest]
    return _make_answer(report, groups, len(groups))


def _make_answer(
    report: transaction.SpendingReport | transaction.SpendingMonths,
    groups: Sequence[SpentGroup],
    most: int,
    **more: Any,
) -> SpendingTold:
    return SpendingTold.of(
        report,
        understood=None,
        beyond_rows=spending_view.beyond_rows(report.since, report.until, report.recorded),
        groups=tuple(groups[:most]),
        left_out=_left_out(groups[most:]),
        **more,
    )


async def _newest_month(
    call: Call, told: transaction.SpendingReport | transaction.SpendingMonths
) -> str:
    """The last month that has begun or that rows reach; months after it are yet to come."""
    newest = told.until
    if told.recorded is not None and told.until > told.recorded.until:
        newest = max(told.recorded.until, await today_of(call))
    return f"{newest:%Y-%m}"


async def _without_future(
    call: Call, table: transaction.SpendingMonths
) -> transaction.SpendingMonths:
    """A table without the months that are yet to come."""
    newest = await _newest_month(call, table)
    past = sum(month <= newest for month in table.months)
    groups = tuple(each.model_copy(update={"totals": each.totals[:past]}) for each in table.groups)
    cut = {"months": table.months[:past], "totals": table.totals[:past], "groups": groups}
    return table.model_copy(update=cut)


def _of_months(table: transaction.SpendingMonths, limit: int) -> SpendingTold:
    groups = [*map(SpentGroup.of, table.groups)]
    most = min(limit, max(1, MOST_CELLS // max(1, len(table.months))))
    return _make_answer(table, groups, most, count=sum(each.count for each in groups))


async def _by_account(call: Call, asked: AskedMoney, ask: SpendingQuestion) -> SpendingTold:
    """Sums of each account that enters totals, by month where asked, the largest first."""
    assert asked.accounts is not None
    within: transaction.Grouping | None = "month" if ask.by_month else None
    whole = await _past(call, await _ask_sums(call, asked.filter, within), ask.limit)
    groups = []
    for key in asked.filter.account or asked.accounts.counted:
        one = asked.filter.model_copy(update={"account": (key,)})
        sums = await _past(call, await _ask_sums(call, one, within), ask.limit)
        if sums.count:
            by_month = tuple(each.total for each in sums.groups) if ask.by_month else None
            label = asked.accounts.names[key]
            groups.append(
                SpentGroup(
                    key=key, label=label, total=sums.total, count=sums.count, totals=by_month
                )
            )
    groups.sort(key=lambda each: (-each.total, each.key))
    months = {
        "months": tuple(each.key for each in whole.groups),
        "totals": tuple(each.total for each in whole.groups),
    }
    return whole.model_copy(
        update={
            "group_by": "account",
            "groups": tuple(groups[: ask.limit]),
            "left_out": _left_out(groups[ask.limit :]),
            **(months if ask.by_month else {}),
        }
    )


async def _outside(call: Call, asked: AskedMoney, ask: SpendingQuestion) -> SpendingTold:
    """Sums of the own transactions of accounts that enter no total."""
    assert asked.accounts is not None
    if ask.by_month:
        raise BadRequest(
            "Totals exclude this account, so `byMonth` is unavailable. Use `groupBy` month."
        )
    report, rows = await _read_report(call, asked)
    labels = asked.accounts.names
    if ask.group_by == "category":
        known = asked.categories or await categories_of(call)
        labels = {**known, **dict.fromkeys(UNKNOWN, "No category")}
    groups = group_rows(rows, ask.group_by, labels)
    most = len(groups) if ask.group_by == "month" else ask.limit
    return _make_answer(report, groups, most, group_by=ask.group_by)


async def _mean(call: Call, asked: AskedMoney, ask: SpendingQuestion) -> SpendingTold:
    """The mean of whole units within what is asked for and within the rows, or of purchases."""
    assert ask.mean is not None
    report, _ = await _read_report(call, asked)
    since, until, units = report.since, report.until, 0
    if ask.mean != "purchase":
        today = await today_of(call)
        since, until, units = whole_units(ask.mean, since, until, report.recorded, today)
    within = asked.filter.model_copy(update={"since": since, "until": until})
    told = await _totals(call, replace(asked, filter=within), ask)
    units = units if ask.mean != "purchase" else told.count
    if units == 0:
        raise BadRequest(
            "No matching transactions in these days, so an average is not possible. Use other "
            "days, or `all"
            " time`."
        )
    return told.model_copy(
        update={
            "mean": half_even(told.total, units),
            "unit": ask.mean,
            "units": units,
            "beyond_rows": spending_view.beyond_rows(report.since, report.until, report.recorded),
        }
    )


async def _largest(call: Call, asked: AskedMoney, most: int) -> SpendingTold:
    """The largest single transactions of what is asked for."""
    assert asked.accounts is not None
    assert asked.categories is not None
    rows: Sequence[MoneyRow]
    report, rows = await _read_report(call, asked)
    if not asked.outside:
        rows = await find_largest(call, asked.filter, asked.categories, asked.accounts)
    labels, names = asked.categories, asked.accounts.names
    largest = tuple(
        LargestRow.of(
            row,
            amount=amount,
            category="" if asked.outside and row.category in UNKNOWN else labels[row.category],
            account=names.get(row.account_id, row.account_id),
        )
        for amount, row in rows[:most]
    )
    total = sum(each.amount for each in largest)
    return _make_answer(
        report, (), 0, group_by=None, total=total, count=len(largest), largest=largest
    )


async def _with_unfiled(call: Call, asked: AskedMoney, told: SpendingTold) -> SpendingTold:
    """An answer with the money in that is in no category yet."""
    unfiled = asked.filter.model_copy(update={"category": (UNFILED,)})
    report = await _ask_sums(call, unfiled)
    return told.model_copy(update={"unfiled": report.total, "unfiled_count": report.count})


def _left_out(groups: Sequence[SpentGroup]) -> LeftOutGroups | None:
    if not groups:
        return None
    return LeftOutGroups(
        groups=len(groups),
        total=sum(each.total for each in groups),
        count=sum(each.count for each in groups),
    )


QUERY = Tool(
    "query_spending",
    "Ask about spending and income",
    "Exact sums of spending or income, after category rules and refunds: one total, or by category,"
    " merchant, tag, month or account. Can also return averages and the largest transactions."
    " Excludes transfers. Never add up transactions yourself.",
    (
        QUERY_SPENDING,
        QUERY_SPENDING_MONTHS,
        LIST_TRANSACTIONS,
        LIST_CATEGORIES,
        LIST_ACCOUNT_RECORDS,
    ),
    "reads",
    reply_spending,
)
