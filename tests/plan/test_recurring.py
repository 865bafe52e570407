"""Recurring charges: bills and subscriptions are found, habits and strangers are not."""

import random
from dataclasses import replace
from datetime import date, timedelta
from itertools import cycle, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finplan.plan.ledger.books import Series
from finplan.plan.live.expected import SeriesRows, is_charge_of
from tests.plan.households import (
    Day,
    Household,
    every,
    household,
    monthly,
    on_weekdays,
    semimonthly,
)

TODAY = date(2025, 12, 22)


def found(home: Household, today: Day = TODAY) -> list[Series]:
    """The recurring charges of a household."""
    return list(home.books(today).charges)


def at_home() -> Household:
    """A checking account that is covered until today."""
    return household().checking(covered=("2023-01-01", TODAY))


def test_a_subscription_is_one_series() -> None:
    """Every field says what happened."""
    home = at_home().charges(monthly("2025-01-05", 12), "STREAM", 9_99, "subscriptions")
    (charge,) = found(home)
    assert charge.name == "STREAM"
    assert charge.payees == (home.payee_number("STREAM"),)
    assert charge.category == "subscriptions"
    assert charge.cadence == "monthly"
    assert (charge.amount, charge.monthly) == (9_99, 9_99)
    assert (charge.count, charge.total) == (11, 109_89)
    assert charge.count_all == 12
    assert (charge.first_date, charge.last_date) == (date(2025, 1, 5), date(2025, 12, 5))
    assert charge.next_date == date(2026, 1, 5)
    assert charge.active
    assert charge.steady
    assert charge.recent[-1] == (date(2025, 12, 5), 9_99)
    assert charge.price_before is None


def test_two_subscriptions_at_one_payee_stay_two() -> None:
    """Equal amounts that each keep a rhythm are series of their own, on one day or on two."""
    home = at_home().charges(monthly("2025-01-05", 12), "APPS", 9_99, "subscriptions")
    home.charges(monthly("2025-01-05", 12), "APPS", 2_99).charges(
        monthly("2025-01-20", 11), "APPS", 14_99
    )
    assert [(one.amount, one.cadence) for one in found(home)] == [
        (14_99, "monthly"),
        (9_99, "monthly"),
        (2_99, "monthly"),
    ]


def test_two_rents_to_one_landlord_are_two() -> None:
    """A flat and a parking place are two charges."""
    home = at_home().charges(monthly("2025-01-01", 12), "LANDLORD", 1200_00, "rent")
    home.charges(monthly("2025-01-01", 12), "LANDLORD", 800_00)
    assert [one.amount for one in found(home)] == [1200_00, 800_00]


@pytest.mark.parametrize("category", ["hobbies", "shopping", "subscriptions"])
def test_two_equal_charges_on_one_day_are_two_at_their_price(category: str) -> None:
    """Two memberships of a couple are two charges, each at the price that was charged."""
    days = [day for day in monthly("2025-01-05", 12) for _ in range(2)]
    for charge in (both := found(at_home().charges(days, "GYM", 25_00, category))):
        assert (charge.amount, charge.count_all, charge.total) == (25_00, 12, 11 * 25_00)
    assert len(both) == 2


def test_a_charge_that_once_came_twice_keeps_its_price() -> None:
    """A second equal charge now and then is no part of the series, nor of its price."""
    home = at_home().charges(monthly("2025-01-05", 12), "CLUB", 25_00, "hobbies")
    home.charges(["2025-11-05", "2025-12-05"], "CLUB", 25_00)
    (charge,) = found(home)
    assert (charge.amount, charge.count_all) == (25_00, 12)
    assert {amount for _, amount in charge.recent} == {25_00}


def test_interest_that_varies_is_no_bill() -> None:
    """Interest follows the debt, so it is not expected; the fixed price of an account is."""
    home = at_home().charges(monthly("2025-01-20", 12), "INTEREST", [48_00, 51_00], "interest_fees")
    home.charges(monthly("2025-01-28", 11), "MONTHLY SERVICE FEE", 12_00, "interest_fees")
    home.charges(monthly("2025-01-11", 12), "ATM FEE", 3_50, "interest_fees")
    rising = [40_00 + place for place in range(12)]
    home.charges(monthly("2025-01-09", 12), "Interest Charge", rising, "interest_fees")
    assert [one.name for one in found(home)] == ["MONTHLY SERVICE FEE"]


def test_parts_of_a_day_are_the_rows_that_came() -> None:
    """What varies and comes in two parts on its day is one series that knows each of its rows."""
    first = [31_00, 44_10, 38_20, 52_30, 61_40, 35_50, 47_60, 58_70, 33_80, 41_90, 54_05, 36_15]
    home = at_home().charges(monthly("2025-01-05", 12), "POWER", first, "utilities")
    home.charges(monthly("2025-01-05", 12), "POWER", [amount + 1_11 for amount in first])
    (charge,) = found(home)
    assert charge.recent[-1] == (date(2025, 12, 5), 2 * 36_15 + 1_11)
    assert charge.parts[-2:] == ((date(2025, 12, 5), 36_15), (date(2025, 12, 5), 37_26))
    known = SeriesRows([charge])
    rows = [row for row in home.rows if row[2] == 20251205]
    assert [known.take_posted(row) for row in rows] == [True, True]


