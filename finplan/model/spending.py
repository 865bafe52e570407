"""Sums of money as agents ask for them: in all, by group and month, means, and the largest rows."""

from datetime import date
from typing import Literal

from finplan.model.base import Amount, DateSpan, Month, Whole, Wire
from finplan.model.transaction import Grouping, MoneyFlow

MoneyGrouping = Literal[Grouping, "account"]


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


class SpendingTold(DateSpan):
    """Exact totals; the groups and what is left out add up to the total.

    `largest` are single transactions, and `total` is then of these; `mean` is `total` over `units` of
    the calendar, or over purchases, half-even. `unfiled` came in and is in no category yet.
    `notSpending` are the categories of the question that hold nothing of what is added up, and
    `outsideTotals` the accounts whose own transactions these are, since they enter no other total.
    """

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
