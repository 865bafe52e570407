"""Exact answers to spending questions."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Whole, Wire
from finplan.model.filters import RowFilter

Grouping = Literal["category", "merchant", "month"]


class SpendingQuery(RowFilter):
    """Which spending, and how to group it; days inclusive, everything by default."""

    group_by: Annotated[
        Grouping | None,
        Field(description="What to group by; without it there is one total."),
    ] = None


class SpendingGroup(Wire):
    """One group's exact total, positive when money went out; `share` is of the positive totals."""

    key: str
    label: str
    total: Amount
    count: Whole
    share: float


class SpendingReport(Wire):
    """Exact totals after category rules; the groups always add up to the total."""

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    group_by: Grouping | None
    total: Amount
    count: Whole
    groups: tuple[SpendingGroup, ...]
