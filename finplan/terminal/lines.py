"""Lines of text that fit: cells beside each other, headings and wrapped sentences of a known width.

A page made of such lines knows its height before it is shown, so it can keep to two screens.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Span as StyledSpan, Text

from finplan.model.characters import visible
from finplan.views.page import Phrase, spans

GAP = 3
"""How many columns stand between two blocks beside each other."""
_MINUS = "\N{MINUS SIGN}"
_APART = " · "
_GLUE = "\ue000"
"""Stands for a blank at which no line breaks; no printable text has it."""

_UNBROKEN = re.compile(
    r"`[^`]*`|(?:\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) )?\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep"
    r"|Oct|Nov|Dec)[a-z]{0,6}(?: \d{4})?\b"
)
"""What no line breaks where a line has room for all of it: commands and dates."""

NARROWEST, WIDEST = 60, 110
"""How wide a page of sentences and tables is, at least and at most."""

STYLES = {
    "title": "bold",
    "soft": "dim",
    "strong": "bold",
    "good": "green",
    "bad": "red",
    "warn": "yellow",
    "accent": "cyan",
    "essential": "cyan",
    "discretionary": "magenta",
    "quote": "italic",
    "gone": "strike",
    "band": "",
}
"""What the tones of a page are on a terminal."""


def _as_written(sentence: str) -> str:
    return sentence


@dataclass(frozen=True, slots=True)
class Look:
    """How a face draws pages: lines of `width` columns, and up to `room` for a name that would be cut.

    `blocks` tells that small columns can be seen, `small` that a chart takes one line, `short` that
    tables are as in little room, `aloud` that nothing is drawn for the eye alone, `ids` that things are
    called by their ids, `beside` which ids the page has in all. `ways` puts a face's own ways in the
    place of commands.
    """

    width: int
    room: int = 0
    blocks: bool = False
    small: bool = False
    short: bool = False
    aloud: bool = False
    ids: bool = True
    beside: tuple[str, ...] = ()
    ways: Callable[[str], str] = _as_written

    def of_page(self) -> "Look":
        """The same for a page, which is neither narrower nor wider than people read."""
        return replace(self, width=max(NARROWEST, min(self.width, WIDEST)))

    def within(self, width: int) -> "Look":
        """The same for lines of another width."""
        return replace(self, width=width, room=max(width, self.room - self.width + width))


def printable(text: str) -> str:
    """Take the control characters out of a text from outside, so that it cannot command a terminal.

    A typographic minus becomes the one that the figures of every page have.
    """
    return "".join(sign if sign.isprintable() else " " for sign in text).replace(_MINUS, "-")


def text_of(phrase: Phrase, tone: str = "", *, short: bool = False) -> Text:
    """Words as text, each part in its own tone within the one of all."""
    text = Text(style=tone)
    for span in spans(phrase):
        content = span.short if short and span.short is not None else span.text
        text.append(printable(visible(content) if span.kind else content), style=span.tone or None)
    return text


def painted(text: Text, styles: Mapping[str, str] = STYLES) -> Text:
    """A text with the styles of a face in the place of tones."""

    def style_of(tone: object) -> str:
        return " ".join(styles.get(name, name) for name in str(tone).split())

    painted_spans = [StyledSpan(span.start, span.end, style_of(span.style)) for span in text.spans]
    done = text.copy()
    done.spans, done.style = painted_spans, style_of(text.style)
    return done


def row(*cells: tuple[str | Text, int]) -> Text:
    """Put cells beside each other, one space between them; a negative width puts one to the right.

    What is too long ends in an ellipsis.
    """
    return Text(" ").join(fit(content, width) for content, width in cells)


def fit(content: str | Text, width: int) -> Text:
    """Text in exactly so many columns, at the right of them where the width is negative."""
    cell = content.copy() if isinstance(content, Text) else Text(printable(content))
    cell.truncate(abs(width), overflow="ellipsis")
    missing = abs(width) - cell.cell_len
    if width < 0:
        cell.pad_left(missing)
    else:
        cell.pad_right(missing)
    return cell


def titled(name: str, width: int) -> str:
    """Shorten "Interest · Credit card 5501" from its middle, so that two such names still differ.

    What follows the sign takes half of the width at most, or is its last word.
    """
    head, sign, tail = name.rpartition(_APART)
    if not sign or cell_len(name) <= width:
        return name
    if cell_len(tail) > width // 2:
        tail = tail.split()[-1]
    room = width - cell_len(f"{sign}{tail}") - 1
    return f"{set_cell_size(head, room).rstrip()}…{sign}{tail}" if room > 0 else name


def roomy(width: int, room: int, needed: int) -> int:
    """How wide a line is: as its page, or wider up to `room` where a name would be cut off otherwise."""
    return max(width, min(room, needed))


def ends(left: Text, right: Text, width: int) -> Text:
    """Put one text at each end of a line; the left one gives way."""
    space = right.cell_len
    return row((left, max(0, width - space - 1)), (right, -space))


def heading(title: str, remark: Text, width: int) -> Text:
    """Head a section: its title in capitals, a remark at the right."""
    return ends(Text(title.upper(), style="title"), remark, width)


def wrapped(text: Text, width: int, indent: int = 0, first: str = "") -> list[Text]:
    """Break a sentence into lines of at most `width`, all of them indented; `first` begins them."""
    room = max(1, width - indent - len(first))
    lines = _glued(text, room).wrap(_measure(), room)
    for line in lines:
        line.plain = line.plain.replace(_GLUE, " ")
    starts = [first, *[" " * len(first)] * (len(lines) - 1)]
    return [
        Text(" " * indent + start).append_text(stripped(line))
        for start, line in zip(starts, lines, strict=True)
    ]


def _glued(text: Text, room: int) -> Text:
    """A text of which no line breaks a command or a date that fits."""

    def glue(match: re.Match[str]) -> str:
        fits = cell_len(match[0]) <= room
        return match[0].replace(" ", _GLUE) if fits else match[0]

    glued = text.copy()
    glued.plain = _UNBROKEN.sub(glue, text.plain)
    return glued


def balanced(text: Text, width: int) -> list[Text]:
    """Break a short text into as few lines as it needs, about as long as each other."""
    lines = wrapped(text, width)
    for narrower in range(width - 1, 0, -1):
        broken = wrapped(text, narrower)
        if len(broken) > len(lines):
            break
        lines = broken
    return lines


def stripped(line: Text) -> Text:
    """A line without blanks at its end."""
    cut = line.copy()
    cut.rstrip()
    return cut


def beside(
    left: Sequence[Text], right: Sequence[Text], widths: tuple[int, int], width: int
) -> list[Text]:
    """Put two blocks beside each other on a page of `width`, each as wide as `halves` has it."""
    height, gap = max(len(left), len(right)), max(GAP, width - sum(widths))
    return [
        row((_at(left, index), widths[0]), ("", gap - 2), (_at(right, index), widths[1]))
        for index in range(height)
    ]


def halves(width: int, room: int, needed: tuple[int, int]) -> tuple[int, int]:
    """How wide each of two blocks beside each other is: half a page, or more where it needs more."""
    half, most = (width - GAP) // 2, (room - GAP) // 2
    left, right = (roomy(half, most, least) for least in needed)
    return left, right


def join_lines(lines: Iterable[Text]) -> Text:
    """Join lines to one text that never wraps."""
    text = Text("\n").join(stripped(line) for line in lines)
    text.no_wrap, text.overflow = True, "ignore"
    return text


def _at(block: Sequence[Text], index: int) -> Text:
    return block[index] if index < len(block) else Text()


@cache
def _measure() -> Console:
    return Console()
