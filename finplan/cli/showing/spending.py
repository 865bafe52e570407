"""Totals of spending, drawn: one grouping with its bars, or groups beside months.

Exact either way. What has no room is never dropped: earlier months are one column, further groups one
line, and a sentence says so. Each line and each column adds up to its total.
"""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.showing.layout import Cell, bar, ends, page, row, small_columns, wrapped
from finplan.model import figures
from finplan.model.account import AccountRecord
from finplan.model.transaction import RecordedDays, SpendingMonths, SpendingReport
from finplan.views.plan_words import beyond_rows

NARROWEST, WIDEST = 60, 110
_LEAST_BAR = 8
"""How many columns bars keep beside long names."""


def draw_spending(
    report: SpendingReport,
    currency: str,
    width: int,
    only: Sequence[str] = (),
    accounts: Sequence[AccountRecord] = (),
    room: int = 0,
) -> Text:
    """Draw a report for a terminal of `width` columns; every group has its line.

    `only` are the categories and merchants that it is of, where the person named some. Those of the
    `accounts` that no total holds, because they are in another currency, are named. Lines may take up
    to `room` columns, where that is more, for names that would be cut off.
    """
    width = max(NARROWEST, min(width, WIDEST))
    totals = (len(figures.money(group.total, currency)) for group in report.groups)
    # An exact total is never shortened: the bar gives way to it, and then the name.
    total_width = max([14, *totals])
    fixed = total_width + 7 + 7 + 4
    longest = max((cell_len(group.label) for group in report.groups), default=0)
    width = max(width, min(room, fixed + longest + _LEAST_BAR))
    free = width - fixed
    # A name longer than others takes room from the bars, as long as these still tell something.
    label_width = (
        8 if report.group_by == "month" else min(max(30, min(longest, free - _LEAST_BAR)), free)
    )
    bar_width = free - label_width
    largest = max((group.total for group in report.groups), default=0)
    lines = [_head_of_report(report, currency, width), *narrowed(only, width)]
    left_out = foreign_accounts(accounts, currency, width)
    if not report.count:
        return page([*lines, *nothing_spent(report, width), *left_out])
    heads = ((report.group_by or "").capitalize(), "", "total", "share", "times")
    sizes = (label_width, bar_width, -total_width, -7, -7)
    if report.groups:
        cells = zip(heads, sizes, strict=True)
        lines += [Text(), row(*((Text(head, style="dim"), size) for head, size in cells))]
    months = [group.key for group in report.groups] if report.group_by == "month" else []
    shown = reached(months, report.recorded)
    said = reach_said(months, report.since, report.until, report.recorded, width)
    left_out = [*said, *left_out]
    for group in report.groups:
        if months and group.key not in shown:
            continue
        total = Text(
            figures.money(group.total, currency), style="green" if group.total < 0 else "bold"
        )
        lines.append(
            row(
                (group.label, label_width),
                (bar(group.total, largest, bar_width, "cyan"), bar_width),
                (total, -total_width),
                (Text(figures.share(group.share), style="dim"), -7),
                (Text(f"{group.count:,}", style="dim"), -7),
            )
        )
    return page([*lines, *([Text()] if left_out else []), *left_out])


def narrowed(only: Sequence[str], width: int) -> list[Text]:
    """What totals are of, where the person named categories or merchants."""
    return wrapped(f"Only {', '.join(only)}.", width, style="dim") if only else []


def foreign_accounts(accounts: Sequence[AccountRecord], currency: str, width: int) -> list[Text]:
    """Which accounts no total holds, a sentence each."""
    foreign = [
        f"{each.account.name} ({each.currency})"
        for each in accounts
        if each.currency != currency and not each.hidden
    ]
    return [
        line
        for name in foreign
        for line in wrapped(
            f"{name} is left out: totals are in {currency} only.", width, style="dim"
        )
    ]


def _head_of_report(report: SpendingReport, currency: str, width: int) -> Text:
    days = f"{report.since} to {report.until}"
    total = figures.money(report.total, currency)
    charges = figures.count(report.count, "charge")
    return ends(
        Text(f"{total} spent", style="bold"), Text(f"{charges}, {days}", style="dim"), width
    )


_WIDE = 100
"""From this width on there is room for small columns beside months that had to be summed up."""

_LONGEST_TREND = 24
_LONGEST_NAME, _SHORTEST_NAME = 28, 20
"""How wide the names are at most: where all months fit beside them, and where they give way."""

_NO_AMOUNT = "–"


class _Line(NamedTuple):
    """One line of figures: a group, the groups that have no line of their own, or all."""

    label: str
    totals: tuple[int, ...]
    total: int


