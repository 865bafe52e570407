"""Which amounts a column of currencies is of: those beside it, or what was paid abroad."""

from collections.abc import Sequence

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.words import meanings_of, words_of
from finplan.statements.text.currencies import is_currency

_CURRENCY = "Currency"
_OF_PURCHASES = "transaction currency"
_BILLED = frozenset(["billing amount", "billed amount", "amount billed"])


def unpaired(header: Sequence[str], contents: Sequence[ColumnContents]) -> tuple[str, ...]:
    """Give the names of columns with each name above the numbers that it is of.

    It stands above their currencies where those come first and the numbers' own name is blank. A name
    of currencies alone stays theirs.
    """
    names = list(header)
    for place in range(min(len(names), len(contents)) - 1):
        is_pair = names[place].strip() and not names[place + 1].strip()
        is_pair = is_pair and not _is_of_currencies(names[place])
        if is_pair and contents[place].mostly(is_currency) and contents[place + 1].is_money:
            names[place : place + 2] = _CURRENCY, names[place]
    return tuple(names)


def _is_of_currencies(name: str) -> bool:
    meanings = meanings_of(name)
    return "currency" in meanings and "amount" not in meanings


def is_of_purchases(header: Sequence[str], currency: int | None) -> bool:
    """Say whether a column of currencies is of what shops took, beside amounts that were billed."""
    names = [" ".join(words_of(name)) for name in header]
    named = names[currency] if currency is not None and currency < len(names) else ""
    return named == _OF_PURCHASES and not _BILLED.isdisjoint(names)
