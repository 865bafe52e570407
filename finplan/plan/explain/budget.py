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
from finplan.plan.words import count, percent


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
        "surplus", "Left over a month", "income - essentials - discretionary", means.surplus
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
            "Essentials above the guide",
            "max(0, runningEssentials - round(plannedIncome / 2))",
            above_guide(household.planned),
        )
    reasons = (
        share_reason(subject),
        *planned_reasons(household),
        "The targets of essentials and discretionary spending are ceilings, that of savings a floor.",
    )
    return SectionExplanation(
        derivation,
        reasons,
        contributions_in_window(household, lambda each: is_spending(household, each)),
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
    rest = "(1 - runningEssentials / plannedIncome)"
    formulas = ["runningEssentials / plannedIncome", f"0.6 * {rest}", f"0.4 * {rest}"]
    for item, share, formula in zip(items, exact, formulas, strict=True):
        name, label = f"{item.key}Share", f"Share of {item.key}"
        if accepts:
            derivation.share_of_whole(name, label, formula, share, item.target_share)
        else:
            derivation.given(name, label, item.target_share, "share")
    formulas = [f"round({item.key}Share * max(0, plannedIncome))" for item in items]
    if accepts:
        rest = "(plannedIncome - runningEssentials)"
        formulas = ["runningEssentials", f"round(0.6 * {rest})", f"round(0.4 * {rest})"]
    for item, share, formula in zip(items, exact, formulas, strict=True):
        derivation.part(
            f"{item.key}Target",
            f"Target of {item.key}",
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
    derivation.given(
        "unknown", "Spent a month in no known category", subject.household.planned.unknown
    )
    part = ""
    if living.benefit.monthly:
        derivation.given("benefit", "Benefit that may end, a month", living.benefit.monthly)
    elif living.runway_months is not None and not living.regular_draws:
        derivation.given("drawable", "What can be drawn on", living.drawable)
        derivation.given("horizon", "How long it should last", living.horizon, "months")
        part = "min(1, drawable / shortfall / horizon) * "
    derivation.derive(
        "essentialsTarget", "Target of essentials", "max(0, runningEssentials)", items[0].target
    )
    if living.benefit.monthly:
        # How long savings last follows month by month, with the benefit and then without it.
        derivation.given("discretionaryTarget", "Target of discretionary", items[1].target)
    else:
        derivation.derive(
            "discretionaryTarget",
            "Target of discretionary",
            f"max(unknown + round({part}max(0, runningDiscretionary - unknown)),"
            " max(0, plannedIncome) - essentialsTarget)",
            items[1].target,
        )
    derivation.derive(
        "savingsTarget",
        "Target of savings, drawn where it is below 0",
        "max(0, plannedIncome) - essentialsTarget - discretionaryTarget",
        items[2].target,
    )
    spent = items[0].target + items[1].target
    for item in items:
        name, label = f"{item.key}Share", f"Share of {item.key}"
        if spent > 0 and item.key != "savings":
            formula = f"{item.key}Target / (essentialsTarget + discretionaryTarget)"
            derivation.share_of_whole(
                name, label, formula, Fraction(item.target, spent), item.target_share
            )
        else:
            derivation.given(name, label, item.target_share, "share")


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
        return "The shares are your own (`finplan settings`)."
    if planned.income <= 0:
        return "No income can be planned with, so the guide's shares stand and the targets are 0."
    taken = percent(planned.essentials, planned.income)
    if _accepts_needs(subject):
        return (
            f"Essentials take {taken} of planned income and the guide is 50%: what needs take is"
            " accepted, and the rest is shared 60 to 40 between wants and savings."
        )
    if planned.essentials >= planned.income:
        return f"Essentials take {taken} of planned income, so nothing is left to share."
    return (
        f"Essentials take {taken} of planned income, so the guide fits: 50% needs, 30% wants, 20%"
        " savings."
    )


def _drawn_reason(subject: Subject) -> str:
    """Why the targets are not a split of income, and what becomes of a person's own shares."""
    household = subject.household
    living = household.living
    said = "Planned income does not carry the month, so savings do: essentials stand whole"
    if living.regular_draws:
        said += ", and wants too, since an investment that is not linked pays regularly."
    elif living.runway_months is None or living.lasts:
        said += f", and wants too, since the savings last {living.horizon} months or more."
    else:
        said += f", and wants by how much of {living.horizon} months the savings last."
    if household.ledger.settings.budget_shares is not None:
        said += " Your own shares wait until income carries the month."
    return said


def window(subject: Subject) -> SectionExplanation:
    """Which days are averaged: the full months that every account that matters covers."""
    household, shown = subject.household, subject.plan.window
    facts = household.books.window
    derivation = Derivation()
    derivation.day("from", "First day", shown.since)
    derivation.day("to", "Last day", shown.until)
    derivation.given("days", "Days, both counted", shown.days, "days")
    add_months_averaged(derivation, facts)
    derivation.given("transactionCount", "Transactions in it", shown.transaction_count, "count")
    derivation.given("accountCount", "Accounts, hidden ones left out", shown.account_count, "count")
    derivation.day("dataEnd", "Where the data end", facts.data_end)
    if not facts.transaction_count:
        return SectionExplanation(
            derivation, ("There are no transactions, so there is nothing to average.",)
        )
    reasons = ["A month that an account covers only in part would make spending look small."]
    if facts.month_keys:
        reasons.append(
            f"{count(len(facts.month_keys), 'month')} before this one, at most 12, are covered in"
            " full by every account that carries a twentieth of what goes out or comes in."
        )
    else:
        reasons.append(
            "No month is covered in full, so these days count as one: nothing is extrapolated."
        )
    if facts.limited_by is not None:
        name = household.ledger.accounts[facts.limited_by].name
        reasons.append(f"Without {name} the window would be longer: it covers fewer months.")
    return SectionExplanation(derivation, reasons, contributions_in_window(household))


def monthly(subject: Subject) -> SectionExplanation:
    """The means of the window, each divided once and rounded once."""
    household = subject.household
    books, means, shown = household.books, household.means, subject.plan.monthly
    derivation = Derivation()
    months = add_months_averaged(derivation, books.window)
    derivation.mean("income", "Income", means.income, months, incomeTotal=books.income)
    derivation.mean(
        "totalSpend", "Spending", means.total_spend, months, spendingTotal=books.spending
    )
    for name in RUNNING_LINES:
        _add_line_mean(derivation, household, name, name.capitalize())
    derivation.derive("surplus", "Left over", "income - totalSpend", means.surplus)
    if means.income > 0:
        rate = "round(surplus / income, 4)"
        derivation.derive("savingsRate", "Share left over", rate, shown.savings_rate, "share")
    else:
        derivation.given("savingsRate", "Share left over", shown.savings_rate, "share")
    derivation.mean("saved", "Really put aside", means.saved, months, savedTotal=books.saved)
    add_capacity(derivation, household)
    _add_daily(derivation, subject)
    reasons = [
        "Refunds are taken off spending; moves between own accounts are neither income nor spending.",
        "What is left over is not the change in net worth: loan payments count whole, principal too.",
        *planned_reasons(household),
    ]
    if any("rounding" in {each.name for each in figure.values} for figure in derivation.figures):
        reasons.append("Rounding hands a unit to a line, so that the lines add up to the spending.")
    flows = {"income", "spending"}
    contributions = contributions_in_window(
        household, lambda each: household.ledger.catalogue.flow(each) in flows
    )
    return SectionExplanation(derivation, reasons, contributions)


def daily_allowance(subject: Subject) -> SectionExplanation:
    """The plan's pace: the discretionary target, spread over the year."""
    derivation = Derivation()
    _add_daily(derivation, subject)
    reasons = (
        (
            "This is the plan's own pace and stays as it is until the next plan. What is safe to spend"
            " today follows the money at hand: `finplan plan explain allowance`."
        ),
        share_reason(subject),
    )
    return SectionExplanation(
        derivation, reasons, contributions_of_line(subject.household, "discretionary")
    )


def _add_daily(derivation: Derivation, subject: Subject) -> None:
    target = subject.plan.budget[1].target
    derivation.given("discretionaryTarget", "Target of discretionary spending", target)
    derivation.derive(
        "dailyAllowance",
        "The plan's pace a day",
        "floor(max(0, discretionaryTarget) * 12 / 365)",
        subject.plan.monthly.daily_allowance,
    )
