"""What pages are made of: words, money, tables, facts and charts, before any face lays them out.

A tone says what a piece of text means: `soft`, `strong`, `good`, `bad`, `warn`, `accent`, `essential`,
`discretionary`, `quote` or `gone`, or several of them. Each face has its own looks for them.
What a stranger wrote, such as a payee, is a name, so that every face can set it apart. A command stands
between backticks in a sentence, and a face that has another way to the same thing names that instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from finplan.views.locale import Money


class TextSpan(NamedTuple):
    """Some text of one tone; `short` is what stands for it where there is little room.

    A `name` is what a stranger wrote; a sentence that may hold such names `mentions` them. A
    `label` is what the household itself named something.
    """

    text: str
    tone: str = ""
    kind: Literal["", "name", "mentions", "label"] = ""
    short: str | None = None


Phrase = str | TextSpan | tuple[str | TextSpan, ...]


def spans(phrase: Phrase) -> tuple[TextSpan, ...]:
    """The parts of some words."""
    if isinstance(phrase, TextSpan):
        return (phrase,)
    if isinstance(phrase, str):
        return (TextSpan(phrase),) if phrase else ()
    parts = (part if isinstance(part, TextSpan) else TextSpan(part) for part in phrase)
    return tuple(part for part in parts if part.text)


def plain(phrase: Phrase) -> str:
    """The text of some words."""
    return phrase if isinstance(phrase, str) else "".join(span.text for span in spans(phrase))


def name(text: str, tone: str = "") -> TextSpan:
    """What a stranger wrote."""
    return TextSpan(text, tone, "name")


def named_each(names: Iterable[str]) -> tuple[str | TextSpan, ...]:
    """What strangers wrote, one after the other."""
    return tuple(part for text in names for part in (", ", name(text)))[1:]


def mentioning(text: str, tone: str = "") -> TextSpan:
    """A sentence of finplan's own that may name what strangers wrote."""
    return TextSpan(text, tone, "mentions")


def category(key: str, label: str | None) -> TextSpan:
    """A category by its name, with the id that agents ask by."""
    return TextSpan(key if label is None else f"{label} ({key})", kind="label")


def soft(text: str) -> TextSpan:
    """What is said beside something else."""
    return TextSpan(text, "soft")


UNKNOWN = TextSpan("unknown", "strong warn")
"""Stands for a figure that rests on balances nobody told: unknown is not nothing."""


class ShareBar(NamedTuple):
    """A part of a whole, for the eye alone; `due` is what comes on top of it, `rest` draws the whole."""

    part: int
    whole: int
    tone: str
    due: int = 0
    rest: bool = False


class Names(NamedTuple):
    """Names of which as many are told as there is room for, and how many more there are."""

    names: tuple[str, ...]
    tone: str = ""


class Trend(NamedTuple):
    """Amounts one after the other, as small columns."""

    amounts: tuple[int, ...]


TableCell = Phrase | Money | ShareBar | Names | Trend
ColumnKind = Literal["text", "figure", "bar", "detail", "id"]


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table: its head and kind, and how it shares the room of a line, in characters.

    A `detail` is told below the first column where a page is no grid. A column is `least` characters
    wide, and where there is little room `floor`; an amount of it at `most`, and rounded there if it
    `rounds`. One that `gives` way is cut; one that `wraps` takes further lines. One that `fills` takes
    what room is left. The highest that `drops` is left out first. `pad` are blanks before it where there
    is room.
    """

    head: Phrase = ""
    kind: ColumnKind = "text"
    tone: str = ""
    least: int = 0
    floor: int | None = None
    most: int = 0
    gives: bool = False
    wraps: bool = False
    fills: bool = False
    drops: int = 0
    pad: int = 0
    rounds: bool = False


class RowPart(NamedTuple):
    """What stands below a row: words, and an amount below that of the row.

    An id in the `margin` stands below the first cell.
    """

    words: Phrase
    amount: Money | None = None
    indent: int = 2
    margin: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its cells, by which key it is chosen, and what stands below it.

    One that `heads` others, or sums them up, stands out from those of a deeper `level`. `flag` says in a
    word that a target is missed.
    """

    cells: tuple[TableCell, ...]
    key: str = ""
    tone: str = ""
    level: int = 0
    heads: bool = False
    flag: str = ""
    below: tuple[RowPart, ...] = ()


