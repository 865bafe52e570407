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


def largest_wants(household: Assessment, most: int) -> str:
    """At most so many of the largest discretionary categories with their figures, as a sentence."""
    wants = [
        entry
        for entry in household.categories
        if entry.line == "discretionary"
        and entry.category not in _NOT_A_CHOICE
        and entry.monthly > 0
    ]
    return _with_amounts(household, sorted(wants, key=lambda entry: -entry.monthly)[:most])


_NOT_A_CHOICE = frozenset({"uncategorized", "unlinked_card", "cash"})
"""Nobody can spend less on what is not known."""


def _with_amounts(household: Assessment, entries: Sequence[PlanCategory]) -> str:
    return listed([f"{entry.label} ({household.money(entry.monthly)})" for entry in entries])
