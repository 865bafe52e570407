"""The emergency fund's goal, and the way there: minimums, starter fund, cards, full fund.

Dear cards get the cash that is spare at once; nobody's reserve, bills or next weeks pay for it.
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from finplan.model.money import half_even
from finplan.model.plan import Action
from finplan.plan.build import plan_of
from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.sections import emergency
from tests.plan.advised import indebted, steady
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.typical import assessed
from tests.present import present
from tests.says import says


def earner(cash: int = 3_000_00, **settings: Any) -> Household:
    return (
        household(**settings)
        .checking(balance=cash, covered=YEAR)
        .earns_biweekly(2_000_00)
        .rents(1_000_00)
    )


def goal(home: Household) -> tuple[int, str]:
    target = assessed(home).target
    return target.months, target.why


def test_one_steady_earner_needs_six_months() -> None:
    """A regular salary alone: 6, of essentials and nothing added."""
    home = assessed(earner())
    assert goal(earner()) == (6, "usual")
    assert home.fund.target_amount == 6_000_00
    assert home.fund.months_covered == 3.0


def test_a_persons_own_value_comes_first() -> None:
    """Own months win over every rule, zero included."""
    assert goal(earner(target_months=4)) == (4, "own")
    none = assessed(earner(target_months=0)).fund
    assert (none.target_amount, none.gap, none.months_to_target) == (0, 0, 0)


def test_two_payers_who_can_carry_each_other_need_three() -> None:
    """3 only if income without the largest source covers half of the essentials."""
    second = earner().credits(monthly("2025-01-28", 12), "SHOP JOB", 500_00, "wages")
    assert goal(second) == (3, "two_earners")
    little = earner().credits(monthly("2025-01-28", 12), "SHOP JOB", 499_00, "wages")
    assert goal(little) == (6, "usual")


def test_interest_is_no_second_earner() -> None:
    """Salary and interest are one wage source, however large the interest."""
    home = earner().credits(monthly("2025-01-28", 12), "BANK INTEREST", 900_00, "interest")
    assert goal(home) == (6, "usual")


def test_a_second_job_that_ended_is_no_second_earner() -> None:
    """Only active sources carry a household."""
    home = earner().credits(monthly("2025-01-28", 5), "SHOP JOB", 900_00, "wages")
    assert goal(home) == (6, "usual")


def test_a_short_history_assumes_six() -> None:
    """Below three months: 6 and "assumed"."""
    home = (
        with_cash(500_00, ("2025-11-01", TODAY))
        .earns_biweekly(2_000_00, "2025-11-07", 5)
        .rents(1_000_00, "2025-11-01", 3)
    )
    assert goal(home) == (6, "short_history")


def test_uneven_pay_needs_nine() -> None:
    """A main source that varies by more than a quarter: 9, though it comes every second Friday."""
    amounts = [900_00, 2_600_00, 1_500_00, 3_100_00]
    home = (
        with_cash(500_00)
        .credits(every("2025-01-03", 14, 27), "TIPS INC", amounts, "wages")
        .rents(1_000_00)
    )
    assert goal(home) == (9, "uneven_income")


def test_no_regular_source_needs_nine() -> None:
    """Nothing regular comes in: 9."""
    assert goal(with_cash(500_00).rents(1_000_00)) == (9, "uneven_income")


def test_a_raise_is_not_uneven_pay() -> None:
    """One step from one fixed amount to another is steady."""
    home = (
        with_cash(500_00)
        .earns_biweekly(1_000_00, times=13)
        .earns_biweekly(1_900_00, "2025-07-04", 14)
        .rents(1_000_00)
    )
    assert goal(home) == (6, "usual")


@pytest.mark.parametrize(
    ("amounts", "expected"),
    [([100], False), ([100, 100], False), ([60, 100, 140], True), ([75, 125], False), ([], False)],
)
def test_variation_is_deviation_over_mean(amounts: list[int], expected: bool) -> None:
    """More than a quarter; exactly a quarter is not more."""
    assert emergency.varies(amounts) is expected


def carded(*, balance: int, cash: int) -> Household:
    home = earner(cash).card("visa", balance=balance, covered=YEAR)
    return home.charges(monthly("2025-10-20", 3), "INTEREST CHARGE", 20_00, "interest_fees")


def test_while_cards_revolve_the_goal_is_a_starter() -> None:
    """Paydown: one month, and the whole cash is reserve."""
    home = assessed(carded(balance=9_000_00, cash=700_00))
    assert (home.target.months, home.target.why) == (1, "starter")
    assert home.target.reserve == 700_00


def test_the_card_bill_is_spoken_for() -> None:
    """Not paydown: what cards are owed is no reserve."""
    home = assessed(carded(balance=400_00, cash=3_000_00))
    assert home.payoff.strategy == "pay_in_full"
    assert home.target.reserve == 2_600_00


def test_own_months_do_not_delay_the_cards() -> None:
    """With own months and revolving cards, only the starter's floor comes before the cards."""
    home = carded(balance=9_000_00, cash=100_00)
    home.settings = home.settings.model_copy(update={"target_months": 6})
    found = assessed(home)
    base = found.target.base
    assert found.fund.gap == 6 * base - 100_00
    assert found.fund.monthly_contribution == half_even(base, 4) - 100_00
    assert found.fund.months_to_target is not None
    assert found.fund.months_to_target > present(found.payoff.waterfall.months_to_clear)