def test_a_row_beside_a_series_is_not_its_charge() -> None:
    """Of two equal rows on a day, a series with one charge there explains one."""
    home = at_home().charges(monthly("2025-01-05", 12), "CLUB", 25_00, "hobbies")
    home.charge("2025-12-05", "CLUB", 25_00)
    known = SeriesRows(found(home))
    rows = [row for row in home.rows if row[2] == 20251205]
    assert [known.take_posted(row) for row in rows] == [True, False]


def test_a_pending_part_is_a_charge_of_its_series() -> None:
    """A bill that comes in two parts is known by each of them before it is posted."""
    home = at_home().charges(monthly("2025-01-05", 12), "CLUB", 30_00, "rent")
    home.charges(monthly("2025-01-05", 12), "CLUB", 30_10 + 19_90)
    charge = replace(
        found(home)[0],
        amount=80_00,
        steady=True,
        parts=((date(2025, 12, 5), 30_00), (date(2025, 12, 5), 50_00)),
    )
    payee, account = home.payee_number("CLUB"), home.number("checking")
    likely = {
        amount: is_charge_of((payee, account, 20260105, -amount, 0, 1), charge)
        for amount in (30_00, 50_00, 80_00, 65_00, 10_00)
    }
    assert likely == {30_00: True, 50_00: True, 80_00: True, 65_00: False, 10_00: False}


def test_a_price_step_is_one_series_with_its_day() -> None:
    """A subscription that became dearer is told with both prices."""
    home = at_home().charges(
        monthly("2025-01-05", 12), "STREAM", [9_99] * 8 + [12_99] * 4, "subscriptions"
    )
    (charge,) = found(home)
    assert charge.amount == 12_99
    assert charge.price_before == 9_99
    assert charge.price_changed == date(2025, 9, 5)
    assert charge.count_all == 12


def test_a_price_step_that_came_once_is_already_the_price() -> None:
    """The last charge is what the next one will be."""
    home = at_home().charges(
        monthly("2025-01-05", 12), "STREAM", [9_99] * 11 + [12_99], "subscriptions"
    )
    (charge,) = found(home)
    assert (charge.amount, charge.price_before) == (12_99, 9_99)


def test_steps_of_one_of_two_subscriptions_leave_the_other_alone() -> None:
    """A step is joined to the series that it continues."""
    home = at_home().charges(
        monthly("2025-01-05", 12), "APPS", [9_99] * 10 + [11_99] * 2, "subscriptions"
    )
    home.charges(monthly("2025-01-18", 12), "APPS", 2_99)
    dear, cheap = found(home)
    assert (dear.amount, dear.count_all, dear.price_before) == (11_99, 12, 9_99)
    assert (cheap.amount, cheap.count_all, cheap.price_before) == (2_99, 12, None)


def test_a_bill_that_varies_is_a_bill() -> None:
    """Power is charged on its day, whatever the meter says; the amount is the middle of the last six."""
    meter = [80_00, 95_00, 60_00, 41_00, 38_00, 44_00, 70_00, 72_00, 50_00, 45_00, 66_00, 90_00]
    (charge,) = found(at_home().charges(monthly("2025-01-12", 12), "POWER", meter, "utilities"))
    assert not charge.steady
    assert charge.amount == 68_00
    assert charge.price_before is None


def test_a_bill_that_varies_must_have_come_five_times() -> None:
    """Four different amounts are not yet a bill, five on their day are."""
    meter = [80_00, 40_00, 140_00, 61_00, 25_00]
    four = at_home().charges(monthly("2025-09-12", 4), "POWER", meter, "utilities")
    assert found(four) == []
    five = at_home().charges(monthly("2025-08-12", 5), "POWER", meter, "utilities")
    assert [one.cadence for one in found(five)] == ["monthly"]
    hobby = at_home().charges(monthly("2025-08-12", 5), "CLUB", meter, "hobbies")
    assert found(hobby) == []


def test_three_yearly_policies_are_not_one_quarterly_bill() -> None:
    """Policies of one insurer that fall due at different times are each yearly."""
    home = household().checking(covered=("2022-01-01", TODAY))
    for first, premium in (("2022-02-10", 310_00), ("2022-06-10", 455_00), ("2022-10-10", 127_00)):
        home.charges(monthly(first, 4, 12), "INSURER", premium, "insurance")
    assert [one.cadence for one in found(home)] == ["annual"] * 3


def test_a_yearly_fee_is_known_from_its_second_time_at_the_same_price() -> None:
    """Two equal charges a year apart are a series, two different ones are not."""
    same = at_home().charges(monthly("2024-06-10", 2, 12), "CLUB", 95_00, "hobbies")
    assert [one.cadence for one in found(same)] == ["annual"]
    other = at_home().charges(monthly("2024-06-10", 2, 12), "CLUB", [95_00, 60_00], "hobbies")
    assert found(other) == []


