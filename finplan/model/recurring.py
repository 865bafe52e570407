"""What comes again: recurring charges and regular income, with the person's word on each."""

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
    """The last change of price: what it was before, and the day of the first new one."""

    before: Amount
    changed_on: date


class RecurringSeries(Wire):
    """A payee's charges, or a payer's payments, that come again; amounts are positive.

    `count` is how many there were in all history, `why` on which days they came. `nextDate` is null
    once it is over. `probability` is how likely the next charge is to come on its day and within a tenth
    of `amount`, null of income and once it is over. A dismissed series is no part of the plan.
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
    """Which series: kinds and statuses, any of several; `active` only those that go on, or are over."""

    kind: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(SeriesKind))], ...],
        Field(description="Only this kind; may be repeated."),
    ] = ()
    status: Annotated[
        tuple[Annotated[str, Field(json_schema_extra=one_of(SeriesStatus))], ...],
        Field(description="Only this status."),
    ] = ()
    active: Annotated[
        bool | None, Field(description="Only what goes on, or only what is over.")
    ] = None


class RecurringVerdict(ById):
    """The person's word on a series; `auto` takes it back."""

    verdict: Literal["confirm", "dismiss", "auto"]
