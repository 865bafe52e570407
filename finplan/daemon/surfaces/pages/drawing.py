"""Pages of views as HTML, made of elements that escape what they hold."""

from collections.abc import Iterable, Iterator, Mapping

from finplan.daemon.surfaces.pages import markup
from finplan.daemon.surfaces.pages.markup import (
    PRINTED,
    Markup,
    bar as drawn_bar,
    command,
    element,
    join_markup,
    lines,
    name,
    not_printed,
    sentence,
)
from finplan.views import page as views
from finplan.views.locale import Money

_MINUS = "\N{MINUS SIGN}"
_NOTHING = "–"
"""What a column of a grid has where there is nothing to tell."""

_CLASSES = {
    "soft": "soft",
    "warn": "provisional",
    "bad": "negative",
    "good": "good",
    "strong": "strong",
}
_BAR_TONES = {"good": "income", "bad": "over", "accent": "income"}


def draw_section(
    section: views.Section,
    *content: str | None,
    picture: Markup | None = None,
    is_open: bool | None = None,
) -> Markup:
    """A section under its heading, `content` below it; a `picture` beside its table stands for its bars.

    One that `is_open` or not can be folded on a narrow screen.
    """
    remark = element("p", _remark(section.remark), class_="remark") if section.remark else None
    blocks: list[Markup | str | None] = [*_blocks(section.blocks, bars=picture is None)]
    if picture is not None and blocks:
        blocks = [element("div", picture, *blocks, class_="beside")]
    return markup.section(
        section.key, section.title, *blocks, *content, remark=remark, is_open=is_open
    )


def _remark(remark: views.Phrase | Money) -> Markup:
    return figure(remark) if isinstance(remark, Money) else words(remark)


def draw_blocks(blocks: Iterable[views.PageBlock]) -> Markup:
    """Blocks below each other."""
    return join_markup(*_blocks(blocks, bars=True))


def _blocks(blocks: Iterable[views.PageBlock], *, bars: bool) -> Iterator[Markup]:
    """Each block; sentences that are items of a list stand in one together."""
    items: list[Markup] = []
    for block in blocks:
        if isinstance(block, views.Sentence) and block.item:
            items.append(element("li", words(block.words)))
            continue
        if items:
            yield _draw_list(items)
            items = []
        yield draw_block(block, bars=bars)
    if items:
        yield _draw_list(items)


def _draw_list(items: list[Markup]) -> Markup:
    listed = element("ul", *items, class_=f"first-{PRINTED}")
    return join_markup(listed, not_printed(len(items)))


def draw_page(page: views.Page) -> Markup:
    """Blocks and sections below each other."""
    return join_markup(*map(_part, page.parts))


def _part(part: views.PageBlock | views.Section) -> Markup:
    return draw_section(part) if isinstance(part, views.Section) else draw_block(part)


def draw_things(
    page: views.Page, acts: Mapping[str, Markup | None] | None = None, *, ids: bool = False
) -> Markup:
    """A page with a list in the place of each table, and with what can be done with a thing by its key.

    With `ids` its own id stands beside its name.
    """

    def draw_part(part: views.PageBlock | views.Section) -> Markup:
        if not isinstance(part, views.PageTable):
            return _part(part)
        rows = (_thing(row, part.columns, (acts or {}).get(row.key), ids) for row in part.rows)
        return element("ul", *rows, class_="things")

    return join_markup(*map(draw_part, page.parts))


def _thing(
    row: views.TableRow, columns: tuple[views.TableColumn, ...], act: Markup | None, ids: bool
) -> Markup:
    names: list[Markup] = []
    details: list[Markup] = []
    for cell, column in zip(row.cells, columns, strict=True):
        drawn = command(str(cell)) if column.kind == "id" else _cell(cell, is_figure=False)
        if not names or (ids and column.kind == "id"):
            names.append(drawn)
        elif drawn and column.kind != "id":
            head = views.plain(column.head)
            details.append(join_markup(f"{head} " if head else None, drawn))
    first = row.cells[0]
    ended = isinstance(first, views.TextSpan) and first.tone == "gone"
    return thing(join_markup(*_separate(names, " ")), details, act, ended=ended)


def thing(
    label: str, details: Iterable[str | None], *acts: str | None, ended: bool = False
) -> Markup:
    """One thing of a list: what it is called, what is known of it, what can be done with it."""
    facts = [join_markup(detail) for detail in details if detail]
    body = element(
        "div",
        element("p", label, class_="named"),
        element("p", *_separate(facts, " · "), class_="soft small"),
        class_="told",
    )
    return element("li", body, *acts, class_="ended" if ended else None)


def draw_block(block: views.PageBlock, *, bars: bool = True) -> Markup:
    """One block; without `bars` where a picture shows the same."""
    match block:
        case views.Title():
            drawn = element("h1", words(block.title))
        case views.Sentence():
            tag = f"h{block.level}" if block.level else "p"
            drawn = element(tag, words(block.words), class_=_classes(block.tone))
        case views.Remarks():
            drawn = element("p", *_separate(list(map(words, block.parts)), " · "))
        case views.FactList():
            drawn = element("dl", *map(_fact, block.facts), class_="facts")
        case views.Headline():
            drawn = element("dl", *map(_draw_headline, block.facts), class_="headline")
        case views.PageTable():
            drawn = draw_table(block, bars=bars)
        case views.StepList():
            steps = element("ol", *map(_step, block.steps), class_=f"actions first-{PRINTED}")
            drawn = join_markup(steps, not_printed(len(block.steps)))
        case views.AmountChart():
            # A page's pictures are drawn in finer detail than a grid has.
            drawn = Markup("")
    return drawn


