"""The parts of a transaction as a person types them: a category and an amount each, or what is left."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from finplan.model.figures import money
from finplan.model.money import typed_amount
from finplan.model.transaction import SplitPart

REST = "rest"


class NoSplit(ValueError):
    """What was typed is no split of the transaction; the sentence says why."""


class TypedPart(NamedTuple):
    """A part of a transaction as it was typed; `amount` is None for what the others leave."""

    category: str
    amount: str | None
    note: str | None


def typed_part(text: str) -> TypedPart:
    """Read "groceries=30", "gifts=12.50 for Ada", "groceries 30" or "gifts=rest".

    Raises NoSplit where a category or an amount is missing.
    """
    category, sign, tail = text.partition("=")
    if sign:
        amount, _, note = tail.strip().partition(" ")
    else:
        category, _, amount = text.rstrip().rpartition(" ")
        note = ""
    if not category.strip() or not amount:
        raise NoSplit(
            f"{text!r} needs a category and an amount. Write groceries=30, or groceries={REST} for the"
            " remaining amount."
        )
    stated = None if amount.casefold() == REST else amount
    return TypedPart(category.strip(), stated, note.strip() or None)


def split_parts(
    typed: Sequence[TypedPart], total: int, currency: str, category_of: Callable[[str], str]
) -> tuple[SplitPart, ...]:
    """The parts of a transaction of `total`, signed as on a statement; `category_of` finds categories.

    An amount with a sign is meant as lists show the row, and one without takes the sign of the row.
    Raises NoSplit for an amount that is none, for a second rest, and where no rest is left.
    """
    way = 1 if total > 0 else -1
    amounts = [
        None if part.amount is None else _signed(part.amount, way, currency) for part in typed
    ]
    if amounts.count(None) > 1:
        raise NoSplit(f"Only one category can have the {REST}. Give the others an amount.")
    remaining = total - sum(amount for amount in amounts if amount is not None)
    if None in amounts and way * remaining <= 0:
        others, in_all = (money(amount, currency) for amount in (total - remaining, total))
        over = f", {money(abs(remaining), currency)} too much" if remaining else ""
        raise NoSplit(
            f"Nothing remains for the {REST}. The other amounts add up to {others} of {in_all}{over}."
        )
    return tuple(
        # Only what was typed travels, as any client would send it.
        SplitPart(
            amount=remaining if amount is None else amount,
            category=category_of(part.category),
            **({} if part.note is None else {"note": part.note}),
        )
        for part, amount in zip(typed, amounts, strict=True)
    )


def _signed(typed: str, way: int, currency: str) -> int:
    """A part in minor units; without a sign it goes the `way` of the row, 1 for in and -1 for out."""
    # A plus before what is no plain number stays, to be refused with it.
    plain = typed[1:] if typed[:1] == "+" and typed[1:2].isdigit() else typed
    try:
        amount = typed_amount(plain, currency, "The amount")
    except ValueError as error:
        raise NoSplit(str(error)) from None
    return amount if typed[0] in "+-" else way * amount
