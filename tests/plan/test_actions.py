"""Actions: each kind fires on its evidence and stays silent without it, also while much is unknown.

Which come first is plan-semantics, section 10.
"""

from collections.abc import Callable, Sequence

import pytest

from finplan.model.plan import Action
from finplan.plan.advise.actions import ADVISERS, MOST
from finplan.plan.advise.tasks import open_tasks
from finplan.views import unknowns
from tests.plan import advised
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.typical import assessed, plan_of, said
from tests.present import present
from tests.says import says


def action(home: Household, kind: str) -> Action | None:
    return next((each for each in plan_of(home).actions if each.kind == kind), None)


def test_a_household_in_order_has_nothing_to_do() -> None:
    """Nothing fires without a reason; every test below adds one."""
    assert plan_of(advised.steady(12_000_00)).actions == ()


FIRES: list[tuple[str, Callable[[], Household], int | None]] = [
    ("reconnect_bank", advised.signed_out, None),
    ("reconnect_bank", lambda: advised.stale(8), None),
    ("connect_account", advised.unlinked_card, 300_00),
    ("income_stopped", advised.stopped, 2_500_00),
    ("cover_cash_gap", advised.short_of_cash, 200_00),
    ("cover_minimums", lambda: advised.indebted(600_00, minimum_payment=200_00), 90_00),
    ("cover_shortfall", advised.overspent, None),
    ("pay_card_in_full", advised.solvent_revolver, 900_00),
    ("build_starter_fund", lambda: advised.indebted(cash=100_00), None),
    ("pay_down_card", advised.indebted, None),
    ("lower_utilization", lambda: advised.habitual_payer(1_002_00, credit_limit=660_00), 402_00),
    ("build_emergency_fund", lambda: advised.steady(2_000_00), None),
    ("prepare_bill", lambda: advised.with_rare_bill(2_000_00, 3_000_00), 2_000_00),
    ("trim_discretionary", lambda: advised.spent_on_wants(1_300_00), 366_67),
    ("trim_discretionary", lambda: advised.spent_on_wants(3_000_00), 1_950_00),
    ("review_essentials", lambda: advised.rising_essentials(320_00), 90_00),
    ("review_essentials", lambda: advised.rising_essentials(240_00), 30_00),
    ("review_essentials", lambda: advised.rising_pennies(45_00), 33_75),
    ("price_rise", lambda: advised.dearer(18_00), 36_00),
    ("price_rise", lambda: advised.yearly_bill(1_218_00), 78_00),
    ("price_rise", lambda: advised.yearly_bill(1_218_00, first=1_140_00), 78_00),
    ("review_subscriptions", lambda: advised.subscribed(260_00), 260_00),
    ("review_subscriptions", advised.subscribed_twice, 27_00),
    ("avoid_fees", lambda: advised.charged_fees(2), 70_00),
    ("avoid_fees", lambda: advised.charged_fees(2, 30_00), 60_00),
    ("avoid_fees", lambda: advised.fee_on_a_card("LATE FEE"), 190_00),
    ("avoid_fees", lambda: advised.fee_on_a_card("CASH ADVANCE INTEREST"), 190_00),
    ("claim_reimbursement", lambda: advised.trip("2025-11-03"), 800_00),
    ("claim_reimbursement", lambda: advised.trip("2025-11-03", back=300_00), 500_00),
    ("invest_idle_cash", lambda: advised.idle(60_000_00), None),
    ("answer_questions", lambda: advised.unknown(60_00), 720_00),
]

