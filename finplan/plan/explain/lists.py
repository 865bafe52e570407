"""Explanations of a plan's lists: categories, who pays, what comes again, its actions and notes."""

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from finplan.model.plan import Action
from finplan.plan.advise.assessment import cash_left
from finplan.plan.detect.cadence import PER_MONTH
from finplan.plan.explain.formula import (
    Derivation,
    add_months_averaged,
    add_planned_income,
    add_running_income,
    planned_reasons,
)
from finplan.plan.explain.parts import (
    Contributions,
    SectionExplanation,
    Subject,
    contributions_in_window,
    is_spending,
    unknown_balances,
)
from finplan.plan.ledger.books import CategoryTotal, Series
from finplan.plan.live.expected import amount_due
from finplan.plan.sections.monthly import per_month
from finplan.plan.sections.spending import running_charges, sources_by_size
from finplan.plan.words import count


def categories(subject: Subject) -> SectionExplanation:
    """What each category takes of a month; each line's add up to the line."""
    household, means = subject.household, subject.household.means
    derivation = Derivation()
    months = add_months_averaged(derivation, household.books.window)
    parts: dict[str, list[str]] = {"essential": [], "discretionary": []}
    for entry in subject.plan.categories:
        # A formula cannot name what is no word.
        name = re.sub(r"\W", "_", entry.category)
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
        else f"{known.label} is no spending: {_FLOWS_SAID[flow]}"
    ]
    if entry.total < 0 and flow == "spending":
        reasons.append("More was refunded than spent, so it lowers the spending of these months.")
    if any(each.name == "rounding" for figure in derivation.figures for each in figure.values):
        reasons.append("Rounding hands a unit to a part, so that the parts add up to the whole.")
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda each: each == wanted)
    )


_FLOWS_SAID = {
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
    for place, source in enumerate(sources_by_size(books), start=1):
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
    reasons = [_of_source(subject, source) for source in sources_by_size(books)]
    reasons.append(
        "The plan counts a source after three regular payments. Pay and benefits need two; a job that"
        " follows another needs one."
    )
    reasons += planned_reasons(household)
    income = {each.category for each in books.sources}
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda each: each in income)
    )


def _add_rhythm(derivation: Derivation, name: str, label: str, series: Series) -> None:
    assert series.cadence != "irregular"
    yearly = PER_MONTH[series.cadence] * 12
    if yearly == 12:
        derivation.given(name, label, series.monthly)
        return
    formula = "round(amount / 12)" if yearly == 1 else f"round(amount * {yearly} / 12)"
    exact = round(series.amount * yearly / 12)
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
            f"{source.name} pays {_CADENCES_SAID[source.cadence]}: {times} since"
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


