"""Households of any rows whatever, for laws that must hold for all of them."""

from datetime import date

from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN
from tests.plan.households import Household, every, household

TODAY = date(2026, 11, 20)
ACCOUNTS = ("checking", "joint", "savings", "card")
PEERS = (
    None,
    "checking",
    "savings",
    "card",
    "loan",
    "mortgage",
    "brokerage",
    "hsa",
    "house",
    "abroad",
)

days = st.dates(date(2024, 6, 1), date(2026, 11, 25))
amounts = st.integers(-3000_00, 3000_00)
categories = st.sampled_from(sorted(BUILT_IN))


def furnished() -> Household:
    """A household with an account of every role."""
    return (
        household()
        .savings("savings")
        .card("card")
        .loan("loan")
        .loan("mortgage", "mortgage")
        .brokerage("brokerage")
        .account("hsa", subtype="hsa")
        .account("house", "other", "property")
        .account("abroad", currency="EUR")
        .checking("joint")
        .checking("checking")
    )


@st.composite
def unruly_households(draw: st.DrawFn) -> Household:
    """A household whose rows are of any class, paired with anything or nothing."""
    home = furnished()
    names = [f"PAYEE {place}" for place in range(draw(st.integers(1, 8)))]
    for name in names:
        exact = draw(st.dictionaries(amounts, categories, max_size=2))
        home.payee(name, draw(categories), draw(categories), by_amount=exact)
    for _ in range(draw(st.integers(0, 60))):
        name = draw(st.sampled_from(names))
        amount = draw(amounts | st.sampled_from([*home.payees[name].by_amount, 0, 9_99, -9_99]))
        home.on(draw(st.sampled_from(ACCOUNTS))).row(
            draw(days),
            name,
            amount,
            peer=draw(st.sampled_from(PEERS)),
            counts=draw(st.booleans()),
        )
    if draw(st.booleans()):
        name = draw(st.sampled_from(names))
        home.on("checking").credits(every("2025-01-03", 14, 40), name, 1500_00)
    return home
