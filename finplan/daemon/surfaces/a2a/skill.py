"""The skill: a question in words, read with the names that the person knows, and its exact answer.

An answer is made of sums, as the tool of MCP tells them, or of single rows. It is said in words: what
was understood first, then the figures, then what they do not hold.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools import spending_question
from finplan.daemon.surfaces.mcp.tools.names import (
    KnownCategories,
    categories_of,
    read_accounts,
    today_and_paydays,
)
from finplan.daemon.surfaces.mcp.tools.spending import query_spending
from finplan.daemon.surfaces.mcp.tools.spending_rows import find_largest
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.transactions import MOST_TEXT, RowTold
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted, sentence
from finplan.model import transaction
from finplan.model.base import Amount, Whole, Wire
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.operations.transaction import QUERY_SPENDING
from finplan.questions.names import KnownNames
from finplan.questions.question import SpokenQuestion, UnclearQuestion
from finplan.questions.reading import read_question
from finplan.questions.signs import MeanUnit
from finplan.views import plan_words


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


class MeanTold(Wire):
    """A mean of whole units of the calendar, or of purchases: `total` over `units`, half-even."""

    kind: Literal["mean"] = "mean"
    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    unit: MeanUnit
    units: Whole
    mean: Amount
    total: Amount
    count: Whole


class IncomeTold(Wire):
    """Income of some days by `groupBy`, positive when money came in; `unfiled` is in no category yet."""

    kind: Literal["income"] = "income"
    group_by: transaction.Grouping
    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    total: Amount
    count: Whole
    groups: tuple[spending_question.SpentGroup, ...]
    unfiled: Amount
    unfiled_count: Whole


class PurchasesTold(Wire):
    """Single purchases: `count` of them, what they add up to, and the largest as rows."""

    kind: Literal["purchases"] = "purchases"
    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str
    beyond_rows: str | None
    total: Amount
    count: Whole
    transactions: tuple[RowTold, ...]


AnyTold = spending_question.SpendingTold | MeanTold | IncomeTold | PurchasesTold

_WHOLE = "Reply in this task with the whole question."


@dataclass(frozen=True, slots=True)
class SpendingAnswer:
    """What a question came to: in words, and as data."""

    text: str
    told: AnyTold
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
        told = await _answered(call, question, known)
    except (BadRequest, UnclearQuestion) as refusal:
        why = sentence(refusal.message) if isinstance(refusal, BadRequest) else str(refusal)
        raise UnclearQuestion(f"{why} {_WHOLE}") from None
    if is_reply and question.period is None:
        # The days of the question before would be lost, and all days be answered instead.
        raise UnclearQuestion(
            f"For which days? Write `groceries last month`, or `all time`. {_WHOLE}"
        )
    return SpendingAnswer(said_answer(told, question, known), told, known.currency)


async def _answered(call: Call, question: SpokenQuestion, known: KnownHousehold) -> AnyTold:
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


async def answer_sum(call: Call, question: SpokenQuestion) -> spending_question.SpendingTold:
    """The tool's own answer; words for a part of a category are answered merchant by merchant."""
    group_by = question.group_by
    if group_by is None and question.parts and question.measure is None:
        group_by = "merchant"
    largest = question.measure is not None and question.measure.kind == "largest"
    told = await query_spending(
        call,
        _asked_of_tool(
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
        raise UnclearQuestion(plan_words.NO_ROWS)
    group_by = question.group_by or "category"
    told = await query_spending(
        call, _asked_of_tool(question, group_by=group_by, limit=MOST_GROUPS)
    )
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
    told = await query_spending(call, _asked_of_tool(question, mean=unit))
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
) -> PurchasesTold:
    """Find the largest purchases; refunds are not among them.

    Raises UnclearQuestion where there are no rows, and BadRequest for more of them than one answer looks
    through.
    """
    told_since, told_until = _days_told(question, known)
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
    return PurchasesTold(
        since=told_since,
        until=told_until,
        understood=question.told(quoted),
        beyond_rows=plan_words.beyond_rows(told_since, told_until, known.recorded),
        total=sum(spent for spent, _ in bought),
        count=len(bought),
        transactions=tuple(
            _row_told(row, -spent) for spent, row in bought[: spending_question.MOST_SHOWN]
        ),
    )


def _days_told(question: SpokenQuestion, known: KnownHousehold) -> tuple[date, date]:
    """The days of an answer: where the question leaves them open, those of the rows.

    Raises UnclearQuestion where there are no rows.
    """
    if known.recorded is None:
        raise UnclearQuestion(plan_words.NO_ROWS)
    since, until = question.days
    first, last = known.recorded.since, known.recorded.until
    since, until = since or min(first, until or first), until or max(last, since or last)
    return since, until


def _row_told(row: transaction.Transaction, amount: int) -> RowTold:
    return RowTold(
        id=row.id,
        date=row.date,
        payee=row.payee,
        raw=row.raw[:MOST_TEXT],
        amount=amount,
        category=row.category,
        account_id=row.account_id,
        pending=row.pending,
        why=row.why.source,
    )


def said_answer(told: AnyTold, asked: SpokenQuestion, known: KnownHousehold) -> str:
    """An answer as lines, with remarks on its names; foreign text is set apart."""
    return lines(
        f"Understood: {told.understood}.", _said_plain(told, asked, known), *_remarks(asked)
    )


def _said_plain(told: AnyTold, asked: SpokenQuestion, known: KnownHousehold) -> str:
    currency = known.currency
    if isinstance(told, MeanTold):
        return said_mean(told, currency)
    if isinstance(told, IncomeTold):
        return _said_income(told, currency)
    if isinstance(told, PurchasesTold):
        return _said_purchases(told, currency, known.categories)
    counts = asked.measure is not None and asked.measure.kind == "count"
    return lines(
        f"{counted(told.count, 'row')}; money back is a row, too." if counts else None,
        spending_question.say_spending(told, currency),
        _month_by_month(told, currency),
    )


def _month_by_month(told: spending_question.SpendingTold, currency: str) -> str | None:
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


def said_mean(told: MeanTold, currency: str) -> str:
    """A mean in a sentence, with what it is of."""
    days = f"{told.since} to {told.until}"
    return lines(
        spending_question.say_mean(told.mean, told.unit, told.units, told.total, days, currency),
        told.beyond_rows,
    )


def _said_income(told: IncomeTold, currency: str) -> str:
    return lines(
        spending_question.say_income(
            told.total, told.count, f"{told.since} to {told.until}", currency
        ),
        told.beyond_rows,
        listed(spending_question.say_group(each, told.group_by, currency) for each in told.groups),
        spending_question.say_unfiled(told.unfiled, told.unfiled_count, currency)
        if told.unfiled_count
        else None,
    )


def _said_purchases(told: PurchasesTold, currency: str, labels: Mapping[str, str]) -> str:
    more = told.count - len(told.transactions)
    return lines(
        f"{counted(told.count, 'purchase')}, together {money(told.total, currency)}, {told.since} to"
        f" {told.until}; the largest first, money back left out.",
        told.beyond_rows,
        listed(
            spending_question.say_purchase(
                row.date, row.payee, -row.amount, labels.get(row.category, row.category), currency
            )
            for row in told.transactions
        ),
        f"- {counted(more, 'more purchase')}" if more else None,
    )


def _remarks(question: SpokenQuestion) -> list[str]:
    parts = [spending_question.describe_part(words, label) for words, label in question.parts]
    beside = [
        f"{quoted(each.label)} is a merchant, too: write `merchant` before the name for it alone."
        for each in question.beside
    ]
    return [*parts, *beside]
