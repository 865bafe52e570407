"""Transactions, each with its category and the reason for it, listed in pages.

A cursor is the place in the pages where the next one begins, and for which question. The person's own
word on one transaction is a category, a note, tags, or what its parts are for.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple, get_args

from sqlalchemy import Connection, RowMapping

from finplan.categorise.catalogue import FEE_CATEGORY, Catalogue
from finplan.categorise.decide import reason_for
from finplan.model import transaction
from finplan.model.characters import visible
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.figures import money
from finplan.model.money import exponent
from finplan.plan.ledger.days import date_of
from finplan.service.context import Asker, Context
from finplan.service.derived.household import catalogue_of, ledger_accounts
from finplan.service.ids import new_cursor, new_id, place_of_cursor
from finplan.service.ledger.categorisation import apply_inference, read_inferred
from finplan.service.ledger.reconciliation import heed_word
from finplan.service.lookup import find_category
from finplan.service.spending import find_bounds
from finplan.store.folding import fold
from finplan.store.queries import people, row_filters, single_words, transactions as table
from finplan.store.queries.single_words import NO_WORD, RowNumber, RowWord, WordPart
from finplan.store.queries.verdicts import transfer_verdicts


class PagePosition(NamedTuple):
    """A row in the order of the pages: pending ones first, then by day and number, downwards."""

    pending: bool
    day: int
    no: int


START = PagePosition(pending=True, day=99991231, no=0)
"""The place before every row."""

_WRITTEN_PLACE = re.compile(r"([01])\.([0-9]{8})\.([0-9]{1,16})")


def write_cursor(position: PagePosition, query: transaction.TransactionQuery) -> str:
    """A place as a caller hands it back, with a check of it and of the filters that it is a place in."""
    where = f"{position.pending:d}.{position.day}.{position.no}"
    filters = [
        sorted(set(value)) if isinstance(value, tuple) else value
        for name, value in query
        if name not in ("limit", "cursor", "total")
    ]
    return new_cursor(where, repr((where, filters)))


def read_cursor(query: transaction.TransactionQuery) -> PagePosition:
    """The place that a question begins at. Raises BadRequest unless a page with its filters gave it."""
    if query.cursor is None:
        return START
    position = _place_in(query.cursor)
    if position is None or write_cursor(position, query) != query.cursor:
        raise BadRequest("This cursor is not valid for these filters. Start without a cursor.")
    return position


def _place_in(cursor: str) -> PagePosition | None:
    written = place_of_cursor(cursor, _WRITTEN_PLACE)
    if written is None:
        return None
    pending, day, no = map(int, written.groups())
    try:
        date_of(day)
    except ValueError:
        return None
    return PagePosition(bool(pending), day, no)


async def list_transactions(
    context: Context, query: transaction.TransactionQuery
) -> transaction.TransactionPage:
    """A page of transactions, newest first; pending rows stand before the posted ones."""
    position = read_cursor(query)

    def page(connection: Connection) -> transaction.TransactionPage:
        owner = context.caller.owner
        catalogue = catalogue_of(connection, owner)
        which = filter_of(connection, owner, catalogue, query)
        rows = [] if query.pending is False else _waiting(connection, which, position)
        if query.pending is not True and len(rows) <= query.limit:
            before = None if position.pending else (position.day, position.no)
            room = query.limit - len(rows)
            rows += table.newest_first(connection, which, before, room + 1)
        first = rows[: query.limit]
        return transaction.TransactionPage(
            transactions=_show_rows(connection, first, catalogue),
            next_cursor=write_cursor(_place(first[-1]), query) if len(rows) > query.limit else None,
            total=_total(connection, which, query) if query.total else None,
        )

    return await read_inferred(context, page)


def _total(
    connection: Connection, which: row_filters.Filter, query: transaction.TransactionQuery
) -> transaction.FoundTotal:
    """All rows that a question names, on whatever page: what is pending enters no sum."""
    sums = [] if query.pending is True else table.posted_sums(connection, which)
    pending = 0 if query.pending is False else len(table.pending_rows(connection, which))
    return transaction.FoundTotal(
        rows=pending + sum(sum_.rows for sum_ in sums),
        pending=pending,
        sums=tuple(
            transaction.CurrencySum(currency=sum_.currency, amount=sum_.amount) for sum_ in sums
        ),
    )


async def show_transaction(
    context: Context, ask: transaction.TransactionId
) -> transaction.Transaction:
    """One transaction, with what the person says of it by itself.

    Raises NotFound for no transaction of the person's.
    """
    owner = context.caller.owner

    def one(connection: Connection) -> transaction.Transaction:
        number, _ = find_row(connection, owner, ask.id)
        return show_row(connection, owner, number)

    return await read_inferred(context, one)


def find_row(connection: Connection, owner: int, public_id: str) -> tuple[RowNumber, RowMapping]:
    """The row that an id names, and its number. Raises NotFound for no transaction of the person's."""
    match = _ROW_ID.fullmatch(public_id)
    if match is not None:
        number = RowNumber(int(match[2]), pending=match[1] == "pen")
        row = table.find_row(connection, owner, number)
        if row is not None:
            return number, row
    raise NotFound(
        f"No transaction {public_id!r}. `finplan transactions list` shows your transactions."
    )


