"""Bars, columns and bills day by day: amounts drawn as lengths, of which none is cut off unsaid.

One huge amount would make all others too short to be seen. Of bars, one below the other, one that
is longer than a line goes on in the next one: folded, each is as long as it is. Of columns, two
side by side for each month, equal areas are equal money, and a huge one is cut: it takes the whole
height with a gap below its top, and stands in figures above it. Bills stand at the day when they
are due, with how much each day takes.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from statistics import median_low
from typing import Literal, NamedTuple

from finplan.model import figures
from finplan.pictures.plot import (
    RIGHT,
    WIDTH,
    Figures,
    Picture,
    Piece,
    Plot,
    Scale,
    across,
    anchor_at,
    box,
    exact,
    fitting,
    join_pieces,
    label,
    legend,
    minus,
    months_below,
    round_up,
    tag,
    unit_of,
    weeks_below,
    width_of,
)

_NAME_WIDTH, _BAR_GAP, _BAR_LINE, _THICK = 130.0, 8.0, 12.0, 10.0
_BARS_TOP = 24.0
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
    widest = max(width_of(_whole(bar, currency)) for bar in bars)
    room = WIDTH - 8 - _NAME_WIDTH - 2 * _BAR_GAP - widest
    line = line_of([bar.amount for bar in bars], currency)
    drawn: list[Piece] = []
    y = _BARS_TOP
    for bar in bars:
        drawn.append(_drawn_bar(bar, y, room, line, currency))
        y += _BAR_LINE * max(1, -(-abs(bar.amount) // line)) + 6
    folded = any(abs(bar.amount) > line for bar in bars)
    return Picture(
        "where-it-goes",
        "Where the money goes",
        _describe_bars(bars, currency),
        y,
        join_pieces([*legend(_legend(bars, line if folded else None, currency)), *drawn]),
        Figures(("", "a month"), [(bar.name, exact(bar.amount, currency)) for bar in bars]),
    )


def line_of(amounts: Sequence[int], currency: str) -> int:
    """What a full line is worth: the largest amount, or where that is huge a round part of it."""
    sizes = [abs(amount) for amount in amounts]
    largest = max(1, *sizes)
    if largest <= _HUGE * median_low(sizes):
        return largest
    return max(min(largest, unit_of(currency)), round_up(-(-largest // _MOST_LINES)))


def _drawn_bar(bar: Bar, y: float, room: float, line: int, currency: str) -> Piece:
    start, remaining = _NAME_WIDTH + _BAR_GAP, abs(bar.amount)
    lines: list[Piece] = []
    while remaining > 0:
        part = min(remaining, line)
        class_ = bar.tone if bar.amount > 0 else "back"
        lines.append(box(start, y + _BAR_LINE * len(lines), room * (part / line), _THICK, class_))
        remaining -= part
    name = fitting(bar.name, _NAME_WIDTH / _BOLD)
    return tag(
        "g",
        tag("title", f"{bar.name}: {exact(bar.amount, currency)} a month"),
        label(name, _NAME_WIDTH, y + 9, anchor="end", class_="strong"),
        *lines,
        label(_whole(bar, currency), WIDTH - 8, y + 9, anchor="end"),
    )


def _whole(bar: Bar, currency: str) -> str:
    units = figures.whole_units(bar.amount, currency) if bar.units is None else bar.units
    return minus(figures.units_money(units, currency))


def _legend(bars: Sequence[Bar], line: int | None, currency: str) -> list[tuple[str, str]]:
    tones = {bar.tone for bar in bars if bar.amount > 0}
    lines = ("essential", "discretionary")
    entries: list[tuple[str, str]] = [(tone, tone) for tone in lines if tone in tones]
    if line is not None:
        entries.append(("", f"full width: {minus(figures.whole_money(line, currency))}"))
    return entries


def _describe_bars(bars: Sequence[Bar], currency: str) -> str:
    main_bars = [bar for bar in bars if bar.tone != "others"]
    text = "Monthly spending"
    if len(main_bars) < len(bars):
        largest = figures.count(len(main_bars), "largest category", "largest categories")
        text += f": the {largest}, and all others"
    elif len(bars) > 1:
        text += f" by category ({len(bars):,})"
    most = max(main_bars, key=lambda bar: bar.amount, default=None)
    if most is None or most.amount <= 0:
        return f"{text}."
    return f"{text}. Largest: {most.name}, {exact(most.amount, currency)}."


_WIDEST = 24.0
_COLUMNS_HEIGHT = 192.0
_COLUMNS_TOP, _ABOVE = 24.0, 12.0
"""Where values begin below the legend, and how much further down for each line of figures above them."""

_BOLD_ABOVE = 1.1
"""How much wider figures above columns are than other texts."""

_GAP_BELOW, _CUT_GAP = 9.0, 3.0
"""How far below the end of a cut column its gap is, and how high."""


class MonthOfMoney(NamedTuple):
    """A month's income and spending, minor units; `is_complete` where all is known and over."""

    first: date
    income: int
    spending: int
    is_complete: bool


