"""The tools about single transactions: listing them, and keeping the person's word on one.

The word on one is shown as a preview first.
"""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, get_args

from pydantic import Field

from finplan.categorise.catalogue import UNKNOWN
from finplan.daemon.surfaces.mcp.tools import names, wording
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, ToolReply
from finplan.model import transaction
from finplan.model.account import AccountRecord
from finplan.model.base import Amount, PathId, TypedAmount, Whole, Wire
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import CHANGE_TRANSACTION, LIST_TRANSACTIONS, SHOW_TRANSACTION
from finplan.views import transactions as view


class RowsQuestion(names.DaysQuestion, transaction.RowSearch):
    """Which transactions, newest first."""

    text: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="Words in the text, payee or note."),
    ] = None
    category: Annotated[names.SomeNames, Field(description="Names or ids.")] = ()
    merchant: Annotated[names.SomePayees, Field(description="Names or keys.")] = ()
    account: Annotated[names.SomeNames, Field(description="Names or ids.")] = ()
    min_amount: Annotated[
        transaction.RowSize | None, Field(description="Minor units, money in or out.")
    ] = None
    max_amount: transaction.RowSize | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 20
    cursor: Annotated[str | None, Field(description="nextCursor of the previous page.")] = None


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
    why: transaction.ReasonSource


class SaidOfRow(transaction.RowRemarks):
    """What the person said of a row beside its category."""

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


def describe_row(row: transaction.Transaction, amount: int | None = None) -> RowTold:
    """A transaction in the shape for agents; `amount` replaces its own, such as that of a part."""
    return RowTold(
        id=row.id,
        date=row.date,
        payee=row.payee,
        raw=row.raw[:MOST_TEXT],
        amount=row.amount if amount is None else amount,
        category=row.category,
        account_id=row.account_id,
        pending=row.pending,
        why=row.why.source,
    )


MOST_TEXT = 120
"""How many characters of a statement's text are told."""


async def list_transactions(call: Call, ask: RowsQuestion) -> ToolReply[RowsTold]:
    """A page of transactions. Raises BadRequest with near matches for what is not there."""
    since, until, understood = await names.read_days(call, ask)
    known = await names.categories_of(call)
    currency = (await call.settings()).currency
    categories = names.find_categories(known, ask.category)
    accounts = await names.account_ids(call, ask.account)
    if categories and not accounts and UNKNOWN.issuperset(categories):
        # Nobody is asked about a row that enters no total, such as the interest that a loan charges.
        accounts = (await names.read_accounts(call, currency)).counted
    asked = {"since": since, "until": until, "category": categories, "account": accounts}
    page: transaction.TransactionPage = await call.ask(
        LIST_TRANSACTIONS, transaction.TransactionQuery.of(ask, **asked)
    )
    rows = page.transactions
    on = await _accounts_of_rows(call, rows, currency)
    labels = names.labels_of(known, (key for row in rows for key in _categories_of(row)))
    told = RowsTold(
        understood=understood,
        since=since,
        until=until,
        count=len(rows),
        transactions=tuple(map(describe_row, rows)),
        accounts=on,
        labels=labels,
        words={
            row.id: SaidOfRow.of(row, splits=_parts(row))
            for row in rows
            if row.splits or any(transaction.remarks_of(row).values())
        },
        next_cursor=page.next_cursor,
    )
    days = f" ({understood})" if understood else view.days_of(since, until)
    outside = {key: each.name for key, each in on.items() if not each.in_totals}
    return ToolReply(told, wording.write_text(view.brief(page, days, labels, outside, UNKNOWN)))


def _parts(
    word: transaction.Transaction | transaction.TransactionWord,
) -> tuple[PartTold, ...] | None:
    return None if word.splits is None else tuple(map(PartTold.of, word.splits))


def _categories_of(
    word: transaction.Transaction | transaction.TransactionWord,
) -> Iterable[str]:
    parts = tuple(part.category for part in word.splits) if word.splits else ()
    return (word.category, *parts) if word.category else parts


async def _accounts_of_rows(
    call: Call, rows: Iterable[transaction.Transaction], currency: str
) -> dict[str, RowAccount]:
    on = {row.account_id for row in rows}
    records: tuple[AccountRecord, ...] = await call.ask(LIST_ACCOUNT_RECORDS) if on else ()
    return {
        record.account.id: RowAccount(
            name=record.account.name,
            currency=record.currency,
            in_totals=names.enters_totals(record, currency),
        )
        for record in records
        if record.account.id in on
    }


TRANSACTIONS = Tool(
    "list_transactions",
    "Find transactions",
    "List transactions, newest first, filtered by date, text, category, merchant, tag, account or"
    " amount. For totals use query_spending.",
    (LIST_TRANSACTIONS, LIST_CATEGORIES, LIST_ACCOUNT_RECORDS),
    "reads",
    list_transactions,
)


class PartWord(Wire):
    """One part of a transaction that is for several things."""

    amount: Annotated[TypedAmount, Field(description="Same sign as the transaction.")]
    category: Annotated[names.CategoryWord, Field(description="Name or id.")]
    note: Annotated[transaction.Note | None, Field(description="One line.")] = None


