"""The skill: a question in words, read with the names that the person knows, and its exact answer."""

import asyncio
from dataclasses import dataclass

from finplan.daemon.surfaces.mcp.tools.periods import today_and_paydays
from finplan.daemon.surfaces.mcp.tools.spending import (
    QUERY,
    SpendingQuestion,
    SpendingTold,
    query_spending,
)
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import lines, listed, quoted, sentence
from finplan.model.category import CategoryChoice
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.model.spending import SpendingQuery, SpendingReport
from finplan.operations.household import QUERY_SPENDING
from finplan.operations.planning import LIST_CATEGORIES
from finplan.questions.names import KnownNames
from finplan.questions.question import SpokenQuestion, UnclearQuestion
from finplan.questions.reading import read_question
from finplan.questions.replying import read_reply

_IN_ITS_PLACE = "Reply in this task with what is meant, or with the whole question."
_WHOLE = "Reply in this task with the whole question."


@dataclass(frozen=True, slots=True)
class SpendingAnswer:
    """What a question came to: in words, and as the tool of MCP tells it."""

    text: str
    told: SpendingTold
    currency: str


async def answer_question(call: Call, text: str, asked: str | None) -> SpendingAnswer:
    """Answer a question, or a reply to one that was `asked` and unclear.

    Raises UnclearQuestion, in whole sentences, where any of it is not understood or cannot be answered.
    """
    try:
        question = await _read(call, text, asked)
    except UnclearQuestion as unclear:
        how = _WHOLE if unclear.stretch is None else _IN_ITS_PLACE
        raise UnclearQuestion(f"{unclear} {how}", unclear.stretch, unclear.near) from None
    try:
        told = await query_spending(call, _in_fields(question))
    except BadRequest as refusal:
        raise UnclearQuestion(f"{sentence(refusal.message)} {_WHOLE}") from None
    told = told.model_copy(update={"understood": question.told(quoted)})
    currency = (await call.settings()).currency
    return SpendingAnswer(_in_words(told, currency), told, currency)


async def _read(call: Call, text: str, asked: str | None) -> SpokenQuestion:
    today, pay = await today_and_paydays(call, f"{asked or ''} {text}")
    choices: tuple[CategoryChoice, ...] = await call.ask(LIST_CATEGORIES)
    paid: SpendingReport = await call.ask(QUERY_SPENDING, SpendingQuery(group_by="merchant"))
    known = KnownNames.of(choices, (each.label for each in paid.groups))
    # A long sentence is looked at in many stretches, which must not hold up what others ask.
    if asked is None:
        return await asyncio.to_thread(read_question, text, known, today, pay)
    return await asyncio.to_thread(read_reply, text, asked, known, today, pay)


def _in_fields(question: SpokenQuestion) -> SpendingQuestion:
    since, until = question.days
    return SpendingQuestion(
        since=since,
        until=until,
        group_by=question.group_by,
        by_month=question.by_month,
        category=tuple(each.value for each in question.categories),
        merchant=tuple(each.value for each in question.merchants),
    )


def _in_words(told: SpendingTold, currency: str) -> str:
    return lines(
        f"Understood: {told.understood}.",
        QUERY.say(told, currency),
        _month_by_month(told, currency),
    )


def _month_by_month(told: SpendingTold, currency: str) -> str | None:
    """The months of each group, which the tool leaves to its data."""
    if told.months is None:
        return None
    return lines(
        "Month by month:",
        listed(
            f"{quoted(group.label)}: "
            + ", ".join(
                f"{month} {money(total, currency)}"
                for month, total in zip(told.months, group.totals or (), strict=True)
            )
            for group in told.groups
        ),
    )
