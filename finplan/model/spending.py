"""Exact answers to spending questions, and what is said of days that no row reaches."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Month, Whole, Wire
from finplan.model.transaction import AccountFilter, RowFilter

Grouping = Literal["category", "merchant", "month"]
MonthlyGrouping = Literal["category", "merchant"]

MoneyFlow = Literal["spending", "income"]
"""Whether money out or money in is added up."""

MOST_MONTHS = 1200
"""How many months a table of them has at most: a hundred years."""


class MoneyFilter(RowFilter):
    """Which money, in or out, on which accounts."""

    account: AccountFilter = ()
    flow: Annotated[
        MoneyFlow,
        Field(
            description="What to add up: what was spent, positive when money went out, or what was"
            " earned, positive when money came in."
        ),
    ] = "spending"


class SpendingQuery(MoneyFilter):
    """Which spending, and how to group it; days inclusive, everything by default."""

    group_by: Annotated[
        Grouping | None,
        Field(description="What to group by; without it there is one total."),
    ] = None


class RecordedDays(Wire):
    """The days of the first and last row that counts, whatever is asked."""

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]


class SpendingGroup(Wire):
    """One group's exact total, positive when money went out; `share` is of the positive totals."""

    key: str
    label: str
    total: Amount
    count: Whole
    share: float


class SpendingReport(Wire):
    """Exact totals after category rules; the groups always add up to the total.

    Of days outside `recorded` nothing is known; it is null where there are no rows.
    """

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    recorded: RecordedDays | None = None
    group_by: Grouping | None
    total: Amount
    count: Whole
    groups: tuple[SpendingGroup, ...]


class SpendingMonthsQuery(MoneyFilter):
    """Which spending, and what the rows of a table of months are; days inclusive."""

    group_by: Annotated[
        MonthlyGrouping,
        Field(description="What each line of months is of."),
    ] = "category"


class MonthlySpendingGroup(Wire):
    """One group's exact total of each month, in the order of the months, and of all of them."""

    key: str
    label: str
    totals: tuple[Amount, ...]
    total: Amount
    count: Whole


class SpendingMonths(Wire):
    """Exact totals of each group and month; the groups of a month always add up to its total.

    Of days outside `recorded` nothing is known; it is null where there are no rows.
    """

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    recorded: RecordedDays | None = None
    group_by: MonthlyGrouping
    months: tuple[Month, ...]
    totals: tuple[Amount, ...]
    total: Amount
    groups: tuple[MonthlySpendingGroup, ...]


NO_ROWS = "There are no rows yet: link a bank, or import statements."


def beyond_rows(since: date, until: date, recorded: RecordedDays | None) -> str | None:
    """What of some days nothing is known, since no row is of them; None where rows reach them all."""
    if recorded is None:
        return NO_ROWS
    first, last = recorded.since, recorded.until
    if until < first:
        return f"The first row is of {first}, after these days: nothing of them is known."
    if since > last:
        return f"The last row is of {last}, before these days: nothing of them is known."
    told = [
        f"The first row is of {first}." if since < first else "",
        f"The last row is of {last}." if until > last else "",
    ]
    return " ".join(filter(None, told)) or None
