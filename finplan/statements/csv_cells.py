"""Some rows of a table, column by column."""

from collections.abc import Sequence
from operator import itemgetter

from finplan.statements.shapes import shapes_of


class Cells:
    """Gives the columns of rows, and the shapes of a column, each made when it is first asked for."""

    def __init__(self, rows: list[list[str]]) -> None:
        self.rows = rows
        self._columns: dict[int, list[str]] = {}
        self._shapes: dict[int, list[str]] = {}

    def __getitem__(self, place: int) -> list[str]:
        if place not in self._columns:
            self._columns[place] = list(map(itemgetter(place), self.rows))
        return self._columns[place]

    def shapes(self, place: int) -> list[str]:
        """Give a column's shapes: its texts with every digit as 9."""
        if place not in self._shapes:
            self._shapes[place] = shapes_of(self[place])
        return self._shapes[place]

    def only(self, places: Sequence[int]) -> "Cells":
        """Keep some of the rows."""
        return Cells([self.rows[place] for place in places])
