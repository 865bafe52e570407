"""The columns of a row's day and state: by their names, and by what stands in them where none tells."""

from collections.abc import Sequence

from finplan.statements.table.contents import ColumnContents
from finplan.statements.table.dates import ORDERS, read_days
from finplan.statements.table.states import known_state
from finplan.statements.table.words import meanings_of

_UNNAMED = 10_000


def date_columns(header: Sequence[str], contents: Sequence[ColumnContents]) -> list[int]:
    """Give the columns of dates, the day of booking first.

    Its name tells it. Without one it is never blank, and runs in order where the other does not: a
    table is sorted by the day of booking.
    """
    dates = [place for place, column in enumerate(contents) if column.is_date]
    ranks = {
        place: meanings_of(header[place]).get("date", _UNNAMED) if place < len(header) else _UNNAMED
        for place in dates
    }
    return sorted(
        dates,
        key=lambda place: (
            ranks[place],
            not contents[place].is_full,
            not _runs_in_order(contents[place]),
        ),
    )


def state_column(header: Sequence[str], contents: Sequence[ColumnContents]) -> int | None:
    """Give the column of states: one that is named so, or one in which nothing but states stands.

    A column without a name must say of one row that it is booked and of another that it is not.
    """
    lists = [place for place, column in enumerate(contents) if column.is_text and column.is_list]
    named = {
        place: rank
        for place in lists
        if place < len(header) and (rank := meanings_of(header[place]).get("status")) is not None
    }
    if named:
        return min(named, key=named.__getitem__)
    for place in lists:
        states = set(map(known_state, set(contents[place].cells)))
        if None not in states and "booked" in states and len(states) > 1:
            return place
    return None


def _runs_in_order(column: ColumnContents) -> bool:
    """Say whether the dates only rise or only fall, in one of the orders that they can have."""
    found = [read for cell in column.cells if (read := read_days(cell)) is not None]
    for place in range(len(ORDERS)):
        days = [day for day in (each[place] for each in found) if day is not None]
        if len(days) == len(found) and days in (sorted(days), sorted(days, reverse=True)):
            return True
    return False
