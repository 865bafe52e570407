"""Where spare money goes first while cards revolve, simulated month by month.

Minimums, then a starter fund up to its floor, then the cards in order, then the rest of the fund. One
simulation gives every figure: this month's payment and contribution are its first month, the months
to clear and to target are where it arrives. Source: plan-semantics, section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from finplan.model.money import half_even

LONGEST = 600
"""Months after which "never" is the honest answer."""

_MILLIONTHS_A_MONTH = 12 * 1_000_000


@dataclass(frozen=True, slots=True)
class OwedCard:
    """A revolving card: what is owed, and its yearly rate in millionths and minimum, None if unknown."""

    balance: int
    rate: int | None
    minimum: int | None


@dataclass(frozen=True, slots=True)
class MonthlyFunds:
    """What there is a month, and what the fund lacks; minor units.

    `interest` is the part of spending that is the cards' interest, so it can be paid to them.
    `starter` is the part of `gap` that comes before extra payments. `least` is the least minimum.
    """

    capacity: int
    interest: int
    starter: int
    gap: int
    least: int


@dataclass(frozen=True, slots=True)
class WaterfallResult:
    """The first month's figures, when the cards are clear and the fund is full, and all interest.

    `minimums`, `payment` and `contribution` are the first month's. Months are None when it takes more
    than fifty years; with no cards owed, `months_to_clear` is 0.
    """

    minimums: int
    payment: int
    contribution: int
    months_to_clear: int | None
    months_to_target: int | None
    interest: int


def months_interest(card: OwedCard) -> int:
    """What a card charges in a month, half-even; 0 where its rate is not known."""
    return half_even(card.balance * (card.rate or 0), _MILLIONTHS_A_MONTH)


def minimum_due(card: OwedCard, least: int) -> int:
    """The issuer's minimum, else an estimate; at most the balance and a month's interest on it.

    The estimate is 1 % of the balance and its month's interest, 2 % of it or `least`, whichever is most,
    so that it ends every debt. It never grows faster than what is owed, which is why more money never
    takes longer.
    """
    interest = months_interest(card)
    due = card.minimum
    if due is None:
        due = max(half_even(card.balance, 100) + interest, half_even(card.balance, 50), least)
    return min(card.balance + interest, due)


def simulate(cards: Sequence[OwedCard], money: MonthlyFunds) -> WaterfallResult:
    """Run the waterfall over cards in the order in which they are to be cleared."""
    owed = list(cards)
    starter, gap, interest = money.starter, money.gap, 0
    first: tuple[int, int, int] | None = None
    cleared = None if any(card.balance > 0 for card in owed) else 0
    filled = None if gap else 0
    for month in range(1, LONGEST + 1):
        if cleared is None:
            minimums, contribution = _minimums_and_contribution(owed, money, starter)
            before = tuple(owed)
            payment, charged = _pay(owed, money, contribution)
            interest += charged
            if not any(card.balance > 0 for card in owed):
                cleared = month
            elif contribution == 0 and _no_card_falls(before, owed):
                first = first or (minimums, payment, contribution)
                break
        else:
            # Once the cards are clear, the interest that they took stays in the account.
            spare = money.capacity + (money.interest if cards else 0)
            minimums, payment, contribution = 0, 0, min(gap, spare)
        first = first or (minimums, payment, contribution)
        starter, gap = max(0, starter - contribution), gap - contribution
        if filled is None and gap == 0:
            filled = month
        if cleared is not None and filled is not None:
            break
    assert first is not None
    return WaterfallResult(
        *first, months_to_clear=cleared, months_to_target=filled, interest=interest
    )


def _minimums_and_contribution(
    owed: Sequence[OwedCard], money: MonthlyFunds, starter: int
) -> tuple[int, int]:
    """The minimums of a month, and what the starter fund gets once they are paid.

    The fund never grows out of the interest part: that would let the debt grow to pay for the fund.
    """
    minimums = sum(minimum_due(card, money.least) for card in owed)
    after_minimums = money.capacity + money.interest - minimums
    return minimums, max(0, min(starter, money.capacity, after_minimums))


def _no_card_falls(before: Sequence[OwedCard], after: Sequence[OwedCard]) -> bool:
    """Whether nothing was gained this month: then nothing will be, since more debt never pays more."""
    return all(new.balance >= old.balance for old, new in zip(before, after, strict=True))


def _pay(owed: list[OwedCard], money: MonthlyFunds, contribution: int) -> tuple[int, int]:
    """Charge a month's interest, pay minimums, then cards in order; gives payment and interest."""
    due = [minimum_due(card, money.least) for card in owed]
    extra = max(0, money.capacity + money.interest - contribution - sum(due))
    payment = charged = 0
    for place, card in enumerate(owed):
        interest = months_interest(card)
        paid = min(card.balance + interest, due[place] + extra)
        extra -= max(0, paid - due[place])
        payment += paid
        charged += interest
        owed[place] = OwedCard(card.balance + interest - paid, card.rate, card.minimum)
    return payment, charged
