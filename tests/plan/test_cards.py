"""How cards and loans are used and paid: habit, strategy, order and minimums; also unlinked ones.

Payments to what is not linked are a bill, or show a loan or savings: plan-semantics, C19 and C20.
"""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, strategies as st

from finplan.model.account import AccountKind
from finplan.model.plan import Bound
from finplan.plan.ledger.books import Series
from finplan.plan.live.expected import card_bill, expected_charges
from finplan.plan.pairing.transfers import LoanPayment, on_schedule
from finplan.plan.sections.debt import CardUse, choose_strategy, owed_card
from finplan.plan.sections.missing_accounts import CardPayments, paid_a_month
from finplan.plan.sections.standing import Standing, take_standing
from tests.plan.advised import indebted, steady
from tests.plan.households import TODAY, YEAR, Household, household, monthly, with_cash
from tests.plan.typical import assessed, plan_of
from tests.present import present
from tests.says import says


def use_of(home: Household, name: str = "visa") -> CardUse:
    return next(use for use in assessed(home).cards if use.account.name == name)


def payer(paid: list[int], *, bought: int = 600_00, cash: int = 50_00, **card: Any) -> Household:
    """Buys on the 12th of each month; pays on the 6th of the next what `paid` says."""
    owed = bought * (len(paid) + 1) - sum(paid)
    home = household().checking(balance=cash).card("visa", balance=owed, **card)
    home.charges(monthly("2025-08-12", len(paid) + 1), "BISTRO", bought, "dining")
    home.card_payments(monthly("2025-09-06", len(paid)), "visa", paid)
    return home


def test_payments_equal_to_the_balance_are_paid_in_full() -> None:
    """Two of the last three payments equal what was owed 15 to 35 days before: a habit."""
    use = use_of(payer([600_00, 600_00, 600_00, 600_00]))
    assert use.in_full
    assert not use.assumed
    assert 15 <= present(use.lag) <= 35


def test_one_odd_payment_does_not_end_the_habit() -> None:
    """Two of three are enough."""
    assert use_of(payer([600_00, 600_00, 590_00, 400_00, 810_00])).in_full is True


def test_two_percent_off_still_pays_in_full_and_three_do_not() -> None:
    """A payment within 2 % of what was owed pays it in full."""
    assert use_of(payer([600_00, 590_00, 598_00])).in_full
    assert not use_of(payer([300_00, 300_00, 300_00])).in_full


@pytest.mark.parametrize(("first", "in_full"), [(588_00, True), (587_99, False)])
def test_the_two_percent_are_exact(first: int, in_full: bool) -> None:
    """12 of 600 is 2 %; a cent more is not."""
    assert use_of(payer([first, 600_00])).in_full is in_full


def current_payer(payday: int, *, share: int = 100, times: int = 6) -> Household:
    """Buys on days 1 to 22 of each month; pays a share of what is owed on a day of the month."""
    home = household().checking(balance=50_00).card("visa")
    owed = 0
    for place, first in enumerate(monthly("2025-07-01", times)):
        for step in range(8):
            price = 60_00 + 17_00 * place + 3 * step
            owed += price
            home.charge(first + timedelta(3 * step), f"SHOP {step}", price, "shopping")
        paid = owed * share // 100
        owed -= paid
        day = first.replace(day=payday)
        home.transfer(day, "checking", "visa", paid, category="card_payment")
    home.accounts["visa"] = replace(home.accounts["visa"], balance=owed)
    return home


@pytest.mark.parametrize("payday", [25, 27])
def test_paying_the_current_balance_is_paying_in_full(payday: int) -> None:
    """An autopay after which nothing is owed pays the card in full, whatever the statement said."""
    use = use_of(current_payer(payday))
    assert (use.in_full, use.assumed, use.lag) == (True, False, 0)


def test_paying_a_part_of_the_current_balance_revolves() -> None:
    """Two percent of the payment may stay; a third of the balance is not the balance."""
    assert use_of(current_payer(27, share=99)).in_full
    assert not use_of(current_payer(27, share=30)).in_full


