"""The tools about single transactions: listing them, and keeping the person's word on one.

The word on one is shown as a preview first.
"""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, get_args

from pydantic import Field

from finplan.categorise.catalogue import UNKNOWN
from finplan.daemon.surfaces.mcp.tools import names
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool, with_words
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    days_said,
    filed,
    lines,
    listed,
    quoted,
    sentence,
)
from finplan.model import transaction
from finplan.model.account import AccountRecord
from finplan.model.base import Amount, Day, PathId, TypedAmount, Whole, Wire
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import CHANGE_TRANSACTION, LIST_TRANSACTIONS, SHOW_TRANSACTION


class RowsQuestion(transaction.RowSearch):
    """Which transactions, newest first."""

    period: names.PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None
    text: Annotated[
        str | None,
        Field(min_length=1, max_length=200, description="Words in the row's text or payee."),
    ] = None
    category: Annotated[names.SomeNames, Field(description="Names or ids.")] = ()
    merchant: Annotated[names.SomePayees, Field(description="Names or keys.")] = ()
    account: Annotated[names.SomeNames, Field(description="Names or ids.")] = ()
    min_amount: Annotated[
        transaction.RowSize | None, Field(description="Minor units, in or out.")
    ] = None
    max_amount: transaction.RowSize | None = None
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


def parts_told(splits: Iterable[transaction.SplitPart]) -> tuple[PartTold, ...]:
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


async def list_transactions(call: Call, ask: RowsQuestion) -> RowsTold:
    """A page of transactions. Raises BadRequest with near matches for what is not there."""
    since, until, understood = await names.read_days(call, ask.period, ask.since, ask.until)
    known = await names.categories_of(call)
    currency = (await call.settings()).currency
    categories = names.find_categories(known, ask.category)
    accounts = await names.account_ids(call, ask.account)
    if categories and not accounts and UNKNOWN.issuperset(categories):
        # Nobody is asked about a row that enters no total, such as the interest that a loan charges.
        accounts = (await names.read_accounts(call, currency)).counted
    page: transaction.TransactionPage = await call.ask(
        LIST_TRANSACTIONS,
        transaction.TransactionQuery(
            since=since,
            until=until,
            text=ask.text,
            category=categories,
            account=accounts,
            min_amount=ask.min_amount,
            max_amount=ask.max_amount,
            limit=ask.limit,
            cursor=ask.cursor,
            **ask.taken_as_said,
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
            splits=None if row.splits is None else parts_told(row.splits),
            **transaction.remarks_of(row),
        )
        for row in page.transactions
        if any((row.splits, *transaction.remarks_of(row).values()))
    }
    return RowsTold(
        understood=understood,
        since=since,
        until=until,
        count=len(rows),
        transactions=rows,
        accounts=await _accounts_of_rows(call, page.transactions, currency),
        labels=names.labels_of(
            known,
            (
                *(row.category for row in rows),
                *(part.category for word in words.values() for part in word.splits or ()),
            ),
        ),
        words=words,
        next_cursor=page.next_cursor,
    )


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


MOST_TEXT = 120
"""How many characters of a statement's text are told."""


def _say_rows(told: RowsTold, _currency: str) -> str:
    meant = f" ({told.understood})" if told.understood else days_said(told.since, told.until)
    more = "; more with cursor" if told.next_cursor else ""
    return lines(
        f"{counted(told.count, 'row')}, newest first{meant}{more}."
        " For sums ask query_spending: rows are a page.",
        listed(_said_of_row(row, told) for row in told.transactions),
    )


_NOTHING_SAID = SaidOfRow(splits=None)


def _said_of_row(row: RowTold, told: RowsTold) -> str:
    account = told.accounts[row.account_id]
    currency = account.currency
    word = told.words.get(row.id, _NOTHING_SAID)
    what_for = (
        _parts_of_row(word.splits, told, currency) if word.splits else told.labels[row.category]
    )
    where = "" if account.in_totals else f", on {quoted(account.name)}, in no total"
    if where and row.category in UNKNOWN and not word.splits:
        what_for = ""
    return (
        f"{row.date} {quoted(row.payee)} {money(row.amount, currency)}{_after_amount(what_for)}{where}"
        f"{', pending' if row.pending else ''}{_remarked(word, ', ')} [{row.id}]"
    )


def _remarked(said: transaction.RowRemarks, between: str) -> str:
    texts = transaction.remark_texts(transaction.remarks_of(said))
    return "".join(f"{between}{name} {quoted(text)}" for name, text in texts.items())


def _after_amount(what_for: str) -> str:
    return f", {sentence(what_for)}" if what_for else ""


def _parts_of_row(splits: Iterable[PartTold], told: RowsTold, currency: str) -> str:
    parts = (f"{money(each.amount, currency)} {told.labels[each.category]}" for each in splits)
    return f"split into {', '.join(parts)}"


TRANSACTIONS = Tool(
    "list_transactions",
    "Find transactions",
    "Single rows, newest first, by days, words, category, merchant, tag, account or size. For totals use"
    " query_spending.",
    RowsQuestion,
    RowsTold,
    (LIST_TRANSACTIONS, LIST_CATEGORIES, LIST_ACCOUNT_RECORDS),
    "reads",
    with_words(list_transactions, _say_rows),
)


class PartWord(Wire):
    """One part of a transaction that is for several things."""

    amount: Annotated[TypedAmount, Field(description="Signed as the row's.")]
    category: Annotated[names.CategoryWord, Field(description="Name or id.")]
    note: Annotated[transaction.Note | None, Field(description="One line.")] = None


