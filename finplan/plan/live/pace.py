"""The pace of a month by the latest plan: what comes in, what bills take, what is set aside."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from finplan.model.plan import Plan
from finplan.model.snapshot import Draw
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.books import Books, Series, rows_between, rows_in_window
from finplan.plan.ledger.days import date_of, day_of, last_day
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger
from finplan.plan.live.groups import group_of, line_of
from finplan.plan.sections.emergency import main_source
from finplan.plan.sections.monthly import PlannedMonth, per_month, plan_month


@dataclass(frozen=True, slots=True)
class Pace:
    """What a plan says a month brings, and takes before anything is free to spend; minor units.

    `planned` is planned income, `unanswered` the money in that may be more of it, and `spend` all
    spending from now on. `budget` is what a month costs by the plan, `draws` whether savings pay for a
    part of it. Groceries and transportation stand apart from the `other_essentials`, because what is
    spent beyond their mean must lower what is free. `recurring_wants` are the recurring charges that are
    discretionary, `card_interest` is what cards charge, which the essentials hold already.
    """

    planned: int
    unanswered: int
    spend: int
    budget: int
    draws: bool
    groceries: int
    transportation: int
    other_essentials: int
    recurring_wants: int
    card_interest: int
    set_aside: int

    @property
    def essentials(self) -> int:
        """What needs take a month."""
        return self.groceries + self.transportation + self.other_essentials

    @property
    def income(self) -> int:
        """What a month has: who draws on savings has the budget that they are drawn for.

        Money in that waits for an answer is there to spend, whatever it is.
        """
        return self.budget if self.draws else self.planned + self.unanswered

    @property
    def free(self) -> int:
        """What a month leaves to spend freely; below 0 where bills and needs take more than it has."""
        return self.income - self.bills - self.groceries - self.transportation

    @property
    def bills(self) -> int:
        """What bills take, and what is set aside for the fund and the cards."""
        return self.other_essentials + self.recurring_wants + self.set_aside


def pace_of(plan: Plan, ledger: Ledger, books: Books) -> Pace:
    """What a month takes by a plan's targets and by the books of now."""
    groups = {"groceries": 0, "transportation": 0}
    running, catalogue = books.running, ledger.catalogue
    for category, monthly in running.by_category.items():
        group = group_of(catalogue, category)
        if catalogue[category].line == "essential" and group in groups:
            groups[group] += monthly
    lines = {entry.category: entry.line for entry in plan.categories}
    recurring_wants = sum(
        item.monthly
        for item in plan.recurring
        if line_of(ledger.catalogue, item.category, lines.get(item.category)) == "discretionary"
    )
    planned = plan_month(ledger, books)
    interest = _card_interest(plan, ledger, books)
    set_aside = _set_aside(plan, planned, interest)
    return Pace(
        planned=planned.income,
        unanswered=planned.unanswered,
        spend=planned.spend,
        budget=planned.essentials + plan.budget[1].target + set_aside,
        draws=plan.budget[2].target < 0,
        groceries=groups["groceries"],
        transportation=groups["transportation"],
        other_essentials=planned.essentials - sum(groups.values()),
        recurring_wants=recurring_wants,
        card_interest=interest,
        set_aside=set_aside,
    )


def _set_aside(plan: Plan, planned: PlannedMonth, interest: int) -> int:
    """What goes to the fund and the cards each month, or what the budget saves.

    Under `paydown` the interest is in essentials already, so it is not set aside a second time.
    """
    contribution = plan.emergency_fund.monthly_contribution
    if plan.debt.strategy == "paydown":
        return max(0, contribution + plan.debt.monthly_payment - interest)
    return max(contribution, min(plan.budget[2].target, planned.capacity))


def _card_interest(plan: Plan, ledger: Ledger, books: Books) -> int:
    charged = -sum(
        row[AMOUNT]
        for row in rows_in_window(books, {"interest_fees"})
        if ledger.accounts[row[ACCOUNT]].kind == "credit"
    )
    months = Fraction(plan.window.months).limit_denominator(100)
    return max(0, per_month(charged, months))


def draw_of(ledger: Ledger, books: Books, pace: Pace, today: date) -> Draw | None:
    """What this month takes from savings where income does not carry the budget; never income.

    None unless the household draws on savings by its plan, or lives on income without a rhythm and less
    comes this month than the budget takes.
    """
    income = ledger.monthly_income
    if income is None:
        income = _income_this_month(books, today)
    if not pace.draws and not (_is_irregular(main_source(books)) and income < pace.budget):
        return None
    draw = max(0, pace.budget - income)
    return Draw(month=f"{today:%Y-%m}", budget=pace.budget, income=income, draw=draw)


def _is_irregular(main: Series | None) -> bool:
    return main is not None and main.cadence == "irregular"


def _income_this_month(books: Books, today: date) -> int:
    """What has come in this month and what is still expected of regular sources."""
    month = today.year * 100 + today.month
    received = sum(
        row[AMOUNT]
        for sheet in books.sheets
        if sheet.flow == "income"
        for row in rows_between(sheet, month * 100 + 1, day_of(today))
    )
    expected = sum(
        source.amount * len(expected_days(source, today, date_of(last_day(month))))
        for source in books.sources
        if source.active
    )
    return received + expected
