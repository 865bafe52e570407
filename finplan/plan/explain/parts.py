"""What an explanation is made from, and one section explained, before it is a wire shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from finplan.model import plan_words
from finplan.model.plan import Plan
from finplan.model.standing.words import unknown_said
from finplan.plan.advise.assessment import Assessment
from finplan.plan.explain.contributions import Contributions, contributions_in_window
from finplan.plan.explain.formula import Derivation
from finplan.plan.explain.running import add_running_essentials


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


def add_base(derivation: Derivation, household: Assessment) -> str:
    """Add the base of the fund and answer its name: essentials, and what is regular but unknown."""
    add_running_essentials(derivation, household)
    if household.target.base == household.planned.essentials:
        return "runningEssentials"
    derivation.derive(
        "base",
        "With regular charges not yet known",
        "runningEssentials + regularUnknown",
        household.target.base,
        regularUnknown=household.standing.regular,
    )
    return "base"


def unknown_balances(household: Assessment) -> list[str]:
    """What is not known of balances, and how to tell it; nothing where all are known."""
    accounts = household.snapshot.accounts
    said = list(unknown_said(accounts, household.standing.view()))
    first = plan_words.awaited_balance(accounts)
    if first is not None:
        said[0] += f" To tell one: `finplan accounts set {first.id} --balance AMOUNT`."
    return said
