"""What `query_spending` is asked and what it answers."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import SomeNames, SomePayees
from finplan.daemon.surfaces.mcp.tools.periods import PeriodPhrase
from finplan.model.base import Amount, Day, Month, Whole, Wire
from finplan.model.spending import MoneyFlow
from finplan.questions.signs import MeanUnit

MoneyGrouping = Literal["category", "merchant", "month", "account"]

MOST_SHOWN = 20
"""How many transactions an answer shows one by one, however many there are."""


class SpendingQuestion(Wire):
    """Which money, of which days, and how to arrange it."""

    period: PeriodPhrase | None = None
    since: Annotated[Day | None, Field(alias="from", description="First day.")] = None
    until: Annotated[Day | None, Field(alias="to", description="Last day.")] = None
    flow: Annotated[
        MoneyFlow | None,
        Field(description="Left out: spending, or income where category is."),
    ] = None
    group_by: Annotated[
        MoneyGrouping | None,
        Field(description="merchant: of income its source. Left out: one total."),
    ] = None
    by_month: Annotated[bool, Field(description="Each group month by month.")] = False
    category: Annotated[
        SomeNames, Field(description="Names, ids or words: eating out, salary.")
    ] = ()
    left_out: Annotated[
        SomeNames, Field(alias="except", description="Categories to leave out.")
    ] = ()
    merchant: Annotated[SomePayees, Field(description="Names or keys.")] = ()
    account: Annotated[SomeNames, Field(description="Names or ids. A loan: what it charged.")] = ()
    largest: Annotated[
        int | None, Field(ge=1, le=MOST_SHOWN, description="How many of the largest transactions.")
    ] = None
    mean: Annotated[MeanUnit | None, Field(description="The mean of a unit.")] = None
    limit: Annotated[int, Field(ge=1, le=100, description="Most groups.")] = 20


class SpentGroup(Wire):
    """One group's exact total, positive when money went out; `totals` by month where asked.

    Of income it is positive when money came in.
    """

    key: str
    label: str
    total: Amount
    count: Whole
    totals: tuple[Amount, ...] | None = None


class LeftOutGroups(Wire):
    """The groups beyond the limit, together: with them the groups add up to the total."""

    groups: Whole
    total: Amount
    count: Whole


class LargestRow(Wire):
    """One of the largest transactions; `amount` is of what is asked for, so of a split one its parts."""

    id: str
    date: date
    payee: str
    amount: Amount
    category: str
    account: str


class SpendingTold(Wire):
    """Exact totals; the groups and what is left out add up to the total.

    `largest` are single transactions, and `total` is then of these; `mean` is `total` over `units` of
    the calendar, or over purchases, half-even. `unfiled` came in and is in no category yet.
    `notSpending` are the categories of the question that hold nothing of what is added up, and
    `outsideTotals` the accounts whose own transactions these are, since they enter no other total.
    """

    since: Annotated[date, Field(alias="from")]
    until: Annotated[date, Field(alias="to")]
    understood: str | None
    beyond_rows: str | None
    flow: MoneyFlow = "spending"
    group_by: MoneyGrouping | None
    total: Amount
    count: Whole
    months: tuple[Month, ...] | None = None
    totals: tuple[Amount, ...] | None = None
    groups: tuple[SpentGroup, ...]
    left_out: LeftOutGroups | None
    mean: Amount | None = None
    unit: str | None = None
    units: Whole | None = None
    largest: tuple[LargestRow, ...] | None = None
    unfiled: Amount = 0
    unfiled_count: Whole = 0
    not_spending: tuple[str, ...] = ()
    outside_totals: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
