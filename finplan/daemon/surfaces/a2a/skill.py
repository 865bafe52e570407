"""The skill: a question in words, read with the names that the person knows, and its exact answer."""

import asyncio
from dataclasses import dataclass, replace

from finplan.daemon.surfaces.a2a.household import KnownHousehold, know_household
from finplan.daemon.surfaces.a2a.saying import said_answer, said_comparison, said_mean
from finplan.daemon.surfaces.a2a.single_rows import answer_purchases
from finplan.daemon.surfaces.a2a.sums import answer_income, answer_mean, answer_sum
from finplan.daemon.surfaces.a2a.told import AnyTold, ComparisonTold, MeanTold, PlainTold
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.wording import quoted, sentence
from finplan.model.errors import BadRequest
from finplan.questions.question import (
    SpokenComparison,
    SpokenMeasure,
    SpokenQuestion,
    UnclearQuestion,
)
from finplan.questions.reading import read_question
from finplan.questions.replying import read_reply

_IN_ITS_PLACE = "Reply in this task with what is meant, or with the whole question."
_WHOLE = "Reply in this task with the whole question."


@dataclass(frozen=True, slots=True)
class SpendingAnswer:
    """What a question came to: in words, and as data."""

    text: str
    told: AnyTold
    currency: str


async def answer_question(call: Call, text: str, asked: str | None) -> SpendingAnswer:
    """Answer a question, or a reply to one that was `asked` and unclear.

    Raises UnclearQuestion, in whole sentences, where any of it is not understood or cannot be answered.
    """
    known = await know_household(call, f"{asked or ''} {text}")
    try:
        question = await _read(known, text, asked)
    except UnclearQuestion as unclear:
        how = _WHOLE if unclear.stretch is None else _IN_ITS_PLACE
        raise UnclearQuestion(f"{unclear} {how}", unclear.stretch, unclear.near) from None
    try:
        if isinstance(question, SpokenComparison):
            return await _compared(call, question, known)
        told = await _answered(call, question, known)
    except (BadRequest, UnclearQuestion) as refusal:
        why = refusal.message if isinstance(refusal, BadRequest) else str(refusal)
        raise UnclearQuestion(f"{sentence(why)} {_WHOLE}") from None
    said = said_answer(told, question, known, await _mean_beside(call, question, known))
    return SpendingAnswer(said, told, known.currency)


async def _read(
    known: KnownHousehold, text: str, asked: str | None
) -> SpokenQuestion | SpokenComparison:
    names, today, pay = known.names, known.today, known.paydays
    # A long sentence is looked at in many stretches, which must not hold up what others ask.
    if asked is None:
        return await asyncio.to_thread(read_question, text, names, today, pay)
    return await asyncio.to_thread(read_reply, text, asked, names, today, pay)


async def _mean_beside(call: Call, question: SpokenQuestion, known: KnownHousehold) -> str | None:
    """The mean of a month, where `per month` may ask for it; None where no month is whole."""
    if not question.per_month:
        return None
    try:
        measured = replace(question, group_by=None, measure=SpokenMeasure("mean", "month"))
        mean = await answer_mean(call, measured, "month")
        # The answer itself has said already what the rows do not reach.
        return said_mean(mean.model_copy(update={"beyond_rows": None}), known.currency)
    except BadRequest:
        return None


async def _compared(
    call: Call, question: SpokenComparison, known: KnownHousehold
) -> SpendingAnswer:
    first = await _answered(call, question.first, known)
    second = await _answered(call, question.second, known)
    told = ComparisonTold(
        understood=question.told(quoted),
        first=first,
        second=second,
        difference=_figure(first) - _figure(second),
    )
    return SpendingAnswer(said_comparison(told, question, known), told, known.currency)


async def _answered(call: Call, question: SpokenQuestion, known: KnownHousehold) -> PlainTold:
    measure = question.measure
    if measure is not None and measure.unit is not None:
        return await answer_mean(call, question, measure.unit)
    if question.subject == "income":
        return await answer_income(call, question, known)
    largest = measure is not None and measure.kind == "largest" and question.group_by is None
    if largest or question.size is not None:
        return await answer_purchases(call, question, known)
    return await answer_sum(call, question)


def _figure(told: PlainTold) -> int:
    return told.mean if isinstance(told, MeanTold) else told.total
