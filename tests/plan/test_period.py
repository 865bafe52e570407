"""Periods, expected charges and the cash guard."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.model.snapshot import Upcoming
from finplan.plan.bookkeeping import keep_books
from finplan.plan.live.expected import (
    Expected,
    Period,
    expected_charges,
    period_of,
    what_is_expected,
)
from finplan.plan.live.schedule import cash_schedule
from finplan.plan.live.view import cash_guard
from finplan.plan.sections.debt import card_uses
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.wealth import take_snapshot
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)


def expected(home: Household, today: date = TODAY) -> Expected:
    ledger = home.ledger()
    books = keep_books(ledger, today)
    cash = take_snapshot(ledger).liquid_cash
    cards = card_uses(ledger, books, cash - take_means(books, ledger.catalogue).essentials)
    until_payday = period_of(books.sources, today)
    return what_is_expected(ledger, books, cards, ledger.pending, until_payday, today)


def guard(home: Household, today: date = TODAY) -> int:
    ledger = home.ledger()
    books = keep_books(ledger, today)
    cash = take_snapshot(ledger).liquid_cash
    cards = card_uses(ledger, books, cash - take_means(books, ledger.catalogue).essentials)
    until_payday = period_of(books.sources, today)
    schedule = cash_schedule(
        ledger, books, cards, cash, ledger.pending, until_payday, today, until_payday.end
    )
    found = cash_guard(schedule, until_payday)
    assert found.left is not None
    return found.left


def period(home: Household, today: date) -> Period:
    return period_of(home.books(today).sources, today)


def paid(days: list[date], *, until: date = TODAY, **details: Any) -> Household:
    home = household().checking(covered=("2025-01-01", until), **details)
    return home.credits(days, "ACME", 2_000_00, "wages")


def test_a_period_runs_from_the_last_payday_to_the_next() -> None:
    """Biweekly on Fridays: 14 days, payday excluded."""
    found = period(paid(every("2025-01-03", 14, 27)), TODAY)
    assert (found.start, found.end) == (date(2026, 1, 2), date(2026, 1, 16))
    assert found.payday == found.end


def test_on_payday_the_new_period_has_begun() -> None:
    """The day the money is due belongs to the new period, whether it has arrived or not."""
    day = date(2026, 1, 16)
    arrived = period(paid(every("2025-01-03", 14, 28), until=day), day)
    awaited = period(paid(every("2025-01-03", 14, 27), until=day), day)
    assert arrived == awaited == Period(day, date(2026, 1, 30), date(2026, 1, 30))


def test_pay_that_came_early_began_the_period() -> None:
    """Paid on the day before a holiday: the period began when the money came."""
    home = paid([*every("2025-01-03", 14, 26), date(2026, 1, 1)])
    assert period(home, TODAY) == Period(date(2026, 1, 1), date(2026, 1, 16), date(2026, 1, 16))


def test_late_pay_does_not_start_a_period_each_morning() -> None:
    """Three days late: the period still began on the day that pay was due."""
    day = date(2026, 1, 19)
    late = period(paid(every("2025-01-03", 14, 27), until=day), day)
    assert late == Period(date(2026, 1, 16), date(2026, 1, 30), date(2026, 1, 30))


@given(st.integers(0, 60))
def test_every_day_lies_in_its_period(ahead: int) -> None:
    """Whatever the day, start ≤ today < end, and a period is one distance of the cadence long."""
    day = TODAY + timedelta(ahead)
    found = period(paid(every("2025-01-03", 14, 27), until=TODAY), day)
    assert found.start <= day < found.end
    assert found.days in {14, 28 + 3, 30, 31}


def test_the_largest_frequent_pay_sets_the_period() -> None:
    """A quarterly bonus and a smaller second pay set no pace."""
    home = paid(every("2025-01-03", 14, 27))
    home.credits(monthly("2025-01-28", 12), "SIDE JOB", 500_00, "wages")
    home.credits(monthly("2025-01-15", 5, 3), "BONUS PLAN", 90_000_00, "wages")
    assert period(home, TODAY).payday == date(2026, 1, 16)


def test_interest_sets_no_period() -> None:
    """Interest comes each month, yet nobody's spending waits for it."""
    home = household().checking(covered=("2025-01-01", TODAY))
    home.credits(monthly("2025-01-28", 12), "BANK", 90_00, "interest")
    assert period(home, TODAY) == Period(date(2026, 1, 1), date(2026, 2, 1), None)


