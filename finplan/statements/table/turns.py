"""Two columns of money of which each row fills one, as it is with debits and credits."""

from collections.abc import Sequence
from itertools import combinations

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.words import is_exact, meanings_of, words_of

_PAYMENTS = ("payment", "payments")


def take_turns(one: ColumnContents, other: ColumnContents) -> bool:
    """Say whether each row has money in just one of two columns."""
    return (
        any(one.has_money)
        and any(other.has_money)
        and one.has_money == [not each for each in other.has_money]
    )


def tell_more(out: ColumnContents, into: ColumnContents, amounts: ColumnContents) -> bool:
    """Say whether debits and credits tell more than a full column of amounts beside them.

    They do where that has no minus and each of its rows fills one of them: it prints their sizes again,
    or what was paid in a foreign currency.
    """
    if amounts.prints_minus or not amounts.has_all_numbers:
        return False
    rows = zip(out.has_money, into.has_money, amounts.has_money, strict=True)
    return any(amounts.has_money) and all(
        goes_out != comes_in if has_amount else not (goes_out or comes_in)
        for goes_out, comes_in, has_amount in rows
    )


def other_side(known: int, header: Sequence[str], contents: Sequence[ColumnContents]) -> int | None:
    """Find the column of debits beside one of credits, or the other way round, by its contents alone.

    It is the only one that is filled where the `known` one is blank, and has no name that is known, but
    for a word of amounts in it.
    """
    found = [
        place
        for place, column in enumerate(contents)
        if place != known
        and column.is_money
        and not (place < len(header) and _is_named(header[place]))
        and take_turns(contents[known], column)
    ]
    return found[0] if len(found) == 1 else None


def _is_named(name: str) -> bool:
    return is_exact(name, "amount") or bool(meanings_of(name).keys() - {"amount"})


def sides_in_doubt(
    found: tuple[int | None, int | None],
    sides: Sequence[Sequence[int]],
    header: Sequence[str],
    contents: Sequence[ColumnContents],
) -> tuple[int, int] | None:
    """Two columns in turns of which the names do not say which one goes out, by their places.

    Both are named alike, or one of them has payments, which go out of a bank account and come in on a
    card, beside one without a known name. `found` are the debits and the credits as far as they are
    known, `sides` all columns that are named debits, and all that are named credits.
    """
    debits, named_credits = sides
    for named in () if debits and named_credits else (debits, named_credits):
        for first, second in combinations(sorted(named), 2):
            if take_turns(contents[first], contents[second]):
                return first, second
    debit, credit = found
    if debit is None or credit is None or credit in named_credits or debit >= len(header):
        return None
    is_of_payments = " ".join(words_of(header[debit])) in _PAYMENTS
    return (min(debit, credit), max(debit, credit)) if is_of_payments else None
