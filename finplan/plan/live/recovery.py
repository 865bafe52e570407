"""When there is something to spend again, for who is told today that there is nothing.

Until then nothing more is spent, what is expected comes on its day, and all else stays as it is.
"""

from datetime import date, timedelta

from finplan.model.snapshot import Allowance
from finplan.plan.ledger.books import Books
from finplan.plan.live.period import period_of
from finplan.plan.live.view import LiveView


def spendable_from(books: Books, live: LiveView, found: Allowance) -> date | None:
    """The first day on which something is safe to spend again; `found` is the allowance of today.

    None while something is, and where nothing that is expected brings it: no share of a later day, no
    pay and no other period.
    """
    if found.today > 0:
        return None
    share, cash = _share_returns(live, found), _cash_returns(books, live)
    return None if share is None or cash is None else max(share, cash)


def _share_returns(live: LiveView, found: Allowance) -> date | None:
    """The first day that has a share: today, tomorrow of what is left, or a day of the next period."""
    if found.daily > found.spent_today:
        return live.today
    days = found.breakdown.days_left - 1
    if days and found.breakdown.remaining >= days:
        return live.today + timedelta(1)
    return live.period.end if live.pace.free > 0 else None


def _cash_returns(books: Books, live: LiveView) -> date | None:
    """The first day from which on cash can spare something: as pay comes in, or in another period.

    The pay of the next period's first day must carry that period's own bills.
    """
    if live.guard.left is None or live.guard.left > 0:
        return live.today
    end = live.period.end
    found = _spared_from(live, live.today + timedelta(1), end)
    if found is not None:
        return found
    then = period_of(books.sources, end)
    carried = live.schedule.lowest(end, then.end - timedelta(1)).cash
    return end if carried > 0 else None


def _spared_from(live: LiveView, since: date, end: date) -> date | None:
    """The first day after which no evening before `end` is without cash; None without one."""
    found = None
    for point in live.schedule.evenings(since, end - timedelta(1)):
        found = None if point.cash <= 0 else found or point.day
    return found