def at_rate(apr: float | None, cash: int = 100_00) -> Household:
    home = carded(balance=9_000_00, cash=cash)
    home.accounts["visa"] = replace(home.accounts["visa"], apr=apr)
    return home


@pytest.mark.parametrize(("apr", "part"), [(None, 4), (0.30, 4), (0.10, 4), (0.0999, 1), (0.0, 1)])
def test_a_dear_card_leaves_a_quarter_of_a_month_before_it(apr: float | None, part: int) -> None:
    """From 10 % a year on, or where the rate is unknown, the floor is a quarter; else a month."""
    target = assessed(at_rate(apr)).target
    assert (target.part, target.floor) == (part, half_even(target.base, part))
    assert target.starter == target.floor - 100_00


def test_one_dear_card_among_cheap_ones_is_enough() -> None:
    """A single unknown rate keeps the floor at a quarter; a card that owes nothing has no say."""
    home = at_rate(0.05).card("other", balance=500_00, covered=YEAR)
    home.charges(monthly("2025-11-20", 2), "INTEREST CHARGE", 5_00)
    assert assessed(home).target.part == 4
    home.accounts["other"] = replace(home.accounts["other"], balance=0)
    assert assessed(home).target.part == 1


def test_uneven_income_needs_half_a_month_before_the_cards() -> None:
    """Pay that varies by more than a quarter doubles the floor beside a dear card alone."""
    for apr, part in ((0.30, 2), (0.05, 1)):
        home = at_rate(apr)
        home.rows = [row for row in home.rows if row[0] != home.payee_number("ACME")]
        amounts = [900_00, 2_600_00, 1_500_00, 3_100_00]
        home.on("checking").credits(every("2025-01-03", 14, 27), "TIPS INC", amounts, "wages")
        assert assessed(home).target.part == part


def test_what_cash_holds_beyond_the_floor_goes_to_the_cards() -> None:
    """With the floor in cash nothing is put aside, though the starter month is not full."""
    fund = assessed(at_rate(0.30, cash=700_00)).fund
    assert fund.gap > 0
    assert fund.monthly_contribution == 0


def test_an_overdrawn_account_fills_the_gap_and_no_more() -> None:
    """Cash below zero asks for no more than the gap of the fund."""
    target = assessed(at_rate(0.30, cash=-9_000_00)).target
    assert target.starter == target.gap == target.amount


def test_the_floor_is_never_more_than_the_persons_own_target() -> None:
    """Own months of none leave no floor."""
    home = at_rate(0.05)
    home.settings = home.settings.model_copy(update={"target_months": 0})
    assert assessed(home).target.floor == 0


def half_known(unknown: int, cash: int = 30_000_00) -> Household:
    """Rent of 1,000 that is known, and a regular charge that is not."""
    home = earner(cash).charges(monthly("2025-01-12", 12), "ZORBLAX", unknown)
    return home.charges(["2025-03-03", "2025-06-09"], "ODD SHOP", 300_00)


