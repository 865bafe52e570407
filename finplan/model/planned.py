"""Planned money: what a person expects to receive or to pay, once or again and again."""

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from finplan.model import base
from finplan.model.account import AccountRef
from finplan.model.category import CategoryId
from finplan.model.plan import Cadence

PlannedStatus = Literal["planned", "happened", "overdue"]
PlannedDirection = Literal["out", "in"]
PlannedAmount = Annotated[base.TypedAmount, Field(ge=1)]

MOST_PLANNED = 200
"""How much planned money a person may have: each is looked for in every transaction since."""


class PlannedRecord(base.Wire):
    """Money that you plan to pay (`out`) or expect to receive (`in`).

    `status`: `happened` when a transaction shows it, or when finplan found it as recurring; `overdue`
    when ten days passed without one. `next` is the day when it is due next. `monthly` is the amount that
    the plan sets aside for it each month. `transactionId` is the latest transaction that shows it.
    """

    id: str
    name: str
    amount: base.Amount
    direction: PlannedDirection
    date: base.Day | None
    month: base.Month | None
    every: Cadence | None
    until: base.Day | None
    account_id: str | None
    category: str | None
    status: PlannedStatus
    next: base.Day | None
    monthly: base.Amount
    transaction_id: str | None


class NewPlanned(base.Wire):
    """Money that you plan to pay or expect to receive; give `date`, or `month` if the day is open.

    It repeats `every` week, month or year until `until`, or happens once. `accountId` is a cash account,
    and any of them by default. finplan recognizes it by its category, or by a payee with a word of its
    name.
    """

    name: base.Name
    amount: PlannedAmount
    direction: PlannedDirection = "out"
    date: base.BookedDay | None = None
    month: base.Month | None = None
    every: Cadence | None = None
    until: base.BookedDay | None = None
    account_id: AccountRef | None = None
    category: CategoryId | None = None

    @model_validator(mode="after")
    def _check_day(self) -> Self:
        if (self.date is None) == (self.month is None):
            raise ValueError("Give either a date or a month")
        return self


class PlannedChange(base.ById):
    """Changes to planned money; absent fields stay unchanged.

    `date` replaces `month`, and `month` replaces `date`. Null clears `every`, `until`, `accountId` and
    `category`. `happened` is true if it happened without a transaction that shows it, such as in cash.
    """

    name: Annotated[base.Name | None, base.NEVER_NULL] = None
    amount: Annotated[PlannedAmount | None, base.NEVER_NULL] = None
    direction: Annotated[PlannedDirection | None, base.NEVER_NULL] = None
    date: Annotated[base.BookedDay | None, base.NEVER_NULL] = None
    month: Annotated[base.Month | None, base.NEVER_NULL] = None
    every: Cadence | None = None
    until: base.BookedDay | None = None
    account_id: AccountRef | None = None
    category: CategoryId | None = None
    happened: Annotated[bool | None, base.NEVER_NULL] = None

    @model_validator(mode="after")
    def _check_day(self) -> Self:
        if self.date is not None and self.month is not None:
            raise ValueError("Give either a date or a month")
        return self


class PlannedId(base.ById):
    """Identifies planned money."""


def first_of_month(month: str) -> date:
    """The first day of a month YYYY-MM."""
    return date.fromisoformat(f"{month}-01")
