"""Where a picture's values stand: the marks at the left, the months or days below, the legend above."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.pictures.picture import WIDTH
from finplan.pictures.scale import Scale, written
from finplan.pictures.svg import Piece, box, label, stroke, width_of

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
    def left(self) -> float:
        """Where values begin: beside the longest of the marks."""
        return 12 + max(width_of(mark) for mark in written(self.scale, self.currency))

    @property
    def width(self) -> float:
        """How much room values have from left to right."""
        return RIGHT - self.left

    def y(self, amount: int) -> float:
        """How far down an amount lies."""
        return self.scale.place(amount, self.bottom, self.top)

    def marks(self) -> Iterator[Piece]:
        """The marks of the scale; nothing, where it is on it, stands out."""
        texts = written(self.scale, self.currency)
        for mark, text in zip(self.scale.marks, texts, strict=True):
            y = self.y(mark)
            yield stroke(self.left, y, RIGHT, y, "mark" if mark else "zero")
            yield label(text, self.left - 5, y + 4, anchor="end")


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
    shown: list[tuple[date, float]] = []
    for day, x in places:
        at = min(max(x, 14.0), RIGHT - 10)
        is_due = (day.year * 12 + day.month - 1) % every == 0 or len(places) == 1
        if is_due and (not shown or at - shown[-1][1] >= _BETWEEN_MONTHS):
            shown.append((day, at))
    years = {day.year: at for day, at in reversed(shown)}
    if every < 12:
        yield from (label(f"{day:%b}", at, bottom + _LINE, anchor="middle") for day, at in shown)
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
    return next((each for each in _EVERY if each * room >= _BETWEEN_MONTHS), _EVERY[-1])


def weeks_below(since: date, until: date, left: float, bottom: float) -> Iterator[Piece]:
    """Some Mondays below their places, but for those beside the first day, whose name is there."""
    days = (until - since).days
    weeks = -(-days * 45 // int(RIGHT - left) // 7) or 1
    first = since + timedelta(days=-since.weekday() % 7)
    for number in range(0, (until - first).days + 1, 7 * weeks):
        day = first + timedelta(days=number)
        x = across(day, since, until, left)
        if across(since, since, until, left) + 38 <= x <= RIGHT - 18:
            yield stroke(x, bottom, x, bottom + 3, "mark")
            yield label(f"{day.day} {day:%b}", x, bottom + _LINE, anchor="middle")


def across(day: date, since: date, until: date, left: float) -> float:
    """Where a day lies between the first at `left` and the last at the end; a single one, halfway."""
    days = (until - since).days
    return left + (RIGHT - left) * ((day - since).days / days if days else 0.5)


def anchor_at(x: float, text: str, left: float) -> tuple[float, str]:
    """Where a text about a place stands, and which part of it, so that none of it is cut off."""
    half = width_of(text) / 2
    if x + half > RIGHT:
        return min(x, RIGHT), "end"
    return (max(x, left), "start") if x - half < left else (x, "middle")