_CADENCES_SAID = {
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
    names = []
    for place, charge in enumerate(charges, start=1):
        names.append(f"charge{place}")
        _add_rhythm(derivation, names[-1], f"{charge.title} a month", charge)
    total = sum(charge.monthly for charge in charges)
    derivation.total("recurringTotal", "Together a month", total, names)
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
    rhythm = _BY_LAW if charge.by_law else _CADENCES_SAID[charge.cadence]
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


_NAME_IN_AMOUNT = re.compile(r"[A-Za-z]\w*")

TRIGGERS: Mapping[str, str] = {
    "reconnect_bank": "a bank wants a sign-in, or data that matter are old",
    "connect_account": "the data show an account that is not linked",
    "income_stopped": "a source that gave a quarter of income pays no more",
    "cover_cash_gap": "more is due from cash before the period ends than there is, or usual spending"
    " takes the rest in a quarter of all cases",
    "cover_minimums": "what is left over does not cover the card minimums",
    "cover_shortfall": "spending exceeds income over two months or more",
    "pay_card_in_full": "cash covers a card that is carried over",
    "build_starter_fund": "a card is paid down and something is left over for a starter fund",
    "pay_down_card": "cards are carried over and cash does not cover them",
    "lower_utilization": "a card that is paid in full is nearly full, and cash covers what lowers it",
    "build_emergency_fund": "the fund is not full and something is left over for it",
    "prepare_bill": "a rare bill is due in 60 days and large against what is free",
    "trim_discretionary": "known wants exceed their target by 5% of income and too little is left",
    "review_essentials": "essentials take more than 60% of income, and what comes monthly rose of late",
    "price_rise": "a recurring charge rose by 5% or more within 90 days",
    "review_subscriptions": "subscriptions take a twentieth of income, or one is charged twice",
    "avoid_fees": "fees came in two months or more",
    "claim_reimbursement": "costs to be repaid have waited for more than 30 days",
    "invest_idle_cash": "cash exceeds the goal by more than 3 months of essentials, nothing is owed",
    "answer_questions": "payees are not known, and only you can tell",
}
"""When each kind of action is said."""

_AMOUNTS_OF_ACTIONS: Mapping[str, str] = {
    "cover_cash_gap": "0 - guard",
    "cover_minimums": "minimums - capacity - cardInterest",
    "cover_shortfall": "runningSpend - plannedIncome",
    "pay_card_in_full": "revolvingOwed",
    "build_starter_fund": "monthlyContribution",
    "pay_down_card": "monthlyPayment",
    "build_emergency_fund": "monthlyContribution",
    "trim_discretionary": (
        "min(knownDiscretionary - discretionaryTarget, savingsTarget - surplus,"
        " floor(knownDiscretionary / 2))"
    ),
    "invest_idle_cash": "min(reserve - targetAmount - 3 * essentials, cashLeft)",
}
"""How an action's amount follows from figures of the plan; that of other kinds is seen in the data."""


def actions(subject: Subject) -> SectionExplanation:
    """Each action's amount, and why it is said."""
    derivation = Derivation()
    found = subject.plan.actions
    figures = _figures_of_actions(subject)
    formulas = [_formula_of_action(each.kind, subject) for each in found]
    named = set(_NAME_IN_AMOUNT.findall(" ".join(each or "" for each in formulas)))
    for name, (label, amount) in figures.items():
        if name in named:
            derivation.given(name, label, amount)
    for each, formula in zip(found, formulas, strict=True):
        _add_action(derivation, each, formula)
    reasons = [f"{each.priority}. {each.title}: {TRIGGERS[each.kind]}." for each in found]
    if not found:
        reasons = ["Nothing that the data show calls for anything."]
    elif subject.household.books.window.months < 2:
        reasons.append("A single month supports no trend and no budget, so such advice waits.")
    reasons += unknown_balances(subject.household)
    reasons.append(
        "At most seven are given, the most urgent first; within a kind the larger amount."
    )
    return SectionExplanation(derivation, reasons)


def _formula_of_action(kind: str, subject: Subject) -> str | None:
    """How the amount of a kind of action follows from the figures of a plan; None if it is given."""
    if kind == "pay_down_card" and subject.household.payoff.lump:
        return "lumpSum"
    if kind == "cover_cash_gap" and subject.household.likely_gap is not None:
        return "max(0, 0 - lowBeforePayday)"
    return _AMOUNTS_OF_ACTIONS.get(kind)


def _add_action(derivation: Derivation, action: Action, formula: str | None) -> None:
    name = f"action{action.priority}"
    if formula is None or action.amount is None:
        derivation.given(name, action.title, action.amount)
    else:
        derivation.derive(name, action.title, formula, action.amount)


def _figures_of_actions(subject: Subject) -> Mapping[str, tuple[str, int | None]]:
    """The figures that amounts follow from."""
    household, plan = subject.household, subject.plan
    means, payoff = household.means, household.payoff
    gap = household.likely_gap
    return {
        "guard": ("What cash can spare before the period ends", household.guard),
        "lumpSum": ("To dear cards at once", payoff.lump),
        "lowBeforePayday": (
            "The least that cash may be before the period ends, in nine of ten cases",
            None if gap is None else gap.lowest,
        ),
        "minimums": ("Card minimums", payoff.waterfall.minimums),
        "capacity": ("Left of planned income", household.planned.capacity),
        "cardInterest": ("Card interest in spending", means.card_interest),
        "runningSpend": ("Spending a month from now on", household.planned.spend),
        "revolvingOwed": ("Carried over on cards", payoff.revolving_owed),
        "monthlyContribution": ("To the fund", plan.emergency_fund.monthly_contribution),
        "monthlyPayment": ("To the cards", plan.debt.monthly_payment),
        "plannedIncome": ("Income that is planned with", household.planned.income),
        "knownDiscretionary": ("Discretionary a month in known categories", household.known_wants),
        "savingsTarget": ("What should be left over", plan.budget[2].target),
        "surplus": ("What is left over from now on", household.planned.surplus),
        "cashLeft": ("Cash that neither bills nor other advice takes", cash_left(household)),
        "discretionaryTarget": ("Its target", plan.budget[1].target),
        "reserve": ("Reserve", household.target.reserve),
        "targetAmount": ("What the fund should hold", plan.emergency_fund.target_amount),
        "essentials": ("Essentials a month from now on", household.planned.essentials),
    }


def notes(subject: Subject) -> SectionExplanation:
    """What the notes rest on: the rows that no category explains."""
    household, books = subject.household, subject.household.books
    derivation = Derivation()
    for name, category, label in (
        ("uncategorised", "uncategorized", "Charges in no category"),
        ("unknownInflows", "unknown_inflow", "Money in that is no income, in the averaged months"),
        ("unlinkedCards", "unlinked_card", "Payments to cards that are not linked"),
    ):
        found = books.categories.get(category)
        if found and found.count:
            derivation.given(name, f"{label}: {count(found.count, 'row')}", found.total)
    waiting = household.ledger.pending
    if waiting:
        derivation.given("pending", "Pending rows", len(waiting), "count")
    reasons = subject.plan.notes or ("There is nothing to note.",)
    unknown = {"uncategorized", "unknown_inflow", "unlinked_card"}
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda each: each in unknown)
    )
