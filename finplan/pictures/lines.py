"""Lines: how net worth has moved, and where cash may go, with the range that it keeps to."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from finplan.model import figures
from finplan.model.plan import Bound
from finplan.pictures.plot import (
    Figures,
    Picture,
    Piece,
    Plot,
    Scale,
    across,
    anchor_at,
    exact,
    join_pieces,
    label,
    legend,
    minus,
    months_below,
    number,
    stroke,
    tag,
    unit_of,
    weeks_below,
    written,
)

_HEIGHT = 192.0
_LONGEST_MONTH = 31


class Point(NamedTuple):
    """An amount on a day."""

    day: date
    amount: int


class DayAhead(NamedTuple):
    """What is expected at the end of a day, and between what it stays; None where nobody can tell."""

    day: date
    expected: int
    low: int | None
    high: int | None


def net_worth(points: Sequence[Point], currency: str, worth: Bound = "exact") -> Picture:
    """Net worth over time, the last point being today; the points are one at least, in order of days.

    What it is `worth` stands in the picture, which may be shown without the page around it.
    """
    plot = Plot(Scale.around([point.amount for point in points], unit_of(currency)), currency)
    since, until = points[0].day, points[-1].day
    places = [
        (across(point.day, since, until, plot.start), plot.y(point.amount)) for point in points
    ]
    rows = [(f"{point.day}", exact(point.amount, currency)) for point in reversed(points)]
    months = [(point.day, x) for point, (x, _) in zip(points, places, strict=True)]
    drawing = join_pieces(
        [
            *legend([*_cut(plot), *_worth(worth), *_dotted(points)]),
            *plot.marks(),
            *_draw_stretches(points, places),
            *(
                _dot(x, y, f"{figures.long_date(point.day)}: {exact(point.amount, currency)}")
                for point, (x, y) in zip(points, places, strict=True)
            ),
            *months_below(months, plot.bottom),
        ]
    )
    return Picture(
        "net-worth", "Net worth", _describe_worth(points, currency, worth), _HEIGHT, drawing,
        Figures(("day", "net worth"), rows),
    )  # fmt: skip


def days_ahead(days: Sequence[DayAhead], currency: str) -> Picture:
    """Expected cash day by day from today; the days are one at least and follow each other."""
    amounts = [
        cash for day in days for cash in (day.expected, day.low, day.high) if cash is not None
    ]
    plot = Plot(Scale.around(amounts, unit_of(currency)), currency)
    since, until = days[0].day, days[-1].day
    lowest = min(days, key=lambda day: (day.expected, day.day))
    ranged = any(day.low is not None for day in days)
    entries = [("out", "expected"), *([("band", "80% range")] if ranged else []), *_cut(plot)]
    today = across(since, since, until, plot.start)
    drawing = join_pieces(
        [
            *legend(entries),
            *plot.marks(),
            *_bands(days, plot),
            stroke(today, plot.top, today, plot.bottom, "now"),
            label("today", today, plot.bottom + 14, anchor="middle", class_="strong"),
            _line(_places(days, plot)),
            *_low(lowest, (since, until), plot),
            *weeks_below(since, until, plot.start, plot.bottom),
        ]
    )
    return Picture(
        "days-ahead", "Forecast", _describe_ahead(days, lowest, currency), 182.0, drawing,
        _ahead_in_figures(days, currency, ranged=ranged),
    )  # fmt: skip


def _holes(points: Sequence[Point]) -> list[int]:
    """The places of points before which months are missing, since nobody knows them."""
    return [
        index
        for index, (before, after) in enumerate(pairwise(points), 1)
        if (after.day - before.day).days > _LONGEST_MONTH
    ]


def _dotted(points: Sequence[Point]) -> list[tuple[str, str]]:
    return [("", "dotted: unknown")] if _holes(points) else []


def _worth(worth: Bound) -> list[tuple[str, str]]:
    return [] if worth == "exact" else [("", f"{worth}: a balance is missing")]


def _draw_stretches(
    points: Sequence[Point], places: Sequence[tuple[float, float]]
) -> Iterator[Piece]:
    """The line, and dots where it would claim to know what lies between two points."""
    starts = [0, *_holes(points)]
    for start, end in zip(starts, [*starts[1:], len(points)], strict=True):
        if start:
            yield stroke(*places[start - 1], *places[start], "now")
        yield _line(places[start:end])


def _places(days: Sequence[DayAhead], plot: Plot) -> list[tuple[float, float]]:
    since, until = days[0].day, days[-1].day
    return [(across(day.day, since, until, plot.start), plot.y(day.expected)) for day in days]


def _line(places: Sequence[tuple[float, float]]) -> Piece:
    return tag("polyline", points=_written(places), class_="line")


def _written(places: Sequence[tuple[float, float]]) -> Piece:
    return Piece(" ".join(f"{number(x)},{number(y)}" for x, y in places))


def _dot(x: float, y: float, text: str, class_: str = "dot") -> Piece:
    return tag("circle", tag("title", text), cx=x, cy=y, r=3, class_=class_)


def _bands(days: Sequence[DayAhead], plot: Plot) -> Iterator[Piece]:
    """The range between neighbouring days, as far as it is known of both."""
    since, until = days[0].day, days[-1].day
    edges = [
        (across(day.day, since, until, plot.start), plot.y(day.high), plot.y(day.low))
        for day in days
        if day.low is not None and day.high is not None
    ]
    if edges:
        top, bottom = [(x, y) for x, y, _ in edges], [(x, y) for x, _, y in reversed(edges)]
        yield tag("polygon", points=_written([*top, *bottom]), class_="band")


def _low(lowest: DayAhead, span: tuple[date, date], plot: Plot) -> Iterator[Piece]:
    """The lowest day, with its amount where the line leaves room."""
    x, y = across(lowest.day, *span, plot.start), plot.y(lowest.expected)
    text = f"{minus(figures.whole_money(lowest.expected, plot.currency))} on {_day(lowest.day)}"
    yield _dot(x, y, f"Lowest: {text}", "low")
    beside, anchor = anchor_at(x, text, plot.start + 3)
    down = y + 15 if y + 15 < plot.bottom - 2 else y - 8
    yield label(text, beside, down, anchor=anchor, class_="strong")


def _cut(plot: Plot) -> list[tuple[str, str]]:
    """Where nothing is not on the scale, that it begins elsewhere."""
    if not plot.scale.is_cut:
        return []
    first = written(plot.scale, plot.currency)[0]
    return [("", f"the axis starts at {first}")]


def _day(day: date) -> str:
    return f"{day.day} {day:%b}"


def _describe_worth(points: Sequence[Point], currency: str, worth: Bound) -> str:
    first, last = points[0], points[-1]
    text = f"{exact(last.amount, currency)} on {figures.long_date(last.day)}"
    if worth != "exact":
        text = f"{worth.capitalize()} {text}"
    if len(points) == 1:
        return f"{text}."
    moved = last.amount - first.amount
    day = figures.long_date(first.day)
    since = f"{exact(abs(moved), currency)} {'more' if moved > 0 else 'less'} than on {day}"
    if moved == 0:
        since = f"the same as on {day}"
    drops = sum(after.amount < before.amount for before, after in pairwise(points))
    return f"{text}, {since}. It {_fell(drops)}."


def _fell(drops: int) -> str:
    return {0: "never fell", 1: "fell once"}.get(drops, f"fell {drops:,} times")


def _describe_ahead(days: Sequence[DayAhead], lowest: DayAhead, currency: str) -> str:
    first, last = days[0], days[-1]
    text = f"Expected cash: {exact(first.expected, currency)} this evening, "
    text += f"{exact(last.expected, currency)} on {figures.long_date(last.day)}. "
    return f"{text}Lowest: {exact(lowest.expected, currency)} on {figures.long_date(lowest.day)}."


def _ahead_in_figures(days: Sequence[DayAhead], currency: str, *, ranged: bool) -> Figures:
    heads = ("day", "expected", *(("80% range",) if ranged else ()))
    rows = []
    for day in days:
        row = [figures.short_date(day.day), exact(day.expected, currency)]
        if ranged:
            is_known = day.low is not None and day.high is not None
            ends = [exact(amount, currency) for amount in (day.low, day.high) if amount is not None]
            row.append(" to ".join(ends) if is_known else "unknown")
        rows.append(row)
    return Figures(heads, rows)
