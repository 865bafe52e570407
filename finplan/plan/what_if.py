"""What if: a plan on changed inputs, beside the plan as it is.

A change is made to the ledger and its books, and everything is worked out from them as always. So no
change gives the plan to the unit, and a payment that is only tried gives what it gives once it is
planned. Source: plan-semantics, section 15.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from finplan.model.money import half_even
from finplan.model.plan import Cadence
from finplan.model.what_if import WhatIfDebt, WhatIfFigures, WhatIfFund, WhatIfLow
from finplan.plan.build import assess, plan_of
from finplan.plan.detect.cadence import PER_MONTH
from finplan.plan.ledger.books import Books, RunningFigures, Series
from finplan.plan.ledger.days import add_months, date_of, month_length
from finplan.plan.ledger.ledger import Ledger, PlannedMoney
from finplan.plan.live.allowance import allowance
from finplan.plan.live.forecast import forecast
from finplan.plan.live.view import live_view
from finplan.plan.planned import follow_planned
from finplan.plan.running import planned_part

_MONTHS_A_YEAR = 12


class Tried(NamedTuple):
    """A household with changes that are only tried."""

    ledger: Ledger
    books: Books


def figures_of(ledger: Ledger, books: Books, today: date, days: int) -> WhatIfFigures:
    """A plan in short, with the lowest day of so many `days` ahead."""
    household = assess(ledger, books, today)
    plan = plan_of(household)
    live = live_view(ledger, books, plan, today)
    cash_ahead = forecast(ledger, books, live, days)
    lowest = None
    if cash_ahead.low is not None:
        day = next(day for day in cash_ahead.days if day.date == cash_ahead.low.date)
        lows = [evening.low for evening in cash_ahead.days if evening.low is not None]
        lowest = WhatIfLow(date=day.date, expected=day.expected, low=min(lows, default=None))
    planned, fund = household.planned, plan.emergency_fund
    repeats = sum(
        followed.monthly for followed in books.planned if followed.money.cadence is not None
    )
    return WhatIfFigures(
        planned_income=planned.income,
        running_spend=planned.spend,
        set_aside=planned.set_aside,
        capacity=planned.capacity,
        fund=WhatIfFund(
            months_covered=fund.months_covered,
            target_amount=fund.target_amount,
            gap=fund.gap,
            monthly_contribution=fund.monthly_contribution,
        ),
        debt=WhatIfDebt(
            total=plan.debt.total,
            monthly_payment=plan.debt.monthly_payment,
            months_to_clear=plan.debt.months_to_clear,
        ),
        allowance=allowance(live).daily,
        low=lowest,
        runway_months=_runway(plan.snapshot.liquid_cash, planned.surplus - repeats),
        net_worth=plan.snapshot.net_worth,
    )


def _runway(cash: int, left: int) -> float | None:
    """How many months cash lasts where each month lacks something, to a tenth, rounded down."""
    return None if left >= 0 else max(0, 10 * cash // -left) / 10


def with_planned(tried: Tried, money: PlannedMoney, today: date) -> Tried:
    """Plan to pay or to receive money, as the person may plan it."""
    ledger = replace(tried.ledger, planned=[*tried.ledger.planned, money])
    books = tried.books
    series = [*books.charges, *books.young_bills, *books.expected_again, *books.sources]
    return Tried(
        ledger, replace(books, planned=follow_planned(ledger, books.sheets, series, today))
    )


def _with_own_income(ledger: Ledger, moved: int) -> Ledger:
    """The person's own figure of income moves with its sources; 0 at least."""
    if ledger.monthly_income is None:
        return ledger
    return replace(ledger, monthly_income=max(0, ledger.monthly_income + moved))


def without_source(tried: Tried, lost: Series) -> Tried:
    """End an income source; `lost` is one of the books'."""
    books = tried.books
    running = books.running
    brought = sum(part for source, part in running.by_source if source is lost)
    ended = replace(lost, active=False, running=False, next_date=None, planned=())
    return tried._replace(
        ledger=_with_own_income(tried.ledger, -brought),
        books=replace(
            books,
            sources=[ended if source is lost else source for source in books.sources],
            running=replace(
                running,
                income=running.income - brought,
                by_source=[pair for pair in running.by_source if pair[0] is not lost],
                changes=[change for change in running.changes if change.series is not lost],
            ),
        ),
    )


