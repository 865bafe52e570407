"""Pages drawn in cells: each block as its lines, sections under their headings."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rich.cells import cell_len
from rich.text import Text

from finplan.terminal import lines
from finplan.terminal.charts import draw_chart
from finplan.terminal.lines import Look, text_of
from finplan.terminal.tables import draw_table, ids_of, needed_width
from finplan.views import page as views
from finplan.views.locale import Money
from finplan.views.page import Fact, Page, PageBlock, Phrase, Section, TableCell

_LABEL, _FIGURE, _BESIDE = 18, 13, 37
"""How wide the label and the figure of a fact are that has a remark, and where the remark begins."""


def draw_page(page: Page, look: Look) -> Text:
    """Draw a page as one text, neither narrower nor wider than people read."""
    blocks = (part.blocks if isinstance(part, Section) else (part,) for part in page.parts)
    tables = (block for some in blocks for block in some if isinstance(block, views.PageTable))
    # An id that is short enough in its table may begin one of another table, too.
    ids = tuple(row_id for table in tables for row_id in ids_of(table))
    look = replace(look.of_page(), beside=ids)
    return lines.join_lines(line for part in page.parts for line in draw_part(part, look))


def draw_part(part: PageBlock | Section, look: Look) -> list[Text]:
    """Draw a section or a block by itself."""
    return draw_section(part, look) if isinstance(part, Section) else draw_block(part, look)


def draw_section(section: Section, look: Look) -> list[Text]:
    """Draw a section's heading and what stands below it; a headed table stands in its place."""
    first, *others = section.blocks or (None,)
    if isinstance(first, views.PageTable) and first.headed:
        drawn = draw_table(first, look, section.title)
    else:
        drawn = [draw_heading(section, look.width)]
        drawn += [] if first is None else draw_block(first, look)
    return [*drawn, *(line for block in others for line in draw_block(block, look))]


def draw_heading(section: Section, width: int) -> Text:
    """A section's title with its remark, which is shorter where both have no room."""
    remark = remark_of(section)
    if cell_len(section.title) + 1 + remark.cell_len > width:
        remark = remark_of(section, short=True)
    return lines.heading(section.title, remark, width)


def remark_of(section: Section, *, short: bool = False) -> Text:
    """What stands at the end of a section's title."""
    remark = section.remark
    return figure_of(remark) if isinstance(remark, Money) else text_of(remark, "soft", short=short)


def draw_blocks(blocks: Iterable[PageBlock], look: Look) -> list[Text]:
    """Draw blocks below each other."""
    return [line for block in blocks for line in draw_block(block, look)]


def draw_block(block: PageBlock, look: Look) -> list[Text]:
    """Draw one block."""
    match block:
        case views.Sentence():
            drawn = draw_sentence(block, look)
        case views.Remarks():
            drawn = _remarks(block, look)
        case views.Title():
            drawn = _title(block, look)
        case views.FactList():
            drawn = _facts(block, look)
        case views.Headline():
            drawn = _headline(block, look)
        case views.PageTable():
            drawn = draw_table(block, look)
        case views.StepList():
            drawn = [line for step in block.steps for line in draw_step(step, look)]
        case views.AmountChart():
            drawn = draw_chart(block, look)
    return drawn


def _title(block: views.Title, look: Look) -> list[Text]:
    """A title with its remark at the end of its line, or below it where there is no room."""
    title, remark = text_of(block.title, "strong"), text_of(block.remark, "soft")
    needed = title.cell_len + 1 + remark.cell_len
    width = lines.roomy(look.width, look.room, needed)
    if needed <= width or not remark.plain:
        return [lines.ends(title, remark, width)]
    return [*lines.wrapped(title, width), *lines.wrapped(remark, width)]


def draw_sentence(sentence: views.Sentence, look: Look) -> list[Text]:
    """A sentence over as many lines as it takes; a line that is blank stands for an empty one."""
    text = _draw_phrase(sentence.words, look, sentence.tone)
    if not text.plain or sentence.whole:
        return [text]
    return lines.wrapped(text, look.width, sentence.indent, "· " if sentence.item else "")


def _remarks(block: views.Remarks, look: Look) -> list[Text]:
    drawn: list[Text] = []
    for part in map(text_of, block.parts):
        if drawn and drawn[-1].cell_len + 3 + part.cell_len <= look.width:
            drawn[-1].append(" · ", style="soft").append_text(part)
        else:
            drawn += lines.wrapped(part, look.width, block.indent)
    return drawn


def _draw_phrase(phrase: Phrase, look: Look, tone: str) -> Text:
    if isinstance(phrase, str):
        return text_of(look.ways(phrase), tone)
    spans = tuple(span._replace(text=look.ways(span.text)) for span in views.spans(phrase))
    return text_of(spans, tone)


def figure_of(cell: TableCell, width: int = 99, *, short: bool = False) -> Text:
    """A figure by itself, in at most so many columns."""
    if isinstance(cell, Money):
        return Text(cell.fitted(width), style=cell.tone)
    assert not isinstance(cell, views.ShareBar | views.Names | views.Trend)
    return text_of(cell, short=short)