def test_the_balance_of_some_days_ago_is_a_balance() -> None:
    """What was owed on any day of the 35 before a payment may be what it pays."""
    home = household().checking(balance=50_00).card("visa", balance=30_00)
    meals = [500_00, 600_00, 700_00, 800_00, 900_00, 1_000_00]
    home.charges(monthly("2025-07-20", 6), "BISTRO", meals, "dining")
    home.charges(monthly("2025-07-26", 6), "MARKET", 30_00, "groceries")
    paid = [500_00, *[amount + 30_00 for amount in meals[1:]]]
    home.card_payments(monthly("2025-07-28", 6), "visa", paid)
    use = use_of(home)
    assert use.in_full
    assert 3 <= present(use.lag) <= 8


def test_the_bill_of_who_pays_the_current_balance_is_what_is_owed() -> None:
    """Before the next such payment, cash is short of what the card owes by then."""
    home = current_payer(27, times=5).on("visa").charge("2025-12-03", "SHOP 1", 80_00, "shopping")
    home.accounts["visa"] = replace(home.accounts["visa"], balance=80_00)
    assert card_bill(use_of(home), (), date(2025, 12, 31), date(2025, 12, 10)) == 80_00


def test_bills_of_one_sum_are_each_paid_once() -> None:
    """What the payment before has paid is not the bill of the next one, though it is as much."""
    home = household().checking(balance=50_00).card("visa", balance=300_00)
    home.charges(monthly("2025-07-08", 6), "INSURER", 180_00, "insurance")
    home.charges(monthly("2025-07-20", 6), "BISTRO", 120_00, "dining")
    home.card_payments(monthly("2025-08-04", 5), "visa", 300_00)
    use = use_of(home)
    assert use.in_full
    assert present(use.lag) < 15
    assert card_bill(use, (), date(2026, 1, 5), date(2025, 12, 21)) == 300_00


def test_a_statement_of_the_day_of_the_payment_before_is_looked_for_first() -> None:
    """It is owed after that payment, so the next one pays it, though the current balance is as much."""
    home = household().checking(balance=50_00).card("visa", balance=0)
    home.charges([date(2025, 10, 4), date(2025, 11, 4)], "BISTRO", 300_00, "dining")
    home.charges([date(2025, 10, 5), date(2025, 11, 5)], "MARKET", 45_00, "groceries")
    home.credit("2025-12-02", "MARKET", 45_00, "groceries").charge("2025-12-04", "BAR", 5_00)
    for day, paid in (("2025-11-04", 300_00), ("2025-12-05", 345_00)):
        home.transfer(day, "checking", "visa", paid, category="card_payment")
    home.accounts["visa"] = replace(home.accounts["visa"], balance=5_00)
    assert use_of(home).lag == 31


def test_a_balance_that_another_payment_met_still_shows_the_habit() -> None:
    """The rule asks for what was owed on some day of the 15 to 35 before, whatever was paid since."""
    home = household().checking(balance=50_00).card("visa", balance=600_00)
    home.charge("2025-11-02", "BISTRO", 300_00, "dining")
    home.charge("2025-11-15", "MARKET", 900_00, "groceries")
    home.card_payments(("2025-11-30", "2025-12-04"), "visa", 300_00)
    assert use_of(home).in_full


def test_interest_makes_a_card_revolve() -> None:
    """An interest row within 90 days of the data's end tells that a balance was carried."""
    home = payer([600_00, 600_00, 600_00]).on("visa")
    assert use_of(home).in_full
    home.charge("2025-11-20", "INTEREST CHARGE", 9_00, "interest_fees")
    assert not use_of(home).in_full
    assert not use_of(home).assumed


