"""Periods, expected charges and the cash guard; advice takes what bills leave, and none twice.

What needs will still take of cash leaves out what is bought by card.
"""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.model.snapshot import Upcoming
from finplan.plan.advise.assessment import (
    bills_ahead,
    card_payoff,
    full_cards,
    idle_cash,
    remaining_cash,
)
from finplan.plan.explain.sections import explain
from finplan.plan.ledger.books import Books
from finplan.plan.ledger.ledger import Ledger
from finplan.plan.live.expected import (
    Expected,
    Period,
    expected_charges,
    period_of,
    what_is_expected,
)
from finplan.plan.live.schedule import cash_schedule
from finplan.plan.live.view import cash_guard
from finplan.plan.sections.debt import CardUse, card_uses
from finplan.plan.sections.monthly import take_means
from finplan.plan.sections.wealth import take_snapshot
from tests.plan import advised
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.typical import assessed, live, plan_of, said
from tests.present import present
from tests.says import says


def seen(home: Household, today: date) -> tuple[Ledger, Books, tuple[CardUse, ...], int, Period]:
    """What both are told from: the books, how cards are used, the cash, and the period."""
    ledger, books = home.ledger(), home.books(today)
    cash = take_snapshot(ledger).liquid_cash
    cards = card_uses(ledger, books, cash - take_means(books, ledger.catalogue).essentials)
    return ledger, books, cards, cash, period_of(books.sources, today)


def expected(home: Household, today: date = TODAY) -> Expected:
    ledger, books, cards, _, until_payday = seen(home, today)
    return what_is_expected(ledger, books, cards, ledger.pending, until_payday, today)


def guard(home: Household, today: date = TODAY) -> int:
    ledger, books, cards, cash, until_payday = seen(home, today)
    schedule = cash_schedule(
        ledger, books, cards, cash, ledger.pending, until_payday, today, until_payday.end
    )
    return present(cash_guard(schedule, until_payday).free)


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
    home.earns(3_000_00)
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


@pytest.mark.parametrize(
    "charge", [("POWER CO", 900_00), ("BOOTS", 120_00, "shopping")], ids=["amount", "payee"]
)
def test_another_pending_charge_is_not_the_bill(charge: tuple[Any, ...]) -> None:
    """An amount far from a steady price is something else; so is the same one at another shop."""
    home = billed().charge("2026-01-09", *charge, pending=True)
    pending, until = home.ledger().pending, TODAY + timedelta(10)
    found = expected_charges(home.books(TODAY).charges, pending, TODAY, until)
    assert [each.day for each in found] == [date(2026, 1, 15)]


def test_the_guard_is_cash_less_what_is_to_be_paid_from_it() -> None:
    """2,000 in cash, 120 due from checking before payday, 30 pending: 1,850."""
    assert guard(billed().charge(TODAY, "CAFE", 30_00, "dining", pending=True)) == 1_850_00


def test_charges_on_a_card_do_not_take_cash_now() -> None:
    """A subscription on the card reaches cash with the card's bill, not before."""
    home = billed().card("visa", balance=0, covered=("2025-01-01", TODAY))
    home.charges(monthly("2025-01-14", 12), "STREAMFLIX", 20_00, "subscriptions")
    assert guard(home) == 1_880_00


def test_charges_after_payday_are_not_guarded() -> None:
    """What is due on payday or later is paid from the new pay."""
    assert guard(billed().rents(900_00, "2025-01-28", 12)) == 1_880_00


def carded(paid_on: str, *, today: date = TODAY) -> Household:
    """600 bought on the 12th, paid in full on a day of the next month."""
    home = billed().card("visa", balance=600_00, covered=("2025-01-01", today))
    home.charges(monthly("2025-07-12", 6), "BISTRO", 600_00, "dining")
    home.card_payments(monthly(paid_on, 5), "visa", 600_00)
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
    assert guard(home.charge(TODAY, "VISA AUTOPAY", 50_00, pending=True)) == before - 50_00


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
    home.card_payments(paid_on, "visa", 140_00)
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
    assert guard(billed().card("visa", balance=100_00, covered=("2025-01-01", TODAY))) == 1_880_00