def test_a_period_in_months_is_its_share_of_the_year() -> None:
    """D × 12 / 365: twelve such months make a year of days."""
    assert Period(date(2025, 1, 1), date(2026, 1, 1), None).months == 12


def billed(**details: Any) -> Household:
    home = household().checking(balance=2_000_00, covered=("2025-01-01", TODAY), **details)
    home.credits(monthly("2025-01-28", 12), "ACME", 3_000_00, "wages")
    return home.charges(monthly("2025-01-15", 12), "POWER CO", 120_00, "utilities")


def test_a_pending_charge_is_no_longer_expected() -> None:
    """What is pending has come; the next one is a period later."""
    home = billed().charge("2026-01-09", "POWER CO", 121_00, pending=True)
    ledger, books = home.ledger(), home.books(TODAY)
    days = [
        each.day
        for each in expected_charges(books.charges, ledger.pending, TODAY, TODAY + timedelta(40))
    ]
    assert days == [date(2026, 2, 15)]
    before = expected_charges(books.charges, (), TODAY, TODAY + timedelta(40))
    assert [each.day for each in before] == [date(2026, 1, 15), date(2026, 2, 15)]


def test_another_pending_charge_of_the_payee_is_not_the_bill() -> None:
    """A pending amount far from a steady price is something else."""
    home = billed().charge("2026-01-09", "POWER CO", 900_00, pending=True)
    found = expected_charges(
        home.books(TODAY).charges, home.ledger().pending, TODAY, TODAY + timedelta(10)
    )
    assert [each.day for each in found] == [date(2026, 1, 15)]


def test_a_pending_charge_of_another_payee_is_not_the_bill() -> None:
    """The same amount at another shop leaves the bill expected."""
    home = billed().charge("2026-01-09", "BOOTS", 120_00, "shopping", pending=True)
    found = expected_charges(
        home.books(TODAY).charges, home.ledger().pending, TODAY, TODAY + timedelta(10)
    )
    assert [each.day for each in found] == [date(2026, 1, 15)]


def test_the_guard_is_cash_less_what_is_to_be_paid_from_it() -> None:
    """2,000 in cash, 120 due from checking before payday, 30 pending: 1,850."""
    home = billed().charge(TODAY, "CAFE", 30_00, "dining", pending=True)
    assert guard(home) == 1_850_00


def test_charges_on_a_card_do_not_take_cash_now() -> None:
    """A subscription on the card reaches cash with the card's bill, not before."""
    home = billed().card("visa", balance=0, covered=("2025-01-01", TODAY))
    home.charges(monthly("2025-01-14", 12), "STREAMFLIX", 20_00, "subscriptions")
    assert guard(home) == 1_880_00


def test_charges_after_payday_are_not_guarded() -> None:
    """What is due on payday or later is paid from the new pay."""
    home = billed().charges(monthly("2025-01-28", 12), "LANDLORD", 900_00, "rent")
    assert guard(home) == 1_880_00


def carded(paid_on: str, *, today: date = TODAY) -> Household:
    """600 bought on the 12th, paid in full on a day of the next month."""
    home = billed().card("visa", balance=600_00, covered=("2025-01-01", today))
    home.charges(monthly("2025-07-12", 6), "BISTRO", 600_00, "dining")
    for day in monthly(paid_on, 5):
        home.transfer(day, "checking", "visa", 600_00, category="card_payment")
    return home


