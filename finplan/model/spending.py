"""Exact answers to spending questions."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, Day, Whole, Wire
from finplan.model.category import CategoryId, PayeeName

Grouping = Literal["category", "merchant", "month"]


class SpendingQuery(Wire):
    """Which spending, and how to group it; days inclusive, everything by default."""

    since: Annotated[Day | None, Field(alias="from")] = None
    until: Annotated[Day | None, Field(alias="to")] = None
    group_by: Grouping | None = None
    category: tuple[CategoryId, ...] = ()
    merchant: tuple[PayeeName, ...] = ()


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
