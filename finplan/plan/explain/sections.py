"""How the figures of a plan come about: a section's formulas, reasons and transactions.

An explanation is made from the assessment that a plan built now would rest on. A stored plan keeps no
transactions, and rows, rules and balances may have changed since it was built: explained with the
rows of now, its figures would not add up. So the figures are those of now, and the explanation says
whether the latest plan still has the same. The live view alone rests on the averages of the plan that
holds, as it does wherever it is shown.
"""

from collections.abc import Mapping

from finplan.categorise.catalogue import Catalogue
from finplan.model.explain import SECTIONS, Explanation, LatestPlan
from finplan.model.plan import Plan
from finplan.plan.advise.assessment import Assessment
from finplan.plan.build import plan_of
from finplan.plan.explain import budget, cash, debt, lists, live
from finplan.plan.explain.parts import Explainer, SectionExplanation, Subject, largest_contributions

EXPLAINERS: Mapping[str, Explainer] = {
    "window": budget.window,
    "snapshot": cash.snapshot,
    "monthly": budget.monthly,
    "dailyAllowance": budget.daily_allowance,
    "categories": lists.categories,
    "incomeSources": lists.income_sources,
    "recurring": lists.recurring,
    "emergencyFund": cash.emergency_fund,
    "debt": debt.debt,
    "budget": budget.budget,
    "actions": lists.actions,
    "notes": lists.notes,
    "allowance": live.safe_to_spend,
    "wealth": cash.wealth,
}
"""What explains each section."""

_FIGURES: Mapping[str, str] = {
    **dict.fromkeys(("income", "essentials", "discretionary", "totalSpend", "surplus"), "monthly"),
    **dict.fromkeys(("savingsRate", "saved", "plannedIncome", "runningIncome"), "monthly"),
    "capacity": "monthly",
    **dict.fromkeys(("liquidCash", "creditCardDebt", "otherDebt", "investments"), "snapshot"),
    "netWorth": "snapshot",
    **dict.fromkeys(("reserve", "monthsCovered", "targetMonths", "targetAmount"), "emergencyFund"),
    **dict.fromkeys(("gap", "monthlyContribution", "monthsToTarget"), "emergencyFund"),
    **dict.fromkeys(("strategy", "monthlyPayment", "monthsToClear", "utilization"), "debt"),
    "guard": "allowance",
}
"""The section that explains a figure whose name somebody may know."""


def section_names(catalogue: Catalogue) -> dict[str, str]:
    """Every spelling that names something to explain, without case, spaces, dashes and lines."""
    spelt = {_plain(figure): section for figure, section in _FIGURES.items()}
    for category in catalogue.categories.values():
        spelt |= {_plain(category.label): category.id, _plain(category.id): category.id}
    return spelt | {_plain(section): section for section in SECTIONS}


def find_section(catalogue: Catalogue, name: str) -> str | None:
    """The section or category that a text names, however it is spelt; None when it names none."""
    return section_names(catalogue).get(_plain(name))


def explain(
    household: Assessment, latest: Plan | None, section: str, holding: Plan | None = None
) -> Explanation:
    """Explain a section or a category; `latest` is the newest stored plan, None before the first.

    `holding` is the plan that the live view rests on, where that is another one than the latest. Raises
    KeyError for what `find_section` does not know.
    """
    plan = plan_of(household)
    subject = Subject(household, plan, holding or latest or plan)
    if section in EXPLAINERS:
        title, explanation = SECTIONS[section], EXPLAINERS[section](subject)
    else:
        title, explanation = _category(subject, section)
    rows, others = largest_contributions(household, explanation.contributions)
    return Explanation(
        section=section,
        title=title,
        generated_on=household.today,
        figures=tuple(explanation.derivation.figures),
        reasons=tuple(explanation.reasons),
        transactions=rows,
        more=others,
        plan=None
        if latest is None
        else LatestPlan(
            generated_on=latest.generated_on,
            same=_of_plan(plan, section) == _of_plan(latest, section),
        ),
    )


def _category(subject: Subject, category: str) -> tuple[str, SectionExplanation]:
    label = subject.household.ledger.catalogue[category].label
    return f"{label}: total and monthly amount.", lists.category(subject, category)


def _of_plan(plan: Plan, section: str) -> object:
    """What a plan says of a section; the live view and wealth are in no plan."""
    if section == "dailyAllowance":
        return plan.monthly.daily_allowance
    if section in {"allowance", "wealth"}:
        return None
    for name, shape in Plan.model_fields.items():
        if section in (shape.alias, name):
            return getattr(plan, name)
    return [category for category in plan.categories if category.category == section]


def _plain(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())