def test_the_card_bill_due_before_payday_is_guarded() -> None:
    """Paid in full on the 20th as usual: the statement is spoken for."""
    assert guard(carded("2025-08-20")) == 1_880_00 - 600_00


def test_a_card_bill_due_after_payday_is_not() -> None:
    """Paid in full on the 30th, after payday on the 28th, or on payday itself."""
    assert guard(carded("2025-08-30")) == 1_880_00
    assert guard(carded("2025-08-28")) == 1_880_00
    assert guard(carded("2025-08-27")) == 1_880_00 - 600_00


def test_purchases_after_the_statement_are_not_due_yet() -> None:
    """What was bought after the statement's day belongs to the next bill."""
    home = carded("2025-08-06", today=TODAY).on("visa")
    # The last payment was on 6 December, so the next was due on 6 January and is overdue.
    home.charge("2026-01-09", "TV SHOP", 700_00, "shopping")
    home.accounts["visa"] = replace(home.accounts["visa"], balance=1_300_00)
    assert guard(home) == 1_880_00 - 600_00


def test_a_card_payment_that_is_pending_is_not_taken_twice() -> None:
    """The payment has left cash already, so its bill does not take it again."""
    home = carded("2025-08-11").on("checking")
    before = guard(home)
    assert before == 1_880_00 - 600_00
    home.payee("VISA AUTOPAY", "card_payment")
    assert guard(home.charge(TODAY, "VISA AUTOPAY", 600_00, pending=True)) == before
    more = home.charge(TODAY, "VISA AUTOPAY", 50_00, pending=True)
    assert guard(more) == before - 50_00


def test_a_revolving_card_takes_its_minimum() -> None:
    """2 % of 5,000 is due; with an issuer's minimum, that. Of an unknown day, it is due by payday."""
    home = billed().card("visa", balance=5_000_00, covered=("2025-01-01", TODAY))
    home.charge("2025-12-20", "INTEREST CHARGE", 90_00, "interest_fees")
    assert guard(home) == 1_880_00 - 100_00
    home.accounts["visa"] = replace(home.accounts["visa"], minimum_payment=140_00)
    assert guard(home) == 1_880_00 - 140_00
    last = date(2026, 1, 27)
    assert expected(home).listed()[-1] == Upcoming(date=last, name="visa minimum", amount=140_00)


def revolving(*paid_on: str) -> Household:
    """5,000 is owed on a card that charges interest on the 20th, and 140 was paid on these days."""
    home = billed().card("visa", balance=5_000_00, minimum_payment=140_00)
    home.charges(monthly("2025-03-20", 10), "INTEREST CHARGE", 90_00, "interest_fees")
    for day in paid_on:
        home.transfer(day, "checking", "visa", 140_00, category="card_payment")
    return home


@pytest.mark.parametrize(
    ("paid_on", "due", "held"),
    [
        ("2025-12-22", date(2026, 1, 22), 140_00),
        ("2025-12-27", date(2026, 1, 27), 140_00),
        ("2025-12-28", date(2026, 1, 28), 0),
        ("2025-12-10", TODAY, 140_00),
        ("2026-01-09", date(2026, 2, 9), 0),
        ("2025-12-31", date(2026, 1, 31), 0),
        ("2025-12-01", TODAY, 140_00),
        ("2025-11-29", date(2026, 1, 27), 140_00),
    ],
)
def test_a_minimum_is_expected_on_its_usual_day(paid_on: str, due: date, held: int) -> None:
    """A month after the last payment, today when overdue; before payday the guard holds it."""
    home = revolving(paid_on)
    assert [each.day for each in expected(home).minimums] == [due]
    assert guard(home) == 1_880_00 - held


def test_a_minimum_beyond_thirty_days_is_not_expected_yet() -> None:
    """Paid today, the next one is due in a month of 31 days."""
    assert expected(revolving("2026-01-10")).minimums == []


