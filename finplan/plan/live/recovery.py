"""When there is something to spend again, for who is told today that there is nothing.

Until then nothing more is spent, what is expected comes on its day, and all else stays as it is.
"""

from datetime import date, timedelta

from finplan.model.snapshot import Allowance
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.cash_guard import cash_guard
from finplan.plan.live.expected import what_is_expected
from finplan.plan.live.period import period_of
from finplan.plan.live.view import LiveView


def spendable_from(ledger: Ledger, books: Books, live: LiveView, found: Allowance) -> date | None:
    """The first day on which something is safe to spend again; `found` is the allowance of today.

    None while something is, and where nothing that is expected brings it: no share of a later day, no
    pay and no other period.
    """
    if found.today > 0:
        return None
    share, cash = _share_returns(live, found), _cash_returns(ledger, books, live)
    return None if share is None or cash is None else max(share, cash)


def _share_returns(live: LiveView, found: Allowance) -> date | None:
    """The first day that has a share: today, tomorrow of what is left, or a day of the next period."""
    if found.daily > found.spent_today:
        return live.today
    days = found.breakdown.days_left - 1
    if days and found.breakdown.remaining >= days:
        return live.today + timedelta(1)
    return live.period.end if live.pace.free > 0 else None


def _cash_returns(ledger: Ledger, books: Books, live: LiveView) -> date | None:
    """The first day on which cash can spare something: as pay comes in, or once it is another period.

    The pay of the next period's first day must carry that period's own bills.
    """
    cash, left = live.guard.cash, live.guard.left
    if cash is None or left is None or left > 0:
        return live.today
    paid = sorted(
        (day, source.amount)
        for source in books.sources
        if source.active
        for day in expected_days(source, live.today, live.period.end)
    )
    for day, amount in paid:
        cash, left = cash + amount, left + amount
        if left > 0 and day < live.period.end:
            return day
    then = period_of(books.sources, live.period.end)
    last = then.end - timedelta(1)
    expected = what_is_expected(
        ledger, books, live.cards, ledger.pending, then, live.today, until=last
    )
    carried = cash_guard(ledger, cash, ledger.pending, expected, live.cards, then, live.today).left
    return live.period.end if carried is not None and carried > 0 else None
