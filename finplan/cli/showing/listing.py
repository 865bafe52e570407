"""Tables of answers: plain columns without a frame, which stay readable when piped."""

from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from finplan.cli.showing.layout import printable

Content = str | Text


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its head, and whether it holds figures or gives way when the line is too long."""

    head: str
    figures: bool = False
    gives_way: bool = False
    style: str = ""


def listing(columns: Iterable[Column], rows: Iterable[Iterable[Content]]) -> Table:
    """Draw each row on one line under its heads; figures stand to the right."""
    table = Table(box=None, pad_edge=False, header_style="dim", padding=(0, 2, 0, 0))
    cells = [[_cell(content) for content in row] for row in rows]
    for place, column in enumerate(columns):
        # A figure and its head are never shortened, however little room there is.
        lengths = (cell_len(column.head), *(row[place].cell_len for row in cells))
        least = max(lengths) if column.figures else None
        table.add_column(
            column.head,
            justify="right" if column.figures else "left",
            no_wrap=not column.gives_way,
            overflow="ellipsis",
            style=column.style,
            min_width=least,
        )
    for row in cells:
        table.add_row(*row)
    return table


def _cell(content: Content) -> Text:
    cell = content.copy() if isinstance(content, Text) else Text(content)
    cell.plain = printable(cell.plain)
    # A column that gives way may be shortened, but a row never takes a second line.
    cell.no_wrap, cell.overflow = True, "ellipsis"
    return cell
