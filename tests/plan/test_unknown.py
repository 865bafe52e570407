"""What is not known is said: how much of spending, and which balances; nothing to do follows from it.

Who lives on savings, on how much of them, and for how long: plan-semantics, section 6a.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from finplan.model.plan import Bound, DebtStrategy, UncertainFigure, bound
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, build_plan
from finplan.plan.explain.sections import explain
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.budget import LivingOnSavings, live_on_savings
from finplan.plan.sections.monthly import plan_month
from finplan.plan.sections.standing import Standing, take_standing
from finplan.plan.sections.wealth import take_snapshot
from tests.plan.advised import (
    habitual_payer,
    idle,
    indebted,
    short_of_cash,
    solvent_revolver,
    steady,
    with_rare_bill,
)
from tests.plan.households import TODAY, YEAR, Household, household, monthly, with_cash
from tests.plan.typical import plan_of


def standing(home: Household) -> Standing:
    return take_standing(home.ledger(), home.books("2025-03-10"))


def of_sums(spending: int, unknown: int, worth: tuple[bool, bool] = (False, False)) -> Standing:
    """What is unknown of these sums; `worth` says whether debts and whether assets are unknown."""
    debt, assets = worth
    return Standing(
        spending=spending,
        unknown_total=unknown,
        unanswered=0,
        monthly=0,
        regular=0,
        cards_unknown=debt,
        debt_unknown=debt,
        cash_unknown=assets,
        assets_unknown=assets,
    )


def spent(unknown: int, known: int, category: str = "uncategorized") -> Household:
    home = household().checking(balance=2_000_00).charge("2025-01-01", "FIRST", 1, "groceries")
    for month in ("2025-01", "2025-02"):
        home = home.charge(f"{month}-10", "SHOP", known, "groceries")
        if unknown:
            home = home.charge(f"{month}-20", "WHO KNOWS", unknown, category)
    return home.charge("2025-03-10", "LAST", 1, "groceries")


@pytest.mark.parametrize("category", ["uncategorized", "unlinked_card"])
@pytest.mark.parametrize(
    ("unknown", "known", "share", "provisional"),
    [(0, 900_00, 0.0, False), (99_00, 901_00, 0.099, False), (100_00, 899_00, 0.1001, True)],
)
def test_a_tenth_unknown_makes_a_plan_provisional(
    unknown: int, known: int, share: float, provisional: bool, category: str
) -> None:
    """The unknown share is that of spending in no known category; from a tenth on it is provisional."""
    found = standing(spent(unknown, known, category))
    assert found.unknown_share == pytest.approx(share, abs=0.00006)
    assert found.provisional is provisional


def test_exactly_a_tenth_is_provisional() -> None:
    """The bound itself counts: a tenth is provisional, a cent less is not."""
    assert of_sums(1_000, 100).provisional
    assert not of_sums(1_000, 99).provisional


def test_nothing_spent_is_nothing_unknown() -> None:
    """Without spending the share is 0 and nothing is provisional, whatever was refunded."""
    found = of_sums(0, 0)
    assert (found.unknown_share, found.provisional) == (0.0, False)
    assert of_sums(-5, 100).unknown_share == 0.0


def test_the_share_is_never_above_one() -> None:
    """Refunds in known categories may leave less than the unknown part: the share stays 1."""
    assert of_sums(100, 150).unknown_share == 1.0


def test_a_refund_of_what_is_unknown_is_no_negative_share() -> None:
    """More money back than out in no category is nothing unknown."""
    home = spent(0, 100_00).charge("2025-02-02", "CARD", 1_00, "unlinked_card")
    home = home.credit("2025-02-03", "CARD", 50_00, "unlinked_card")
    assert standing(home).unknown_total == 0


@pytest.mark.parametrize(
    ("too_high", "too_low", "told"),
    [
        (False, False, "exact"),
        (True, False, "at most"),
        (False, True, "at least"),
        (True, True, "unknown"),
    ],
)
def test_what_a_sum_with_unknown_parts_is_worth(too_high: bool, too_low: bool, told: Bound) -> None:
    """An unknown debt makes net worth an upper bound, an unknown asset a lower one, both no bound."""
    assert bound(too_high=too_high, too_low=too_low) == told
    assert of_sums(0, 0, (too_high, too_low)).worth == told


def test_a_card_without_a_balance_is_an_unknown_debt() -> None:
    """A card that nobody told the balance of is unknown debt, and no unknown asset."""
    found = standing(spent(0, 100_00).card("visa", balance=None))
    assert (found.cards_unknown, found.debt_unknown, found.assets_unknown) == (True, True, False)


def test_a_loan_without_a_balance_is_an_unknown_debt_but_no_card() -> None:
    """A loan's unknown balance is debt; what is owed on cards stays known."""
    found = standing(spent(0, 100_00).account("car", "loan", balance=None))
    assert (found.cards_unknown, found.debt_unknown, found.assets_unknown) == (False, True, False)


