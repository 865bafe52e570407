"""Suggestions for the made-up household, and what it did with its own categories."""

from finplan.model.category import (
    CategoryChoice,
    CategorySuggestion,
    CreatedCategory,
    PresentHome,
    RemovedCategory,
    SuggestedMerchant,
)

BIKES = CategoryChoice(
    category="cat_k3f9x2m7q4w8r1t5v6y0z3b2",
    label="Bikes",
    line="discretionary",
    custom=True,
    reimbursable=False,
)
HOBBIES = CategoryChoice(
    category="hobbies",
    label="Sport and hobbies",
    line="discretionary",
    custom=False,
    reimbursable=False,
)


PAY = CategoryChoice(
    category="wages", label="Pay", line="not_spending", custom=False, reimbursable=False
)


def suggestions() -> tuple[CategorySuggestion, ...]:
    """A theme with more merchants than are named, and one that is paid back."""
    shops = (("Petco", 9, 41_200), ("Happy Tails", 4, 30_050), ("Rover", 6, 18_000))
    more = (("Chewy", 3, 9_900), ("Paws \x1b[31mInn", 1, 4_000))
    return (
        CategorySuggestion(
            theme="pet",
            name="Pet care",
            line="needs",
            reimbursable=False,
            charges=23,
            total=103_150,
            monthly=8_596,
            merchants=tuple(
                SuggestedMerchant(payee=payee, charges=charges, total=total)
                for payee, charges, total in (*shops, *more)
            ),
            now_in=(
                PresentHome(label="Shopping", charges=13),
                PresentHome(label="Not yet known", charges=10),
            ),
        ),
        CategorySuggestion(
            theme="work_trip",
            name="Work trips",
            line="wants",
            reimbursable=True,
            charges=3,
            total=90_000,
            monthly=7_500,
            merchants=(
                SuggestedMerchant(payee="Hyatt", charges=1, total=60_000),
                SuggestedMerchant(payee="United", charges=2, total=30_000),
            ),
            now_in=(PresentHome(label="Travel", charges=3),),
        ),
    )


def created() -> tuple[CreatedCategory, ...]:
    """A category with payees, and an empty one."""
    return (
        CreatedCategory(category=BIKES, merchants=1, charges=1_204),
        CreatedCategory(category=BIKES, merchants=0, charges=0),
    )


def removed() -> tuple[RemovedCategory, ...]:
    """A category that was merged, one whose charges went back, and an empty one."""
    return (
        RemovedCategory(category=BIKES, merged_into=HOBBIES, merchants=2, charges=14),
        RemovedCategory(category=BIKES, merged_into=None, merchants=2, charges=14),
        RemovedCategory(category=BIKES, merged_into=None, merchants=0, charges=0),
    )
