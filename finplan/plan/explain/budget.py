"""The explanation of the budget: what its lines take, the shares of planned income, what is drawn."""

from fractions import Fraction

from finplan.model.money import half_even
from finplan.plan.explain.contributions import contributions_in_window
from finplan.plan.explain.formula import Derivation, add_months_averaged
from finplan.plan.explain.parts import (
    SectionExplanation,
    Subject,
    is_spending,
)
from finplan.plan.explain.running import (
    add_planned_income,
    add_running_discretionary,
    add_running_essentials,
    line_total,
    planned_reasons,
)
from finplan.plan.sections.budget import GUIDE, above_guide, target_shares
from finplan.plan.words import percent


def budget(subject: Subject) -> SectionExplanation:
    """What the three lines take, and the nearest targets that planned income or savings carry."""
    household, means = subject.household, subject.household.means
    derivation = Derivation()
    months = add_months_averaged(derivation, household.books.window)
    derivation.mean(
        "essentials",
        "Essentials a month",
        means.essentials,
        months,
        essentialTotal=line_total(household, "essential"),
    )
    derivation.mean(
        "income", "Income a month", means.income, months, incomeTotal=household.books.income
    )
    derivation.mean(
        "discretionary",
        "Discretionary a month",
        means.discretionary,
        months,
        discretionaryTotal=line_total(household, "discretionary"),
    )
    derivation.derive(
        "surplus", "Left over a month", "income - essentials - discretionary", means.surplus
    )
    add_planned_income(derivation, household)
    add_running_essentials(derivation, household)
    if household.living.applies:
        _add_drawn_targets(derivation, subject)
    else:
        _add_shares(derivation, subject)
        _add_targets(derivation, subject)
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


def _add_shares(derivation: Derivation, subject: Subject) -> None:
    household, items = subject.household, subject.plan.budget
    exact = target_shares(household.planned, household.ledger.settings.budget_shares)
    formulas: tuple[str, ...] = ()
    if _accepts_needs(subject):
        rest = "(1 - runningEssentials / plannedIncome)"
        formulas = ("runningEssentials / plannedIncome", f"0.6 * {rest}", f"0.4 * {rest}")
    for place, item in enumerate(items):
        name, label = f"{item.key}Share", f"Share of {item.key}"
        if formulas:
            derivation.share_of_whole(name, label, formulas[place], exact[place], item.target_share)
        else:
            derivation.given(name, label, item.target_share, "share")


def _add_targets(derivation: Derivation, subject: Subject) -> None:
    planned, items = subject.household.planned, subject.plan.budget
    exact = target_shares(planned, subject.household.ledger.settings.budget_shares)
    formulas = [f"round({item.key}Share * max(0, plannedIncome))" for item in items]
    if _accepts_needs(subject):
        rest = "(plannedIncome - runningEssentials)"
        formulas = ["runningEssentials", f"round(0.6 * {rest})", f"round(0.4 * {rest})"]
    for item, share, formula in zip(items, exact, formulas, strict=True):
        whole = share * max(0, planned.income)
        derivation.part(
            f"{item.key}Target",
            f"Target of {item.key}",
            formula,
            half_even(whole.numerator, whole.denominator),
            item.target,
        )


def _add_drawn_targets(derivation: Derivation, subject: Subject) -> None:
    """The targets of who lives on savings: essentials whole, wants as long as the savings last."""
    living, items = subject.household.living, subject.plan.budget
    add_running_discretionary(derivation, subject.household)
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
