"""Tables of text, for a terminal and for the handbook; the first line of each holds its headings."""

from collections.abc import Callable, Collection, Sequence

Table = Sequence[Sequence[str]]
"""Lines of cells, as many in each."""


def in_columns(table: Table, numbers: Collection[int]) -> str:
    """A table for a terminal; the columns at the places of `numbers` are set to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(
            _put(cell, width, place in numbers)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in table
    ]
    return "\n".join(line.rstrip() for line in lines)


def in_markdown(table: Table, numbers: Collection[int]) -> str:
    """The same table for the handbook."""
    head, *lines = table
    rule = ["---:" if place in numbers else "---" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, rule, *lines))


def _put(cell: str, width: int, right: bool) -> str:
    justify: Callable[[int], str] = cell.rjust if right else cell.ljust
    return justify(width)
