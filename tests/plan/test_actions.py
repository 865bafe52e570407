"""Actions: each kind fires on its evidence and stays silent without it."""

from collections.abc import Callable

import pytest

from finplan.model import plan_words
from finplan.model.plan import Action, Plan
from finplan.plan.advise.actions import ADVISERS, MOST
from finplan.plan.build import build_plan
from tests.plan.advised import (
    TODAY,
    YEAR,
    charged_fees,
    dearer,
    dearer_debt,
    fee_on_a_card,
    gift,
    habitual_payer,
    idle,
    indebted,
    metered,
    milliseconds,
    overspent,
    rising_essentials,
    rising_pennies,
    short_of_cash,
    signed_out,
    solvent_revolver,
    spent_on_wants,
    stale,
    steady,
    stopped,
    subscribed,
    subscribed_twice,
    trip,
    unknown,
    unlinked_card,
    with_rare_bill,
    with_second_card,
    yearly_bill,
)
from tests.plan.households import Household, every, household, monthly


def plan_of(home: Household) -> Plan:
    return build_plan(home.ledger(), TODAY)


def action(home: Household, kind: str) -> Action | None:
    return next((each for each in plan_of(home).actions if each.kind == kind), None)


def test_a_household_in_order_has_nothing_to_do() -> None:
    """Nothing fires without a reason; every test below adds one."""
    assert plan_of(steady(12_000_00)).actions == ()


FIRES: list[tuple[str, Callable[[], Household], int | None]] = [
    ("reconnect_bank", signed_out, None),
    ("reconnect_bank", lambda: stale(8), None),
    ("connect_account", unlinked_card, 300_00),
    ("income_stopped", stopped, 2_500_00),
    ("cover_cash_gap", short_of_cash, 200_00),
    ("cover_minimums", lambda: indebted(600_00, minimum_payment=200_00), 90_00),
    ("cover_shortfall", overspent, None),
    ("pay_card_in_full", solvent_revolver, 900_00),
    ("build_starter_fund", lambda: indebted(cash=100_00), None),
    ("pay_down_card", indebted, None),
    ("lower_utilization", lambda: habitual_payer(1_002_00, credit_limit=660_00), 402_00),
    ("build_emergency_fund", lambda: steady(2_000_00), None),
    ("prepare_bill", lambda: with_rare_bill(2_000_00, 3_000_00), 2_000_00),
    ("trim_discretionary", lambda: spent_on_wants(1_300_00), 366_67),
    ("trim_discretionary", lambda: spent_on_wants(3_000_00), 1_950_00),
    ("review_essentials", lambda: rising_essentials(320_00), 90_00),
    ("review_essentials", lambda: rising_essentials(240_00), 30_00),
    ("review_essentials", lambda: rising_pennies(45_00), 33_75),
    ("price_rise", lambda: dearer(18_00), 36_00),
    ("price_rise", lambda: yearly_bill(1_218_00), 78_00),
    ("price_rise", lambda: yearly_bill(1_218_00, first=1_140_00), 78_00),
    ("review_subscriptions", lambda: subscribed(260_00), 260_00),
    ("review_subscriptions", subscribed_twice, 27_00),
    ("avoid_fees", lambda: charged_fees(2), 70_00),
    ("avoid_fees", lambda: charged_fees(2, 30_00), 60_00),
    ("avoid_fees", lambda: fee_on_a_card("LATE FEE"), 190_00),
    ("avoid_fees", lambda: fee_on_a_card("CASH ADVANCE INTEREST"), 190_00),
    ("claim_reimbursement", lambda: trip("2025-11-03"), 800_00),
    ("claim_reimbursement", lambda: trip("2025-11-03", back=300_00), 500_00),
    ("invest_idle_cash", lambda: idle(60_000_00), None),
    ("answer_questions", lambda: unknown(60_00), 720_00),
]

