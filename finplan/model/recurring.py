"""Recurring charges and regular income, with the person's decision on each."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.model.base import Amount, ById, Whole, Wire, one_of
from finplan.model.plan import Cadence

SeriesKind = Literal["charge", "income"]
Probability = Annotated[float, Field(ge=0, le=1)]

SURE = 0.8
"""A charge whose next one is at least so likely is sure, any other is likely."""

SeriesStatus = Literal["detected", "confirmed", "dismissed"]


class PriceStep(Wire):
    """The last price change: the price before it, and the day of the first new price."""

    before: Amount
    changed_on: date


class RecurringSeries(Wire):
    """A recurring charge, or regular income; amounts are positive.

    `count` is the number of all its transactions; `why` is based on their dates. `nextDate` is null
    after the series ended. `probability` is the chance that the next charge comes on its day and within
    10% of `amount`; null for income and for ended series. The plan ignores a dismissed series.
    """

    id: str
    kind: SeriesKind
    status: SeriesStatus
    name: str
    payee_key: str
    category: str
    cadence: Cadence
    interval_days: Whole
    amount: Amount
    monthly: Amount
    count: Whole
    first_date: date
    last_date: date
    next_date: date | None
    active: bool
    price_step: PriceStep | None
    probability: Probability | None
    why: str


class RecurringQuery(Wire):
    """Filters for series: kinds, statuses, and `active` (true for current series, false for ended)."""

    kind: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(SeriesKind))], ...],
        Field(description="Only this kind; may be repeated."),
    ] = ()
    status: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(SeriesStatus))], ...],
        Field(description="Only this status."),
    ] = ()
    active: Annotated[
        bool | None, Field(description="true: only current ones; false: only ended ones.")
    ] = None


class RecurringVerdict(ById):
    """The person's decision on a series; `auto` undoes it."""

    verdict: Literal["confirm", "dismiss", "auto"]