@dataclass(frozen=True, slots=True)
class Title:
    """What a page is called, and what stands beside that."""

    title: Phrase
    remark: Phrase = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or several; one that is an `item` has a dot before it.

    A `whole` one stays on one line, however long, so that a command in it can be copied. One of a
    `level` is a heading of what follows.
    """

    words: Phrase
    tone: str = ""
    item: bool = False
    indent: int = 0
    whole: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class Remarks:
    """Short remarks on a line with dots between them; a line breaks between two, and in none."""

    parts: tuple[Phrase, ...]
    indent: int = 0


class Fact(NamedTuple):
    """A label, a figure and what it means; `shorter` ways of saying that, for where there is no room."""

    label: str
    value: TableCell
    remark: Phrase = ""
    shorter: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactList:
    """Facts below each other."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Headline:
    """The figures that answer most questions, beside each other; the remark says what one is worth."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class PageTable:
    """Rows under their heads; of a `long` one a face may show the first rows alone.

    `headed` says that the first head stands for the title of its section, and `headless` that a grid
    needs no heads, since cells tell what they are. `spoken` tells those who hear a page what it is of.
    """

    columns: tuple[TableColumn, ...]
    rows: tuple[TableRow, ...]
    spoken: str = ""
    gap: int = 2
    indent: int = 0
    headed: bool = False
    headless: bool = False
    long: bool = False


class Step(NamedTuple):
    """Something to do, with its place, its amount where the title does not tell it, and why."""

    number: int
    title: str
    amount: str
    detail: str


@dataclass(frozen=True, slots=True)
class StepList:
    """What to do, the most useful first."""

    steps: tuple[Step, ...]


class ChartPoint(NamedTuple):
    """One value of a chart, with the range that it probably lies in."""

    label: str
    value: int
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class AmountChart:
    """A line or columns of amounts of a currency, so many lines high, and what is said below them."""

    kind: Literal["line", "columns"]
    points: tuple[ChartPoint, ...]
    currency: str
    tone: str
    first: str = ""
    last: str = ""
    lines: int = 6
    step: int = 1
    """Where a chart is read aloud, one of so many points is told."""


PageBlock = Title | Sentence | Remarks | FactList | Headline | PageTable | StepList | AmountChart


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under its title; `remark` stands beside that."""

    key: str
    title: str
    blocks: tuple[PageBlock, ...] = ()
    remark: Phrase | Money = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Blocks and sections below each other."""

    parts: tuple[PageBlock | Section, ...] = field(default=())

    def __add__(self, page: "Page") -> "Page":
        return replace(self, parts=(*self.parts, *page.parts))


_SIGNS = "><+~!#=;"


def heads(*columns: str | TableColumn) -> tuple[TableColumn, ...]:
    """Columns by their heads, as `col` takes them."""
    return tuple(col(column) if isinstance(column, str) else column for column in columns)


def col(spec: str, **fields: Any) -> TableColumn:
    """A column by its head, of which signs at the end say more; `fields` are further ones of it.

    `>` is for figures, `<` for what is cut where there is no room, `+` for what takes further lines
    instead, `!` for what takes the room that is left, `~` for what is soft; `#` is for ids, `=` for
    bars, `;` for details.
    """
    name = spec.rstrip(_SIGNS)
    signs = spec[len(name) :]
    kinds: dict[str, ColumnKind] = {"#": "id", ">": "figure", "=": "bar", ";": "detail"}
    kind: ColumnKind = next((kind for sign, kind in kinds.items() if sign in signs), "text")
    return replace(
        TableColumn(
            name,
            kind,
            tone="soft" if "~" in signs else "",
            gives="<" in signs or "!" in signs,
            wraps="+" in signs,
            fills="!" in signs,
        ),
        **fields,
    )


def table(
    columns: Iterable[str | TableColumn],
    rows: Iterable[TableRow | Sequence[TableCell]],
    **fields: Any,
) -> PageTable:
    """A table of columns as `heads` takes them, and of rows, or cells whose key is their id."""
    table_columns = heads(*columns)
    ids = [index for index, column in enumerate(table_columns) if column.kind == "id"]

    def row_of(cells: TableRow | Sequence[TableCell]) -> TableRow:
        if isinstance(cells, TableRow):
            return cells
        return TableRow(tuple(cells), next((str(cells[index]) for index in ids), ""))

    return PageTable(table_columns, tuple(map(row_of, rows)), **fields)


def listing(
    columns: Iterable[str | TableColumn],
    rows: Sequence[TableRow | Sequence[TableCell]],
    none: str,
    **fields: Any,
) -> "PageBlock":
    """A table as `table` makes it; where there are no rows, the sentence that there are `none`."""
    return table(columns, rows, **fields) if rows else Sentence(none, "soft")


def labelled(*pairs: tuple[str, TableCell] | None) -> PageTable:
    """Labels with values that are never cut, however long; facts are for shorter ones."""
    return table(("~", "+"), (pair for pair in pairs if pair is not None))


def of(*parts: "PageBlock | Section | Iterable[PageBlock | Section] | None") -> Page:
    """A page of what is there."""
    flat: list[PageBlock | Section] = []
    for part in parts:
        if part is not None:
            flat += part if isinstance(part, Iterable) else [part]
    return Page(tuple(flat))


def spaced(*parts: "PageBlock | Section | None") -> tuple[PageBlock | Section, ...]:
    """What is there below an empty line; nothing where nothing is."""
    present = [part for part in parts if part is not None]
    return (Sentence(""), *present) if present else ()


def facts(*pairs: tuple[str, TableCell] | None) -> FactList:
    """Labels with their values."""
    return FactList(tuple(Fact(*pair) for pair in pairs if pair is not None))


def sentence(text: str, tone: str = "", **fields: Any) -> Sentence:
    """A sentence in which names may stand; `fields` are further ones of it."""
    return Sentence(mentioning(text), tone, **fields)


def sentences(texts: Iterable[str], tone: str = "", *, item: bool = False) -> tuple[Sentence, ...]:
    """Sentences of one tone, a line or more each, in which names may stand."""
    return tuple(sentence(text, tone, item=item) for text in texts)


Lines = Iterable[Phrase | None]
"""The short form of a view: lines as agents are told them; None stands for no line."""


def listed(names: Sequence[str]) -> str:
    """Names one after the other: "a, b and c"."""
    *first, last = names or ("",)
    return f"{', '.join(first)} and {last}" if first else last


Labels = Mapping[str, str]
"""What categories are called, by id."""
