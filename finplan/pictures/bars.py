"""Bars, one below the other: a bar longer than a line goes on in the next one, so that none is cut off.

One huge amount would make all others too short to be seen. Folded, each is as long as it is.
"""

from collections.abc import Sequence
from statistics import median_low
from typing import Literal, NamedTuple

from finplan.model import figures
from finplan.pictures.picture import WIDTH, Figures, Picture
from finplan.pictures.plot import legend
from finplan.pictures.scale import minus, round_up, unit_of
from finplan.pictures.svg import Piece, box, fitting, joined, label, tag, width_of

_NAME, _GAP, _LINE, _THICK = 130.0, 8.0, 12.0, 10.0
_TOP = 24.0
_BOLD = 1.1
"""How much wider names are than other texts."""

_MOST_LINES = 4
_HUGE = 8
"""From how many times the middle amount on the largest one is folded."""


class Bar(NamedTuple):
    """An amount with its name; below zero, money came back.

    `units` are the whole units that stand beside it, where they have to add up with others as written.
    """

    name: str
    amount: int
    tone: Literal["essential", "discretionary", "others"]
    units: int | None = None


def where_it_goes(bars: Sequence[Bar], currency: str) -> Picture:
    """What a month takes, in the order given; the bars are one at least."""
    room = WIDTH - 8 - _NAME - 2 * _GAP - max(width_of(_whole(bar, currency)) for bar in bars)
    line = line_of([bar.amount for bar in bars], currency)
    drawn: list[Piece] = []
    y = _TOP
    for bar in bars:
        drawn.append(_drawn(bar, y, room, line, currency))
        y += _LINE * max(1, -(-abs(bar.amount) // line)) + 6
    folded = any(abs(bar.amount) > line for bar in bars)
    return Picture(
        "where-it-goes",
        "Where the money goes",
        _said(bars, currency),
        y,
        joined([*legend(_legend(bars, line if folded else None, currency)), *drawn]),
        Figures(
            ("", "a month"),
            [(bar.name, minus(figures.money(bar.amount, currency))) for bar in bars],
        ),
    )


def line_of(amounts: Sequence[int], currency: str) -> int:
    """What a full line is worth: the largest amount, or where that is huge a round part of it."""
    sizes = [abs(amount) for amount in amounts]
    largest = max(1, *sizes)
    if largest <= _HUGE * median_low(sizes):
        return largest
    return max(min(largest, unit_of(currency)), round_up(-(-largest // _MOST_LINES)))


def _drawn(bar: Bar, y: float, room: float, line: int, currency: str) -> Piece:
    left, rest = _NAME + _GAP, abs(bar.amount)
    lines: list[Piece] = []
    while rest > 0:
        part = min(rest, line)
        class_ = bar.tone if bar.amount > 0 else "back"
        lines.append(box(left, y + _LINE * len(lines), room * (part / line), _THICK, class_))
        rest -= part
    return tag(
        "g",
        tag("title", f"{bar.name}: {minus(figures.money(bar.amount, currency))} a month"),
        label(fitting(bar.name, _NAME / _BOLD), _NAME, y + 9, anchor="end", class_="strong"),
        *lines,
        label(_whole(bar, currency), WIDTH - 8, y + 9, anchor="end"),
    )


def _whole(bar: Bar, currency: str) -> str:
    whole = figures.whole_units(bar.amount, currency) if bar.units is None else bar.units
    return minus(figures.units_money(whole, currency))


def _legend(bars: Sequence[Bar], line: int | None, currency: str) -> list[tuple[str, str]]:
    tones = {bar.tone for bar in bars if bar.amount > 0}
    lines = ("essential", "discretionary")
    told: list[tuple[str, str]] = [(tone, tone) for tone in lines if tone in tones]
    if line is not None:
        told.append(("", f"a full line: {minus(figures.whole_money(line, currency))}"))
    return told


def _said(bars: Sequence[Bar], currency: str) -> str:
    named = [bar for bar in bars if bar.tone != "others"]
    told = "What spending takes a month"
    if len(named) < len(bars):
        told += f": {figures.count(len(named), 'kind')}, and what the others take together"
    elif len(bars) > 1:
        told += f", by {len(bars):,} kinds"
    largest = max(named, key=lambda bar: bar.amount, default=None)
    if largest is None or largest.amount <= 0:
        return f"{told}."
    return f"{told}. Most: {largest.name}, {minus(figures.money(largest.amount, currency))}."
