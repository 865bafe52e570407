"""What the cards take from cash, and when: a minimum of one that revolves, else the bill.

Source: plan-semantics, section 7.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median_low

from finplan.plan.detect.cadence import is_active
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.ledger.days import ORDINAL, add_months, date_of, month_length
from finplan.plan.ledger.ledger import RecordedBalance
from finplan.plan.live.period import Period
from finplan.plan.sections.debt import STATEMENT_LAGS, CardUse, owed_card
from finplan.plan.sections.emergency import minimum_due

_OVERDUE = 10
"""Days after which an expected payment that has not come is not waited for."""

_A_MONTH = 30

_LAST = 6
"""So many payments to a card that revolves show what is usually paid."""


@dataclass(frozen=True, slots=True)
class ExpectedMinimum:
    """The minimum of a card that revolves, on the day on which it is expected; minor units.

    `card` is the number of its account.
    """

    day: date
    name: str
    amount: int
    card: int


def expected_minimums(
    cards: Iterable[CardUse], currency: str, period: Period, today: date, until: date
) -> list[ExpectedMinimum]:
    """The minimums from today to `until`, by day; one of an unknown day is due before payday.

    A card that is owed and never seen paid still asks for its minimum: cash must hold it.
    """
    least = 25 * about_one_dollar(currency)
    found = []
    for card in cards:
        if card.owed and not card.in_full:
            due = next_payment(card, today) or min(period.end - timedelta(1), until)
            amount = minimum_due(owed_card(card), least)
            if due <= until and amount:
                found.append(
                    ExpectedMinimum(due, f"{card.account.name} minimum", amount, card.number)
                )
    return sorted(found, key=lambda each: (each.day, each.name, each.amount))


def card_bill(card: CardUse, stated: Sequence[RecordedBalance], end: date, today: date) -> int:
    """What a card that is paid in full takes from cash before a day, less what has been paid since.

    `stated` are the balances that its statements state. Without one, and where the payments do not tell
    which balance they pay, the bill is not known and 0. A card that revolves has its minimum instead.
    """
    if not card.owed or not card.in_full:
        return 0
    due = next_payment(card, today)
    if due is None or due >= end:
        return 0
    closed = _statement(card, stated, due, today)
    if closed is None:
        return 0
    closing, balance = closed
    paid_since = sum(amount for paid_on, amount in card.payments if paid_on > closing)
    return max(0, min(card.owed, balance - paid_since))


def next_payment(card: CardUse, today: date) -> date | None:
    """A month after the last payment, today when that is overdue, None when no rhythm is seen."""
    if not card.payments:
        return None
    last = date.fromordinal(card.payments[-1][0])
    month = add_months(last.year * 100 + last.month, 1)
    due = date_of(month * 100 + min(last.day, month_length(month)))
    if due >= today:
        return due
    return today if due >= today - timedelta(_OVERDUE) else None


def payments_ahead(card: CardUse, data_end: date, today: date, until: date) -> list[date]:
    """The days on which a card is paid from today to `until`; what is overdue moves no later one.

    One that is overdue for long, or fell due after the data end, was left out once. None where payments
    had stopped before that.
    """
    if not card.payments:
        return []
    last, due = card.payments[-1][0], next_payment(card, today)
    if due is None and not is_active(last, _A_MONTH, data_end.toordinal()):
        return []
    own = [day for day in each_month(date.fromordinal(last), until) if day >= today]
    is_overdue = due is not None and due not in own and due <= until
    return [due, *own] if due is not None and is_overdue else own


def each_month(first: date, until: date) -> Iterator[date]:
    """A day and the same one of the months after it; in a shorter month its last."""
    month, day = first.year * 100 + first.month, first
    while day <= until:
        yield day
        month = add_months(month, 1)
        day = date_of(month * 100 + min(first.day, month_length(month)))


def usual_payment(card: CardUse) -> int:
    """What is usually paid to a card that has been paid: the middle one of its last payments."""
    return median_low([amount for _, amount in card.payments[-_LAST:]])


def is_stated(card: CardUse, stated: Iterable[RecordedBalance], today: date) -> bool:
    """Whether a statement says what the next payment of a card pays."""
    due = next_payment(card, today)
    return due is not None and bool(_given(stated, due))


def _statement(
    card: CardUse, stated: Iterable[RecordedBalance], due: date, today: date
) -> tuple[int, int] | None:
    """The day, an ordinal, and the balance of the statement behind a payment; None if not known."""
    given = _given(stated, due)
    if given:
        return max(given)
    if card.lag is None:
        return None
    closing = min(due.toordinal() - card.lag, today.toordinal())
    return closing, card.history.on(closing)


def _given(stated: Iterable[RecordedBalance], due: date) -> list[tuple[int, int]]:
    """The days, ordinals, and balances of the statements that a payment may be for."""
    return [
        (ORDINAL[each.day], each.balance)
        for each in stated
        if due.toordinal() - ORDINAL[each.day] in STATEMENT_LAGS
    ]
