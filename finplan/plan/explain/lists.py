"""Explanations of a plan's lists: categories, who pays, what comes again, its actions and notes."""

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from finplan.model.plan import Action
from finplan.plan.advise.assessment import remaining_cash
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
        "A refund lowers spending in its category in the month when you receive the refund.",
        "To see one category: `finplan plan explain CATEGORY`.",
    )
    return SectionExplanation(
        derivation,
        reasons,
        contributions_in_window(household, lambda category: is_spending(household, category)),
    )


def category(subject: Subject, category_id: str) -> SectionExplanation:
    """What one category comes to, month by month."""
    household = subject.household
    window, catalogue = household.books.window, household.ledger.catalogue
    entry = household.books.categories.get(category_id) or CategoryTotal(category_id, 0, 0, ())
    derivation = Derivation()
    parts = []
    for key, amount in zip(window.month_keys, entry.by_month, strict=False):
        day = date(key // 100, key % 100, 1)
        parts.append(f"{day:%b}{day.year}".lower())
        derivation.enter(parts[-1], f"{day:%B %Y}", amount)
    derivation.total("total", "Total", entry.total, parts)
    derivation.enter("count", "Transactions", entry.count, "count")
    months = add_months_averaged(derivation, window)
    stated = next(
        (spend for spend in subject.plan.categories if spend.category == category_id), None
    )
    monthly = stated.monthly if stated else per_month(entry.total, months)
    if months:
        exact = per_month(entry.total, months)
        derivation.part("monthly", "A month", "round(total / months)", exact, monthly)
    else:
        derivation.enter("monthly", "A month", monthly)
    all_spending = sum(max(0, spend.total) for spend in subject.plan.categories)
    if stated and all_spending:
        derivation.share_of_whole(
            "shareOfSpend",
            "Share of spending",
            "max(0, total) / allCategories",
            Fraction(max(0, entry.total), all_spending),
            stated.share_of_spend,
            allCategories=all_spending,
        )
    flow, details = catalogue.flow(category_id), catalogue[category_id]
    reasons = [
        f"{details.label} is {details.line} spending."
        if flow == "spending"
        else f"{details.label} is not spending: {_FLOWS_SAID[flow]}"
    ]
    if entry.total < 0 and flow == "spending":
        reasons.append("Refunds exceed purchases, so this category lowers your spending.")
    if any(value.name == "rounding" for figure in derivation.figures for value in figure.values):
        reasons.append(
            "Rounding may add a minor unit, such as a cent, to one part, so that the parts add up to"
            " the total."
        )
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda name: name == category_id)
    )


_FLOWS_SAID = {
    "income": "it is income.",
    "saving": "it is money put aside.",
    "move": "it is a transfer between your accounts, or money in from an unknown source.",
    "reimbursable": "you expect to be paid back.",
}


def income_sources(subject: Subject) -> SectionExplanation:
    """What each source pays a month, and which of them are planned with."""
    household = subject.household
    books, means = household.books, household.means
    derivation = Derivation()
    months = add_months_averaged(derivation, books.window)
    for number, source in enumerate(sources_by_size(books), start=1):
        name, label = f"source{number}", f"{source.name} a month"
        if not source.active:
            derivation.enter(name, label, source.monthly)
        elif source.cadence == "irregular":
            derivation.mean(name, label, source.monthly, months, total=source.total)
        else:
            _add_rhythm(derivation, name, label, source)
    add_running_income(derivation, household)
    derivation.mean(
        "income", "Average income a month", means.income, months, incomeTotal=books.income
    )
    add_planned_income(derivation, household)
    reasons = [_of_source(subject, source) for source in sources_by_size(books)]
    reasons.append(
        "The plan counts a source of income after three regular payments. Pay and benefits need"
        " only two, and a job that follows another job needs only one."
    )
    reasons += planned_reasons(household)
    income = {source.category for source in books.sources}
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda category: category in income)
    )


def _add_rhythm(derivation: Derivation, name: str, label: str, series: Series) -> None:
    assert series.cadence != "irregular"
    yearly = PER_MONTH[series.cadence] * 12
    if yearly == 12:
        derivation.enter(name, label, series.monthly)
        return
    formula = "round(amount / 12)" if yearly == 1 else f"round(amount * {yearly} / 12)"
    exact = round(series.amount * yearly / 12)
    if exact == series.monthly:
        derivation.derive(name, label, formula, exact, amount=series.amount)
    else:
        # What came in a part of its periods alone, or every four weeks, comes to another month.
        derivation.enter(name, label, series.monthly)


