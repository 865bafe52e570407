"""Totals of spending as a page: one bar for each group, the largest first or month by month."""

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text

from finplan.cli.showing.layout import bar, ends, page, row, wrapped
from finplan.cli.showing.spending.reach import nothing_spent, reach_said, reached
from finplan.model import figures
from finplan.model.account import AccountRecord
from finplan.model.spending import SpendingReport

NARROWEST, WIDEST = 60, 110
_LEAST_BAR = 8
"""How many columns bars keep beside long names."""

_LABELS = {"category": "Category", "merchant": "Merchant", "month": "Month", None: ""}


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
    lines = [_head(report, currency, width), *narrowed(only, width)]
    left_out = foreign_accounts(accounts, currency, width)
    if not report.count:
        return page([*lines, *nothing_spent(report, width), *left_out])
    heads = (_LABELS[report.group_by], "", "total", "share", "times")
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


def _head(report: SpendingReport, currency: str, width: int) -> Text:
    days = f"{report.since} to {report.until}"
    total = figures.money(report.total, currency)
    charges = figures.count(report.count, "charge")
    return ends(
        Text(f"{total} spent", style="bold"), Text(f"{charges}, {days}", style="dim"), width
    )