@pytest.mark.parametrize("category", ["transfer", "card_payment", "savings", "work_expenses"])
def test_what_is_not_spent_is_no_recurring_charge(category: str) -> None:
    """Moves, savings and reimbursable costs are no bills, however regular."""
    home = at_home().charges(monthly("2025-01-02", 12), "X", 200_00, category)
    assert found(home) == []


def test_a_linked_loan_is_a_recurring_charge() -> None:
    """A mortgage that is linked is still the largest bill."""
    home = at_home().loan("mortgage", "mortgage")
    for day in monthly("2025-01-03", 12):
        home.transfer(day, "checking", "mortgage", 1500_00)
    (charge,) = found(home)
    assert (charge.category, charge.amount) == ("mortgage", 1500_00)


def test_a_membership_at_a_marketplace_is_found_among_its_purchases() -> None:
    """A fixed price on its day is a bill, even where hundreds of other amounts are not."""
    chance = random.Random(7)  # A planted household is the same on every run.
    home = at_home().charges(monthly("2024-01-14", 24), "MARKETPLACE", 14_99, "shopping")
    for _ in range(400):
        day = date(2024, 1, 1) + timedelta(chance.randrange(700))
        home.charge(day, "MARKETPLACE", chance.randrange(5_00, 90_00))
    (charge,) = found(home)
    assert (charge.amount, charge.count_all) == (14_99, 24)


def test_refunds_and_free_trials_are_no_charges() -> None:
    """A credit inside a series and a charge of nothing are not counted."""
    home = at_home().charges(monthly("2025-02-05", 11), "STREAM", 9_99, "subscriptions")
    home.charge("2025-01-05", "STREAM", 0).credit("2025-06-20", "STREAM", 9_99)
    (charge,) = found(home)
    assert charge.count_all == 11
    assert charge.total == 10 * 9_99


def test_a_cancelled_subscription_is_inactive() -> None:
    """What stopped half a year ago is told, but not expected."""
    home = at_home().charges(monthly("2024-06-05", 12), "STREAM", 9_99, "subscriptions")
    home.charge(TODAY, "SHOP", 1_00, "shopping")
    (charge,) = found(home)
    assert not charge.active
    assert charge.next_date is None
    assert charge.monthly == 9_99


def test_a_series_is_active_at_the_end_of_old_data() -> None:
    """Data that end eighty days ago make nothing inactive, and nothing is expected in the past."""
    home = household().checking(covered=("2024-01-01", "2025-10-01"))
    home.charges(monthly("2024-09-05", 13), "STREAM", 9_99, "subscriptions")
    (charge,) = found(home)
    assert charge.active
    assert charge.next_date == date(2026, 1, 5)


def test_the_account_is_the_latest_ones() -> None:
    """A subscription moved to another card is one series on the new card."""
    home = at_home().charges(monthly("2025-01-05", 6), "STREAM", 9_99, "subscriptions")
    home.card(covered=("2025-01-01", TODAY)).charges(monthly("2025-07-05", 6), "STREAM", 9_99)
    (charge,) = found(home)
    assert charge.account == home.number("card")
    assert charge.count_all == 12


def test_charges_come_dearest_month_first() -> None:
    """The order is by what a month of it costs."""
    home = at_home().charges(monthly("2022-03-05", 4, 12), "YEARLY", 120_00, "insurance")
    home.charges(monthly("2025-01-06", 12), "MONTHLY", 30_00, "phone_internet")
    home.charges(every("2025-10-07", 7, 11), "WEEKLY", 20_00, "childcare")
    assert [one.name for one in found(home)] == ["WEEKLY", "MONTHLY", "YEARLY"]


rhythms = st.sampled_from(
    [
        ("weekly", every("2024-12-06", 7, 54)),
        ("biweekly", every("2024-12-06", 14, 27)),
        ("semimonthly", semimonthly("2024-12-01", 26, (5, 20))),
        ("monthly", monthly("2024-12-09", 13)),
        ("quarterly", monthly("2024-02-09", 8, 3)),
        ("twice_yearly", monthly("2023-10-09", 5, 6)),
        ("annual", monthly("2023-03-09", 3, 12)),
    ]
)


@given(
    rhythms,
    st.sampled_from(["rent", "insurance", "childcare", "loan_payment", "phone_internet"]),
    st.lists(st.integers(90_00, 110_00), min_size=1, max_size=12),
    st.booleans(),
)
def test_a_planted_bill_is_found_once(
    rhythm: tuple[str, list[date]], category: str, prices: list[int], on_workdays: object
) -> None:
    """Any cadence, weekends and small differences allowed for, gives exactly one series of all."""
    cadence, days = rhythm
    days = on_weekdays(days) if on_workdays else days
    amounts = list(islice(cycle(prices), len(days)))
    if len(set(amounts)) < len(amounts) and len(set(amounts)) > 1:
        # Amounts that return by turns are what two contracts at one payee look like.
        amounts = [90_00 + place * 37 for place in range(len(days))]
    home = at_home().charges(days, "BILLER", amounts, category)
    (charge,) = found(home)
    assert charge.cadence == cadence
    assert charge.count_all == len(days)
    assert charge.active
