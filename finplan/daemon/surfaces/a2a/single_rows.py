"""Answers made of single rows: purchases by their size, or the largest."""

from datetime import date

from finplan.daemon.surfaces.a2a.household import KnownHousehold
from finplan.daemon.surfaces.a2a.told import PurchasesTold
from finplan.daemon.surfaces.mcp.tools.names import read_accounts
from finplan.daemon.surfaces.mcp.tools.spending_question import MOST_SHOWN
from finplan.daemon.surfaces.mcp.tools.spending_rows import find_largest
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.daemon.surfaces.mcp.tools.transactions import MOST_TEXT, RowTold
from finplan.daemon.surfaces.mcp.tools.wording import quoted
from finplan.model.spending import MoneyFilter
from finplan.model.transaction import Transaction
from finplan.model.words.spending import NO_ROWS, beyond_rows
from finplan.questions.question import SpokenQuestion, UnclearQuestion


async def answer_purchases(
    call: Call, question: SpokenQuestion, known: KnownHousehold
) -> PurchasesTold:
    """Find the purchases of a size, or the largest; what shops gave back is none of them.

    Raises UnclearQuestion where there are no rows, and BadRequest for more of them than one answer looks
    through.
    """
    told_since, told_until = _days_told(question, known)
    since, until = question.days
    size = question.size
    bought = await find_largest(
        call,
        MoneyFilter(
            since=since,
            until=until,
            category=tuple(each.value for each in question.categories),
            merchant=tuple(each.value for each in question.merchants),
        ),
        known.categories,
        await read_accounts(call, known.currency),
        (None, None) if size is None else (size.least, size.most),
    )
    if question.measure is not None and question.measure.kind == "largest":
        bought = bought[: question.measure.most]
    return PurchasesTold(
        since=told_since,
        until=told_until,
        understood=question.told(quoted),
        beyond_rows=beyond_rows(told_since, told_until, known.recorded),
        total=sum(spent for spent, _ in bought),
        count=len(bought),
        transactions=tuple(_row_told(row, -spent) for spent, row in bought[:MOST_SHOWN]),
    )


def _days_told(question: SpokenQuestion, known: KnownHousehold) -> tuple[date, date]:
    """The days of an answer: where the question leaves them open, those of the rows.

    Raises UnclearQuestion where there are no rows.
    """
    if known.recorded is None:
        raise UnclearQuestion(NO_ROWS)
    since, until = question.days
    first, last = known.recorded.since, known.recorded.until
    since, until = since or min(first, until or first), until or max(last, since or last)
    return since, until


def _row_told(row: Transaction, amount: int) -> RowTold:
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
