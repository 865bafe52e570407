"""Explanations of a plan's lists: the categories, who pays the household, and what comes again."""

import re
from datetime import date
from fractions import Fraction

from finplan.model.money import half_even
from finplan.plan.detect.cadence import PER_MONTH
from finplan.plan.explain.contributions import Contributions, contributions_in_window
from finplan.plan.explain.formula import Derivation, add_months_averaged
from finplan.plan.explain.parts import (
    SectionExplanation,
    Subject,
    is_spending,
)
from finplan.plan.explain.running import (
    add_planned_income,
    add_running_income,
    planned_reasons,
)
from finplan.plan.ledger.books import CategoryTotal, Series
from finplan.plan.live.expected import amount_due
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import running_charges
from finplan.plan.words import count


def categories(subject: Subject) -> SectionExplanation:
    """What each category takes of a month; each line's add up to the line."""
    household, means = subject.household, subject.household.means
    derivation = Derivation()
    months = add_months_averaged(derivation, household.books.window)
    parts: dict[str, list[str]] = {"essential": [], "discretionary": []}
    for entry in subject.plan.categories:
        name = _name(entry.category)
        derivation.mean(name, entry.label, entry.monthly, months, total=entry.total)
        parts[entry.line].append(name)
    derivation.total("essentials", "Essentials", means.essentials, parts["essential"])
    derivation.total("discretionary", "Discretionary", means.discretionary, parts["discretionary"])
    derivation.derive("totalSpend", "Spending", "essentials + discretionary", means.total_spend)
    reasons = (
        "Refunds are taken off the category in the month in which they arrive.",
        "To see one category: `finplan plan explain CATEGORY`.",
    )
    return SectionExplanation(
        derivation,
        reasons,
        contributions_in_window(household, lambda each: is_spending(household, each)),
    )


def category(subject: Subject, wanted: str) -> SectionExplanation:
    """What one category comes to, month by month."""
    household = subject.household
    window, catalogue = household.books.window, household.ledger.catalogue
    entry = household.books.categories.get(wanted) or CategoryTotal(wanted, 0, 0, ())
    derivation = Derivation()
    parts = []
    for key, amount in zip(window.month_keys, entry.by_month, strict=False):
        day = date(key // 100, key % 100, 1)
        parts.append(f"{day:%b}{day.year}".lower())
        derivation.given(parts[-1], f"{day:%B %Y}", amount)
    derivation.total("total", "In all", entry.total, parts)
    derivation.given("count", "Charges and refunds", entry.count, "count")
    months = add_months_averaged(derivation, window)
    shown = next((each for each in subject.plan.categories if each.category == wanted), None)
    monthly = shown.monthly if shown else per_month(entry.total, months)
    if months:
        exact = per_month(entry.total, months)
        derivation.part("monthly", "A month", "round(total / months)", exact, monthly)
    else:
        derivation.given("monthly", "A month", monthly)
    whole = sum(max(0, each.total) for each in subject.plan.categories)
    if shown and whole:
        derivation.share_of_whole(
            "shareOfSpend",
            "Share of spending",
            "max(0, total) / allCategories",
            Fraction(max(0, entry.total), whole),
            shown.share_of_spend,
            allCategories=whole,
        )
    flow, known = catalogue.flow(wanted), catalogue[wanted]
    reasons = [
        f"{known.label} is {known.line} spending."
        if flow == "spending"
        else f"{known.label} is no spending: {_FLOWS[flow]}"
    ]
    if entry.total < 0 and flow == "spending":
        reasons.append("More was refunded than spent, so it lowers the spending of these months.")
    if any(each.name == "rounding" for figure in derivation.figures for each in figure.values):
        reasons.append("Rounding hands a unit to a part, so that the parts add up to the whole.")
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda each: each == wanted)
    )


_FLOWS = {
    "income": "it is money that comes in.",
    "saving": "it is put aside.",
    "move": "the money only moves, or nobody knows yet where it came from.",
    "reimbursable": "somebody is to pay it back.",
}


def income_sources(subject: Subject) -> SectionExplanation:
    """What each source pays a month, and which of them are planned with."""
    household = subject.household
    books, means = household.books, household.means
    derivation = Derivation()
    months = add_months_averaged(derivation, books.window)
    for place, source in enumerate(_in_order(subject), start=1):
        name, label = f"source{place}", f"{source.name} a month"
        if not source.active:
            derivation.given(name, label, source.monthly)
        elif source.cadence == "irregular":
            derivation.mean(name, label, source.monthly, months, total=source.total)
        else:
            _add_rhythm(derivation, name, label, source)
    add_running_income(derivation, household)
    derivation.mean(
        "income", "What came in a month", means.income, months, incomeTotal=books.income
    )
    add_planned_income(derivation, household)
    reasons = [_of_source(subject, source) for source in _in_order(subject)]
    reasons.append(
        "The plan counts a source after three regular payments. Pay and benefits need two; a job that"
        " follows another needs one."
    )
    reasons += planned_reasons(household)
    income = {each.category for each in books.sources}
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda each: each in income)
    )


