"""Sums of money for agents: totals, groups, months, averages, and the largest transactions."""

from datetime import date
from typing import Literal

from finplan.model.base import Amount, DateSpan, Month, Whole, Wire
from finplan.model.transaction import Grouping, MoneyFlow

MoneyGrouping = Literal[Grouping, "account"]


class SpentGroup(Wire):
    """One group's exact total, positive when money went out; `totals` are by month, if requested.

    For income, it is positive when money came in.
    """

    key: str
    label: str
    total: Amount
    count: Whole
    totals: tuple[Amount, ...] | None = None


class LeftOutGroups(Wire):
    """The sum of the groups beyond the limit; with `groups`, it adds up to the total."""

    groups: Whole
    total: Amount
    count: Whole


class LargestRow(Wire):
    """One of the largest transactions; of a split, `amount` is only what matches the question."""

    id: str
    date: date
    payee: str
    amount: Amount
    category: str
    account: str


class SpendingTold(DateSpan):
    """Exact totals; `groups` and `leftOut` add up to `total`.

    `largest` are single transactions, and `total` is then their sum. `mean` is `total` divided by
    `units`: calendar units, or purchases. `unfiled` is money in without a category. `notSpending` lists
    categories of the question that are never part of this total. `outsideTotals` lists accounts that no
    other total includes; the figures cover those accounts' own transactions.
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
