"""Bills day by day: when they are due, and how much each day takes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from finplan.model import figures
from finplan.pictures.picture import Figures, Picture
from finplan.pictures.plot import RIGHT, Plot, across, legend, weeks_below
from finplan.pictures.scale import Scale, minus, unit_of
from finplan.pictures.svg import Piece, box, fitting, joined, label, tag, width_of

_TOP, _BOTTOM = 38.0, 128.0
_DOT = 2.5
_MOST_NAMED = 4
_NAME = 110.0


class DrawnBill(NamedTuple):
    """What is due on a day, positive when money goes out."""

    day: date
    name: str
    amount: int


def bills_ahead(
    bills: Sequence[DrawnBill], since: date, until: date, payday: date | None, currency: str
) -> Picture:
    """What is due from one day to another; a day of little has a dot, so that none is overlooked."""
    by_day: dict[date, list[DrawnBill]] = defaultdict(list)
    for bill in bills:
        by_day[bill.day].append(bill)
    totals = {day: sum(bill.amount for bill in due) for day, due in sorted(by_day.items())}
    plot = Plot(Scale.from_zero(totals.values(), unit_of(currency)), currency, _TOP, _BOTTOM)
    span = since, until
    named = [("out", "due on the day")]
    paid = [] if payday is None or not since < payday <= until else [payday]
    drawing = joined(
        [
            *legend([*named, *([("in", "next pay")] if paid else [])]),
            *plot.marks(),
            *(_payday(day, span, plot) for day in paid),
            *(_day_due(day, total, by_day[day], span, plot) for day, total in totals.items()),
            *_names(by_day, totals, span, plot),
            label("today", plot.left, _BOTTOM + 18, anchor="middle", class_="strong"),
            *weeks_below(since, until, plot.left, _BOTTOM + 4),
        ]
    )
    return Picture(
        "bills", "Bills ahead", _said(bills, until, currency), 154.0, drawing,
        _in_figures(bills, currency),
    )  # fmt: skip


def _day_due(
    day: date, total: int, due: Sequence[DrawnBill], span: tuple[date, date], plot: Plot
) -> Piece:
    x = across(day, *span, plot.left)
    each = ", ".join(
        f"{bill.name} {minus(figures.money(bill.amount, plot.currency))}" for bill in due
    )
    top, bottom = plot.y(max(0, total)), plot.y(min(0, total))
    return tag(
        "g",
        tag("title", f"{figures.short_date(day)}: {each}"),
        box(x - _DOT, top, 2 * _DOT, bottom - top, "out"),
        tag("circle", cx=x, cy=plot.y(0), r=_DOT, class_="out"),
    )


def _payday(day: date, span: tuple[date, date], plot: Plot) -> Piece:
    x = across(day, *span, plot.left)
    return tag(
        "g",
        tag("title", f"{figures.short_date(day)}: the next pay"),
        tag("circle", cx=x, cy=plot.bottom + 5, r=3.5, class_="in"),
    )


def _names(
    by_day: Mapping[date, Sequence[DrawnBill]],
    totals: Mapping[date, int],
    span: tuple[date, date],
    plot: Plot,
) -> Iterator[Piece]:
    """The names of the dearest days, of which none covers another or a column."""
    taken = [
        (x - _DOT, plot.y(total), x + _DOT, plot.bottom)
        for x, total in ((across(day, *span, plot.left), total) for day, total in totals.items())
    ]
    named = 0
    for day in sorted(totals, key=lambda day: (-totals[day], day)):
        due = by_day[day]
        more = f" +{len(due) - 1}" if len(due) > 1 else ""
        dearest = max(due, key=lambda bill: (bill.amount, bill.name))
        told = fitting(dearest.name, _NAME) + more
        at, top = across(day, *span, plot.left), plot.y(max(0, totals[day]))
        for left, y in _beside(at, top, width_of(told), plot):
            place = (left - 2, y - 10, left + width_of(told) + 2, y + 2)
            if named < _MOST_NAMED and not any(_meet(place, each) for each in taken):
                named += 1
                taken.append(place)
                yield label(told, left, y)
                break


def _beside(x: float, top: float, width: float, plot: Plot) -> Iterator[tuple[float, float]]:
    """Where a name may begin: above its column, else to the right of its top, else to the left.

    A name beside a small column stands on the line of days, which would strike it through.
    """
    first, last = plot.left + 3, RIGHT - width
    beside = min(top + 8, plot.y(0) - 4)
    yield min(max(x - width / 2, first), last), top - 5
    if x + 7 <= last:
        yield x + 7, beside
    if x - 7 - width >= first:
        yield x - 7 - width, beside


_Box = tuple[float, float, float, float]


def _meet(one: _Box, other: _Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _said(bills: Sequence[DrawnBill], until: date, currency: str) -> str:
    if not bills:
        return f"Nothing is expected to {figures.long_date(until)}."
    total = minus(figures.money(sum(bill.amount for bill in bills), currency))
    first = min(bills, key=lambda bill: bill.day)
    told = f"{figures.count(len(bills), 'bill')} to {figures.long_date(until)}, {total} in all. "
    return f"{told}Next: {first.name} on {figures.long_date(first.day)}."


def _in_figures(bills: Sequence[DrawnBill], currency: str) -> Figures:
    rows = [
        (figures.short_date(bill.day), bill.name, minus(figures.money(bill.amount, currency)))
        for bill in sorted(bills, key=lambda bill: bill.day)
    ]
    return Figures(("day", "", "amount"), rows)
