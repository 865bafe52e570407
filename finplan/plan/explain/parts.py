"""What an explanation is made from, and one section explained, before it is a wire shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from finplan.model import plan_words
from finplan.model.plan import Plan
from finplan.model.standing.words import unknown_said
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.contributions import Contributions, contributions_in_window
from finplan.plan.explain.formula import Derivation, add_months_averaged
from finplan.plan.sections.monthly import MONTHS_TO_TRUST, spending_totals


@dataclass(frozen=True, slots=True)
class Subject:
    """A household on a day, the plan that it comes to, and the plan that its live view rests on."""

    household: Assessment
    plan: Plan
    latest: Plan


@dataclass(frozen=True, slots=True)
class SectionExplanation:
    """One section: how it is derived, the reasons for each choice, the rows that contribute."""

    derivation: Derivation
    reasons: Sequence[str] = field(default=())
    contributions: Contributions | None = None


Explainer = Callable[[Subject], SectionExplanation]


def is_spending(household: Assessment, category: str) -> bool:
    """Whether a category's rows are spending."""
    return household.ledger.catalogue.flow(category) == "spending"


def contributions_of_line(household: Assessment, line: str) -> Contributions:
    """The window's rows of one line of spending."""
    catalogue = household.ledger.catalogue
    return contributions_in_window(
        household, lambda each: is_spending(household, each) and catalogue[each].line == line
    )


def line_total(household: Assessment, line: str) -> int:
    """The window's sum of one line of spending."""
    catalogue = household.ledger.catalogue
    totals = spending_totals(household.books, catalogue)
    return sum(entry.total for entry in totals if catalogue[entry.category].line == line)


def add_essentials(derivation: Derivation, household: Assessment) -> None:
    """Add what essentials take a month."""
    months = add_months_averaged(derivation, household.books.window)
    derivation.mean(
        "essentials",
        "Essentials a month",
        household.means.essentials,
        months,
        essentialTotal=line_total(household, "essential"),
    )


def add_base(derivation: Derivation, household: Assessment) -> str:
    """Add the base of the fund and answer its name: essentials, and what is regular but unknown."""
    add_essentials(derivation, household)
    if household.target.base == household.means.essentials:
        return "essentials"
    derivation.derive(
        "base",
        "With regular charges not yet known",
        "essentials + regularUnknown",
        household.target.base,
        regularUnknown=household.standing.regular,
    )
    return "base"


def add_capacity(derivation: Derivation, household: Assessment) -> None:
    """Add what planned income leaves after spending; the months are known before."""
    means, months = household.means, household.books.window.months
    derivation.mean(
        "income", "Income a month", means.income, months, incomeTotal=household.books.income
    )
    derivation.mean(
        "totalSpend",
        "Spending a month",
        means.total_spend,
        months,
        spendingTotal=household.books.spending,
    )
    derivation.given("runningIncome", "What running sources pay", means.running)
    add_planned_income(derivation, household)
    derivation.derive(
        "capacity", "Left of planned income", "max(0, plannedIncome - totalSpend)", means.capacity
    )


def add_planned_income(derivation: Derivation, household: Assessment) -> None:
    """Add the planned income; income and running income are known before."""
    own = household.ledger.monthly_income
    if own is not None:
        derivation.given("plannedIncome", "Your own figure of monthly income", own)
        return
    means, formula = household.means, "min(income, runningIncome)"
    if household.books.window.months < MONTHS_TO_TRUST:
        formula = "income"
        if means.beyond_rhythm:
            label = "What regular pay brought beyond its rhythm"
            derivation.given("extraPay", label, means.beyond_rhythm)
            formula = "income - extraPay"
    derivation.derive("plannedIncome", "Planned income", formula, means.planned)


def planned_reason(household: Assessment) -> str:
    """Why planned income is what it is."""
    means = household.means
    if household.ledger.monthly_income is not None:
        return (
            "Planned income is your own figure: `finplan snapshot --income detected` goes back to what"
            " is seen."
        )
    if household.books.window.months < MONTHS_TO_TRUST:
        beyond = (
            ", without what regular pay brought beyond its rhythm" if means.beyond_rhythm else ""
        )
        return (
            f"Fewer than {MONTHS_TO_TRUST} months do not show the rhythm of every source, so planned"
            f" income is what came in{beyond}."
        )
    if means.running < means.income:
        return (
            "Planned income is what running sources pay, because more came in than they pay:"
            " one-off and stopped income is not planned with."
        )
    return "Planned income is what came in on average, because running sources pay no less."


def unknown_balances(household: Assessment) -> list[str]:
    """What is not known of balances, and how to tell it; nothing where all are known."""
    accounts = household.snapshot.accounts
    said = list(unknown_said(accounts, household.standing.view()))
    first = plan_words.awaited_balance(accounts)
    if first is not None:
        said[0] += f" To tell one: `finplan accounts set {first.id} --balance AMOUNT`."
    return said