_ROW_ID = re.compile(r"(tx|pen)_([1-9][0-9]{0,15})")


def show_row(connection: Connection, owner: int, number: RowNumber) -> transaction.Transaction:
    """One transaction that is there, as a page shows it."""
    row = table.find_row(connection, owner, number)
    assert row is not None, "The row was found before."
    return _show_rows(connection, [row], catalogue_of(connection, owner))[0]


def _show_rows(
    connection: Connection, rows: Sequence[RowMapping], catalogue: Catalogue
) -> tuple[transaction.Transaction, ...]:
    """Rows as a person reads them, each with what the person says of it by itself."""
    posted = [row["no"] for row in rows if not _is_pending(row)]
    waiting = [row["no"] for row in rows if _is_pending(row)]
    edits = {
        False: single_words.words_of_rows(connection, posted),
        True: single_words.words_of_rows(connection, waiting, pending=True),
    }
    return tuple(
        _transaction(row, edits[_is_pending(row)].get(row["no"], NO_WORD), catalogue)
        for row in rows
    )


def _waiting(
    connection: Connection, which: row_filters.Filter, position: PagePosition
) -> list[RowMapping]:
    """The pending rows that come after a place."""
    if not position.pending:
        return []
    later = (position.day, position.no)
    return [row for row in table.pending_rows(connection, which) if (row["day"], row["no"]) < later]


def filter_of(
    connection: Connection,
    owner: int,
    catalogue: Catalogue,
    query: transaction.TransactionQuery | transaction.ExportQuery,
) -> row_filters.Filter:
    """The rows that a question names. Raises BadRequest for what is not there."""
    for category in query.category:
        find_category(catalogue, category)
    return row_filters.Filter(
        owner,
        **find_bounds(connection, owner, query),
        categories=query.category or None,
        words=() if query.text is None else _words(connection, owner, query.text),
        sizes=_sizes(connection, owner, query),
    )


def _words(connection: Connection, owner: int, text: str) -> tuple[row_filters.SoughtWord, ...]:
    terms = tuple(dict.fromkeys(fold(visible(text)).split()))
    if not terms:
        raise BadRequest("The search text contains no word. Give at least one, or omit `text`.")
    return row_filters.sought(connection, owner, terms)


