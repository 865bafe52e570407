"""The explanation of the live view: what is safe to spend today and until the period ends."""

from collections.abc import Iterator
from datetime import timedelta

from finplan.model.snapshot import Breakdown
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.formula import FOR_PLANNED, Derivation
from finplan.plan.explain.parts import (
    Contributions,
    SectionExplanation,
    Subject,
    is_spending,
    pending_contributions,
    unknown_balances,
)
from finplan.plan.ledger.classes import pending_outflows
from finplan.plan.ledger.ledger import AMOUNT
from finplan.plan.live.allowance import allowance, period_cash
from finplan.plan.live.view import LiveView, live_view
from finplan.plan.words import count
from finplan.views import live_text
from finplan.views.plan_text import ANSWER_FIRST

_OF_PERIOD = "* periodDays * 12 / 365"

_CASH_DECIDES = {
    True: (
        "Bills are due before the period ends. Your spare cash is less than the daily amount, so it"
        " limits what is safe to spend."
    ),
    False: "You have enough cash, so the daily amount is not reduced.",
}
_CASH_UNKNOWN = (
    "Spare cash is unknown because a balance is missing. Your cash may not cover the bills due before"
    " the period ends."
)


def safe_to_spend(subject: Subject) -> SectionExplanation:
    """The breakdown of the period, the share of each day, and what cash allows."""
    household = subject.household
    live = live_view(household.ledger, household.books, subject.latest, household.today)
    safe = allowance(live)
    parts = safe.breakdown
    derivation = Derivation()
    derivation.day("periodStart", "Period starts", live.period.start)
    derivation.day("periodEnd", "Next period starts", live.period.end)
    derivation.enter("periodDays", "Days in the period", live.period.days, "days")
    _add_income(derivation, subject, live, parts.income)
    _add_bills(derivation, live, parts.bills)
    for name in ("groceries", "transportation"):
        derivation.derive(
            name,
            name.capitalize(),
            f"max(0, spentSoFar, round(usual {_OF_PERIOD}))",
            getattr(parts, name),
            spentSoFar=getattr(live.spent, name),
            usual=getattr(live.pace, name),
        )
    free = "income - bills - groceries - transportation"
    derivation.derive("available", "Free to spend", free, parts.available)
    derivation.enter("spent", "Spent so far", parts.spent)
    derivation.derive("remaining", "Left", "available - spent", parts.remaining)
    derivation.enter("daysLeft", "Days left including today", parts.days_left, "days")
    derivation.derive(
        "spentToday",
        "Spent today",
        "max(0, todaysRows)",
        safe.spent_today,
        todaysRows=live.spent.today,
    )
    _add_guard(derivation, live)
    waits = live.pace.unanswered > 0 and parts.remaining + safe.spent_today <= 0
    waits = waits and live.guard.free is not None
    derivation.derive(
        "daily",
        "Safe per day",
        f"floor(max(0, {'guard' if waits else 'remaining'} + spentToday) / daysLeft)",
        safe.daily,
    )
    spare = live.guard.free
    share = "daily - spentToday"
    formula = share if spare is None else f"min({share}, guard)"
    derivation.derive("today", "Safe to spend today", formula, safe.today)
    rows = _spent_rows(subject, live)
    binds = None if spare is None else spare < safe.daily - safe.spent_today
    reasons = [*_reasons(subject, live, parts, binds=binds), *_describe_pending(household, rows)]
    return SectionExplanation(derivation, reasons, rows)


def _add_income(derivation: Derivation, subject: Subject, live: LiveView, result: int) -> None:
    pace = live.pace
    if pace.draws:
        name = "budgetToDraw"
        derivation.enter("essentials", "Essentials a month", pace.essentials)
        derivation.enter("discretionaryTarget", "Discretionary target", live.plan.budget[1].target)
        _add_set_aside(derivation, live)
        formula = "essentials + discretionaryTarget + setAside"
        derivation.derive(name, "Monthly budget", formula, pace.budget)
    elif subject.household.ledger.monthly_income is not None:
        name = "ownIncome"
        derivation.enter(name, "Monthly income set by you", pace.planned)
    else:
        name = "plannedIncome"
        derivation.enter(name, "Planned income a month", pace.planned)
    if pace.unanswered and not pace.draws:
        derivation.enter("unanswered", "Uncategorized money in a month", pace.unanswered)
        name = f"({name} + unanswered)"
    beside = f" and {live_text.DRAW}" if pace.draws else ""
    if pace.unanswered and not pace.draws:
        beside = " and uncategorized money in"
    label = f"Income{beside} in the period"
    derivation.derive("income", label, f"round({name} {_OF_PERIOD})", result)


