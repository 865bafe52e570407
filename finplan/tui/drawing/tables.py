"""What a table shows: heads over lines of cells."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text


class ColumnHead(NamedTuple):
    """The head of a column, so many columns wide; figures stand at the right."""

    name: str
    width: int
    figures: bool = False


def room_beside(width: int, *others: int) -> int:
    """How wide a column may be beside others: each has a space at either side."""
    return width - 2 - sum(each + 2 for each in others)


class TableLine(NamedTuple):
    """One line: what it is called in the program, and its cells."""

    key: str
    cells: Sequence[str | Text]