@pytest.mark.parametrize("kind", ["depository", "investment"])
def test_cash_or_an_investment_without_a_balance_is_an_unknown_asset(kind: str) -> None:
    """An asset without a balance is unknown, and no debt is."""
    found = standing(spent(0, 100_00).account("jar", kind, balance=None))  # type: ignore[arg-type]
    assert (found.debt_unknown, found.assets_unknown) == (False, True)


def test_a_card_that_is_paid_but_not_linked_is_an_unknown_debt() -> None:
    """A payment of the last ninety days to an unlinked card is debt that nobody told."""
    paid = spent(0, 100_00).charge("2025-02-20", "SOME CARD", 80_00, "unlinked_card")
    assert standing(paid).debt_unknown


@pytest.mark.parametrize(("day", "unknown"), [("2024-12-11", True), ("2024-12-10", False)])
def test_a_card_that_nobody_pays_any_more_is_forgotten(day: str, unknown: bool) -> None:
    """Ninety days after its last payment an unlinked card is unknown debt no longer."""
    paid = spent(0, 100_00).charge(day, "SOME CARD", 80_00, "unlinked_card")
    assert standing(paid).debt_unknown is unknown


def test_money_back_from_a_card_is_no_debt() -> None:
    """A credit from an unlinked card shows no debt."""
    back = spent(0, 100_00).credit("2025-02-20", "SOME CARD", 80_00, "unlinked_card")
    assert not standing(back).debt_unknown


def test_what_is_regular_and_unknown_is_told_a_month() -> None:
    """Recurring charges of no known category, and of no other."""
    home = household().checking(covered=("2024-01-01", "2025-03-10"))
    home.charges(monthly("2024-01-12", 14), "ZORBLAX", 40_00)
    home.rents(900_00, "2024-01-01", 14)
    home.charge("2025-02-02", "ODD SHOP", 77_00)
    assert standing(home).regular == 40_00


@pytest.mark.parametrize(
    ("missing", "at_most"),
    [
        ("", ()),
        ("card", ("netWorth", "debt", "available", "monthsCovered")),
        ("loan", ("netWorth",)),
        ("jar", ()),
        ("card jar", ("debt",)),
        ("card fund", ("debt", "available", "monthsCovered")),
        ("loan fund", ()),
    ],
)
def test_what_an_unknown_debt_lowers(missing: str, at_most: tuple[UncertainFigure, ...]) -> None:
    """A card bounds four figures, a loan net worth; what an unknown asset raises is bounded no more."""
    home = spent(0, 100_00)
    kinds = {"card": "credit", "loan": "loan", "jar": "depository", "fund": "investment"}
    for name in missing.split():
        home.account(name, kinds[name], None, balance=None)  # type: ignore[arg-type]
    found = standing(home)
    assert found.view().at_most == at_most
    assert found.cash_unknown is ("jar" in missing)


@pytest.mark.parametrize("subtype", ["hsa", "cd"])
def test_what_is_set_aside_is_no_cash(subtype: str) -> None:
    """A health account without a balance leaves cash known, and net worth a lower bound."""
    found = standing(spent(0, 100_00).account("hsa", "depository", subtype, balance=None))
    assert (found.cash_unknown, found.assets_unknown) == (False, True)


def test_the_view_tells_share_and_money_of_a_month() -> None:
    """The wire shape holds what is unknown of spending: its share, and what it is a month."""
    view = standing(spent(100_00, 300_00)).view()
    assert (view.provisional, view.unknown_share, view.money_unknown) == (True, 0.25, 100_00)


def advised(home: Household) -> set[str]:
    return {each.kind for each in plan_of(home).actions}


