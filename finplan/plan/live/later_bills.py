"""What cards will take from cash beyond what is known: later bills, and payments beyond a minimum.

Source: plan-semantics, section 7a.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from finplan.model.money import half_even
from finplan.plan.ledger.books import Books, rows_within
from finplan.plan.ledger.days import ORDINAL
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, DAY, Ledger
from finplan.plan.live.card_dues import (
    is_stated,
    next_payment,
    payments_ahead,
    usual_payment,
)
from finplan.plan.live.schedule import CashSchedule, CashStep, stated_balances
from finplan.plan.sections.debt import CardUse

_LATEST = 12
"""So many of a card's last payments say how far the next one strays."""

_CLOSED = 21
"""Days from a statement to its payment where a card's own are not known."""

_PAYMENTS = frozenset({"card_payment", "transfer"})
"""What a payment to a card is filed as: whatever comes from an account whose money is at hand is one."""


@dataclass(frozen=True, slots=True)
class CardPace:
    """What is charged to a card, refunds deducted, day by day of the window, and its last payments."""

    charged: Sequence[int]
    paid: Sequence[int]

    def in_days(self, days: int) -> int:
        """What so many days usually come to, half-even; never below 0."""
        count = len(self.charged)
        return max(0, half_even(sum(self.charged) * days, count)) if count else 0


def card_paces(books: Books, cards: Sequence[CardUse]) -> Mapping[int, CardPace]:
    """The pace of each card, by its number; what is paid to it is no charge."""
    window = books.window
    by_day: dict[int, Counter[int]] = {card.number: Counter() for card in cards}
    for sheet in books.sheets:
        for row in rows_within(sheet, window):
            charged = by_day.get(row[ACCOUNT])
            if charged is not None and not (row[AMOUNT] > 0 and sheet.category in _PAYMENTS):
                charged[ORDINAL[row[DAY]]] -= row[AMOUNT]
    days = [
        day for since, until in window.runs for day in range(ORDINAL[since], ORDINAL[until] + 1)
    ]
    return {
        card.number: CardPace(
            charged=[by_day[card.number][day] for day in days],
            paid=[amount for _, amount in card.payments[-_LATEST:]],
        )
        for card in cards
    }


def later_bills(
    ledger: Ledger,
    cards: Sequence[CardUse],
    known: CashSchedule,
    paces: Mapping[int, CardPace],
    data_end: date,
    until: date,
) -> Iterator[CashStep]:
    """What each card takes from tomorrow to `until` beside what is `known`, on its usual days."""
    today = known.today
    for card in cards:
        days = payments_ahead(card, data_end, today, until)
        steps = [each for each in known.steps if each.card == card.number]
        sent = known.paying.get(card.number, 0)
        if card.in_full:
            owed = card.owed - sent
            stated = is_stated(card, stated_balances(ledger, card.number), today)
            ahead = _Days(today, days)
            yield from _bills(card, owed, steps, paces[card.number], ahead, stated=stated)
        elif next_payment(card, today) is not None:
            yield from _beyond_minimums(card, sent, steps, _Days(today, days))


class _Days(NamedTuple):
    """Today, and the days on which a card is paid from then on."""

    today: date
    ahead: Sequence[date]


def _bills(
    card: CardUse,
    owed: int,
    known: Sequence[CashStep],
    pace: CardPace,
    days: _Days,
    *,
    stated: bool,
) -> Iterator[CashStep]:
    """The bills of a card that is paid in full: what is not billed yet, and what will be charged.

    `owed` is what it owes beside what is on its way to it. Where a statement says the next bill, or it
    is due today, all that is not in it comes with the one after. Where nobody told what it owes, its
    next bill is of all days since the one that was paid last, as they usually are.
    """
    today = days.today
    lag = _CLOSED if card.lag is None else card.lag
    unbilled = owed + sum(each.amount for each in known)
    closed = today
    if card.account.balance is None and card.payments:
        closed = date.fromordinal(card.payments[-1][0]) - timedelta(lag)
    for place, day in enumerate(days.ahead):
        if not place and (stated or (day <= today and known)):
            continue
        closes = day - timedelta(lag)
        bill = pace.in_days(max(0, (closes - closed).days))
        closed = max(closed, closes)
        if place or not known or closes >= today:
            bill += unbilled
            unbilled = 0
        if bill > 0:
            yield CashStep(
                max(day, today + timedelta(1)),
                card.account.name,
                -bill,
                "later bill",
                card=card.number,
            )


def _beyond_minimums(
    card: CardUse, sent: int, known: Sequence[CashStep], days: _Days
) -> Iterator[CashStep]:
    """What is usually paid to a card beyond its minimum; next time less what was `sent`."""
    usual = usual_payment(card)
    least = {each.day: -each.amount for each in known}
    for place, day in enumerate(days.ahead):
        more = usual - least.get(day, 0) - (0 if place else sent)
        if more > 0 and day > days.today:
            yield CashStep(day, card.account.name, -more, "later bill", card=card.number)
