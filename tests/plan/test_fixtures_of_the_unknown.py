"""Households of which something is unknown, and debts: plan-semantics, section 14, from 19 on."""

from dataclasses import replace

import pytest

from finplan.plan.explain.sections import explain
from finplan.plan.sections.wealth import wealth
from tests.plan.households import Day, Household, every, household, monthly
from tests.plan.typical import TODAY, assessed, plan_of

HOLE: tuple[tuple[Day, Day], ...] = (("2024-10-01", "2025-02-28"), ("2025-07-01", TODAY))
WHOLE: tuple[Day, Day] = ("2024-10-01", TODAY)


def with_hole(*covered: tuple[Day, Day]) -> Household:
    """Pay and rent in the months that statements cover; 2,500 today, 7,000 before the hole."""
    home = household().checking(balance=2_500_00, covered=list(covered))
    for first, months in (("2024-10", 5), ("2025-07", 6)):
        home.credits(monthly(f"{first}-28", months), "ACME", 4_333_00, "wages")
        home.charges(monthly(f"{first}-01", months), "LANDLORD", 1_300_00, "rent")
        home.charges(monthly(f"{first}-12", months), "SAFEWAY", 400_00, "groceries")
    return home.recorded_balance("checking", "2025-02-28", 7_000_00, stated=True)


def test_19_a_hole_of_four_months_is_left_out_of_means_and_fund() -> None:
    """Means and fund are those of the months that statements cover, and a note names the hole."""
    plan = plan_of(with_hole(*HOLE))
    assert plan.window.months == 11
    assert (plan.monthly.income, plan.monthly.essentials) == (4_333_00, 1_700_00)
    assert plan.emergency_fund.target_amount == 6 * 1_700_00
    assert plan.emergency_fund.months_covered == 1.4
    (note,) = [each for each in plan.notes if "import that statement" in each]
    assert "checking has no data from 1 March 2025 to 30 June 2025" in note


def test_19_the_history_has_no_point_in_the_hole() -> None:
    """Before the hole net worth follows from the balance that was stated there."""
    history = wealth(with_hole(*HOLE).ledger(), TODAY).history
    points = {f"{point.date:%Y-%m}": point.net_worth for point in history}
    assert points["2025-02"] == 7_000_00
    assert points["2025-01"] == 7_000_00 - 4_333_00 + 1_700_00
    assert not {"2025-03", "2025-04", "2025-05", "2025-06"} & points.keys()
    assert points["2025-12"] == 2_500_00
    assert points["2025-11"] == 2_500_00 - 4_333_00 + 1_700_00


def test_19_four_quiet_months_are_months() -> None:
    """Where statements cover all the days, months without rows are averaged, and nothing is noted."""
    plan = plan_of(with_hole(WHOLE))
    assert plan.window.months == 12
    assert plan.monthly.essentials < 1_700_00
    assert not any("import that statement" in each for each in plan.notes)


def renting(category: str | None) -> Household:
    """A rent of 1,200 that somebody has explained, or nobody; it is two fifths of spending."""
    return (
        household()
        .checking(balance=40_000_00, covered=WHOLE)
        .credits(every("2024-10-04", 14, 34), "ACME", 2_500_00, "wages")
        .charges(monthly("2024-10-01", 16), "ZQ PROPERTIES 4411", 1_200_00, category)
        .charges(monthly("2024-10-12", 15), "SAFEWAY", 900_00, "groceries")
        .charges(monthly("2024-10-20", 15), "BISTRO", 900_00, "dining")
    )


def test_22_an_unknown_rent_makes_the_plan_provisional() -> None:
    """Two fifths unknown: the base holds the rent, and a full fund is not called reached."""
    home = assessed(renting(None))
    assert home.standing.provisional
    assert home.standing.unknown_share == 0.4
    assert home.target.base == 2_100_00
    assert (home.fund.gap, home.fund.months_to_target) == (0, None)
    said = " ".join(explain(home, None, "emergencyFund").reasons)
    assert "40% of spending has no category" in said


def test_22_after_one_answer_the_plan_is_firm() -> None:
    """With the rent explained the base is the same, and the target is reached."""
    home = assessed(renting("rent"))
    assert not home.standing.provisional
    assert home.target.base == home.planned.essentials == 2_100_00
    assert (home.fund.gap, home.fund.months_to_target) == (0, 0)


CARDS = {"dear": (5_000_00, 0.30), "middle": (3_000_00, 0.28), "wide": (9_000_00, 0.27)}
"""What three cards are owed and their rates."""


def three_cards(cash: int = 200_00) -> Household:
    """17,000 owed at 27 to 30 %, pay that leaves 1,120 a month before the cards' interest."""
    home = (
        household()
        .checking(balance=cash, covered=WHOLE)
        .credits(monthly("2024-10-28", 15), "ACME", 4_320_00, "wages")
        .charges(monthly("2024-10-01", 16), "LANDLORD", 2_000_00, "rent")
        .charges(monthly("2024-10-12", 15), "SAFEWAY", 802_50, "groceries")
    )
    for name, (owed, rate) in CARDS.items():
        home.card(name, balance=owed, apr=rate, covered=WHOLE)
        charged = round(owed * rate / 12)
        home.charges(monthly("2024-10-20", 15), "INTEREST CHARGE", charged, "interest_fees")
    return home