def _of_source(subject: Subject, source: Series) -> str:
    say = subject.household
    times = count(source.count_all, "time")
    last = say.day(source.last_date)
    if source.cadence == "irregular":
        rhythm = f"{source.name} paid {times}, irregularly, last on {last}"
    else:
        rhythm = (
            f"{source.name} pays {_CADENCES_SAID[source.cadence]}: {times} since"
            f" {say.day(source.first_date)}, last on {last}"
        )
    if not source.active:
        return f"{rhythm}. finplan treats this income as stopped, so it adds 0."
    return f"{rhythm}{_amount_reason(source)}."


def _amount_reason(series: Series) -> str:
    if series.cadence == "irregular":
        return "; the plan uses its average"
    if series.recent and series.amount == series.recent[-1][1]:
        return ""
    return "; amounts vary, so the plan uses the median of the last six"


_CADENCES_SAID = {
    "weekly": "every week",
    "biweekly": "every two weeks (26 times a year)",
    "semimonthly": "twice a month",
    "monthly": "every month",
    "quarterly": "every three months",
    "twice_yearly": "twice a year",
    "annual": "once a year",
}


_BY_LAW = "on the four estimated-tax due dates of the year"


def recurring(subject: Subject) -> SectionExplanation:
    """What each recurring charge comes to a month."""
    household = subject.household
    charges = running_charges(household.books)
    derivation = Derivation()
    names = []
    for number, charge in enumerate(charges, start=1):
        names.append(f"charge{number}")
        _add_rhythm(derivation, names[-1], f"{charge.title} a month", charge)
    total = sum(charge.monthly for charge in charges)
    derivation.total("recurringTotal", "Total a month", total, names)
    reasons = [
        (
            "A charge is recurring if its dates are regular. Two prices at one payee are two"
            " charges. Groceries, fuel, restaurants and shopping count only at a fixed price; cash"
            " withdrawals never count."
        ),
        *(_of_charge(subject, charge) for charge in charges),
    ]
    stopped = [series for series in household.books.charges if not series.active]
    reasons += [
        f"{series.name} stopped and is excluded. Last charge: {household.day(series.last_date)}."
        for series in sorted(stopped, key=lambda series: (series.name, series.last_date))
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
            "; amounts vary, so the plan uses the median of the last six. Expect last year's"
            f" {say.money(due)} next"
        )
    return (
        f"{charge.title} recurs {rhythm}: {count(charge.count_all, 'time')}, last on"
        f" {say.day(charge.last_date)}, next on {say.day(charge.next_date)}{amount}."
    )


_NAME_IN_AMOUNT = re.compile(r"[A-Za-z]\w*")

