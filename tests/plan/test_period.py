"""Periods, expected charges and the cash guard."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.detect.bookkeeping import keep_books
from finplan.plan.live.cash_guard import cash_guard
from finplan.plan.live.period import Period, period_of
from finplan.plan.live.upcoming import expected_charges, last_day_shown
from finplan.plan.sections.cards import card_uses
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.snapshot import take_snapshot
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)


def guard(home: Household, today: date = TODAY) -> int:
    ledger = home.ledger()
    books = keep_books(ledger, today)
    cash = take_snapshot(ledger).liquid_cash
    spare = cash - take_means(books, ledger.catalogue).essentials
    upcoming = expected_charges(books.charges, ledger.pending, today, last_day_shown(today))
    found = cash_guard(
        ledger,
        cash,
        ledger.pending,
        upcoming,
        card_uses(ledger, books, spare),
        period_of(books.sources, today),
        today,
    )
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
    """2 % of 5,000 is due; with an issuer's minimum, that."""
    home = billed().card("visa", balance=5_000_00, covered=("2025-01-01", TODAY))
    home.charge("2025-12-20", "INTEREST CHARGE", 90_00, "interest_fees")
    assert guard(home) == 1_880_00 - 100_00
    home.accounts["visa"] = replace(home.accounts["visa"], minimum_payment=140_00)
    assert guard(home) == 1_880_00 - 140_00


def test_a_card_of_unknown_habit_takes_nothing_for_sure() -> None:
    """Assumed to be paid in full: neither day nor amount is known, so none is guarded."""
    home = billed().card("visa", balance=100_00, covered=("2025-01-01", TODAY))
    assert guard(home) == 1_880_00