def words(phrase: views.Phrase) -> Markup:
    """Words with their tones; a command stands as one to type, and a name moves nothing beside it."""
    parts = []
    for span in views.spans(phrase):
        text = name(span.text) if span.kind == "name" else sentence(span.text)
        if span == views.UNKNOWN:
            text = element("span", text, class_="unknown")
        elif span.tone and (classes := _classes(span.tone)):
            text = element("span", text, class_=classes)
        parts.append(text)
    return join_markup(*parts)


def _classes(tone: str) -> str | None:
    return " ".join(_CLASSES[part] for part in tone.split() if part in _CLASSES) or None


def figure(money: Money) -> Markup:
    """An amount; one below nothing stands out."""
    written = money.text
    below = "bad" in money.tone or (written.startswith("-") and not money.calm)
    tone = "figure negative" if below else "figure"
    return element("span", written.replace("-", _MINUS, 1), class_=tone)


def _cell(cell: views.TableCell, *, is_figure: bool) -> Markup:
    match cell:
        case Money():
            return figure(cell)
        case views.ShareBar():
            return drawn_bar(
                cell.part, cell.whole, _BAR_TONES.get(cell.tone, cell.tone), due=cell.due
            )
        case views.Names():
            return name(", ".join(cell.names))
        case views.Trend():
            return Markup("")
        case str() if is_figure:
            return join_markup(cell.replace("-", _MINUS))
        case _:
            return words(cell)


def _fact(fact: views.Fact) -> Markup:
    remark = element("dd", words(fact.remark), class_="soft") if fact.remark else None
    value = element("dd", _cell(fact.value, is_figure=True))
    return element("div", element("dt", fact.label), value, remark)


def _draw_headline(fact: views.Fact) -> Markup:
    before = f"{views.plain(fact.remark)} " if fact.remark else None
    value = element("dd", before, _cell(fact.value, is_figure=True))
    return element("div", element("dt", fact.label), value)


def _step(step: views.Step) -> Markup:
    amount = element("span", step.amount, class_="figure") if step.amount else None
    return element(
        "li",
        element("div", element("h3", step.title), amount, class_="heading"),
        element("p", sentence(step.detail)),
    )


def draw_table(table: views.PageTable, *, bars: bool = True) -> Markup:
    """A table with a caption for those who hear it; of a long one the first rows alone are printed."""
    columns = [column for column in table.columns if column.kind not in ("bar", "detail", "id")]
    if not columns:
        return join_markup(
            *(_cell(cell, is_figure=False) for row in table.rows for cell in row.cells)
        )
    heads = None
    if any(views.plain(column.head) for column in columns):
        heads = element("thead", element("tr", *map(_head, columns)))
    drawn = element(
        "table",
        element("caption", table.spoken, class_="heard") if table.spoken else None,
        heads,
        element("tbody", *(_row(row, table.columns, bars=bars) for row in table.rows)),
        class_=f"first-{PRINTED}" if table.long else None,
    )
    return join_markup(drawn, not_printed(len(table.rows))) if table.long else drawn


def _head(column: views.TableColumn) -> Markup:
    if not views.plain(column.head):
        return element("td")
    is_figure = "figure-cell" if column.kind == "figure" else None
    return element("th", words(column.head), scope="col", class_=is_figure)


def _row(row: views.TableRow, columns: tuple[views.TableColumn, ...], *, bars: bool) -> Markup:
    first, *_ = row.cells
    label = _cell(first, is_figure=False)
    cells: list[Markup] = []
    details = []
    for cell, column in list(zip(row.cells, columns, strict=True))[1:]:
        is_figure = column.kind == "figure"
        if column.kind == "bar":
            assert isinstance(cell, views.ShareBar)
            if bars:
                drawn = _cell(cell, is_figure=False)
                label = element("span", element("span", label), drawn, class_="with-bar")
        elif column.kind == "detail":
            detail, head = _cell(cell, is_figure=False), views.plain(column.head)
            if detail and detail != _NOTHING:
                details.append(join_markup(f"{head} " if head else None, detail))
        elif column.kind != "id":
            drawn = _cell(cell, is_figure=is_figure)
            cells.append(element("td", drawn or None, class_="figure-cell" if is_figure else None))
    if row.flag and cells:
        flag = element("span", row.flag, class_="flag")
        cells[-1] = Markup(cells[-1].replace(">", f">{flag} ", 1))
    below = [
        element("span", *_separate(details), class_="soft small") if details else None,
        *(element("span", words(part.words), class_="soft small") for part in row.below),
    ]
    head = element("th", lines(label, *below), scope="row")
    return element("tr", head, *cells, class_="line" if row.heads else None)


def _separate(parts: list[Markup], sign: str = ", ") -> Iterator[Markup | str]:
    for index, part in enumerate(parts):
        yield from ([sign] if index else [])
        yield part
