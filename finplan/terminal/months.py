"""Months beside each other: how many have a column in so many, where earlier ones share one.

Names give way to months. A trend stands there where it takes no month's room, or where earlier months
have no column and lines are long: there it shows how these were. Or all of them in one line.
"""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.text import Text

from finplan.model import figures
from finplan.model.transaction import SpendingMonths, SpendingReport
from finplan.terminal.lines import Look
from finplan.terminal.tables import small_columns
from finplan.views.locale import Locale
from finplan.views.spending import (
    MonthsLayout,
    earlier,
    month_lines,
    months_in_a_line,
    of_reached_months,
)

LONGEST_TREND = 24
_WIDE = 100
"""From this width on there is room for a trend beside months that had to be summed up."""

_SHORTEST_NAME = 20


def lay_out_months(
    report: SpendingMonths,
    currency: str,
    width: int,
    *,
    gap: int = 1,
    most: int | None = None,
    trend: bool = False,
) -> MonthsLayout:
    """As many months as fit, at least one; `trend` tells that small columns can be seen."""
    report = of_reached_months(report)
    lines, months = month_lines(report, most), report.months

    def size(head: str, amounts: Iterable[int]) -> int:
        written = (len(figures.number(amount, currency)) for amount in amounts)
        return gap + max([len(head), *written])

    sizes = [size(month, (line.totals[at] for line in lines)) for at, month in enumerate(months)]
    names = max([len(report.group_by), *(cell_len(line.label) for line in lines)])
    beside = min(names, _SHORTEST_NAME) + size("total", (line.total for line in lines))

    def apart(trend: int) -> int:
        room = width - beside - (gap + max(len("trend"), trend) if trend else 0)
        for first in range(len(months)):
            needed = sum(sizes[first:])
            if first and needed <= room:
                before = (sum(line.totals[:first]) for line in lines)
                needed += size(earlier(first), before)
            if needed <= room:
                return len(months) - first
        return 0

    columns = min(len(months), LONGEST_TREND) if trend and len(months) > 1 else 0
    plain, with_trend = apart(0), apart(columns)
    if with_trend and (with_trend == plain or (plain < len(months) and width >= _WIDE)):
        return MonthsLayout(with_trend, columns, most)
    return MonthsLayout(plain or min(1, len(months)), 0, most)


def draw_in_a_line(report: SpendingReport, how: Locale, look: Look) -> list[Text]:
    """Months as small columns in one line, with the least and the most of them where there is room."""
    label = 28 if look.width >= 76 else 22
    room = look.width - label - len(report.groups)
    ways = months_in_a_line(report, how)
    if not ways:
        return []
    beside = next(text for text in ways if len(text) <= room or not text)
    line = Text(" Spending by month".ljust(label), style="soft")
    line.append(small_columns([group.total for group in report.groups]), style="accent")
    return [line.append(beside, style="soft")]
