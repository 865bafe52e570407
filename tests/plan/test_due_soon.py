"""What is due in thirty days: each monthly charge once, and the bills of cards apart."""

from datetime import date

import pytest

from finplan.model import live_words
from finplan.model.snapshot import DueSoon, Upcoming
from tests.plan.households import Household, household, monthly
from tests.plan.typical import live

TODAY = date(2025, 11, 10)


def at_home() -> Household:
    """A rent on the 10th, not booked yet on the day itself, and pay on the 28th."""
    home = household().checking(balance=6_000_00, covered=("2024-10-01", "2025-11-09"))
    home.credits(monthly("2024-11-28", 12), "ACME", 3_000_00, "wages")
    return home.charges(monthly("2024-11-10", 12), "LANDLORD", 900_00, "rent")


def with_card(home: Household) -> Household:
    """A card of which all that was owed at the end of a month is paid on the 20th of the next one."""
    home.card("Visa", balance=828_00, covered=("2024-10-01", "2025-11-09"))
    bought = [
        310_00,
        295_00,
        402_00,
        350_00,
        277_00,
        388_00,
        333_00,
        291_00,
        365_00,
        342_00,
        319_00,
    ]
    home.charges(monthly("2024-11-05", 11), "GROCER", bought, "groceries")
    home.charge("2025-10-05", "GROCER", 400_00).charge("2025-11-05", "GROCER", 428_00)
    for day, paid in zip(monthly("2024-12-20", 11), bought, strict=True):
        home.transfer(day, "checking", "Visa", paid, category="card_payment", payee="VISA PAYMENT")
    return home


def test_a_monthly_charge_is_due_once_in_thirty_days() -> None:
    """Today is the first of them: in a month of thirty days, the same day of the next is the 31st."""
    shown = live(at_home(), TODAY)
    assert [each.date for each in shown.upcoming] == [TODAY, date(2025, 12, 10)]
    assert (shown.due.until, shown.due.total) == (date(2025, 12, 9), 900_00)
    assert [each.date for each in live_words.due_soon(shown)] == [TODAY]


def test_the_thirtieth_day_is_among_them() -> None:
    """What is due twenty-nine days from now is due in thirty days."""
    shown = live(at_home(), date(2025, 11, 11))
    assert (
        [each.date for each in live_words.due_soon(shown)]
        == [shown.due.until]
        == [date(2025, 12, 10)]
    )
    assert shown.due.total == 900_00


def test_a_bill_of_a_card_stands_apart() -> None:
    """Cash pays it, and its purchases were counted: it is told with its day, and in no sum."""
    shown = live(with_card(at_home()), TODAY)
    assert shown.due == DueSoon(
        until=date(2025, 12, 9),
        total=900_00,
        card_bills=(Upcoming(date=date(2025, 11, 20), name="Visa", amount=400_00),),
        repayments=(),
    )
    assert shown.period.guard == 6_000_00 - 900_00 - 400_00
    assert live_words.card_bills_said(shown, "USD") == (
        "Besides, cash pays a card's bill: Visa $400.00 on Thu 20 Nov. Purchases count when they are"
        " made, so that is in no sum."
    )
    assert live_words.card_bills_said(live(at_home(), TODAY), "USD") is None


@pytest.mark.parametrize(("pending", "left"), [(399_00, [1_00]), (400_00, []), (500_00, [])])
def test_a_bill_whose_payment_is_pending_is_due_no_more(pending: int, left: list[int]) -> None:
    """It has left cash already, in the list as in the guard."""
    home = with_card(at_home()).on("checking")
    home.charge("2025-11-09", "VISA PAYMENT", pending, pending=True)
    assert [each.amount for each in live(home, TODAY).due.card_bills] == left


def test_two_bills_are_told_by_their_day() -> None:
    """Each card has its own; a payment on a card's own account pays no bill."""
    home = with_card(at_home())
    home.card("Amex", balance=250_00, covered=("2024-10-01", "2025-11-09"))
    home.charges(monthly("2024-11-05", 13), "SHOP", 250_00, "shopping")
    for day in monthly("2024-12-25", 11):
        home.transfer(
            day, "checking", "Amex", 250_00, category="card_payment", payee="AMEX PAYMENT"
        )
    home.on("Amex").charge("2025-11-09", "VISA PAYMENT", 400_00, pending=True)
    shown = live(home, TODAY)
    assert [each.name for each in shown.due.card_bills] == ["Visa", "Amex"]
    said = live_words.card_bills_said(shown, "USD")
    assert said is not None
    assert "the bills of cards: Visa $400.00 on Thu 20 Nov, Amex $250.00 on Tue 25 Nov." in said


@pytest.mark.parametrize(("today", "named"), [("2025-10-21", []), ("2025-10-22", ["Visa"])])
def test_a_bill_of_the_thirtieth_day_is_named(today: str, named: list[str]) -> None:
    """What a card takes on the last of the days is due in them, what it takes on the next is not."""
    shown = live(with_card(at_home()), date.fromisoformat(today))
    assert [each.name for each in shown.due.card_bills] == named


def test_what_flatmates_pay_back_stands_beside_the_rent() -> None:
    """The rent is due whole; their shares come on their days, the next first, and are in no sum."""
    home = at_home().credits(monthly("2024-11-12", 12), "ZOE PARK", 250_00, "rent")
    home.credits(monthly("2024-11-12", 12), "ADA LEE", 300_00, "rent")
    home.credits(monthly("2024-11-11", 12), "KIM ROY", 200_00, "rent")
    shown = live(home, TODAY)
    assert shown.due.total == 900_00
    assert [(each.date.day, each.name, each.amount) for each in shown.due.repayments] == [
        (11, "KIM ROY", 200_00),
        (12, "ADA LEE", 300_00),
        (12, "ZOE PARK", 250_00),
    ]
    assert live_words.repayments_said(shown, "USD") == (
        "Expected back: KIM ROY $200.00 on Tue 11 Nov, ADA LEE $300.00 on Wed 12 Nov, ZOE PARK $250.00"
        " on Wed 12 Nov. That is in no sum of what is due."
    )
    assert live_words.repayments_said(live(at_home(), TODAY), "USD") is None


@pytest.mark.parametrize(("day", "named"), [("09", True), ("10", False)])
def test_what_is_paid_back_later_than_in_thirty_days_is_not_named(day: str, named: bool) -> None:
    """The thirtieth day is the last, as of bills; on the tenth of November that is the ninth."""
    home = at_home().credits(monthly(f"2024-11-{day}", 12), "ADA LEE", 300_00, "rent")
    if not named:
        home.credit("2025-11-10", "ADA LEE", 300_00, "rent")
    due = live(home, TODAY).due
    assert bool(due.repayments) is named
