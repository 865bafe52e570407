"""Explanations of a plan's month: window, means, budget lines and targets, the pace of a day.

The budget says what its lines take, the shares of planned income, and what is drawn from savings.
"""

from fractions import Fraction

from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.formula import (
    RUNNING_LINES,
    Derivation,
    add_capacity,
    add_months_averaged,
    add_planned_income,
    add_running_line,
    line_total,
    planned_reasons,
)
from finplan.plan.explain.parts import (
    SectionExplanation,
    Subject,
    contributions_in_window,
    contributions_of_line,
    is_spending,
)
from finplan.plan.sections.budget import GUIDE, above_guide, target_shares
from finplan.plan.words import percent


def budget(subject: Subject) -> SectionExplanation:
    """What the three lines take, and the nearest targets that planned income or savings carry."""
    household, means = subject.household, subject.household.means
    derivation = Derivation()
    months = add_months_averaged(derivation, household.books.window)
    _add_line_mean(derivation, household, "essentials", "Essentials a month")
    derivation.mean(
        "income", "Income a month", means.income, months, incomeTotal=household.books.income
    )
    _add_line_mean(derivation, household, "discretionary", "Discretionary a month")
    derivation.derive(
        "surplus", "Surplus a month", "income - essentials - discretionary", means.surplus
    )
    add_planned_income(derivation, household)
    add_running_line(derivation, household, "essentials")
    if household.living.applies:
        _add_drawn_targets(derivation, subject)
    else:
        _add_split_targets(derivation, subject)
    if household.planned.income > 0:
        derivation.derive(
            "aboveGuide",
            "Essentials above the guideline",
            "max(0, runningEssentials - round(plannedIncome / 2))",
            above_guide(household.planned),
        )
    reasons = (
        share_reason(subject),
        *planned_reasons(household),
        "The targets are maximums for essentials and discretionary spending, and a minimum for savings.",
    )
    return SectionExplanation(
        derivation,
        reasons,
        contributions_in_window(household, lambda category: is_spending(household, category)),
    )


def _add_line_mean(derivation: Derivation, household: Assessment, name: str, label: str) -> None:
    """Add what a line of spending took in the mean month."""
    line, mean = RUNNING_LINES[name], getattr(household.means, name)
    months = household.books.window.months
    derivation.mean(name, label, mean, months, **{f"{line}Total": line_total(household, line)})


def _add_split_targets(derivation: Derivation, subject: Subject) -> None:
    """The shares of planned income, then the targets that they come to."""
    planned, items = subject.household.planned, subject.plan.budget
    exact = target_shares(planned, subject.household.ledger.settings.budget_shares)
    accepts = _accepts_needs(subject)
    remaining = "(1 - runningEssentials / plannedIncome)"
    formulas = ["runningEssentials / plannedIncome", f"0.6 * {remaining}", f"0.4 * {remaining}"]
    for item, share, formula in zip(items, exact, formulas, strict=True):
        name, label = f"{item.key}Share", f"{item.key.capitalize()} share"
        if accepts:
            derivation.share_of_whole(name, label, formula, share, item.target_share)
        else:
            derivation.enter(name, label, item.target_share, "share")
    formulas = [f"round({item.key}Share * max(0, plannedIncome))" for item in items]
    if accepts:
        remaining = "(plannedIncome - runningEssentials)"
        formulas = ["runningEssentials", f"round(0.6 * {remaining})", f"round(0.4 * {remaining})"]
    for item, share, formula in zip(items, exact, formulas, strict=True):
        derivation.part(
            f"{item.key}Target",
            f"{item.key.capitalize()} target",
            formula,
            round(share * max(0, planned.income)),
            item.target,
        )