def test_what_is_regular_and_unknown_is_in_the_base_while_provisional() -> None:
    """Base = essentials and recurring charges of no known category; single ones are left out."""
    found = assessed(half_known(500_00))
    assert found.standing.provisional
    assert found.target.base == found.means.essentials + 500_00 == 1_500_00
    assert found.fund.target_amount == 6 * 1_500_00
    assert found.fund.months_covered == 20.0
    firm = assessed(half_known(50_00))
    assert not firm.standing.provisional
    assert firm.target.base == firm.means.essentials == 1_000_00


def test_nothing_is_reached_while_provisional() -> None:
    """Gap 0 says "reached" only of a firm plan whose debts are known."""
    assert assessed(half_known(50_00)).fund.months_to_target == 0
    for home in (
        half_known(500_00),
        half_known(50_00).card("untold", balance=None),
        half_known(50_00).account("car", "loan", balance=None),
    ):
        fund = assessed(home).fund
        assert (fund.gap, fund.months_to_target) == (0, None)


def test_a_gap_is_told_in_months_though_much_is_unknown() -> None:
    """What is missing of a provisional plan is still filled at its pace."""
    fund = assessed(half_known(100_00, cash=1_000_00)).fund
    assert fund.gap > 0
    assert fund.months_to_target is not None


@pytest.mark.parametrize(("planned", "kept"), [(1_000_00, 1_000_00), (999_99, 3_000_00)])
def test_three_months_stay_in_cash_while_income_is_below_needs(planned: int, kept: int) -> None:
    """Kept in cash: a month of the base; three while planned income is below it; never below zero."""
    assert emergency.kept_in_cash(1_000_00, planned) == kept
    assert emergency.kept_in_cash(-5, planned) == 0


def test_unknown_essentials_complete_nothing() -> None:
    """No essentials: target, gap and months covered are 0, and months to target is unknown."""
    home = with_cash(9_000_00)
    home.charges(monthly("2025-01-05", 12), "BISTRO", 100_00, "dining")
    fund = assessed(home).fund
    assert (fund.target_amount, fund.gap, fund.months_covered) == (0, 0, 0)
    assert fund.monthly_contribution == 0
    assert fund.months_to_target is None


cards = st.lists(
    st.builds(
        emergency.OwedCard,
        balance=st.integers(1, 20_000_00),
        rate=st.none() | st.integers(0, 400_000),
        minimum=st.none() | st.integers(0, 500_00),
    ),
    min_size=1,
    max_size=3,
)


@st.composite
def moneys(draw: st.DrawFn) -> emergency.MonthlyFunds:
    gap = draw(st.integers(0, 20_000_00))
    return emergency.MonthlyFunds(
        capacity=draw(st.integers(0, 3_000_00)),
        interest=draw(st.integers(0, 300_00)),
        starter=draw(st.integers(0, gap)),
        gap=gap,
        least=25_00,
    )


def _never_as_large(months: int | None) -> int:
    return 10_000 if months is None else months


@given(cards, moneys())
def test_no_more_is_given_than_there_is(
    owed: list[emergency.OwedCard], money: emergency.MonthlyFunds
) -> None:
    """Payment + contribution is at most the larger of minimums and capacity + interest."""
    course = emergency.simulate_waterfall(owed, money)
    available = money.capacity + money.interest
    assert course.payment + course.contribution <= max(course.minimums, available)
    assert course.payment >= course.minimums
    assert 0 <= course.contribution <= money.gap


@given(cards, moneys())
def test_the_fund_comes_after_the_minimums(
    owed: list[emergency.OwedCard], money: emergency.MonthlyFunds
) -> None:
    """Where minimums take all there is, the fund gets nothing; without capacity it gets nothing."""
    course = emergency.simulate_waterfall(owed, money)
    if money.capacity + money.interest <= course.minimums or money.capacity == 0:
        assert course.contribution == 0


@given(cards, moneys())
def test_the_starter_comes_before_extra_payments(
    owed: list[emergency.OwedCard], money: emergency.MonthlyFunds
) -> None:
    """Where the interest is within the minimums, the fund gets min(starter, c + I - m)."""
    course = emergency.simulate_waterfall(owed, money)
    left = money.capacity + money.interest - course.minimums
    if money.interest <= course.minimums:
        assert course.contribution == max(0, min(money.starter, left))


