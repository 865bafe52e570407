"""Lines of text that fit: cells, bars, headings and wrapped sentences of a known width.

A page made of such lines knows its height before it is printed, so it can keep to two screens.
"""

from collections.abc import Iterable, Sequence
from functools import cache

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from finplan.cli.console.terminal import BLOCKS
from finplan.model import figures

Cell = tuple[str | Text, int]
"""What stands in a cell and how wide it is; a negative width puts it to the right."""

_GAP = 3
"""How many columns stand between two blocks beside each other."""
_MINUS = "\N{MINUS SIGN}"
TOLD_APART = " · "
BAR, HALF_BAR, DUE, REST = "━", "╸", "╍", "─"


def row(*cells: Cell) -> Text:
    """Put cells beside each other, one space between them; what is too long ends in an ellipsis."""
    return Text(" ").join(_fit(content, width) for content, width in cells)


def titled(name: str, width: int) -> str:
    """Shorten "Interest · Credit card 5501" from its middle, so that two such names still differ.

    What follows the sign takes half of the width at most, or is its last word.
    """
    head, sign, tail = name.rpartition(TOLD_APART)
    if not sign or cell_len(name) <= width:
        return name
    if cell_len(tail) > width // 2:
        tail = tail.split()[-1]
    room = width - cell_len(f"{sign}{tail}") - 1
    return f"{set_cell_size(head, room).rstrip()}…{sign}{tail}" if room > 0 else name


def printable(text: str) -> str:
    """Take the control characters out of a text from outside, so that it cannot command a terminal.

    A typographic minus becomes the one that the figures of every page have.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text).replace(_MINUS, "-")


def _fit(content: str | Text, width: int) -> Text:
    cell = content.copy() if isinstance(content, Text) else Text(content)
    cell.plain = printable(cell.plain)
    cell.truncate(abs(width), overflow="ellipsis")
    missing = abs(width) - cell.cell_len
    if width < 0:
        cell.pad_left(missing)
    else:
        cell.pad_right(missing)
    return cell


def roomy(width: int, room: int, needed: int) -> int:
    """How wide a line is: as its page, or wider up to `room` where a name would be cut off otherwise."""
    return max(width, min(room, needed))


def ends(left: str | Text, right: str | Text, width: int) -> Text:
    """Put one text at each end of a line; the left one gives way."""
    space = cell_len(right) if isinstance(right, str) else right.cell_len
    return row((left, width - space - 1), (right, -space))


def bar(part: int, whole: int, width: int, style: str, *, rest: bool = False, due: int = 0) -> Text:
    """Draw a part of a whole in half steps; whatever is more than nothing shows at least one.

    What is `due` beyond the part follows in dashes of whole steps. `rest` draws what is missing as a
    thin line.
    """
    halves = _halves(part, whole, width)
    drawn = BAR * (halves // 2) + HALF_BAR * (halves % 2)
    text = Text(drawn, style=style)
    ahead = max(1, _halves(part + due, whole, width) // 2 - len(drawn)) if due > 0 else 0
    ahead = min(ahead, width - len(drawn))
    text.append(DUE * ahead, style=style)
    text.append((REST if rest else " ") * (width - len(drawn) - ahead), style="dim")
    return text


def _halves(part: int, whole: int, width: int) -> int:
    """How many half steps of a bar a part of the whole takes."""
    if whole <= 0 or part <= 0:
        return 0
    return min(2 * width, max(1, round(2 * width * part / whole)))


def small_columns(values: Sequence[int]) -> str:
    """Draw values as one column each, the largest as high as the line; nothing and less is a blank.

    One that is huge beside the others, which nobody could tell apart otherwise, is as high as the
    largest of them.
    """
    above = [each for each in values if each > 0]
    usual = figures.largest_usual(above)
    largest = max(above, default=0) if usual is None else usual
    return "".join(
        BLOCKS[-(-8 * min(each, largest) // largest) - 1] if each > 0 else " " for each in values
    )


def heading(title: str, remark: str, width: int) -> Text:
    """Head a section: its title in bold capitals, a dim remark at the right."""
    return ends(Text(title.upper(), style="bold"), Text(remark, style="dim"), width)


def wrapped(text: str, width: int, *, indent: int = 0, style: str = "") -> list[Text]:
    """Break a sentence into lines of at most `width`, all of them indented."""
    lines = Text(printable(text), style=style).wrap(_measure(), width - indent)
    return [Text(" " * indent).append_text(_stripped(line)) for line in lines]


def _stripped(line: Text) -> Text:
    line.plain = printable(line.plain.rstrip())
    return line


def columns(
    left: Sequence[Text], right: Sequence[Text], widths: tuple[int, int], width: int
) -> list[Text]:
    """Put two blocks beside each other on a page of `width`, each as wide as `halves` has it."""
    height, gap = max(len(left), len(right)), max(_GAP, width - sum(widths))
    return [
        row((_at(left, place), widths[0]), ("", gap - 2), (_at(right, place), widths[1]))
        for place in range(height)
    ]


def halves(width: int, room: int, needed: tuple[int, int]) -> tuple[int, int]:
    """How wide each of two blocks beside each other is: half a page, or more where it needs more."""
    half, most = (width - _GAP) // 2, (room - _GAP) // 2
    left, right = (roomy(half, most, each) for each in needed)
    return left, right


def page(lines: Iterable[Text]) -> Text:
    """Join lines to one text that never wraps."""
    joined = Text("\n").join(_stripped(line) for line in lines)
    joined.no_wrap = True
    joined.overflow = "ignore"
    return joined


def _at(block: Sequence[Text], place: int) -> Text:
    return block[place] if place < len(block) else Text()


@cache
def _measure() -> Console:
    return Console()
