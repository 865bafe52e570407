"""The skill: a question in words, read with the names that the person knows, and its exact answer.

An answer is made of sums, as the tool of MCP tells them, or of single rows. It is said in words: what
was understood first, then the figures, then what they do not hold.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools import spending_question, wording
from finplan.daemon.surfaces.mcp.tools.names import (
    KnownCategories,
    categories_of,
    read_accounts,
    today_and_paydays,
)
from finplan.daemon.surfaces.mcp.tools.spending import query_spending
from finplan.daemon.surfaces.mcp.tools.spending_rows import find_largest
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.transactions import RowTold, describe_row
from finplan.daemon.surfaces.mcp.tools.wording import quoted, sentence
from finplan.model import figures, transaction
from finplan.model.base import Amount, Whole, Wire
from finplan.model.errors import BadRequest
from finplan.model.spending import SpendingTold
from finplan.operations.transaction import QUERY_SPENDING
from finplan.questions.names import KnownNames
from finplan.questions.question import SpokenQuestion, UnclearQuestion
from finplan.questions.reading import read_question
from finplan.questions.signs import MeanUnit
from finplan.views import spending
from finplan.views.locale import Locale
from finplan.views.page import Labels, Lines


@dataclass(frozen=True, slots=True)
class KnownHousehold:
    """The names of a household, its days of pay, its currency, and the days that its rows reach."""

    names: KnownNames
    categories: KnownCategories
    today: date
    paydays: list[date]
    recorded: transaction.RecordedDays | None

    @property
    def currency(self) -> str:
        """What amounts are in."""
        return self.names.currency


async def know_household(call: Call, words: str) -> KnownHousehold:
    """Look up what a question of some words is read by."""
    today, pay = await today_and_paydays(call, words)
    categories = await categories_of(call)
    paid: transaction.SpendingReport = await call.ask(
        QUERY_SPENDING, transaction.SpendingQuery(group_by="merchant")
    )
    currency = (await call.settings()).currency
    return KnownHousehold(
        KnownNames.of(categories.choices, (each.label for each in paid.groups), currency),
        categories,
        today,
        pay,
        paid.recorded,
    )


_OF_ALL = {"since", "until", "understood", "beyond_rows", "total", "count"}
"""What every answer tells, by the names of the tool's answer."""

_OF_MEAN = {*_OF_ALL, "unit", "units", "mean"}
"""A mean of whole units of the calendar, or of purchases: `total` over `units`, half-even."""

_OF_INCOME = {*_OF_ALL, "group_by", "groups", "unfiled", "unfiled_count"}
"""Income of some days by `groupBy`, positive when money came in; `unfiled` is in no category yet."""


class PurchasesTold(Wire):
    """Single purchases: `count` of them, what they add up to, and the largest as rows."""

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    total: Amount
    count: Whole
    kind: Literal["purchases"] = "purchases"
    transactions: tuple[RowTold, ...]


AnyAnswer = tuple[Mapping[str, Any], Lines]
"""What a question came to: as data, and as lines."""

_WHOLE = "Reply in this task with the whole question."


@dataclass(frozen=True, slots=True)
class SpendingAnswer:
    """What a question came to: in words, and as data."""

    text: str
    told: Mapping[str, Any]
    currency: str


async def answer_question(call: Call, text: str, *, is_reply: bool = False) -> SpendingAnswer:
    """Answer a question, or a reply to one that was unclear, which has to name its days.

    Raises UnclearQuestion, in whole sentences, where any of it is not understood or cannot be answered.
    """
    known = await know_household(call, text)
    try:
        # A long sentence is looked at in many stretches, which must not hold up other requests.
        question = await asyncio.to_thread(
            read_question, text, known.names, known.today, known.paydays
        )
        told, lines = await _answered(call, question, known)
    except (BadRequest, UnclearQuestion) as refusal:
        why = sentence(refusal.message) if isinstance(refusal, BadRequest) else str(refusal)
        raise UnclearQuestion(f"{why} {_WHOLE}") from None
    if is_reply and question.period is None:
        # The days of the question before would be lost, and all days be answered instead.
        raise UnclearQuestion(
            f"For which days? Write `groceries last month`, or `all time`. {_WHOLE}"
        )
    said = (f"Understood: {question.told(quoted)}.", *lines, *_remarks(question))
    return SpendingAnswer(wording.write_text(said), told, known.currency)


async def _answered(call: Call, question: SpokenQuestion, known: KnownHousehold) -> AnyAnswer:
    measure = question.measure
    if measure is not None and measure.unit is not None:
        return await answer_mean(call, question, measure.unit)
    if question.subject == "income":
        return await answer_income(call, question, known)
    if measure is not None and measure.kind == "largest" and question.group_by is None:
        return await answer_purchases(call, question, known)
    return await answer_sum(call, question)


MOST_GROUPS = 100
"""How many payers or categories of income are told one by one."""


