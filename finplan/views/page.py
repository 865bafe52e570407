"""What pages are made of: words, money, tables, facts and charts, before any face lays them out.

A tone says what a piece of text means, one or several of `TONES`; each face has its own looks for them.
What a stranger wrote, such as a payee, is a name, so that every face can set it apart. A command stands
between backticks in a sentence, and a face that has another way to the same thing names that instead.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any, Literal, NamedTuple
from zoneinfo import ZoneInfo

from finplan.model import figures
from finplan.model.user import HouseholdSettings

TONES = (
    "soft",
    "strong",
    "good",
    "bad",
    "warn",
    "accent",
    "essential",
    "discretionary",
    "quote",
    "gone",
)


@dataclass(frozen=True, slots=True)
class Locale:
    """How figures and instants are written: the currency, the time zone, and what time it is."""

    currency: str
    now: datetime
    zone: tzinfo | None = None
    """None stands for where this machine is."""

    @classmethod
    def of(cls, settings: HouseholdSettings, now: datetime) -> "Locale":
        """How a household has its figures written, at an instant of its own time zone."""
        return cls(settings.currency, now, now.tzinfo)

    @classmethod
    def on(cls, settings: HouseholdSettings, day: date) -> "Locale":
        """How a household has its figures written on a page that is the same for a whole day."""
        zone = ZoneInfo(settings.time_zone)
        return cls(settings.currency, datetime.combine(day, time(12), zone), zone)

    @property
    def today(self) -> date:
        """The day that it is."""
        return self.now.astimezone(self.zone).date()

    def figure(self, amount: int, tone: str = "", **more: Any) -> "Money":
        """An amount as a figure of a table or a fact; `more` are its fields."""
        return Money(amount, self.currency, tone, **more)

    def rounded(self, amount: int, tone: str = "") -> "Money":
        """The same in whole units."""
        return Money(amount, self.currency, tone, whole=True)

    def money(self, amount: int) -> str:
        """An amount to the last minor unit."""
        return figures.money(amount, self.currency)

    def whole(self, amount: int) -> str:
        """An amount in whole units."""
        return figures.whole_money(amount, self.currency)

    def moment(self, milliseconds: int) -> str:
        """An instant as "21 November 2025, 09:05"."""
        then = figures.moment(milliseconds, self.zone)
        return f"{figures.long_date(then.date())}, {then:%H:%M}"

    def minute(self, milliseconds: int) -> str:
        """An instant as it stands in a table: "2025-11-21 09:05"."""
        return f"{figures.moment(milliseconds, self.zone):%Y-%m-%d %H:%M}"

    def age(self, milliseconds: int | None) -> str:
        """How long ago an instant was, in the largest unit: "2 hours ago", or "never"."""
        return figures.age(milliseconds, self.now)

    def days_ago(self, milliseconds: int) -> str:
        """How many days ago an instant was."""
        days = (self.today - figures.moment(milliseconds, self.zone).date()).days
        return "today" if days <= 0 else "yesterday" if days == 1 else f"{days:,} days ago"


def here(currency: str = "", now: datetime | None = None) -> Locale:
    """The locale of this machine, at the present unless an instant is given."""
    return Locale(currency, now or datetime.now(UTC))


class Span(NamedTuple):
    """Some text of one tone; `short` is what stands for it where there is little room.

    A `name` is what a stranger wrote; a sentence that may hold such names `mentions` them. A
    `label` is what the household itself named something.
    """

    text: str
    tone: str = ""
    kind: Literal["", "name", "mentions", "label"] = ""
    short: str | None = None


Words = str | Span | tuple[str | Span, ...]


def spans(words: Words) -> tuple[Span, ...]:
    """The parts of some words."""
    if isinstance(words, Span):
        return (words,)
    if isinstance(words, str):
        return (Span(words),) if words else ()
    parts = (each if isinstance(each, Span) else Span(each) for each in words)
    return tuple(each for each in parts if each.text)


def plain(words: Words) -> str:
    """The text of some words."""
    return words if isinstance(words, str) else "".join(each.text for each in spans(words))


def name(text: str, tone: str = "") -> Span:
    """What a stranger wrote."""
    return Span(text, tone, "name")


def named_each(names: Iterable[str]) -> tuple[str | Span, ...]:
    """What strangers wrote, one after the other."""
    return tuple(part for each in names for part in (", ", name(each)))[1:]


def mentioning(text: str, tone: str = "") -> Span:
    """A sentence of finplan's own that may name what strangers wrote."""
    return Span(text, tone, "mentions")