SILENT: list[tuple[str, Callable[[], Household]]] = [
    ("reconnect_bank", lambda: stale(7)),
    ("reconnect_bank", lambda: stale(3, status="error")),
    ("connect_account", steady),
    ("income_stopped", gift),
    ("income_stopped", steady),
    ("cover_cash_gap", lambda: short_of_cash(2_500_00)),
    ("cover_minimums", indebted),
    ("cover_shortfall", steady),
    ("pay_card_in_full", habitual_payer),
    ("build_starter_fund", lambda: steady(2_000_00)),
    ("build_starter_fund", lambda: indebted(cash=1_400_00)),
    ("pay_down_card", solvent_revolver),
    ("lower_utilization", habitual_payer),
    ("lower_utilization", lambda: habitual_payer(credit_limit=667_00)),
    ("lower_utilization", lambda: habitual_payer(1_001_00, credit_limit=660_00)),
    ("lower_utilization", lambda: with_second_card(950_00, 1_000_00)),
    ("build_emergency_fund", indebted),
    ("build_emergency_fund", lambda: steady(30_000_00)),
    ("prepare_bill", lambda: with_rare_bill(2_000_00, 30_000_00)),
    ("prepare_bill", lambda: with_rare_bill(200_00, 100_00)),
    (
        "prepare_bill",
        lambda: with_rare_bill(2_000_00, 3_000_00).charges(
            monthly("2025-01-21", 12), "TV SHOP", 2_500_00, "shopping"
        ),
    ),
    ("prepare_bill", lambda: with_rare_bill(2_000_00, 4_000_00)),
    ("prepare_bill", lambda: with_rare_bill(2_000_00, 3_000_00, "03-20")),
    ("trim_discretionary", steady),
    ("trim_discretionary", lambda: spent_on_wants(933_00)),
    ("trim_discretionary", lambda: unknown(2_600_00)),
    ("review_essentials", lambda: rising_essentials(200_00)),
    ("review_essentials", steady),
    ("review_essentials", lambda: rising_essentials(220_00)),
    ("review_essentials", lambda: rising_essentials(231_00)),
    ("review_essentials", lambda: rising_pennies(0)),
    ("price_rise", lambda: dearer(15_70)),
    ("price_rise", lambda: dearer(15_99)),
    ("price_rise", lambda: dearer(18_00, since=6)),
    ("price_rise", metered),
    ("price_rise", dearer_debt),
    ("price_rise", lambda: yearly_bill(1_196_00)),
    ("price_rise", lambda: yearly_bill(1_218_00, "2025-09-15")),
    ("review_subscriptions", lambda: subscribed(100_00)),
    ("avoid_fees", lambda: charged_fees(1)),
    ("avoid_fees", lambda: charged_fees(2, 29_99)),
    ("avoid_fees", lambda: fee_on_a_card("ANNUAL MEMBERSHIP FEE")),
    ("avoid_fees", lambda: fee_on_a_card("INTEREST CHARGE")),
    ("claim_reimbursement", lambda: trip("2025-12-20")),
    ("claim_reimbursement", lambda: trip("2025-11-03", back=800_00)),
    ("invest_idle_cash", lambda: idle(14_000_00)),
    ("invest_idle_cash", lambda: indebted(cash=1_000_00)),
    ("answer_questions", steady),
]


@pytest.mark.parametrize(("kind", "build", "amount"), FIRES)
def test_an_action_fires_on_its_evidence(
    kind: str, build: Callable[[], Household], amount: int | None
) -> None:
    """Each kind has a household that needs it, and says how much where that is a known figure."""
    found = action(build(), kind)
    assert found is not None
    if amount is not None:
        assert found.amount == amount


@pytest.mark.parametrize(("kind", "build"), SILENT)
def test_an_action_is_silent_without_its_evidence(
    kind: str, build: Callable[[], Household]
) -> None:
    """Each kind has a household next to its trigger that must not be bothered."""
    assert action(build(), kind) is None


