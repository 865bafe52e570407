"""The column that a person means by its name or its number."""

from collections.abc import Sequence

from finplan.statements.table.contents import ColumnContents


def place_called(
    name: str, header: Sequence[str], contents: Sequence[ColumnContents]
) -> int | None:
    """The column of amounts that a person names; None where no column of numbers is called so."""
    place = column_called(name, header)
    return place if 0 <= place < len(contents) and contents[place].is_money else None


def column_called(name: str, header: Sequence[str]) -> int:
    """The place that a person means by a name of the header or a number from 1; -1 for neither."""
    names = [each.strip().casefold() for each in header]
    wanted = name.strip().casefold()
    if wanted in names:
        return names.index(wanted)
    return int(wanted) - 1 if wanted.isdecimal() else -1
