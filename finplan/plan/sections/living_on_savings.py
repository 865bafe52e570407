"""Living on savings: how much a household draws a month, what it can draw on, and how long that lasts.

Source: plan-semantics, C22 and section 6a.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction

from finplan.model.money import half_even
from finplan.model.plan import DebtStrategy, PlanSnapshot
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PEER, Row
from finplan.plan.ledger.lookup import rows_in_window, rows_of
from finplan.plan.sections.monthly import PlannedMonth

_PAY = frozenset({"wages", "self_employment"})

_HORIZON = 24
_HORIZON_OF_RETIRED = 240
"""Months that savings should last: two years between jobs, twenty in retirement."""

_NO_PAY_DAYS = 183
"""Half a year without pay, and with a pension, is retirement."""

_REGULAR_DRAWS = 3
"""Draws in so many months, and in half of the averaged ones at least, are regular."""

_NEVER_SOLD = frozenset(
    {"hsa", "fsa", "529", "property", "realestate", "home", "vehicle", "healthreimbursementarrangement"}
)  # fmt: skip

_RETIREMENT = frozenset(
    {
        "401a", "401k", "403b", "457b", "ira", "traditionalira", "rolloverira", "rothira", "sepira",
        "simpleira", "sarsep", "keogh", "roth", "roth401k", "profitsharingplan", "thriftsavingsplan",
        "retirement", "pension", "sipp", "rrsp", "rrif", "rlif", "lif", "lira", "lrif", "lrsp", "prif",
    }
)  # fmt: skip
"""Subtypes of accounts that cost those dear who draw on them before they retire."""


@dataclass(frozen=True, slots=True)
class LivingOnSavings:
    """What a household draws on its savings, in minor units.

    `applies` says that income does not carry it; the other figures stand whether it does or not.
    `shortfall` is what spending takes a month beyond planned income, at most 0 where there is none;
    `drawable` the cash and investments that can pay for it; `runway_months` how many months that lasts,
    None without a shortfall. `horizon` is how many months it should last. `regular_draws` says that an
    investment that is not linked pays regularly. `essentials`, `discretionary` and `savings` are the
    budget's targets; they add up to planned income, so `savings` is what is drawn, as a negative amount,
    and never above 0.
    """

    applies: bool
    retired: bool
    shortfall: int
    drawable: int
    runway_months: Fraction | None
    horizon: int
    regular_draws: bool
    essentials: int
    discretionary: int
    savings: int

    @property
    def lasts(self) -> bool:
        """Whether the savings last as long as they should."""
        return (
            self.regular_draws or self.runway_months is None or self.runway_months >= self.horizon
        )

    @property
    def months_told(self) -> Fraction | None:
        """How many months the savings last by the targets; None when nothing is drawn."""
        return Fraction(self.drawable, -self.savings) if self.savings < 0 else None


def live_on_savings(
    books: Books,
    planned: PlannedMonth,
    snapshot: PlanSnapshot,
    *,
    base: int,
    strategy: DebtStrategy,
    owed: int,
) -> LivingOnSavings:
    """How a household lives on savings.

    `base` is what the emergency fund is measured by and `owed` what cards are owed, minor units.
    """
    income = max(0, planned.income)
    paid = any(source.active and source.category in _PAY for source in books.sources)
    retired = is_retired(books)
    horizon = _HORIZON_OF_RETIRED if retired else _HORIZON
    shortfall = planned.spend - income
    drawable = _drawable(snapshot, strategy, owed, retired=retired)
    runway = Fraction(drawable, shortfall) if shortfall > 0 else None
    regular = draws_regularly(books)
    part = Fraction(1) if runway is None or regular else min(Fraction(1), runway / horizon)

    essentials = max(0, planned.essentials)
    kept = part * max(0, planned.discretionary - planned.unknown)
    # What income leaves after essentials may be spent however short the savings are.
    left = income - essentials
    discretionary = max(planned.unknown + half_even(kept.numerator, kept.denominator), left)
    return LivingOnSavings(
        applies=income < base or (income < planned.spend and not paid),
        retired=retired,
        shortfall=shortfall,
        drawable=drawable,
        runway_months=runway,
        horizon=horizon,
        regular_draws=regular,
        essentials=essentials,
        discretionary=discretionary,
        savings=income - essentials - discretionary,
    )


def is_retired(books: Books) -> bool:
    """Whether a pension comes and no pay has come in half a year that the history covers."""
    end = books.window.data_end
    since = day_of(end - timedelta(_NO_PAY_DAYS))
    pension = any(each.active and each.category == "pension_benefits" for each in books.sources)
    if not pension or min(sheet.rows[0][DAY] for sheet in books.sheets) > since:
        return False
    return not any(row[AMOUNT] > 0 for row in rows_of(books, _PAY, since, day_of(end)))


def draws_regularly(books: Books) -> bool:
    """Whether an investment that is not linked pays in three months and in half of those averaged."""
    drawn = {row[DAY] // 100 for row in rows_in_window(books, {"investing"}) if _is_draw(row)}
    months = len(books.window.month_keys)
    return len(drawn) >= _REGULAR_DRAWS and 2 * len(drawn) >= months


def _is_draw(row: Row) -> bool:
    return row[AMOUNT] > 0 and not row[PEER]


def _drawable(snapshot: PlanSnapshot, strategy: DebtStrategy, owed: int, *, retired: bool) -> int:
    """Cash that is not spoken for and what can be sold; where cards are paid down, cash alone."""
    if strategy == "paydown":
        return max(0, snapshot.liquid_cash)
    kept: Collection[str] = _NEVER_SOLD if retired else _NEVER_SOLD | _RETIREMENT
    sold = sum(
        account.balance or 0
        for account in snapshot.accounts
        if account.role == "investment" and _folded(account.subtype) not in kept
    )
    return max(0, snapshot.liquid_cash - owed) + max(0, sold)


def _folded(subtype: str | None) -> str:
    return "".join(letter for letter in (subtype or "").lower() if letter.isalnum())
