"""The tools about single transactions."""

from datetime import date
from typing import Annotated

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import category_ids
from finplan.daemon.surfaces.mcp.tools.periods import read_days
from finplan.daemon.surfaces.mcp.tools.spending import CategoryWord, PeriodPhrase
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted
from finplan.model.base import Amount, Day, Whole, Wire
from finplan.model.category import PayeeName
from finplan.model.figures import money
from finplan.model.filters import RowSize
from finplan.model.transaction import ReasonSource, TransactionPage, TransactionQuery
from finplan.operations.household import LIST_TRANSACTIONS


class RowsQuestion(Wire):
    """Which transactions, newest first."""

    period: PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None
    text: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="Words in the row's text or payee."),
    ] = None
    category: Annotated[
        tuple[CategoryWord, ...], Field(max_length=50, description="Names or ids.")
    ] = ()
    merchant: Annotated[
        tuple[PayeeName, ...], Field(max_length=50, description="Names or keys.")
    ] = ()
    account: Annotated[tuple[str, ...], Field(max_length=50, description="Ids.")] = ()
    min_amount: Annotated[RowSize | None, Field(description="Minor units, in or out.")] = None
    max_amount: RowSize | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 20
    cursor: Annotated[str | None, Field(description="The nextCursor of the page before.")] = None


class RowTold(Wire):
    """One row; `amount` is positive when money comes in."""

    id: str
    date: date
    payee: str
    raw: str
    amount: Amount
    currency: str
    category: str
    account_id: str
    pending: bool
    why: ReasonSource


class RowsTold(Wire):
    """A page of rows, and whether there are more."""

    understood: str | None
    count: Whole
    transactions: tuple[RowTold, ...]
    next_cursor: str | None


async def list_transactions(call: Call, ask: RowsQuestion) -> RowsTold:
    """A page of transactions. Raises BadRequest with near matches for what is not there."""
    since, until, understood = await read_days(call, ask.period, ask.since, ask.until)
    page: TransactionPage = await call.ask(
        LIST_TRANSACTIONS,
        TransactionQuery(
            since=since,
            until=until,
            text=ask.text,
            category=await category_ids(call, ask.category),
            merchant=ask.merchant,
            account=ask.account,
            min_amount=ask.min_amount,
            max_amount=ask.max_amount,
            limit=ask.limit,
            cursor=ask.cursor,
        ),
    )
    rows = tuple(
        RowTold(
            id=row.id,
            date=row.date,
            payee=row.payee,
            raw=row.raw[:MOST_TEXT],
            amount=row.amount,
            currency=row.currency,
            category=row.category,
            account_id=row.account_id,
            pending=row.pending,
            why=row.why.source,
        )
        for row in page.transactions
    )
    return RowsTold(
        understood=understood,
        count=len(rows),
        transactions=rows,
        next_cursor=page.next_cursor,
    )


MOST_TEXT = 120
"""How many characters of a statement's text are told."""


def _say(told: RowsTold, _currency: str) -> str:
    meant = f" ({told.understood})" if told.understood else ""
    more = "; more with cursor" if told.next_cursor else ""
    return lines(
        f"{counted(told.count, 'row')}, newest first{meant}{more}."
        " For sums ask query_spending: rows are a page.",
        listed(
            f"{row.date} {quoted(row.payee)} {money(row.amount, row.currency)}, {row.category}"
            + (", pending" if row.pending else "")
            for row in told.transactions
        ),
    )


TRANSACTIONS = Tool(
    "list_transactions",
    "Find transactions",
    "Single rows, newest first, by days, words, category, merchant, account or size. For totals use"
    " query_spending.",
    RowsQuestion,
    RowsTold,
    (LIST_TRANSACTIONS,),
    "reads",
    list_transactions,
    _say,
)
