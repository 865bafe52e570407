"""A person's own word on one transaction: which one is meant, what its parts are, and what was said."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from finplan import model, operations, views
from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, CommandError
from finplan.cli.console.session import Session
from finplan.cli.console.typed_values import minor
from finplan.cli.dialogs.lookup import category_finder, category_labels
from finplan.model.characters import SHORTEST_ID

if TYPE_CHECKING:
    from finplan.model.transaction import SplitPart, Transaction

_ID = re.compile("(?:tx|pen)_[0-9]+")
_REST = "rest"


class TypedPart(NamedTuple):
    """A part of a transaction as it was typed; `amount` is None for what the others leave."""

    category: str
    amount: str | None
    note: str | None


def row_id(typed: str) -> str:
    """The id of the transaction that is meant; one of posted rows may leave out what stands before it.

    Raises a CommandError for what names none.
    """
    text = typed.strip().casefold()
    if _ID.fullmatch(text):
        return text
    if text.isascii() and text.isdigit():
        if len(text) >= SHORTEST_ID:
            return f"tx_{text}"
        raise CommandError(
            f"{typed!r} is short for a transaction's id; type tx_{text} if that is the one.",
            NOT_THERE,
        )
    raise CommandError(
        f"{typed!r} is no id of a transaction. `finplan transactions find {typed}` finds those with"
        " this word, and shows the id of each, like tx_812.",
        NOT_THERE,
    )


def typed_part(text: str) -> TypedPart:
    """Read "groceries=30", "gifts=12.50 for Ada", "groceries 30" or "gifts=rest".

    Raises a CommandError where a category or an amount is missing.
    """
    category, sign, said = text.partition("=")
    if sign:
        amount, _, note = said.strip().partition(" ")
    else:
        category, _, amount = text.rstrip().rpartition(" ")
        note = ""
    if not category.strip() or not amount:
        raise CommandError(
            f"The part {text!r} does not say both what it is for and how much; write it like"
            f" groceries=30, or groceries={_REST} for what the others leave.",
            BAD_INPUT,
        )
    known = None if amount.casefold() == _REST else amount
    return TypedPart(category.strip(), known, note.strip() or None)


def split_parts(
    typed: Sequence[TypedPart], total: int, currency: str, category_of: Callable[[str], str]
) -> "tuple[SplitPart, ...]":
    """The parts of a transaction of `total`, signed as on a statement; `category_of` finds categories.

    An amount with a sign is meant as lists show the row, and one without takes the sign of the row.
    Raises a CommandError for an amount that is none, for a second rest, and where no rest is left.
    """
    way = 1 if total > 0 else -1
    amounts = [
        None if part.amount is None else _signed(part.amount, way, currency) for part in typed
    ]
    if amounts.count(None) > 1:
        raise CommandError(
            f"More than one part is the {_REST}; say how much all but one of them are.", BAD_INPUT
        )
    left = total - sum(each for each in amounts if each is not None)
    if None in amounts and way * left <= 0:
        others, whole = (model.figures.money(each, currency) for each in (total - left, total))
        over = f": {model.figures.money(abs(left), currency)} is too much" if left else ""
        raise CommandError(
            f"Nothing is left for the {_REST}: the other parts add up to {others}, and the transaction"
            f" is {whole}{over}.",
            BAD_INPUT,
        )
    return tuple(
        # Only what was typed travels, as any client would send it.
        model.transaction.SplitPart(
            amount=left if amount is None else amount,
            category=category_of(part.category),
            **({} if part.note is None else {"note": part.note}),
        )
        for part, amount in zip(typed, amounts, strict=True)
    )


def _signed(typed: str, way: int, currency: str) -> int:
    """A part in minor units; without a sign it goes the `way` of the row, 1 for in and -1 for out."""
    # A plus before what is no plain number stays, to be refused with it.
    plain = typed[1:] if typed[:1] == "+" and typed[1:2].isdigit() else typed
    amount = minor(plain, currency, "The part")
    return amount if typed[0] in "+-" else way * amount


def say_category(session: Session, typed: str, category: str) -> None:
    """File a transaction by itself, and show what that did."""
    before = row_of(session, typed)
    _say(session, before, category=_finder(session, before)(category))


def say_parts(session: Session, typed: str, parts: Sequence[str]) -> None:
    """Split a transaction into parts, and show what that did."""
    read = [typed_part(part) for part in parts]
    if len(read) == 1:
        raise CommandError(
            f"A transaction has two parts at least; `finplan transactions set {typed} CATEGORY` files"
            " all of it.",
            BAD_INPUT,
        )
    before = row_of(session, typed)
    splits = split_parts(read, before.amount, before.currency, _finder(session, before))
    _say(session, before, splits=splits)


def say_word(session: Session, typed: str, **said: object) -> None:
    """Say something of a transaction, and show what that did; what is not in `said` stays."""
    _say(session, row_of(session, typed), **said)


def row_of(session: Session, typed: str) -> "Transaction":
    """The transaction that is meant. Raises a CommandError for what names none."""
    asked = model.transaction.TransactionId(id=row_id(typed))
    return session.call(operations.transaction.SHOW_TRANSACTION, asked)


def _finder(session: Session, row: "Transaction") -> Callable[[str], str]:
    """What finds categories; of several that are called so, money out is for the one of spending."""
    return category_finder(session, spending=row.amount < 0)


def _say(session: Session, before: "Transaction", **said: object) -> None:
    asked = {"id": before.id, **said}
    word = model.transaction.TransactionWord.model_validate(asked, by_name=True)
    after = session.answer(operations.transaction.CHANGE_TRANSACTION, word)
    if after is not None:
        labels, uncounted = category_labels(session), _uncounted(session, after)
        session.show(views.transactions.worded(before, after, labels, uncounted))


def _uncounted(session: Session, row: "Transaction") -> str:
    """Why no total holds a row, whatever it is for; empty where totals do."""
    asked = model.account.AccountId(id=row.account_id)
    record = session.call(operations.account.SHOW_ACCOUNT, asked)
    if record.hidden:
        return f"{record.account.name} is hidden, so no total holds it."
    if record.currency != session.currency:
        return f"Totals are in {session.currency} only, so none holds it."
    return ""
