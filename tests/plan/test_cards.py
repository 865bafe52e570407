"""How cards are used and paid: habit, strategy, order and minimums."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from finplan.plan.advise.assessment import Assessment
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.live.expected import card_bill
from finplan.plan.sections.debt import CardUse, choose_strategy, owed_card
from tests.plan.households import Household, household, monthly

TODAY = date(2026, 1, 10)


def assessed(home: Household) -> Assessment:
    return assess(home.ledger(), keep_books(home.ledger(), TODAY), TODAY)


def use_of(home: Household, name: str = "visa") -> CardUse:
    return next(use for use in assessed(home).cards if use.account.name == name)


def payer(paid: list[int], *, bought: int = 600_00, cash: int = 50_00, **card: Any) -> Household:
    """Buys on the 12th of each month; pays on the 6th of the next what `paid` says."""
    owed = bought * (len(paid) + 1) - sum(paid)
    home = household().checking(balance=cash).card("visa", balance=owed, **card)
    home.charges(monthly("2025-08-12", len(paid) + 1), "BISTRO", bought, "dining")
    for day, amount in zip(monthly("2025-09-06", len(paid)), paid, strict=True):
        home.transfer(day, "checking", "visa", amount, category="card_payment")
    return home


def test_payments_equal_to_the_balance_are_paid_in_full() -> None:
    """Two of the last three payments equal what was owed 15 to 35 days before: a habit."""
    use = use_of(payer([600_00, 600_00, 600_00, 600_00]))
    assert use.in_full
    assert not use.assumed
    assert use.lag is not None
    assert 15 <= use.lag <= 35


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
    for day, amount in zip(monthly("2025-07-28", 6), paid, strict=True):
        home.transfer(day, "checking", "visa", amount, category="card_payment")
    use = use_of(home)
    assert use.in_full
    assert use.lag is not None
    assert 3 <= use.lag <= 8


def test_the_bill_of_who_pays_the_current_balance_is_what_is_owed() -> None:
    """Before the next such payment, cash is short of what the card owes by then."""
    home = current_payer(27, times=5).on("visa").charge("2025-12-03", "SHOP 1", 80_00, "shopping")
    home.accounts["visa"] = replace(home.accounts["visa"], balance=80_00)
    use = use_of(home)
    assert card_bill(use, (), date(2025, 12, 31), date(2025, 12, 10)) == 80_00


def test_bills_of_one_sum_are_each_paid_once() -> None:
    """What the payment before has paid is not the bill of the next one, though it is as much."""
    home = household().checking(balance=50_00).card("visa", balance=300_00)
    home.charges(monthly("2025-07-08", 6), "INSURER", 180_00, "insurance")
    home.charges(monthly("2025-07-20", 6), "BISTRO", 120_00, "dining")
    for day in monthly("2025-08-04", 5):
        home.transfer(day, "checking", "visa", 300_00, category="card_payment")
    use = use_of(home)
    assert use.in_full
    assert use.lag is not None
    assert use.lag < 15
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
    for day in ("2025-11-30", "2025-12-04"):
        home.transfer(day, "checking", "visa", 300_00, category="card_payment")
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
    home = household().checking(balance=cash, covered=("2025-01-01", TODAY))
    home.charges(monthly("2025-01-05", 13), "LANDLORD", 1_000_00, "rent")
    home.credits(monthly("2025-01-28", 12), "ACME", paid, "wages")
    home.card("visa", balance=600_00)
    assert use_of(home).in_full
    home.accounts["visa"] = replace(home.accounts["visa"], balance=600_01)
    assert not use_of(home).in_full


def test_negative_essentials_do_not_stretch_the_cash() -> None:
    """A month of refunds does not count as more cash than there is."""
    home = household().checking(balance=600_00, covered=("2025-01-01", TODAY))
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
    assert [card.name for card in plan_of(assessed(home)).debt.cards] == ["here"]


def test_a_card_without_balance_owes_nothing_known() -> None:
    """An unknown balance adds 0 and stays listed."""
    debt = plan_of(assessed(household().card(balance=None, credit_limit=1_000_00))).debt
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
    assert [card.name for card in plan_of(assessed(home)).debt.cards] == ["a", "b", "c"]


def test_one_unknown_rate_orders_by_utilisation() -> None:
    """Half of the rates would be guessing: the fullest first, a card without limit last."""
    home = owing(
        none={"balance": 100_00},
        low={"balance": 100_00, "credit_limit": 1_000_00, "apr": 0.35},
        high={"balance": 950_00, "credit_limit": 1_000_00},
    )
    assert [card.name for card in plan_of(assessed(home)).debt.cards] == ["high", "low", "none"]


@pytest.mark.parametrize("limit", [None, 0, -5])
def test_no_limit_no_utilisation(limit: int | None) -> None:
    """Utilisation is null without a positive limit."""
    home = owing(card={"balance": 100_00, "credit_limit": limit})
    assert plan_of(assessed(home)).debt.cards[0].utilization is None


def test_utilisation_may_exceed_one() -> None:
    """A card over its limit says so."""
    home = owing(card={"balance": 1_234_56, "credit_limit": 1_000_00})
    assert plan_of(assessed(home)).debt.cards[0].utilization == 1.2346


def test_enough_cash_pays_what_revolves_at_once() -> None:
    """Revolving owed within cash after paid-in-full bills and a month of essentials: pay in full."""
    home = payer([100_00, 100_00, 100_00], cash=20_000_00)
    household_ = assessed(home)
    assert household_.payoff.strategy == "pay_in_full"
    assert household_.payoff.revolving_owed == household_.payoff.total > 0
    debt = plan_of(household_).debt
    assert (debt.monthly_payment, debt.months_to_clear) == (debt.total, 1)


def test_cash_pays_what_revolves_after_bills_and_a_month_of_essentials() -> None:
    """Revolving owed ≤ cash - owed on cards paid in full - what is kept, to the unit."""
    use = use_of(owing(visa={"balance": 500_00}))
    cards = [use, replace(use, in_full=True, owed=300_00)]
    assert choose_strategy(cards, 1_800_00, kept=1_000_00) == "pay_in_full"
    assert choose_strategy(cards, 1_799_99, kept=1_000_00) == "paydown"
    assert choose_strategy(cards[1:], 0, kept=1_000_00) == "pay_in_full"
    assert choose_strategy([], 0, kept=1_000_00) == "none"


def test_a_rate_reaches_the_waterfall_in_millionths() -> None:
    """21.99 % a year is 219,900 millionths, exactly, whatever floats say."""
    home = owing(visa={"balance": 500_00, "apr": 0.2199}, other={"balance": 1_00})
    assert owed_card(use_of(home)).rate == 219_900
    assert owed_card(use_of(home, "other")).rate is None


def test_the_snowball_is_told_only_with_every_rate() -> None:
    """The difference in interest needs all rates and a choice."""
    two = owing(
        a={"balance": 5_000_00, "apr": 0.29},
        b={"balance": 1_000_00, "apr": 0.09},
    )
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
