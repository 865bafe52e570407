"""Spending as lines of a table: groups with their share, rows as the bank wrote them, months beside each other."""

from collections.abc import Mapping, Sequence
from datetime import date

from rich.text import Text

from finplan.model import figures
from finplan.model.plan_words import moved
from finplan.model.spending import SpendingMonths, SpendingReport
from finplan.model.transaction import Transaction
from finplan.tui.widgets.ledger_table import Head, Line

BAR = 16
_FULL, _HALF = "━", "╸"


def group_lines(report: SpendingReport, currency: str, width: int) -> tuple[list[Head], list[Line]]:
    """Each group with its total, share and number of charges."""
    wide = width >= 72
    room = max(16, width - (54 if wide else 36))
    heads = [Head(report.group_by or "", width=room), Head("spent", figures=True, width=13)]
    heads += [Head("share", figures=True, width=5), Head("charges", figures=True, width=7)]
    if wide:
        heads.append(Head("", width=BAR))
    most = max((each.total for each in report.groups), default=0)
    lines = []
    for each in report.groups:
        cells: list[str | Text] = [each.label, figures.fitted(each.total, currency, 13)]
        cells += [figures.share(each.share) if each.total > 0 else "", f"{each.count:,}"]
        if wide:
            cells.append(Text(_bar(each.total, most), style="cyan"))
        lines.append(Line(each.key, cells))
    return heads, lines


def row_lines(
    rows: Sequence[Transaction], labels: Mapping[str, str], width: int
) -> tuple[list[Head], list[Line]]:
    """Each row with its day, payee, category and amount."""
    room = width - 11 - 14 - 12
    payee = max(14, room * 3 // 5)
    heads = [Head("day", width=9), Head("payee", width=payee)]
    heads += [Head("category", width=max(10, room - payee)), Head("amount", figures=True, width=13)]
    return heads, [Line(each.id, _row(each, labels)) for each in rows]


def _row(row: Transaction, labels: Mapping[str, str]) -> list[str | Text]:
    split = " (split)" if row.splits else ""
    category = "pending" if row.pending else labels.get(row.category, row.category) + split
    amount = moved(-row.amount, row.currency)
    style = "italic" if row.pending else "green" if row.amount > 0 else ""
    noted = f"{row.payee} ✎" if row.note else row.payee
    return [f"{row.date:%d %b %y}", noted, Text(category, style="dim"), Text(amount, style=style)]


def month_lines(
    report: SpendingMonths, currency: str, width: int
) -> tuple[list[Head], list[Line], int]:
    """As many of the newest months as fit, with how many are left out; the last line is their sum."""
    name, each_month = 22, 9
    fit = max(1, (width - name - 4 - 11) // (each_month + 2))
    months = report.months[-fit:]
    left_out = len(report.months) - len(months)
    heads = [Head(report.group_by, width=name)]
    heads += [Head(_month(each), figures=True, width=each_month) for each in months]
    heads.append(Head("all", figures=True, width=10))
    lines = [
        Line(
            each.key, [each.label, *_sums(each.totals[-fit:], currency), _sum(each.total, currency)]
        )
        for each in report.groups
    ]
    total = [Text("Total", style="bold"), *_sums(report.totals[-fit:], currency)]
    lines.append(Line("", [*total, _sum(report.total, currency)]))
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