def home_with(*, by_card: int, by_cash: int) -> Household:
    """Food of so much each week, by card and from cash; on the last payday nothing was bought yet."""
    weeks = [day for day in every("2025-01-02", 7, 52) if day < date(2025, 12, 27)]
    home = with_cash(100_00).earns(3_000_00).rents(900_00, "2025-01-05")
    home.charges(weeks, "MARKET HALL", by_cash, "groceries")
    home.card("Visa", balance=0, covered=YEAR)
    return home.charges([day + timedelta(1) for day in weeks], "SAFEWAY", by_card, "groceries")


@pytest.mark.parametrize(
    ("by_card", "by_cash", "weeks"), [(100_00, 0, 0), (0, 100_00, 52), (60_00, 40_00, 52)]
)
def test_food_that_is_bought_by_card_takes_no_cash(by_card: int, by_cash: int, weeks: int) -> None:
    """Cash pays it with the card's bill, so only what is usually paid from cash is still needed."""
    shown = live(home_with(by_card=by_card, by_cash=by_cash), TODAY)
    a_month = round(by_cash * weeks / 12)
    assert shown.period.needs == round(a_month * 31 * 12 / 365)
    assert shown.allowance.breakdown.groceries > 400_00


@pytest.mark.parametrize(("by_card", "said"), [(100_00, False), (0, True)])
def test_nobody_is_warned_of_food_that_a_card_pays(by_card: int, said: bool) -> None:
    """That cash does not carry what needs take is said where they take cash."""
    home = home_with(by_card=by_card, by_cash=100_00 - by_card)
    reasons = explain(assessed(home, TODAY), None, "allowance").reasons
    assert any("usually cost another" in each for each in reasons) is said


def test_a_gap_is_told_with_the_cash_there_is() -> None:
    """What is held and what is due add up to the gap, and both stand in the text."""
    found = said(advised.short_of_cash(), "cover_cash_gap")
    assert says(found.detail, "$500 in cash,", "$700 of bills")
    assert found.amount == 200_00


def test_an_overdraft_is_no_cash_that_one_has() -> None:
    """Cash below zero is said as an overdraft, with the bills on top of it."""
    found = said(advised.short_of_cash(-50_00), "cover_cash_gap")
    assert says(found.detail, "overdrawn by $50,", "$700 of bills")
    assert found.amount == 750_00


def test_an_overdraft_without_bills_never_says_that_nothing_is_to_be_paid() -> None:
    """Where no bill is known, only what brings the accounts to zero is asked for."""
    found = said(advised.steady(-50_00), "cover_cash_gap")
    assert "$0" not in found.detail
    assert says(
        found.detail, "overdrawn by $50,", "no known bill is", "16 January.", "Transfer $50 in."
    )


def short_after_payday(rent: int = 2_500_00) -> Household:
    """Cash of 500, 700 due before pay of 2,000 on the 16th, and rent on the 20th."""
    home = with_cash(500_00).earns_biweekly(2_000_00)
    home.charges(monthly("2025-01-14", 12), "INSURER", 700_00, "insurance")
    return home.rents(rent, "2025-01-20", 12)


def test_a_gap_tells_of_the_one_that_the_next_pay_leaves() -> None:
    """Bills, day and both sums to the cent; a later date helps where the pay after that carries them."""
    found = said(short_after_payday(2_500_25), "cover_cash_gap").detail
    now = ("$500 in cash,", "$700 of bills", "16 January.")
    then = ("LANDLORD leaves you $700.25", "20 January.", "cover the $200 now,", "$500.25 short")
    assert says(found, *now, *then, "Transfer $200 in", "after 30 January.")
    late = said(short_after_payday(4_000_01), "cover_cash_gap").detail
    assert late.endswith("bills are due.")
    assert "after 30 January" in said(short_after_payday(4_000_00), "cover_cash_gap").detail


