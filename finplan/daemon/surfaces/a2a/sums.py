"""Answers made of sums: totals, income and means, as the tool of MCP tells them."""

from finplan.daemon.surfaces.a2a.household import KnownHousehold
from finplan.daemon.surfaces.a2a.told import IncomeTold, MeanTold
from finplan.daemon.surfaces.mcp.tools.spending import query_spending
from finplan.daemon.surfaces.mcp.tools.spending_question import SpendingQuestion, SpendingTold
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted
from finplan.model.words.spending import NO_ROWS
from finplan.questions.question import SpokenQuestion, UnclearQuestion
from finplan.questions.signs import MeanUnit

MOST_GROUPS = 100
"""How many payers or categories of income are told one by one."""


async def answer_sum(call: Call, question: SpokenQuestion) -> SpendingTold:
    """The tool's own answer; words for a part of a category are answered merchant by merchant."""
    group_by = question.group_by
    if group_by is None and question.parts and question.measure is None:
        group_by = "merchant"
    largest = question.measure is not None and question.measure.kind == "largest"
    told = await query_spending(
        call,
        _asked(
            question,
            group_by=group_by,
            by_month=question.by_month,
            limit=question.measure.most if largest and question.measure else 20,
        ),
    )
    if largest and group_by == "month" and question.measure:
        # Months come in their order, all of them: the largest are taken out of these.
        most = sorted(told.groups, key=lambda each: -each.total)[: question.measure.most]
        told = told.model_copy(update={"groups": tuple(most)})
    return told.model_copy(update={"understood": question.told(quoted)})


async def answer_income(call: Call, question: SpokenQuestion, known: KnownHousehold) -> IncomeTold:
    """The tool's own answer of what came in, by category where nothing else is asked for.

    Raises UnclearQuestion where there are no rows.
    """
    if known.recorded is None:
        raise UnclearQuestion(NO_ROWS)
    group_by = question.group_by or "category"
    told = await query_spending(call, _asked(question, group_by=group_by, limit=MOST_GROUPS))
    return IncomeTold(
        group_by=group_by,
        since=told.since,
        until=told.until,
        understood=question.told(quoted),
        beyond_rows=told.beyond_rows,
        total=told.total,
        count=told.count,
        groups=told.groups,
        unfiled=told.unfiled,
        unfiled_count=told.unfiled_count,
    )


async def answer_mean(call: Call, question: SpokenQuestion, unit: MeanUnit) -> MeanTold:
    """The mean of whole units, or of purchases. Raises BadRequest where there is no whole one."""
    told = await query_spending(call, _asked(question, mean=unit))
    assert told.mean is not None
    assert told.units is not None
    return MeanTold(
        since=told.since,
        until=told.until,
        understood=question.told(quoted),
        beyond_rows=told.beyond_rows,
        unit=unit,
        units=told.units,
        mean=told.mean,
        total=told.total,
        count=told.count,
    )


def _asked(question: SpokenQuestion, **more: object) -> SpendingQuestion:
    """A question in words as the tool takes it."""
    since, until = question.days
    return SpendingQuestion.model_validate(
        {
            "since": since,
            "until": until,
            "flow": question.subject,
            "category": tuple(each.value for each in question.categories),
            "merchant": tuple(each.value for each in question.merchants),
            **more,
        }
    )