async def answer_sum(call: Call, question: SpokenQuestion) -> AnyAnswer:
    """The tool's own answer; words for a part of a category are answered merchant by merchant."""
    group_by, measure = question.group_by, question.measure
    if group_by is None and question.parts and measure is None:
        group_by = "merchant"
    largest = measure is not None and measure.kind == "largest"
    most = measure.most if largest and measure else 20
    asked = _asked_of_tool(question, group_by=group_by, by_month=question.by_month, limit=most)
    told = await query_spending(call, asked)
    if largest and group_by == "month":
        # Months come in their order, all of them: the largest are taken out of these.
        groups = sorted(told.groups, key=lambda each: -each.total)[:most]
        told = told.model_copy(update={"groups": tuple(groups)})
    rows = f"{figures.count(told.count, 'transaction')}, including refunds."
    how = await call.how()
    lines = (
        rows if measure is not None and measure.kind == "count" else None,
        *spending.brief(told, how),
        *spending.brief_months(told, how),
    )
    return _as_data(told, question), lines


def _as_data(
    told: SpendingTold, question: SpokenQuestion, only: set[str] | None = None, **more: str
) -> Mapping[str, Any]:
    """The tool's answer as data, or `only` some of it, with what was understood of the question."""
    understood = told.model_copy(update={"understood": question.told(quoted), **more})
    return understood.model_dump(mode="json", by_alias=True, include=only)


async def answer_income(call: Call, question: SpokenQuestion, known: KnownHousehold) -> AnyAnswer:
    """The tool's own answer of what came in, by category where nothing else is asked for.

    Raises UnclearQuestion where there are no rows.
    """
    if known.recorded is None:
        raise UnclearQuestion(spending.NO_ROWS)
    group_by = question.group_by or "category"
    asked = _asked_of_tool(question, group_by=group_by, limit=MOST_GROUPS)
    told = await query_spending(call, asked)
    income = _as_data(told, question, _OF_INCOME, group_by=group_by)
    return {**income, "kind": "income"}, await _figures(call, told)


async def answer_mean(call: Call, question: SpokenQuestion, unit: MeanUnit) -> AnyAnswer:
    """The mean of whole units, or of purchases. Raises BadRequest where there is no whole one."""
    told = await query_spending(call, _asked_of_tool(question, mean=unit))
    mean = {**_as_data(told, question, _OF_MEAN), "kind": "mean"}
    return mean, await _figures(call, told)


async def _figures(call: Call, told: SpendingTold) -> Lines:
    """An answer without remarks on what was named, which the question has of its own."""
    bare = told.model_copy(update={"notes": (), "not_spending": ()})
    return spending.brief(bare, await call.how())


def _asked_of_tool(question: SpokenQuestion, **more: object) -> spending_question.SpendingQuestion:
    """A question in words as the tool takes it."""
    since, until = question.days
    return spending_question.SpendingQuestion.model_validate(
        {
            "since": since,
            "until": until,
            "flow": question.subject,
            "category": tuple(each.value for each in question.categories),
            "merchant": tuple(each.value for each in question.merchants),
            **more,
        }
    )


async def answer_purchases(
    call: Call, question: SpokenQuestion, known: KnownHousehold
) -> AnyAnswer:
    """Find the largest purchases; refunds are not among them.

    Raises UnclearQuestion where there are no rows, and BadRequest for more of them than one answer looks
    through.
    """
    told_since, told_until = _describe_days(question, known)
    since, until = question.days
    bought = await find_largest(
        call,
        transaction.MoneyFilter(
            since=since,
            until=until,
            category=tuple(each.value for each in question.categories),
            merchant=tuple(each.value for each in question.merchants),
        ),
        known.categories,
        await read_accounts(call, known.currency),
    )
    if question.measure is not None and question.measure.kind == "largest":
        bought = bought[: question.measure.most]
    told = PurchasesTold(
        since=told_since,
        until=told_until,
        understood=question.told(quoted),
        beyond_rows=spending.beyond_rows(told_since, told_until, known.recorded),
        total=sum(spent for spent, _ in bought),
        count=len(bought),
        transactions=tuple(
            describe_row(row, amount=-spent)
            for spent, row in bought[: spending_question.MOST_SHOWN]
        ),
    )
    lines = _purchases(told, known.categories, await call.how())
    return told.model_dump(mode="json", by_alias=True), lines


def _purchases(told: PurchasesTold, labels: Labels, how: Locale) -> Lines:
    """Single purchases, a line each."""
    yield (
        f"{figures.count(told.count, 'purchase')}: {how.money(told.total)}, {told.since} to"
        f" {told.until}. Largest first, without refunds."
    )
    yield told.beyond_rows
    for row in told.transactions:
        label = labels.get(row.category, row.category)
        yield spending.brief_purchase(row.date, row.payee, how.money(-row.amount), label)
    more = told.count - len(told.transactions)
    yield f"- {figures.count(more, 'more purchase')}" if more else None


def _describe_days(question: SpokenQuestion, known: KnownHousehold) -> tuple[date, date]:
    """The days of an answer: where the question leaves them open, those of the rows.

    Raises UnclearQuestion where there are no rows.
    """
    if known.recorded is None:
        raise UnclearQuestion(spending.NO_ROWS)
    since, until = question.days
    first, last = known.recorded.since, known.recorded.until
    since, until = since or min(first, until or first), until or max(last, since or last)
    return since, until


def _remarks(question: SpokenQuestion) -> list[str]:
    parts = [spending_question.describe_part(words, label) for words, label in question.parts]
    beside = [
        f"{quoted(each.label)} is also a merchant. To ask about the merchant, write `merchant` "
        "before the name."
        for each in question.beside
    ]
    return [*parts, *beside]