@pytest.mark.parametrize(("rent", "told"), [(2_000_00, False), (2_000_01, True)])
def test_what_the_next_pay_carries_is_no_further_gap(rent: int, told: bool) -> None:
    """With the first gap covered, cash is at zero: nothing more is missing."""
    assert ("short on" in said(short_after_payday(rent), "cover_cash_gap").detail) is told


def test_what_flatmates_pay_back_is_no_gap() -> None:
    """Of a rent of 2,500 a room is paid back each month before it is due: it costs 2,000."""
    home = short_after_payday().credits(monthly("2025-01-17", 12), "FLATMATE", 500_00, "rent")
    assert "short on" not in said(home, "cover_cash_gap").detail
    assert "short on" in said(short_after_payday(), "cover_cash_gap").detail


def test_many_bills_after_payday_are_not_all_named() -> None:
    """The two largest, and others."""
    home = short_after_payday().charges(monthly("2025-01-18", 12), "GYM", 90_00, "hobbies")
    home.charges(monthly("2025-01-19", 12), "TUTOR", 190_00, "education")
    found = said(home, "cover_cash_gap")
    assert says(found.detail, "LANDLORD, TUTOR and", "GYM leave you $980")
    home.charges(monthly("2025-01-17", 12), "VET", 95_00, "pets")
    found = said(home, "cover_cash_gap")
    assert says(found.detail, "LANDLORD, TUTOR and", "other bills leave", "$1,075 short")


def test_a_card_is_paid_off_now_only_with_what_bills_leave() -> None:
    """Bills before payday come first; what they leave not enough for waits until they are paid."""
    assert card_payoff(assessed(advised.solvent_revolver())) == 900_00
    assert said(advised.solvent_revolver(), "pay_card_in_full").detail.endswith("in full now.")
    tight = advised.indebted(cash=3_400_00, balance=900_00)
    tight.on("checking").charges(monthly("2025-01-14", 12), "BOAT CLUB", 2_600_00, "hobbies")
    seen = assessed(tight)
    assert seen.payoff.strategy == "pay_in_full"
    assert 0 <= present(seen.guard) < 900_00
    assert card_payoff(seen) == 0
    found = said(tight, "pay_card_in_full")
    assert found.detail.endswith("bills are paid.")


def two_full_cards(cash: int) -> Household:
    """Two cards that are paid in full each month, of 660 and of 500, and nearly full."""
    home = advised.habitual_payer(cash, credit_limit=660_00)
    home.card("amex", balance=500_00, credit_limit=500_00, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "DELI", 500_00, "groceries")
    home.card_payments(monthly("2025-02-06", 11), "amex", 500_00)
    return home


@pytest.mark.parametrize(
    ("cash", "payments"),
    [
        (1_449_99, []),
        (1_501_99, [350_00]),
        (1_502_00, [402_00]),
        (1_851_99, [402_00]),
        (1_852_00, [402_00, 350_00]),
    ],
)
def test_two_full_cards_share_the_cash_there_is(cash: int, payments: list[int]) -> None:
    """Each card is brought to 30 % of its limit by cash after all cards that the other leaves."""
    seen = assessed(two_full_cards(cash))
    assert [payment for _, payment in full_cards(seen)] == payments
    assert sum(payments) <= seen.free_cash


@pytest.mark.parametrize(
    ("owed", "strategy", "paid"), [(2_100_00, "pay_in_full", 1), (2_300_00, "paydown", 0)]
)
def test_a_full_card_is_not_paid_against_the_debt_plan(owed: int, strategy: str, paid: int) -> None:
    """While another card is paid down, what is spare goes there, though cash would cover both."""
    home = advised.habitual_payer(5_000_00, credit_limit=660_00)
    home.card("other", balance=owed, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 1_00, "interest_fees")
    seen = assessed(home)
    assert seen.payoff.strategy == strategy
    assert seen.free_cash > 402_00
    assert len(full_cards(seen)) == paid


