"""Answers made of sums: totals and groups as the tool of MCP tells them, and means."""

from dataclasses import replace
from datetime import date, timedelta

from finplan.daemon.surfaces.a2a.household import KnownHousehold
from finplan.daemon.surfaces.a2a.single_rows import answer_income, days_told
from finplan.daemon.surfaces.a2a.told import MeanTold
from finplan.daemon.surfaces.mcp.tools.spending import (
    SpendingQuestion,
    SpendingTold,
    query_spending,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted
from finplan.model.money import half_even
from finplan.model.words.spending import NO_ROWS, beyond_rows
from finplan.periods.spans import SpokenPeriod, unit_of
from finplan.questions.question import SpokenQuestion, UnclearQuestion


async def answer_sum(call: Call, question: SpokenQuestion) -> SpendingTold:
    """The tool's own answer; words for a part of a category are answered merchant by merchant."""
    since, until = question.days
    group_by = question.group_by
    if group_by is None and question.parts and question.measure is None:
        group_by = "merchant"
    largest = question.measure is not None and question.measure.kind == "largest"
    told = await query_spending(
        call,
        SpendingQuestion(
            since=since,
            until=until,
            group_by=group_by,
            by_month=question.by_month,
            category=tuple(each.value for each in question.categories),
            merchant=tuple(each.value for each in question.merchants),
            limit=question.measure.most if largest and question.measure else 20,
        ),
    )
    if largest and group_by == "month" and question.measure:
        # Months come in their order, all of them: the largest are taken out of these.
        most = sorted(told.groups, key=lambda each: -each.total)[: question.measure.most]
        told = told.model_copy(update={"groups": tuple(most)})
    return told.model_copy(update={"understood": question.told(quoted)})


async def answer_mean(call: Call, question: SpokenQuestion, known: KnownHousehold) -> MeanTold:
    """The mean of whole units within what is asked for and within the rows, or of purchases.

    Raises UnclearQuestion where there is no whole one.
    """
    assert question.measure is not None
    assert question.measure.unit is not None
    unit = question.measure.unit
    since, until = days_told(question, known)
    units = 0
    if unit != "purchase":
        since, until, units = _whole_units(unit, since, until, known)
    narrowed = _within(question, since, until)
    if question.subject == "income":
        income = await answer_income(call, narrowed, known)
        total, count = income.total, income.count
    else:
        spent = await answer_sum(call, narrowed)
        total, count = spent.total, spent.count
    units = units if unit != "purchase" else count
    if units == 0:
        raise UnclearQuestion(
            "There is no row of it in these days, and so no mean. Name other days, or `all time`."
        )
    return MeanTold(
        since=since,
        until=until,
        understood=question.told(quoted),
        beyond_rows=beyond_rows(*days_told(question, known), known.recorded),
        unit=unit,
        units=units,
        mean=half_even(total, units),
        total=total,
        count=count,
    )


def _whole_units(
    unit: str, since: date, until: date, known: KnownHousehold
) -> tuple[date, date, int]:
    """The first and last day of the whole units within some days and the rows, and how many they are.

    A unit that is not over yet is no whole one. Raises UnclearQuestion where there is none.
    """
    if known.recorded is None:
        raise UnclearQuestion(NO_ROWS)
    begin = max(since, known.recorded.since)
    end = min(until, known.recorded.until, known.today - timedelta(1))
    first = unit_of(unit, begin)
    if first.first < begin:
        first = unit_of(unit, begin, 1)
    count, last = 0, first
    while last.last <= end:
        count, last = count + 1, unit_of(unit, last.last + timedelta(1))
    if count == 0:
        raise UnclearQuestion(
            f"There is no whole {unit} in these days that is over and that rows reach, and so no mean of"
            " one. Name more days, a shorter unit, or ask for the sum."
        )
    return first.first, last.first - timedelta(1), count


def _within(question: SpokenQuestion, since: date, until: date) -> SpokenQuestion:
    """A question as the sum of some days."""
    return replace(question, period=SpokenPeriod(since, until), measure=None, parts=())