def _add_drawn_targets(derivation: Derivation, subject: Subject) -> None:
    """The targets of who lives on savings: essentials whole, wants as long as the savings last."""
    living, items = subject.household.living, subject.plan.budget
    add_running_line(derivation, subject.household, "discretionary")
    derivation.derive(
        "shortfall",
        "Spending beyond planned income",
        "runningEssentials + runningDiscretionary - max(0, plannedIncome)",
        living.shortfall,
    )
    derivation.enter("unknown", "Uncategorized spending a month", subject.household.planned.unknown)
    part = ""
    if living.benefit.monthly:
        derivation.enter("benefit", "Monthly benefit that may end", living.benefit.monthly)
    elif living.runway_months is not None and not living.regular_draws:
        derivation.enter("drawable", "Savings to draw on", living.drawable)
        derivation.enter("horizon", "Time that savings should last", living.horizon, "months")
        part = "min(1, drawable / shortfall / horizon) * "
    derivation.derive(
        "essentialsTarget", "Essentials target", "max(0, runningEssentials)", items[0].target
    )
    if living.benefit.monthly:
        # How long savings last follows month by month, with the benefit and then without it.
        derivation.enter("discretionaryTarget", "Discretionary target", items[1].target)
    else:
        derivation.derive(
            "discretionaryTarget",
            "Discretionary target",
            f"max(unknown + round({part}max(0, runningDiscretionary - unknown)),"
            " max(0, plannedIncome) - essentialsTarget)",
            items[1].target,
        )
    derivation.derive(
        "savingsTarget",
        "Savings target (a withdrawal if below 0)",
        "max(0, plannedIncome) - essentialsTarget - discretionaryTarget",
        items[2].target,
    )
    spent = items[0].target + items[1].target
    for item in items:
        name, label = f"{item.key}Share", f"{item.key.capitalize()} share"
        if spent > 0 and item.key != "savings":
            formula = f"{item.key}Target / (essentialsTarget + discretionaryTarget)"
            derivation.share_of_whole(
                name, label, formula, Fraction(item.target, spent), item.target_share
            )
        else:
            derivation.enter(name, label, item.target_share, "share")


def _accepts_needs(subject: Subject) -> bool:
    """Whether essentials take more than the guide and less than all, so that the rest is shared."""
    planned, own = subject.household.planned, subject.household.ledger.settings.budget_shares
    share = Fraction(planned.essentials, planned.income) if planned.income > 0 else Fraction(0)
    return own is None and GUIDE[0] < share < 1


def share_reason(subject: Subject) -> str:
    """Why the lines of the budget have these targets."""
    household = subject.household
    planned = household.planned
    if household.living.applies:
        return _drawn_reason(subject)
    if household.ledger.settings.budget_shares is not None:
        return "You set these shares yourself (`finplan settings`)."
    if planned.income <= 0:
        return (
            "You have no planned income, so finplan uses the guide's shares, and the targets are 0."
        )
    taken = percent(planned.essentials, planned.income)
    if _accepts_needs(subject):
        return (
            f"Essentials take {taken} of planned income, above the 50% guideline. The plan accepts that"
            " and splits the rest: 60% discretionary, 40% savings."
        )
    if planned.essentials >= planned.income:
        return f"Essentials take {taken} of planned income, so nothing is left to split."
    return (
        f"Essentials take {taken} of planned income, so the guide fits: 50% essentials, 30%"
        " discretionary, 20% savings."
    )


def _drawn_reason(subject: Subject) -> str:
    """Why the targets are not a split of income, and what becomes of a person's own shares."""
    household = subject.household
    living = household.living
    reason = (
        "Planned income does not cover the month, so you draw on savings. Essentials count in full"
    )
    if living.regular_draws:
        reason += (
            ", and so does discretionary spending: an investment that is not linked pays regularly."
        )
    elif living.runway_months is None or living.lasts:
        reason += (
            f", and so does discretionary spending: savings last {living.horizon} months or more."
        )
    else:
        reason += (
            f". Discretionary spending is cut in proportion, because savings last less than"
            f" {living.horizon} months."
        )
    if household.ledger.settings.budget_shares is not None:
        reason += " Your own shares apply again once income covers the month."
    return reason