class _Columns(NamedTuple):
    """How a table is laid out: how many of the last months stand apart, and how wide each column is.

    `earlier` and `trend` are 0 where there is no such column.
    """

    label: int
    earlier: int
    months: tuple[int, ...]
    total: int
    trend: int

    @property
    def width(self) -> int:
        """What a line takes, with a space between its columns."""
        taken = (self.label, self.earlier, *self.months, self.total, self.trend)
        return sum(taken) + len([each for each in taken if each]) - 1


def draw_spending_months(
    table: SpendingMonths,
    currency: str,
    width: int,
    only: Sequence[str] = (),
    accounts: Sequence[AccountRecord] = (),
    *,
    most: int | None = None,
    blocks: bool = False,
) -> Text:
    """Draw a table for a terminal of `width` columns, the largest group first.

    `only` and `accounts` are as for `draw_spending`. With `most` the groups after so many are one line;
    `blocks` tells that the terminal can show small columns.
    """
    width = max(NARROWEST, width)
    asked, table = table.months, _of_reached_months(table)
    lines, folded = _lines(table, most)
    columns = _fitting(lines, table.months, currency, width, blocks=blocks)
    head = _head_of_months(table, currency, min(width, max(NARROWEST, columns.width)))
    left_out = [*_summed_up(table, columns, folded, width)]
    if table.groups:
        left_out += reach_said(asked, table.since, table.until, table.recorded, width)
    left_out += foreign_accounts(accounts, currency, width)
    told = [Text(), *left_out] if left_out else []
    if not table.groups:
        return page([head, *narrowed(only, width), *nothing_spent(table, width), *told])
    drawn = [
        _column_heads(table, columns),
        *(_drawn(line, columns, currency) for line in lines[:-1]),
    ]
    whole = _drawn(lines[-1], columns, currency)
    whole.stylize("bold")
    return page([head, *narrowed(only, width), Text(), *drawn, whole, *told])


def _of_reached_months(table: SpendingMonths) -> SpendingMonths:
    """A table without the months that no row reaches, which would take the room of others."""
    kept = set(reached(table.months, table.recorded))
    places = [place for place, month in enumerate(table.months) if month in kept]

    def at(totals: Sequence[int]) -> tuple[int, ...]:
        return tuple(totals[place] for place in places)

    groups = (each.model_copy(update={"totals": at(each.totals)}) for each in table.groups)
    months = tuple(table.months[place] for place in places)
    return table.model_copy(
        update={"months": months, "totals": at(table.totals), "groups": tuple(groups)}
    )


def _lines(table: SpendingMonths, most: int | None) -> tuple[list[_Line], int]:
    """The lines, that of all last, and how many groups share one."""
    groups = [_Line(each.label, each.totals, each.total) for each in table.groups]
    # One group by itself would take the same line under a name that says less.
    if most is None or len(groups) <= most + 1:
        most = len(groups)
    shown, rest = groups[:most], groups[most:]
    if rest:
        totals = tuple(map(sum, zip(*(line.totals for line in rest), strict=True)))
        shown.append(_Line(f"{len(rest):,} others", totals, sum(totals)))
    return [*shown, _Line("All", table.totals, table.total)], len(rest)


def _fitting(
    lines: Sequence[_Line], months: Sequence[str], currency: str, width: int, *, blocks: bool
) -> _Columns:
    """As many months as fit, at least one.

    Names give way to months. Small columns are there where they take no month's room, or where earlier
    months have no column and the window is wide: there they show how these were.
    """
    longest = max(len("Category"), *(cell_len(line.label) for line in lines))
    trend = min(len(months), _LONGEST_TREND) if blocks and len(months) > 1 else 0

    def columns(apart: int, label: int, trend: int) -> _Columns:
        first = len(months) - apart
        earlier = [sum(line.totals[:first]) for line in lines]
        return _Columns(
            label,
            _figures_width(earlier, currency, len(_earlier(first))) if first else 0,
            tuple(
                _figures_width([line.totals[place] for line in lines], currency, len(months[place]))
                for place in range(first, len(months))
            ),
            _figures_width([line.total for line in lines], currency, len("total")),
            max(len("trend"), trend) if trend else 0,
        )

    def most(trend: int) -> _Columns:
        # All months beside whole names, else beside long ones, else as many as fit beside short ones.
        whole = [
            columns(len(months), name, trend) for name in (longest, min(longest, _LONGEST_NAME))
        ]
        short = min(longest, _SHORTEST_NAME)
        fewer = (columns(apart, short, trend) for apart in range(len(months), 0, -1))
        return next(
            (each for each in (*whole, *fewer) if each.width <= width), columns(1, short, trend)
        )

    plain, with_trend = most(0), most(trend)
    spared = len(plain.months) < len(months) and width >= _WIDE
    return with_trend if spared or len(with_trend.months) == len(plain.months) else plain


def _earlier(months: int) -> str:
    return f"{months} earlier"


def _figures_width(amounts: Sequence[int], currency: str, head: int) -> int:
    return max(head, *(len(figures.number(amount, currency)) for amount in amounts))


