"""The waterfall: minimums, starter fund, cards, full fund, month by month."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from finplan.plan.ledger.amounts import about_one_dollar
from finplan.plan.sections.emergency import (
    MonthlyFunds,
    OwedCard,
    WaterfallResult,
    minimum_due,
    months_interest,
    simulate_waterfall,
)

cards = st.lists(
    st.builds(
        OwedCard,
        balance=st.integers(1, 20_000_00),
        rate=st.none() | st.integers(0, 400_000),
        minimum=st.none() | st.integers(0, 500_00),
    ),
    min_size=1,
    max_size=3,
)


@st.composite
def moneys(draw: st.DrawFn) -> MonthlyFunds:
    gap = draw(st.integers(0, 20_000_00))
    return MonthlyFunds(
        capacity=draw(st.integers(0, 3_000_00)),
        interest=draw(st.integers(0, 300_00)),
        starter=draw(st.integers(0, gap)),
        gap=gap,
        least=25_00,
    )


def _never_as_large(months: int | None) -> int:
    return 10_000 if months is None else months


@given(cards, moneys())
def test_no_more_is_given_than_there_is(owed: list[OwedCard], money: MonthlyFunds) -> None:
    """Payment + contribution is at most the larger of minimums and capacity + interest."""
    course = simulate_waterfall(owed, money)
    available = money.capacity + money.interest
    assert course.payment + course.contribution <= max(course.minimums, available)
    assert course.payment >= course.minimums
    assert 0 <= course.contribution <= money.gap


@given(cards, moneys())
def test_nothing_goes_to_the_fund_before_the_minimums_are_paid(
    owed: list[OwedCard], money: MonthlyFunds
) -> None:
    """Where minimums take all there is, the fund gets nothing; without capacity it gets nothing."""
    course = simulate_waterfall(owed, money)
    if money.capacity + money.interest <= course.minimums or money.capacity == 0:
        assert course.contribution == 0


@given(cards, moneys())
def test_the_starter_comes_before_extra_payments(owed: list[OwedCard], money: MonthlyFunds) -> None:
    """Where the interest is within the minimums, the fund gets min(starter, c + I - m)."""
    course = simulate_waterfall(owed, money)
    left = money.capacity + money.interest - course.minimums
    if money.interest <= course.minimums:
        assert course.contribution == max(0, min(money.starter, left))


@given(cards, moneys())
def test_a_payment_is_at_most_what_is_owed_with_a_month_of_interest(
    owed: list[OwedCard], money: MonthlyFunds
) -> None:
    """Nobody pays more than the debt and one month's interest on it."""
    course = simulate_waterfall(owed, money)
    most = sum(card.balance + card.balance * (card.rate or 0) // 12_000_000 + 1 for card in owed)
    assert course.payment <= most


@settings(max_examples=60)
@given(cards, moneys(), st.integers(1, 500_00))
def test_more_capacity_never_takes_longer(
    owed: list[OwedCard], money: MonthlyFunds, more: int
) -> None:
    """Whoever has more to give clears the cards no later and fills the fund no later."""
    slow = simulate_waterfall(owed, money)
    fast = simulate_waterfall(owed, replace(money, capacity=money.capacity + more))
    assert _never_as_large(fast.months_to_clear) <= _never_as_large(slow.months_to_clear)
    assert _never_as_large(fast.months_to_target) <= _never_as_large(slow.months_to_target)


@given(moneys())
def test_without_cards_the_fund_gets_the_capacity(money: MonthlyFunds) -> None:
    """Nothing owed: contribution is min(gap, capacity), months are gap / capacity, rounded up."""
    course = simulate_waterfall((), money)
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
    course = simulate_waterfall(
        [OwedCard(8_000_00, 240_000, None)],
        MonthlyFunds(capacity=400_00, interest=100_00, starter=600_00, gap=600_00, least=25_00),
    )
    assert course == WaterfallResult(
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
    money = MonthlyFunds(capacity=1, interest=0, starter=0, gap=600, least=25_00)
    assert simulate_waterfall((), money).months_to_target == 600
    assert simulate_waterfall((), replace(money, gap=601)).months_to_target is None


def test_what_grows_for_ever_is_never_clear() -> None:
    """A payment below the interest never ends the debt."""
    course = simulate_waterfall(
        [OwedCard(8_000_00, 300_000, 50_00)],
        MonthlyFunds(capacity=0, interest=0, starter=0, gap=0, least=25_00),
    )
    assert course.payment == 50_00
    assert course.months_to_clear is None


def test_the_rest_of_the_fund_waits_for_the_cards() -> None:
    """Beyond the starter, the fund grows only once the cards are clear, with all that they took."""
    course = simulate_waterfall(
        [OwedCard(1_000_00, 0, 0)],
        MonthlyFunds(capacity=400_00, interest=100_00, starter=0, gap=1_000_00, least=25_00),
    )
    assert course.contribution == 0
    assert course.months_to_clear == 2
    assert course.months_to_target == 4


def test_the_dearest_first_costs_no_more_interest() -> None:
    """Avalanche against snowball: the order decides the interest."""
    dear, small = OwedCard(5_000_00, 290_000, None), OwedCard(1_000_00, 90_000, None)
    money = MonthlyFunds(capacity=500_00, interest=0, starter=0, gap=0, least=25_00)
    assert (
        simulate_waterfall([dear, small], money).interest
        < simulate_waterfall([small, dear], money).interest
    )


@given(
    st.integers(1, 10**7), st.none() | st.integers(0, 600_000), st.none() | st.integers(0, 10**6)
)
def test_a_minimum_is_never_more_than_what_is_owed(
    balance: int, rate: int | None, known: int | None
) -> None:
    """A small balance with its month's interest is its own minimum, told or estimated."""
    card = OwedCard(balance, rate, known)
    assert 0 <= minimum_due(card, 25_00) <= balance + months_interest(card)


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
def test_an_estimated_minimum_is_the_most_of_three(
    balance: int, rate: int | None, due: int
) -> None:
    """1 % and the month's interest, 2 %, or $25; no more than what is owed with its interest."""
    assert minimum_due(OwedCard(balance, rate, None), 25_00) == due


def test_the_issuers_minimum_goes_before_the_estimate() -> None:
    """What the issuer asks for is the minimum, though it is less than the interest."""
    assert minimum_due(OwedCard(16_000_00, 300_000, 40_00), 25_00) == 40_00


@given(st.integers(1, 20_000_00), st.none() | st.integers(0, 600_000))
def test_an_estimated_minimum_ends_every_debt(balance: int, rate: int | None) -> None:
    """Whoever pays no more than the estimate is clear one day."""
    card, months = OwedCard(balance, rate, None), 0
    while card.balance > 0:
        paid = minimum_due(card, 25_00)
        assert paid > months_interest(card)
        card = replace(card, balance=card.balance + months_interest(card) - paid)
        months += 1
    assert months <= 600


def test_a_dollar_has_an_equivalent_in_every_currency() -> None:
    """Rules of thumb in dollars stay near in yen and dinars."""
    assert (about_one_dollar("USD"), about_one_dollar("JPY"), about_one_dollar("KWD")) == (
        100,
        100,
        1000,
    )
