"""A picture: what is drawn, called and said, the same in figures, and where its values stand.

Elements of SVG are well-formed whatever text stands in them: names of payees and banks are written
by strangers, and get into a picture only through `tag`. The marks of a scale stand at round
amounts; they are at the left, the months or days below, the legend above.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from typing import NamedTuple, Self

from finplan.model import figures
from finplan.model.characters import visible
from finplan.model.money import exponent

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, however they are written."""


class Piece(str):
    """A text that is SVG, made by the functions of this module."""

    __slots__ = ()


def tag(name: str, /, *children: str | None, **attributes: str | float | None) -> Piece:
    """One element with its children; what is None is left out, and a text is escaped.

    An attribute's underscore at the end is dropped and any other becomes a hyphen.
    """
    opened = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(_text(child) for child in children if child is not None)
    return Piece(f"<{name}{opened}>{inside}</{name}>" if inside else f"<{name}{opened}/>")


def join_pieces(pieces: Iterable[Piece | None]) -> Piece:
    """Several pieces one after the other."""
    return Piece("".join(piece for piece in pieces if piece is not None))


def number(size: float) -> str:
    """A coordinate to a hundredth, without noughts that say nothing."""
    written = f"{size:.2f}".rstrip("0").rstrip(".")
    return "0" if written in {"-0", ""} else written


_SIGN, _WIDE_SIGN = 7.0, 11.5
"""How wide a figure or a usual letter is in a wide font, and a letter that fills a square."""


def width_of(text: str) -> float:
    """About how wide a text of eleven units is drawn, rather too wide than too narrow."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return _WIDE_SIGN * wide + _SIGN * (len(text) - wide)


def fitting(text: str, room: float) -> str:
    """As much of a name as there is room for; where something is cut off, an ellipsis says so."""
    text = visible(text)
    if width_of(text) <= room:
        return text
    while text and width_of(text) + _SIGN > room:
        text = text[:-1]
    return f"{text.rstrip()}…"


def label(
    content: str, x: float, y: float, *, anchor: str = "start", class_: str | None = None
) -> Piece:
    """A text at a point, set apart so that its direction of writing moves nothing beside it."""
    return tag(
        "text",
        content,
        x=x,
        y=y,
        text_anchor=None if anchor == "start" else anchor,
        class_=class_,
        unicode_bidi=None if content.isascii() else "isolate",
    )


def box(x: float, y: float, width: float, height: float, class_: str) -> Piece:
    """A rectangle."""
    return tag("rect", x=x, y=y, width=width, height=height, class_=class_)


def stroke(x1: float, y1: float, x2: float, y2: float, class_: str) -> Piece:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def _attribute(value: str | float) -> str:
    return _text(value) if isinstance(value, str) else number(value)


def _text(content: str) -> str:
    if isinstance(content, Piece):
        return content
    return escape(_NOT_XML.sub("", visible(content)))


WIDTH = 360
"""How wide every picture is, so that its text is as large as the page's on a telephone."""