def in_and_out(months: Sequence[MonthOfMoney], currency: str) -> Picture:
    """Income and spending, month by month; the months are one at least and follow each other."""
    amounts = [amount for month in months for amount in (month.income, month.spending)]
    usual = figures.largest_usual(amounts) or max(map(abs, amounts))
    ends = [max(-usual, min(usual, amount)) for amount in amounts]
    scale = Scale.from_zero(ends, unit_of(currency))
    is_cut = not all(scale.low <= amount <= scale.high for amount in amounts)
    plot = Plot(scale, currency, _COLUMNS_TOP + 2 * _ABOVE if is_cut else _COLUMNS_TOP)
    room = plot.width / len(months)
    places = [plot.start + room * (index + 0.5) for index in range(len(months))]
    entries = [("in", "income"), ("out", "spending")]
    remark = _remark(is_pale=not all(month.is_complete for month in months), is_cut=is_cut)
    if remark:
        entries.append(("", remark))
    drawing = join_pieces(
        [
            *legend(entries),
            *plot.marks(),
            *(_month(month, x, room, plot) for month, x in zip(months, places, strict=True)),
            *_above(months, places, plot),
            *months_below(
                [(month.first, x) for month, x in zip(months, places, strict=True)], plot.bottom
            ),
        ]
    )
    return Picture(
        "in-and-out", "Income and spending", _describe_months(months, currency), _COLUMNS_HEIGHT,
        drawing, _months_in_figures(months, currency),
    )  # fmt: skip


def _remark(*, is_pale: bool, is_cut: bool) -> str:
    """What of the columns has to be said, as short as the legend has room for."""
    if is_pale and is_cut:
        return "pale: partial month; gap: cut"
    if is_cut:
        return "gap: cut, with its amount"
    return "pale: partial month" if is_pale else ""


def _month(month: MonthOfMoney, x: float, room: float, plot: Plot) -> Piece:
    width = min(_WIDEST, room * 0.4)
    suffix = "" if month.is_complete else " part"
    text = f"{_month_name(month)}: {exact(month.income, plot.currency)} in, "
    return tag(
        "g",
        tag("title", text + f"{exact(month.spending, plot.currency)} out"),
        _column(month.income, x - width, width, plot, f"in{suffix}"),
        _column(month.spending, x, width, plot, f"out{suffix}"),
    )


def _column(amount: int, x: float, width: float, plot: Plot, class_: str) -> Piece | None:
    if not amount:
        return None
    drawn = min(max(amount, plot.scale.low), plot.scale.high)
    top, bottom = plot.y(max(0, drawn)), plot.y(min(0, drawn))
    column = box(x, top, width, bottom - top, class_)
    if drawn == amount:
        return column
    gap = top + _GAP_BELOW if amount > 0 else bottom - _GAP_BELOW - _CUT_GAP
    return join_pieces([column, box(x - 1, gap, width + 2, _CUT_GAP, "paper")])


def _above(months: Sequence[MonthOfMoney], places: Sequence[float], plot: Plot) -> Iterator[Piece]:
    """What cut columns come to, above them; beside another it stands on the other of two lines."""
    ends = [0.0, 0.0]
    for month, at in zip(months, places, strict=True):
        cut = [
            amount
            for amount in (month.income, month.spending)
            if not plot.scale.low <= amount <= plot.scale.high
        ]
        text = " / ".join(minus(figures.whole_money(amount, plot.currency)) for amount in cut)
        x, anchor = anchor_at(at, text, plot.start)
        wide = width_of(text) * _BOLD_ABOVE
        start = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        line = next((level for level in (0, 1) if ends[level] <= start), None)
        if cut and line is not None:
            ends[line] = start + wide + 4
            yield label(text, x, plot.top - 4 - _ABOVE * line, anchor=anchor, class_="strong")


def _describe_months(months: Sequence[MonthOfMoney], currency: str) -> str:
    last = next((month for month in reversed(months) if month.is_complete), months[-1])
    saved = last.income - last.spending
    text = f"{figures.count(len(months), 'month')} to {_month_name(months[-1])}. "
    text += f"{_told_name(last)}: {exact(last.income, currency)} in, "
    text += f"{exact(last.spending, currency)} out, "
    return text + f"{exact(abs(saved), currency)} {'left' if saved >= 0 else 'short'}."


def _months_in_figures(months: Sequence[MonthOfMoney], currency: str) -> Figures:
    rows = [
        (_told_name(month), exact(month.income, currency), exact(month.spending, currency))
        for month in reversed(months)
    ]
    return Figures(("month", "income", "spending"), rows)


def _month_name(month: MonthOfMoney) -> str:
    return f"{month.first:%B %Y}"


def _told_name(month: MonthOfMoney) -> str:
    """The name of a month, and that not all of it is told where that is so."""
    return _month_name(month) + ("" if month.is_complete else " (partial)")


