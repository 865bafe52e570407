"""The emergency fund: how long the household lasts on its cash, and when spare money fills it.

The base is essential spending: loan payments and card purchases are in it already. Only where too
much of spending is unknown, what is regular and unknown is added, since that is more often a need
than not. Source: plan-semantics, sections 4 and 5.

While cards revolve, spare money falls from one to the next, simulated month by month: minimums,
then a starter fund up to its floor, then the cards in order, then the rest of the fund. One
simulation gives every figure: this month's payment and contribution are its first month, the months
to clear and to target are where it arrives. Source: plan-semantics, section 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import ge
from typing import Literal

from finplan.model.money import half_even
from finplan.model.plan import DebtStrategy, EmergencyFund
from finplan.plan.detect.new_series import WAGES
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.ledger import AMOUNT, PAYEE
from finplan.plan.sections.monthly import PlannedMonth
from finplan.plan.sections.standing import Standing

LONGEST_WATERFALL = 600
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

    The estimate is 1% of the balance and its month's interest, 2% of it or `least`, whichever is most,
    so that it ends every debt. It never grows faster than what is owed, which is why more money never
    takes longer.
    """
    interest = months_interest(card)
    due = card.minimum
    if due is None:
        due = max(half_even(card.balance, 100) + interest, half_even(card.balance, 50), least)
    return min(card.balance + interest, due)


def simulate_waterfall(cards: Sequence[OwedCard], money: MonthlyFunds) -> WaterfallResult:
    """Run the waterfall over cards in the order in which they are to be cleared."""
    owed = list(cards)
    starter, gap, interest = money.starter, money.gap, 0
    first: tuple[int, int, int] | None = None
    cleared = None if any(card.balance > 0 for card in owed) else 0
    filled = None if gap else 0
    for month in range(1, LONGEST_WATERFALL + 1):
        if cleared is None:
            minimums, contribution = _minimums_and_contribution(owed, money, starter)
            before = [card.balance for card in owed]
            payment, charged = _pay_cards(owed, money, contribution)
            interest += charged
            if not any(card.balance > 0 for card in owed):
                cleared = month
            elif contribution == 0 and all(map(ge, (card.balance for card in owed), before)):
                # Nothing was gained this month, nor will be: more debt never pays more.
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


def _pay_cards(owed: list[OwedCard], money: MonthlyFunds, contribution: int) -> tuple[int, int]:
    """Charge a month's interest, pay minimums, then cards in order; gives payment and interest."""
    due = [minimum_due(card, money.least) for card in owed]
    extra = max(0, money.capacity + money.interest - contribution - sum(due))
    payment = charged = 0
    for index, card in enumerate(owed):
        interest = months_interest(card)
        paid = min(card.balance + interest, due[index] + extra)
        extra -= max(0, paid - due[index])
        payment += paid
        charged += interest
        owed[index] = OwedCard(card.balance + interest - paid, card.rate, card.minimum)
    return payment, charged


Why = Literal["own", "starter", "short_history", "uneven_income", "two_earners", "usual"]


_MONTHS_WITHOUT_INCOME = 3
"""Months of needs that stay in cash before cards are paid from it, while income does not cover needs."""


@dataclass(frozen=True, slots=True)
class FundTarget:
    """What the fund should hold and does hold, in minor units; `months` are months of `base`.

    `base` is what a month takes at least. `reserve` is cash that is not spoken for. `floor` is what cash
    should hold before cards get more than their minimums, a month divided by `part` (1, 2 or 4), and
    `starter` what of the gap lies below it; `why` says which rule set the months.
    """

    base: int
    reserve: int
    months: int
    why: Why
    amount: int
    gap: int
    part: int
    floor: int
    starter: int


def fund_base(planned: PlannedMonth, standing: Standing) -> int:
    """What a month takes at least: essentials, and while provisional what is regular and unknown."""
    return planned.essentials + (standing.regular if standing.spending_unknown else 0)


def kept_in_cash(base: int, planned: int) -> int:
    """The cash that no card is paid from: a month of the base, three while income does not cover it.

    `planned` is planned income a month; minor units.
    """
    months = _MONTHS_WITHOUT_INCOME if planned < base else 1
    return months * max(0, base)