def _column_heads(table: SpendingMonths, columns: _Columns) -> Text:
    first = len(table.months) - len(columns.months)
    name = table.group_by.capitalize()
    texts = (name, _earlier(first), *table.months[first:], "total", "trend")
    heads = [Text(text, style="dim") for text in texts]
    return _cells(columns, heads[0], heads[1], heads[2:-2], heads[-2], heads[-1])


def _drawn(line: _Line, columns: _Columns, currency: str) -> Text:
    first = len(line.totals) - len(columns.months)
    shown = line.totals[-columns.trend :] if columns.trend else ()
    return _cells(
        columns,
        Text(line.label),
        _amount(sum(line.totals[:first]), currency),
        [_amount(each, currency) for each in line.totals[first:]],
        _amount(line.total, currency, style="bold"),
        Text(small_columns(shown), style="cyan"),
    )


def _cells(
    columns: _Columns, label: Text, earlier: Text, months: Sequence[Text], total: Text, trend: Text
) -> Text:
    cells: list[Cell] = [(label, columns.label)]
    if columns.earlier:
        cells.append((earlier, -columns.earlier))
    cells += [(text, -size) for text, size in zip(months, columns.months, strict=True)]
    cells.append((total, -columns.total))
    if columns.trend:
        cells.append((trend, columns.trend))
    return row(*cells)


def _amount(amount: int, currency: str, *, style: str = "") -> Text:
    if not amount:
        return Text(_NO_AMOUNT, style="dim")
    return Text(figures.number(amount, currency), style="green" if amount < 0 else style)


def _head_of_months(table: SpendingMonths, currency: str, width: int) -> Text:
    total = figures.money(table.total, currency)
    return ends(
        Text(f"{total} spent", style="bold"),
        Text(f"in {currency}, {table.since} to {table.until}", style="dim"),
        width,
    )


def _summed_up(table: SpendingMonths, columns: _Columns, folded: int, width: int) -> Iterator[Text]:
    """What has no column or line of its own, and where it has."""
    months = table.months[: len(table.months) - len(columns.months)]
    if months and table.groups:
        span = f"{months[0]} to {months[-1]} are" if len(months) > 1 else f"{months[0]} is"
        told = f"{span} one column, {_earlier(len(months))}. A wider window has more months."
        yield from wrapped(told, width, style="dim")
    if columns.trend and len(table.months) > _LONGEST_TREND:
        yield from wrapped(f"The trend is of the last {_LONGEST_TREND} months.", width, style="dim")
    drawn = (table.totals, *(each.totals for each in table.groups[: len(table.groups) - folded]))
    if columns.trend and any(map(_is_cut, drawn)):
        told = "In a trend, months far beyond the others are cut to the highest of these."
        yield from wrapped(told, width, style="dim")
    if folded:
        names = f"{table.group_by}s".replace("ys", "ies")
        told = f"{folded:,} {names} are one line; --json has each."
        yield from wrapped(told, width, style="dim")


def _is_cut(totals: Sequence[int]) -> bool:
    shown = [each for each in totals[-_LONGEST_TREND:] if each > 0]
    return figures.largest_usual(shown) is not None


def reached(months: Sequence[str], recorded: RecordedDays | None) -> list[str]:
    """The months that rows reach, all where none does: of others nothing is known."""
    if recorded is None:
        return list(months)
    first, last = f"{recorded.since:%Y-%m}", f"{recorded.until:%Y-%m}"
    return [month for month in months if first <= month <= last] or list(months)


def nothing_spent(report: SpendingReport | SpendingMonths, width: int) -> list[Text]:
    """That there is nothing, and whether that is because no row reaches the days."""
    told = "No spending in these days."
    if report.recorded is not None:
        told = f"{told} {beyond_rows(report.since, report.until, report.recorded) or ''}"
    return wrapped(told, width, style="dim")


def reach_said(
    months: Sequence[str], since: date, until: date, recorded: RecordedDays | None, width: int
) -> Iterator[Text]:
    """Which of the months asked for are left out, and on which day the first and last one begin and end.

    A month of which an answer holds a day looks like one in which nothing was spent.
    """
    if recorded is None or not months:
        return
    shown = reached(months, recorded)
    if len(shown) < len(months):
        told = f"{beyond_rows(since, until, recorded)} Other months are left out."
        yield from wrapped(told, width, style="dim")
    cut = []
    if since.day > 1 and shown[0] == f"{since:%Y-%m}":
        cut.append(f"{shown[0]} begins on {since}")
    last = min(until, recorded.until)
    if (last + timedelta(1)).day > 1 and shown[-1] == f"{last:%Y-%m}":
        cut.append(f"{shown[-1]} ends on {last}")
    if cut:
        yield from wrapped(f"{' and '.join(cut)}.", width, style="dim")
