"""What advice takes from spare cash, which is what bills leave of cash until the period ends.

Each kind takes its part in turn, so that no two count on the same money: cards that revolve, then nearly
full ones, then bills ahead, then idle cash.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from finplan.plan.advise.assessment import Assessment
from finplan.plan.ledger.books import Series
from finplan.plan.ledger.classes import nature_of
from finplan.plan.sections.debt import CardUse
from finplan.plan.sections.spending import rare_bills

_HEALTHY_TENTHS = 3
_FULL_TENTHS = 9
"""A card above nine tenths of its limit is nearly full; below three tenths it harms no score."""

_BILL_AHEAD = 60

_MONTHS_TO_SPARE = 3
"""Months of essentials that stay beyond a full fund before cash is idle."""


@dataclass(frozen=True, slots=True)
class BillAhead:
    """A rare bill due on a day, and how much of the cash there is can be put aside for it.

    `held` says that it falls due before the period ends, so that what is safe to spend leaves it out.
    """

    bill: Series
    due: date
    aside: int
    held: bool

    @property
    def missing(self) -> int:
        """What has yet to come in for it."""
        return 0 if self.held else self.bill.amount - self.aside


def pays_off_now(household: Assessment) -> bool:
    """Whether what revolves can be paid from cash before the period ends."""
    return 0 < household.payoff.revolving_owed <= household.spare_cash


def card_payoff(household: Assessment) -> int:
    """What paying the cards that revolve takes at once from the cash there is."""
    payoff = household.payoff
    if payoff.lump:
        return payoff.lump
    pays = payoff.strategy == "pay_in_full" and pays_off_now(household)
    return payoff.revolving_owed if pays else 0


def full_cards(household: Assessment) -> list[tuple[CardUse, int]]:
    """Nearly full cards that are paid in full by habit, and what brings each to three tenths.

    Only what cash covers, and never while other cards are paid down: all that is spare goes to those.
    """
    if household.payoff.strategy == "paydown":
        return []
    left = min(household.spare_cash - card_payoff(household), household.free_cash)
    found = []
    for card in sorted(household.cards, key=lambda each: (-each.owed, each.account.id)):
        limit = card.account.credit_limit or 0
        if card.in_full and not card.assumed and 10 * card.owed > _FULL_TENTHS * limit > 0:
            payment = card.owed - limit * _HEALTHY_TENTHS // 10
            if payment <= left:
                found.append((card, payment))
                left -= payment
    return found


def bills_ahead(household: Assessment) -> list[BillAhead]:
    """Rare bills of the next sixty days that are large against surplus and spare cash, by their day."""
    surplus, guard = household.planned.surplus, household.guard
    if surplus <= 0 or guard is None:
        return []
    horizon = household.today + timedelta(_BILL_AHEAD)
    left = household.spare_cash - card_payoff(household)
    left -= sum(payment for _, payment in full_cards(household))
    large = [
        (due, charge)
        for due, charge in rare_bills(household.books, horizon)
        if 4 * charge.amount > surplus and 2 * charge.amount > guard
    ]
    found = []
    for due, charge in large:
        paid_from = household.ledger.accounts[charge.account]
        held = due < household.period.end and nature_of(paid_from) == "cash"
        aside = 0 if held else min(charge.amount, left)
        left -= aside
        found.append(BillAhead(charge, due, aside, held))
    return found


def cash_left(household: Assessment) -> int:
    """What bills and the advice above leave of cash until the period ends."""
    taken = card_payoff(household)
    taken += sum(payment for _, payment in full_cards(household))
    taken += sum(each.aside for each in bills_ahead(household))
    return household.spare_cash - taken


def idle_cash(household: Assessment) -> int:
    """What cash holds beyond a full fund and three months of essentials, and no other advice takes."""
    essentials = household.planned.essentials
    target = household.target
    beyond = target.reserve - target.amount - _MONTHS_TO_SPARE * essentials
    return max(0, min(beyond, cash_left(household)))