def filling() -> Household:
    return steady(500_00)


UNTOLD_CASH: list[tuple[str, Callable[[], Household]]] = [
    ("cover_cash_gap", short_of_cash),
    ("cover_minimums", lambda: indebted(income=600_00)),
    ("pay_card_in_full", solvent_revolver),
    ("build_starter_fund", lambda: indebted(cash=100_00)),
    ("pay_down_card", indebted),
    ("lower_utilization", lambda: habitual_payer(credit_limit=620_00)),
    ("build_emergency_fund", filling),
    ("prepare_bill", lambda: with_rare_bill(4_000_00, 2_000_00)),
    ("invest_idle_cash", lambda: idle(60_000_00)),
]


@pytest.mark.parametrize(("kind", "make"), UNTOLD_CASH, ids=[kind for kind, _ in UNTOLD_CASH])
def test_no_advice_is_of_cash_that_nobody_told(kind: str, make: Callable[[], Household]) -> None:
    """What is advised of known cash is not when one cash account's balance is unknown."""
    assert kind in advised(make())
    assert kind not in advised(make().savings("jar", balance=None))


UNTOLD_CARD = [
    (kind, make)
    for kind, make in UNTOLD_CASH
    if kind not in {"cover_cash_gap", "cover_minimums", "build_starter_fund", "pay_down_card"}
]


@pytest.mark.parametrize(("kind", "make"), UNTOLD_CARD, ids=[kind for kind, _ in UNTOLD_CARD])
def test_cash_of_an_untold_card_leaves_no_advice(kind: str, make: Callable[[], Household]) -> None:
    """How much cash is free is unknown as long as a card's balance is."""
    assert kind not in advised(make().card("untold", balance=None, covered=YEAR))


def test_cash_is_not_short_where_only_a_card_is_linked() -> None:
    """Without any cash account nothing is known of cash, and so no gap."""
    home = household().card("visa", balance=900_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 11_00, "interest_fees")
    home.credits(monthly("2025-01-12", 12), "PAYMENT", 50_00, "card_payment")
    assert "cover_cash_gap" not in advised(home)


@pytest.mark.parametrize("told", [True, False])
def test_unknown_cash_does_not_lower_what_is_safe_to_spend(*, told: bool) -> None:
    """Cash decides about the day's share only where it is known."""
    home = short_of_cash(100_00)
    if not told:
        home.savings("jar", balance=None)
    ledger = home.ledger()
    plan = build_plan(ledger, TODAY)
    allowance = live_snapshot(ledger, keep_books(ledger, TODAY), plan, TODAY).allowance
    assert (allowance.today < allowance.daily - allowance.spent_today) == told


@pytest.mark.parametrize(
    "section", ["snapshot", "wealth", "emergencyFund", "debt", "actions", "allowance"]
)
def test_every_explanation_that_rests_on_balances_says_what_is_unknown(section: str) -> None:
    """It names the account and the command that tells its balance; with all told it says nothing."""
    for home, said in ((steady(), False), (steady().savings("jar", balance=None), True)):
        ledger = home.ledger()
        assessed = assess(ledger, keep_books(ledger, TODAY), TODAY)
        reasons = " ".join(explain(assessed, None, section).reasons)
        assert ("accounts without a balance: jar." in reasons) == said
        assert ("set acc_jar --balance AMOUNT" in reasons) == said


def found(
    home: Household,
    *,
    base: int | None = None,
    unknown: int = 0,
    strategy: DebtStrategy = "none",
    owed: int = 0,
) -> LivingOnSavings:
    ledger, books = home.ledger(), home.books(TODAY)
    planned = replace(plan_month(ledger, books), unknown=unknown)
    return live_on_savings(
        ledger,
        books,
        planned,
        take_snapshot(ledger),
        base=planned.essentials if base is None else base,
        strategy=strategy,
        owed=owed,
    )


def on_savings(
    income: int = 0,
    category: str = "pension_benefits",
    *,
    cash: int = 36_000_00,
    wants: int = 400_00,
) -> Household:
    """Essentials of 1,600 a month and these wants, with so much income and cash."""
    home = (
        with_cash(cash)
        .rents(1_600_00)
        .charges(monthly("2025-01-20", 12), "BISTRO", wants, "dining")
    )
    return home.credits(monthly("2025-01-28", 12), "PAYER", income, category) if income else home


