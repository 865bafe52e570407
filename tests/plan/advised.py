"""Households that need one piece of advice each, and their neighbours that do not."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash


def steady(cash: int = 30_000_00, **settings: Any) -> Household:
    """A household in order: a full fund, spending well below income, nothing to do."""
    return (
        household(**settings)
        .checking(balance=cash, covered=YEAR)
        .earns_biweekly(2_000_00)
        .rents(1_200_00)
        .charges(every("2025-01-04", 7, 53), "SAFEWAY", 100_00, "groceries")
        .charges(monthly("2025-01-20", 12), "BISTRO", 900_00, "dining")
    )


def milliseconds(days_ago: int) -> int:
    noon = datetime(2026, 1, 10, 12, tzinfo=UTC) - timedelta(days_ago)
    return int(noon.timestamp() * 1000)


def signed_out() -> Household:
    return steady().connection("bank", "login_required", provider="aggregator")


def stale(days: int, **connection: Any) -> Household:
    details = {"provider": "aggregator", "last_synced_at": milliseconds(days), **connection}
    return steady().connection("bank", **details)


def unlinked_card() -> Household:
    return steady().charges(monthly("2025-01-22", 12), "CITI CARD", 300_00, "unlinked_card")


def stopped() -> Household:
    return steady().credits(monthly("2025-01-15", 9), "OLD JOB", 2_500_00, "wages")


def gift() -> Household:
    return steady().credit("2025-03-03", "GRANDMA", 60_000_00, "other_income")


def short_of_cash(cash: int = 500_00) -> Household:
    return steady(cash).charges(monthly("2025-01-14", 12), "INSURER", 700_00, "insurance")


def indebted(income: int = 2_000_00, cash: int = 500_00, **card: Any) -> Household:
    home = with_cash(cash).earns_biweekly(income).rents(1_200_00)
    details = {"balance": 6_000_00, "credit_limit": 9_000_00, "covered": YEAR, **card}
    home.card("visa", **details)
    return home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 110_00, "interest_fees")


def with_second_card(owed: int, limit: int) -> Household:
    home = indebted(apr=0.29)
    home.card("second", balance=owed, credit_limit=limit, apr=0.09, covered=YEAR)
    return home.charge("2025-12-20", "INTEREST CHARGE", 5_00)


def overspent() -> Household:
    return steady().charges(monthly("2025-01-21", 12), "TV SHOP", 2_500_00, "shopping")


def solvent_revolver() -> Household:
    return indebted(cash=40_000_00, balance=900_00)


def habitual_payer(cash: int = 12_000_00, **card: Any) -> Household:
    """A card that is paid in full each month; it owes 600."""
    home = steady(cash).card("visa", **{"balance": 600_00, "covered": YEAR, **card})
    home.charges(monthly("2025-01-12", 12), "MARKET", 600_00, "groceries")
    home.card_payments(monthly("2025-02-06", 11), "visa", 600_00)
    return home


def with_rare_bill(amount: int, cash: int, day: str = "02-15") -> Household:
    bills = [f"2024-{day}", f"2025-{day}"]
    home = steady(cash).charges(bills, "INSURER YEARLY", amount, "insurance")
    return home.charges(monthly("2024-02-25", 11), "OLD RENT", 1_00, "rent")


def yearly_bill(now: int, day: str = "2025-11-15", first: int = 1_090_00) -> Household:
    """Insurance by the year: a sum, then 1,140, and then another."""
    home = steady().charge(f"2023{day[4:]}", "INSURER YEARLY", first, "insurance")
    home.charges(monthly("2023-02-25", 23), "OLD RENT", 1_00, "rent")
    return home.charge(f"2024{day[4:]}", "INSURER YEARLY", 1_140_00).charge(
        day, "INSURER YEARLY", now
    )


def fee_on_a_card(name: str) -> Household:
    home = habitual_payer().on("visa")
    return home.charges(["2025-03-03", "2025-06-03"], name, 95_00, "interest_fees")


def spent_on_wants(amount: int) -> Household:
    return steady().charges(monthly("2025-01-21", 12), "TV SHOP", amount, "shopping")


def rising_essentials(late: int) -> Household:
    return (
        with_cash(30_000_00)
        .earns(3_000_00)
        .rents(1_800_00, times=12)
        .charges(monthly("2025-01-15", 9), "INSURER", 200_00, "insurance")
        .charges(monthly("2025-10-15", 3), "INSURER", late, "insurance")
    )


def dearer(price: int, since: int = 2) -> Household:
    home = steady()
    home.charges(monthly("2025-01-12", 12 - since), "STREAMFLIX", 15_00, "subscriptions")
    later = monthly("2025-01-12", 12)[12 - since :]
    return home.charges(later, "STREAMFLIX", price, "subscriptions")


def rising_pennies(late: int) -> Household:
    """Groceries rise from $200 by a twentieth: more dollars than insurance, which rises by half."""
    home = rising_essentials(200_00).charges(
        monthly("2025-01-09", 9), "MARKET", 800_00, "groceries"
    )
    home.charges(monthly("2025-10-09", 3), "MARKET", 850_00)
    home.charges(monthly("2025-01-11", 9), "CLINIC", 60_00, "health")
    return home.charges(monthly("2025-10-11", 3), "CLINIC", 60_00 + late)


def dearer_debt() -> Household:
    home = steady().charges(monthly("2025-01-12", 9), "Interest Charge", 48_00, "interest_fees")
    return home.charges(monthly("2025-10-12", 3), "Interest Charge", 51_00)


def metered() -> Household:
    home = steady().charges(monthly("2025-01-12", 10), "WATER CO", 40_00, "utilities")
    return home.charges(monthly("2025-11-12", 2), "WATER CO", 48_00)


def subscribed(amount: int) -> Household:
    return steady().charges(monthly("2025-01-12", 12), "STREAMFLIX", amount, "subscriptions")


def subscribed_twice() -> Household:
    home = steady().charges(monthly("2025-01-12", 12), "STREAMFLIX", 10_00, "subscriptions")
    return home.charges(monthly("2025-01-19", 12), "STREAMFLIX", 17_00)


def charged_fees(months: int, fee: int = 35_00) -> Household:
    return steady().charges(monthly("2025-02-12", months), "OVERDRAFT FEE", fee, "interest_fees")


def trip(day: str, *, back: int = 0) -> Household:
    home = steady().charge(day, "CONFERENCE", 800_00, "work_expenses")
    return home.credit(TODAY, "ACME EXPENSES", back, "work_expenses") if back else home


def idle(cash: int) -> Household:
    return steady(cash)


def unknown(amount: int) -> Household:
    return steady().charges(monthly("2025-01-22", 12), "ZORBLAX", amount)
