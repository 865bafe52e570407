"""The emergency fund: how long the household lasts on its cash, and how much is missing.

The base is essential spending: loan payments and card purchases are in it already. Only where too much
of spending is unknown, what is regular and unknown is added, since that is more often a need than not.
Source: plan-semantics, sections 4 and 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finplan.model.money import half_even
from finplan.model.plan import DebtStrategy, EmergencyFund
from finplan.plan.detect.new_series import WAGES
from finplan.plan.ledger.books import Books, Series
from finplan.plan.ledger.ledger import AMOUNT, PAYEE
from finplan.plan.sections.monthly import PlannedMonth
from finplan.plan.sections.standing import Standing
from finplan.plan.sections.waterfall import WaterfallResult

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
    part = 1 if costs_little else 2 if _uneven(books) else 4
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
    if _uneven(books):
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
    return [each for each in sources if each.cadence != "irregular" and each.category in WAGES]


def main_source(books: Books) -> Series | None:
    """The running source that brings most; of none, the one that gave most of the window's income.

    What came once, such as an inheritance, is no source.
    """
    running = [(monthly, source) for source, monthly in books.running.by_source if monthly > 0]
    if running:
        return max(running, key=lambda one: (one[0], one[1].name))[1]
    once = {row[PAYEE] for row in books.running.one_offs if row[AMOUNT] > 0}
    paying = [
        source for source in books.sources if source.total > 0 and not once & set(source.payees)
    ]
    return max(paying, key=lambda source: (source.total, source.name), default=None)


def _uneven(books: Books) -> bool:
    """Whether income cannot be counted on: none is regular, or the main one is not, or it varies."""
    main = main_source(books)
    regular = any(
        each.active
        and each.cadence != "irregular"
        and each.category != "interest"
        and each.sign != "temporary"
        for each in books.sources
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
    known = base > 0 and not standing.provisional and not standing.debt_unknown
    return EmergencyFund(
        months_covered=covered / 10,
        target_months=target.months,
        target_amount=target.amount,
        gap=target.gap,
        monthly_contribution=waterfall.contribution,
        months_to_target=waterfall.months_to_target if target.gap or known else None,
    )