@pytest.mark.parametrize(
    ("income", "category", "applies"),
    [
        (1_599_00, "wages", True),
        (1_600_00, "wages", False),
        (1_600_00, "pension_benefits", True),
        (1_600_00, "self_employment", False),
        (2_000_00, "pension_benefits", False),
        (1_999_00, "pension_benefits", True),
    ],
)
def test_who_lives_on_savings(income: int, category: str, applies: bool) -> None:
    """Income below the base, or below spending without pay for work, is living on savings."""
    assert found(on_savings(income, category)).applies is applies


def test_the_base_decides_not_essentials_alone() -> None:
    """Regular charges of no known category raise the base above essentials, and it is what counts."""
    home = on_savings(1_700_00, "wages")
    assert not found(home).applies
    assert found(home, base=1_700_01).applies


def test_a_persons_own_income_replaces_the_planned_one() -> None:
    """Somebody who says what comes in a month is planned with that."""
    home = on_savings(1_000_00).monthly_income(3_000_00)
    assert (found(home).applies, found(home).shortfall) == (False, -1_000_00)


def test_shortfall_runway_and_months() -> None:
    """The shortfall is spending beyond income; runway is what can be drawn, divided by it."""
    seen = found(on_savings(1_200_00, cash=8_000_00))
    assert (seen.shortfall, seen.drawable, seen.runway_months) == (800_00, 8_000_00, Fraction(10))
    assert not seen.lasts


def test_without_a_shortfall_there_is_no_end() -> None:
    """Income that covers spending draws on nothing, so the savings last."""
    seen = found(on_savings(2_000_00))
    assert (seen.runway_months, seen.lasts, seen.months_by_targets) == (None, True, None)


@pytest.mark.parametrize(("cash", "lasts"), [(48_000_00, True), (47_999_99, False)])
def test_two_years_are_long_enough_between_jobs(cash: int, lasts: bool) -> None:
    """Who is not retired needs 24 months of savings, to the cent."""
    seen = found(on_savings(cash=cash))
    assert (seen.horizon, seen.lasts) == (24, lasts)


def test_targets_keep_essentials_and_the_part_of_wants_that_lasts() -> None:
    """Savings for half the horizon keep half of the wants; the three targets add up to income."""
    seen = found(on_savings(cash=24_000_00))
    assert (seen.essentials, seen.discretionary, seen.savings) == (1_600_00, 200_00, -1_800_00)
    assert seen.months_by_targets == Fraction(24_000_00, 1_800_00)


def test_what_is_unknown_is_kept_whole() -> None:
    """Spending in no known category may be a need, so no part of it is left out of the target."""
    assert found(on_savings(cash=24_000_00), unknown=100_00).discretionary == 100_00 + 150_00


def test_what_income_leaves_may_be_spent_without_any_savings() -> None:
    """A pension of 1,900 and essentials of 1,600 leave 300 for wants, though nothing can be drawn."""
    seen = found(on_savings(1_900_00, cash=0))
    assert (seen.applies, seen.discretionary, seen.savings) == (True, 300_00, 0)


def test_targets_add_up_to_the_income_there_is() -> None:
    """Σ targets = planned income, to the cent, whatever the runway."""
    seen = found(on_savings(1_000_07, cash=777_77))
    assert seen.essentials + seen.discretionary + seen.savings == 1_000_07


def test_cards_are_paid_before_savings_are_drawn() -> None:
    """What cards are owed is spoken for, down to nothing; under `paydown` the cash stays whole."""
    home = on_savings(cash=5_000_00).brokerage(balance=10_000_00)
    assert found(home, owed=1_000_00).drawable == 14_000_00
    assert found(home, owed=6_000_00).drawable == 10_000_00
    assert found(home, owed=6_000_00, strategy="paydown").drawable == 5_000_00


def test_an_overdraft_is_nothing_to_draw_on() -> None:
    """Cash below zero is no negative savings."""
    assert found(on_savings(cash=-100_00)).drawable == 0
    assert found(on_savings(cash=-100_00), strategy="paydown").drawable == 0


