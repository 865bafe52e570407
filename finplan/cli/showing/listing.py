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
    """One column: its head, and whether it holds figures or gives way when the line is too long.

    One that `wraps` gives way by taking further lines, where nothing may be left out.
    """

    head: str
    figures: bool = False
    gives_way: bool = False
    wraps: bool = False
    style: str = ""


def listing(columns: Iterable[Column], rows: Iterable[Iterable[Content]]) -> Table:
    """Draw each row on one line under its heads, but for what wraps; figures stand to the right.

    Where no column has a head, there is no line for them.
    """
    columns = tuple(columns)
    table = Table(
        box=None,
        pad_edge=False,
        header_style="dim",
        padding=(0, 2, 0, 0),
        show_header=any(column.head for column in columns),
    )
    cells = [
        [_cell(content, wraps=column.wraps) for column, content in zip(columns, row, strict=True)]
        for row in rows
    ]
    for place, column in enumerate(columns):
        # A figure and its head are never shortened, however little room there is.
        lengths = (cell_len(column.head), *(row[place].cell_len for row in cells))
        least = max(lengths) if column.figures else None
        table.add_column(
            column.head,
            justify="right" if column.figures else "left",
            no_wrap=not (column.gives_way or column.wraps),
            overflow="fold" if column.wraps else "ellipsis",
            style=column.style,
            min_width=least,
        )
    for row in cells:
        table.add_row(*row)
    return table


def _cell(content: Content, *, wraps: bool) -> Text:
    cell = content.copy() if isinstance(content, Text) else Text(content)
    cell.plain = printable(cell.plain)
    if not wraps:
        # A column that gives way may be shortened, but a row never takes a second line.
        cell.no_wrap, cell.overflow = True, "ellipsis"
    return cell