def fund_target(
    books: Books,
    *,
    base: int,
    strategy: DebtStrategy,
    liquid_cash: int,
    owed: int,
    own_months: int | None,
    costs_little: bool,
) -> FundTarget:
    """The target under a strategy; `owed` is all that cards are owed.

    `own_months` is the person's own number of months, None when they set none. `costs_little` says that
    every revolving card has a low rate. Under `paydown` the whole cash is reserve. Otherwise what cards
    are owed is spoken for.
    """
    months, why = target_months(books, base, strategy, own_months)
    reserve = max(0, liquid_cash - (0 if strategy == "paydown" else owed))
    amount = months * max(0, base)
    gap = max(0, amount - reserve)
    # A dear card costs more each month than a full month of cash is worth; uneven income needs more.
    part = 1 if costs_little else 2 if _income_is_uneven(books) else 4
    floor = min(amount, half_even(max(0, base), part))
    return FundTarget(
        base=base,
        reserve=reserve,
        months=months,
        why=why,
        amount=amount,
        gap=gap,
        part=part,
        floor=floor,
        starter=starter(floor, liquid_cash, gap),
    )


def starter(floor: int, liquid_cash: int, gap: int) -> int:
    """What cash lacks of a floor, at most the gap of the whole fund."""
    return min(gap, max(0, floor - liquid_cash))


def target_months(
    books: Books, base: int, strategy: DebtStrategy, own_months: int | None
) -> tuple[int, Why]:
    """How many months of the base the fund should hold: the first rule that applies, and which."""
    if own_months is not None:
        return own_months, "own"
    if strategy == "paydown":
        return 1, "starter"
    return full_months(books, base)


def full_months(books: Books, base: int) -> tuple[int, Why]:
    """The months that suit the household's income once no card revolves."""
    if books.window.months < 3:
        return 6, "short_history"
    if _income_is_uneven(books):
        return 9, "uneven_income"
    wages = running_wages(books)
    payers = {source.name for source, _ in wages}
    if len(payers) >= 2 and 2 * without_largest(books) >= base:
        return 3, "two_earners"
    return 6, "usual"


def running_wages(books: Books) -> list[tuple[Series, int]]:
    """The regular wages that run, with what each brings a month."""
    return [
        (source, monthly)
        for source, monthly in books.running.by_source
        if source.cadence != "irregular" and source.category in WAGES and source.sign != "temporary"
    ]


def without_largest(books: Books) -> int:
    """What running sources bring a month without the largest wage, minor units."""
    largest = max((monthly for _, monthly in running_wages(books)), default=0)
    temporary = sum(
        monthly for source, monthly in books.running.by_source if source.sign == "temporary"
    )
    return books.running.income - temporary - largest


def wage_sources(sources: Sequence[Series]) -> list[Series]:
    """The regular sources that people work or have worked for, active or not."""
    return [
        source for source in sources if source.cadence != "irregular" and source.category in WAGES
    ]


def main_source(books: Books) -> Series | None:
    """The running source that brings most; of none, the one that gave most of the window's income.

    What came once, such as an inheritance, is no source.
    """
    running = [(monthly, source) for source, monthly in books.running.by_source if monthly > 0]
    if running:
        return max(running, key=lambda pair: (pair[0], pair[1].name))[1]
    once = {row[PAYEE] for row in books.running.one_offs if row[AMOUNT] > 0}
    paying = [
        source for source in books.sources if source.total > 0 and not once & set(source.payees)
    ]
    return max(paying, key=lambda source: (source.total, source.name), default=None)


def _income_is_uneven(books: Books) -> bool:
    """Whether income cannot be counted on: none is regular, or the main one is not, or it varies."""
    main = main_source(books)
    regular = any(
        source.active
        and source.cadence != "irregular"
        and source.category != "interest"
        and source.sign != "temporary"
        for source in books.sources
    )
    if main is None or not regular:
        return True
    if main.cadence == "irregular":
        income = books.income - books.running.one_off_income
        return 2 * main.total >= income
    return not main.steady and varies([amount for _, amount in main.recent])


def varies(amounts: Sequence[int]) -> bool:
    """Whether amounts vary by more than a quarter: standard deviation over mean, in whole numbers."""
    total = sum(amounts)
    spread = len(amounts) * sum(amount * amount for amount in amounts) - total * total
    return 16 * spread > total * total


def emergency_fund(
    target: FundTarget, waterfall: WaterfallResult, standing: Standing
) -> EmergencyFund:
    """The plan's `emergencyFund`.

    Where needs or debts are not known, nothing can be said to be complete.
    """
    base = target.base
    covered = target.reserve * 10 // base if base > 0 else 0
    is_known = base > 0 and not standing.provisional and not standing.debt_unknown
    return EmergencyFund(
        months_covered=covered / 10,
        target_months=target.months,
        target_amount=target.amount,
        gap=target.gap,
        monthly_contribution=waterfall.contribution,
        months_to_target=waterfall.months_to_target if target.gap or is_known else None,
    )
