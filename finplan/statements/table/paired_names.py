"""Names that stand above two columns, the first of which has nothing but the other's currencies."""

from collections.abc import Sequence

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.words import meanings_of
from finplan.statements.text.currencies import is_currency

_CURRENCY = "Currency"


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
