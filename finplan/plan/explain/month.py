"""Explanations of a plan's month: the window, the means, the budget and the pace of a day."""

from fractions import Fraction

from finplan.model.money import half_even
from finplan.plan.explain.contributions import in_window
from finplan.plan.explain.formula import Working, note_months
from finplan.plan.explain.parts import (
    Subject,
    Told,
    is_spending,
    line_total,
    note_essentials,
    note_planned,
    planned_reason,
    rows_of_line,
)
from finplan.plan.sections.budget import GUIDE, above_guide, target_shares
from finplan.plan.sections.monthly import CREDITS_TO_RUN
from finplan.plan.words import count, percent


def window(subject: Subject) -> Told:
    """Which days are averaged: the full months that every account that matters covers."""
    household, shown = subject.household, subject.plan.window
    facts = household.books.window
    work = Working()
    work.day("from", "First day", shown.since)
    work.day("to", "Last day", shown.until)
    work.given("days", "Days, both counted", shown.days, "days")
    note_months(work, facts)
    work.given("transactionCount", "Transactions in it", shown.transaction_count, "count")
    work.given("accountCount", "Accounts, hidden ones left out", shown.account_count, "count")
    work.day("dataEnd", "Where the data end", facts.data_end)
    if not facts.transaction_count:
        return Told(work, ("There are no transactions, so there is nothing to average.",))
    reasons = ["A month that an account covers only in part would make spending look small."]
    if facts.month_keys:
        reasons.append(
            f"{count(len(facts.month_keys), 'month')} before this one, at most 12, are covered in"
            " full by every account that carries a twentieth of what goes out or comes in."
        )
    else:
        reasons.append("No month is covered in full, so the figures are sums of these days.")
    if facts.limited_by is not None:
        name = household.ledger.accounts[facts.limited_by].name
        reasons.append(f"Without {name} the window would be longer: it covers fewer months.")
    return Told(work, reasons, in_window(household))


def monthly(subject: Subject) -> Told:
    """The means of the window, each divided once and rounded once."""
    household = subject.household
    books, means, shown = household.books, household.means, subject.plan.monthly
    work = Working()
    months = note_months(work, books.window)
    work.mean("income", "Income", means.income, months, incomeTotal=books.income)
    work.mean("totalSpend", "Spending", means.total_spend, months, spendingTotal=books.spending)
    for name, line in (("essentials", "essential"), ("discretionary", "discretionary")):
        total = {f"{line}Total": line_total(household, line)}
        work.mean(name, name.capitalize(), getattr(means, name), months, **total)
    work.derive("surplus", "Left over", "income - totalSpend", means.surplus)
    if means.income > 0:
        work.share(
            "savingsRate", "Share left over", "round(surplus / income, 4)", shown.savings_rate
        )
    else:
        work.given("savingsRate", "Share left over", shown.savings_rate, "share")
    work.mean("saved", "Really put aside", means.saved, months, savedTotal=books.saved)
    running = [each for each in books.sources if each.active and each.count >= CREDITS_TO_RUN]
    parts = [f"running{place}" for place in range(1, len(running) + 1)]
    for name, source in zip(parts, running, strict=True):
        work.given(name, f"{source.name} pays a month", source.monthly)
    work.total("runningIncome", "What running sources pay", means.running, parts)
    note_planned(work, household)
    work.derive(
        "capacity", "Left of planned income", "max(0, plannedIncome - totalSpend)", means.capacity
    )
    _note_daily(work, subject)
    reasons = [
        "Refunds are taken off spending; moves between own accounts are neither income nor spending.",
        "What is left over is not the change in net worth: loan payments count whole, principal too.",
        planned_reason(household),
    ]
    if any("rounding" in {each.name for each in figure.values} for figure in work.figures):
        reasons.append("Rounding hands a unit to a line, so that the lines add up to the spending.")
    flows = {"income", "spending"}
    feeding = in_window(household, lambda each: household.ledger.catalogue.flow(each) in flows)
    return Told(work, reasons, feeding)


