"""The tools about single transactions."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated

from pydantic import Field

from finplan.categorise.catalogue import UNKNOWN
from finplan.daemon.surfaces.mcp.tools.household_accounts import enters_totals, read_accounts
from finplan.daemon.surfaces.mcp.tools.names import (
    SomeNames,
    SomePayees,
    account_ids,
    categories_of,
    find_categories,
    labels_of,
)
from finplan.daemon.surfaces.mcp.tools.periods import PeriodPhrase, read_days
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    days_said,
    lines,
    listed,
    quoted,
    sentence,
)
from finplan.model.account import AccountRecord
from finplan.model.base import Amount, Day, Whole, Wire
from finplan.model.figures import money
from finplan.model.filters import RowSize
from finplan.model.transaction import (
    ReasonSource,
    SplitPart,
    Transaction,
    TransactionPage,
    TransactionQuery,
)
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import LIST_TRANSACTIONS


class RowsQuestion(Wire):
    """Which transactions, newest first."""

    period: PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None
    text: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="Words in the row's text or payee."),
    ] = None
    category: Annotated[SomeNames, Field(description="Names or ids.")] = ()
    merchant: Annotated[SomePayees, Field(description="Names or keys.")] = ()
    account: Annotated[SomeNames, Field(description="Names or ids.")] = ()
    min_amount: Annotated[RowSize | None, Field(description="Minor units, in or out.")] = None
    max_amount: RowSize | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 20
    cursor: Annotated[str | None, Field(description="The nextCursor of the page before.")] = None


class RowAccount(Wire):
    """An account that rows of a page are on, and whether these enter totals."""

    name: str
    currency: str
    in_totals: bool


class PartTold(Wire):
    """One part of a transaction, and what it is for."""

    amount: Amount
    category: str
    note: str | None


def parts_told(splits: Iterable[SplitPart]) -> tuple[PartTold, ...]:
    """The parts of a transaction as agents are told them."""
    return tuple(
        PartTold(amount=part.amount, category=part.category, note=part.note) for part in splits
    )


class RowTold(Wire):
    """One row; `amount` is positive when money comes in, in the currency of its account."""

    id: str
    date: date
    payee: str
    raw: str
    amount: Amount
    category: str
    account_id: str
    pending: bool
    why: ReasonSource


class SaidOfRow(Wire):
    """What the person said of a row beside its category."""

    note: str | None
    splits: tuple[PartTold, ...] | None


class RowsTold(Wire):
    """A page of rows, and whether there are more; `accounts` and `labels` are of their ids.

    `words` are of the rows alone that the person said something of.
    """

    understood: str | None
    since: Annotated[date | None, Field(alias="from")]
    until: Annotated[date | None, Field(alias="to")]
    count: Whole
    transactions: tuple[RowTold, ...]
    accounts: dict[str, RowAccount]
    labels: dict[str, str]
    words: dict[str, SaidOfRow]
    next_cursor: str | None


async def list_transactions(call: Call, ask: RowsQuestion) -> RowsTold:
    """A page of transactions. Raises BadRequest with near matches for what is not there."""
    since, until, understood = await read_days(call, ask.period, ask.since, ask.until)
    known = await categories_of(call)
    currency = (await call.settings()).currency
    categories = find_categories(known, ask.category)
    accounts = await account_ids(call, ask.account)
    if categories and not accounts and UNKNOWN.issuperset(categories):
        # Nobody is asked about a row that enters no total, such as the interest that a loan charges.
        accounts = (await read_accounts(call, currency)).counted
    page: TransactionPage = await call.ask(
        LIST_TRANSACTIONS,
        TransactionQuery(
            since=since,
            until=until,
            text=ask.text,
            category=categories,
            merchant=ask.merchant,
            account=accounts,
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
            category=row.category,
            account_id=row.account_id,
            pending=row.pending,
            why=row.why.source,
        )
        for row in page.transactions
    )
    words = {
        row.id: SaidOfRow(
            note=row.note, splits=None if row.splits is None else parts_told(row.splits)
        )
        for row in page.transactions
        if row.note is not None or row.splits is not None
    }
    return RowsTold(
        understood=understood,
        since=since,
        until=until,
        count=len(rows),
        transactions=rows,
        accounts=await _accounts(call, page.transactions, currency),
        labels=labels_of(
            known,
            (
                *(row.category for row in rows),
                *(part.category for word in words.values() for part in word.splits or ()),
            ),
        ),
        words=words,
        next_cursor=page.next_cursor,
    )


async def _accounts(
    call: Call, rows: Iterable[Transaction], currency: str
) -> dict[str, RowAccount]:
    on = {row.account_id for row in rows}
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS) if on else ()
    return {
        record.account.id: RowAccount(
            name=record.account.name,
            currency=record.currency,
            in_totals=enters_totals(record, currency),
        )
        for record in records
        if record.account.id in on
    }


MOST_TEXT = 120
"""How many characters of a statement's text are told."""


def _say(told: RowsTold, _currency: str) -> str:
    meant = f" ({told.understood})" if told.understood else days_said(told.since, told.until)
    more = "; more with cursor" if told.next_cursor else ""
    return lines(
        f"{counted(told.count, 'row')}, newest first{meant}{more}."
        " For sums ask query_spending: rows are a page.",
        listed(_said(row, told) for row in told.transactions),
    )


_NOTHING_SAID = SaidOfRow(note=None, splits=None)


def _said(row: RowTold, told: RowsTold) -> str:
    account = told.accounts[row.account_id]
    currency = account.currency
    word = told.words.get(row.id, _NOTHING_SAID)
    note = f", note {quoted(word.note)}" if word.note else ""
    what_for = _parts(word.splits, told, currency) if word.splits else told.labels[row.category]
    where = "" if account.in_totals else f", on {quoted(account.name)}, in no total"
    if where and row.category in UNKNOWN and not word.splits:
        what_for = ""
    return (
        f"{row.date} {quoted(row.payee)} {money(row.amount, currency)}{_after(what_for)}{where}"
        f"{', pending' if row.pending else ''}{note} [{row.id}]"
    )


def _after(what_for: str) -> str:
    return f", {sentence(what_for)}" if what_for else ""


def _parts(splits: Iterable[PartTold], told: RowsTold, currency: str) -> str:
    parts = (f"{money(each.amount, currency)} {told.labels[each.category]}" for each in splits)
    return f"split into {', '.join(parts)}"


TRANSACTIONS = Tool(
    "list_transactions",
    "Find transactions",
    "Single rows, newest first, by days, words, category, merchant, account or size. For totals use"
    " query_spending.",
    RowsQuestion,
    RowsTold,
    (LIST_TRANSACTIONS, LIST_CATEGORIES, LIST_ACCOUNT_RECORDS),
    "reads",
    list_transactions,
    _say,
)
