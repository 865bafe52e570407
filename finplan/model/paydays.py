"""The days on which pay came and comes next, from which "this pay period" follows."""

from collections.abc import Iterable
from datetime import date, timedelta

from finplan.model.recurring import RecurringQuery, RecurringSeries
from finplan.model.snapshot import Snapshot
from finplan.model.transaction import Transaction, TransactionQuery

LONGEST_PAY_GAP = 35
"""Days: pay that comes less often begins no pay period."""

PAYDAYS_LOOKED_BACK = timedelta(4 * LONGEST_PAY_GAP)
"""How far back the days of pay are looked for."""

_ONE_PAY = timedelta(3)
"""Pay that is sent in parts comes within so many days."""


INCOMES = RecurringQuery(kind=("income",), active=True)
"""What asks for the series that the main pay is one of."""


def main_pay(pays: Iterable[RecurringSeries], now: Snapshot) -> RecurringSeries | None:
    """The income that comes on payday, the largest of several; that may be late, and no other pays."""
    payday = now.allowance.payday
    frequent = [pay for pay in pays if payday and pay.interval_days <= LONGEST_PAY_GAP]
    return max(frequent, key=lambda pay: (pay.next_date == payday, pay.monthly), default=None)


def rows_of_pay(pay: RecurringSeries, today: date) -> TransactionQuery:
    """What asks for the rows by which the main pay came lately."""
    since = today - PAYDAYS_LOOKED_BACK
    return TransactionQuery(merchant=(pay.payee_key,), since=since, pending=False, limit=500)


def paydays(pay: RecurringSeries, rows: Iterable[Transaction], now: Snapshot) -> list[date]:
    """The days on which the main pay came, by its rows, and the day on which it comes next.

    Pay that is late, or that the data do not reach, begins its period on its day all the same.
    """
    began, payday = now.period.since, now.allowance.payday
    days = sorted({row.date for row in rows if 2 * row.amount >= pay.amount})
    first = [day for index, day in enumerate(days) if not index or day - days[index - 1] > _ONE_PAY]
    unseen = [began] if all(abs(began - day) > _ONE_PAY for day in first) else []
    return [*first, *unseen, *([payday] if payday else [])]
