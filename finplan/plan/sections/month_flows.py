"""Income and spending month by month: what a picture of the past is drawn from."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import add_months, date_of, day_of, months_from
from finplan.plan.ledger.ledger import AMOUNT, DAY, Ledger
from finplan.plan.ledger.window import Coverage, coverages

_MOST = 24
"""As many months as net worth is told of."""


@dataclass(frozen=True, slots=True)
class MonthFlow:
    """What came in and what was spent in a month that begins on `first`, minor units.

    `whole` says that the month is over, and that every account which tells of it tells of all of it.
    """

    first: date
    income: int
    spending: int
    whole: bool


def month_flows(ledger: Ledger, books: Books, today: date) -> tuple[MonthFlow, ...]:
    """The months to the last that any account tells of, two years of them; none without rows.

    Those of the window are among them, however old it is. Months without rows between others add up to
    nothing. Every row counts in the class that the plan counts it in, so that the months of the window
    add up to its income and spending.
    """
    sums: dict[str, Counter[int]] = {"income": Counter(), "spending": Counter()}
    for sheet in books.sheets:
        if sheet.flow in sums:
            for row in sheet.rows:
                sums[sheet.flow][row[DAY] // 100] += row[AMOUNT]
    known = coverages(
        ledger.accounts, (row for sheet in books.sheets for row in sheet.rows), day_of(today)
    )
    if not known:
        return ()
    this_month = today.year * 100 + today.month
    newest = max(span.until for span in known.values()) // 100
    shown = min([add_months(newest, 1 - _MOST), *books.window.month_keys])
    oldest = max(shown, min(span.since for span in known.values()) // 100)
    months = (add_months(oldest, place) for place in range(months_from(oldest, newest)))
    return tuple(
        MonthFlow(
            date_of(month * 100 + 1),
            sums["income"][month],
            -sums["spending"][month],
            month < this_month and _is_told_whole(month, known),
        )
        for month in months
    )


def _is_told_whole(month: int, known: Mapping[int, Coverage]) -> bool:
    """Whether no account tells of a part of a month alone, or has fallen silent without being closed."""
    latest = max(span.until for span in known.values())
    return all(
        span.covers(month)
        for span in known.values()
        if span.since // 100 <= month and not (month > span.until // 100 and span.is_closed(latest))
    )
