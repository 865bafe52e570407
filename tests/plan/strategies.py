"""Random households for property tests of the plan's sections."""

from datetime import date, timedelta

from hypothesis import strategies as st

from finplan.model.user import BudgetShares
from finplan.plan.detect.cadence import PER_MONTH
from tests.plan.households import TODAY, Household, every, household

OUT = ["rent", "groceries", "transport", "insurance", "dining", "shopping", "work_expenses"]
ODD = ["interest_fees", "unlinked_card", "investing", "uncategorized", "subscriptions"]
IN = ["wages", "other_income", "interest", "unknown_inflow"]

amounts = st.integers(1, 3_000_00)
balances = st.integers(-2_000_00, 60_000_00)
shares = st.integers(0, 100).flatmap(
    lambda first: st.integers(0, 100 - first).map(
        lambda second: BudgetShares(
            essentials=first / 100, discretionary=second / 100, savings=(100 - first - second) / 100
        )
    )
)


# To make a strategy costs more than to draw from it, so each is made once.
either = st.booleans()
target_months = st.none() | st.integers(0, 12)
wished_shares = st.none() | shares
numbers_of_cards = st.integers(0, 2)
card_balances = st.none() | st.integers(-500_00, 9_000_00)
credit_limits = st.none() | st.integers(0, 10_000_00)
rates = st.none() | st.sampled_from([0.0, 0.1999, 0.2999])
minimum_payments = st.none() | st.integers(0, 300_00)
large_balances = st.integers(0, 90_000_00)
days_of_history = st.integers(0, 450)
flows = st.lists(st.sampled_from(OUT + ODD + IN), max_size=9)
steps = st.sampled_from([7, 14, 30, 31, 91])


@st.composite
def households(draw: st.DrawFn) -> Household:
    """Households with cash, perhaps cards, loans and investments, and up to fifteen months of rows."""
    home = household(target_months=draw(target_months), budget_shares=draw(wished_shares))
    home.checking(balance=draw(balances))
    if draw(either):
        home.savings(balance=draw(balances))
    cards = [f"card {number}" for number in range(draw(numbers_of_cards))]
    for name in cards:
        home.card(
            name,
            balance=draw(card_balances),
            credit_limit=draw(credit_limits),
            apr=draw(rates),
            minimum_payment=draw(minimum_payments),
        )
    if draw(either):
        home.loan(balance=draw(large_balances))
    if draw(either):
        home.brokerage(balance=draw(large_balances))
    start = TODAY - timedelta(draw(days_of_history))
    _add_flows(draw, home, start, cards)
    return home


@st.composite
def planning(draw: st.DrawFn) -> Household:
    """Households that plan money, which may have happened by now, may happen soon and may repeat."""
    home = draw(households())
    for number in range(draw(st.integers(1, 3))):
        planned_on = TODAY - timedelta(draw(st.integers(0, 90)))
        cadence = draw(st.none() | st.sampled_from(sorted(PER_MONTH)))
        home.plans_money(
            draw(st.sampled_from(["cafe", "trip", f"shop {number}", f"payer {number}"])),
            draw(amounts),
            planned_on + timedelta(draw(st.integers(0, 200))),
            incoming=draw(either),
            planned_on=planned_on,
            cadence=cadence,
            category=draw(st.none() | st.sampled_from(["dining", "travel", "wages"])),
            done=cadence is None and draw(either),
        )
    return home


def _add_flows(draw: st.DrawFn, home: Household, start: date, cards: list[str]) -> None:
    accounts = st.sampled_from(["checking", *cards])
    for number, category in enumerate(draw(flows)):
        days = [day for day in every(start, draw(steps), 64) if day <= TODAY]
        paid = [draw(amounts)] * len(days) if draw(either) else [draw(amounts) for _ in days]
        if category in IN:
            home.on("checking").credits(days, f"payer {number}", paid, category)
            continue
        home.on(draw(accounts))
        home.charges(days, f"shop {number}", paid, category)
        if draw(either):
            home.credit(start, f"shop {number}", draw(amounts), category)
    home.on("checking")
    if draw(either):
        home.charge(TODAY, "cafe", draw(amounts), "dining", pending=draw(either))
    if draw(either) and cards:
        home.transfer(start, "checking", cards[0], draw(amounts))
