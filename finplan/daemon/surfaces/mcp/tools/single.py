"""The tool that keeps the person's own word on one transaction, first as a preview."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import (
    CategoryWord,
    KnownCategories,
    categories_of,
    find_category,
    labels_of,
)
from finplan.daemon.surfaces.mcp.tools.rows import PartTold, parts_told
from finplan.daemon.surfaces.mcp.tools.tool import Call, Tool
from finplan.daemon.surfaces.mcp.tools.wording import filed, lines, listed, quoted
from finplan.model.base import Amount, PathId, TypedAmount, Wire
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.model.transaction import (
    MOST_PARTS,
    Note,
    SplitPart,
    Transaction,
    TransactionId,
    TransactionWord,
)
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import CHANGE_TRANSACTION, SHOW_TRANSACTION

WordKind = Literal["category", "note", "splits"]
"""What a person may say of a single transaction."""


class PartWord(Wire):
    """One part of a transaction that is for several things."""

    amount: Annotated[TypedAmount, Field(description="Signed as the row's.")]
    category: Annotated[CategoryWord, Field(description="Name or id.")]
    note: Annotated[Note | None, Field(description="One line.")] = None


class WordQuestion(Wire):
    """What the person says of one transaction."""

    id: Annotated[PathId, Field(description="From list_transactions.")]
    category: Annotated[CategoryWord | None, Field(description="Name or id.")] = None
    note: Annotated[Note | None, Field(description="One line.")] = None
    splits: Annotated[
        Annotated[tuple[PartWord, ...], Field(min_length=2, max_length=MOST_PARTS)] | None,
        Field(description="Parts that add up to the row; instead of a category."),
    ] = None
    forget: Annotated[
        tuple[WordKind, ...],
        Field(max_length=3, description="What to take back."),
    ] = ()
    confirm: Annotated[bool, Field(description="False: only a preview.")] = False


class WordTold(Wire):
    """What a transaction is for; `category` is null where the rules are to say it again."""

    category: str | None
    note: str | None
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
    given = ask.model_fields_set & {"category", "note", "splits"}
    said = {kind: value for kind in given if (value := getattr(ask, kind)) is not None}
    _check(said, ask.forget)
    before: Transaction = await call.ask(SHOW_TRANSACTION, TransactionId(id=ask.id))
    known = await categories_of(call)
    word = _word(known, ask.id, said, ask.forget)
    if ask.confirm:
        after: Transaction = await call.ask(CHANGE_TRANSACTION, word)
        told = _told(after)
    else:
        told = _would_be(before, word)
    now = _told(before)
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
        labels=labels_of(known, (*_categories(now), *_categories(told))),
    )


def _categories(word: WordTold) -> Iterable[str]:
    return (
        *(() if word.category is None else (word.category,)),
        *(part.category for part in word.splits or ()),
    )


def _check(said: dict[str, Any], forgotten: tuple[WordKind, ...]) -> None:
    if not said and not forgotten:
        raise BadRequest("Give a category, a note or splits, or say which of them to forget.")
    both = sorted({*said} & {*forgotten})
    if both:
        raise BadRequest(f"Either give {both[0]} or forget it, not both.")
    if any(part.amount == 0 for part in said.get("splits", ())):
        raise BadRequest("A part of a split has an amount other than 0. Leave this part out.")
    if {"category", "splits"} <= {*said}:
        raise BadRequest("Give a category for the whole of it or splits, not both.")


def _word(
    known: KnownCategories, known_as: str, said: dict[str, Any], forgotten: tuple[WordKind, ...]
) -> TransactionWord:
    """The word as its row is asked it. Raises BadRequest with near matches for no category."""
    word: dict[str, Any] = {"id": known_as, **dict.fromkeys(forgotten)}
    if "note" in said:
        word["note"] = said["note"]
    if "category" in said:
        word["category"] = find_category(known, said["category"])
    if "splits" in said:
        word["splits"] = tuple(
            SplitPart(
                amount=part.amount,
                category=find_category(known, part.category),
                note=part.note,
            )
            for part in said["splits"]
        )
    return TransactionWord.model_validate(word, by_name=True)


def _told(row: Transaction) -> WordTold:
    return WordTold(
        category=row.category,
        note=row.note,
        splits=None if row.splits is None else parts_told(row.splits),
    )


def _would_be(row: Transaction, word: TransactionWord) -> WordTold:
    """What would be said of a row. Raises BadRequest where parts do not add up to it."""
    given, now = word.model_fields_set, _told(row)
    note = word.note if "note" in given else now.note
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
        return WordTold(category=largest.category, note=note, splits=parts)
    if word.category is not None:
        return WordTold(category=word.category, note=note, splits=None)
    forgets_splits = "splits" in given and now.splits is not None
    forgets_category = "category" in given and now.splits is None
    return WordTold(
        category=None if forgets_splits or forgets_category else now.category,
        note=note,
        splits=None if forgets_splits else now.splits,
    )


def _say(told: WordAnswer, _currency: str) -> str:
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
                f"before: {_said(told.before, told)}",
                f"{'now' if told.confirmed else 'then'}: {_said(told.after, told)}",
            )
        ),
        "It was paid between own accounts; with a category it counts as spending or income."
        if told.moved
        else None,
    )


def _said(word: WordTold, told: WordAnswer) -> str:
    note = f"; note {quoted(word.note)}" if word.note else ""
    if word.splits:
        parts = ", ".join(
            f"{money(part.amount, told.currency)} {filed(part.category, told.labels[part.category])}"
            + (f" ({quoted(part.note)})" if part.note else "")
            for part in word.splits
        )
        return f"split into {parts}{note}"
    if word.category is None:
        return f"as the rules say{note}"
    return f"{filed(word.category, told.labels[word.category])}{note}"


CHANGE = Tool(
    "change_transaction",
    "File one transaction",
    "The person's own word on one row: its category, a note, or splits. It wins over rules; for all of a"
    " merchant use set_category_rules. First call without confirm, show the person, then confirm.",
    WordQuestion,
    WordAnswer,
    (CHANGE_TRANSACTION, SHOW_TRANSACTION, LIST_CATEGORIES),
    "changes",
    change_transaction,
    _say,
)
