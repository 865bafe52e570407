"""The categories: what each is called, which line it is on, and how its money flows.

The ids are a stable interface; the labels may be translated. `plan-semantics` is their source.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, cast

from finplan.model.category import BudgetLine, CategoryChoice

Flow = Literal["spending", "income", "saving", "move", "reimbursable"]


@dataclass(frozen=True, slots=True)
class Category:
    """One category; `group` is the key of its money group, None outside spending."""

    id: str
    label: str
    line: BudgetLine
    flow: Flow
    group: str | None = None
    custom: bool = False

    @classmethod
    def own(cls, category: str, label: str, line: BudgetLine, *, reimbursable: bool) -> "Category":
        """A category that a person made; its id begins with `cat_`.

        What is paid back is no spending, whatever line it is on; money off every line only moves.
        """
        if reimbursable:
            return cls(category, label, line, "reimbursable", custom=True)
        if line == "not_spending":
            return cls(category, label, line, "move", custom=True)
        return cls(category, label, line, "spending", OWN_GROUP, custom=True)

    @property
    def reimbursable(self) -> bool:
        """Whether somebody else pays these charges back."""
        return self.flow == "reimbursable"

    def as_choice(self) -> CategoryChoice:
        """The category as the interface shows it."""
        return CategoryChoice(
            category=self.id,
            label=self.label,
            line=self.line,
            custom=self.custom,
            reimbursable=self.reimbursable,
        )


OWN_GROUP = "own"
"""The theme of a person's own spending categories; it makes one money group on each line."""

FEE_CATEGORY = "interest_fees"
"""The category of fees, also of what was kept of a transfer on its way."""

_ESSENTIAL = """
rent: Rent: housing
mortgage: Mortgage: housing
home_upkeep: Home upkeep and fees: housing
utilities: Power, water, heating: utilities
phone_internet: Phone and internet: utilities
groceries: Groceries: groceries
transport: Fuel, transit, parking: transportation
car: Car repair and fees: transportation
insurance: Insurance: insurance
health: Doctor and pharmacy: health
childcare: Childcare: family
education: School and study: family
family_support: Support and alimony: family
pets: Pets: family
loan_payment: Loan payments: debt
interest_fees: Interest and bank fees: debt
taxes: Taxes: taxes
"""

_DISCRETIONARY = """
dining: Restaurants and coffee: dining
shopping: Shopping: shopping
home_goods: Furniture and garden: shopping
personal_care: Personal care: shopping
entertainment: Entertainment: fun
subscriptions: Subscriptions: fun
hobbies: Sport and hobbies: fun
kids: Kids' activities: fun
travel: Travel: travel
gifts_donations: Gifts and donations: giving
cash: Cash withdrawn: other
unlinked_card: Card without detail: other
uncategorized: Not yet known: other
"""

_NOT_SPENDING = """
work_expenses: Work costs to be repaid: reimbursable
transfer: Between own accounts: move
card_payment: Card payment (linked card): move
loan_proceeds: Loan paid out: move
unknown_inflow: Money in, not yet known: move
savings: To savings: saving
investing: Investments and retirement: saving
extra_principal: Extra loan payment: saving
wages: Pay: income
self_employment: Self-employment: income
pension_benefits: Pension and benefits: income
interest: Interest, dividends, cash back: income
tax_refund: Tax refund: income
other_income: Gifts and other income: income
"""

GROUP_LABELS: Mapping[str, str] = {
    "housing": "Housing",
    "utilities": "Utilities",
    "groceries": "Groceries",
    "transportation": "Transportation",
    "insurance": "Insurance",
    "health": "Doctor and pharmacy",
    "family": "Family",
    "debt": "Loans and fees",
    "taxes": "Taxes",
    "dining": "Restaurants and coffee",
    "shopping": "Shopping",
    "fun": "Fun",
    "travel": "Travel",
    "giving": "Gifts and donations",
    "other": "Other",
    OWN_GROUP: "Your own",
}
"""The money groups and what they are called; one that holds a single category has its title."""


def _lines(block: str) -> Iterable[tuple[str, str, str]]:
    for line in block.strip().splitlines():
        name, label, last = line.split(": ")
        yield name, label, last


BUILT_IN: Mapping[str, Category] = {
    category.id: category
    for category in (
        *(Category(i, label, "essential", "spending", g) for i, label, g in _lines(_ESSENTIAL)),
        *(
            Category(i, label, "discretionary", "spending", g)
            for i, label, g in _lines(_DISCRETIONARY)
        ),
        *(
            Category(i, label, "not_spending", cast("Flow", flow))
            for i, label, flow in _lines(_NOT_SPENDING)
        ),
    )
}
"""The thirty spending categories and the fourteen others, in the order that a person reads them."""

UNFILED = "unknown_inflow"
"""The category of money in that nobody has put in another one."""

UNKNOWN = frozenset({"uncategorized", UNFILED})
"""The categories of money, out and in, that nobody has put in another one."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The categories that a household's money is filed under."""

    categories: Mapping[str, Category] = field(default_factory=lambda: BUILT_IN)

    @classmethod
    def including(cls, own: Iterable[Category]) -> "Catalogue":
        """The built-in categories, then a person's own ones."""
        return cls({**BUILT_IN, **{category.id: category for category in own}})

    def __contains__(self, category: object) -> bool:
        return category in self.categories

    def __getitem__(self, category: str) -> Category:
        return self.categories[category]

    def flow(self, category: str) -> Flow:
        """How the category's money flows; KeyError for an unknown one."""
        return self.categories[category].flow
