"""Households of any rows whatever, for laws that must hold for all of them."""

from datetime import date

from hypothesis import strategies as st

from finplan.categorise.catalogue import BUILT_IN
from tests.plan.households import Household, every, household

LATE_DAY = date(2026, 11, 20)
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
# To make a strategy costs more than to draw from it, so each is made once.
numbers_of_payees = st.integers(1, 8)
numbers_of_rows = st.integers(0, 60)
exact_amounts = st.dictionaries(amounts, categories, max_size=2)
accounts = st.sampled_from(ACCOUNTS)
peers = st.sampled_from(PEERS)
either = st.booleans()


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
    names = [f"PAYEE {place}" for place in range(draw(numbers_of_payees))]
    named = st.sampled_from(names)
    amounts_of = {}
    for name in names:
        exact = draw(exact_amounts)
        home.payee(name, draw(categories), draw(categories), by_amount=exact)
        amounts_of[name] = amounts | st.sampled_from([*exact, 0, 9_99, -9_99])
    for _ in range(draw(numbers_of_rows)):
        name = draw(named)
        amount = draw(amounts_of[name])
        home.on(draw(accounts)).row(draw(days), name, amount, peer=draw(peers), counts=draw(either))
    if draw(either):
        home.on("checking").credits(every("2025-01-03", 14, 40), draw(named), 1500_00)
    return home
