"""What is expected to be paid in the days to come: charges, and the minimums of cards.

Single payments of yearly kinds are among the charges, a year after their day.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from finplan.model.recurring import SURE
from finplan.model.snapshot import Upcoming
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.ledger import Ledger, Row
from finplan.plan.live.card_dues import ExpectedMinimum, expected_minimums
from finplan.plan.live.period import Period
from finplan.plan.live.upcoming import ExpectedCharge, expected_charges
from finplan.plan.sections.debt import CardUse, is_fee

AHEAD = 30
"""Days that are looked ahead."""


@dataclass(frozen=True, slots=True)
class Expected:
    """The recurring charges, what is expected again and the minimums to come, each by day."""

    charges: Sequence[ExpectedCharge]
    minimums: Sequence[ExpectedMinimum]

    def listed(self) -> tuple[Upcoming, ...]:
        """All that is to be paid, by day."""
        return tuple(sorted(self._each(), key=lambda each: (each.date, each.name, each.amount)))

    def before(self, end: date) -> int:
        """What is to be paid before a day, minor units."""
        return sum(each.amount for each in self._each() if each.date < end)

    def _each(self) -> Iterator[Upcoming]:
        for due in self.charges:
            likely = due.charge.arrival is not None and due.charge.arrival < SURE
            yield Upcoming(date=due.day, name=due.charge.title, amount=due.amount, likely=likely)
        for minimum in self.minimums:
            yield Upcoming(date=minimum.day, name=minimum.name, amount=minimum.amount)


def what_is_expected(
    ledger: Ledger,
    books: Books,
    cards: Sequence[CardUse],
    pending: Sequence[Row],
    period: Period,
    today: date,
    *,
    until: date | None = None,
) -> Expected:
    """What is expected from today to `until`, thirty days ahead where that is not said.

    A charge among `pending` has come already. The interest of a card is added to what it owes, so nobody
    pays it on its day. Purchases count when they are made, so no bill of a card that is paid in full is
    expected here.
    """
    until = until or today + timedelta(AHEAD)
    billed = [charge for charge in books.bills if not _is_card_interest(ledger, charge)]
    return Expected(
        expected_charges(billed, pending, today, until),
        expected_minimums(cards, ledger.settings.currency, period, today, until),
    )


def _is_card_interest(ledger: Ledger, charge: Series) -> bool:
    """Whether a charge is interest on a card; a fee for having the card is a bill like any other."""
    on_card = ledger.accounts[charge.account].kind == "credit"
    fee = any(is_fee(ledger.payees[payee]) for payee in charge.payees)
    return charge.category == "interest_fees" and on_card and not fee
