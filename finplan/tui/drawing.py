"""Lines of text that fit: cells, headings, wrapped sentences of a known width, and lines of tables.

Styles are names of the theme's colours, so that one drawing serves by day and by night. Sentences that
all faces share have the keys of this one in the place of commands.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.text import Text
from textual.content import Content, Span as ContentSpan

from finplan.model.characters import visible
from finplan.terminal.lines import Look, painted
from finplan.terminal.pages import draw_part
from finplan.terminal.tables import fit_table
from finplan.views.page import PageBlock, PageTable, Section

TextPart = str | Content
LineCell = tuple[TextPart, int]
"""What stands in a cell and how wide it is; a negative width puts it to the right."""

FAINT = "$foreground 62%"
STRONG = "bold"
HEAD = "bold $text-accent"
GOOD = "bold $text-success"
CAUTION = "$text-warning"
KEY = "bold $text-accent"
HERE = "bold $block-cursor-foreground on $block-cursor-background"

NEWLINE = Content("\n")
EMPTY = Content("")


def styled(text: str, style: str = "") -> Content:
    """Text in a style, without what could command a terminal or hide in a line."""
    return Content.styled(visible(text), style)


def fit(part: TextPart, width: int) -> Content:
    """A part in exactly so many columns; what is too long ends in an ellipsis."""
    content = styled(part) if isinstance(part, str) else part
    if width < 0:
        cut = content.truncate(-width, ellipsis=True)
        return cut.pad_left(-width - cut.cell_length)
    return content.truncate(width, ellipsis=True, pad=True)


def row(*cells: LineCell) -> Content:
    """Cells beside each other, one space between them."""
    return Content(" ").join(fit(part, width) for part, width in cells)


def ends(left: TextPart, right: TextPart, width: int) -> Content:
    """One part at each end of a line; the left one gives way."""
    last = styled(right) if isinstance(right, str) else right
    room = width - last.cell_length - 1
    return fit(left, max(0, room)) + Content(" ") + last if room > 0 else fit(left, width)


def heading(title: str, aside: TextPart, width: int) -> Content:
    """A title in capitals, and what stands at its end."""
    content = styled(aside, FAINT) if isinstance(aside, str) else aside
    return ends(styled(title.upper(), HEAD), content, width)


def wrapped(text: str, width: int, style: str = "") -> list[Content]:
    """A sentence over as many lines as it takes; none without one."""
    lines = styled(text, style).wrap(max(1, width)) if text else ()
    return [line.rstrip() for line in lines]


def page(lines: Iterable[Content]) -> Content:
    """Lines below each other."""
    return NEWLINE.join(lines)


def height(drawn: Content) -> int:
    """How many lines a page has."""
    return drawn.plain.count("\n") + 1


_KEYS_OF_COMMANDS = (
    (r"tasks answer \S+ --dismiss", "d in Tasks (T)"),
    (r"tasks undo.*", "u in Tasks (T)"),
    (r"tasks.*", "Tasks (T)"),
    (r"imports.*", "u in Accounts (A)"),
    (r"import FILE", "i (Import)"),
    (r"transactions --(category uncategorized|merchant .*)", "Spending (S)"),
    (r"plan explain.*", "x in Plan (P)"),
    (r"plan build", "b in Plan (P)"),
    (r"--demo .*", "`finplan tui --demo`"),
    (r"connections sync|sync", "s in Accounts (A)"),
    (r"connections.*", "Accounts (A)"),
    (r"connect .*|connect", "c in Accounts (A)"),
    (r"accounts set .* --kind.*", "k in Accounts (A)"),
    (r"accounts set .* --balance.*", "b in Accounts (A)"),
    (r"accounts.*", "Accounts (A)"),
    (r"snapshot --income detected", "Income in Settings (G)"),
    (r"duplicates same \S+", "y in Review (F)"),
    (r"transfers reject \S+", "n in Review (F)"),
    (r"(transfers|duplicates|recurring).*", "Review (F)"),
    (r"settings.*", "Settings (G)"),
)
"""Commands as sentences write them, and where the same is done here; the first that fits counts."""


def by_keys(sentence: str) -> str:
    """A sentence of finplan's own that names keys where there are some; other commands stay."""
    return re.sub(r"`finplan ([^`]*)`", _key_of_command, sentence)


def _key_of_command(match: re.Match[str]) -> str:
    return next(
        (key for way, key in _KEYS_OF_COMMANDS if re.fullmatch(way, match[1], re.DOTALL)), match[0]
    )


STYLES = {
    "title": HEAD,
    "soft": FAINT,
    "strong": STRONG,
    "good": "$text-success",
    "bad": "$text-error",
    "warn": CAUTION,
    "accent": "$text-primary",
    "essential": "$primary",
    "discretionary": "$secondary",
    "quote": "italic",
    "gone": "strike",
    "band": "on $accent 20%",
}
"""What the tones of a page are on the whole screen."""


def content_of(text: Text) -> Content:
    """A drawn text in the colours of the theme."""
    painted_text = painted(text, STYLES)
    spans = [ContentSpan(span.start, span.end, str(span.style)) for span in painted_text.spans]
    drawn = Content(painted_text.plain, spans)
    return drawn.stylize_before(str(painted_text.style)) if painted_text.style else drawn


def drawing_of(
    parts: Iterable[PageBlock | Section], *, aloud: bool = False
) -> Callable[[int], Content]:
    """Draws parts of a page for so many columns; `aloud` without what is for the eye alone."""
    all_parts = tuple(parts)

    def draw(width: int) -> Content:
        look = Look(width, aloud=aloud, ids=False, ways=by_keys)
        drawn = [content_of(line) for part in all_parts for line in draw_part(part, look)]
        return page(line.rstrip() for line in drawn)

    return draw


class ColumnHead(NamedTuple):
    """The head of a column, so many columns wide; figures stand at the right."""

    name: str
    width: int
    figures: bool = False


class TableLine(NamedTuple):
    """One line: what it is called in the program, and its cells."""

    key: str
    cells: Sequence[Text]


def ledger_of(
    table: PageTable, width: int, *, aloud: bool = False
) -> tuple[list[ColumnHead], list[TableLine]]:
    """A table in so many columns, each with a space at either side; a row of it takes one line."""
    flat = (
        replace(column, gives=column.gives or column.wraps, wraps=False) for column in table.columns
    )
    fitted = fit_table(
        replace(table, columns=tuple(flat), gap=2, headed=False),
        Look(width - 2, aloud=aloud, ids=False),
    )
    visible = [index for index, size in enumerate(fitted.widths) if size]
    heads = [
        ColumnHead(
            fitted.heads[index].plain, fitted.widths[index], fitted.columns[index].kind == "figure"
        )
        for index in visible
    ]
    rows = [
        TableLine(row.key, [painted(cells[index][0]) for index in visible])
        for row, cells in fitted.rows
    ]
    return heads, rows