TRIGGERS: Mapping[str, str] = {
    "reconnect_bank": "a bank needs you to sign in, or important data is old",
    "connect_account": "your transactions show an account that is not linked",
    "income_stopped": "a source of at least a quarter of your income stopped",
    "cover_cash_gap": "bills before the period ends exceed your cash, or everyday spending may use up"
    " the rest (25 or more of 100 cases)",
    "cover_minimums": "the surplus does not cover the card minimums",
    "cover_shortfall": "spending exceeds income over two months or more",
    "pay_card_in_full": "your cash covers the card debt you carry",
    "build_starter_fund": "you are paying down a card and have money left for a starter fund",
    "pay_down_card": "you carry card debt that your cash does not cover",
    "lower_utilization": "a card that you pay in full is nearly full, and your cash can lower it",
    "build_emergency_fund": "the fund is not full, and you have money left for it",
    "prepare_bill": "a non-monthly bill is due within 60 days and is large for your spare cash",
    "trim_discretionary": "known discretionary spending exceeds its target by 5% of income, and the"
    " surplus is too small",
    "review_essentials": "essentials take more than 60% of income, and a monthly cost rose recently",
    "price_rise": "a recurring charge rose by 5% or more within 90 days",
    "review_subscriptions": "subscriptions take more than 5% of income, or one is charged twice",
    "avoid_fees": "you paid fees in two months or more",
    "claim_reimbursement": "you have been owed reimbursable costs for more than 30 days",
    "invest_idle_cash": "cash exceeds the fund by more than 3 months of essentials, and you carry no"
    " card debt",
    "answer_questions": "some payees are unknown, and only you can categorize them",
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
    advice = subject.plan.actions
    figures = _figures_of_actions(subject)
    formulas = [_formula_of_action(action.kind, subject) for action in advice]
    names = set(_NAME_IN_AMOUNT.findall(" ".join(formula or "" for formula in formulas)))
    for name, (label, amount) in figures.items():
        if name in names:
            derivation.enter(name, label, amount)
    for action, formula in zip(advice, formulas, strict=True):
        _add_action(derivation, action, formula)
    reasons = [f"{action.priority}. {action.title}. {_trigger(action.kind)}" for action in advice]
    if not advice:
        reasons = ["Nothing in your data calls for action."]
    elif subject.household.books.window.months < 2:
        reasons.append("One month is too short for advice about trends or budgets.")
    reasons += unknown_balances(subject.household)
    reasons.append(
        "The plan lists at most seven actions, most urgent first. Actions of the same kind are"
        " sorted by amount, largest first."
    )
    return SectionExplanation(derivation, reasons)


def _trigger(kind: str) -> str:
    """When a kind of action is said, as a sentence."""
    return f"{TRIGGERS[kind][0].upper()}{TRIGGERS[kind][1:]}."


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
        derivation.enter(name, action.title, action.amount)
    else:
        derivation.derive(name, action.title, formula, action.amount)


def _figures_of_actions(subject: Subject) -> Mapping[str, tuple[str, int | None]]:
    """The figures that amounts follow from."""
    household, plan = subject.household, subject.plan
    means, payoff = household.means, household.payoff
    gap = household.likely_gap
    return {
        "guard": ("Spare cash until the period ends", household.guard),
        "lumpSum": ("To pay on expensive cards now", payoff.lump),
        "lowBeforePayday": (
            "Lowest cash before the period ends in 9 of 10 cases",
            None if gap is None else gap.lowest,
        ),
        "minimums": ("Card minimums", payoff.waterfall.minimums),
        "capacity": ("Planned surplus", household.planned.capacity),
        "cardInterest": ("Card interest already in spending", means.card_interest),
        "runningSpend": ("Spending a month from now on", household.planned.spend),
        "revolvingOwed": ("Card debt you carry", payoff.revolving_owed),
        "monthlyContribution": ("To the fund", plan.emergency_fund.monthly_contribution),
        "monthlyPayment": ("To the cards", plan.debt.monthly_payment),
        "plannedIncome": ("Planned income", household.planned.income),
        "knownDiscretionary": ("Known discretionary spending a month", household.known_wants),
        "savingsTarget": ("Savings target", plan.budget[2].target),
        "surplus": ("Surplus from now on", household.planned.surplus),
        "cashLeft": ("Cash left after bills and other advice", remaining_cash(household)),
        "discretionaryTarget": ("Discretionary target", plan.budget[1].target),
        "reserve": ("Reserve", household.target.reserve),
        "targetAmount": ("Emergency fund target", plan.emergency_fund.target_amount),
        "essentials": ("Essentials a month from now on", household.planned.essentials),
    }


def notes(subject: Subject) -> SectionExplanation:
    """What the notes rest on: the rows that no category explains."""
    household, books = subject.household, subject.household.books
    derivation = Derivation()
    for name, category, label in (
        ("uncategorised", "uncategorized", "Uncategorized spending"),
        ("unknownInflows", "unknown_inflow", "Money in of unknown source"),
        ("unlinkedCards", "unlinked_card", "Payments to cards that are not linked"),
    ):
        entry = books.categories.get(category)
        if entry and entry.count:
            derivation.enter(name, f"{label}: {count(entry.count, 'transaction')}", entry.total)
    waiting = household.ledger.pending
    if waiting:
        derivation.enter("pending", "Pending transactions", len(waiting), "count")
    reasons = subject.plan.notes or ("Nothing to note.",)
    unknown = {"uncategorized", "unknown_inflow", "unlinked_card"}
    return SectionExplanation(
        derivation, reasons, contributions_in_window(household, lambda key: key in unknown)
    )