@pytest.mark.parametrize(
    ("day", "name"), [("2025-11-20", "ANNUAL FEE"), ("2025-03-20", "INTEREST CHARGE")]
)
def test_a_fee_or_old_interest_says_nothing(day: str, name: str) -> None:
    """A yearly fee is not interest, and interest of last spring is history."""
    home = payer([600_00, 600_00, 600_00]).on("visa").charge(day, name, 9_00, "interest_fees")
    assert use_of(home).in_full


def test_a_zero_interest_promotion_revolves() -> None:
    """No interest, but payments that are never what was owed."""
    assert not use_of(payer([100_00, 100_00, 100_00, 100_00])).in_full


def test_without_payments_cash_decides_and_the_plan_says_so() -> None:
    """Fewer than two payments: in full if cash covers it after a month of essentials, else revolving."""
    rich, poor = payer([600_00], cash=5_000_00), payer([600_00], cash=100_00)
    assert (use_of(rich).in_full, use_of(rich).assumed) == (True, True)
    assert (use_of(poor).in_full, use_of(poor).assumed) == (False, True)


@pytest.mark.parametrize(("cash", "paid"), [(1_600_00, 1_000_00), (3_600_00, 999_99)])
def test_cash_must_cover_the_bill_and_what_is_kept(cash: int, paid: int) -> None:
    """The limit of the assumption, to the unit: total ≤ cash - a month, or three without enough pay."""
    home = with_cash(cash).rents(1_000_00, "2025-01-05").earns(paid)
    home.card("visa", balance=600_00)
    assert use_of(home).in_full
    home.accounts["visa"] = replace(home.accounts["visa"], balance=600_01)
    assert not use_of(home).in_full


def test_negative_essentials_do_not_stretch_the_cash() -> None:
    """A month of refunds does not count as more cash than there is."""
    home = with_cash(600_00)
    home.credits(monthly("2025-01-05", 12), "LANDLORD", 1_000_00, "rent")
    home.card("visa", balance=600_01)
    assert not use_of(home).in_full


def test_a_refund_is_no_payment() -> None:
    """A shop's credit on the card is not counted among payments."""
    home = payer([600_00, 600_00]).on("visa").credit("2025-11-20", "BISTRO", 600_00)
    assert len(use_of(home).payments) == 2


def test_hidden_and_foreign_cards_are_not_listed() -> None:
    """`cards` are the visible ones in the household's currency."""
    home = household().card("here").card("away", currency="EUR").card("gone", hidden=True)
    assert [card.name for card in plan_of(home).debt.cards] == ["here"]


def test_a_card_without_balance_owes_nothing_known() -> None:
    """An unknown balance adds 0 and stays listed."""
    debt = plan_of(household().card(balance=None, credit_limit=1_000_00)).debt
    assert (debt.total, debt.cards[0].balance, debt.cards[0].utilization) == (0, 0, 0)


def owing(**cards: dict[str, Any]) -> Household:
    home = household().checking(balance=0)
    for name, details in cards.items():
        home.card(name, **details)
    return home


def test_known_rates_order_the_cards() -> None:
    """The dearest rate first; names break ties."""
    home = owing(
        b={"balance": 100_00, "apr": 0.29},
        a={"balance": 100_00, "apr": 0.29},
        c={"balance": 900_00, "apr": 0.15},
    )
    assert [card.name for card in plan_of(home).debt.cards] == ["a", "b", "c"]


def test_one_unknown_rate_orders_by_utilisation() -> None:
    """Half of the rates would be guessing: the fullest first, a card without limit last."""
    home = owing(
        none={"balance": 100_00},
        low={"balance": 100_00, "credit_limit": 1_000_00, "apr": 0.35},
        high={"balance": 950_00, "credit_limit": 1_000_00},
    )
    assert [card.name for card in plan_of(home).debt.cards] == ["high", "low", "none"]


@pytest.mark.parametrize("limit", [None, 0, -5])
def test_no_limit_no_utilisation(limit: int | None) -> None:
    """Utilisation is null without a positive limit."""
    home = owing(card={"balance": 100_00, "credit_limit": limit})
    assert plan_of(home).debt.cards[0].utilization is None