SILENT: list[tuple[str, Callable[[], Household]]] = [
    ("reconnect_bank", lambda: advised.stale(7)),
    ("reconnect_bank", lambda: advised.stale(3, status="error")),
    ("connect_account", advised.steady),
    ("income_stopped", advised.gift),
    ("income_stopped", advised.steady),
    ("cover_cash_gap", lambda: advised.short_of_cash(2_500_00)),
    ("cover_minimums", advised.indebted),
    ("cover_shortfall", advised.steady),
    ("pay_card_in_full", advised.habitual_payer),
    ("build_starter_fund", lambda: advised.steady(2_000_00)),
    ("build_starter_fund", lambda: advised.indebted(cash=1_400_00)),
    ("pay_down_card", advised.solvent_revolver),
    ("lower_utilization", advised.habitual_payer),
    ("lower_utilization", lambda: advised.habitual_payer(credit_limit=667_00)),
    ("lower_utilization", lambda: advised.habitual_payer(1_001_00, credit_limit=660_00)),
    ("lower_utilization", lambda: advised.with_second_card(950_00, 1_000_00)),
    ("build_emergency_fund", advised.indebted),
    ("build_emergency_fund", lambda: advised.steady(30_000_00)),
    ("prepare_bill", lambda: advised.with_rare_bill(2_000_00, 30_000_00)),
    ("prepare_bill", lambda: advised.with_rare_bill(200_00, 100_00)),
    (
        "prepare_bill",
        lambda: advised.with_rare_bill(2_000_00, 3_000_00).charges(
            monthly("2025-01-21", 12), "TV SHOP", 2_500_00, "shopping"
        ),
    ),
    ("prepare_bill", lambda: advised.with_rare_bill(2_000_00, 4_000_00)),
    ("prepare_bill", lambda: advised.with_rare_bill(2_000_00, 3_000_00, "03-20")),
    ("trim_discretionary", advised.steady),
    ("trim_discretionary", lambda: advised.spent_on_wants(933_00)),
    ("trim_discretionary", lambda: advised.unknown(2_600_00)),
    ("review_essentials", lambda: advised.rising_essentials(200_00)),
    ("review_essentials", advised.steady),
    ("review_essentials", lambda: advised.rising_essentials(220_00)),
    ("review_essentials", lambda: advised.rising_essentials(231_00)),
    ("review_essentials", lambda: advised.rising_pennies(0)),
    ("price_rise", lambda: advised.dearer(15_70)),
    ("price_rise", lambda: advised.dearer(15_99)),
    ("price_rise", lambda: advised.dearer(18_00, since=6)),
    ("price_rise", advised.metered),
    ("price_rise", advised.dearer_debt),
    ("price_rise", lambda: advised.yearly_bill(1_196_00)),
    ("price_rise", lambda: advised.yearly_bill(1_218_00, "2025-09-15")),
    ("review_subscriptions", lambda: advised.subscribed(100_00)),
    ("avoid_fees", lambda: advised.charged_fees(1)),
    ("avoid_fees", lambda: advised.charged_fees(2, 29_99)),
    ("avoid_fees", lambda: advised.fee_on_a_card("ANNUAL MEMBERSHIP FEE")),
    ("avoid_fees", lambda: advised.fee_on_a_card("INTEREST CHARGE")),
    ("claim_reimbursement", lambda: advised.trip("2025-12-20")),
    ("claim_reimbursement", lambda: advised.trip("2025-11-03", back=800_00)),
    ("invest_idle_cash", lambda: advised.idle(14_000_00)),
    ("invest_idle_cash", lambda: advised.indebted(cash=1_000_00)),
    ("answer_questions", advised.steady),
]


@pytest.mark.parametrize(("kind", "build", "amount"), FIRES)
def test_an_action_fires_on_its_evidence(
    kind: str, build: Callable[[], Household], amount: int | None
) -> None:
    """Each kind has a household that needs it, and says how much where that is a known figure."""
    found = present(action(build(), kind))
    if amount is not None:
        assert found.amount == amount


@pytest.mark.parametrize(("kind", "build"), SILENT)
def test_no_action_comes_without_its_evidence(kind: str, build: Callable[[], Household]) -> None:
    """Each kind has a household next to its trigger that must not be bothered."""
    assert action(build(), kind) is None


def test_every_kind_is_tested_both_ways() -> None:
    """No kind without a household that fires it and one that does not."""
    assert {kind for kind, _, _ in FIRES} == {kind for kind, _ in SILENT} == set(ADVISERS)


def test_from_the_second_month_on_budget_advice_is_given() -> None:
    """Two full months of overspending are enough to say so."""
    home = (
        with_cash(90_000_00, ("2025-11-01", TODAY))
        .earns_biweekly(2_000_00, "2025-11-07", 5)
        .charges(monthly("2025-11-03", 2), "TV SHOP", 9_000_00, "shopping")
    )
    assert action(home, "cover_shortfall") is not None


def test_wants_are_named_largest_first() -> None:
    """Where a person is to choose, the largest is read first."""
    found = present(action(advised.overspent(), "cover_shortfall"))
    assert found.detail.index("Shopping") < found.detail.index("Restaurants")


def test_a_payment_that_grows_is_not_told_as_one_that_stays() -> None:
    """While the starter fund is filled first, the months to clear rest on more than is paid now."""
    grows, stays = advised.indebted(cash=100_00), advised.indebted()
    for home, told in ((grows, True), (stays, False)):
        assert ("the fund is full" in present(action(home, "pay_down_card")).detail) is told
        assert (" at first, " in unknowns.describe_debt(plan_of(home), "exact", "USD")) is told