class WordQuestion(transaction.RowRemarks):
    """What the person says of one transaction."""

    id: Annotated[PathId, Field(description="An id from list_transactions.")]
    category: Annotated[names.CategoryWord | None, Field(description="Name or id.")] = None
    splits: Annotated[
        Annotated[tuple[PartWord, ...], Field(min_length=2, max_length=transaction.MOST_PARTS)]
        | None,
        Field(description="Must add up to the transaction. Replaces a category."),
    ] = None
    forget: Annotated[
        tuple[transaction.WordKind, ...],
        Field(max_length=len(get_args(transaction.WordKind)), description="Fields to clear."),
    ] = ()
    confirm: Annotated[bool, Field(description="False: only a preview.")] = False


class WordTold(transaction.RowRemarks):
    """What a transaction is for; `category` is null where the rules are to say it again."""

    category: str | None
    splits: tuple[PartTold, ...] | None


class WordAnswer(Wire):
    """The transaction, and what was and is said of it; `moved` where it is one half of a transfer.

    `labels` are the names of the categories that stand in it.
    """

    confirmed: bool
    id: str
    date: date
    payee: str
    amount: Amount
    currency: str
    moved: bool
    before: WordTold
    after: WordTold
    labels: dict[str, str]


async def change_transaction(call: Call, ask: WordQuestion) -> ToolReply[WordAnswer]:
    """Tell what the person's word would change, and with `confirm` set keep it.

    Raises NotFound for no transaction of theirs, Conflict on a transfer that they confirmed, and
    BadRequest for a word that contradicts itself, does not add up, or names no category.
    """
    given = ask.model_fields_set & {*get_args(transaction.WordKind)}
    # What agents leave empty they did not mean to say; `forget` takes back.
    said = {kind: value for kind in given if (value := getattr(ask, kind))}
    _check_word(said, ask.forget)
    row: transaction.Transaction = await call.ask(
        SHOW_TRANSACTION, transaction.TransactionId(id=ask.id)
    )
    known = await names.categories_of(call)
    word = _word_to_keep(known, ask.id, said, ask.forget)
    before = transaction.TransactionWord.of(row)
    if ask.confirm:
        after = transaction.TransactionWord.of(await call.ask(CHANGE_TRANSACTION, word))
    else:
        after = _would_be(row, word)
    labels = names.labels_of(known, (*_categories_of(before), *_categories_of(after)))
    answer = WordAnswer.of(
        row,
        confirmed=ask.confirm,
        moved=row.transfer_id is not None,
        before=_describe_override(before),
        after=_describe_override(after),
        labels=labels,
    )
    said_of_it = view.brief_word(row, before, after, labels, is_saved=ask.confirm)
    return ToolReply(answer, wording.write_text(said_of_it))


def _describe_override(word: transaction.TransactionWord) -> WordTold:
    return WordTold.of(word, splits=_parts(word), tags=word.tags or ())


def _check_word(said: dict[str, Any], forgotten: tuple[transaction.WordKind, ...]) -> None:
    if not said and not forgotten:
        ways = ", ".join(get_args(transaction.WordKind))
        raise BadRequest(f"Give at least one of {ways}, or name a field in `forget`.")
    both = sorted({*said} & {*forgotten})
    if both:
        raise BadRequest(f"Give {both[0]} or name it in `forget`, not both.")
    if any(part.amount == 0 for part in said.get("splits", ())):
        raise BadRequest("An amount of a split cannot be 0. Remove it.")
    if {"category", "splits"} <= {*said}:
        raise BadRequest("Give a category or splits, not both.")


def _word_to_keep(
    known: names.KnownCategories,
    known_as: str,
    said: dict[str, Any],
    forgotten: tuple[transaction.WordKind, ...],
) -> transaction.TransactionWord:
    """The word as its row is asked it. Raises BadRequest with near matches for no category."""
    word: dict[str, Any] = {"id": known_as, **dict.fromkeys(forgotten), **said}
    if "category" in said:
        word["category"] = names.find_category(known, said["category"])
    if "splits" in said:
        word["splits"] = tuple(
            transaction.SplitPart(
                amount=part.amount,
                category=names.find_category(known, part.category),
                note=part.note,
            )
            for part in said["splits"]
        )
    return transaction.TransactionWord.model_validate(word, by_name=True)


def _would_be(
    row: transaction.Transaction, word: transaction.TransactionWord
) -> transaction.TransactionWord:
    """What would be said of a row. Raises BadRequest where parts do not add up to it."""
    given = {kind: getattr(word, kind) for kind in word.model_fields_set}
    now = transaction.TransactionWord.of(row)
    if word.splits is not None:
        total = sum(part.amount for part in word.splits)
        if total != row.amount:
            raise BadRequest(
                f"The split adds up to {money(total, row.currency)}, not to"
                f" {money(row.amount, row.currency)}. Amounts usually have the sign of the transaction."
            )
        given["category"] = max(word.splits, key=lambda part: abs(part.amount)).category
    elif word.category is not None:
        given["splits"] = None
    elif "splits" in given and now.splits is not None:
        given["category"] = None
    elif now.splits is not None:
        given.pop("category", None)
    return now.model_copy(update=given)


CHANGE = Tool(
    "change_transaction",
    "Change one transaction",
    "Set one transaction's own category, note, tags or splits. Overrides rules; for a whole merchant use"
    " set_category_rules. Call without confirm first, show the person, then call with it.",
    (CHANGE_TRANSACTION, SHOW_TRANSACTION, LIST_CATEGORIES),
    "changes",
    change_transaction,
)