@pytest.mark.parametrize(
    ("kind", "subtype", "sold"),
    [
        ("investment", "brokerage", True),
        ("depository", "cd", True),
        ("investment", None, True),
        ("depository", "hsa", False),
        ("depository", "fsa", False),
        ("investment", "529", False),
        ("other", "property", False),
        ("other", "real estate", False),
        ("other", "vehicle", False),
        ("investment", "401k", False),
        ("investment", "Roth 401k", False),
        ("investment", "ira", False),
    ],
)
def test_what_can_be_sold(kind: str, subtype: str | None, sold: bool) -> None:
    """A house, a car, health and school money are never sold, retirement money not before its time."""
    home = on_savings(cash=0).account("it", kind, subtype, balance=9_000_00)  # type: ignore[arg-type]
    assert found(home).drawable == (9_000_00 if sold else 0)


def test_the_retired_draw_on_retirement_money_for_twenty_years() -> None:
    """A pension and no pay in half a year: retirement accounts count, the house still does not."""
    home = on_savings(1_000_00).account("ira", "investment", "ira", balance=64_000_00)
    seen = found(home.account("house", "other", "property", balance=90_000_00))
    assert (seen.retired, seen.horizon, seen.drawable) == (True, 240, 100_000_00)
    assert seen.runway_months == 100


def test_who_was_paid_in_the_last_half_year_is_not_retired() -> None:
    """Pay within 183 days of the last data says that work goes on; earlier pay does not."""
    home = on_savings(1_000_00).credit("2025-07-11", "SHOP JOB", 500_00, "wages")
    assert not found(home).retired
    home = on_savings(1_000_00).credit("2025-07-10", "SHOP JOB", 500_00, "wages")
    assert found(home).retired


def test_a_short_history_says_nothing_of_retirement() -> None:
    """Half a year must be seen before its lack of pay tells anything."""
    home = household().checking(covered=("2025-08-01", TODAY))
    home.credits(monthly("2025-08-28", 5), "PENSION", 1_000_00, "pension_benefits")
    assert not found(home).retired


@pytest.mark.parametrize(("first", "retired"), [("2025-07-11", True), ("2025-07-12", False)])
def test_half_a_year_is_counted_to_the_day(first: str, retired: bool) -> None:
    """183 days before the last data must be covered by rows."""
    home = (
        household().checking(covered=("2025-07-01", TODAY)).charge(first, "KIOSK", 1_00, "dining")
    )
    home.credits(monthly("2025-07-28", 6), "PENSION", 1_000_00, "pension_benefits")
    assert found(home).retired is retired


def test_a_pension_that_stopped_is_no_retirement() -> None:
    """Only a pension that still comes makes somebody retired."""
    home = on_savings().credits(monthly("2025-01-28", 6), "PENSION", 900_00, "pension_benefits")
    assert not found(home).retired


def drawing(times: int, *, step: int = 1) -> Household:
    home = on_savings(cash=1_000_00)
    return home.credits(monthly("2025-01-05", times, step), "FUND HOUSE", 800_00, "investing")


@pytest.mark.parametrize(("times", "step", "regular"), [(6, 2, True), (5, 2, False), (12, 1, True)])
def test_regular_draws_from_an_unlinked_investment(times: int, step: int, regular: bool) -> None:
    """Draws in half of a year's months are regular: the wants that they pay for stay whole."""
    seen = found(drawing(times, step=step))
    assert (seen.regular_draws, seen.lasts) == (regular, regular)
    assert (seen.discretionary == 400_00) is regular


def test_two_draws_are_not_regular_however_short_the_window() -> None:
    """Three months with a draw are needed, money paid in is none, and nor is a linked account's."""
    home = household().checking(covered=("2025-10-01", TODAY)).brokerage()
    home.on("checking").charges(monthly("2025-10-02", 3), "BISTRO", 900_00, "dining")
    days = monthly("2025-10-05", 3)
    home.credits(days[:2], "FUND HOUSE", 800_00, "investing").charge(
        days[2], "FUND HOUSE", 800_00, "investing"
    )
    home.transfer(days[2], "brokerage", "checking", 50_00, category="investing")
    assert not found(home).regular_draws
    assert found(home.credit(days[2], "FUND HOUSE", 1_00)).regular_draws


def test_a_household_without_rows_lives_on_nothing() -> None:
    """Nothing spent is nothing drawn."""
    seen = found(household().checking(balance=500_00))
    assert (seen.applies, seen.shortfall, seen.months_by_targets) == (False, 0, None)
