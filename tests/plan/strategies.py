"""Random households for property tests of the plan's sections."""

from datetime import date, timedelta

from hypothesis import strategies as st

from finplan.model.user import BudgetShares
from tests.plan.households import Household, every, household

TODAY = date(2026, 1, 10)
"""The day on which the random households are looked at."""

OUT = ["rent", "groceries", "transport", "insurance", "dining", "shopping", "work_expenses"]
ODD = ["interest_fees", "unlinked_card", "investing", "uncategorized", "subscriptions"]
IN = ["wages", "other_income", "interest", "unknown_inflow"]

amounts = st.integers(1, 3_000_00)
balances = st.integers(-2_000_00, 60_000_00)
shares = st.integers(0, 100).flatmap(
    lambda first: st.integers(0, 100 - first).map(
        lambda second: BudgetShares(
            essentials=first / 100,
            discretionary=second / 100,
            savings=(100 - first - second) / 100,
        )
    )
)


@st.composite
def households(draw: st.DrawFn) -> Household:
    """Households with cash, perhaps cards, loans and investments, and up to fifteen months of rows."""
    home = household(
        target_months=draw(st.none() | st.integers(0, 12)),
        budget_shares=draw(st.none() | shares),
    )
    home.checking(balance=draw(balances))
    if draw(st.booleans()):
        home.savings(balance=draw(balances))
    cards = [f"card {number}" for number in range(draw(st.integers(0, 2)))]
    for name in cards:
        home.card(
            name,
            balance=draw(st.none() | st.integers(-500_00, 9_000_00)),
            credit_limit=draw(st.none() | st.integers(0, 10_000_00)),
            apr=draw(st.none() | st.sampled_from([0.0, 0.1999, 0.2999])),
            minimum_payment=draw(st.none() | st.integers(0, 300_00)),
        )
    if draw(st.booleans()):
        home.loan(balance=draw(st.integers(0, 90_000_00)))
    if draw(st.booleans()):
        home.brokerage(balance=draw(st.integers(0, 90_000_00)))
    start = TODAY - timedelta(draw(st.integers(0, 450)))
    _add_flows(draw, home, start, cards)
    return home


def _add_flows(draw: st.DrawFn, home: Household, start: date, cards: list[str]) -> None:
    for number, category in enumerate(draw(st.lists(st.sampled_from(OUT + ODD + IN), max_size=9))):
        step = draw(st.sampled_from([7, 14, 30, 31, 91]))
        days = [day for day in every(start, step, 64) if day <= TODAY]
        paid = [draw(amounts)] * len(days) if draw(st.booleans()) else [draw(amounts) for _ in days]
        if category in IN:
            home.on("checking").credits(days, f"payer {number}", paid, category)
            continue
        home.on(draw(st.sampled_from(["checking", *cards])))
        home.charges(days, f"shop {number}", paid, category)
        if draw(st.booleans()):
            home.credit(start, f"shop {number}", draw(amounts), category)
    home.on("checking")
    if draw(st.booleans()):
        home.charge(TODAY, "cafe", draw(amounts), "dining", pending=draw(st.booleans()))
    if draw(st.booleans()) and cards:
        home.transfer(start, "checking", cards[0], draw(amounts))
