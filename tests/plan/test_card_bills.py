"""Payments to a card that is not linked are a bill: plan-semantics, C20."""

from datetime import date, timedelta

import pytest

from finplan.model.plan import Plan
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import build_plan
from finplan.plan.ledger.books import Series
from finplan.plan.live.expected import expected_charges
from finplan.plan.sections.missing_accounts import CardPayments, paid_a_month
from finplan.plan.sections.standing import take_standing
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
    """The note, the action, the question and what the plan calls unknown are one sum: the mean month."""
    home = payer(monthly("2025-01-14", 12), [*UNEVEN, 500_00, 700_00, 640_00, 600_00, 610_00])
    plan = plan_of(home)
    (action,) = [each for each in plan.actions if each.kind == "connect_account"]
    (month,) = [each.monthly for each in plan.categories if each.category == "unlinked_card"]
    assert action.amount == month == 681_30
    assert "about $681 a month, but" in action.detail
    assert any("AMEX ($681 a month), a card" in note for note in plan.notes)
    ledger = home.ledger()
    assert take_standing(ledger, keep_books(ledger, TODAY)).monthly == month


def test_the_next_debit_is_called_what_it_is() -> None:
    """Another sum than the month's: what the bills hold, and its day; without a rhythm there is none."""
    regular = payer(monthly("2025-06-14", 7), UNEVEN)
    (bill,) = bills(regular)
    assert bill.amount == 767_55
    (action,) = [each for each in plan_of(regular).actions if each.kind == "connect_account"]
    assert "The next debit, about $768, is expected on 14 January." in action.detail
    assert action.amount != bill.amount
    days = [date(2025, 10, 30), date(2025, 11, 7), date(2025, 12, 29)]
    (action,) = [each for each in plan_of(payer(days)).actions if each.kind == "connect_account"]
    assert "next debit" not in action.detail


def test_a_card_newer_than_the_window_is_told_by_its_own_months() -> None:
    """Seven months of payments in a window of twelve: their mean, and since when; else it is half."""
    home = payer(monthly("2025-06-14", 7), UNEVEN)
    home.charge("2025-01-02", "FIRST", 1_00, "dining")
    paid = paid_a_month(home.books(TODAY), home.payee_number("AMEX"))
    assert paid == CardPayments(732_23, date(2025, 6, 14))
    plan = plan_of(home)
    (action,) = [each for each in plan.actions if each.kind == "connect_account"]
    assert "You pay AMEX about $732 a month since June 2025, but" in action.detail
    assert any("AMEX ($732 a month since June 2025)" in note for note in plan.notes)


def test_payments_without_a_rhythm_are_told_by_their_last_three_months() -> None:
    """Where the window holds none: a third of what ninety days paid, where two payments were made."""
    home = payer([date(2026, 1, 3), date(2026, 1, 8)], [150_00, 90_00])
    home.charge("2026-01-05", "VISA", 700_00, "unlinked_card")
    books = home.books(TODAY)
    assert paid_a_month(books, home.payee_number("AMEX")) == CardPayments(80_00, None)
    assert paid_a_month(books, home.payee_number("VISA")) == CardPayments(0, None)


def test_a_card_that_is_paid_no_more_is_not_asked_for() -> None:
    """Half a year without a payment: the bill has stopped, and there is nothing to link."""
    plan = plan_of(payer(monthly("2025-01-14", 6)))
    assert plan.recurring == ()
    assert "Link AMEX" not in {each.title for each in plan.actions}


def test_a_pending_payment_is_the_bill_whatever_it_comes_to() -> None:
    """Tomorrow's payment waits already: it is not expected a second time."""
    home = payer(monthly("2025-01-11", 12), UNEVEN[:1] * 12)
    home.charge(TODAY, "AMEX", 1_900_00, pending=True)
    ledger = home.ledger()
    found = expected_charges(bills(home), ledger.pending, TODAY, TODAY + timedelta(40))
    assert [each.day for each in found] == [date(2026, 2, 11)]
