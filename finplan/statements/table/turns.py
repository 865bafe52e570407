"""Two columns of money of which each row fills one, as it is with debits and credits."""

from collections.abc import Sequence

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.words import meanings_of


def take_turns(one: ColumnContents, other: ColumnContents) -> bool:
    """Say whether each row has money in just one of two columns."""
    return (
        any(one.has_money)
        and any(other.has_money)
        and one.has_money == [not each for each in other.has_money]
    )


def other_side(known: int, header: Sequence[str], contents: Sequence[ColumnContents]) -> int | None:
    """Find the column of debits beside one of credits, or the other way round, by its contents alone.

    It is the only one that is filled where the `known` one is blank, and has no name that is known.
    """
    found = [
        place
        for place, column in enumerate(contents)
        if place != known
        and column.is_money
        and not (place < len(header) and meanings_of(header[place]))
        and take_turns(contents[known], column)
    ]
    return found[0] if len(found) == 1 else None
