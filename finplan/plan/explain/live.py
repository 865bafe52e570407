"""The explanation of the live view: what is safe to spend today and until the period ends."""

from collections.abc import Iterator
from datetime import timedelta

from finplan.model.snapshot import Breakdown
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.formula import Derivation
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
from finplan.views import live_words
from finplan.views.plan_words import ANSWER_FIRST

_OF_PERIOD = "* periodDays * 12 / 365"

_CASH_DECIDES = {
    True: (
        "What cash can spare is less than a day's share, so it decides: money is due before the"
        " period ends."
    ),
    False: "Cash can spare a day's share, so it does not lower the figure.",
}
_CASH_UNKNOWN = (
    "What cash can spare is not known, because not every balance is: money may be due before the"
    " period ends that is not there."
)


def safe_to_spend(subject: Subject) -> SectionExplanation:
    """The breakdown of the period, the share of each day, and what cash allows."""
    household = subject.household
    live = live_view(household.ledger, household.books, subject.latest, household.today)
    found = allowance(live)
    parts = found.breakdown
    derivation = Derivation()
    derivation.day("periodStart", "The period begins", live.period.start)
    derivation.day("periodEnd", "The next one begins", live.period.end)
    derivation.given("periodDays", "Days of the period", live.period.days, "days")
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
    derivation.derive("available", "Free this period", free, parts.available)
    derivation.given("spent", "Spent of it so far", parts.spent)
    derivation.derive("remaining", "Left", "available - spent", parts.remaining)
    derivation.given("daysLeft", "Days left, today counted", parts.days_left, "days")
    derivation.derive(
        "spentToday",
        "Spent today",
        "max(0, todaysRows)",
        found.spent_today,
        todaysRows=live.spent.today,
    )
    _add_guard(derivation, live)
    waits = live.pace.unanswered > 0 and parts.remaining + found.spent_today <= 0
    waits = waits and live.guard.left is not None
    derivation.derive(
        "daily",
        "A day's share",
        f"floor(max(0, {'guard' if waits else 'remaining'} + spentToday) / daysLeft)",
        found.daily,
    )
    spare = live.guard.left
    share = "daily - spentToday"
    formula = share if spare is None else f"min({share}, guard)"
    derivation.derive("today", "Safe to spend today", formula, found.today)
    rows = _spent_rows(subject, live)
    binds = None if spare is None else spare < found.daily - found.spent_today
    reasons = [*_reasons(subject, live, parts, binds=binds), *_pending_said(household, rows)]
    return SectionExplanation(derivation, reasons, rows)


def _add_income(derivation: Derivation, subject: Subject, live: LiveView, result: int) -> None:
    pace = live.pace
    if pace.draws:
        name = "budgetToDraw"
        derivation.given("essentials", "Essentials a month", pace.essentials)
        derivation.given("discretionaryTarget", "Discretionary target", live.plan.budget[1].target)
        _add_set_aside(derivation, live)
        formula = "essentials + discretionaryTarget + setAside"
        derivation.derive(name, "The budget of a month", formula, pace.budget)
    elif subject.household.ledger.monthly_income is not None:
        name = "ownIncome"
        derivation.given(name, "Your own figure of monthly income", pace.planned)
    else:
        name = "plannedIncome"
        derivation.given(name, "Planned income a month", pace.planned)
    if pace.unanswered and not pace.draws:
        derivation.given("unanswered", "Money in that may be income, a month", pace.unanswered)
        name = f"({name} + unanswered)"
    beside = f" and {live_words.DRAW}" if pace.draws else ""
    if pace.unanswered and not pace.draws:
        beside = " and money in that waits for an answer,"
    label = f"Income{beside} of the period"
    derivation.derive("income", label, f"round({name} {_OF_PERIOD})", result)


def _add_bills(derivation: Derivation, live: LiveView, result: int) -> None:
    pace = live.pace
    derivation.given(
        "otherEssentials", "Essentials a month, food and transport apart", pace.other_essentials
    )
    derivation.given(
        "recurringWants", "Recurring charges that are discretionary", pace.recurring_wants
    )
    if not pace.draws:
        _add_set_aside(derivation, live)
    together = "(otherEssentials + recurringWants + setAside)"
    derivation.derive(
        "bills", "Bills and set aside", f"max(0, round({together} {_OF_PERIOD}))", result
    )


