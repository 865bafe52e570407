"""What the days ahead rest on and leave out, a sentence each."""

from collections.abc import Iterator

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.ledger.roles import nature_of, shown_accounts
from finplan.plan.live.usual import may_come
from finplan.plan.live.view import LiveView
from finplan.plan.words import count, day, exact_money, listed


def forecast_notes(
    ledger: Ledger, books: Books, live: LiveView, *, is_usual: bool
) -> Iterator[str]:
    """The sentences that are true of this household."""
    shown = [each for _, each in shown_accounts(ledger) if nature_of(each) == "cash"]
    currency = ledger.settings.currency
    own = [each for each in shown if each.currency == currency]
    if not own:
        yield (
            f"No account with cash in {currency} is known, so the days ahead are not, either: link its"
            " bank, or import its statements."
        )
    unknown = [each.name for each in own if each.balance is None]
    if unknown:
        yield (
            f"The balance of {listed(unknown)} is not known, so the days ahead are not, either:"
            " tell it with `finplan accounts set`."
        )
    if not is_usual:
        yield "Less than a month of history: only pay and bills that are known, and no range."
    if live.schedule.pending:
        pending = exact_money(live.schedule.pending, currency)
        yield f"Pending charges of {pending} are taken off cash already."
    if is_usual:
        yield from _without_rhythm(books)
    if books.window.data_end < live.today:
        ends = day(books.window.data_end, live.today)
        yield f"The data end on {ends}: pay and bills due since then are taken to have come."
    abroad = [each.name for each in shown if each.currency != currency]
    if abroad:
        yield f"{count(len(abroad), 'account')} in another currency left out: {listed(abroad)}."
    hidden = sum(each.hidden and nature_of(each) == "cash" for each in ledger.accounts.values())
    if hidden:
        yield f"{count(hidden, 'hidden account')} left out."


def _without_rhythm(books: Books) -> Iterator[str]:
    """Which income has no day, and which of it is not in the range, either."""
    active = [each for each in books.sources if each.cadence == "irregular" and each.active]
    ranged = [source.name for source in active if may_come(source)]
    if ranged:
        yield f"Income without a rhythm ({listed(ranged)}) is expected on no day, but in the range."
    others = [source.name for source in active if not may_come(source)]
    if others:
        yield f"Income seen too seldom or too lately ({listed(others)}) is expected on no day."