def test_figures_in_words_are_those_of_the_amount() -> None:
    """What the title says is what the amount holds."""
    found = present(action(advised.indebted(600_00, minimum_payment=200_00), "cover_minimums"))
    assert "$90 a month" in found.title
    assert "$200 a month" in found.detail
    assert "you have $110" in found.detail


def test_money_that_only_moves_makes_no_bank_material() -> None:
    """An account through which own money passes does not make its stale bank a worry."""
    home = advised.steady().connection(
        "side", provider="aggregator", last_synced_at=advised.milliseconds(20)
    )
    home.checking("pocket", connection="side", covered=YEAR)
    home.transfer("2025-06-06", "checking", "pocket", 9_000_00)
    home.transfer("2025-06-07", "pocket", "checking", 9_000_00)
    assert action(home, "reconnect_bank") is None


def test_a_stale_statement_is_to_be_imported_not_signed_in_to() -> None:
    """Files come by hand: after five weeks the advice is to import a newer one."""
    assert action(advised.stale(30, provider="manual"), "reconnect_bank") is None
    found = present(action(advised.stale(40, provider="manual"), "reconnect_bank"))
    assert "Import" in found.title


def test_a_stale_bank_that_hardly_matters_is_left_alone() -> None:
    """Old data of an account that moves next to nothing change no figure."""
    home = advised.steady().connection(
        "side", provider="aggregator", last_synced_at=advised.milliseconds(20)
    )
    home.checking("pocket", connection="side", covered=YEAR)
    home.charge("2025-06-06", "KIOSK", 3_00, "shopping")
    assert action(home, "reconnect_bank") is None


def test_a_shortfall_names_where_to_start() -> None:
    """The detail holds both sums and the largest wants, and never scolds."""
    found = present(action(advised.overspent(), "cover_shortfall"))
    assert found.amount == -plan_of(advised.overspent()).monthly.surplus
    assert "Shopping ($2,500)" in found.detail


@pytest.mark.parametrize(
    ("category", "start"),
    [
        ("uncategorized", "Categorize your"),
        ("unlinked_card", "Link the card"),
        ("cash", "weekly limit"),
        ("insurance", "an essential cost"),
    ],
)
def test_a_shortfall_says_what_can_be_done_about_it(category: str, start: str) -> None:
    """Where no wants are known, the first step fits what the money went on."""
    home = with_cash(9_000_00).earns(1_000_00)
    found = action(
        home.charges(monthly("2025-01-14", 12), "X", 1_500_00, category), "cover_shortfall"
    )
    assert found is not None
    assert start in found.detail
    assert ("essential" in found.detail) == (category == "insurance")


def test_unlimited_debt_is_said_to_have_no_end() -> None:
    """Interest above the payment: the detail says so instead of a number of months."""
    found = present(
        action(advised.indebted(600_00, apr=0.9, minimum_payment=200_00), "pay_down_card")
    )
    assert "never pay off" in found.detail


def test_unknown_spending_moves_questions_to_the_top() -> None:
    """From a tenth of spending on, answers matter more than any advice."""
    mostly = plan_of(advised.unknown(2_600_00)).actions
    little = plan_of(advised.unknown(60_00)).actions
    assert mostly[0].kind == "answer_questions"
    assert little[-1].kind == "answer_questions"


def test_one_month_supports_no_trend_and_no_budget() -> None:
    """With one full month only data, cash and card advice is given."""
    home = (
        with_cash(100_00, ("2025-12-01", TODAY))
        .earns_biweekly(2_000_00, "2025-12-05", 3)
        .charge("2025-12-03", "TV SHOP", 9_000_00, "shopping")
        .charge("2025-12-04", "ZORBLAX", 2_000_00)
    )
    kinds = {each.kind for each in plan_of(home).actions}
    assert "answer_questions" in kinds
    assert kinds <= {"answer_questions", "cover_cash_gap", "connect_account"}


def test_there_are_never_more_than_seven() -> None:
    """A household with everything wrong gets the seven most urgent, numbered from 1."""
    home = advised.indebted(600_00, minimum_payment=200_00)
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
    home = advised.dearer(18_00).charges(monthly("2025-01-13", 10), "GYM", 40_00, "hobbies")
    home.charges(monthly("2025-11-13", 2), "GYM", 55_00)
    rises = [each for each in plan_of(home).actions if each.kind == "price_rise"]
    assert [each.amount for each in rises] == [180_00, 36_00]