def category(key: str, label: str | None) -> Span:
    """A category by its name, with the id that agents ask by."""
    return Span(key if label is None else f"{label} ({key})", kind="label")


def soft(text: str) -> Span:
    """What is said beside something else."""
    return Span(text, "soft")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in minor units; `units` are the whole units that it is written as, part of a sum.

    Rounded if it is `whole`. One that is `signed` has a plus sign when it is above nothing. One that is
    `calm` is below nothing without that being bad.
    """

    amount: int
    currency: str
    tone: str = ""
    whole: bool = False
    units: int | None = None
    before: str = ""
    after: str = ""
    signed: bool = False
    calm: bool = False

    @property
    def text(self) -> str:
        """The amount as it is written where there is room."""
        if self.units is not None:
            return self._dressed(figures.units_money(self.units, self.currency))
        write = figures.whole_money if self.whole else figures.money
        return self._dressed(write(self.amount, self.currency))

    def fitted(self, width: int, *, whole: bool = False) -> str:
        """The amount in at most `width` columns, rounded where need be."""
        text = self.text
        if len(text) <= width and (self.units is not None or not whole):
            return text
        room = width - len(self._dressed(""))
        whole = whole or self.whole or self.units is not None
        return self._dressed(figures.fitted(self.amount, self.currency, room, whole=whole))

    def _dressed(self, written: str) -> str:
        sign = "+" if self.signed and self.amount > 0 else ""
        return f"{self.before}{sign}{written}{self.after}"


UNKNOWN = Span("unknown", "strong warn")
"""Stands for a figure that rests on balances nobody told: unknown is not nothing."""


class Bar(NamedTuple):
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


Cell = Words | Money | Bar | Names | Trend
Kind = Literal["text", "figure", "bar", "detail", "id"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its head and kind, and how it shares the room of a line, in characters.

    A `detail` is told below the first column where a page is no grid. A column is `least` characters
    wide, and where there is little room `floor`; an amount of it at `most`, and rounded there if it
    `rounds`. One that `gives` way is cut; one that `wraps` takes further lines. One that `fills` takes
    what room is left. The highest that `drops` is left out first. `pad` are blanks before it where there
    is room.
    """

    head: Words = ""
    kind: Kind = "text"
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


class Part(NamedTuple):
    """What stands below a row: words, and an amount below that of the row.

    An id in the `margin` stands below the first cell.
    """

    words: Words
    amount: Money | None = None
    indent: int = 2
    margin: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells, by which key it is chosen, and what stands below it.

    One that `heads` others, or sums them up, stands out from those of a deeper `level`. `flag` says in a
    word that a target is missed.
    """

    cells: tuple[Cell, ...]
    key: str = ""
    tone: str = ""
    level: int = 0
    heads: bool = False
    flag: str = ""
    below: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Title:
    """What a page is called, and what stands beside that."""

    title: Words
    remark: Words = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or several; one that is an `item` has a dot before it.

    A `whole` one stays on one line, however long, so that a command in it can be copied. One of a
    `level` is a heading of what follows.
    """

    words: Words
    tone: str = ""
    item: bool = False
    indent: int = 0
    whole: bool = False
    level: int = 0


@dataclass(frozen=True, slots=True)
class Remarks:
    """Short remarks on a line with dots between them; a line breaks between two, and in none."""

    parts: tuple[Words, ...]
    indent: int = 0


class Fact(NamedTuple):
    """A label, a figure and what it means; `shorter` ways of saying that, for where there is no room."""

    label: str
    value: Cell
    remark: Words = ""
    shorter: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts below each other."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Headline:
    """The figures that answer most questions, beside each other; the remark says what one is worth."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their heads; of a `long` one a face may show the first rows alone.

    `headed` says that the first head stands for the title of its section, and `headless` that a grid
    needs no heads, since cells tell what they are. `spoken` tells those who hear a page what it is of.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
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
class Steps:
    """What to do, the most useful first."""

    steps: tuple[Step, ...]


class Point(NamedTuple):
    """One value of a chart, with the range that it probably lies in."""

    label: str
    value: int
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """A line or columns of amounts of a currency, so many lines high, and what is said below them."""

    kind: Literal["line", "columns"]
    points: tuple[Point, ...]
    currency: str
    tone: str
    first: str = ""
    last: str = ""
    lines: int = 6
    step: int = 1
    """Where a chart is read aloud, one of so many points is told."""


Block = Title | Sentence | Remarks | Facts | Headline | Table | Steps | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page under its title; `remark` stands beside that."""

    key: str
    title: str
    blocks: tuple[Block, ...] = ()
    remark: Words | Money = ""