def test_a_bill_that_cash_covers_is_set_aside() -> None:
    """The text says what is free and how much of it to put away."""
    home = advised.with_rare_bill(2_000_00, 3_000_00)
    (ahead,) = bills_ahead(assessed(home))
    assert (ahead.aside, ahead.missing, ahead.is_reserved) == (2_000_00, 0, False)
    found = said(home, "prepare_bill")
    assert says(found.title, "Set $2,000 aside", "INSURER YEARLY")
    free = ("$3,000 of spare", "16 January.", "Keep $2,000")
    assert says(found.detail, "$2,000 is due", "15 February.", *free)


def test_more_than_the_cash_there_is_is_never_set_aside() -> None:
    """The part that cash does not hold comes from what comes in; nobody keeps 2,000 of 1,200."""
    home = advised.with_rare_bill(2_000_00, 1_200_00)
    (ahead,) = bills_ahead(assessed(home))
    assert (ahead.aside, ahead.missing) == (1_200_00, 800_00)
    found = said(home, "prepare_bill")
    assert says(found.title, "Have $2,000 ready", "INSURER YEARLY", "15 February")
    assert says(found.detail, "Put $1,200 of", "aside now,", "save $800 more")


@pytest.mark.parametrize("cash", [0, -100_00])
def test_without_cash_a_bill_waits_for_what_comes_in(cash: int) -> None:
    """No cash, or an overdraft, is nothing to set aside; saving waits until the bill is paid."""
    home = advised.with_rare_bill(2_000_00, cash)
    assert says(said(home, "prepare_bill").detail, "no spare cash", "save $2,000 by")
    detail = said(home, "build_emergency_fund").detail
    assert detail.endswith("YEARLY is paid.")


def test_a_bill_before_payday_is_in_what_is_safe_to_spend() -> None:
    """The guard holds it already: it is claimed from nothing else, and told once when cash is short."""
    held = advised.with_rare_bill(2_000_00, 3_000_00, "01-14")
    seen = assessed(held)
    (ahead,) = bills_ahead(seen)
    assert (seen.guard, ahead.is_reserved, ahead.aside, ahead.missing) == (1_000_00, True, 0, 0)
    assert "Keep the money in" in said(held, "prepare_bill").detail
    short = advised.with_rare_bill(2_000_00, 1_500_00, "01-14")
    kinds = {each.kind for each in plan_of(short).actions}
    assert "cover_cash_gap" in kinds
    assert "prepare_bill" not in kinds


def test_two_bills_share_the_cash_there_is_by_their_day() -> None:
    """The bill that is due first is covered first."""
    home = advised.with_rare_bill(2_000_00, 3_000_00)
    home.charges(["2024-02-05", "2025-02-05"], "TAX OFFICE", 1_600_00, "taxes")
    found = bills_ahead(assessed(home))
    assert [(each.bill.name, each.aside) for each in found] == [
        ("TAX OFFICE", 1_600_00),
        ("INSURER YEARLY", 1_400_00),
    ]


def test_saving_begins_once_cash_is_covered() -> None:
    """While cash is short before payday, a transfer to the fund waits for it."""
    home = advised.steady(500_00).charges(monthly("2025-01-14", 12), "INSURER", 700_00, "insurance")
    waits = said(home, "build_emergency_fund").detail
    assert says(waits, "cover $200 before", "16 January.")
    begins = said(advised.steady(2_000_00), "build_emergency_fund").detail
    assert begins.endswith("your next payday.")


def test_idle_cash_is_what_nothing_else_takes() -> None:
    """Beyond a full fund and three months, and no more than bills leave until payday."""
    seen = assessed(advised.idle(60_000_00))
    beyond = 60_000_00 - seen.target.amount - 3 * seen.means.essentials
    assert idle_cash(seen) == beyond > 0
    tight = advised.idle(60_000_00)
    tight.charges(monthly("2025-01-14", 12), "BOAT CLUB", 59_000_00, "hobbies")
    seen = assessed(tight)
    # So tight that usual spending may well take what bills leave.
    assert seen.likely_gap is not None
    assert (seen.guard, remaining_cash(seen), idle_cash(seen)) == (1_000_00, 0, 0)
    assert idle_cash(assessed(advised.steady(1_000_00))) == 0