def test_titles_speak_of_money_in_the_households_currency() -> None:
    """A household in euros reads euros."""
    home = household("EUR").checking(balance=100_00, covered=YEAR).earns(2_000_00)
    home.charges(monthly("2025-01-20", 12), "TV SHOP", 2_600_00, "shopping")
    found = present(action(home, "cover_shortfall"))
    assert "€600" in found.title
    assert "$" not in found.detail


def test_nobody_is_told_what_the_data_cannot_know() -> None:
    """No employer match, no refinancing, no tax or insurance advice, no coffee, no security."""
    forbidden = ("401", "match", "refinanc", "coffee", "etf", "index fund", "stock")
    for _, build, _ in FIRES:
        for each in plan_of(build()).actions:
            text = f"{each.title} {each.detail}".lower().replace("restaurants and coffee", "")
            assert not any(word in text for word in forbidden)


def actions(home: Household) -> Sequence[Action]:
    return plan_of(home).actions


def kinds(home: Household) -> list[str]:
    return [each.kind for each in actions(home)]


FIRM = [
    ("trim_discretionary", advised.spent_on_wants(1_300_00)),
    ("review_essentials", advised.rising_essentials(320_00)),
    ("review_subscriptions", advised.subscribed(260_00)),
    ("invest_idle_cash", advised.idle(60_000_00)),
]


