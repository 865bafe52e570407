"""What is known of a household beforehand, from how its money was made up and not from the product."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from tests.households.conftest import Shown

ESSENTIAL = frozenset(
    (
        *("rent", "mortgage", "home_upkeep", "utilities", "phone_internet", "groceries"),
        *("transport", "car", "insurance", "health", "childcare", "education"),
        *("family_support", "loan_payment", "interest_fees", "taxes"),
    )
)
CENT = 1
"""How far a mean lies from its parts when each is rounded by itself."""


@dataclass(frozen=True)
class Known:
    """A household's truth: amounts a month in minor units, and what a good planner advises in turn.

    `due` are the regular charges by name: what each is expected to take, and on which day; a charge of
    another name is wrong.
    """

    income: int
    spending: Mapping[str, int]
    cash: int
    owed: int
    advised: tuple[str, ...]
    due: Mapping[str, tuple[int, date]]

    @property
    def essentials(self) -> int:
        """What the essential categories take a month."""
        return sum(amount for name, amount in self.spending.items() if name in ESSENTIAL)

    @property
    def discretionary(self) -> int:
        """What the other categories take a month."""
        return sum(self.spending.values()) - self.essentials


def assert_known(shown: Shown, known: Known) -> None:
    """What is shown is what is known; nothing else is advised, and in no other order."""
    plan = shown.view.plan
    assert {each.category: each.monthly for each in plan.categories} == dict(known.spending)
    assert plan.monthly.income == known.income
    assert abs(plan.monthly.essentials - known.essentials) <= CENT
    assert abs(plan.monthly.discretionary - known.discretionary) <= CENT
    assert (plan.snapshot.liquid_cash, plan.debt.total) == (known.cash, known.owed)
    due = {each.name: (each.amount, each.next_date) for each in plan.recurring}
    assert due == dict(known.due)
    assert tuple(action.kind for action in plan.actions) == known.advised
