"""What is drawn as a text that is kept and read, once it was seen to have room."""

from textual.content import Content

from finplan.tui.drawing.lines import ColumnHead, TableLine


def as_text(drawn: Content, width: int) -> str:
    """A drawing, whose lines have room."""
    lines = drawn.plain.split("\n")
    assert [line for line in drawn.split("\n") if line.cell_length > width] == []
    return "\n".join(line.rstrip() for line in lines)


def table(drawn: tuple[list[ColumnHead], list[TableLine]], width: int) -> str:
    """A table: its heads with their width, and a line for each of its lines."""
    heads, lines = drawn
    assert sum(each.width + 2 for each in heads) <= width
    told = [" | ".join(f"{each.name} {each.width}" for each in heads)]
    told += [" | ".join(str(cell) for cell in line.cells) for line in lines]
    return "\n".join(told)