def test_the_interest_of_a_card_is_on_nobodys_list() -> None:
    """It is added to the card; a fee for having the card, and interest on an overdraft, are bills."""
    home = revolving("2025-12-22").charges(
        monthly("2025-03-21", 10), "MONTHLY MEMBERSHIP FEE", 8_00, "interest_fees"
    )
    home.on("checking").charges(
        monthly("2025-03-23", 10), "OVERDRAFT INTEREST", 11_00, "interest_fees"
    )
    names = [each.name for each in expected(home).listed()]
    assert names == ["POWER CO", "MONTHLY MEMBERSHIP FEE", "visa minimum", "OVERDRAFT INTEREST"]


def test_a_pending_payment_takes_the_minimum_out_of_cash_once() -> None:
    """A payment on its way lowers cash; the minimum that it pays is not held a second time."""
    home = revolving("2025-12-22").on("checking").payee("VISA AUTOPAY", "card_payment")
    before = guard(home)
    assert guard(home.charge(TODAY, "VISA AUTOPAY", 100_00, pending=True)) == before
    assert guard(home.charge(TODAY, "VISA AUTOPAY", 60_00, pending=True)) == before - 20_00


def test_a_card_that_revolves_has_no_bill_beside_its_minimum() -> None:
    """Nobody who pays 140 a month is told to hold the whole 5,000."""
    home = revolving("2025-10-22", "2025-11-22", "2025-12-22")
    assert guard(home) == 1_880_00 - 140_00
    home.recorded_balance("visa", "2026-01-01", 5_000_00, stated=True)
    assert guard(home) == 1_880_00 - 140_00


@pytest.mark.parametrize(
    ("closed", "stated", "bill"),
    [
        ("2026-01-05", 480_00, 480_00),
        ("2025-12-16", 1_080_00, 480_00),
        ("2026-01-06", 480_00, 600_00),
        ("2025-12-15", 1_080_00, 600_00),
    ],
)
def test_a_statement_says_what_the_bill_is(closed: str, stated: int, bill: int) -> None:
    """A balance stated 15 to 35 days before the payment is the bill, not what the rows say of it.

    The payment of 600 on 20 December paid the part of an earlier statement that was due before.
    """
    home = carded("2025-08-20").recorded_balance("visa", closed, stated, stated=True)
    assert guard(home) == 1_880_00 - bill


def test_what_nobody_stated_is_no_statement() -> None:
    """A synced balance of such a day may lie between two statements; the rows decide then."""
    home = carded("2025-08-20").recorded_balance("visa", "2025-12-20", 480_00)
    home.recorded_balance("checking", "2025-12-20", 480_00, stated=True)
    assert guard(home) == 1_880_00 - 600_00


def test_the_latest_statement_before_the_payment_counts_less_what_was_paid_since() -> None:
    """Of two the later one; what has been paid since, 600 on 20 December, is not due again."""
    home = carded("2025-08-20").recorded_balance("visa", "2025-12-17", 1_080_00, stated=True)
    home.recorded_balance("visa", "2025-12-16", 1_150_00, stated=True)
    assert guard(home) == 1_880_00 - 480_00
    home.recorded_balance("visa", "2025-12-18", 700_00, stated=True)
    assert guard(home) == 1_880_00 - 100_00


def test_a_stated_bill_needs_no_habit() -> None:
    """With one payment seen no habit is known, but the statement and the day of the month are."""
    home = billed().card("visa", balance=90_00, covered=("2025-01-01", TODAY))
    home.transfer("2025-12-20", "checking", "visa", 70_00, category="card_payment")
    assert guard(home) == 1_880_00
    assert (
        guard(home.recorded_balance("visa", "2025-12-28", 90_00, stated=True)) == 1_880_00 - 90_00
    )


def test_a_card_of_unknown_habit_takes_nothing_for_sure() -> None:
    """Assumed to be paid in full: neither day nor amount is known, so none is guarded."""
    home = billed().card("visa", balance=100_00, covered=("2025-01-01", TODAY))
    assert guard(home) == 1_880_00