def _in_order(subject: Subject) -> list[Series]:
    """The sources as the plan lists them."""
    return sorted(
        subject.household.books.sources,
        key=lambda source: (-source.monthly, -source.total, source.name, source.payees),
    )


def _add_rhythm(derivation: Derivation, name: str, label: str, series: Series) -> None:
    assert series.cadence != "irregular"
    yearly = PER_MONTH[series.cadence] * 12
    if yearly == 12:
        derivation.given(name, label, series.monthly)
        return
    formula = "round(amount / 12)" if yearly == 1 else f"round(amount * {yearly} / 12)"
    monthly = Fraction(series.amount) * yearly / 12
    exact = half_even(monthly.numerator, monthly.denominator)
    if exact == series.monthly:
        derivation.derive(name, label, formula, exact, amount=series.amount)
    else:
        # What came in a part of its periods alone, or every four weeks, comes to another month.
        derivation.given(name, label, series.monthly)


def _of_source(subject: Subject, source: Series) -> str:
    say = subject.household
    times = count(source.count_all, "time")
    last = say.day(source.last_date)
    if source.cadence == "irregular":
        rhythm = f"{source.name} paid {times} without a rhythm, last on {last}"
    else:
        rhythm = (
            f"{source.name} pays {_CADENCE[source.cadence]}: {times} since"
            f" {say.day(source.first_date)}, last on {last}"
        )
    if not source.active:
        return f"{rhythm}; it is silent for too long and counts as stopped, so it adds 0."
    return f"{rhythm}{_amount_reason(source)}."


def _amount_reason(series: Series) -> str:
    if series.cadence == "irregular":
        return "; its month is the average of these months"
    if series.recent and series.amount == series.recent[-1][1]:
        return ""
    return "; amounts vary, so the middle one of the last six is expected"


_CADENCE = {
    "weekly": "every week",
    "biweekly": "every two weeks (26 times a year)",
    "semimonthly": "twice a month",
    "monthly": "every month",
    "quarterly": "every three months",
    "twice_yearly": "twice a year",
    "annual": "once a year",
}


_BY_LAW = "on the four days of a year on which estimated tax falls due"


def recurring(subject: Subject) -> SectionExplanation:
    """What each recurring charge comes to a month."""
    household = subject.household
    charges = running_charges(household.books)
    derivation = Derivation()
    names = [f"charge{place}" for place in range(1, len(charges) + 1)]
    for name, charge in zip(names, charges, strict=True):
        _add_rhythm(derivation, name, f"{charge.title} a month", charge)
    derivation.total(
        "recurringTotal", "Together a month", sum(charge.monthly for charge in charges), names
    )
    reasons = [
        (
            "A charge recurs when its days keep a rhythm; two prices at one payee are two charges."
            " In groceries, fuel, restaurants and shopping only a fixed price is one; cash never is."
        ),
        *(_of_charge(subject, charge) for charge in charges),
    ]
    stopped = [each for each in household.books.charges if not each.active]
    reasons += [
        f"{each.name} last came on {household.day(each.last_date)} and is left out: it stopped."
        for each in sorted(stopped, key=lambda each: (each.name, each.last_date))
    ]
    return SectionExplanation(
        derivation,
        reasons,
        Contributions(
            categories=sorted({charge.category for charge in charges}),
            since=household.books.window.since,
            until=household.today,
            payees=sorted({payee for charge in charges for payee in charge.payees}),
        ),
    )


def _of_charge(subject: Subject, charge: Series) -> str:
    say = subject.household
    assert charge.next_date is not None
    rhythm = _BY_LAW if charge.by_law else _CADENCE[charge.cadence]
    due, amount = amount_due(charge, charge.next_date), _amount_reason(charge)
    if due != charge.amount:
        amount = (
            "; amounts vary, so its month is the middle one of the last six, and the next is expected"
            f" as a year before: {say.money(due)}"
        )
    return (
        f"{charge.title} comes {rhythm}: {count(charge.count_all, 'time')}, last on"
        f" {say.day(charge.last_date)}, next on {say.day(charge.next_date)}{amount}."
    )


def _name(category: str) -> str:
    """A category's id as a formula may name it."""
    return re.sub(r"\W", "_", category)
