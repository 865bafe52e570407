"""Charts of money in the cells of a terminal: columns, and a line with its band.

A column is drawn to an eighth of a line, a line by the eight dots that a cell of braille has. Where
nobody sees a chart, its figures are told instead.
"""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len
from rich.text import Text

from finplan.model import figures
from finplan.model.characters import BLOCKS
from finplan.terminal.lines import Look, ends, fit, row
from finplan.views.page import AmountChart, ChartPoint

TOLD = 12
"""How many points are told at most where none is drawn."""

_EIGHTHS = f" {BLOCKS}"
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of the dots of a braille cell: four lines of two."""

_BRAILLE = 0x2800
_WIDEST_COLUMN = 6


def draw_chart(chart: AmountChart, look: Look) -> list[Text]:
    """Draw a chart over its first and last label, or tell its points where nothing is drawn."""
    if look.aloud:
        return _list_points(chart, look.width)
    if look.small:
        return [_in_a_line(chart, look.width)]
    if chart.kind == "columns":
        return draw_columns(chart.points, look.width, chart.lines, chart.tone)
    drawn = draw_line(chart.points, look.width, chart.lines - 2, chart.tone)
    below = ends(Text(chart.first, style="soft"), Text(chart.last, style="soft"), look.width)
    return [*drawn, below] if drawn else []


def _in_a_line(chart: AmountChart, width: int) -> Text:
    """A small column for each point, or for the lowest of some where there is less room."""
    first, last = (chart.points[index].label for index in (0, -1))
    room = width - cell_len(first) - cell_len(last) - 2
    together = -(-len(chart.points) // room)
    values = [point.value for point in chart.points]
    least = [min(values[at : at + together]) for at in range(0, len(values), together)]
    top, spread = max(least), max(least) - min(least)
    # Sums move little for their size: a column grows from below the lowest one, or from nothing.
    floor = min(0, *least) if min(least) < spread else min(least) - spread // 4
    line = Text(f"{first} ", style="soft")
    for amount in least:
        step = (amount - floor) * (len(BLOCKS) - 1) // max(1, top - floor)
        line.append(BLOCKS[step], style="bad" if amount < 0 else chart.tone)
    return line.append(f" {last}", style="soft")


def _list_points(chart: AmountChart, width: int) -> list[Text]:
    points = chart.points[chart.step - 1 :: chart.step][-TOLD:]
    pairs = ((point.label, figures.whole_money(point.value, chart.currency)) for point in points)
    return [row((label, width - 14), (Text(value), -13)) for label, value in pairs]


def draw_columns(points: Sequence[ChartPoint], width: int, lines: int, tone: str) -> list[Text]:
    """Columns over their names, as many of the newest as `width` has room for, `lines` high in all.

    Negative values are drawn downwards below the ground line where there are any.
    """
    if not points or width < 2 or lines < 2:
        return []
    wide = max(1, min(_WIDEST_COLUMN, width // len(points) - 1))
    newest = points[-max(1, width // (wide + 1)) :]
    highest = max(0, *(point.value for point in newest))
    lowest = min(0, *(point.value for point in newest))
    span = highest - lowest or 1
    room = lines - 1
    down = 0 if lowest == 0 else max(1, round(room * -lowest / span))
    up = room - down if highest > 0 else 0
    down = room - up
    drawn = []
    for line in range(up, 0, -1):
        cells = (_cell(point.value, highest, up, line) for point in newest)
        drawn.append(_beside(cells, wide, tone))
    for line in range(1, down + 1):
        cells = (_cell_below(point.value, lowest, down, line) for point in newest)
        drawn.append(_beside(cells, wide, "bad"))
    names = (
        fit(Text(point.label.split()[0][:wide].center(wide), style="soft"), wide)
        for point in newest
    )
    return [*drawn, Text(" ").join(names)]


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


def _beside(cells: Iterable[str], wide: int, tone: str) -> Text:
    return Text(" ".join(cell * wide for cell in cells), style=tone)


def draw_line(points: Sequence[ChartPoint], width: int, lines: int, tone: str) -> list[Text]:
    """A line over its band, `width` columns by `lines`; nothing where there are not two values.

    The ground, where the value is nothing, is drawn faintly where it lies within.
    """
    values = [point.value for point in points]
    if len(values) < 2 or width < 2 or lines < 2:
        return []
    banded = all(point.low is not None and point.high is not None for point in points)
    low = [point.low or 0 for point in points] if banded else values
    high = [point.high or 0 for point in points] if banded else values
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
        for dot_row in reached | {now}:
            from_top = dots_high - 1 - dot_row
            cells[from_top // 4][dot // 2] |= _DOTS[from_top % 4][dot % 2]
        previous = now
    zero = (dots_high - 1 - place(0)) // 4 if bottom < 0 < top else None
    drawn = []
    for number, bits in enumerate(cells):
        line = Text()
        for column, bit in enumerate(bits):
            least, most = at(low, column * 2, width * 2), at(high, column * 2, width * 2)
            first = (dots_high - 1 - place(most)) // 4
            last = (dots_high - 1 - place(least)) // 4
            within = banded and first <= number <= last
            sign = chr(_BRAILLE + bit) if bit else "─" if number == zero else " "
            style = f"{tone} band" if within else tone
            line.append(sign, style=style if bit or within else "soft")
        drawn.append(line)
    return drawn
