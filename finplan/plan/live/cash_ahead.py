"""Cash ahead: what it is known to be at the end of each day to come, with expected pay and with bills.

The guard ends with the period. Whether the next pay carries what falls due after it is seen here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books, rows_in_window
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger
from finplan.plan.live.at_hand import cash_accounts
from finplan.plan.live.groups import group_of, line_of
from finplan.plan.live.schedule import CashSchedule, CashStep, LowPoint, lowest_of
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import running_charges

_USUAL = frozenset({"groceries", "transportation"})
"""The needs that are paid for every few days, without a bill."""


@dataclass(frozen=True, slots=True)
class CashAhead:
    """The `schedule` of what is known, and usual needs a month.

    `usual` is what groceries and transport take from cash beside the bills; minor units.
    """

    schedule: CashSchedule
    usual: int

    def lowest(self, since: date, until: date) -> LowPoint:
        """Where cash is lowest between two days, both counted, at the end of the day."""
        return self.schedule.lowest(since, until)

    def lowest_in_use(self, since: date, until: date, set_aside: int) -> LowPoint:
        """The same where usual needs are met from tomorrow, and a sum a month put aside from `since`.

        Both are taken evenly, a part each day.
        """
        today = self.schedule.today

        def taken(day: date) -> int:
            each_day = self.usual * (day - today).days + set_aside * (day - since).days
            return half_even(12 * each_day, 365)

        return lowest_of(
            LowPoint(point.day, point.cash - taken(point.day))
            for point in self.schedule.evenings(since, until)
        )

    def bills(self, since: date, until: date) -> Sequence[CashStep]:
        """What is to be paid between two days, both counted, the largest first."""
        due = [
            each for each in self.schedule.steps if each.amount < 0 and since <= each.day <= until
        ]
        return sorted(due, key=lambda each: (each.amount, each.day, each.name))


def usual_needs(ledger: Ledger, books: Books) -> int:
    """What groceries and transport take from cash a month beside recurring charges, minor units."""
    pays_cash, catalogue = cash_accounts(ledger), ledger.catalogue
    wanted = {
        category
        for category in books.categories
        if group_of(catalogue, category) in _USUAL and line_of(catalogue, category) == "essential"
    }
    spent = -sum(row[AMOUNT] for row in rows_in_window(books, wanted) if row[ACCOUNT] in pays_cash)
    billed = sum(
        charge.monthly
        for charge in running_charges(books)
        if charge.category in wanted and charge.account in pays_cash
    )
    return max(0, per_month(spent, books.window.months) - billed)