def test_every_kind_is_tested_both_ways() -> None:
    """No kind without a household that fires it and one that does not."""
    assert {kind for kind, _, _ in FIRES} == {kind for kind, _ in SILENT} == set(ADVISERS)


def test_from_the_second_month_on_budget_advice_is_given() -> None:
    """Two full months of overspending are enough to say so."""
    home = (
        household()
        .checking(balance=90_000_00, covered=("2025-11-01", TODAY))
        .credits(every("2025-11-07", 14, 5), "ACME", 2_000_00, "wages")
        .charges(monthly("2025-11-03", 2), "TV SHOP", 9_000_00, "shopping")
    )
    assert action(home, "cover_shortfall") is not None


def test_wants_are_named_largest_first() -> None:
    """Where a person is to choose, the largest is read first."""
    found = action(overspent(), "cover_shortfall")
    assert found is not None
    assert found.detail.index("Shopping") < found.detail.index("Restaurants")


def test_a_payment_that_grows_is_not_told_as_one_that_stays() -> None:
    """While the starter fund is filled first, the months to clear rest on more than is paid now."""
    grows, stays = indebted(cash=100_00), indebted()
    for home, told in ((grows, True), (stays, False)):
        found = action(home, "pay_down_card")
        assert found is not None
        assert ("once it is full" in found.detail) is told
        assert (" at first, " in plan_words.debt_said(plan_of(home), "USD")) is told


def test_figures_in_words_are_those_of_the_amount() -> None:
    """What the title says is what the amount holds."""
    found = action(indebted(600_00, minimum_payment=200_00), "cover_minimums")
    assert found is not None
    assert found.title == "Find $90 a month for the card minimums"
    assert "$200 a month" in found.detail
    assert "$110 is left over" in found.detail


def test_money_that_only_moves_makes_no_bank_material() -> None:
    """An account through which own money passes does not make its stale bank a worry."""
    home = steady().connection("side", provider="aggregator", last_synced_at=milliseconds(20))
    home.checking("pocket", connection="side", covered=YEAR)
    home.transfer("2025-06-06", "checking", "pocket", 9_000_00)
    home.transfer("2025-06-07", "pocket", "checking", 9_000_00)
    assert action(home, "reconnect_bank") is None


def test_a_stale_statement_is_to_be_imported_not_signed_in_to() -> None:
    """Files come by hand: after five weeks the advice is to import a newer one."""
    assert action(stale(30, provider="manual"), "reconnect_bank") is None
    found = action(stale(40, provider="manual"), "reconnect_bank")
    assert found is not None
    assert "Import" in found.title


def test_a_stale_bank_that_hardly_matters_is_left_alone() -> None:
    """Old data of an account that moves next to nothing change no figure."""
    home = steady().connection("side", provider="aggregator", last_synced_at=milliseconds(20))
    home.checking("pocket", connection="side", covered=YEAR)
    home.charge("2025-06-06", "KIOSK", 3_00, "shopping")
    assert action(home, "reconnect_bank") is None


def test_a_shortfall_names_where_to_start() -> None:
    """The detail holds both sums and the largest wants, and never scolds."""
    found = action(overspent(), "cover_shortfall")
    assert found is not None
    assert found.amount == -plan_of(overspent()).monthly.surplus
    assert "Shopping ($2,500)" in found.detail


@pytest.mark.parametrize(
    ("category", "start"),
    [
        ("uncategorized", "Say what the charges in no category are"),
        ("unlinked_card", "Link the card"),
        ("cash", "set a sum for the week"),
        ("insurance", "Look through the essentials"),
    ],
)
def test_a_shortfall_says_what_can_be_done_about_it(category: str, start: str) -> None:
    """Where no wants are known, the first step fits what the money went on."""
    home = household().checking(balance=9_000_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 1_000_00, "wages")
    found = action(
        home.charges(monthly("2025-01-14", 12), "X", 1_500_00, category), "cover_shortfall"
    )
    assert found is not None
    assert start in found.detail
    assert ("essentials" in found.detail) == (category == "insurance")


