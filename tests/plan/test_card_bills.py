"""Payments to a card that is not linked are a bill: plan-semantics, C20."""

from datetime import date, timedelta

import pytest

from finplan.model.plan import Plan
from finplan.plan.build import build_plan
from finplan.plan.ledger.books import Series
from finplan.plan.live.upcoming import expected_charges
from finplan.plan.sections.unlinked_cards import (
    UnlinkedCard,
    monthly_paid_to,
    unlinked_cards_paid,
)
from tests.plan.households import Household, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)
UNEVEN = [610_00, 1_240_00, 402_50, 880_00, 655_10, 1_020_00, 318_00]


def payer(days: list[date], amounts: int | list[int] = 610_00, name: str = "AMEX") -> Household:
    """Somebody who pays a card from checking."""
    home = household().checking(balance=5_000_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
    return home.charges(days, name, amounts, "unlinked_card")


def bills(home: Household) -> list[Series]:
    return [each for each in home.books(TODAY).charges if each.category == "unlinked_card"]


def plan_of(home: Household) -> Plan:
    return build_plan(home.ledger(), TODAY)


@pytest.mark.parametrize("times", [3, 4, 7])
def test_a_card_paid_on_its_day_is_a_bill_whatever_it_comes_to(times: int) -> None:
    """Three payments on the 14th are a monthly bill, though no two are near each other."""
    days = monthly("2025-06-14", 7)[-times:]
    (bill,) = bills(payer(days, UNEVEN[-times:]))
    assert (bill.cadence, bill.active, bill.next_date) == ("monthly", True, date(2026, 1, 14))
    assert bill.count_all == times


def test_its_amount_is_the_median_of_the_last_six() -> None:
    """Neither the last payment nor a mean of all: a seventh one back has no say."""
    (bill,) = bills(payer(monthly("2025-06-14", 7), UNEVEN))
    # Of 1,240.00, 402.50, 880.00, 655.10, 1,020.00 and 318.00 the middle two are 655.10 and 880.00.
    assert bill.amount == bill.monthly == 767_55


def test_a_last_payment_that_held_is_not_the_next_one() -> None:
    """Two equal payments after four others are no new price of a card: the median stands."""
    amounts = [500_00, 500_00, 500_00, 500_00, 620_00, 620_00]
    (bill,) = bills(payer(monthly("2025-07-14", 6), amounts))
    assert (bill.amount, bill.price_before, bill.price_changed) == (500_00, None, None)


def test_payments_on_any_day_are_no_bill() -> None:
    """Money sent whenever there is some keeps no rhythm, so nothing says when the next one comes."""
    days = ["2025-03-02", "2025-04-27", "2025-05-03", "2025-08-19", "2025-10-30", "2025-11-07"]
    assert bills(payer([date.fromisoformat(day) for day in days], 200_00)) == []


def test_two_payments_are_no_bill() -> None:
    """Two dates have one distance, which may be any."""
    assert bills(payer(monthly("2025-11-14", 2))) == []


def test_a_bill_every_quarter_is_spread_over_its_months() -> None:
    """A card that is paid four times a year takes a third of its bill a month."""
    (bill,) = bills(payer(monthly("2025-01-14", 4, step=3), 900_00))
    assert (bill.cadence, bill.amount, bill.monthly) == ("quarterly", 900_00, 300_00)


def linked(last_paired: int) -> Household:
    """Twelve payments on the 14th; the last so many have arrived on a card that is linked."""
    days = monthly("2025-01-14", 12)
    home = payer(days[: 12 - last_paired], UNEVEN[:1] * (12 - last_paired))
    home.card("amex", balance=300_00, covered=(days[12 - last_paired], TODAY))
    for day in days[12 - last_paired :]:
        home.transfer(day, "checking", "amex", 610_00, category="card_payment", payee="AMEX")
    return home


def test_a_linked_card_is_no_bill() -> None:
    """Once the payment that was due has arrived on a linked card, its purchases are counted instead."""
    home = payer(monthly("2025-01-14", 12))
    assert [bill.next_date for bill in bills(home)] == [date(2026, 1, 14)]
    assert bills(linked(1)) == []
    assert bills(linked(3)) == []


def test_another_card_of_the_same_name_stays_a_bill() -> None:
    """A payment to a linked card half a month later is not the one that is due."""
    home = payer(monthly("2025-01-14", 12))
    home.card("blue", balance=300_00, covered=YEAR)
    for day in monthly("2025-01-02", 13):
        home.transfer(day, "checking", "blue", 90_00, category="card_payment", payee="AMEX")
    assert [bill.next_date for bill in bills(home)] == [date(2026, 1, 14)]


def test_a_bill_of_a_card_raises_no_price() -> None:
    """A larger card bill is more shopping, no price that rose."""
    plan = plan_of(payer(monthly("2025-01-14", 12), [500_00] * 10 + [560_00] * 2))
    assert "price_rise" not in {action.kind for action in plan.actions}


def test_the_plan_lists_it_and_keeps_its_category() -> None:
    """It is a recurring charge of the category that says that no detail is known."""
    (listed,) = plan_of(payer(monthly("2025-01-14", 12))).recurring
    assert (listed.name, listed.category, listed.monthly) == ("AMEX", "unlinked_card", 610_00)


def test_one_figure_a_month_wherever_it_is_said() -> None:
    """What bills hold of the card, its note and the action that asks to link it are one sum."""
    plan = plan_of(payer(monthly("2025-06-14", 7), UNEVEN))
    (action,) = [each for each in plan.actions if each.kind == "connect_account"]
    assert action.amount == plan.recurring[0].monthly == 767_55
    assert "$768 a month" in action.detail
    assert any("$768 a month" in note for note in plan.notes)


def test_payments_without_a_rhythm_are_told_by_their_last_three_months() -> None:
    """A third of what ninety days paid, where two payments were made; one payment tells no month."""
    days = [date(2025, 10, 30), date(2025, 11, 7), date(2025, 12, 29)]
    home = payer(days, [300_00, 150_00, 90_00])
    home.charge("2025-12-20", "VISA", 700_00, "unlinked_card")
    number = home.payee_number("AMEX")
    books = home.books(TODAY)
    assert unlinked_cards_paid(books) == [UnlinkedCard((number,), 180_00)]
    assert monthly_paid_to(number, unlinked_cards_paid(books)) == 180_00
    assert monthly_paid_to(99, unlinked_cards_paid(books)) == 0


def test_a_regular_card_is_counted_once() -> None:
    """Its ninety days are in its series already; a second card stands beside it, dearest first."""
    home = payer(monthly("2025-06-14", 7), UNEVEN)
    days = [date(2025, 10, 20), date(2025, 11, 27), date(2025, 12, 9)]
    home.charges(days, "VISA", [900_00, 1_400_00, 1_000_00], "unlinked_card")
    assert [card.monthly for card in unlinked_cards_paid(home.books(TODAY))] == [1_100_00, 767_55]


def test_a_card_that_is_paid_no_more_is_none() -> None:
    """Half a year without a payment: the bill has stopped and takes nothing a month."""
    home = payer(monthly("2025-01-14", 6))
    assert unlinked_cards_paid(home.books(TODAY)) == []
    assert plan_of(home).recurring == ()


def test_a_pending_payment_is_the_bill_whatever_it_comes_to() -> None:
    """Tomorrow's payment waits already: it is not expected a second time."""
    home = payer(monthly("2025-01-11", 12), UNEVEN[:1] * 12)
    home.charge(TODAY, "AMEX", 1_900_00, pending=True)
    ledger = home.ledger()
    found = expected_charges(bills(home), ledger.pending, TODAY, TODAY + timedelta(40))
    assert [each.day for each in found] == [date(2026, 2, 11)]
