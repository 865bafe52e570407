"""Columns: two amounts side by side for each month, of which equal areas are equal money."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from finplan.model import figures
from finplan.pictures.picture import Figures, Picture
from finplan.pictures.plot import Plot, legend, months_below
from finplan.pictures.scale import Scale, minus, unit_of
from finplan.pictures.svg import Piece, box, joined, tag

_WIDEST = 24.0
_HEIGHT = 192.0


class MonthOfMoney(NamedTuple):
    """A month's income and spending, minor units; `whole` says that all of it is known and over."""

    first: date
    income: int
    spending: int
    whole: bool


def in_and_out(months: Sequence[MonthOfMoney], currency: str) -> Picture:
    """Income and spending, month by month; the months are one at least and follow each other."""
    amounts = [amount for month in months for amount in (month.income, month.spending)]
    plot = Plot(Scale.from_zero(amounts, unit_of(currency)), currency)
    room = plot.width / len(months)
    places = [plot.left + room * (place + 0.5) for place in range(len(months))]
    named = [("in", "income"), ("out", "spending")]
    if not all(month.whole for month in months):
        named.append(("", "pale: not a whole month"))
    drawing = joined(
        [
            *legend(named),
            *plot.marks(),
            *(_month(month, x, room, plot) for month, x in zip(months, places, strict=True)),
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
    top, bottom = plot.y(max(0, amount)), plot.y(min(0, amount))
    return box(x, top, width, bottom - top, class_) if amount else None


def _said(months: Sequence[MonthOfMoney], currency: str) -> str:
    last = next((month for month in reversed(months) if month.whole), months[-1])
    kept = last.income - last.spending
    told = f"{figures.count(len(months), 'month')} to {_name(months[-1])}. "
    told += f"{_name(last)}: {_exact(last.income, currency)} in, "
    told += f"{_exact(last.spending, currency)} out, "
    return told + f"{_exact(abs(kept), currency)} {'kept' if kept >= 0 else 'lacking'}."


def _in_figures(months: Sequence[MonthOfMoney], currency: str) -> Figures:
    rows = [
        (
            _name(month) + ("" if month.whole else ", in part"),
            _exact(month.income, currency),
            _exact(month.spending, currency),
        )
        for month in reversed(months)
    ]
    return Figures(("month", "income", "spending"), rows)


def _name(month: MonthOfMoney) -> str:
    return f"{month.first:%B %Y}"


def _exact(amount: int, currency: str) -> str:
    return minus(figures.money(amount, currency))