@given(cards, moneys())
def test_a_payment_is_at_most_debt_and_interest(
    owed: list[emergency.OwedCard], money: emergency.MonthlyFunds
) -> None:
    """Nobody pays more than the debt and one month's interest on it."""
    course = emergency.simulate_waterfall(owed, money)
    most = sum(card.balance + card.balance * (card.rate or 0) // 12_000_000 + 1 for card in owed)
    assert course.payment <= most


@settings(max_examples=60)
@given(cards, moneys(), st.integers(1, 500_00))
def test_capacity_never_takes_longer(
    owed: list[emergency.OwedCard], money: emergency.MonthlyFunds, more: int
) -> None:
    """Whoever has more to give clears the cards no later and fills the fund no later."""
    slow = emergency.simulate_waterfall(owed, money)
    fast = emergency.simulate_waterfall(owed, replace(money, capacity=money.capacity + more))
    assert _never_as_large(fast.months_to_clear) <= _never_as_large(slow.months_to_clear)
    assert _never_as_large(fast.months_to_target) <= _never_as_large(slow.months_to_target)


@given(moneys())
def test_without_cards_the_fund_gets_the_capacity(money: emergency.MonthlyFunds) -> None:
    """Nothing owed: contribution is min(gap, capacity), months are gap / capacity, rounded up."""
    course = emergency.simulate_waterfall((), money)
    assert (course.payment, course.minimums, course.months_to_clear) == (0, 0, 0)
    assert course.contribution == min(money.gap, money.capacity)
    if money.gap == 0:
        assert course.months_to_target == 0
    elif money.capacity == 0:
        assert course.months_to_target is None
    else:
        months = -(-money.gap // money.capacity)
        assert course.months_to_target == (months if months <= 600 else None)


def test_a_worked_example() -> None:
    """8,000 owed at 24 %, 500 to give, 600 of starter missing: the fund, then the card."""
    course = emergency.simulate_waterfall(
        [emergency.OwedCard(8_000_00, 240_000, None)],
        emergency.MonthlyFunds(
            capacity=400_00, interest=100_00, starter=600_00, gap=600_00, least=25_00
        ),
    )
    assert course == emergency.WaterfallResult(
        minimums=240_00,
        payment=240_00,
        contribution=260_00,
        months_to_clear=22,
        months_to_target=3,
        interest=course.interest,
    )
    assert 1_900_00 < course.interest < 2_100_00


def test_fifty_years_are_the_longest_answer() -> None:
    """600 months are told, 601 are "never"."""
    money = emergency.MonthlyFunds(capacity=1, interest=0, starter=0, gap=600, least=25_00)
    assert emergency.simulate_waterfall((), money).months_to_target == 600
    assert emergency.simulate_waterfall((), replace(money, gap=601)).months_to_target is None


def test_what_grows_for_ever_is_never_clear() -> None:
    """A payment below the interest never ends the debt."""
    course = emergency.simulate_waterfall(
        [emergency.OwedCard(8_000_00, 300_000, 50_00)],
        emergency.MonthlyFunds(capacity=0, interest=0, starter=0, gap=0, least=25_00),
    )
    assert course.payment == 50_00
    assert course.months_to_clear is None


def test_the_rest_of_the_fund_waits_for_the_cards() -> None:
    """Beyond the starter, the fund grows only once the cards are clear, with all that they took."""
    course = emergency.simulate_waterfall(
        [emergency.OwedCard(1_000_00, 0, 0)],
        emergency.MonthlyFunds(
            capacity=400_00, interest=100_00, starter=0, gap=1_000_00, least=25_00
        ),
    )
    assert course.contribution == 0
    assert course.months_to_clear == 2
    assert course.months_to_target == 4


def test_the_dearest_first_costs_no_more_interest() -> None:
    """Avalanche against snowball: the order decides the interest."""
    dear, small = (
        emergency.OwedCard(5_000_00, 290_000, None),
        emergency.OwedCard(1_000_00, 90_000, None),
    )
    money = emergency.MonthlyFunds(capacity=500_00, interest=0, starter=0, gap=0, least=25_00)
    assert (
        emergency.simulate_waterfall([dear, small], money).interest
        < emergency.simulate_waterfall([small, dear], money).interest
    )


@given(
    st.integers(1, 10**7), st.none() | st.integers(0, 600_000), st.none() | st.integers(0, 10**6)
)
def test_a_minimum_is_no_more_than_owed(balance: int, rate: int | None, known: int | None) -> None:
    """A small balance with its month's interest is its own minimum, told or estimated."""
    card = emergency.OwedCard(balance, rate, known)
    assert 0 <= emergency.minimum_due(card, 25_00) <= balance + emergency.months_interest(card)


@pytest.mark.parametrize(
    ("balance", "rate", "due"),
    [
        (16_000_00, 300_000, 560_00),
        (16_000_00, None, 320_00),
        (16_000_00, 120_000, 320_00),
        (16_000_00, 120_750, 321_00),
        (1_000_00, 0, 25_00),
        (20_00, 300_000, 20_50),
    ],
)
def test_an_estimated_minimum_is_the_highest(balance: int, rate: int | None, due: int) -> None:
    """1 % and the month's interest, 2 %, or $25; no more than what is owed with its interest."""
    assert emergency.minimum_due(emergency.OwedCard(balance, rate, None), 25_00) == due


def test_the_issuers_minimum_goes_before_the_estimate() -> None:
    """What the issuer asks for is the minimum, though it is less than the interest."""
    assert emergency.minimum_due(emergency.OwedCard(16_000_00, 300_000, 40_00), 25_00) == 40_00


@given(st.integers(1, 20_000_00), st.none() | st.integers(0, 600_000))
def test_an_estimated_minimum_ends_every_debt(balance: int, rate: int | None) -> None:
    """Whoever pays no more than the estimate is clear one day."""
    card, months = emergency.OwedCard(balance, rate, None), 0
    while card.balance > 0:
        paid = emergency.minimum_due(card, 25_00)
        assert paid > emergency.months_interest(card)
        card = replace(card, balance=card.balance + emergency.months_interest(card) - paid)
        months += 1
    assert months <= 600


def test_a_dollar_has_an_equivalent_in_every_currency() -> None:
    """Rules of thumb in dollars stay near in yen and dinars."""
    assert (about_one_dollar("USD"), about_one_dollar("JPY"), about_one_dollar("KWD")) == (
        100,
        100,
        1000,
    )


def advice(home: Household, kind: str = "pay_down_card") -> Action | None:
    return next((each for each in plan_of(assessed(home)).actions if each.kind == kind), None)


def dear(cash: int, **card: Any) -> Household:
    """A card of 27 % that owes 6,000, beside a pay of 4,333 a month, a rent of 1,200, food of 2,600."""
    home = indebted(cash=cash, **{"apr": 0.27, **card})
    return home.charges(monthly("2025-01-20", 12), "BISTRO", 2_600_00, "dining")


def test_spare_cash_goes_to_a_dear_card_at_once() -> None:
    """What is left beyond a month of needs and the days ahead; it saves months and interest."""
    seen = assessed(dear(3_500_00))
    assert seen.lump is not None
    assert seen.lump.lowest is not None
    free = 3_500_00 - seen.lump.reserve
    assert seen.lump.reserve == seen.target.base == 1_310_00
    assert seen.payoff.lump == min(free, seen.guard or 0, seen.lump.lowest) > 0
    before, after = seen.payoff.without_lump, seen.payoff.waterfall
    assert (after.payment, after.minimums) == (before.payment, before.minimums)
    assert after.months_to_clear is not None
    assert after.months_to_clear < present(before.months_to_clear)
    assert after.interest < before.interest


def test_the_action_holds_the_lump_sum() -> None:
    """Its amount is what to pay now; the monthly payment stays the plan's."""
    home = dear(3_500_00)
    seen, told = assessed(home), advice(home)
    assert present(told).amount == seen.payoff.lump
    assert plan_of(seen).debt.monthly_payment == seen.payoff.without_lump.payment
    assert plan_of(seen).debt.months_to_clear == seen.payoff.waterfall.months_to_clear


@pytest.mark.parametrize(
    ("home", "why"),
    [
        (dear(3_500_00, apr=0.09), "a rate below ten percent is not dear"),
        (dear(3_500_00, apr=None), "a rate that nobody knows is not known to be dear"),
        (dear(1_200_00), "a month of needs is not there yet"),
        (dear(3_500_00).card("other", balance=None, covered=YEAR), "a card is not known"),
        (dear(3_500_00, income=1_500_00), "income falls short, so three months stay"),
        (
            dear(3_500_00).charges(["2024-03-20", "2025-03-20"], "INSURER", 2_500_00, "insurance"),
            "a yearly bill is due within ninety days",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_nothing_is_paid_at_once(home: Household, why: str) -> None:
    """Neither a card that is not dear nor cash that is needed makes a lump sum."""
    assert assessed(home).payoff.lump == 0, why


def test_what_is_on_its_way_to_the_card_is_not_paid_twice() -> None:
    """A payment that is pending has left cash and lowers what the card asks."""
    home = dear(3_500_00)
    lump = assessed(home).payoff.lump
    home.on("checking").charge(TODAY, "VISA PAYMENT", lump, "card_payment", pending=True)
    assert lump == 2_190_00
    assert assessed(home).payoff.lump == 0


def test_what_is_on_its_way_lowers_what_a_card_is_owed() -> None:
    """Of 800 on the card 300 is paid already, so that 500 clears it."""
    home = dear(3_500_00, apr=0.29, balance=800_00)
    home.card("second", balance=6_000_00, credit_limit=9_000_00, apr=0.05, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    home.transfer(
        "2025-12-15", "checking", "visa", 100_00, payee="VISA PAYMENT", category="card_payment"
    )
    assert assessed(home).payoff.lump == 800_00
    home.on("checking").charge(TODAY, "VISA PAYMENT", 300_00, "card_payment", pending=True)
    assert assessed(home).payoff.lump == 500_00


def test_a_pending_bill_lowers_it_once() -> None:
    """What is pending is not expected once more: with the bill on its way the lump stays."""
    home = dear(4_000_00).on("checking")
    home.charges(monthly("2025-01-12", 12), "CLUB", 1_200_00, "hobbies")
    before = assessed(home).payoff.lump
    home.charge(TODAY, "CLUB", 1_200_00, pending=True)
    assert assessed(home).payoff.lump == pytest.approx(before, abs=1_200_00 * 0.2)
    assert before > 0


def test_the_dearest_card_is_paid_first_whatever_is_known_of_others() -> None:
    """A card whose rate nobody knows changes the order of payments, not where the lump goes."""
    home = dear(3_500_00, apr=0.29, credit_limit=20_000_00, balance=3_000_00)
    home.card("second", balance=3_000_00, credit_limit=3_200_00, apr=0.11, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    home.card("third", balance=300_00, covered=YEAR)
    home.on("third").charge("2025-12-20", "INTEREST CHARGE", 5_00, "interest_fees")
    told = present(advice(home))
    assert told.title.startswith("Pay $")
    assert " on visa now" in told.title


def test_what_is_left_on_two_cards_is_paid_in_order() -> None:
    """The monthly step names both what is left and the card that comes first."""
    home = dear(3_500_00, apr=0.29, balance=3_000_00)
    home.card("second", balance=2_000_00, credit_limit=9_000_00, apr=0.12, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    told = present(advice(home))
    assert says(told.detail, "still owe", "on 2 cards.", "rest on visa")


@pytest.mark.parametrize(("rate", "is_dear"), [(0.0999, False), (0.1, True)])
def test_ten_percent_is_dear(rate: float, *, is_dear: bool) -> None:
    """From a tenth a year on a card gets cash at once, and only a quarter of a month comes before it."""
    seen = assessed(dear(3_500_00, apr=rate))
    assert (seen.payoff.lump > 0, seen.target.part) == (is_dear, 4 if is_dear else 1)


def test_a_card_that_it_clears_is_not_paid_each_month() -> None:
    """The months after it are about what is left."""
    home = dear(3_500_00, apr=0.29, balance=800_00)
    home.card("second", balance=6_000_00, credit_limit=9_000_00, apr=0.05, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    seen, told = assessed(home), advice(home)
    assert seen.payoff.lump == 800_00
    assert [card.account.name for card in seen.payoff.others] == ["second"]
    assert told is not None
    assert "month on second" not in told.title
    assert says(told.detail, "still owe", "on second.")


def test_a_lump_that_clears_all_leaves_nothing_to_pay() -> None:
    """Beside the bill of another card cash clears this one, and no month is left to pay on it."""
    home = indebted(income=3_500_00, cash=5_000_00, balance=1_500_00, apr=0.27)
    home.charges(monthly("2025-01-20", 12), "BISTRO", 1_000_00, "dining")
    home.card("amex", balance=2_500_00, credit_limit=9_000_00, covered=YEAR, apr=0.2)
    home.on("amex").charges(monthly("2025-01-12", 12), "MARKET", 2_500_00, "dining")
    home.card_payments(monthly("2025-02-06", 12), "amex", 2_500_00)
    seen, told = assessed(home), advice(home)
    assert (seen.payoff.lump, seen.payoff.others) == (1_500_00, ())
    assert "$1,500 on visa now" in present(told).title


def test_the_fund_waits_longer_for_a_target_of_ones_own() -> None:
    """What the lump takes is missing in the fund, and filled after the cards."""
    home = dear(3_500_00)
    home.settings = home.settings.model_copy(update={"target_months": 3})
    payoff = assessed(home).payoff
    assert payoff.lump == 2_190_00
    # The gap of 430 and the lump take five months of 533: what is left over, and the card.s interest.
    assert (payoff.after.months_to_clear, payoff.after.months_to_target) == (8, 8 + 5)


@pytest.mark.parametrize(("cash", "lump"), [(1_334_99, 0), (1_335_00, 25_00)])
def test_cents_are_no_advice(cash: int, lump: int) -> None:
    """Less than a card asks for a month is not worth a word."""
    assert assessed(dear(cash)).payoff.lump == lump


def test_no_interest_row_no_lump_sum() -> None:
    """A promotion charges nothing, so the cash may stay."""
    home = (
        with_cash(3_500_00)
        .earns(4_000_00, "2025-01-03", 13)
        .rents(1_200_00)
        .card("visa", balance=6_000_00, credit_limit=9_000_00, covered=YEAR, apr=0.27)
    )
    home.card_payments(monthly("2025-01-15", 12), "visa", 150_00)
    seen = assessed(home)
    assert seen.payoff.strategy == "paydown"
    assert seen.lump is None


def test_rare_bills_are_no_cash_to_pay_a_card_in_full() -> None:
    """Cash that covers a card only with the money for a yearly bill pays it down over months."""
    home = dear(3_000_00, balance=1_500_00)
    assert assessed(home).payoff.strategy == "pay_in_full"
    home.charges(["2024-03-20", "2025-03-20"], "INSURER", 900_00, "insurance")
    assert assessed(home).payoff.strategy == "paydown"


@pytest.mark.parametrize(("cash", "is_told"), [(500_00, True), (4_000_00, False)])
def test_usual_spending_that_may_take_the_rest_is_told_so(cash: int, *, is_told: bool) -> None:
    """Bills are covered and food hardly is; the amount covers nine of ten cases."""
    home = with_cash(cash).earns(2_500_00)
    days = every("2025-01-02", 3, 124)
    home.charges(days, "CORNER SHOP", [30_00, 95_00, 140_00, 55_00] * 31, "groceries")
    seen, told = assessed(home), advice(home, "cover_cash_gap")
    assert (told is not None) == is_told
    if told is not None:
        assert seen.outlook is not None
        days_left = (seen.period.end - TODAY).days - 1
        assert seen.outlook.below_zero(days_left) >= 0.25
        assert (seen.guard, told.amount) == (500_00, -seen.outlook.lowest(days_left))


def test_no_path_is_drawn_where_cash_is_plenty() -> None:
    """Who has twice what the days until payday cost is not looked at more closely."""
    assert assessed(steady(30_000_00)).outlook is None
