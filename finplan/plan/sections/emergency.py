"""The emergency fund: how long the household lasts on its cash, and how much is missing.

The base is essential spending, nothing added: loan payments and card purchases are in it already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from finplan.model.plan import DebtStrategy, EmergencyFund
from finplan.plan.ledger.books import Books, Series
from finplan.plan.sections.monthly import CREDITS_TO_RUN, Means
from finplan.plan.sections.waterfall import WaterfallResult

WAGES = frozenset({"wages", "self_employment", "pension_benefits"})
"""The categories of income that people work or have worked for; interest is never among them."""

Why = Literal["own", "starter", "short_history", "uneven_income", "two_earners", "usual"]


@dataclass(frozen=True, slots=True)
class FundTarget:
    """What the fund should hold and does hold, in minor units; `months` are months of essentials.

    `reserve` is cash that is not spoken for; `starter` is the part of the gap up to one month of
    essentials; `why` says which rule set the months.
    """

    reserve: int
    months: int
    why: Why
    amount: int
    gap: int
    starter: int


def fund_target(
    books: Books,
    means: Means,
    *,
    strategy: DebtStrategy,
    liquid_cash: int,
    owed: int,
    own_months: int | None,
) -> FundTarget:
    """The target under a strategy; `owed` is all that cards are owed.

    `own_months` is the person's own number of months, None when they set none. Under `paydown` the whole
    cash is reserve. Otherwise this month's card bill is spoken for.
    """
    months, why = target_months(books, means, strategy, own_months)
    reserve = max(0, liquid_cash - (0 if strategy == "paydown" else owed))
    essentials = max(0, means.essentials)
    amount = months * essentials
    return FundTarget(
        reserve=reserve,
        months=months,
        why=why,
        amount=amount,
        gap=max(0, amount - reserve),
        starter=max(0, min(amount, essentials) - reserve),
    )


def target_months(
    books: Books, means: Means, strategy: DebtStrategy, own_months: int | None
) -> tuple[int, Why]:
    """How many months of essentials the fund should hold: the first rule that applies, and which."""
    if own_months is not None:
        return own_months, "own"
    if strategy == "paydown":
        return 1, "starter"
    return full_months(books, means)


def full_months(books: Books, means: Means) -> tuple[int, Why]:
    """The months that suit the household's income once no card revolves."""
    if books.window.months < 3:
        return 6, "short_history"
    if _uneven(books):
        return 9, "uneven_income"
    running = [
        each for each in wage_sources(books.sources) if each.active and each.count >= CREDITS_TO_RUN
    ]
    largest = max((source.monthly for source in running), default=0)
    payers = {source.name for source in running}
    if len(payers) >= 2 and 2 * (means.running - largest) >= means.essentials:
        return 3, "two_earners"
    return 6, "usual"


def wage_sources(sources: Sequence[Series]) -> list[Series]:
    """The regular sources that people work or have worked for, active or not."""
    return [each for each in sources if each.cadence != "irregular" and each.category in WAGES]


def main_source(books: Books) -> Series | None:
    """The source that gave most of the window's income, None when there was no income."""
    paying = [source for source in books.sources if source.total > 0]
    return max(paying, key=lambda source: (source.total, source.name), default=None)


def _uneven(books: Books) -> bool:
    """Whether income cannot be counted on: none is regular, or the main one is not, or it varies."""
    main = main_source(books)
    regular = any(
        each.active and each.cadence != "irregular" and each.category != "interest"
        for each in books.sources
    )
    if main is None or not regular:
        return True
    if main.cadence == "irregular":
        return 2 * main.total >= books.income
    return not main.steady and varies([amount for _, amount in main.recent])


def varies(amounts: Sequence[int]) -> bool:
    """Whether amounts vary by more than a quarter: standard deviation over mean, in whole numbers."""
    total = sum(amounts)
    spread = len(amounts) * sum(amount * amount for amount in amounts) - total * total
    return 16 * spread > total * total


def emergency_fund(target: FundTarget, waterfall: WaterfallResult, means: Means) -> EmergencyFund:
    """The plan's `emergencyFund`. Without known essentials nothing can be said to be complete."""
    essentials = means.essentials
    covered = target.reserve * 10 // essentials if essentials > 0 else 0
    return EmergencyFund(
        months_covered=covered / 10,
        target_months=target.months,
        target_amount=target.amount,
        gap=target.gap,
        monthly_contribution=waterfall.contribution,
        months_to_target=waterfall.months_to_target if essentials > 0 else None,
    )
