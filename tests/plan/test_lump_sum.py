"""Dear cards get the cash that is spare at once; nobody's reserve, bills or next weeks pay for it."""

from datetime import date
from typing import Any

import pytest

from finplan.model.plan import Action
from finplan.plan.advise.assessment import Assessment
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from tests.plan.advised import TODAY, YEAR, indebted, steady
from tests.plan.households import Household, every, household, monthly


def looked_at(home: Household, today: date = TODAY) -> Assessment:
    ledger = home.ledger()
    return assess(ledger, keep_books(ledger, today), today)


def advice(home: Household, kind: str = "pay_down_card") -> Action | None:
    plan = plan_of(looked_at(home))
    return next((each for each in plan.actions if each.kind == kind), None)


def dear(cash: int, **card: Any) -> Household:
    """A card of 27 % that owes 6,000, beside a pay of 4,333 a month, a rent of 1,200, food of 2,600."""
    home = indebted(cash=cash, **{"apr": 0.27, **card})
    return home.charges(monthly("2025-01-20", 12), "BISTRO", 2_600_00, "dining")


def test_spare_cash_goes_to_a_dear_card_at_once() -> None:
    """What is left beyond a month of needs and the days ahead; it saves months and interest."""
    seen = looked_at(dear(3_500_00))
    assert seen.lump is not None
    assert seen.lump.lowest is not None
    free = 3_500_00 - seen.lump.reserve
    assert seen.lump.reserve == seen.target.base == 1_310_00
    assert seen.payoff.lump == min(free, seen.guard or 0, seen.lump.lowest) > 0
    before, after = seen.payoff.without_lump, seen.payoff.waterfall
    assert (after.payment, after.minimums) == (before.payment, before.minimums)
    assert after.months_to_clear is not None
    assert before.months_to_clear is not None
    assert after.months_to_clear < before.months_to_clear
    assert after.interest < before.interest


def test_the_action_holds_the_lump_sum() -> None:
    """Its amount is what to pay now; the monthly payment stays the plan's."""
    home = dear(3_500_00)
    seen, told = looked_at(home), advice(home)
    assert told is not None
    assert told.amount == seen.payoff.lump
    assert plan_of(seen).debt.monthly_payment == seen.payoff.without_lump.payment
    assert plan_of(seen).debt.months_to_clear == seen.payoff.waterfall.months_to_clear