class Figures(NamedTuple):
    """What a picture shows, in figures: heads and rows of as many texts."""

    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing `WIDTH` wide with its name, its title, and a sentence or two for who cannot see it."""

    name: str
    title: str
    description: str
    height: float
    drawing: Piece
    figures: Figures

    def svg(self) -> Piece:
        """The picture as an element."""
        prefix = f"picture-{self.name}"
        return tag(
            "svg",
            tag("title", self.title, id=f"{prefix}-title"),
            tag("desc", self.description, id=f"{prefix}-said"),
            self.drawing,
            id=prefix,
            class_="picture",
            viewBox=f"0 0 {WIDTH} {self.height:g}",
            role="img",
            aria_labelledby=f"{prefix}-title {prefix}-said",
        )


_PARTS = 4
"""Into how many parts a scale is divided, or a few more."""

_SHORT = ((12, "T"), (9, "B"), (6, "M"), (3, "K"))


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of amounts in minor units with a mark at each `step`; both ends are marks."""

    low: int
    high: int
    step: int

    @classmethod
    def from_zero(cls, amounts: Iterable[int], unit: int) -> Self:
        """The scale of what has a size: nothing is on it, so that twice as much is twice as long.

        `unit` is how long it is at least, minor units.
        """
        values = [0, *amounts]
        return cls._over(min(values), max(values), unit)

    @classmethod
    def around(cls, amounts: Iterable[int], unit: int) -> Self:
        """The scale of what moves: nothing is on it, unless the amounts lie far from it for their moves.

        `amounts` are one at least.
        """
        values = list(amounts)
        low, high = min(values), max(values)
        is_far = min(abs(low), abs(high)) > 2 * (high - low) and low != high
        if not is_far:
            low, high = min(0, low), max(0, high)
        return cls._over(low, high, unit)

    @classmethod
    def _over(cls, low: int, high: int, unit: int) -> Self:
        high = max(high, low + unit) if low >= 0 or high > low else high
        step = round_up(-(-(high - low) // _PARTS))
        return cls(low // step * step, -(-high // step) * step, step)

    @property
    def marks(self) -> list[int]:
        """The amounts at which marks stand, ascending."""
        return list(range(self.low, self.high + 1, self.step))

    @property
    def is_cut(self) -> bool:
        """Whether nothing is not on the scale, which has to be said."""
        return self.low > 0 or self.high < 0

    def place(self, amount: int, start: float, end: float) -> float:
        """Where an amount lies when `low` is at `start` and `high` at `end`."""
        return start + (end - start) * ((amount - self.low) / (self.high - self.low))


def round_up(size: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50 and so on that is no smaller; of less than one it is 1."""
    power = 1
    while True:
        for digit in (1, 2, 5):
            if digit * power >= size:
                return digit * power
        power *= 10


def unit_of(currency: str) -> int:
    """One whole unit of a currency in minor units."""
    unit: int = 10 ** exponent(currency)
    return unit


def written(scale: Scale, currency: str) -> list[str]:
    """The marks of a scale, all in the same way: "$500" and "$1,000", or "$50K" and "$100K"."""
    unit, furthest = unit_of(currency), max(abs(scale.low), abs(scale.high))
    for power, sign in _SHORT:
        short = unit * 10**power
        if scale.step % short == 0 and furthest >= 10 * short:
            return [
                minus(figures.units_money(mark // short, currency)) + (sign if mark else "")
                for mark in scale.marks
            ]
    if scale.step % unit == 0:
        return [minus(figures.units_money(mark // unit, currency)) for mark in scale.marks]
    return [exact(mark, currency) for mark in scale.marks]


def exact(amount: int, currency: str) -> str:
    """An amount as it is drawn, to the minor unit."""
    return minus(figures.money(amount, currency))


def minus(text: str) -> str:
    """An amount as it is drawn, with a minus as wide as a figure."""
    return text.replace("-", "\N{MINUS SIGN}", 1)


RIGHT = WIDTH - 8.0
"""Where values end."""

_LEGEND = 24.0
_LINE = 15.0
_BETWEEN_MONTHS, _BETWEEN_YEARS = 24.0, 34.0
"""How much room the name of a month takes, and that of a year."""

_EVERY = (1, 2, 3, 4, 6, 12, 24, 36, 60, 120, 240, 600, 1200)


@dataclass(frozen=True, slots=True)
class Plot:
    """The part of a picture that values stand in, and its scale from the bottom to the top."""

    scale: Scale
    currency: str
    top: float = _LEGEND
    bottom: float = 160.0

    @property
    def start(self) -> float:
        """Where values begin: beside the longest of the marks."""
        return 12 + max(width_of(mark) for mark in written(self.scale, self.currency))

    @property
    def width(self) -> float:
        """How much room values have from left to right."""
        return RIGHT - self.start

    def y(self, amount: int) -> float:
        """How far down an amount lies."""
        return self.scale.place(amount, self.bottom, self.top)

    def marks(self) -> Iterator[Piece]:
        """The marks of the scale; nothing, where it is on it, stands out."""
        texts = written(self.scale, self.currency)
        for mark, text in zip(self.scale.marks, texts, strict=True):
            y = self.y(mark)
            yield stroke(self.start, y, RIGHT, y, "mark" if mark else "zero")
            yield label(text, self.start - 5, y + 4, anchor="end")


def legend(parts: Sequence[tuple[str, str]]) -> Iterator[Piece]:
    """What each colour stands for, above the values; without a colour it is a remark."""
    x = 8.0
    for class_, text in parts:
        if class_:
            yield box(x, 4, 9, 9, class_)
            x += 13
        yield label(text, x, 12.5)
        x += width_of(text) + 8


def months_below(places: Sequence[tuple[date, float]], bottom: float) -> Iterator[Piece]:
    """The names of months below their places, thinned to what fits; the first of a year names it."""
    every = _every(places)
    marks: list[tuple[date, float]] = []
    for day, x in places:
        at = min(max(x, 14.0), RIGHT - 10)
        is_due = (day.year * 12 + day.month - 1) % every == 0 or len(places) == 1
        if is_due and (not marks or at - marks[-1][1] >= _BETWEEN_MONTHS):
            marks.append((day, at))
    years = {day.year: at for day, at in reversed(marks)}
    if every < 12:
        yield from (label(f"{day:%b}", at, bottom + _LINE, anchor="middle") for day, at in marks)
    for year, at in years.items():
        # A year of which little is shown gives way to the next, which begins beside it.
        if not 0 < years.get(year + 1, at) - at < _BETWEEN_YEARS:
            down = _LINE if every >= 12 else 28
            yield label(str(year), at, bottom + down, anchor="middle")


def _every(places: Sequence[tuple[date, float]]) -> int:
    """Of how many months one is named, so that the names have room."""
    if len(places) == 1:
        return 1
    (first, start), (last, end) = places[0], places[-1]
    months = (last.year - first.year) * 12 + last.month - first.month
    room = (end - start) / max(1, months)
    return next((step for step in _EVERY if step * room >= _BETWEEN_MONTHS), _EVERY[-1])


def weeks_below(since: date, until: date, start: float, bottom: float) -> Iterator[Piece]:
    """Some Mondays below their places, but for those beside the first day, whose name is there."""
    days = (until - since).days
    weeks = -(-days * 45 // int(RIGHT - start) // 7) or 1
    first = since + timedelta(days=-since.weekday() % 7)
    for number in range(0, (until - first).days + 1, 7 * weeks):
        day = first + timedelta(days=number)
        x = across(day, since, until, start)
        if across(since, since, until, start) + 38 <= x <= RIGHT - 18:
            yield stroke(x, bottom, x, bottom + 3, "mark")
            yield label(f"{day.day} {day:%b}", x, bottom + _LINE, anchor="middle")


def across(day: date, since: date, until: date, start: float) -> float:
    """Where a day lies between the first at `start` and the last at the end; a single one, halfway."""
    days = (until - since).days
    return start + (RIGHT - start) * ((day - since).days / days if days else 0.5)


def anchor_at(x: float, text: str, start: float) -> tuple[float, str]:
    """Where a text about a place stands, and which part of it, so that none of it is cut off."""
    half = width_of(text) / 2
    if x + half > RIGHT:
        return min(x, RIGHT), "end"
    return (max(x, start), "start") if x - half < start else (x, "middle")
