"""The explanation of the live view: what is safe to spend today and until the period ends."""

from datetime import timedelta

from finplan.plan.explain.contributions import Feeding
from finplan.plan.explain.formula import Working
from finplan.plan.explain.parts import Subject, Told, is_spending, unknown_balances
from finplan.plan.live.allowance import Live, allowance, look

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


def safe_to_spend(subject: Subject) -> Told:
    """The breakdown of the period, the share of each day, and what cash allows."""
    household = subject.household
    live = look(household.ledger, household.books, subject.latest, household.today)
    found = allowance(household.ledger, live)
    parts = found.breakdown
    work = Working()
    work.day("periodStart", "The period begins", live.period.start)
    work.day("periodEnd", "The next one begins", live.period.end)
    work.given("periodDays", "Days of the period", live.period.days, "days")
    _note_income(work, subject, live, parts.income)
    _note_bills(work, live, parts.bills)
    _note_group(work, "groceries", live.pace.groceries, live.spent.groceries, parts.groceries)
    _note_group(
        work,
        "transportation",
        live.pace.transportation,
        live.spent.transportation,
        parts.transportation,
    )
    work.derive(
        "available",
        "Free this period",
        "income - bills - groceries - transportation",
        parts.available,
    )
    work.given("spent", "Spent of it so far", parts.spent)
    work.derive("remaining", "Left", "available - spent", parts.remaining)
    work.given("daysLeft", "Days left, today counted", parts.days_left, "days")
    work.derive(
        "spentToday",
        "Spent today",
        "max(0, todaysRows)",
        found.spent_today,
        todaysRows=live.spent.today,
    )
    work.derive(
        "daily",
        "A day's share",
        "floor(max(0, remaining + spentToday) / daysLeft)",
        found.daily,
    )
    _note_guard(work, live)
    spare = live.guard.left
    share = "daily - spentToday"
    formula = share if spare is None else f"min({share}, guard)"
    work.derive("today", "Safe to spend today", formula, found.today)
    binds = None if spare is None else spare < found.daily - found.spent_today
    return Told(work, _reasons(subject, live, binds=binds), _spent_rows(subject, live))


def _note_income(work: Working, subject: Subject, live: Live, result: int) -> None:
    own = subject.household.ledger.monthly_income
    if own is not None:
        name, monthly = "ownIncome", own
        work.given(name, "Your own figure of monthly income", own)
    elif live.draw is not None:
        name, monthly = "budgetToDraw", live.draw.budget
        work.given("essentials", "Essentials a month", live.plan.monthly.essentials)
        work.given("discretionaryTarget", "Discretionary target", live.plan.budget[1].target)
        work.derive(
            name, "The budget of a month", "essentials + discretionaryTarget", live.draw.budget
        )
    else:
        name, monthly = "plannedIncome", live.pace.planned
        work.given(name, "Planned income a month", monthly)
    work.derive("income", "Income of the period", f"round({name} {_OF_PERIOD})", result)


def _note_bills(work: Working, live: Live, result: int) -> None:
    pace, plan = live.pace, live.plan
    work.given(
        "otherEssentials", "Essentials a month, food and transport apart", pace.other_essentials
    )
    work.given("recurringWants", "Recurring charges that are discretionary", pace.recurring_wants)
    work.given(
        "monthlyContribution", "To the fund a month", plan.emergency_fund.monthly_contribution
    )
    if plan.debt.strategy == "paydown":
        work.given("monthlyPayment", "To the cards a month", plan.debt.monthly_payment)
        work.given("cardInterest", "Card interest, in essentials already", pace.card_interest)
        formula = "max(0, monthlyContribution + monthlyPayment - cardInterest)"
    else:
        work.given("savingsTarget", "Target of savings", plan.budget[2].target)
        work.derive(
            "capacity",
            "Left of planned income",
            "max(0, planned - totalSpend)",
            max(0, pace.planned - plan.monthly.total_spend),
            planned=pace.planned,
            totalSpend=plan.monthly.total_spend,
        )
        formula = "max(monthlyContribution, min(savingsTarget, capacity))"
    work.derive("setAside", "Set aside a month", formula, pace.set_aside)
    together = "(otherEssentials + recurringWants + setAside)"
    work.derive("bills", "Bills and set aside", f"max(0, round({together} {_OF_PERIOD}))", result)


def _note_group(work: Working, name: str, monthly: int, spent: int, result: int) -> None:
    work.derive(
        name,
        name.capitalize(),
        f"max(0, spentSoFar, round(usual {_OF_PERIOD}))",
        result,
        spentSoFar=spent,
        usual=monthly,
    )


def _note_guard(work: Working, live: Live) -> None:
    guard = live.guard
    work.given("cash", "Cash", guard.cash)
    work.given("pending", "Pending charges on cash accounts", guard.pending)
    work.given("charges", "Recurring charges due from cash in the period", guard.charges)
    work.given("cardBills", "Card bills due in the period", guard.card_bills)
    if guard.left is None:
        work.given("guard", "What cash can spare", None)
        return
    work.derive("guard", "What cash can spare", "cash - pending - charges - cardBills", guard.left)


def _reasons(subject: Subject, live: Live, *, binds: bool | None) -> list[str]:
    household = subject.household
    reasons = [
        "The period runs from payday to payday of the largest regular pay."
        if live.period.payday
        else "No regular pay sets a payday, so the period is the calendar month.",
        "Bills are smoothed over the period: the half of the month with the rent is no poorer.",
        "Recurring charges are in bills, so they are not counted as spent a second time.",
        *([_CASH_DECIDES[binds]] if binds is not None else []),
        f"The averages are those of the plan of {household.day(live.plan.generated_on)}.",
    ]
    if binds is None:
        reasons += [_CASH_UNKNOWN, *unknown_balances(household)]
    if household.ledger.monthly_income is not None:
        reasons.append(
            "The income is your own figure: finplan snapshot --income detected resets it."
        )
    elif live.draw is not None:
        reasons.append(
            "Running income does not carry the budget, so the budget paces the period and what is"
            " missing is drawn from cash."
        )
    return reasons


def _spent_rows(subject: Subject, live: Live) -> Feeding:
    """The period's discretionary rows; those of recurring charges are among them."""
    household = subject.household
    catalogue = household.ledger.catalogue
    wants = sorted(
        {
            sheet.category
            for sheet in household.books.sheets
            if is_spending(household, sheet.category)
            and catalogue[sheet.category].line == "discretionary"
        }
    )
    last = min(household.today, live.period.end - timedelta(1))
    return Feeding(wants, live.period.start, last)