def _add_bills(derivation: Derivation, live: LiveView, result: int) -> None:
    pace = live.pace
    derivation.enter(
        "otherEssentials",
        "Essentials a month without groceries and transportation",
        pace.other_essentials,
    )
    derivation.enter(
        "recurringWants", "Discretionary recurring charges a month", pace.recurring_wants
    )
    if not pace.draws:
        _add_set_aside(derivation, live)
    together, now = "otherEssentials + recurringWants + setAside", live.planned_now
    if now.monthly:
        derivation.enter("laterMonthly", "Not set aside: due in this period", now.monthly)
        together += " - laterMonthly"
    bills = f"max(0, round(({together}) {_OF_PERIOD}))"
    if now.total:
        derivation.enter("plannedNow", "Planned payments of this period", now.total)
        bills += " + plannedNow"
    derivation.derive("bills", "Bills and money set aside", bills, result)


def _add_set_aside(derivation: Derivation, live: LiveView) -> None:
    pace, plan = live.pace, live.plan
    if pace.for_planned:
        derivation.enter("forPlanned", FOR_PLANNED, pace.for_planned)
    derivation.enter(
        "monthlyContribution",
        "To the emergency fund a month",
        plan.emergency_fund.monthly_contribution,
    )
    if plan.debt.strategy == "paydown":
        derivation.enter("monthlyPayment", "To the cards a month", plan.debt.monthly_payment)
        derivation.enter("cardInterest", "Card interest already in essentials", pace.card_interest)
        formula = "max(0, monthlyContribution + monthlyPayment - cardInterest)"
    else:
        derivation.enter("savingsTarget", "Savings target", plan.budget[2].target)
        derivation.derive(
            "capacity",
            "Planned surplus",
            f"max(0, planned - runningSpend{' - forPlanned' if pace.for_planned else ''})",
            max(0, pace.planned - pace.spend - pace.for_planned),
            planned=pace.planned,
            runningSpend=pace.spend,
        )
        formula = "max(monthlyContribution, min(savingsTarget, capacity))"
    if pace.for_planned:
        formula = f"{formula} + forPlanned"
    derivation.derive("setAside", "Set aside a month", formula, pace.set_aside)


def _add_guard(derivation: Derivation, live: LiveView) -> None:
    guard = live.guard
    derivation.enter("cash", "Cash", guard.cash)
    derivation.enter("pending", "Pending charges on cash accounts", guard.pending)
    if guard.pay:
        derivation.enter("pay", "Pay before the lowest day", guard.pay)
    derivation.enter("charges", "Recurring charges due from cash in the period", guard.charges)
    derivation.enter("minimums", "Card minimums due by the lowest day", guard.minimums)
    derivation.enter("cardBills", "Card bills due by the lowest day", guard.card_bills)
    if guard.free is None:
        derivation.enter("guard", "Spare cash", None)
        return
    came = "cash - pending + pay" if guard.pay else "cash - pending"
    due = "charges - minimums - cardBills"
    if guard.planned:
        derivation.enter("plannedMoney", "Planned payments, less planned money in", guard.planned)
        due += " - plannedMoney"
    derivation.derive("guard", "Spare cash", f"{came} - {due}", guard.free)


def _reasons(
    subject: Subject, live: LiveView, parts: Breakdown, *, binds: bool | None
) -> list[str]:
    household = subject.household
    cash = period_cash(live, parts)
    needs = live_text.warn_of_needs(cash, live.period.payday, household.currency)
    waits = live.pace.unanswered > 0 and not live.pace.draws
    reasons = [
        *([f"{ANSWER_FIRST} Until then, all of it counts as income here."] if waits else []),
        "The period runs from payday to payday of your largest regular pay."
        if live.period.payday
        else "You have no regular payday, so the period is the calendar month.",
        "Monthly bills are spread evenly, so that rent does not use up one half of the month.",
        "Recurring charges are part of the bills, so they do not count again as spending.",
        *([_CASH_DECIDES[binds]] if binds is not None else []),
        *([needs] if needs else []),
        f"The averages come from the plan of {household.day(live.plan.generated_on)}.",
    ]
    if binds is None:
        reasons += [_CASH_UNKNOWN, *unknown_balances(household)]
    if live.pace.draws:
        reasons.append(
            "Planned income does not cover the budget. The plan uses the budget and draws the rest from"
            " savings."
        )
    elif household.ledger.monthly_income is not None:
        reasons.append(
            "You set the income yourself. Reset it with `finplan snapshot --income detected`."
        )
    return reasons


def _describe_pending(household: Assessment, rows: Contributions) -> Iterator[str]:
    """That what is pending is among the rows, where something is."""
    pending = [row for _, row in pending_contributions(household, rows)]
    if pending:
        total = household.money(-sum(row[AMOUNT] for row in pending))
        number = count(len(pending), "pending charge")
        yield f"Spent so far includes {number}, {total} in total."


def _spent_rows(subject: Subject, live: LiveView) -> Contributions:
    """The period's discretionary rows, pending ones too; those of recurring charges are among them."""
    household = subject.household
    catalogue = household.ledger.catalogue
    categories = {sheet.category for sheet in household.books.sheets}
    outflows = pending_outflows(household.ledger, household.ledger.pending)
    categories |= {category for _, category in outflows}
    wants = sorted(
        category
        for category in categories
        if is_spending(household, category) and catalogue[category].line == "discretionary"
    )
    last = min(household.today, live.period.end - timedelta(1))
    return Contributions(wants, live.period.start, last, pending=True)