def test_utilisation_may_exceed_one() -> None:
    """A card over its limit says so."""
    home = owing(card={"balance": 1_234_56, "credit_limit": 1_000_00})
    assert plan_of(home).debt.cards[0].utilization == 1.2346


def test_enough_cash_pays_what_revolves_at_once() -> None:
    """Revolving owed within cash after paid-in-full bills and a month of essentials: pay in full."""
    home = payer([100_00, 100_00, 100_00], cash=20_000_00)
    household_ = assessed(home)
    assert household_.payoff.strategy == "pay_in_full"
    assert household_.payoff.revolving_owed == household_.payoff.total > 0
    debt = plan_of(home).debt
    assert (debt.monthly_payment, debt.months_to_clear) == (debt.total, 1)


def test_cash_pays_what_revolves_after_bills_and_a_month_of_essentials() -> None:
    """Revolving owed ≤ cash - owed on cards paid in full - what is kept, to the unit."""
    use = use_of(owing(visa={"balance": 500_00}))
    cards = [use, replace(use, in_full=True, owed=300_00)]
    assert choose_strategy(cards, 1_800_00, reserve=1_000_00) == "pay_in_full"
    assert choose_strategy(cards, 1_799_99, reserve=1_000_00) == "paydown"
    assert choose_strategy(cards[1:], 0, reserve=1_000_00) == "pay_in_full"
    assert choose_strategy([], 0, reserve=1_000_00) == "none"


def test_a_rate_reaches_the_waterfall_in_millionths() -> None:
    """21.99 % a year is 219,900 millionths, exactly, whatever floats say."""
    home = owing(visa={"balance": 500_00, "apr": 0.2199}, other={"balance": 1_00})
    assert owed_card(use_of(home)).rate == 219_900
    assert owed_card(use_of(home, "other")).rate is None


def test_the_snowball_is_told_only_with_every_rate() -> None:
    """The difference in interest needs all rates and a choice."""
    two = owing(a={"balance": 5_000_00, "apr": 0.29}, b={"balance": 1_000_00, "apr": 0.09})
    assert assessed(two).payoff.snowball is not None
    assert assessed(owing(a={"balance": 5_000_00, "apr": 0.29})).payoff.snowball is None
    mixed = owing(a={"balance": 5_000_00, "apr": 0.29}, b={"balance": 1_000_00})
    assert assessed(mixed).payoff.snowball is None
    assert not assessed(mixed).payoff.by_rate


def test_what_was_owed_is_reconstructed_from_later_rows() -> None:
    """Today's balance with every later row taken back."""
    history = use_of(payer([600_00, 600_00])).history
    owed = [history.on((date(2025, 8, 11) + timedelta(days)).toordinal()) for days in (0, 1, 26)]
    assert owed == [0, 600_00, 0]


UNEVEN = [610_00, 1_240_00, 402_50, 880_00, 655_10, 1_020_00, 318_00]


def payer_from_checking(
    days: list[date], amounts: int | list[int] = 610_00, name: str = "AMEX"
) -> Household:
    """Somebody who pays a card from checking."""
    home = with_cash(5_000_00)
    home.credits(monthly("2025-01-28", 12), "CITY SCHOOL", 4_000_00, "wages")
    return home.charges(days, name, amounts, "unlinked_card")


def bills(home: Household) -> list[Series]:
    return [each for each in home.books(TODAY).charges if each.category == "unlinked_card"]


@pytest.mark.parametrize("times", [3, 4, 7])
def test_a_card_paid_on_its_day_is_a_bill_whatever_it_comes_to(times: int) -> None:
    """Three payments on the 14th are a monthly bill, though no two are near each other."""
    (bill,) = bills(payer_from_checking(monthly("2025-06-14", 7)[-times:], UNEVEN[-times:]))
    assert (bill.cadence, bill.active, bill.next_date) == ("monthly", True, date(2026, 1, 14))
    assert bill.count_all == times