_BILLS_TOP, _BILLS_BOTTOM = 38.0, 128.0
_DOT = 2.5
_MOST_NAMED = 4
_BILL_NAME_WIDTH = 110.0


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
    plot = Plot(
        Scale.from_zero(totals.values(), unit_of(currency)), currency, _BILLS_TOP, _BILLS_BOTTOM
    )
    span = since, until
    entries = [("out", "due")]
    paid = [] if payday is None or not since < payday <= until else [payday]
    drawing = join_pieces(
        [
            *legend([*entries, *([("in", "next pay")] if paid else [])]),
            *plot.marks(),
            *(_payday(day, span, plot) for day in paid),
            *(_day_due(day, total, by_day[day], span, plot) for day, total in totals.items()),
            *_bill_names(by_day, totals, span, plot),
            label("today", plot.start, _BILLS_BOTTOM + 18, anchor="middle", class_="strong"),
            *weeks_below(since, until, plot.start, _BILLS_BOTTOM + 4),
        ]
    )
    return Picture(
        "bills", "Bills by day", _describe_bills(bills, until, currency), 154.0, drawing,
        _bills_in_figures(bills, currency),
    )  # fmt: skip


def _day_due(
    day: date, total: int, due: Sequence[DrawnBill], span: tuple[date, date], plot: Plot
) -> Piece:
    x = across(day, *span, plot.start)
    bills = ", ".join(f"{bill.name} {exact(bill.amount, plot.currency)}" for bill in due)
    top, bottom = plot.y(max(0, total)), plot.y(min(0, total))
    return tag(
        "g",
        tag("title", f"{figures.short_date(day)}: {bills}"),
        box(x - _DOT, top, 2 * _DOT, bottom - top, "out"),
        tag("circle", cx=x, cy=plot.y(0), r=_DOT, class_="out"),
    )


def _payday(day: date, span: tuple[date, date], plot: Plot) -> Piece:
    x = across(day, *span, plot.start)
    return tag(
        "g",
        tag("title", f"{figures.short_date(day)}: next pay"),
        tag("circle", cx=x, cy=plot.bottom + 5, r=3.5, class_="in"),
    )


def _bill_names(
    by_day: Mapping[date, Sequence[DrawnBill]],
    totals: Mapping[date, int],
    span: tuple[date, date],
    plot: Plot,
) -> Iterator[Piece]:
    """The names of the dearest days, of which none covers another or a column."""
    taken = [
        (x - _DOT, plot.y(total), x + _DOT, plot.bottom)
        for x, total in ((across(day, *span, plot.start), total) for day, total in totals.items())
    ]
    drawn_names = 0
    for day in sorted(totals, key=lambda day: (-totals[day], day)):
        due = by_day[day]
        suffix = f" +{len(due) - 1}" if len(due) > 1 else ""
        dearest = max(due, key=lambda bill: (bill.amount, bill.name))
        text = fitting(dearest.name, _BILL_NAME_WIDTH) + suffix
        at, top = across(day, *span, plot.start), plot.y(max(0, totals[day]))
        for start, y in _beside(at, top, width_of(text), plot):
            place_box = (start - 2, y - 10, start + width_of(text) + 2, y + 2)
            if drawn_names < _MOST_NAMED and not any(_meet(place_box, area) for area in taken):
                drawn_names += 1
                taken.append(place_box)
                yield label(text, start, y)
                break


def _beside(x: float, top: float, width: float, plot: Plot) -> Iterator[tuple[float, float]]:
    """Where a name may begin: above its column, else to the right of its top, else to the left.

    A name beside a small column stands on the line of days, which would strike it through.
    """
    first, last = plot.start + 3, RIGHT - width
    beside = min(top + 8, plot.y(0) - 4)
    yield min(max(x - width / 2, first), last), top - 5
    if x + 7 <= last:
        yield x + 7, beside
    if x - 7 - width >= first:
        yield x - 7 - width, beside


_Box = tuple[float, float, float, float]


def _meet(this: _Box, that: _Box) -> bool:
    return this[0] < that[2] and that[0] < this[2] and this[1] < that[3] and that[1] < this[3]


def _describe_bills(bills: Sequence[DrawnBill], until: date, currency: str) -> str:
    if not bills:
        return f"Nothing is due by {figures.long_date(until)}."
    total = exact(sum(bill.amount for bill in bills), currency)
    first = min(bills, key=lambda bill: bill.day)
    text = (
        f"{figures.count(len(bills), 'bill')} due by {figures.long_date(until)}, {total} in total. "
    )
    return f"{text}Next: {first.name} on {figures.long_date(first.day)}."


def _bills_in_figures(bills: Sequence[DrawnBill], currency: str) -> Figures:
    rows = [
        (figures.short_date(bill.day), bill.name, exact(bill.amount, currency))
        for bill in sorted(bills, key=lambda bill: bill.day)
    ]
    return Figures(("day", "", "amount"), rows)