def window(subject: Subject) -> SectionExplanation:
    """Which days are averaged: the full months that every account that matters covers."""
    household, section = subject.household, subject.plan.window
    facts = household.books.window
    derivation = Derivation()
    derivation.day("from", "First day", section.since)
    derivation.day("to", "Last day", section.until)
    derivation.enter("days", "Days", section.days, "days")
    add_months_averaged(derivation, facts)
    derivation.enter("transactionCount", "Transactions", section.transaction_count, "count")
    derivation.enter("accountCount", "Visible accounts", section.account_count, "count")
    derivation.day("dataEnd", "Last day of data", facts.data_end)
    if not facts.transaction_count:
        return SectionExplanation(
            derivation, ("No transactions yet, so there is nothing to average.",)
        )
    reasons = [
        "Only full months count: a month with missing data would make spending look too small."
    ]
    if facts.month_keys:
        reasons.append(
            f"Months with data for every main account: {len(facts.month_keys)} (at most 12 count)."
            " A main account has at least 5% of your money in or out."
        )
    else:
        reasons.append(
            "No month has full data, so these days count as one month. Nothing is extrapolated."
        )
    if facts.limited_by is not None:
        name = household.ledger.accounts[facts.limited_by].name
        reasons.append(f"{name} has fewer months of data, which shortens the averages.")
    return SectionExplanation(derivation, reasons, contributions_in_window(household))


def monthly(subject: Subject) -> SectionExplanation:
    """The means of the window, each divided once and rounded once."""
    household = subject.household
    books, means, section = household.books, household.means, subject.plan.monthly
    derivation = Derivation()
    months = add_months_averaged(derivation, books.window)
    derivation.mean("income", "Income", means.income, months, incomeTotal=books.income)
    derivation.mean(
        "totalSpend", "Spending", means.total_spend, months, spendingTotal=books.spending
    )
    for name in RUNNING_LINES:
        _add_line_mean(derivation, household, name, name.capitalize())
    derivation.derive("surplus", "Surplus", "income - totalSpend", means.surplus)
    if means.income > 0:
        rate = "round(surplus / income, 4)"
        derivation.derive("savingsRate", "Savings rate", rate, section.savings_rate, "share")
    else:
        derivation.enter("savingsRate", "Savings rate", section.savings_rate, "share")
    derivation.mean("saved", "Put aside", means.saved, months, savedTotal=books.saved)
    add_capacity(derivation, household)
    _add_daily(derivation, subject)
    reasons = [
        "Refunds lower spending. Transfers between your accounts are neither income nor spending.",
        "The surplus is not the change in net worth: loan payments count in full, principal included.",
        *planned_reasons(household),
    ]
    if any("rounding" in {value.name for value in figure.values} for figure in derivation.figures):
        reasons.append(
            "Rounding may add a minor unit, such as a cent, to one part, so that the parts add up to"
            " all spending."
        )
    flows = {"income", "spending"}
    contributions = contributions_in_window(
        household, lambda name: household.ledger.catalogue.flow(name) in flows
    )
    return SectionExplanation(derivation, reasons, contributions)


def daily_allowance(subject: Subject) -> SectionExplanation:
    """The plan's pace: the discretionary target, spread over the year."""
    derivation = Derivation()
    _add_daily(derivation, subject)
    reasons = (
        (
            "The daily target stays fixed until the next plan. Safe to spend today follows your cash and"
            " bills: `finplan plan explain allowance`."
        ),
        share_reason(subject),
    )
    return SectionExplanation(
        derivation, reasons, contributions_of_line(subject.household, "discretionary")
    )


def _add_daily(derivation: Derivation, subject: Subject) -> None:
    target = subject.plan.budget[1].target
    derivation.enter("discretionaryTarget", "Discretionary target", target)
    derivation.derive(
        "dailyAllowance",
        "Daily target",
        "floor(max(0, discretionaryTarget) * 12 / 365)",
        subject.plan.monthly.daily_allowance,
    )