def test_its_amount_is_the_median_of_the_last_six() -> None:
    """Neither the last payment nor a mean of all: a seventh one back has no say."""
    (bill,) = bills(payer_from_checking(monthly("2025-06-14", 7), UNEVEN))
    # Of 1,240.00, 402.50, 880.00, 655.10, 1,020.00 and 318.00 the middle two are 655.10 and 880.00.
    assert bill.amount == bill.monthly == 767_55


def test_a_last_payment_that_held_is_not_the_next_one() -> None:
    """Two equal payments after four others are no new price of a card: the median stands."""
    amounts = [500_00, 500_00, 500_00, 500_00, 620_00, 620_00]
    (bill,) = bills(payer_from_checking(monthly("2025-07-14", 6), amounts))
    assert (bill.amount, bill.price_before, bill.price_changed) == (500_00, None, None)


def test_payments_on_any_day_are_no_bill() -> None:
    """Money sent whenever there is some keeps no rhythm, so nothing says when the next one comes."""
    days = ["2025-03-02", "2025-04-27", "2025-05-03", "2025-08-19", "2025-10-30", "2025-11-07"]
    assert bills(payer_from_checking([date.fromisoformat(day) for day in days], 200_00)) == []


def test_two_payments_are_no_bill() -> None:
    """Two dates have one distance, which may be any."""
    assert bills(payer_from_checking(monthly("2025-11-14", 2))) == []


def test_a_bill_every_quarter_is_spread_over_its_months() -> None:
    """A card that is paid four times a year takes a third of its bill a month."""
    (bill,) = bills(payer_from_checking(monthly("2025-01-14", 4, step=3), 900_00))
    assert (bill.cadence, bill.amount, bill.monthly) == ("quarterly", 900_00, 300_00)


def linked(last_paired: int) -> Household:
    """Twelve payments on the 14th; the last so many have arrived on a card that is linked."""
    days = monthly("2025-01-14", 12)
    home = payer_from_checking(days[: 12 - last_paired], UNEVEN[:1] * (12 - last_paired))
    home.card("amex", balance=300_00, covered=(days[12 - last_paired], TODAY))
    home.card_payments(days[12 - last_paired :], "amex", 610_00, "AMEX")
    return home


def test_a_linked_card_is_no_bill() -> None:
    """Once the payment that was due has arrived on a linked card, its purchases are counted instead."""
    home = payer_from_checking(monthly("2025-01-14", 12))
    assert [bill.next_date for bill in bills(home)] == [date(2026, 1, 14)]
    assert bills(linked(1)) == []
    assert bills(linked(3)) == []


def test_another_card_of_the_same_name_stays_a_bill() -> None:
    """A payment to a linked card half a month later is not the one that is due."""
    home = payer_from_checking(monthly("2025-01-14", 12))
    home.card("blue", balance=300_00, covered=YEAR)
    home.card_payments(monthly("2025-01-02", 13), "blue", 90_00, "AMEX")
    assert [bill.next_date for bill in bills(home)] == [date(2026, 1, 14)]


def test_a_bill_of_a_card_raises_no_price() -> None:
    """A larger card bill is more shopping, no price that rose."""
    plan = plan_of(payer_from_checking(monthly("2025-01-14", 12), [500_00] * 10 + [560_00] * 2))
    assert "price_rise" not in {action.kind for action in plan.actions}


def test_the_plan_lists_it_and_keeps_its_category() -> None:
    """It is a recurring charge of the category that says that no detail is known."""
    (listed,) = plan_of(payer_from_checking(monthly("2025-01-14", 12))).recurring
    assert (listed.name, listed.category, listed.monthly) == ("AMEX", "unlinked_card", 610_00)


