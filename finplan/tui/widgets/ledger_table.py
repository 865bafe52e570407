"""A table with a cursor whose cells are never read as markup."""

from collections.abc import Iterable, Sequence

from rich.text import Text
from textual.widgets import DataTable

from finplan.model.characters import visible
from finplan.tui.drawing.tables import ColumnHead, TableLine


class LedgerTable(DataTable[Text]):
    """Shows lines under heads; the cursor stays on its line when they are filled anew."""

    DEFAULT_CSS = "LedgerTable { height: 1fr; background: transparent; overflow-x: hidden; }"

    def __init__(self, name: str) -> None:
        super().__init__(id=name, cursor_type="row", zebra_stripes=False, cell_padding=1)
        self._heads: tuple[ColumnHead, ...] = ()

    def fill(self, heads: Sequence[ColumnHead], lines: Iterable[TableLine]) -> None:
        """Show other lines."""
        before, place = self.marked, self.cursor_row
        same = self._heads == tuple(heads)
        self.clear(columns=not same)
        if not same:
            for head in heads:
                self.add_column(_cell(head.name, head), width=head.width)
            self._heads = tuple(heads)
        rows = list(lines)
        for line in rows:
            cells = (_cell(each, head) for each, head in zip(line.cells, heads, strict=True))
            self.add_row(*cells, key=line.key)
        keys = [line.key for line in rows]
        if rows:
            at = keys.index(before) if before in keys else min(place, len(keys) - 1)
            self.move_cursor(row=at, animate=False)

    def mark(self, key: str) -> None:
        """Move the cursor to the line of a key, where it is there."""
        if key in self.keys:
            self.move_cursor(row=self.keys.index(key), animate=False)

    @property
    def keys(self) -> list[str]:
        """The keys of all lines, from the first on."""
        return [str(each.key.value) for each in self.ordered_rows]

    @property
    def marked(self) -> str | None:
        """The key of the line that the cursor is on."""
        if not self.row_count or not self.is_valid_row_index(self.cursor_row):
            return None
        return self.coordinate_to_cell_key(self.cursor_coordinate).row_key.value


def _cell(content: str | Text, head: ColumnHead) -> Text:
    text = Text(visible(content)) if isinstance(content, str) else content
    text.justify = "right" if head.figures else "left"
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
