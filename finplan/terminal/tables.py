"""Tables in cells: as wide as their longest cells, and narrower by rules where there is less room.

Amounts are rounded before they are cut, names are cut before a column is left out, and bars take what
room is left.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from finplan.model import figures
from finplan.model.characters import BLOCKS, shortened
from finplan.terminal.lines import Look, fit, printable, text_of, titled, wrapped
from finplan.views.locale import Money
from finplan.views.page import Names, PageTable, ShareBar, TableCell, TableColumn, TableRow, Trend

BAR, HALF_BAR, DUE, REST = "━", "╸", "╍", "─"
SHORTEST_BAR = 4
_LEAST = 8
"""How many columns a name keeps, however narrow the page is."""


class FittedTable(NamedTuple):
    """A table that fits: its columns with their widths, and each row's cells as lines of text."""

    columns: tuple[TableColumn, ...]
    widths: tuple[int, ...]
    heads: tuple[Text, ...]
    rows: tuple[tuple[TableRow, tuple[tuple[Text, ...], ...]], ...]


def draw_table(table: PageTable, look: Look, title: str = "") -> list[Text]:
    """Draw a table's lines; the `title` of its section stands in the place of the first head."""
    fitted = fit_table(table, look, title)
    lines: list[Text] = []
    if not fitted.columns:
        return lines
    if not table.headless and any(head.plain for head in fitted.heads):
        lines.append(_line(fitted.heads, fitted, table.gap))
    for row, cells in fitted.rows:
        height = max((len(cell) for cell in cells), default=1)
        for index in range(height):
            part = [cell[index] if index < len(cell) else Text() for cell in cells]
            lines.append(_line(part, fitted, table.gap))
        lines += _below(row, fitted, table.gap, look)
    return lines


def fit_table(table: PageTable, look: Look, title: str = "") -> FittedTable:
    """Decide what each column of a table takes of the room that there is."""
    return _Measures(table, look, title).fitted()


def needed_width(table: PageTable, look: Look) -> int:
    """How wide a table is in which nothing is cut or said shorter."""
    return _Measures(table, look, "").needed


def ids_of(table: PageTable) -> list[str]:
    """The ids that a table has, whole."""
    places = [index for index, column in enumerate(table.columns) if column.kind == "id"]
    return [str(row.cells[index]) for row in table.rows for index in places]


