"""Explanations of a plan's month: the window, the means and the pace of a day."""

from finplan.plan.explain.budget import share_reason
from finplan.plan.explain.contributions import contributions_in_window
from finplan.plan.explain.formula import Derivation, add_months_averaged
from finplan.plan.explain.parts import (
    SectionExplanation,
    Subject,
    contributions_of_line,
)
from finplan.plan.explain.running import add_capacity, line_total, planned_reasons
from finplan.plan.words import count


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
    for name, line in (("essentials", "essential"), ("discretionary", "discretionary")):
        total = {f"{line}Total": line_total(household, line)}
        derivation.mean(name, name.capitalize(), getattr(means, name), months, **total)
    derivation.derive("surplus", "Left over", "income - totalSpend", means.surplus)
    if means.income > 0:
        derivation.share(
            "savingsRate", "Share left over", "round(surplus / income, 4)", shown.savings_rate
        )
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