def _month_of(amount: int, cadence: Cadence) -> int:
    """What an amount that repeats comes to a month, half-even."""
    monthly = amount * PER_MONTH[cadence]
    return half_even(monthly.numerator, monthly.denominator)


def with_income(tried: Tried, amount: int, cadence: Cadence, name: str, today: date) -> Tried:
    """Add an income source that pays from today on; the ledger's planned money brings its cash."""
    monthly = _month_of(amount, cadence)
    source = Series(
        payees=(),
        name=name,
        category="wages",
        cadence="irregular",
        interval_days=None,
        amount=amount,
        monthly=monthly,
        total=0,
        count=0,
        count_all=0,
        first_date=today,
        last_date=today,
        next_date=None,
        active=False,
        steady=True,
        recent=(),
        account=0,
        running=True,
    )
    running = tried.books.running
    return tried._replace(
        ledger=_with_own_income(tried.ledger, monthly),
        books=replace(
            tried.books,
            running=replace(
                running,
                income=running.income + monthly,
                by_source=[*running.by_source, (source, monthly)],
            ),
        ),
    )


def with_charge(tried: Tried, charge: Series, amount: int | None) -> Tried:
    """Let a recurring charge of the books cost another `amount`, or end it where that is None."""
    books, running = tried.books, tried.books.running
    before = planned_part(running, charge, books.window)
    if amount is None or charge.cadence == "irregular":
        changed, after = replace(charge, active=False, next_date=None), 0
    else:
        after = _month_of(amount, charge.cadence)
        changed = replace(charge, amount=amount, monthly=after, steady=True)
    line = tried.ledger.catalogue[charge.category].line
    moved = after - before
    parts = dict(running.by_category)
    parts[charge.category] = parts.get(charge.category, 0) + moved
    essential = moved if line == "essential" else 0
    return tried._replace(
        books=replace(
            books,
            charges=[changed if bill is charge else bill for bill in books.charges],
            young_bills=[changed if bill is charge else bill for bill in books.young_bills],
            running=_with_spending(running, charge, parts, moved, essential),
        )
    )


def _with_spending(
    running: RunningFigures, charge: Series, parts: dict[str, int], moved: int, essential: int
) -> RunningFigures:
    return replace(
        running,
        spend=running.spend + moved,
        essentials=running.essentials + essential,
        discretionary=running.discretionary + moved - essential,
        by_category=parts,
        changes=[change for change in running.changes if change.series is not charge],
    )


def with_balance(tried: Tried, account: int, balance: int) -> Tried:
    """Let an account, by its number, have another balance."""
    accounts = dict(tried.ledger.accounts)
    accounts[account] = replace(accounts[account], balance=balance)
    return tried._replace(ledger=replace(tried.ledger, accounts=accounts))


@dataclass(frozen=True, slots=True)
class LoanTerms:
    """A loan that is paid back in equal amounts each month, but for the last; minor units.

    `interest` is all that it costs.
    """

    payment: int
    months: int
    interest: int


def loan_terms(amount: int, apr: float, months: int) -> LoanTerms:
    """The payment of a loan at a yearly rate: amount × r / (1 − (1 + r)^−months), r = apr / 12.

    The payment is rounded up to the unit, so that the last one is what is left and no more.
    """
    rate = Fraction(apr).limit_denominator(1_000_000) / _MONTHS_A_YEAR
    if rate:
        grown = (1 + rate) ** months
        exact = amount * rate * grown / (grown - 1)
    else:
        exact = Fraction(amount, months)
    payment, owed, paid = -(-exact.numerator // exact.denominator), amount, 0
    for _ in range(months):
        interest = round(owed * rate)
        due = min(payment, owed + interest)
        owed, paid = owed + interest - due, paid + due
    return LoanTerms(payment, months, paid - amount)


def month_later(day: date, count: int = 1) -> date:
    """The same day of a later month, or its last one."""
    month = add_months(day.year * 100 + day.month, count)
    return date_of(month * 100 + min(day.day, month_length(month)))


def active_sources(books: Books) -> Sequence[Series]:
    """The income that is planned with."""
    return [source for source in books.sources if source.running]


def active_charges(books: Books) -> Sequence[Series]:
    """The recurring charges that are still expected."""
    return [charge for charge in (*books.charges, *books.young_bills) if charge.active]