@pytest.mark.parametrize(
    ("home", "why"),
    [
        (dear(3_500_00, apr=0.09), "a rate below ten percent is not dear"),
        (dear(3_500_00, apr=None), "a rate that nobody knows is not known to be dear"),
        (dear(1_200_00), "a month of needs is not there yet"),
        (dear(3_500_00).card("other", balance=None, covered=YEAR), "a card is not known"),
        (
            dear(3_500_00, income=1_500_00),
            "income falls short, so three months stay",
        ),
        (
            dear(3_500_00).charges(["2024-03-20", "2025-03-20"], "INSURER", 2_500_00, "insurance"),
            "a yearly bill is due within ninety days",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_nothing_is_paid_at_once(home: Household, why: str) -> None:
    """Neither a card that is not dear nor cash that is needed makes a lump sum."""
    assert looked_at(home).payoff.lump == 0, why


def test_what_is_on_its_way_to_the_card_is_not_paid_twice() -> None:
    """A payment that is pending has left cash and lowers what the card asks."""
    home = dear(3_500_00)
    lump = looked_at(home).payoff.lump
    home.on("checking").charge(TODAY, "VISA PAYMENT", lump, "card_payment", pending=True)
    assert lump == 2_190_00
    assert looked_at(home).payoff.lump == 0


def test_what_is_on_its_way_lowers_what_a_card_is_owed() -> None:
    """Of 800 on the card 300 is paid already, so that 500 clears it."""
    home = dear(3_500_00, apr=0.29, balance=800_00)
    home.card("second", balance=6_000_00, credit_limit=9_000_00, apr=0.05, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    home.transfer(
        "2025-12-15", "checking", "visa", 100_00, payee="VISA PAYMENT", category="card_payment"
    )
    assert looked_at(home).payoff.lump == 800_00
    home.on("checking").charge(TODAY, "VISA PAYMENT", 300_00, "card_payment", pending=True)
    assert looked_at(home).payoff.lump == 500_00


def test_a_pending_bill_lowers_it_once() -> None:
    """What is pending is not expected once more: with the bill on its way the lump stays."""
    home = dear(4_000_00).on("checking")
    home.charges(monthly("2025-01-12", 12), "CLUB", 1_200_00, "hobbies")
    before = looked_at(home).payoff.lump
    home.charge(TODAY, "CLUB", 1_200_00, pending=True)
    assert looked_at(home).payoff.lump == pytest.approx(before, abs=1_200_00 * 0.2)
    assert before > 0


def test_the_dearest_card_is_paid_first_whatever_is_known_of_others() -> None:
    """A card whose rate nobody knows changes the order of payments, not where the lump goes."""
    home = dear(3_500_00, apr=0.29, credit_limit=20_000_00, balance=3_000_00)
    home.card("second", balance=3_000_00, credit_limit=3_200_00, apr=0.11, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    home.card("third", balance=300_00, covered=YEAR)
    home.on("third").charge("2025-12-20", "INTEREST CHARGE", 5_00, "interest_fees")
    told = advice(home)
    assert told is not None
    assert told.title.startswith("Pay $")
    assert " on visa now" in told.title


def test_what_is_left_on_two_cards_is_paid_in_order() -> None:
    """The monthly step names both what is left and the card that comes first."""
    home = dear(3_500_00, apr=0.29, balance=3_000_00)
    home.card("second", balance=2_000_00, credit_limit=9_000_00, apr=0.12, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    told = advice(home)
    assert told is not None
    assert "is left on 2 cards." in told.detail
    assert "the rest to visa" in told.detail


@pytest.mark.parametrize(("rate", "is_dear"), [(0.0999, False), (0.1, True)])
def test_ten_percent_is_dear(rate: float, *, is_dear: bool) -> None:
    """From a tenth a year on a card gets cash at once, and only a quarter of a month comes before it."""
    seen = looked_at(dear(3_500_00, apr=rate))
    assert (seen.payoff.lump > 0, seen.target.part) == (is_dear, 4 if is_dear else 1)


def test_a_card_that_it_clears_is_not_paid_each_month() -> None:
    """The months after it are about what is left."""
    home = dear(3_500_00, apr=0.29, balance=800_00)
    home.card("second", balance=6_000_00, credit_limit=9_000_00, apr=0.05, covered=YEAR)
    home.on("second").charge("2025-12-20", "INTEREST CHARGE", 25_00, "interest_fees")
    seen, told = looked_at(home), advice(home)
    assert seen.payoff.lump == 800_00
    assert [card.account.name for card in seen.payoff.rest] == ["second"]
    assert told is not None
    assert "a month on second" not in told.title
    assert "is left on second." in told.detail


def test_a_lump_that_clears_all_leaves_nothing_to_pay() -> None:
    """Beside the bill of another card cash clears this one, and no month is left to pay on it."""
    home = indebted(income=3_500_00, cash=5_000_00, balance=1_500_00, apr=0.27)
    home.charges(monthly("2025-01-20", 12), "BISTRO", 1_000_00, "dining")
    home.card("amex", balance=2_500_00, credit_limit=9_000_00, covered=YEAR, apr=0.2)
    home.on("amex").charges(monthly("2025-01-12", 12), "MARKET", 2_500_00, "dining")
    for day in monthly("2025-02-06", 12):
        home.transfer(day, "checking", "amex", 2_500_00, category="card_payment")
    seen, told = looked_at(home), advice(home)
    assert (seen.payoff.lump, seen.payoff.rest) == (1_500_00, ())
    assert told is not None
    assert told.title == "Pay $1,500 on visa now"


def test_the_fund_waits_longer_for_a_target_of_ones_own() -> None:
    """What the lump takes is missing in the fund, and filled after the cards."""
    home = dear(3_500_00)
    home.settings = home.settings.model_copy(update={"target_months": 3})
    payoff = looked_at(home).payoff
    assert payoff.lump == 2_190_00
    # The gap of 430 and the lump take five months of 533: what is left over, and the card.s interest.
    assert (payoff.after.months_to_clear, payoff.after.months_to_target) == (8, 8 + 5)


@pytest.mark.parametrize(("cash", "lump"), [(1_334_99, 0), (1_335_00, 25_00)])
def test_cents_are_no_advice(cash: int, lump: int) -> None:
    """Less than a card asks for a month is not worth a word."""
    assert looked_at(dear(cash)).payoff.lump == lump


def test_no_interest_row_no_lump_sum() -> None:
    """A promotion charges nothing, so the cash may stay."""
    home = (
        household()
        .checking(balance=3_500_00, covered=YEAR)
        .credits(monthly("2025-01-03", 13), "ACME", 4_000_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_200_00, "rent")
        .card("visa", balance=6_000_00, credit_limit=9_000_00, covered=YEAR, apr=0.27)
    )
    for day in monthly("2025-01-15", 12):
        home.transfer(day, "checking", "visa", 150_00, category="card_payment")
    seen = looked_at(home)
    assert seen.payoff.strategy == "paydown"
    assert seen.lump is None


def test_rare_bills_are_no_cash_to_pay_a_card_in_full() -> None:
    """Cash that covers a card only with the money for a yearly bill pays it down over months."""
    home = dear(3_000_00, balance=1_500_00)
    assert looked_at(home).payoff.strategy == "pay_in_full"
    home.charges(["2024-03-20", "2025-03-20"], "INSURER", 900_00, "insurance")
    assert looked_at(home).payoff.strategy == "paydown"


@pytest.mark.parametrize(("cash", "is_told"), [(500_00, True), (4_000_00, False)])
def test_usual_spending_that_may_take_the_rest_is_told_with_its_chance(
    cash: int, *, is_told: bool
) -> None:
    """Bills are covered and food hardly is; the amount covers nine of ten cases."""
    home = household().checking(balance=cash, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 2_500_00, "wages")
    days = every("2025-01-02", 3, 124)
    home.charges(days, "CORNER SHOP", [30_00, 95_00, 140_00, 55_00] * 31, "groceries")
    seen, told = looked_at(home), advice(home, "cover_cash_gap")
    assert (told is not None) == is_told
    if told is not None:
        assert seen.outlook is not None
        days_left = (seen.period.end - TODAY).days - 1
        assert seen.outlook.below_zero(days_left) >= 0.25
        assert (seen.guard, told.amount) == (500_00, -seen.outlook.lowest(days_left))


def test_no_path_is_drawn_where_cash_is_plenty() -> None:
    """Who has twice what the days until payday cost is not looked at more closely."""
    assert looked_at(steady(30_000_00)).outlook is None
