"""Costs that somebody else pays back: what is still outstanding, and since when."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from operator import itemgetter

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import date_of, day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, Ledger, Row


@dataclass(frozen=True, slots=True)
class OutstandingReimbursement:
    """What has not been paid back, positive, and the day of the oldest cost in it."""

    amount: int
    oldest: date


def outstanding_reimbursement(
    ledger: Ledger, books: Books, today: date, age: int
) -> OutstandingReimbursement | None:
    """What was spent more than `age` days ago and is not paid back; None when nothing is.

    Money that comes back settles the oldest cost first. Costs from before the window are history.
    """
    reimbursable = {
        category.id
        for category in ledger.catalogue.categories.values()
        if category.flow == "reimbursable"
    }
    rows = [row for sheet in books.sheets if sheet.category in reimbursable for row in sheet.rows]
    since, until = day_of(books.window.since), day_of(today - timedelta(age))
    unpaid = [(day, amount) for day, amount in _unpaid(rows, day_of(today)) if since <= day < until]
    if not unpaid:
        return None
    return OutstandingReimbursement(sum(amount for _, amount in unpaid), date_of(unpaid[0][0]))


def _unpaid(rows: Sequence[Row], today: int) -> list[tuple[int, int]]:
    """The costs that are not settled, (day, amount), oldest first; an advance settles later ones."""
    costs: deque[tuple[int, int]] = deque()
    advance = 0
    for row in sorted(rows, key=itemgetter(DAY, AMOUNT)):
        if row[DAY] > today:
            break
        advance += row[AMOUNT]
        if row[AMOUNT] < 0:
            costs.append((row[DAY], -row[AMOUNT]))
            advance -= row[AMOUNT]
        while costs and advance > 0:
            day, amount = costs.popleft()
            settled = min(amount, advance)
            advance -= settled
            if settled < amount:
                costs.appendleft((day, amount - settled))
    return list(costs)
