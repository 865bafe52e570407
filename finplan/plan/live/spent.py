"""What has been spent so far: in the period that the allowance is for, and in this calendar month."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from finplan.model.plan import Plan
from finplan.plan.ledger.books import Books, rows_between
from finplan.plan.ledger.classes import pending_outflows
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, Ledger, Row
from finplan.plan.live.groups import group_of
from finplan.plan.live.period import Period
from finplan.plan.live.upcoming import ExpectedCharge, SeriesRows


@dataclass(slots=True)
class PeriodSpending:
    """Minor units, positive when money went out, refunds deducted.

    `free` is discretionary spending that no bill of the plan explains, `today` the part of it dated
    today; `groceries` and `transportation` are these essential groups.
    """

    free: int = 0
    today: int = 0
    groceries: int = 0
    transportation: int = 0


def spent_in_period(
    ledger: Ledger, books: Books, plan: Plan, period: Period, today: date
) -> PeriodSpending:
    """Spending of the period to today, pending outflows included and one-offs left out.

    What is bought today is nearly always pending today: without it the day would look unspent.
    """
    spent = PeriodSpending()
    catalogue = ledger.catalogue
    for category, row, in_bills in _rows(ledger, books, plan, period, today):
        if catalogue[category].line == "essential":
            group = group_of(catalogue, category)
            spent.groceries -= row[AMOUNT] * (group == "groceries")
            spent.transportation -= row[AMOUNT] * (group == "transportation")
        elif not in_bills:
            spent.free -= row[AMOUNT]
            spent.today -= row[AMOUNT] * (row[DAY] == day_of(today))
    return spent


def _rows(
    ledger: Ledger, books: Books, plan: Plan, period: Period, today: date
) -> Iterator[tuple[str, Row, bool]]:
    """The spending rows of the period, their category, and whether the plan's bills hold them."""
    smoothed = {(item.name, item.category) for item in plan.recurring}
    series = SeriesRows(each for each in books.charges if (each.title, each.category) in smoothed)
    since, until = day_of(period.start), day_of(today)
    for sheet in books.sheets:
        if sheet.flow == "spending":
            for row in rows_between(sheet, since, until):
                if row not in books.running.one_offs:
                    yield sheet.category, row, series.take_posted(row)
    for row, category in pending_outflows(ledger, ledger.pending):
        if ledger.catalogue.flow(category) == "spending" and since <= row[DAY] <= until:
            yield category, row, series.pending(row)


def spent_this_month(books: Books, today: date) -> dict[str, int]:
    """This calendar month's posted spending by category, positive when money went out."""
    since, until = day_of(today.replace(day=1)), day_of(today)
    spent: dict[str, int] = {}
    for sheet in books.sheets:
        if sheet.flow == "spending" and (rows := rows_between(sheet, since, until)):
            total = -sum(row[AMOUNT] for row in rows)
            spent[sheet.category] = spent.get(sheet.category, 0) + total
    return spent


def due_this_month(upcoming: Iterable[ExpectedCharge], today: date) -> dict[str, int]:
    """The sums of recurring charges still to come this calendar month, by category, positive."""
    due: dict[str, int] = {}
    for each in upcoming:
        if (each.day.year, each.day.month) == (today.year, today.month):
            category = each.charge.category
            due[category] = due.get(category, 0) + each.amount
    return due