@pytest.mark.parametrize(("kind", "home"), FIRM, ids=[kind for kind, _ in FIRM])
@pytest.mark.parametrize("category", ["uncategorized", "unlinked_card"])
def test_a_provisional_plan_says_nothing_firm(kind: str, home: Household, category: str) -> None:
    """Once a tenth of spending is unknown, nothing is trimmed, reviewed or invested."""
    assert kind in kinds(home)
    spent = plan_of(home).monthly.total_spend
    veiled = Household(**{**vars(home), "payees": dict(home.payees), "numbers": dict(home.numbers)})
    veiled.rows = list(home.rows)
    veiled.charges(monthly("2025-01-23", 12), "ZORBLAX", spent // 8, category)
    assert kind not in kinds(veiled)


def test_a_tenth_in_no_category_is_asked_about_right_after_what_cannot_wait() -> None:
    """Sign-ins, a gap in cash and missing minimums come before the questions, all else after."""
    home = advised.short_of_cash().charges(monthly("2025-01-22", 12), "ZORBLAX", 700_00)
    home.connection("bank", "login_required", provider="aggregator")
    home.charges(monthly("2025-01-23", 12), "CITI CARD", 300_00, "unlinked_card")
    assert kinds(home)[:4] == [
        "reconnect_bank",
        "cover_cash_gap",
        "answer_questions",
        "connect_account",
    ]


def test_missing_minimums_come_before_questions() -> None:
    """A payment that is about to be missed cannot wait for answers."""
    home = advised.indebted(600_00, minimum_payment=400_00).on("checking")
    found = kinds(home.charges(monthly("2025-01-22", 12), "ZORBLAX", 300_00))
    assert found.index("cover_minimums") + 1 == found.index("answer_questions")
    assert found.index("answer_questions") < found.index("cover_shortfall")


def test_questions_say_what_they_decide() -> None:
    """The share, the month's money, what rests on it, whom to name first, and how to answer."""
    home = advised.unknown(400_00).charges(monthly("2025-01-23", 12), "QUUX", 200_00)
    found = said(home, "answer_questions")
    assert found.title == "Answer 2 questions about $7,200"
    share, largest = ("19% of", "($600 a month)"), ("ZORBLAX ($4,800)", "QUUX ($2,400)")
    assert says(found.detail, *share, *largest, "`finplan tasks answer`")


def test_questions_say_what_their_list_says() -> None:
    """Refunds are deducted in the action as in the list of questions, so that no payee has two sums."""
    home = advised.unknown(400_00).credits(monthly("2025-01-25", 12), "ZORBLAX", 250_00)
    home.charges(monthly("2025-01-23", 12), "QUUX", 200_00)
    home.credit("2025-06-26", "TERRVIX", 500_00)
    listed = {each.payee.name: each.total for each in assessed(home).questions}
    assert listed == {"ZORBLAX": 1_800_00, "QUUX": 2_400_00, "TERRVIX": -500_00}
    found = said(home, "answer_questions")
    assert found.amount == 1_800_00 + 2_400_00 + 500_00
    assert found.title == "Answer 3 questions about $4,200 out and $500 in"
    assert "QUUX ($2,400) and ZORBLAX ($1,800)." in found.detail


@pytest.mark.parametrize(("amount", "first"), [(3_377_77, False), (3_377_78, True)])
def test_a_tenth_is_counted_to_the_cent(amount: int, first: bool) -> None:
    """The known rows come to 30,400: one cent decides whether the plan is called an estimate."""
    home = advised.steady().charge("2025-06-06", "ZORBLAX", amount // 2)
    home.charge("2025-07-01", "ZORBLAX", amount - amount // 2)
    assert ("an estimate" in said(home, "answer_questions").detail) is first


def test_below_a_tenth_questions_come_last() -> None:
    """A few unknown charges change nothing that is urgent."""
    home = advised.unknown(60_00).charges(
        monthly("2025-01-12", 12), "STREAMFLIX", 260_00, "subscriptions"
    )
    assert kinds(home)[-1] == "answer_questions"
    assert "review_subscriptions" in kinds(home)
    assert "an estimate" not in said(home, "answer_questions").detail


def test_questions_about_money_in_come_before_a_gap() -> None:
    """A tenth of what came in is unexplained: what it was is asked, and no gap is known."""
    home = advised.spent_on_wants(1_900_00).credits(monthly("2025-01-03", 12), "FLATMATE", 99_99)
    home.charges(monthly("2025-01-12", 12), "STREAMFLIX", 260_00, "subscriptions")
    home.connection("bank", "login_required", provider="aggregator")
    found = kinds(home)
    assert found.index("cover_shortfall") < found.index("answer_questions") == len(found) - 1
    home.credits(monthly("2025-01-04", 12), "AUNT", 460_00)
    assert kinds(home)[:2] == ["reconnect_bank", "answer_questions"]
    assert "cover_shortfall" not in kinds(home)


def test_only_an_unlinked_card_puts_the_account_there() -> None:
    """Where a card hides what makes the plan provisional, linking it takes the questions' place."""
    home = advised.unlinked_card().charges(monthly("2025-01-23", 12), "ZORBLAX", 50_00)
    home.credits(monthly("2025-01-15", 9), "OLD JOB", 2_500_00, "wages")
    home.connection("bank", "login_required", provider="aggregator")
    assert kinds(home)[:3] == ["reconnect_bank", "connect_account", "income_stopped"]
    assert kinds(home)[-1] == "answer_questions"
    assert "an estimate" not in said(home, "answer_questions").detail
    short = advised.short_of_cash().charges(
        monthly("2025-01-23", 12), "CITI CARD", 700_00, "unlinked_card"
    )
    assert kinds(short)[:2] == ["cover_cash_gap", "connect_account"]
    assert kinds(advised.stopped())[0] == "income_stopped"


def test_a_little_that_is_unlinked_is_linked_before_a_gap_is_covered() -> None:
    """Where the plan stands, accounts come in the order of the table."""
    home = advised.short_of_cash().charges(
        monthly("2025-01-23", 12), "CITI CARD", 100_00, "unlinked_card"
    )
    assert kinds(home)[:2] == ["connect_account", "cover_cash_gap"]


def test_dismissed_questions_are_not_counted() -> None:
    """The action counts the questions that are open, and is silent when none is."""
    home = advised.unknown(400_00).charges(monthly("2025-01-23", 12), "QUUX", 200_00)
    asked = [
        task
        for task in open_tasks(home.ledger(), home.books(TODAY), TODAY)
        if task.kind == "categorize_payee"
    ]
    assert said(home, "answer_questions").title.startswith(f"Answer {len(asked)} questions")
    home.dismiss(asked[0].id)
    assert said(home, "answer_questions").title.startswith("Answer 1 question about $2,400")
    home.dismiss(asked[1].id)
    assert "answer_questions" not in kinds(home)


def test_action_note_and_question_state_one_figure_for_an_unlinked_card() -> None:
    """The month's payment to a card is one number, wherever it is told."""
    home = advised.unlinked_card()
    plan = plan_of(home)
    found = said(home, "connect_account")
    assert found.amount == 300_00
    assert "about $300 a month" in found.detail
    assert any("CARD ($300 a month)" in note for note in plan.notes)


@pytest.mark.parametrize(
    "home",
    [
        advised.idle(60_000_00).card("visa", balance=None),
        advised.idle(60_000_00).credits(
            monthly("2025-01-15", 12), "STUDIO", 900_00, "self_employment"
        ),
        advised.idle(60_000_00).charge("2025-12-20", "CITI", 5_00, "unlinked_card"),
    ],
    ids=["card untold", "before tax", "card not linked"],
)
def test_cash_that_may_be_owed_is_not_idle(home: Household) -> None:
    """A card of unknown size, or tax that is not paid, may need the cash."""
    assert "invest_idle_cash" not in kinds(home)


def test_an_unknown_loan_qualifies_what_to_do_with_idle_cash() -> None:
    """Its rate may be better to pay than what cash can earn, and nothing else waits for it."""
    known, unknown = advised.idle(60_000_00), advised.idle(60_000_00).loan("car", balance=None)
    assert "interest rate first" not in said(known, "invest_idle_cash").detail
    told = said(unknown, "invest_idle_cash").detail
    assert says(told, "missing for car.", "interest rate first.")


def test_who_draws_on_savings_is_not_told_to_invest_them() -> None:
    """Less pay than is spent, or more taken out of savings than put in, is living on them."""
    idle_home = advised.idle(90_000_00)
    assert "invest_idle_cash" in kinds(idle_home)
    drawing = advised.idle(90_000_00).savings(balance=50_000_00)
    drawing.transfers(monthly("2025-01-22", 12), "savings", "checking", 100_00)
    assert "invest_idle_cash" not in kinds(drawing)
    given = (
        with_cash(90_000_00)
        .earns_biweekly(800_00)
        .rents(1_200_00)
        .charges(monthly("2025-01-20", 12), "BISTRO", 900_00, "dining")
    )
    given.credit("2025-03-03", "GRANDMA", 30_000_00, "other_income")
    assert plan_of(given).monthly.surplus > 0
    assert "invest_idle_cash" not in kinds(given)


@pytest.mark.parametrize(("since", "told"), [("2025-07-01", True), ("2025-08-01", False)])
def test_six_months_are_needed_to_call_cash_idle(since: str, told: bool) -> None:
    """A shorter history does not show what comes once a year."""
    home = with_cash(90_000_00, (since, TODAY))
    days = [day for day in every("2025-01-03", 14, 27) if f"{day}" >= since]
    home.credits(days, "ACME", 2_000_00, "wages")
    rents = [day for day in monthly("2025-01-01", 13) if f"{day}" >= since]
    home.charges(rents, "LANDLORD", 1_200_00, "rent")
    assert ("invest_idle_cash" in kinds(home)) is told


def test_an_employer_who_repays_trips_pays_no_more_for_it() -> None:
    """Eight trips of 500 and seven repaid: pay without them, and what is outstanding to claim."""
    home = advised.steady()
    plain = plan_of(home).monthly
    for place, day in enumerate(monthly("2025-01-11", 8)):
        home.charge(day, "AIRLINE", 500_00, "work_expenses")
        if place < 7:
            home.credit(day.replace(day=26), "ACME EXPENSES", 500_00, "work_expenses")
    plan = plan_of(home)
    assert plan.monthly == plain
    assert [source.name for source in plan.income_sources] == ["ACME"]
    assert said(home, "claim_reimbursement").amount == 500_00
    assert any("$500 of reimbursable" in note for note in plan.notes)
    home.credit("2025-09-26", "ACME EXPENSES", 500_00)
    assert "claim_reimbursement" not in kinds(home)


def insured(price: int) -> Household:
    """1,140 a year for a car's insurance, lately so much, beside essentials that rise a little."""
    home = advised.rising_essentials(200_00)
    home.charges(["2023-11-20", "2024-11-20"], "CAR INSURER", 1_140_00, "insurance")
    home.charges(monthly("2023-02-25", 23), "OLD RENT", 1_00, "rent")
    return home.charge("2025-11-20", "CAR INSURER", price)


@pytest.mark.parametrize(("price", "monthly_part"), [(1_218_00, 101_50), (1_140_00, 95_00)])
def test_annual_insurance_that_rose_is_a_price_not_a_habit(price: int, monthly_part: int) -> None:
    """1,140 a year, then 1,218: it recurs, its price rose, and no essential is to be reviewed.

    At the same price it recurs, and nothing is said of it.
    """
    home = insured(price)
    (bill,) = [each for each in plan_of(home).recurring if each.name == "CAR INSURER"]
    assert (bill.cadence, bill.amount, bill.monthly) == ("annual", price, monthly_part)
    assert ("price_rise" in kinds(home)) is (price > 1_140_00)
    if price > 1_140_00:
        assert said(home, "price_rise").amount == 78_00
    assert "review_essentials" not in kinds(home)
