"""Spending as lines of a table: groups with their share, single rows, months beside each other."""

from collections.abc import Mapping, Sequence
from datetime import date

from rich.text import Text

from finplan.model import figures
from finplan.model.characters import visible
from finplan.model.transaction import SpendingMonths, SpendingReport, Transaction, remarks_of
from finplan.tui.drawing.lines import ColumnHead, TableLine, room_beside
from finplan.views.plan_words import moved

BAR = 16
_FULL, _HALF = "━", "╸"


def group_lines(
    report: SpendingReport, currency: str, width: int, *, aloud: bool
) -> tuple[list[ColumnHead], list[TableLine]]:
    """Each group with its total, share and number of charges."""
    wide = width >= 72 and not aloud
    room = max(16, room_beside(width, 13, 5, 7, *([BAR] if wide else [])))
    heads = [
        ColumnHead(report.group_by or "", room),
        ColumnHead("spent", 13, figures=True),
    ]
    heads += [
        ColumnHead("share", 5, figures=True),
        ColumnHead("charges", 7, figures=True),
    ]
    if wide:
        heads.append(ColumnHead("", BAR))
    most = max((each.total for each in report.groups), default=0)
    lines = []
    for each in report.groups:
        cells: list[str | Text] = [each.label, figures.fitted(each.total, currency, 13)]
        cells += [figures.share(each.share) if each.total > 0 else "", f"{each.count:,}"]
        if wide:
            cells.append(Text(_bar(each.total, most), style="cyan"))
        lines.append(TableLine(each.key, cells))
    return heads, lines


def row_lines(
    rows: Sequence[Transaction], labels: Mapping[str, str], width: int
) -> tuple[list[ColumnHead], list[TableLine]]:
    """Each row with its day, payee, category and amount."""
    room = room_beside(width, 9, 13) - 2
    payee = max(14, room * 3 // 5)
    heads = [ColumnHead("day", 9), ColumnHead("payee", payee)]
    heads += [
        ColumnHead("category", max(10, room - payee)),
        ColumnHead("amount", 13, figures=True),
    ]
    return heads, [TableLine(each.id, _row(each, labels)) for each in rows]


def _row(row: Transaction, labels: Mapping[str, str]) -> list[str | Text]:
    split = " (split)" if row.splits else ""
    category = "pending" if row.pending else labels.get(row.category, row.category) + split
    amount = moved(-row.amount, row.currency)
    style = "italic" if row.pending else "green" if row.amount > 0 else ""
    noted = f"{row.payee} ✎" if any(remarks_of(row).values()) else row.payee
    return [
        f"{row.date:%d %b %y}",
        noted,
        Text(visible(category), style="dim"),
        Text(amount, style=style),
    ]


def month_lines(
    report: SpendingMonths, currency: str, width: int
) -> tuple[list[ColumnHead], list[TableLine], int]:
    """As many of the newest months as fit, with how many are left out; the last line is their sum."""
    name, each_month = 22, 9
    fit = max(1, (width - name - 4 - 11) // (each_month + 2))
    months = report.months[-fit:]
    # Months before the first row hold nothing that could be missed.
    earlier = report.totals[: len(report.months) - len(months)]
    left_out = sum(any(earlier[: place + 1]) for place in range(len(earlier)))
    heads = [ColumnHead(report.group_by, name)]
    heads += [ColumnHead(_month(each), each_month, figures=True) for each in months]
    heads.append(ColumnHead("all", 10, figures=True))
    lines = [
        TableLine(
            each.key, [each.label, *_sums(each.totals[-fit:], currency), _sum(each.total, currency)]
        )
        for each in report.groups
    ]
    total = [Text("Total", style="bold"), *_sums(report.totals[-fit:], currency)]
    lines.append(TableLine("", [*total, _sum(report.total, currency)]))
    return heads, lines, left_out


def _sums(totals: Sequence[int], currency: str) -> list[str | Text]:
    return [_sum(each, currency) if each else Text("–", style="dim") for each in totals]


def _sum(total: int, currency: str) -> str:
    return figures.fitted(total, currency, 9, whole=True)


def _month(key: str) -> str:
    return f"{date.fromisoformat(f'{key}-01'):%b %y}"


def _bar(part: int, most: int) -> str:
    halves = 0 if most <= 0 or part <= 0 else max(1, round(part * BAR * 2 / most))
    return _FULL * (halves // 2) + _HALF * (halves % 2)
