"""Charts of money in the cells of a terminal: columns, a line with its band, and shares as bars.

A column is drawn to an eighth of a line, a line by the eight dots that a cell of braille has. What a
chart shows stands beside it in figures, for those who do not see it and for terminals without colours.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual.content import Content

from finplan.tui.drawing.lines import FAINT, fit, styled

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the dots of a braille cell: four lines of two."""

_BRAILLE = 0x2800
_WIDEST_COLUMN = 6

FULL, HALF, TRACK = "━", "╸", "─"


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """One column: its name below it, and how high it is; what is below nothing hangs from the ground."""

    label: str
    value: int


def columns(values: Sequence[ChartColumn], width: int, lines: int, style: str) -> list[Content]:
    """Columns over their names, as many of the newest as `width` has room for, `lines` high in all.

    Negative values are drawn downwards below the ground line where there are any.
    """
    if not values or width < 2 or lines < 2:
        return []
    wide = max(1, min(_WIDEST_COLUMN, width // len(values) - 1))
    shown = values[-max(1, width // (wide + 1)) :]
    highest = max(0, *(each.value for each in shown))
    lowest = min(0, *(each.value for each in shown))
    span = highest - lowest or 1
    room = lines - 1
    down = 0 if lowest == 0 else max(1, round(room * -lowest / span))
    up = room - down if highest > 0 else 0
    down = room - up
    drawn = []
    for line in range(up, 0, -1):
        cells = (_cell(each.value, highest, up, line) for each in shown)
        drawn.append(_joined(cells, wide, style))
    for line in range(1, down + 1):
        cells = (_cell_below(each.value, lowest, down, line) for each in shown)
        drawn.append(_joined(cells, wide, "$error"))
    names = Content(" ").join(
        fit(styled(each.label[:wide].center(wide), FAINT), wide) for each in shown
    )
    return [*drawn, names]


def _cell(value: int, highest: int, lines: int, line: int) -> str:
    """The block of one column in one line, counted from the ground up."""
    if value <= 0 or highest <= 0:
        return " "
    # What is there is seen, however small it is beside the highest.
    eighths = max(1, round(value * lines * 8 / highest))
    return _EIGHTHS[max(0, min(8, eighths - (line - 1) * 8))]


def _cell_below(value: int, lowest: int, lines: int, line: int) -> str:
    if value >= 0:
        return " "
    return "█" if round(value * lines / lowest) >= line or line == 1 else " "


def _joined(cells: Iterable[str], wide: int, style: str) -> Content:
    return Content.styled(" ".join(cell * wide for cell in cells), style)


@dataclass(frozen=True, slots=True)
class Band:
    """A line of values with what it probably lies between; both are of the same days."""

    values: Sequence[int]
    low: Sequence[int] | None = None
    high: Sequence[int] | None = None


def line(band: Band, width: int, lines: int, style: str, shade: str) -> list[Content]:
    """A line over its band, `width` columns by `lines`; nothing where there are not two values.

    The ground, where the value is nothing, is drawn faintly where it lies within.
    """
    values = list(band.values)
    if len(values) < 2 or width < 2 or lines < 2:
        return []
    low = list(band.low) if band.low is not None else values
    high = list(band.high) if band.high is not None else values
    bottom, top = min(*values, *low), max(*values, *high)
    span = top - bottom or 1
    dots_high = lines * 4

    def place(value: float) -> int:
        return round((value - bottom) * (dots_high - 1) / span)

    def at(series: Sequence[int], dot: int, dots: int) -> float:
        where = dot * (len(series) - 1) / (dots - 1)
        before = int(where)
        after = min(before + 1, len(series) - 1)
        return series[before] + (series[after] - series[before]) * (where - before)

    cells = [[0] * width for _ in range(lines)]
    previous: int | None = None
    for dot in range(width * 2):
        now = place(at(values, dot, width * 2))
        reached = {now} if previous is None else set(range(min(previous, now), max(previous, now)))
        for each in reached | {now}:
            from_top = dots_high - 1 - each
            cells[from_top // 4][dot // 2] |= _DOTS[from_top % 4][dot % 2]
        previous = now
    zero = (dots_high - 1 - place(0)) // 4 if bottom < 0 < top else None
    drawn = []
    for number, bits in enumerate(cells):
        parts = []
        for column, each in enumerate(bits):
            least, most = at(low, column * 2, width * 2), at(high, column * 2, width * 2)
            first = (dots_high - 1 - place(most)) // 4
            last = (dots_high - 1 - place(least)) // 4
            within = band.low is not None and first <= number <= last
            look = f"{style} on {shade}" if within else style
            sign = chr(_BRAILLE + each) if each else "─" if number == zero else " "
            parts.append((sign, look if each or within else FAINT))
        drawn.append(Content.assemble(*_runs(parts)))
    return drawn


def _runs(parts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbours of one style as one piece."""
    runs: list[tuple[str, str]] = []
    for sign, style in parts:
        if runs and runs[-1][1] == style:
            runs[-1] = (runs[-1][0] + sign, style)
        else:
            runs.append((sign, style))
    return runs


def bar(part: int, whole: int, width: int, style: str) -> Content:
    """A part of a whole as a bar on its track; more than the whole fills it."""
    if width <= 0:
        return Content("")
    halves = 0 if whole <= 0 else max(0, min(width * 2, round(part * width * 2 / whole)))
    if part > 0 and whole > 0:
        halves = max(1, halves)
    filled = FULL * (halves // 2) + HALF * (halves % 2)
    return Content.assemble((filled, style), (TRACK * (width - len(filled)), "$foreground 20%"))
