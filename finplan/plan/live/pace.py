"""The pace of a month by the latest plan: what comes in, what bills take, what is set aside."""

from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from finplan.model.plan import Plan
from finplan.model.snapshot import Draw
from finplan.plan.detect.cadence import expected_days
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.days import date_of, day_of, last_day
from finplan.plan.ledger.ledger import ACCOUNT, AMOUNT, Ledger
from finplan.plan.ledger.lookup import rows_between, rows_in_window
from finplan.plan.live.groups import group_of, line_of
from finplan.plan.sections.monthly import MONTHS_TO_TRUST, per_month, planned_income, running_income


@dataclass(frozen=True, slots=True)
class Pace:
    """What a plan says a month brings, and takes before anything is free to spend; minor units.

    Groceries and transportation stand apart from the `other_essentials`, because what is spent beyond
    their mean must lower what is free. `recurring_wants` are the recurring charges that are
    discretionary, `card_interest` is what cards charge, which the essentials hold already.
    """

    planned: int
    groceries: int
    transportation: int
    other_essentials: int
    recurring_wants: int
    card_interest: int
    set_aside: int

    @property
    def bills(self) -> int:
        """What bills take, and what is set aside for the fund and the cards."""
        return self.other_essentials + self.recurring_wants + self.set_aside


def pace_of(plan: Plan, ledger: Ledger, books: Books) -> Pace:
    """What a plan says a month takes; the books hold the card interest behind its averages."""
    groups = {"groceries": 0, "transportation": 0}
    for entry in plan.categories:
        group = group_of(ledger.catalogue, entry.category)
        if entry.line == "essential" and group in groups:
            groups[group] += entry.monthly
    lines = {entry.category: entry.line for entry in plan.categories}
    recurring_wants = sum(
        item.monthly
        for item in plan.recurring
        if line_of(ledger.catalogue, item.category, lines.get(item.category)) == "discretionary"
    )
    planned = planned_income(plan.monthly.income, plan.window.months, plan.income_sources)
    interest = _card_interest(plan, ledger, books)
    return Pace(
        planned=planned,
        groceries=groups["groceries"],
        transportation=groups["transportation"],
        other_essentials=plan.monthly.essentials - sum(groups.values()),
        recurring_wants=recurring_wants,
        card_interest=interest,
        set_aside=_set_aside(plan, planned, interest),
    )


def _set_aside(plan: Plan, planned: int, interest: int) -> int:
    """What goes to the fund and the cards each month, or what the budget saves.

    Under `paydown` the interest is in essentials already, so it is not set aside a second time.
    """
    contribution = plan.emergency_fund.monthly_contribution
    if plan.debt.strategy == "paydown":
        return max(0, contribution + plan.debt.monthly_payment - interest)
    capacity = max(0, planned - plan.monthly.total_spend)
    return max(contribution, min(plan.budget[2].target, capacity))


def _card_interest(plan: Plan, ledger: Ledger, books: Books) -> int:
    charged = -sum(
        row[AMOUNT]
        for row in rows_in_window(books, {"interest_fees"})
        if ledger.accounts[row[ACCOUNT]].kind == "credit"
    )
    months = Fraction(plan.window.months).limit_denominator(100)
    return max(0, per_month(charged, months))


def income_basis(ledger: Ledger, pace: Pace, draw: Draw | None) -> int:
    """The month's income: the person's own figure, else the budget to be drawn, else the planned."""
    if ledger.monthly_income is not None:
        return ledger.monthly_income
    return pace.planned if draw is None else draw.budget


def draw_of(ledger: Ledger, books: Books, plan: Plan, today: date) -> Draw | None:
    """What this month takes from cash where income does not carry the budget; never income."""
    budget = plan.monthly.essentials + plan.budget[1].target
    manual = ledger.monthly_income
    if (_running(plan) if manual is None else manual) >= budget:
        return None
    income = _income_this_month(books, today) if manual is None else manual
    return Draw(month=f"{today:%Y-%m}", budget=budget, income=income, draw=max(0, budget - income))


def _running(plan: Plan) -> int:
    """What regular sources pay a month: what comes as it likes may not come this month.

    Over a short window no rhythm is known, so the observed income stands for it.
    """
    if plan.window.months < MONTHS_TO_TRUST:
        return plan.monthly.income
    return running_income(each for each in plan.income_sources if each.cadence != "irregular")


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