def _add_set_aside(derivation: Derivation, live: LiveView) -> None:
    pace, plan = live.pace, live.plan
    derivation.given(
        "monthlyContribution", "To the fund a month", plan.emergency_fund.monthly_contribution
    )
    if plan.debt.strategy == "paydown":
        derivation.given("monthlyPayment", "To the cards a month", plan.debt.monthly_payment)
        derivation.given("cardInterest", "Card interest, in essentials already", pace.card_interest)
        formula = "max(0, monthlyContribution + monthlyPayment - cardInterest)"
    else:
        derivation.given("savingsTarget", "Target of savings", plan.budget[2].target)
        derivation.derive(
            "capacity",
            "Left of planned income",
            "max(0, planned - runningSpend)",
            max(0, pace.planned - pace.spend),
            planned=pace.planned,
            runningSpend=pace.spend,
        )
        formula = "max(monthlyContribution, min(savingsTarget, capacity))"
    derivation.derive("setAside", "Set aside a month", formula, pace.set_aside)


def _add_guard(derivation: Derivation, live: LiveView) -> None:
    guard = live.guard
    derivation.given("cash", "Cash", guard.cash)
    derivation.given("pending", "Pending charges on cash accounts", guard.pending)
    if guard.pay:
        derivation.given("pay", "Pay that comes before the lowest day", guard.pay)
    derivation.given("charges", "Recurring charges due from cash in the period", guard.charges)
    derivation.given("minimums", "Minimums of cards that revolve", guard.minimums)
    derivation.given("cardBills", "Bills of cards paid in full due in the period", guard.card_bills)
    if guard.left is None:
        derivation.given("guard", "What cash can spare", None)
        return
    came = "cash - pending + pay" if guard.pay else "cash - pending"
    derivation.derive(
        "guard", "What cash can spare", f"{came} - charges - minimums - cardBills", guard.left
    )


def _reasons(
    subject: Subject, live: LiveView, parts: Breakdown, *, binds: bool | None
) -> list[str]:
    household = subject.household
    cash = period_cash(live, parts)
    needs = live_words.needs_said(cash, live.period.payday, household.currency)
    waits = live.pace.unanswered > 0 and not live.pace.draws
    reasons = [
        *([f"{ANSWER_FIRST} Until then income here counts all of it."] if waits else []),
        "The period runs from payday to payday of the largest regular pay."
        if live.period.payday
        else "No regular pay sets a payday, so the period is the calendar month.",
        "Bills are smoothed over the period: the half of the month with the rent is no poorer.",
        "Recurring charges are in bills, so they are not counted as spent a second time.",
        *([_CASH_DECIDES[binds]] if binds is not None else []),
        *([needs] if needs else []),
        f"The averages are those of the plan of {household.day(live.plan.generated_on)}.",
    ]
    if binds is None:
        reasons += [_CASH_UNKNOWN, *unknown_balances(household)]
    if live.pace.draws:
        reasons.append(
            "Planned income does not carry the budget, so the budget paces the period and what is"
            " missing is drawn from savings."
        )
    elif household.ledger.monthly_income is not None:
        reasons.append(
            "The income is your own figure: `finplan snapshot --income detected` resets it."
        )
    return reasons


def _pending_said(household: Assessment, rows: Contributions) -> Iterator[str]:
    """That what is pending is among the rows, where something is."""
    found = [row for _, row in pending_contributions(household, rows)]
    if found:
        total = household.money(-sum(row[AMOUNT] for row in found))
        number = count(len(found), "pending charge")
        yield f"What is spent holds {number} of {total}, listed with the others."


def _spent_rows(subject: Subject, live: LiveView) -> Contributions:
    """The period's discretionary rows, pending ones too; those of recurring charges are among them."""
    household = subject.household
    catalogue = household.ledger.catalogue
    seen = {sheet.category for sheet in household.books.sheets}
    outflows = pending_outflows(household.ledger, household.ledger.pending)
    seen |= {category for _, category in outflows}
    wants = sorted(
        category
        for category in seen
        if is_spending(household, category) and catalogue[category].line == "discretionary"
    )
    last = min(household.today, live.period.end - timedelta(1))
    return Contributions(wants, live.period.start, last, pending=True)