class _Measures:
    """How wide each column would be and is; with less room it gives way step by step."""

    def __init__(self, table: PageTable, look: Look, title: str) -> None:
        self._table, self._look, self._title = table, look, title
        self._short = look.short
        self._kept = [
            index
            for index, column in enumerate(table.columns)
            if not (column.kind == "id" and not look.ids)
            and not (column.kind == "bar" and look.aloud)
        ]
        self._ids = shortened([*look.beside, *ids_of(table)])
        self._widths = self._wanted()

    def _label(self, row: TableRow, index: int, text: Text) -> Text:
        """The first cell of a row, further right by its level."""
        indent = self._table.indent + 2 * row.level if index == 0 else 0
        return Text(" " * indent).append_text(text) if indent else text

    def _wanted(self) -> dict[int, int]:
        return {index: self._natural(index) for index in self._kept}

    def _natural(self, index: int) -> int:
        column = self._table.columns[index]
        if column.kind == "bar":
            return max(SHORTEST_BAR, column.least)
        least = column.least
        if self._short and column.floor is not None:
            least = column.floor
        longest = max((self._length(row, index, column) for row in self._table.rows), default=0)
        head = 0 if self._table.headless else self._head(index).cell_len
        return max(least, head, longest) + (0 if self._short else column.pad)

    def _length(self, row: TableRow, index: int, column: TableColumn) -> int:
        cell = row.cells[index]
        if isinstance(cell, Money):
            most = (column.floor if self._short else None) or column.most or len(cell.text)
            return len(cell.fitted(most, rounded=self._short and column.rounds))
        if isinstance(cell, Names):
            return cell_len(", ".join(map(printable, cell.names)))
        if isinstance(cell, Trend):
            return len(cell.amounts)
        if isinstance(cell, ShareBar):
            return 0
        return self._label(row, index, self._text(cell, column)).cell_len

    def _text(self, cell: TableCell, column: TableColumn) -> Text:
        if column.kind == "id":
            return Text(self._ids.get(str(cell), ""), style=column.tone or "soft")
        assert not isinstance(cell, Money | ShareBar | Names | Trend)
        return text_of(cell, column.tone, short=self._short)

    def _head(self, index: int) -> Text:
        if self._table.headed and index == self._kept[0]:
            return Text(self._title.upper(), style="title")
        return text_of(self._table.columns[index].head, "soft", short=self._short)

    def fitted(self) -> FittedTable:
        width = self._look.width
        total = max(width, min(self._look.room, self.needed))
        self._leave_out(total, 2)
        if self.needed > total:
            self._short = True
            self._widths = self._wanted()
            self._give_way(total)
        spare = total - self.needed
        flexible = [index for index in self._kept if self._table.columns[index].kind == "bar"]
        flexible = flexible or [index for index in self._kept if self._table.columns[index].fills]
        if flexible and spare > 0:
            self._widths[flexible[0]] += spare
        columns = self._table.columns
        return FittedTable(
            tuple(columns[index] for index in self._kept),
            tuple(self._widths[index] for index in self._kept),
            tuple(self._head(index) for index in self._kept),
            tuple(
                (row, tuple(self._cell(row, index) for index in self._kept))
                for row in self._table.rows
            ),
        )

    @property
    def needed(self) -> int:
        """What all columns take with what is between them."""
        gaps = self._table.gap * (sum(width > 0 for width in self._widths.values()) - 1)
        return sum(self._widths.values()) + max(0, gaps)

    def _give_way(self, total: int) -> None:
        """Cut names, the widest first, then leave out bars, then columns, the first those that drop."""
        self._cut(total)
        bars = [index for index in self._kept if self._table.columns[index].kind == "bar"]
        if self.needed > total and bars:
            self._kept = [index for index in self._kept if index not in bars]
            self._widths = self._wanted()
            self._cut(total)
        self._leave_out(total, 1)
        self._cut(total, to_the_least=True)

    def _leave_out(self, total: int, least: int) -> None:
        """Leave out columns that drop as `least` or sooner, while there is no room for them."""
        while self.needed > total:
            first = max((self._table.columns[index].drops for index in self._kept), default=0)
            if first < least:
                return
            columns = self._table.columns
            self._kept = [index for index in self._kept if columns[index].drops < first]
            self._widths = self._wanted()
            self._cut(total)

    def _cut(self, total: int, *, to_the_least: bool = False) -> None:
        columns = self._table.columns
        giving = [index for index in self._kept if columns[index].gives or columns[index].wraps]
        while giving and self.needed > total:
            widest = max(giving, key=lambda index: self._widths[index])
            floor = columns[widest].floor
            least = _LEAST if floor is None or to_the_least else floor
            if self._widths[widest] <= least:
                giving.remove(widest)
                continue
            self._widths[widest] -= 1

    def _cell(self, row: TableRow, index: int) -> tuple[Text, ...]:
        column, cell, width = self._table.columns[index], row.cells[index], self._widths[index]
        if isinstance(cell, ShareBar):
            return (draw_bar(cell, width),)
        if isinstance(cell, Trend):
            return (Text(small_columns(cell.amounts), style=column.tone),)
        tone = column.tone or row.tone
        if isinstance(cell, Money):
            amount = cell.fitted(width, rounded=self._short and column.rounds)
            return (Text(amount, style=cell.tone or tone),)
        if isinstance(cell, Names):
            return (Text(_some(cell.names, width), style=cell.tone or tone),)
        text = self._text(cell, column if column.tone else replace(column, tone=row.tone))
        if column.wraps:
            return tuple(wrapped(text, width)) or (Text(),)
        if text.cell_len > width and column.gives:
            indent = len(self._label(row, index, Text()).plain)
            text = Text(titled(text.plain, width - indent), style=text.style)
        return (self._label(row, index, text),)