def _sizes(
    connection: Connection, owner: int, query: transaction.RowSearch
) -> tuple[row_filters.AccountSizes, ...] | None:
    """The amounts of each account that show a number of the size that is asked for."""
    least, most = query.min_amount, query.max_amount
    if least is None and most is None:
        return None
    if least is not None and most is not None and least > most:
        raise BadRequest("`minAmount` is more than `maxAmount`. Swap them.")
    digits = exponent(people.get_person(connection, owner)["currency"] or "USD")
    by_digits: dict[int, list[int]] = {}
    for no, account in ledger_accounts(connection, owner).items():
        by_digits.setdefault(exponent(account.currency), []).append(no)
    return tuple(
        row_filters.AccountSizes(
            tuple(accounts),
            None if least is None else -(-least * 10**own // 10**digits),
            None if most is None else most * 10**own // 10**digits,
        )
        for own, accounts in by_digits.items()
    )


def _transaction(row: RowMapping, edit: RowWord, catalogue: Catalogue) -> transaction.Transaction:
    pending = _is_pending(row)
    category = catalogue[row["category"]]
    return transaction.Transaction(
        id=f"{'pen' if pending else 'tx'}_{row['no']}",
        account_id=row["account_id"],
        date=date_of(row["day"]),
        amount=row["amount"],
        currency=row["currency"],
        payee_key=row["payee_key"],
        payee=row["payee"],
        raw=row["raw"],
        category=category.id,
        # What is paid back is no spending, whatever line its category is on.
        line=category.line if category.flow == "spending" else "not_spending",
        pending=pending,
        transfer_id=None if pending else row["transfer_id"],
        **transaction.remarks_of(edit),
        splits=_splits(edit) if row["by_itself"] else _parts_of_transfer(row),
        why=_reason(row, catalogue, edit),
    )


def _splits(edit: RowWord) -> tuple[transaction.SplitPart, ...] | None:
    return tuple(map(transaction.SplitPart.of, edit.parts)) or None


def _parts_of_transfer(row: RowMapping) -> tuple[transaction.SplitPart, ...] | None:
    """What arrived of a transfer and the fee that was kept; None where nothing was."""
    fee = row["fee"]
    if not fee:
        return None
    return (
        transaction.SplitPart(amount=row["amount"] + fee, category=row["category"], note=None),
        transaction.SplitPart(amount=-fee, category=FEE_CATEGORY, note=None),
    )


def _place(row: RowMapping) -> PagePosition:
    return PagePosition(_is_pending(row), row["day"], row["no"])


def _is_pending(row: RowMapping) -> bool:
    return "transfer_id" not in row


def _reason(row: RowMapping, catalogue: Catalogue, edit: RowWord) -> transaction.Reason:
    reason = _reason_of_category(row, catalogue, edit)
    parts = sum(part.amount for part in edit.parts)
    if not edit.parts or parts == row["amount"]:
        return reason
    currency = row["currency"]
    remark = (
        f"Your split of the pending transaction adds up to {money(parts, currency)}, but"
        f" {money(row['amount'], currency)} was posted, so the split is ignored. Split the posted"
        f" transaction: `finplan transactions split tx_{row['no']}`."
    )
    return reason.model_copy(update={"text": f"{remark} {reason.text}"})


def _reason_of_category(row: RowMapping, catalogue: Catalogue, edit: RowWord) -> transaction.Reason:
    if row["by_pair"] is not None:
        text = _BY_PAIR[row["by_pair"]]
        return transaction.Reason(source="transfer", rule_id=None, confidence=None, text=text)
    if row["by_itself"]:
        text = (
            "You split this transaction." if edit.parts else "You set this transaction's category."
        )
        return transaction.Reason(source="user", rule_id=None, confidence=None, text=text)
    if row["rule_id"] is not None:
        return transaction.Reason(
            source="user",
            rule_id=row["rule_id"],
            confidence=None,
            text="You chose this category for the payee.",
        )
    source = row["source"]
    return transaction.Reason(
        source=source or "default",
        rule_id=None if source is None else f"{source}_{row['payee_no']}",
        confidence=row["confidence"],
        text=_because(row, catalogue),
    )


_BY_PAIR = {
    "move": "The other side of this transfer is on another of your accounts.",
    "loan": "The other side of this payment is on one of your loans, so this is a loan payment.",
    "currency": "The other side of this transfer is on one of your accounts in another currency.",
}
"""Why a row is filed by its pair and not by its payee."""


def _because(row: RowMapping, catalogue: Catalogue) -> str:
    """Why a payee's rows are filed so, and for money in, where that goes when it goes elsewhere."""
    why = reason_for(row["why"] or "finplan does not know this payee yet", row["raw"])
    reason = f"{why.rstrip('.')}."
    into, out = row["decided_in"], row["decided_out"]
    is_stated = into in (out, "unknown_inflow") or (
        out == "uncategorized" and row["source"] is not None
    )
    if row["amount"] > 0 and not is_stated:
        return f"{reason} Money in from this payee: {catalogue[into].label.lower()}."
    return reason


async def change_transaction(
    context: Context, ask: transaction.TransactionWord
) -> transaction.Transaction:
    """Keep the person's word on one transaction, or take it back; answers how it stands now.

    What is left out stays. Raises NotFound for no transaction of the person's, BadRequest for a word
    that contradicts itself or does not add up, and Conflict on a transfer that the person confirmed.
    """
    if not ask.model_fields_set - {"id"}:
        ways = ", ".join(get_args(transaction.WordKind))
        raise BadRequest(f"Give at least one of {ways}. To undo a change, send null.")
    if ask.category is not None and ask.splits is not None:
        raise BadRequest(
            "Give either one category or splits, not both. Each part of a split has its own"
            " category."
        )
    return await context.commit(partial(_change_word, asker=context.asker, ask=ask), event=True)


def _change_word(
    connection: Connection, asker: Asker, ask: transaction.TransactionWord
) -> transaction.Transaction:
    owner = asker.owner
    number, row = find_row(connection, owner, ask.id)
    present = single_words.word_on(connection, number)
    before = NO_WORD if present is None else present[1]
    edit = _apply_edit(ask, before)
    _check_word(connection, owner, row, edit, is_split_now=ask.splits is not None)
    if edit.files:
        _check_is_no_confirmed_transfer(connection, owner, number)
    if edit != before:
        now = asker.milliseconds()
        single_words.set_word(connection, owner, new_id("word"), number, edit, now)
        moved = not number.pending and heed_word(connection, owner, number.no, before, edit)
        people.raise_generation(connection, owner, rows=moved)
    apply_inference(connection, owner)
    return show_row(connection, owner, number)


def _apply_edit(ask: transaction.TransactionWord, before: RowWord) -> RowWord:
    """The word as it is to be: what is given in place of what there was."""
    fields = ask.model_fields_set
    category = ask.category if "category" in fields else before.category
    splits = (WordPart(part.amount, part.category, part.note) for part in ask.splits or ())
    parts = tuple(splits) if "splits" in fields else before.parts
    if ask.category is not None:
        parts = ()
    if ask.splits is not None:
        category = None
    remarks = {
        name: (value or getattr(NO_WORD, name)) if name in fields else getattr(before, name)
        for name, value in transaction.remarks_of(ask).items()
    }
    return RowWord(category, parts=parts, **remarks)


def _check_word(
    connection: Connection, owner: int, row: RowMapping, edit: RowWord, *, is_split_now: bool
) -> None:
    """Raise BadRequest for a category that is not there, an empty part, and parts that do not add up.

    Earlier parts may not, of a row that was posted larger than it waited; a note can be added all the
    same.
    """
    catalogue = catalogue_of(connection, owner)
    if edit.category is not None:
        find_category(catalogue, edit.category)
    for part in edit.parts:
        find_category(catalogue, part.category)
        if part.amount == 0:
            raise BadRequest("A part of a split cannot be 0. Remove this part.")
    total = sum(part.amount for part in edit.parts)
    if is_split_now and total != row["amount"]:
        raise BadRequest(_odds(total, row["amount"], row["currency"]))


def _odds(total: int, amount: int, currency: str) -> str:
    """How much is missing from parts of a row, or too much, counted in the direction of the row."""
    gap = amount - total
    is_missing = gap < 0 if amount < 0 else gap > 0
    what = (
        "is missing. Add a part of that amount"
        if is_missing
        else "is too much. Reduce a part by that amount"
    )
    return (
        f"The parts add up to {money(total, currency)}, but the transaction is"
        f" {money(amount, currency)}: {money(abs(gap), currency)} {what}, or change the other"
        " parts."
    )


def _check_is_no_confirmed_transfer(connection: Connection, owner: int, number: RowNumber) -> None:
    if number.pending:
        return
    for verdict in transfer_verdicts(connection, owner):
        if verdict.verdict == "confirm" and number.no in (verdict.out, verdict.into):
            raise Conflict(
                "You confirmed this as a transfer between your accounts, so it cannot have a"
                f" category. First unpair it: `finplan transfers reject {verdict.id}`. You can still"
                " add a note."
            )
