"""Recurring charges: bills and subscriptions are found, habits, visits and strangers are not.

Bills that mingle at one payee are told apart by their amounts and days; cash is never one of them.
"""

import random
from dataclasses import replace
from datetime import date, timedelta
from itertools import accumulate, cycle, islice

import pytest
from hypothesis import given, strategies as st

from finplan.plan.ledger.books import Series
from finplan.plan.live.expected import SeriesRows, is_charge_of
from tests.plan.households import (
    TODAY as IN_JANUARY,
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
    home = at_home().rents(1200_00, times=12)
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
    assert found(at_home().charges(monthly("2025-09-12", 4), "POWER", meter, "utilities")) == []
    five = at_home().charges(monthly("2025-08-12", 5), "POWER", meter, "utilities")
    assert [one.cadence for one in found(five)] == ["monthly"]
    assert found(at_home().charges(monthly("2025-08-12", 5), "CLUB", meter, "hobbies")) == []


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
    assert found(at_home().charges(monthly("2025-01-02", 12), "X", 200_00, category)) == []


def test_a_linked_loan_is_a_recurring_charge() -> None:
    """A mortgage that is linked is still the largest bill."""
    home = at_home().loan("mortgage", "mortgage")
    home.transfers(monthly("2025-01-03", 12), "checking", "mortgage", 1500_00)
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
    (charge,) = found(at_home().charges(days, "BILLER", amounts, category))
    assert charge.cadence == cadence
    assert charge.count_all == len(days)
    assert charge.active


def readings(usual: int, times: int, seed: int) -> list[int]:
    """What a meter says each time, up to 8 % from the usual."""
    chance = random.Random(seed)  # The same meter on every run.
    return [round(usual * chance.uniform(0.92, 1.08)) for _ in range(times)]


@pytest.mark.parametrize("category", ["utilities", "uncategorized"])
@pytest.mark.parametrize("second", ["2024-01-04", "2024-01-19"])
def test_two_meters_at_one_supplier_are_two(category: str, second: str) -> None:
    """Bills that vary are told apart on the same day and on another, known or unknown."""
    home = at_home().charges(
        monthly("2024-01-04", 24), "SUPPLIER", readings(80_00, 24, 1), category
    )
    home.charges(monthly(second, 24), "SUPPLIER", readings(31_00, 24, 2))
    dear, cheap = found(home)
    assert (dear.cadence, dear.count_all, cheap.cadence, cheap.count_all) == (
        "monthly", 24, "monthly", 24,
    )  # fmt: skip
    assert min(amount for _, amount in dear.recent) > max(amount for _, amount in cheap.recent)


def test_a_skipped_bill_is_not_made_up_by_the_other() -> None:
    """Where one of two bills is missing, the other's charge does not take its place."""
    first, second = monthly("2024-01-04", 24), monthly("2024-01-04", 24)
    del first[9], second[15]
    home = at_home().charges(first, "SUPPLIER", readings(80_00, 23, 3), "utilities")
    home.charges(second, "SUPPLIER", readings(57_00, 23, 4))
    assert [one.count_all for one in found(home)] == [23, 23]


def test_halves_of_a_rent_are_one_series() -> None:
    """Alike amounts by turns are one charge that comes twice a month."""
    days = [day for first in monthly("2025-01-01", 12) for day in (first, first.replace(day=15))]
    (rent,) = found(at_home().charges(days[:-1], "LANDLORD", 600_00, "rent"))
    assert rent.cadence == "semimonthly"


@pytest.mark.parametrize("category", ["health", "uncategorized", "home_upkeep", "utilities"])
@pytest.mark.parametrize("dearest", [40_01, 60_00])
def test_visits_are_not_cut_into_chains(category: str, dearest: int) -> None:
    """Any visits hold some that are a month apart; a bill explains nearly all charges or nothing."""
    for seed in range(20):
        chance = random.Random(seed)  # Different payees, the same ones on every run.
        home = at_home()
        for _ in range(48):
            day = date(2024, 1, 1) + timedelta(chance.randrange(700))
            home.charge(day, "VISITED", chance.randrange(40_00, dearest), category)
        assert found(home) == []


@pytest.mark.parametrize("category", ["home_upkeep", "uncategorized"])
def test_visits_at_one_price_are_no_three_quarterly_bills(category: str) -> None:
    """Prices tell bills apart: monthly visits at one price could be cut into any number of chains."""
    for seed in range(30):
        chance = random.Random(seed)  # Different people, the same ones on every run.
        gaps = [chance.randint(28, 36) for _ in range(20)]
        days = [date(2024, 1, 5) + timedelta(sum(gaps[:place])) for place in range(20)]
        assert all(
            one.cadence == "monthly" for one in found(at_home().charges(days, "V", 32_00, category))
        )


def test_a_price_step_of_what_comes_twice_a_month_is_one_series() -> None:
    """The few charges at the new price are a fortnight apart, and go on where the old price ended."""
    days = on_weekdays(semimonthly("2025-01-01", 23, (7, 22)), -1)
    prices = [90_00] * (len(days) - 3) + [95_00] * 3
    (charge,) = found(at_home().charges(days, "INSURER", prices, "insurance"))
    assert (charge.cadence, charge.amount, charge.price_before) == ("semimonthly", 95_00, 90_00)


def test_a_cancelled_membership_is_not_revived_by_purchases() -> None:
    """Where purchases of such amounts come near any day, none of them is the next charge."""
    chance = random.Random(9)  # The same purchases on every run.
    home = at_home().charges(monthly("2024-01-14", 18), "SHOP", 14_99, "shopping")
    for day in every("2024-01-02", 3, 230):
        home.charge(day, "SHOP", chance.randrange(10_00, 20_00))
    (charge,) = found(home)
    assert (charge.count_all, charge.active) == (18, False)


def test_three_charges_with_one_skipped_are_known_at_one_price_only() -> None:
    """Two distances, one of them double, say little; the same cent three times says more."""
    days = ["2025-01-14", "2025-07-14", "2025-10-14"]
    assert found(at_home().charges(days, "SUPPLIER", [60_00, 66_00, 62_50], "utilities")) == []
    even = at_home().charges(days, "SUPPLIER", 60_00, "utilities")
    assert [one.cadence for one in found(even)] == ["quarterly"]


def test_five_thousand_charges_of_one_payee_are_no_burden() -> None:
    """A busy payee is read from what repeats and from its latest charges, and no visit is a bill."""
    chance = random.Random(8)  # The same payee on every run.
    home = household().checking(covered=("2016-01-01", TODAY))
    for day in every("2016-01-03", 1, 3_600):
        home.charge(day, "MARKETPLACE", chance.randrange(5_00, 90_00), "uncategorized")
    home.charges(monthly("2023-01-14", 35), "MARKETPLACE", 114_99)
    assert [(one.amount, one.count_all) for one in found(home)] == [(114_99, 35)]


VISITED = ["groceries", "transport", "dining", "shopping", "entertainment"]


@pytest.mark.parametrize("category", VISITED)
def test_weekly_visits_are_a_habit(category: str) -> None:
    """The same coffee, ticket or shopping every Friday at the same price is no bill."""
    assert found(at_home().charges(every("2025-01-03", 7, 50), "CAFE", 24_50, category)) == []


@pytest.mark.parametrize("category", VISITED)
def test_a_fixed_price_on_its_day_is_a_bill_even_where_people_go(category: str) -> None:
    """A parking space, a rail pass, a museum's membership: evidence of the rows goes before a name."""
    home = at_home().charges(monthly("2025-01-05", 12), "CORNER", 55_00, category)
    assert [(one.cadence, one.amount) for one in found(home)] == [("monthly", 55_00)]


def test_a_box_of_food_may_come_every_second_week() -> None:
    """Nobody's shopping comes to the same cent each time, but a delivered box does."""
    home = at_home().charges(every("2025-01-08", 14, 25), "FARM BOX", 38_50, "groceries")
    assert [one.cadence for one in found(home)] == ["biweekly"]
    assert found(at_home().charges(every("2025-01-08", 14, 25), "LUNCH", 38_50, "dining")) == []


def test_a_monthly_grocery_run_is_a_habit() -> None:
    """A large shop on the first Saturday of each month is no bill, in its category or in none."""
    saturdays = [day for day in every("2024-01-06", 7, 102) if day.day <= 7]
    chance = random.Random(3)  # The same amounts on every run.
    amounts = [chance.randrange(90_00, 320_00) for _ in saturdays]
    for category in ("groceries", "uncategorized"):
        assert found(at_home().charges(saturdays, "MARKET", amounts, category)) == []


def test_withdrawals_are_never_bills() -> None:
    """The same cash every month is still no charge."""
    assert found(at_home().charges(monthly("2025-01-02", 12), "ATM", 200_00, "cash")) == []


@pytest.mark.parametrize("category", ["personal_care", "uncategorized"])
def test_a_barber_is_no_monthly_bill(category: str) -> None:
    """One price every four to six weeks keeps neither a day of the month nor a distance."""
    for seed in range(30):
        chance = random.Random(seed)  # Different people, the same ones on every run.
        gaps = [chance.randint(28, 42) for _ in range(20)]
        days = [date(2024, 1, 5) + timedelta(days) for days in accumulate(gaps)]
        assert found(at_home().charges(days, "BARBER", 32_00, category)) == []


def test_a_coffee_is_a_habit_where_nothing_is_known_of_the_payee() -> None:
    """Little money a week is a visit; a lesson at its price each week is a bill."""
    weekly = every("2025-01-03", 7, 50)
    assert found(at_home().charges(weekly, "QUUX", 5_50)) == []
    chance = random.Random(2)  # The same orders on every run.
    orders = [chance.choice((4_20, 5_50, 12_10)) for _ in weekly]
    assert found(at_home().charges(weekly, "QUUX", orders)) == []
    (lesson,) = found(at_home().charges(weekly, "QUUX", 45_00))
    assert (lesson.cadence, lesson.count_all) == ("weekly", 50)


def test_weekly_visits_of_differing_prices_are_a_habit() -> None:
    """A restaurant on Fridays is no bill where nothing else is known of it."""
    chance = random.Random(5)  # The same dinners on every run.
    fridays = every("2024-01-05", 7, 100)
    dinners = [chance.randrange(25_00, 80_00) for _ in fridays]
    assert found(at_home().charges(fridays, "QUUX", dinners)) == []


def test_an_unknown_payee_that_bills_is_found() -> None:
    """Two prices on two days of the month are two bills, whoever charges them."""
    home = at_home().charges(monthly("2025-01-05", 12), "ZORBLAX", 9_99)
    home.charges(monthly("2025-01-19", 12), "ZORBLAX", 2_99)
    assert [one.amount for one in found(home)] == [9_99, 2_99]


def test_a_bill_that_varies_is_known_by_its_day_alone() -> None:
    """Power at a payee that is in no category comes on its day, though the meter says otherwise."""
    meter = [120_00, 96_00, 101_00, 78_00, 74_00, 88_00, 112_00, 125_00, 90_00, 70_00, 80_00]
    home = at_home().charges(monthly("2025-01-12", 12), "ZORBLAX", meter)
    assert [one.cadence for one in found(home)] == ["monthly"]


CASH = [
    "VYBER",
    "VYBER KARTOU",
    "Výběr hotovosti",
    "cash",
    "Cash withdrawal",
    "CASH WITHDRAWAL AT BRANCH",
    "ATM",
    "ATM 4471 MAIN ST",
    "Withdrawal",
    "withdrawal in cash",
    "Bargeld",
    "BARGELDAUSZAHLUNG",
    "Geldautomat Berlin Mitte",
    "Barauszahlung",
    "retrait",
    "RETRAIT DAB 1204",
    "Retrait especes",
    "RETIRO CAJERO",
    "Retirada de efectivo",
    "PRELIEVO BANCOMAT",
    "Prelievo contanti",
    "GELDOPNAME",
    "Saque dinheiro",
    "Wyplata z bankomatu",
    "Kontantuttag",
    "Uttag Bankomat",
    "Kateisnosto",
    "Cashpoint 12",
]


@pytest.mark.parametrize("category", ["uncategorized", "rent", "utilities", "shopping", "taxes"])
@pytest.mark.parametrize("payee", CASH)
def test_cash_is_never_recurring(payee: str, category: str) -> None:
    """A fixed sum on a fixed day, in whatever category, makes no series at a payee that is cash."""
    home = household().checking(covered=("2024-01-01", IN_JANUARY))
    home.rents(1_000_00, "2024-01-05", 24)
    home.charges(monthly("2024-01-08", 24), payee, 200_00, category)
    assert {one.name for one in home.books(IN_JANUARY).charges} == {"LANDLORD"}


@pytest.mark.parametrize(
    ("payee", "category"),
    [
        ("Cash Converters", "uncategorized"),
        ("John (Cash App)", "uncategorized"),
        ("Johnny Cash", "uncategorized"),
        ("Otto", "uncategorized"),
        ("Cash and Carry Storage", "uncategorized"),
        ("ATM Milano", "transport"),
        ("Dab Motors", "uncategorized"),
        ("Bank of Kent", "uncategorized"),
        ("Del Banco Trust", "loan_payment"),
        ("Carte Blanche", "uncategorized"),
        ("Service Karte", "uncategorized"),
    ],
)
def test_a_payee_that_only_sounds_like_cash_may_bill(payee: str, category: str) -> None:
    """A shop, a payment service, a person and a transit company keep their charges."""
    home = household().checking(covered=("2024-01-01", IN_JANUARY))
    home.charges(monthly("2024-01-08", 24), payee, 20_00, category)
    assert {one.name for one in home.books(IN_JANUARY).charges} == {payee}
