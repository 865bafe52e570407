"""A person's own word on one transaction: which one is meant, what its parts are, and what was said."""

import re
import shlex
from collections.abc import Callable, Sequence

from finplan import model, operations, views
from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, CommandError
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import category_finder, category_labels
from finplan.model.characters import SHORTEST_ID

_ID = re.compile("(?:tx|pen)_[0-9]+")


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
            f"{typed!r} is too short for a transaction id. Did you mean tx_{text}?",
            NOT_THERE,
        )
    raise CommandError(
        f"{typed!r} is not a transaction id like tx_812. Find the id: `finplan transactions find"
        f" {shlex.quote(typed)}`.",
        NOT_THERE,
    )


def say_category(session: Session, typed: str, category: str) -> None:
    """File a transaction by itself, and show what that did."""
    before = row_of(session, typed)
    _say(session, before, category=_finder(session, before)(category))


def say_parts(session: Session, typed: str, parts: Sequence[str]) -> None:
    """Split a transaction into parts, and show what that did."""
    if len(parts) == 1:
        raise CommandError(
            "A split needs at least two parts. To set one category: `finplan transactions set"
            f" {typed} CATEGORY`.",
            BAD_INPUT,
        )
    reading = model.typed_parts
    try:
        read = [reading.typed_part(part) for part in parts]
        row = row_of(session, typed)
        splits = reading.split_parts(read, row.amount, row.currency, _finder(session, row))
    except reading.NoSplit as refusal:
        raise CommandError(str(refusal), BAD_INPUT) from None
    _say(session, row, splits=splits)


def say_word(session: Session, typed: str, **changes: object) -> None:
    """Say something of a transaction, and show what that did; what is not in `changes` stays."""
    _say(session, row_of(session, typed), **changes)


def row_of(session: Session, typed: str) -> "model.transaction.Transaction":
    """The transaction that is meant. Raises a CommandError for what names none."""
    query = model.transaction.TransactionId(id=row_id(typed))
    return session.call(operations.transaction.SHOW_TRANSACTION, query)


def _finder(session: Session, row: "model.transaction.Transaction") -> Callable[[str], str]:
    """What finds categories; of several that are called so, money out is for the one of spending."""
    return category_finder(session, spending=row.amount < 0)


def _say(session: Session, before: "model.transaction.Transaction", **changes: object) -> None:
    fields = {"id": before.id, **changes}
    request = model.transaction.TransactionWord.model_validate(fields, by_name=True)
    after = session.answer(operations.transaction.CHANGE_TRANSACTION, request)
    if after is not None:
        labels, uncounted = category_labels(session), _uncounted(session, after)
        session.show(views.transactions.show_edit(before, after, labels, uncounted))


def _uncounted(session: Session, row: "model.transaction.Transaction") -> str:
    """Why no total holds a row, whatever it is for; empty where totals do."""
    query = model.account.AccountId(id=row.account_id)
    record = session.call(operations.account.SHOW_ACCOUNT, query)
    if record.hidden:
        return f"{record.account.name} is hidden, so totals exclude this transaction."
    if record.currency != session.currency:
        return f"Totals are in {session.currency} only and exclude this transaction."
    return ""