def paid_off(first: int, budget: float) -> tuple[int, float, float]:
    """Month by month in floats: months to clear, all interest, the first contribution.

    `first` is what goes to the fund before extra payments, `budget` what there is a month.
    """
    owed = [CARDS[name] for name in ("dear", "middle", "wide")]
    balances, rates = [float(each[0]) for each in owed], [each[1] / 12 for each in owed]
    months, interest, missing, begun = 0, 0.0, float(first), 0.0
    while sum(balances) > 0.5:
        charged = [balance * rate for balance, rate in zip(balances, rates, strict=True)]
        least = [
            min(balance + cost, max(balance * 0.01 + cost, balance * 0.02, 25_00))
            for balance, cost in zip(balances, charged, strict=True)
        ]
        aside = max(0.0, min(missing, budget - sum(least)))
        begun = begun or aside
        spare = max(0.0, budget - aside - sum(least))
        for place, due in enumerate(least):
            with_interest = balances[place] + charged[place]
            paid = min(with_interest, due + spare)
            spare -= paid - due
            balances[place] = with_interest - paid
        months, interest, missing = months + 1, interest + sum(charged), missing - aside
    return months, interest, begun


def test_25_three_dear_cards_leave_a_quarter_of_a_month_first() -> None:
    """The floor comes first; months and interest, and what it saves, are as simulated apart."""
    home = assessed(three_cards())
    means, payoff = home.means, home.payoff
    assert [card.account.name for card in payoff.revolving] == ["dear", "middle", "wide"]
    assert (home.target.part, home.target.base) == (4, home.planned.essentials)
    budget = home.planned.capacity + means.card_interest
    floor = paid_off(home.target.floor - 200_00, budget)
    month = paid_off(home.target.base - 200_00, budget)
    assert payoff.whole_month is not None
    for found, apart in ((payoff.waterfall, floor), (payoff.whole_month, month)):
        assert found.months_to_clear == apart[0]
        assert found.interest == pytest.approx(apart[1], abs=1_00)
        assert found.contribution == pytest.approx(apart[2], abs=1)
    assert month[0] > floor[0]
    assert month[1] - floor[1] > 500_00


def test_25_cheap_cards_wait_for_a_whole_month() -> None:
    """At 5 % a month of cash comes first, and there is nothing to compare it with."""
    home = three_cards()
    for name in CARDS:
        home.accounts[name] = replace(home.accounts[name], apr=0.05)
    found = assessed(home)
    assert found.target.floor == found.target.base
    assert found.payoff.whole_month is None


def test_30_an_estimated_minimum_ends_the_debt() -> None:
    """16,000 at 30 % without a known minimum is cleared in finite time by the minimum alone."""
    home = (
        household()
        .checking(balance=611_00, covered=WHOLE)
        .credits(monthly("2024-10-28", 15), "ACME", 2_000_00, "wages")
        .charges(monthly("2024-10-01", 16), "LANDLORD", 1_900_00, "rent")
        .card("visa", balance=16_000_00, apr=0.30, covered=WHOLE)
        .charges(monthly("2024-10-20", 15), "INTEREST CHARGE", 400_00, "interest_fees")
    )
    payoff = assessed(home).payoff
    assert payoff.waterfall.minimums == 560_00
    assert payoff.waterfall.payment == 560_00
    assert payoff.waterfall.months_to_clear is not None
    home.accounts["visa"] = replace(home.accounts["visa"], minimum_payment=390_00)
    assert assessed(home).payoff.waterfall.months_to_clear is None


def with_minimum(cash: int, pays_on: str) -> Household:
    """A card's minimum of 513 on a day of the month, pay on the 28th, today is the 10th."""
    home = (
        household()
        .checking(balance=cash, covered=WHOLE)
        .credits(monthly("2024-10-28", 15), "ACME", 2_600_00, "wages")
        .card("visa", balance=16_000_00, apr=0.30, minimum_payment=513_00, covered=WHOLE)
        .charges(monthly("2024-10-20", 15), "INTEREST CHARGE", 400_00, "interest_fees")
    )
    for day in monthly(f"2024-10-{pays_on}", 15):
        home.transfer(day, "checking", "visa", 513_00, category="card_payment")
    return home


@pytest.mark.parametrize(("pays_on", "guard"), [("18", 98_00), ("29", 611_00)])
def test_30_a_minimum_is_kept_of_the_cash(pays_on: str, guard: int) -> None:
    """Of 611 in cash a minimum of 513 leaves 98 where it is due before payday, else all of it."""
    assert assessed(with_minimum(611_00, pays_on)).guard == guard


def paying_a_card(category: str) -> Household:
    """600 a month to a card that is not linked, which buys the groceries, beside a rent of 1,500."""
    return (
        household()
        .checking(balance=19_000_00, covered=WHOLE)
        .credits(monthly("2024-10-28", 15), "ACME", 4_000_00, "wages")
        .charges(monthly("2024-10-01", 16), "LANDLORD", 1_500_00, "rent")
        .charges(monthly("2024-10-20", 15), "CITI CARD", 600_00, category)
    )


def test_30_groceries_on_an_unlinked_card_are_in_the_base() -> None:
    """Regular payments to a card that is not linked are needs as long as the plan is provisional."""
    found = assessed(paying_a_card("unlinked_card"))
    assert found.standing.provisional
    assert found.target.base == 1_500_00 + 600_00
    assert (found.fund.gap, found.fund.months_to_target) == (0, None)
    known = assessed(paying_a_card("insurance"))
    assert known.target.base == known.planned.essentials == 2_100_00
    assert known.fund.months_to_target == 0