def test_unlimited_debt_is_said_to_have_no_end() -> None:
    """Interest above the payment: the detail says so instead of a number of months."""
    found = action(indebted(600_00, apr=0.9, minimum_payment=200_00), "pay_down_card")
    assert found is not None
    assert "does not end" in found.detail


def test_unknown_spending_moves_questions_to_the_top() -> None:
    """From a tenth of spending on, answers matter more than any advice."""
    mostly = plan_of(unknown(2_600_00)).actions
    little = plan_of(unknown(60_00)).actions
    assert mostly[0].kind == "answer_questions"
    assert little[-1].kind == "answer_questions"


def test_one_month_supports_no_trend_and_no_budget() -> None:
    """With one full month only data, cash and card advice is given."""
    home = (
        household()
        .checking(balance=100_00, covered=("2025-12-01", TODAY))
        .credits(every("2025-12-05", 14, 3), "ACME", 2_000_00, "wages")
        .charge("2025-12-03", "TV SHOP", 9_000_00, "shopping")
        .charge("2025-12-04", "ZORBLAX", 2_000_00)
    )
    kinds = {each.kind for each in plan_of(home).actions}
    assert "answer_questions" in kinds
    assert kinds <= {"answer_questions", "cover_cash_gap", "connect_account"}


def test_there_are_never_more_than_seven() -> None:
    """A household with everything wrong gets the seven most urgent, numbered from 1."""
    home = indebted(600_00, minimum_payment=200_00)
    home.connection("bank", "login_required", provider="aggregator")
    home.on("checking").charges(monthly("2025-01-22", 12), "CITI CARD", 300_00, "unlinked_card")
    home.charges(monthly("2025-01-12", 12), "STREAMFLIX", 60_00, "subscriptions")
    home.charges(monthly("2025-02-12", 4), "OVERDRAFT FEE", 35_00, "interest_fees")
    home.charge("2025-11-03", "CONFERENCE", 800_00, "work_expenses")
    home.charges(monthly("2025-01-22", 12), "ZORBLAX", 300_00)
    for number in range(3):
        home.card(f"card {number}", balance=900_00, credit_limit=1_000_00, covered=YEAR)
        home.charge("2025-12-20", f"INTEREST {number}", 5_00, "interest_fees")
    actions = plan_of(home).actions
    assert len(actions) == MOST
    assert [each.priority for each in actions] == [1, 2, 3, 4, 5, 6, 7]


def test_the_larger_amount_comes_first_within_a_kind() -> None:
    """Two price rises: the one that costs more a year leads."""
    home = dearer(18_00).charges(monthly("2025-01-13", 10), "GYM", 40_00, "hobbies")
    home.charges(monthly("2025-11-13", 2), "GYM", 55_00)
    rises = [each for each in plan_of(home).actions if each.kind == "price_rise"]
    assert [each.amount for each in rises] == [180_00, 36_00]


def test_titles_speak_of_money_in_the_households_currency() -> None:
    """A household in euros reads euros."""
    home = household("EUR").checking(balance=100_00, covered=YEAR)
    home.credits(monthly("2025-01-28", 12), "ACME", 2_000_00, "wages")
    home.charges(monthly("2025-01-20", 12), "TV SHOP", 2_600_00, "shopping")
    found = action(home, "cover_shortfall")
    assert found is not None
    assert "€600" in found.title
    assert "$" not in found.detail


def test_nobody_is_told_what_the_data_cannot_know() -> None:
    """No employer match, no refinancing, no tax or insurance advice, no coffee, no security."""
    forbidden = ("401", "match", "refinanc", "coffee", "etf", "index fund", "stock")
    for _, build, _ in FIRES:
        for each in plan_of(build()).actions:
            text = f"{each.title} {each.detail}".lower().replace("restaurants and coffee", "")
            assert not any(word in text for word in forbidden)
