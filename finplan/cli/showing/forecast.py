"""The days ahead as a page: the lowest day, what comes next, then each day that something moves."""

from collections.abc import Iterator, Sequence
from datetime import date

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.console.terminal import BLOCKS
from finplan.cli.showing.layout import ends, page, roomy, row, wrapped
from finplan.model import figures
from finplan.model.snapshot import Forecast, ForecastDay, ForecastItem

NARROWEST, WIDEST = 60, 110
_EXACTLY = 95
"""From this width on there is room for exact figures."""


_DAY, _AMOUNT, _EXACT, _RANGE = 10, 9, 12, 19
_NEXT_BILLS = 3


def draw_forecast(forecast: Forecast, currency: str, width: int, room: int = 0) -> Text:
    """Draw the days ahead for a terminal of `width` columns.

    Lines of the table may take up to `room`, where that is more, for names that would be cut off.
    """
    width = max(NARROWEST, min(width, WIDEST))
    lines = [*_headline(forecast, currency, width), *_next(forecast, currency, (width, room))]
    if forecast.days:
        table = _table(forecast, currency, (width, room))
        lines += [Text(), *_columns(forecast, width), Text(), *table]
    if forecast.notes:
        lines.append(Text())
    for note in forecast.notes:
        lines += wrapped(f"· {note}", width, style="dim")
    return page(lines)


def _headline(forecast: Forecast, currency: str, width: int) -> Iterator[Text]:
    until = Text(f"to {figures.long_date(forecast.until)}", style="dim")
    low = forecast.low
    if low is None or forecast.start is None:
        yield ends(Text("The days ahead are not known", style="bold"), until, width)
        return
    short = "bold red" if low.expected < 0 else "bold green"
    said = Text("Lowest  ").append_text(Text(figures.money(low.expected, currency), style=short))
    said.append(f"  {_when(low.date, forecast.since)}")
    yield ends(said, until, width)
    yield Text(f"{figures.money(forecast.start, currency)} now", style="dim")


def _next(forecast: Forecast, currency: str, widths: tuple[int, int]) -> Iterator[Text]:
    """The next pay and the next bills, each on a line: its day, its name, its amount."""
    if forecast.low is None:
        return
    named = [(day.date, item) for day in forecast.days for item in day.items]
    pay = [(day, item) for day, item in named if item.kind == "income"][:1]
    due = [(day, item) for day, item in named if item.kind in {"bill", "card"} and item.amount < 0]
    shown = [*pay, *due[:_NEXT_BILLS]]
    labels = [*["Next in"][: len(pay)], "Next out", *[""] * _NEXT_BILLS]
    amounts = [figures.money(abs(item.amount), currency) for _, item in shown]
    most = max(map(cell_len, amounts), default=0)
    names = max((cell_len(item.name) for _, item in shown), default=0)
    beside = 2 * _DAY + most + 3
    names = min(names, roomy(*widths, beside + names) - beside)
    for label, (day, item), amount in zip(labels, shown, amounts, strict=False):
        yield row(
            (Text(label, style="dim"), _DAY),
            (figures.short_date(day), _DAY),
            (item.name, names),
            (amount, -most),
        )


def _when(day: date, today: date) -> str:
    return "today" if day == today else f"on {figures.short_date(day)}"


def _columns(forecast: Forecast, width: int) -> Iterator[Text]:
    """A small column for each day, or for the lowest of some days where there is less room."""
    room = width - 2 * (_DAY + 1)
    days = forecast.days
    together = -(-len(days) // room)
    least = [
        min(day.expected for day in days[place : place + together])
        for place in range(0, len(days), together)
    ]
    top, spread = max(least), max(least) - min(least)
    # Cash moves little for its size: a column grows from below the lowest day, or from nothing.
    floor = min(0, *least) if min(least) < spread else min(least) - spread // 4
    drawn = Text()
    for amount in least:
        step = (amount - floor) * (len(BLOCKS) - 1) // max(1, top - floor)
        drawn.append(BLOCKS[step], style="red" if amount < 0 else "cyan")
    first, last = (figures.short_date(days[place].date) for place in (0, -1))
    line = Text(f"{first} ", style="dim").append_text(drawn)
    yield line.append(f" {last}", style="dim")


def _table(forecast: Forecast, currency: str, widths: tuple[int, int]) -> Iterator[Text]:
    """A line for each day that something named moves, the lowest day and the last one.

    `widths` are those of the page and the most that a line may take.
    """
    width, most = widths
    exact = width >= _EXACTLY
    room = _EXACT if exact else _AMOUNT
    ranged = any(day.low is not None for day in forecast.days)
    sizes = [_DAY, 0, -room, -room, -room]
    if ranged:
        sizes.append(-_RANGE)
    beside = sum(map(abs, sizes)) + len(sizes) - 1
    whole = max(cell_len(", ".join(item.name for item in _named(day))) for day in forecast.days)
    sizes[1] = max(width, min(most, beside + whole)) - beside
    usual = "usual" if ranged else ""
    heads = ("DAY", "what moves it", "moved", usual, "expected", "80 % range")
    yield row(
        *(
            (Text(head, style="bold" if not place else "dim"), size)
            for place, (head, size) in enumerate(zip(heads, sizes, strict=False))
        )
    )
    since = 0
    low = None if forecast.low is None else forecast.low.date
    for day in forecast.days:
        named = _named(day)
        since += sum(item.amount for item in day.items if item.kind == "spending")
        if named or day.date in {low, forecast.until}:
            yield _line(day, named, since, (currency, sizes, low))
            since = 0


def _named(day: ForecastDay) -> list[ForecastItem]:
    """What moves a day, but for usual spending."""
    return [item for item in day.items if item.kind != "spending"]


def _line(
    day: ForecastDay,
    named: Sequence[ForecastItem],
    usual: int,
    how: tuple[str, Sequence[int], date | None],
) -> Text:
    currency, sizes, low = how
    whole = -sizes[2] < _EXACT
    total = sum(item.amount for item in named)
    names = _names(named, sizes[1]) if named else Text("lowest" if day.date == low else "", "dim")
    style = "red" if day.expected < 0 else "bold" if day.date == low else ""

    def figure(amount: int, style: str = "", *, zero: bool = False) -> Text:
        text = figures.fitted(amount, currency, -sizes[2], whole=whole) if amount or zero else ""
        return Text(text, style=style)

    cells = [
        figures.short_date(day.date),
        names,
        figure(total, "green" if total > 0 else ""),
        figure(usual, "dim"),
        figure(day.expected, style, zero=True),
    ]
    if len(sizes) > len(cells) and day.low is not None and day.high is not None:
        least, most = (
            figures.fitted(each, currency, 8, whole=True) for each in (day.low, day.high)
        )
        cells.append(Text(f"{least} – {most}", style="dim"))
    return row(*zip(cells, sizes, strict=False))


def _names(items: Sequence[ForecastItem], room: int) -> str:
    """As many names as there is room for, and how many more there are.

    The sum beside them is of all, so it is the only name that is cut off and never their number.
    """
    names = [item.name for item in items]
    for shown in range(len(names), 0, -1):
        rest = len(names) - shown
        told = ", ".join(names[:shown]) + (f" +{rest}" if rest else "")
        if cell_len(told) <= room:
            return told
    more = f" +{len(names) - 1}" if len(names) > 1 else ""
    return row((names[0], max(1, room - cell_len(more)))).plain + more
