"""Households that live as people do: pay, rent, food, bills, cards, and what goes wrong with them.

Each follows from a seed, and is likely to be given several pieces of advice, which can be held against
each other.
"""

from datetime import date, timedelta
from random import Random

from tests.plan.households import TODAY, Household, every, household, monthly

_CASH = (-400_00, 0, 300_00, 1_200_00, 4_000_00, 11_000_00, 30_000_00, 120_000_00)
_PAY = ("wages", "wages", "wages", "pension_benefits", "self_employment")


def bill_payers(seed: int) -> Household:
    """The household of a seed: one to fifteen months of it."""
    chance = Random(seed)
    start = (date(2026, 1, 1) - timedelta(31 * chance.choice([1, 2, 5, 12, 12, 15]))).replace(day=1)
    home = household(target_months=chance.choice([None, None, chance.randint(0, 12)]))
    home.checking(balance=_cash(chance), covered=(start, TODAY))
    if chance.random() < 0.5:
        home.savings(balance=_cash(chance), covered=(start, TODAY))
        _move(chance, home, start)
    _be_paid(chance, home.on("checking"), start)
    _live(chance, home, start)
    _pay_bills(chance, home, start)
    _leave_unknown(chance, home, start)
    for number in range(chance.randint(0, 2)):
        _hold_card(chance, home, start, f"card {number}")
    if chance.random() < 0.1:
        home.loan(balance=chance.choice([None, 9_000_00]))
    if chance.random() < 0.2:
        home.brokerage(balance=_cash(chance))
    if chance.random() < 0.1:
        home.monthly_income(chance.randint(0, 6_000_00))
    return home


def _cash(chance: Random) -> int:
    return chance.choice(_CASH) + chance.randint(0, 999_99)


def _move(chance: Random, home: Household, start: date) -> None:
    """Money to savings each month, or from there."""
    amount = chance.randint(-100_00, 400_00)
    source, target = ("checking", "savings") if amount > 0 else ("savings", "checking")
    home.transfers(_until(monthly(start.replace(day=27), 16)), source, target, abs(amount) + 1)


def _be_paid(chance: Random, home: Household, start: date) -> None:
    """Pay in one of several rhythms, perhaps until some day, perhaps none; and a gift."""
    rhythms = (monthly(start.replace(day=28), 16), every(start, 14, 40), monthly(start, 16))
    last = chance.choice([TODAY, TODAY, TODAY, TODAY, date(2025, 10, 1)])
    paydays = [day for day in _until(chance.choice(rhythms)) if day <= last]
    amount, category = chance.randint(800_00, 5_000_00), chance.choice(_PAY)
    if chance.random() < 0.9:
        home.credits(paydays, "EMPLOYER", amount, category)
    if chance.random() < 0.2:
        gift = chance.randint(1, 40_000_00)
        home.credit(TODAY - timedelta(40), "GRANDMA", gift, "other_income")


def _live(chance: Random, home: Household, start: date) -> None:
    """Rent, food and wants, of which food may be dearer in the last months."""
    home.charges(_until(monthly(start, 16)), "LANDLORD", chance.randint(400_00, 2_200_00), "rent")
    food, risen = chance.randint(20_00, 200_00), chance.choice([2, 2, 3])
    for day in _until(every(start, 7, 80)):
        late = day >= TODAY - timedelta(95)
        home.charge(day, "GROCER", food * risen // 2 if late else food, "groceries")
    for name, category, on in (("BISTRO", "dining", 20), ("SHOP", "shopping", 22)):
        wanted = chance.randint(1, 1_400_00)
        home.charges(_until(monthly(start.replace(day=on), 16)), name, wanted, category)
    if chance.random() < 0.3:
        days = _until(monthly(start.replace(day=9), 16))
        home.charges(days, "ATM", chance.randint(1, 900_00), "cash")


def _pay_bills(chance: Random, home: Household, start: date) -> None:
    """Bills of every rhythm, dearer than before or not, fees, and costs that are repaid or not."""
    if chance.random() < 0.5:
        price = chance.randint(5_00, 300_00)
        days = _until(monthly(start.replace(day=12), 16))
        home.charges(days[:-2], "STREAM", price, "subscriptions")
        home.charges(days[-2:], "STREAM", price + chance.randint(0, price // 4), "subscriptions")
    if chance.random() < 0.5:
        amount = chance.randint(100_00, 5_000_00)
        days = monthly(chance.choice(["2023-01-14", "2023-02-10", "2023-03-05"]), 3, 12)
        dearer = amount + chance.randint(0, amount // 10)
        home.charges(days, "YEARLY", [amount, amount, dearer], "insurance")
    if chance.random() < 0.4:
        days = _until(monthly("2024-07-25", 6, 3))
        home.charges(days, "QUARTERLY", chance.randint(100_00, 3_000_00), "taxes")
    for name in ("OVERDRAFT FEE", "ATM FEE", "FX FOREIGN FEE"):
        if chance.random() < 0.2:
            days = _until(monthly(start.replace(day=3), 4))
            home.charges(days, name, chance.randint(1, 60_00), "interest_fees")
    if chance.random() < 0.25:
        home.charge(TODAY - timedelta(45), "AIRLINE", chance.randint(1, 900_00), "work_expenses")
        back = chance.randint(1, 900_00)
        home.credit(TODAY - timedelta(20), "ACME EXPENSES", back, "work_expenses")


def _leave_unknown(chance: Random, home: Household, start: date) -> None:
    """Charges in no category, and payments to a card that is not linked."""
    for name, category in (("ZORBLAX", "uncategorized"), ("CITI", "unlinked_card")):
        if chance.random() < 0.25:
            amount = chance.choice([chance.randint(1, 40_00), chance.randint(1, 900_00)])
            home.charges(_until(monthly(start.replace(day=16), 16)), name, amount, category)


def _hold_card(chance: Random, home: Household, start: date, name: str) -> None:
    """A card that is paid in full, that carries a balance, or of which little is known."""
    owed = chance.randint(0, 3_000_00)
    use = chance.choice(["in full", "in full", "carried", "unknown"])
    home.card(
        name,
        balance=None if chance.random() < 0.1 else owed,
        credit_limit=chance.choice([None, owed + chance.randint(1, 200_00), 2 * owed + 1]),
        apr=chance.choice([None, 0.0, 0.19, 0.29]),
        minimum_payment=chance.choice([None, chance.randint(0, 300_00)]),
        covered=(start, TODAY),
    )
    if use == "in full":
        home.charges(_until(monthly(start.replace(day=12), 16)), f"{name} shop", owed, "groceries")
        home.card_payments(_until(monthly(start.replace(day=6), 16))[1:], name, owed)
    elif use == "carried":
        days = _until(monthly(start.replace(day=20), 16))
        home.charges(days, "INTEREST CHARGE", chance.randint(1, 200_00), "interest_fees")
    home.on("checking")


def _until(days: list[date]) -> list[date]:
    return [day for day in days if day <= TODAY]