def test_one_figure_a_month_wherever_it_is_said() -> None:
    """The note, the action, the question and what the plan calls unknown are one sum: the mean month."""
    home = payer_from_checking(
        monthly("2025-01-14", 12), [*UNEVEN, 500_00, 700_00, 640_00, 600_00, 610_00]
    )
    plan = plan_of(home)
    (action,) = [each for each in plan.actions if each.kind == "connect_account"]
    (month,) = [each.monthly for each in plan.categories if each.category == "unlinked_card"]
    assert action.amount == month == 681_30
    assert "$681 a month, but" in action.detail
    assert any("AMEX ($681 a month)" in note for note in plan.notes)
    assert take_standing(home.ledger(), home.books(TODAY)).monthly == month


def test_the_next_debit_is_called_what_it_is() -> None:
    """Another sum than the month's: what the bills hold, and its day; without a rhythm there is none."""
    regular = payer_from_checking(monthly("2025-06-14", 7), UNEVEN)
    (bill,) = bills(regular)
    assert bill.amount == 767_55
    (action,) = [each for each in plan_of(regular).actions if each.kind == "connect_account"]
    assert says(action.detail, "next debit of", "$768 on 14 January.")
    assert action.amount != bill.amount
    days = [date(2025, 10, 30), date(2025, 11, 7), date(2025, 12, 29)]
    (action,) = [
        each
        for each in plan_of(payer_from_checking(days)).actions
        if each.kind == "connect_account"
    ]
    assert "next debit" not in action.detail


def test_a_card_newer_than_the_window_is_told_by_its_own_months() -> None:
    """Seven months of payments in a window of twelve: their mean, and since when; else it is half."""
    home = payer_from_checking(monthly("2025-06-14", 7), UNEVEN)
    home.charge("2025-01-02", "FIRST", 1_00, "dining")
    paid = paid_a_month(home.books(TODAY), home.payee_number("AMEX"))
    assert paid == CardPayments(732_23, date(2025, 6, 14))
    plan = plan_of(home)
    (action,) = [each for each in plan.actions if each.kind == "connect_account"]
    assert says(action.detail, "AMEX about $732", "since June 2025, but")
    assert any(says(note, "AMEX ($732", "since June 2025)") for note in plan.notes)


def test_payments_without_a_rhythm_are_told_by_their_last_three_months() -> None:
    """Where the window holds none: a third of what ninety days paid, where two payments were made."""
    home = payer_from_checking([date(2026, 1, 3), date(2026, 1, 8)], [150_00, 90_00])
    home.charge("2026-01-05", "VISA", 700_00, "unlinked_card")
    books = home.books(TODAY)
    assert paid_a_month(books, home.payee_number("AMEX")) == CardPayments(80_00, None)
    assert paid_a_month(books, home.payee_number("VISA")) == CardPayments(0, None)


def test_a_card_that_is_paid_no_more_is_not_asked_for() -> None:
    """Half a year without a payment: the bill has stopped, and there is nothing to link."""
    plan = plan_of(payer_from_checking(monthly("2025-01-14", 6)))
    assert plan.recurring == ()
    assert "Link AMEX" not in {each.title for each in plan.actions}


def test_a_pending_payment_is_the_bill_whatever_it_comes_to() -> None:
    """Tomorrow's payment waits already: it is not expected a second time."""
    home = payer_from_checking(monthly("2025-01-11", 12), UNEVEN[:1] * 12)
    home.charge(TODAY, "AMEX", 1_900_00, pending=True)
    ledger = home.ledger()
    found = expected_charges(bills(home), ledger.pending, TODAY, TODAY + timedelta(40))
    assert [each.day for each in found] == [date(2026, 2, 11)]


payments = st.lists(
    st.builds(
        LoanPayment,
        st.sampled_from([20250103, 20250117, 20250203, 20250228, 20250401]),
        st.sampled_from([300_00, 150_00, 1000_00, 299_99]),
        st.booleans(),
    ),
    max_size=12,
)


