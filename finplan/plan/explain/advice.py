"""Explanations of what a plan says in words: its actions and its notes."""

import re
from collections.abc import Mapping

from finplan.model.plan import Action
from finplan.plan.advise.assessment import cash_left
from finplan.plan.explain.contributions import contributions_in_window
from finplan.plan.explain.formula import Derivation
from finplan.plan.explain.parts import SectionExplanation, Subject, unknown_balances
from finplan.plan.words import count

_NAME = re.compile(r"[A-Za-z]\w*")

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

_AMOUNTS: Mapping[str, str] = {
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
    figures = _figures(subject)
    formulas = [_formula(each.kind, subject) for each in found]
    named = set(_NAME.findall(" ".join(each or "" for each in formulas)))
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


def _formula(kind: str, subject: Subject) -> str | None:
    """How the amount of a kind of action follows from the figures of a plan; None if it is given."""
    if kind == "pay_down_card" and subject.household.payoff.lump:
        return "lumpSum"
    if kind == "cover_cash_gap" and subject.household.likely_gap is not None:
        return "max(0, 0 - lowBeforePayday)"
    return _AMOUNTS.get(kind)


def _add_action(derivation: Derivation, action: Action, formula: str | None) -> None:
    name = f"action{action.priority}"
    if formula is None or action.amount is None:
        derivation.given(name, action.title, action.amount)
    else:
        derivation.derive(name, action.title, formula, action.amount)


def _figures(subject: Subject) -> Mapping[str, tuple[str, int | None]]:
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
        "plannedIncome": (
            "Income that is planned with",
            household.planned.income,
        ),
        "knownDiscretionary": ("Discretionary a month in known categories", household.known_wants),
        "savingsTarget": ("What should be left over", plan.budget[2].target),
        "surplus": ("What is left over from now on", household.planned.surplus),
        "cashLeft": (
            "Cash that neither bills nor other advice takes",
            cash_left(household),
        ),
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
