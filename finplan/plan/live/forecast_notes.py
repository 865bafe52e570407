"""What the days ahead rest on and leave out, a sentence each."""

from collections.abc import Iterator

from finplan.plan.ledger.books import Books
from finplan.plan.ledger.classes import nature_of, shown_accounts
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.card_dues import next_payment
from finplan.plan.live.view import LiveView
from finplan.plan.words import count, day, exact_money, listed


def forecast_notes(
    ledger: Ledger, books: Books, live: LiveView, *, is_usual: bool, is_moved: bool
) -> Iterator[str]:
    """The sentences that are true of this household.

    `is_usual` says whether there is history enough for usual spending, `is_moved` whether any pay or
    bill is known.
    """
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
    if own and not unknown:
        yield from _little_known(is_usual=is_usual, is_moved=is_moved)
        yield from _unknown_cards(live, is_usual=is_usual)
    if live.schedule.pending:
        pending = exact_money(live.schedule.pending, currency)
        yield f"Pending charges of {pending} are taken off cash already."
    if is_usual:
        yield from _without_rhythm(books)
    if books.window.data_end < live.today:
        ends = day(books.window.data_end, live.today)
        yield f"The data end on {ends}: cash is what it was then, without what has come and gone since."
    abroad = [each.name for each in shown if each.currency != currency]
    if abroad:
        yield f"{count(len(abroad), 'account')} in another currency left out: {listed(abroad)}."
    hidden = sum(each.hidden and nature_of(each) == "cash" for each in ledger.accounts.values())
    if hidden:
        yield f"{count(hidden, 'hidden account')} left out."


def _without_rhythm(books: Books) -> Iterator[str]:
    """Which income has no day, and which of it is not expected."""
    active = [each for each in books.sources if each.cadence == "irregular" and each.active]
    planned = [source.name for source in active if source.planned]
    if planned:
        yield (
            f"Income without a rhythm ({listed(planned)}) is spread over the days, as much as it brought"
            " on average."
        )
    others = [source.name for source in active if not source.planned]
    if others:
        yield f"Income seen too seldom or too lately ({listed(others)}) is expected on no day."


def _little_known(*, is_usual: bool, is_moved: bool) -> Iterator[str]:
    if not is_usual and is_moved:
        yield "Less than a month of history: only pay and bills that are known, and no range."
    elif not is_usual:
        yield (
            "Less than a month of history, and no pay or bill is known yet, so nothing moves these days:"
            " import older statements to see more."
        )


def _unknown_cards(live: LiveView, *, is_usual: bool) -> Iterator[str]:
    """What the days hold of cards of which nobody told what is owed."""
    unknown = [each for each in live.cards if each.account.balance is None]
    paid = [each for each in unknown if is_usual and next_payment(each, live.today) is not None]
    silent = [each.account.name for each in unknown if each not in paid]
    tell = "tell it with `finplan accounts set`."
    if paid:
        names = listed([each.account.name for each in paid])
        yield f"What is owed on {names} is not known, so the next bill is taken for a usual one: {tell}"
    if silent:
        yield f"What is owed on {listed(silent)} is not known, and none of it is in these days: {tell}"