def daily_allowance(subject: Subject) -> Told:
    """The plan's pace: the discretionary target, spread over the year."""
    work = Working()
    _note_daily(work, subject)
    reasons = (
        (
            "This is the plan's own pace and stays as it is until the next plan. What is safe to spend"
            " today follows the money at hand: `finplan plan explain allowance`."
        ),
        _share_reason(subject),
    )
    return Told(work, reasons, rows_of_line(subject.household, "discretionary"))


def _note_daily(work: Working, subject: Subject) -> None:
    target = subject.plan.budget[1].target
    work.given("discretionaryTarget", "Target of discretionary spending", target)
    work.derive(
        "dailyAllowance",
        "The plan's pace a day",
        "floor(max(0, discretionaryTarget) * 12 / 365)",
        subject.plan.monthly.daily_allowance,
    )


def budget(subject: Subject) -> Told:
    """What the three lines take now, and the nearest split that essentials leave room for."""
    household, means = subject.household, subject.household.means
    work = Working()
    note_essentials(work, household)
    months = household.books.window.months
    work.mean("income", "Income a month", means.income, months, incomeTotal=household.books.income)
    work.mean(
        "discretionary",
        "Discretionary a month",
        means.discretionary,
        months,
        discretionaryTotal=line_total(household, "discretionary"),
    )
    work.derive(
        "surplus", "Left over a month", "income - essentials - discretionary", means.surplus
    )
    _note_shares(work, subject)
    _note_targets(work, subject)
    if means.income > 0:
        work.derive(
            "aboveGuide",
            "Essentials above the guide",
            "max(0, essentials - round(income / 2))",
            above_guide(means),
        )
    reasons = (
        _share_reason(subject),
        "The targets of essentials and discretionary spending are ceilings, that of savings a floor.",
    )
    return Told(work, reasons, in_window(household, lambda each: is_spending(household, each)))


def _note_shares(work: Working, subject: Subject) -> None:
    household, items = subject.household, subject.plan.budget
    exact = target_shares(household.means, household.ledger.settings.budget_shares)
    formulas: tuple[str, ...] = ()
    if _accepts_needs(subject):
        rest = "(1 - essentials / income)"
        formulas = ("essentials / income", f"0.6 * {rest}", f"0.4 * {rest}")
    for place, item in enumerate(items):
        name, label = f"{item.key}Share", f"Share of {item.key}"
        if formulas:
            work.share_of_whole(name, label, formulas[place], exact[place], item.target_share)
        else:
            work.given(name, label, item.target_share, "share")


def _note_targets(work: Working, subject: Subject) -> None:
    means, items = subject.household.means, subject.plan.budget
    exact = target_shares(means, subject.household.ledger.settings.budget_shares)
    formulas = [f"round({item.key}Share * max(0, income))" for item in items]
    if _accepts_needs(subject):
        rest = "(income - essentials)"
        formulas = ["essentials", f"round(0.6 * {rest})", f"round(0.4 * {rest})"]
    for item, share, formula in zip(items, exact, formulas, strict=True):
        whole = share * max(0, means.income)
        work.part(
            f"{item.key}Target",
            f"Target of {item.key}",
            formula,
            half_even(whole.numerator, whole.denominator),
            item.target,
        )


def _accepts_needs(subject: Subject) -> bool:
    """Whether essentials take more than the guide and less than all, so that the rest is shared."""
    means, own = subject.household.means, subject.household.ledger.settings.budget_shares
    share = Fraction(means.essentials, means.income) if means.income > 0 else Fraction(0)
    return own is None and GUIDE[0] < share < 1


def _share_reason(subject: Subject) -> str:
    means = subject.household.means
    if subject.household.ledger.settings.budget_shares is not None:
        return "The shares are your own (`finplan settings`)."
    if means.income <= 0:
        return "No income is known, so the guide's shares stand and the targets are 0."
    taken = percent(means.essentials, means.income)
    if _accepts_needs(subject):
        return (
            f"Essentials take {taken} of income and the guide is 50%: what needs take is accepted,"
            " and the rest is shared 60 to 40 between wants and savings."
        )
    if means.essentials >= means.income:
        return f"Essentials take {taken} of income, so nothing is left to share."
    return (
        f"Essentials take {taken} of income, so the guide fits: 50% needs, 30% wants, 20% savings."
    )