@dataclass(frozen=True, slots=True)
class Page:
    """Blocks and sections below each other."""

    parts: tuple[Block | Section, ...] = field(default=())

    def __add__(self, other: "Page") -> "Page":
        return replace(self, parts=(*self.parts, *other.parts))


_SIGNS = "><+~!#=;"


def heads(*columns: str | Column) -> tuple[Column, ...]:
    """Columns by their heads, as `col` takes them."""
    return tuple(col(each) if isinstance(each, str) else each for each in columns)


def col(spec: str, **more: Any) -> Column:
    """A column by its head, of which signs at the end say more; `more` are its fields.

    `>` is for figures, `<` for what is cut where there is no room, `+` for what takes further lines
    instead, `!` for what takes the room that is left, `~` for what is soft; `#` is for ids, `=` for
    bars, `;` for details.
    """
    name = spec.rstrip(_SIGNS)
    signs = spec[len(name) :]
    kinds: dict[str, Kind] = {"#": "id", ">": "figure", "=": "bar", ";": "detail"}
    kind: Kind = next((each for sign, each in kinds.items() if sign in signs), "text")
    return replace(
        Column(
            name,
            kind,
            tone="soft" if "~" in signs else "",
            gives="<" in signs or "!" in signs,
            wraps="+" in signs,
            fills="!" in signs,
        ),
        **more,
    )


def table(
    columns: Iterable[str | Column], rows: Iterable[Row | Sequence[Cell]], **more: Any
) -> Table:
    """A table of columns as `heads` takes them, and of rows, or cells whose key is their id."""
    made = heads(*columns)
    ids = [place for place, each in enumerate(made) if each.kind == "id"]

    def row_of(cells: Row | Sequence[Cell]) -> Row:
        if isinstance(cells, Row):
            return cells
        return Row(tuple(cells), next((str(cells[place]) for place in ids), ""))

    return Table(made, tuple(map(row_of, rows)), **more)


def listing(
    columns: Iterable[str | Column], rows: Sequence[Row | Sequence[Cell]], none: str, **more: Any
) -> "Block":
    """A table as `table` makes it; where there are no rows, the sentence that there are `none`."""
    return table(columns, rows, **more) if rows else Sentence(none, "soft")


def labelled(*pairs: tuple[str, Cell] | None) -> Table:
    """Labels with values that are never cut, however long; facts are for shorter ones."""
    return table(("~", "+"), (each for each in pairs if each is not None))


def page(*parts: "Block | Section | Iterable[Block | Section] | None") -> Page:
    """A page of what is there."""
    flat: list[Block | Section] = []
    for part in parts:
        if part is not None:
            flat += part if isinstance(part, Iterable) else [part]
    return Page(tuple(flat))


def spaced(*parts: "Block | Section | None") -> tuple[Block | Section, ...]:
    """What is there below an empty line; nothing where nothing is."""
    present = [part for part in parts if part is not None]
    return (Sentence(""), *present) if present else ()


def facts(*pairs: tuple[str, Cell] | None) -> Facts:
    """Labels with their values."""
    return Facts(tuple(Fact(*pair) for pair in pairs if pair is not None))


def sentences(texts: Iterable[str], tone: str = "", *, item: bool = False) -> tuple[Sentence, ...]:
    """Sentences of one tone, a line or more each, in which names may stand."""
    return tuple(Sentence(mentioning(each), tone, item=item) for each in texts)


Lines = Iterable[Words | None]
"""The short form of a view: lines as agents are told them; None stands for no line."""


def listed(names: Sequence[str]) -> str:
    """Names one after the other: "a, b and c"."""
    *first, last = names or ("",)
    return f"{', '.join(first)} and {last}" if first else last


Labels = Mapping[str, str]
"""What categories are called, by id."""