@given(payments)
def test_every_month_that_is_paid_has_a_scheduled_payment(paid: list[LoanPayment]) -> None:
    """Each month with a payment that is not called extra has one amount on schedule, and only one."""
    flags = on_schedule(paid)
    on = {(one.day // 100, one.amount) for one, flag in zip(paid, flags, strict=True) if flag}
    months = {one.day // 100 for one in paid if not one.extra}
    assert sorted(month for month, _ in on) == sorted(months)


@given(payments, st.randoms(use_true_random=False))
def test_the_order_of_payments_is_no_matter(paid: list[LoanPayment], order: object) -> None:
    """The flags follow the payments."""
    places = list(range(len(paid)))
    order.shuffle(places)  # type: ignore[attr-defined]
    shuffled = on_schedule([paid[place] for place in places])
    flags = on_schedule(paid)
    assert shuffled == [flags[place] for place in places]


def test_the_usual_payment_tells_which_is_beyond() -> None:
    """In a month with two, the one nearest the usual amount is on schedule."""
    usual = [LoanPayment(20250105, 300_00), LoanPayment(20250205, 300_00)]
    assert on_schedule([*usual, LoanPayment(20250305, 310_00), LoanPayment(20250320, 900_00)]) == [
        True,
        True,
        True,
        False,
    ]
    assert on_schedule([]) == []


def test_without_a_repeated_amount_the_middle_one_is_usual() -> None:
    """Three different payments: in a month of two, the one nearer to their median is on schedule."""
    paid = [LoanPayment(20250105, 240_00), LoanPayment(20250205, 250_00)]
    assert on_schedule([*paid, LoanPayment(20250210, 9000_00)]) == [True, True, False]


def test_what_is_called_extra_does_not_make_the_usual_payment() -> None:
    """Extra principal every month leaves the schedule what it is."""
    extra = [LoanPayment(20250100 + day, 500_00, extra=True) for day in (10, 11, 12)]
    paid = [
        LoanPayment(20250105, 300_00),
        LoanPayment(20250206, 480_00),
        LoanPayment(20250205, 300_00),
    ]
    assert on_schedule([*paid, *extra])[:3] == [True, False, True]


def standing(home: Household) -> Standing:
    return take_standing(home.ledger(), home.books(TODAY))


def with_car() -> Household:
    return steady().charges(monthly("2025-01-22", 12), "TOYOTA", 318_00, "loan_payment")


def with_broker(times: int = 12, first: str = "2025-01-17") -> Household:
    return steady().charges(monthly(first, times), "VANGUARD", 400_00, "investing")


@pytest.mark.parametrize(
    ("home", "worth"),
    [
        (steady(), "exact"),
        (with_car(), "at most"),
        (with_broker(), "at least"),
        (with_car().charges(monthly("2025-01-17", 12), "VANGUARD", 40_00, "savings"), "unknown"),
        (steady().charges(monthly("2025-01-22", 12), "WELLS", 900_00, "mortgage"), "exact"),
    ],
)
def test_what_is_paid_to_and_not_linked_bounds_net_worth(home: Household, worth: Bound) -> None:
    """A loan makes it at most, savings at least, both unknown; a mortgage lacks its home as well."""
    found = standing(home)
    assert found.worth == worth
    assert not found.cards_unknown
    assert not found.cash_unknown
    kinds = {"exact": (), "at most": ("loan",), "at least": ("savings",)}
    assert found.view().unlinked == kinds.get(worth, ("loan", "savings"))


@pytest.mark.parametrize(
    ("kind", "subtype", "worth"),
    [
        ("other", "property", "at most"),
        ("other", "vehicle", "exact"),
        ("investment", "brokerage", "exact"),
    ],
)
def test_a_home_without_a_loan_bounds_worth(kind: AccountKind, subtype: str, worth: Bound) -> None:
    """A linked home whose mortgage is not linked makes net worth too high; a car or shares do not."""
    home = steady().charges(monthly("2025-01-22", 12), "WELLS", 900_00, "mortgage")
    found = standing(home.account("possession", kind, subtype, balance=300_000_00))
    assert found.worth == worth
    assert found.view().unlinked == (("loan",) if worth == "at most" else ())


def test_the_note_names_who_is_paid() -> None:
    """Whoever reads the figure learns which account it lacks."""
    (note,) = [each for each in plan_of(with_car()).notes if "at most" in each]
    assert says(note, "is at most", "debts are at least", "of TOYOTA")
    (note,) = [each for each in plan_of(with_broker()).notes if "least" in each]
    assert says(note, "is at least", "of VANGUARD")


def test_cards_are_cleared_as_without_the_loan() -> None:
    """A loan is no card: what cards owe, how long they take and what is said of it stay."""
    plain, indebted_too = indebted(apr=0.2), indebted(apr=0.2).on("checking")
    indebted_too.charges(monthly("2025-01-22", 12), "TOYOTA", 1_00, "loan_payment")
    one, other = (plan_of(home) for home in (plain, indebted_too))
    assert one.debt.total == other.debt.total
    assert other.debt.months_to_clear is not None
    (action,) = [each for each in other.actions if each.kind == "pay_down_card"]
    assert "clears it in" in action.detail


def test_a_linked_loan_that_no_row_reaches_may_be_the_one_that_is_paid() -> None:
    """Only another loan of its kind, or one that its own payments reach, leaves the payee unlinked."""
    assert standing(with_car().loan("car", balance=9_000_00)).unlinked.loans == ()
    assert standing(with_car().loan("house", "mortgage", balance=1)).unlinked.loans == ("TOYOTA",)
    paired = with_car().loan("student", "student", balance=9_000_00)
    paired.transfers(
        monthly("2025-01-05", 12), "checking", "student", 200_00, category="loan_payment"
    )
    assert standing(paired).unlinked.loans == ("TOYOTA",)


def test_a_loan_that_is_paid_no_more_or_was_paid_once_is_none() -> None:
    """A debt is known by payments that go on, in a rhythm."""
    once = steady().charge("2025-11-22", "TOYOTA", 318_00, "loan_payment")
    over = steady().charges(monthly("2025-01-22", 6), "TOYOTA", 318_00, "loan_payment")
    assert standing(once).unlinked.loans == standing(over).unlinked.loans == ()


@pytest.mark.parametrize(
    ("home", "named"),
    [
        (with_broker(6, "2025-07-17"), True),
        (with_broker(5, "2025-08-17"), False),
        (with_broker(6, "2025-05-17"), True),
        (with_broker(6, "2025-04-17"), False),
        (with_broker().brokerage(balance=9_000_00), False),
        (with_broker().savings("jar", balance=9_000_00), False),
        (with_broker().account("home", "other", "property", balance=9_000_00), True),
        (with_broker().brokerage(balance=9_000_00, hidden=True), True),
    ],
)
def test_savings_are_known_by_half_of_the_months_and_lately(home: Household, named: bool) -> None:
    """Six of twelve months, the last within ninety days; a linked account without rows may be it."""
    assert standing(home).unlinked.assets == (("VANGUARD",) if named else ())


def test_money_that_an_investment_gives_shows_it_as_well() -> None:
    """Regular draws come from something that is owned."""
    home = steady().credits(monthly("2025-01-17", 12), "VANGUARD", 400_00, "investing")
    assert standing(home).unlinked.assets == ("VANGUARD",)


def test_what_is_paired_with_a_linked_account_is_linked() -> None:
    """A transfer to an own savings account names nobody."""
    home = steady().savings("jar", balance=900_00)
    home.transfers(monthly("2025-01-20", 12), "checking", "jar", 100_00)
    assert standing(home).unlinked.assets == ()


def test_an_account_that_its_own_transfers_reach_is_not_the_one_that_is_paid() -> None:
    """Beside savings that are linked and paired, an investment may be missing."""
    home = with_broker().savings("jar", balance=900_00)
    home.transfers(monthly("2025-01-20", 12), "checking", "jar", 100_00)
    assert standing(home).unlinked.assets == ("VANGUARD",)