def _line(cells: Sequence[Text], fitted: FittedTable, gap: int) -> Text:
    """The cells of a line beside each other; columns of nothing take no room."""
    drawn = [
        fit(cell, -width if column.kind == "figure" else width)
        for cell, column, width in zip(cells, fitted.columns, fitted.widths, strict=True)
        if width > 0
    ]
    return Text(" " * gap).join(drawn)


def _below(row: TableRow, fitted: FittedTable, gap: int, look: Look) -> Iterator[Text]:
    """What stands below a row: words, and amounts that end where the row's own does."""
    end, figure = 0, 0
    for column, width in zip(fitted.columns, fitted.widths, strict=True):
        end += width + gap
        if column.kind == "figure":
            figure = width
            break
    end -= gap
    first = fitted.widths[0] + gap
    for part in row.below:
        indent = first + part.indent
        if part.amount is None:
            lines = wrapped(text_of(part.words), look.width, indent) or [Text(" " * indent)]
            margin = Text(part.margin if look.ids else "", style="soft")
            if margin.cell_len > first - gap:
                yield margin
            else:
                lines[0] = margin + lines[0][margin.cell_len :]
            yield from lines
            continue
        amount = part.amount.text
        start = end - max(figure, len(amount)) - 1
        *above, last = wrapped(text_of(part.words), start, indent) or [Text(" " * indent)]
        yield from above
        yield Text(" ").join(
            [fit(last, start), fit(Text(amount, style=part.amount.tone), start - end + 1)]
        )


def _some(names: Sequence[str], room: int) -> str:
    """As many names as there is room for, and how many more there are.

    The sum beside them is of all, so it is the only name that is cut off and never their number.
    """
    names = [printable(name) for name in names]
    for count in range(len(names), 0, -1):
        hidden = len(names) - count
        text = ", ".join(names[:count]) + (f" and {hidden} more" if hidden else "")
        if cell_len(text) <= room:
            return text
    if not names:
        return ""
    suffix = f" +{len(names) - 1}" if len(names) > 1 else ""
    return fit(names[0], max(1, room - cell_len(suffix))).plain + suffix


def draw_bar(bar: ShareBar, width: int) -> Text:
    """Draw a part of a whole in half steps; whatever is more than nothing shows at least one.

    What is due beyond the part follows in dashes of whole steps.
    """
    halves = _halves(bar.part, bar.whole, width)
    drawn = BAR * (halves // 2) + HALF_BAR * (halves % 2)
    text = Text().append(drawn, style=bar.tone)
    if bar.due > 0:
        ahead = max(1, _halves(bar.part + bar.due, bar.whole, width) // 2 - len(drawn))
        text.append(DUE * min(ahead, width - len(drawn)), style=bar.tone)
    text.append((REST if bar.rest else " ") * (width - text.cell_len), style="soft")
    return text


def _halves(part: int, total: int, width: int) -> int:
    """How many half steps of a bar a part of the whole takes."""
    if total <= 0 or part <= 0:
        return 0
    return min(2 * width, max(1, round(2 * width * part / total)))


def small_columns(values: Sequence[int]) -> str:
    """Draw values as one column each, the largest as high as the line; nothing and less is a blank.

    One that is huge beside the others, which nobody could tell apart otherwise, is as high as the
    largest of them.
    """
    above = [value for value in values if value > 0]
    usual = figures.largest_usual(above)
    largest = max(above, default=0) if usual is None else usual
    return "".join(
        BLOCKS[-(-8 * min(value, largest) // largest) - 1] if value > 0 else " " for value in values
    )
