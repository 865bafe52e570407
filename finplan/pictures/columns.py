"""Columns: two amounts side by side for each month, of which equal areas are equal money.

One huge amount would make all others too short to be seen. It is cut: it takes the whole height with a
gap below its top, and stands in figures above it.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from finplan.model import figures
from finplan.pictures.picture import Figures, Picture
from finplan.pictures.plot import Plot, anchor_at, legend, months_below
from finplan.pictures.scale import Scale, minus, unit_of
from finplan.pictures.svg import Piece, box, joined, label, tag, width_of

_WIDEST = 24.0
_HEIGHT = 192.0
_TOP, _ABOVE = 24.0, 12.0
"""Where values begin below the legend, and how much further down for each line of figures above them."""

_BOLD = 1.1
"""How much wider figures above columns are than other texts."""

_GAP_BELOW, _GAP = 9.0, 3.0
"""How far below the end of a cut column its gap is, and how high."""


class MonthOfMoney(NamedTuple):
    """A month's income and spending, minor units; `whole` says that all of it is known and over."""

    first: date
    income: int
    spending: int
    whole: bool


def in_and_out(months: Sequence[MonthOfMoney], currency: str) -> Picture:
    """Income and spending, month by month; the months are one at least and follow each other."""
    amounts = [amount for month in months for amount in (month.income, month.spending)]
    usual = figures.largest_usual(amounts) or max(map(abs, amounts))
    ends = [max(-usual, min(usual, amount)) for amount in amounts]
    scale = Scale.from_zero(ends, unit_of(currency))
    is_cut = not all(scale.low <= amount <= scale.high for amount in amounts)
    plot = Plot(scale, currency, _TOP + 2 * _ABOVE if is_cut else _TOP)
    room = plot.width / len(months)
    places = [plot.left + room * (place + 0.5) for place in range(len(months))]
    named = [("in", "income"), ("out", "spending")]
    remark = _remark(is_pale=not all(month.whole for month in months), is_cut=is_cut)
    if remark:
        named.append(("", remark))
    drawing = joined(
        [
            *legend(named),
            *plot.marks(),
            *(_month(month, x, room, plot) for month, x in zip(months, places, strict=True)),
            *_above(months, places, plot),
            *months_below(
                [(month.first, x) for month, x in zip(months, places, strict=True)],
                plot.bottom,
            ),
        ]
    )
    return Picture(
        "in-and-out", "Income and spending", _said(months, currency), _HEIGHT, drawing,
        _in_figures(months, currency),
    )  # fmt: skip


def _remark(*, is_pale: bool, is_cut: bool) -> str:
    """What of the columns has to be said, as short as the legend has room for."""
    if is_pale and is_cut:
        return "pale: not a whole month; gap: cut"
    if is_cut:
        return "gap: cut, with its amount"
    return "pale: not a whole month" if is_pale else ""


def _month(month: MonthOfMoney, x: float, room: float, plot: Plot) -> Piece:
    width = min(_WIDEST, room * 0.4)
    whole = "" if month.whole else " part"
    told = f"{_name(month)}: {_exact(month.income, plot.currency)} in, "
    return tag(
        "g",
        tag("title", told + f"{_exact(month.spending, plot.currency)} out"),
        _column(month.income, x - width, width, plot, f"in{whole}"),
        _column(month.spending, x, width, plot, f"out{whole}"),
    )


def _column(amount: int, x: float, width: float, plot: Plot, class_: str) -> Piece | None:
    if not amount:
        return None
    drawn = min(max(amount, plot.scale.low), plot.scale.high)
    top, bottom = plot.y(max(0, drawn)), plot.y(min(0, drawn))
    whole = box(x, top, width, bottom - top, class_)
    if drawn == amount:
        return whole
    gap = top + _GAP_BELOW if amount > 0 else bottom - _GAP_BELOW - _GAP
    return joined([whole, box(x - 1, gap, width + 2, _GAP, "paper")])


def _above(months: Sequence[MonthOfMoney], places: Sequence[float], plot: Plot) -> Iterator[Piece]:
    """What cut columns come to, above them; beside another it stands on the other of two lines."""
    ends = [0.0, 0.0]
    for month, place in zip(months, places, strict=True):
        cut = [
            amount
            for amount in (month.income, month.spending)
            if not plot.scale.low <= amount <= plot.scale.high
        ]
        text = " / ".join(minus(figures.whole_money(amount, plot.currency)) for amount in cut)
        x, anchor = anchor_at(place, text, plot.left)
        wide = width_of(text) * _BOLD
        start = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        line = next((each for each in (0, 1) if ends[each] <= start), None)
        if cut and line is not None:
            ends[line] = start + wide + 4
            yield label(text, x, plot.top - 4 - _ABOVE * line, anchor=anchor, class_="strong")


def _said(months: Sequence[MonthOfMoney], currency: str) -> str:
    last = next((month for month in reversed(months) if month.whole), months[-1])
    kept = last.income - last.spending
    told = f"{figures.count(len(months), 'month')} to {_name(months[-1])}. "
    told += f"{_told_name(last)}: {_exact(last.income, currency)} in, "
    told += f"{_exact(last.spending, currency)} out, "
    return told + f"{_exact(abs(kept), currency)} {'kept' if kept >= 0 else 'lacking'}."


def _in_figures(months: Sequence[MonthOfMoney], currency: str) -> Figures:
    rows = [
        (
            _told_name(month),
            _exact(month.income, currency),
            _exact(month.spending, currency),
        )
        for month in reversed(months)
    ]
    return Figures(("month", "income", "spending"), rows)


def _name(month: MonthOfMoney) -> str:
    return f"{month.first:%B %Y}"


def _told_name(month: MonthOfMoney) -> str:
    """The name of a month, and that not all of it is told where that is so."""
    return _name(month) + ("" if month.whole else ", in part")


def _exact(amount: int, currency: str) -> str:
    return minus(figures.money(amount, currency))
