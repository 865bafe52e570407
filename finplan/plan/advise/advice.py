"""What one piece of advice is, before it has a place among the others."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from finplan.model.plan import PlanCategory
from finplan.plan.advise.assessment import Assessment
from finplan.plan.words import listed


@dataclass(frozen=True, slots=True)
class Advice:
    """One thing to do: `detail` holds the figures and ends with what to do; `amount` is positive."""

    title: str
    detail: str
    amount: int | None = None


Adviser = Callable[[Assessment], Iterable[Advice]]
"""Gives the advice of one kind, one for each subject, or none."""


def listed_wants(household: Assessment, wants: Sequence[PlanCategory], between: str = "and") -> str:
    """Categories with what they take a month, as a sentence lists them."""
    return listed([f"{each.label} ({household.money(each.monthly)})" for each in wants], between)


def wants_by_size(household: Assessment) -> Sequence[PlanCategory]:
    """The discretionary categories that a person can choose to spend less on, the largest first."""
    wants = [
        each
        for each in household.categories
        if each.line == "discretionary" and each.category not in _NOT_A_CHOICE and each.monthly > 0
    ]
    return sorted(wants, key=lambda each: -each.monthly)


_NOT_A_CHOICE = frozenset({"uncategorized", "unlinked_card", "cash"})
"""Nobody can spend less on what is not known."""