class WordQuestion(transaction.RowRemarks):
    """What the person says of one transaction."""

    id: Annotated[PathId, Field(description="From list_transactions.")]
    category: Annotated[names.CategoryWord | None, Field(description="Name or id.")] = None
    splits: Annotated[
        Annotated[tuple[PartWord, ...], Field(min_length=2, max_length=transaction.MOST_PARTS)]
        | None,
        Field(description="Parts that add up to the row; instead of a category."),
    ] = None
    forget: Annotated[
        tuple[transaction.WordKind, ...],
        Field(max_length=len(get_args(transaction.WordKind)), description="What to take back."),
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


async def change_transaction(call: Call, ask: WordQuestion) -> WordAnswer:
    """Tell what the person's word would change, and with `confirm` set keep it.

    Raises NotFound for no transaction of theirs, Conflict on a transfer that they confirmed, and
    BadRequest for a word that contradicts itself, does not add up, or names no category.
    """
    given = ask.model_fields_set & {*get_args(transaction.WordKind)}
    # What agents leave empty they did not mean to say; `forget` takes back.
    said = {kind: value for kind in given if (value := getattr(ask, kind))}
    _check_word(said, ask.forget)
    before: transaction.Transaction = await call.ask(
        SHOW_TRANSACTION, transaction.TransactionId(id=ask.id)
    )
    known = await names.categories_of(call)
    word = _word_to_keep(known, ask.id, said, ask.forget)
    if ask.confirm:
        after: transaction.Transaction = await call.ask(CHANGE_TRANSACTION, word)
        told = _word_of_row(after)
    else:
        told = _would_be(before, word)
    now = _word_of_row(before)
    return WordAnswer(
        confirmed=ask.confirm,
        id=before.id,
        date=before.date,
        payee=before.payee,
        amount=before.amount,
        currency=before.currency,
        moved=before.transfer_id is not None,
        before=now,
        after=told,
        labels=names.labels_of(known, (*_categories_of_word(now), *_categories_of_word(told))),
    )


def _categories_of_word(word: WordTold) -> Iterable[str]:
    return (
        *(() if word.category is None else (word.category,)),
        *(part.category for part in word.splits or ()),
    )


def _check_word(said: dict[str, Any], forgotten: tuple[transaction.WordKind, ...]) -> None:
    if not said and not forgotten:
        ways = ", ".join(get_args(transaction.WordKind))
        raise BadRequest(f"Give at least one of {ways}, or say which of them to forget.")
    both = sorted({*said} & {*forgotten})
    if both:
        raise BadRequest(f"Either give {both[0]} or forget it, not both.")
    if any(part.amount == 0 for part in said.get("splits", ())):
        raise BadRequest("A part of a split has an amount other than 0. Leave this part out.")
    if {"category", "splits"} <= {*said}:
        raise BadRequest("Give a category for the whole of it or splits, not both.")


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


def _word_of_row(row: transaction.Transaction) -> WordTold:
    return WordTold(
        category=row.category,
        splits=None if row.splits is None else parts_told(row.splits),
        **transaction.remarks_of(row),
    )


def _would_be(row: transaction.Transaction, word: transaction.TransactionWord) -> WordTold:
    """What would be said of a row. Raises BadRequest where parts do not add up to it."""
    given, now = word.model_fields_set, _word_of_row(row)
    present = transaction.remarks_of(now)
    said = {
        name: word_said for name, word_said in transaction.remarks_of(word).items() if name in given
    }
    remarks = {**present, **said}
    if word.splits is not None:
        left = row.amount - sum(part.amount for part in word.splits)
        if left:
            raise BadRequest(
                f"The parts leave {money(left, row.currency)} of"
                f" {money(row.amount, row.currency)}: add a part of it, or change the others. Parts are"
                " signed as their row."
            )
        parts = parts_told(word.splits)
        largest = max(parts, key=lambda part: abs(part.amount))
        return WordTold(category=largest.category, splits=parts, **remarks)
    if word.category is not None:
        return WordTold(category=word.category, splits=None, **remarks)
    forgets_splits = "splits" in given and now.splits is not None
    forgets_category = "category" in given and now.splits is None
    return WordTold(
        category=None if forgets_splits or forgets_category else now.category,
        splits=None if forgets_splits else now.splits,
        **remarks,
    )


def _say_change(told: WordAnswer, _currency: str) -> str:
    done = (
        "Kept:"
        if told.confirmed
        else "Nothing is stored yet. This would change (call again with confirm once the person agrees):"
    )
    row = f"{quoted(told.payee)} {money(told.amount, told.currency)} of {told.date}"
    return lines(
        f"{done} {row}",
        listed(
            (
                f"before: {_said_of_change(told.before, told)}",
                f"{'now' if told.confirmed else 'then'}: {_said_of_change(told.after, told)}",
            )
        ),
        "It was paid between own accounts; with a category it counts as spending or income."
        if told.moved
        else None,
    )


def _said_of_change(word: WordTold, told: WordAnswer) -> str:
    remarks = _remarked(word, "; ")
    if word.splits:
        parts = ", ".join(
            f"{money(part.amount, told.currency)} {filed(part.category, told.labels[part.category])}"
            + (f" ({quoted(part.note)})" if part.note else "")
            for part in word.splits
        )
        return f"split into {parts}{remarks}"
    if word.category is None:
        return f"as the rules say{remarks}"
    return f"{filed(word.category, told.labels[word.category])}{remarks}"


CHANGE = Tool(
    "change_transaction",
    "File one transaction",
    "The person's own word on one row: its category, a note, tags, or splits. It wins over rules; for"
    " all of a merchant use set_category_rules. First call without confirm, show the person, then"
    " confirm.",
    WordQuestion,
    WordAnswer,
    (CHANGE_TRANSACTION, SHOW_TRANSACTION, LIST_CATEGORIES),
    "changes",
    with_words(change_transaction, _say_change),
)