def _headline(block: views.Headline, look: Look) -> list[Text]:
    """The figures side by side, the first with the room that is left; what they are worth below."""
    facts = block.facts
    column = (look.width - 8) // len(facts)
    others = [column] * (len(facts) - 1)
    needed = [_needed(fact) for fact in facts]
    spare = look.width - sum(needed) - len(others)
    if spare >= 0 and any(cell_len(fact.label) > column for fact in facts[1:]):
        # Columns as wide as they need, so that no label is cut.
        others = [width + spare // len(facts) for width in needed[1:]]
    widths = (look.width - sum(others) - len(others), *others)
    labels = (text_of(fact.label, "soft") for fact in facts)
    figures = (figure_of(fact.value, width) for fact, width in zip(facts, widths, strict=True))
    drawn = [
        lines.row(*zip(labels, widths, strict=True)),
        lines.row(*zip(figures, widths, strict=True)),
    ]
    if any(fact.remark for fact in facts):
        worths = (text_of(fact.remark, "warn") for fact in facts)
        drawn.append(lines.row(*zip(worths, widths, strict=True)))
    return drawn


def _needed(fact: Fact) -> int:
    parts = (text_of(fact.label), figure_of(fact.value), text_of(fact.remark))
    return max(part.cell_len for part in parts)


def _facts(block: views.FactList, look: Look) -> list[Text]:
    """Facts with remarks in three columns; those without in two, as wide as their labels."""
    if any(fact.remark or isinstance(fact.value, Money) for fact in block.facts):
        return [line for fact in block.facts for line in draw_fact(fact, look)]
    label = max((cell_len(fact.label) for fact in block.facts), default=0)
    drawn: list[Text] = []
    for fact in block.facts:
        value = lines.wrapped(figure_of(fact.value), look.width - label - 2) or [Text()]
        heads = [fact.label, *[""] * (len(value) - 1)]
        drawn += [
            lines.row((text_of(head, "soft"), label)) + Text("  ") + line
            for head, line in zip(heads, value, strict=True)
        ]
    return drawn


def draw_fact(fact: Fact, look: Look, *, folded: bool = False) -> list[Text]:
    """A label, its figure and what it means; a `folded` one takes one line and says less for that."""
    needed = _BESIDE + cell_len(views.plain(fact.remark))
    room = lines.roomy(look.width, look.room, needed) - _BESIDE
    figure = figure_of(fact.value, _FIGURE)
    is_short = figure.cell_len > _FIGURE
    if is_short:
        figure = figure_of(fact.value, _FIGURE, short=True)
    remark = text_of(fact.remark, "soft", short=is_short)
    # A name that is cut says so, and may have what ends a clause.
    is_named = isinstance(fact.remark, views.TextSpan) and fact.remark.kind == "mentions"
    if folded and not is_named and remark.cell_len > room:
        ways = (*fact.shorter, *_without_last_clauses(remark.plain))
        brief = next((text for text in ways if cell_len(text) <= room), (remark.plain, *ways)[-1])
        remark = text_of(brief, "soft")
    remarks = [remark] if folded else lines.balanced(remark, room) or [Text()]
    first, *others = remarks
    line = lines.row(
        ("", 1), (text_of(fact.label), _LABEL), (figure, -_FIGURE), ("", 1), (first, room)
    )
    return [line, *(Text(" " * _BESIDE).append_text(extra) for extra in others)]


def _without_last_clauses(remark: str) -> Iterator[str]:
    """A remark that says ever less: its last clause is left away, then the one before it."""
    while (end := max(remark.rfind(", "), remark.rfind("; "))) > 0:
        remark = remark[:end]
        yield remark


def draw_step(step: views.Step, look: Look) -> list[Text]:
    """A step on a line with its amount, and its sentence below it."""
    title = text_of(look.ways(step.title), "strong accent")
    width = lines.roomy(look.width, look.room, title.cell_len + cell_len(step.amount) + 4)
    drawn = [
        lines.row(
            (Text(str(step.number), style="strong accent"), -2),
            (lines.ends(title, Text(step.amount), width - 3), width - 3),
        )
    ]
    if step.detail:
        drawn += lines.wrapped(text_of(look.ways(step.detail)), look.width - 1, 4)
    return drawn


def draw_beside(left: Section, right: Section, look: Look) -> list[Text]:
    """Two sections beside each other, each as wide as it needs to be where there is room."""
    needed = (_widest(left, look), _widest(right, look))
    widths = lines.halves(look.width, look.room, needed)
    drawn = (
        draw_section(section, look.within(width))
        for section, width in zip((left, right), widths, strict=True)
    )
    return lines.beside(next(drawn), next(drawn), widths, look.width)


def _widest(section: Section, look: Look) -> int:
    """How wide a section's tables are where every name is whole."""
    tables = (block for block in section.blocks if isinstance(block, views.PageTable))
    return max((needed_width(table, look) for table in tables), default=0)
