"""What advice promises adds up, and fits who it is given to.

Fees are told by their own kind; a monthly sum begins with the first pay that leaves it of bills and
needs.
"""

from dataclasses import replace
from datetime import date

import pytest

from finplan.model.plan import Action
from finplan.plan.advise import assessment
from finplan.plan.advise.assessment import Assessment, begins, first_pay_to_save, until_then
from finplan.plan.advise.fees import kind_of_fee
from finplan.plan.advise.spending import rise_of
from finplan.plan.ledger.ledger import LedgerPayee
from tests.plan.advised import indebted, spent_on_wants, steady
from tests.plan.households import TODAY, YEAR, Household, monthly, semimonthly, with_cash
from tests.plan.typical import assessed, plan_of, said
from tests.present import present
from tests.says import says


def kinds(home: Household) -> set[str]:
    return {each.kind for each in plan_of(home).actions}


def between_jobs(cash: int | None, *, spent: int = 500_00, essentials: int = 1_500_00) -> Household:
    """Pay of 1,200 until May, and so much spent all year."""
    return (
        with_cash(cash)
        .earns(1_200_00, times=5)
        .rents(essentials, times=12)
        .charges(monthly("2025-01-20", 12), "BISTRO", spent, "dining")
    )


def test_what_would_be_left_is_computed() -> None:
    """The trim, what is left now and what would be left add up."""
    found = said(spent_on_wants(1_300_00), "trim_discretionary")
    assert found.amount == 366_67
    figures = ("$2,200 a month", "$1,833 would leave you $867", "now $500")
    assert says(
        found.detail, *figures, "Shopping ($1,300) or", "coffee ($900) alone is", "choose one"
    )


def test_no_more_than_half_of_what_is_known_is_trimmed() -> None:
    """Half of the wants is the most, and what is still missing is said against the gap told above."""
    found = said(spent_on_wants(4_600_00), "trim_discretionary")
    assert found.amount == 2_750_00
    assert says(found.detail, "$2,750 would still take $50", "part of the", "gap of $2,800")
    assert said(spent_on_wants(4_600_00), "cover_shortfall").amount == 2_800_00


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (1_900_00, "$1,833 would close the gap of $100 above and leave you $867."),
        (2_766_67, "$1,833 would close the gap of $967 above and leave you $867."),
        (4_500_00, "$2,700 would close the gap of $2,700 above."),
    ],
)
def test_a_trim_says_that_it_closes_the_gap_above(spent: int, told: str) -> None:
    """The gap is not asked for twice: the trim holds it, and says what is left beyond."""
    home = spent_on_wants(spent)
    assert told in said(home, "trim_discretionary").detail


def test_a_trim_larger_than_any_want_takes_several() -> None:
    """Nobody saves 1,000 on a category of 900, nor more than half of it: those that can are named."""
    home = spent_on_wants(900_00).charges(monthly("2025-01-24", 12), "GYM", 900_00, "hobbies")
    home.charges(monthly("2025-01-25", 12), "TOYS", 900_00, "kids")
    found = said(home, "trim_discretionary")
    assert present(found.amount) > 900_00
    named = ("coffee ($900),", "hobbies ($900) and", "activities ($900) and others.")
    assert says(found.detail, "Halving one", *named)
    found = said(spent_on_wants(1_900_00), "trim_discretionary")
    assert says(found.detail, "Shopping ($1,900) and", "coffee ($900) together.")


@pytest.mark.parametrize(
    ("cash", "trim", "part"),
    [
        (1_383_33, 450_00, None),
        (1_383_35, 450_02, "half"),
        (1_833_33, 900_00, "half"),
        (1_833_35, 900_02, "all"),
    ],
)
def test_more_than_wants_can_give_comes_from_cash(cash: int, trim: int, part: str | None) -> None:
    """Beside $900 at restaurants, what half of them cannot give needs less cash withdrawn."""
    home = steady().charges(monthly("2025-01-21", 12), "ATM WITHDRAWAL", cash, "cash")
    found = said(home, "trim_discretionary")
    assert found.amount == trim
    assert says(found.detail, *(("more than", part) if part else ()), "coffee ($900)")
    assert ("withdraw less cash" in found.detail) is bool(part)
    assert ("alone is enough" in found.detail) is not bool(part)


def test_cash_withdrawn_is_trimmed_before_it_is_withdrawn() -> None:
    """Where the wants are cash, no category can be named."""
    home = (
        with_cash(9_000_00)
        .earns(3_000_00)
        .rents(1_000_00, times=12)
        .charges(monthly("2025-01-20", 12), "ATM", 1_700_00, "cash")
    )
    assert said(home, "trim_discretionary").detail.endswith("before you withdraw.")


@pytest.mark.parametrize(("spent", "told"), [(466_66, False), (466_67, True)])
def test_a_twentieth_of_income_above_the_target_is_needed(spent: int, told: bool) -> None:
    """Less than that is how months differ; the target of 20 % is missed in both."""
    home = with_cash(9_000_00).earns(1_333_34).rents(650_00, times=12)
    home.charges(monthly("2025-01-20", 12), "BISTRO", spent, "dining")
    assert ("trim_discretionary" in kinds(home)) is told


def test_where_essentials_take_all_income_nothing_is_trimmed() -> None:
    """Who cannot pay for what is needed has a gap to close, not a target to meet."""
    home = with_cash(100_00).earns(2_000_00).rents(2_000_00, times=12)
    home.charges(monthly("2025-01-20", 12), "BISTRO", 900_00, "dining")
    assert "trim_discretionary" not in kinds(home)
    assert "cover_shortfall" in kinds(home)


def test_a_gap_of_who_lives_on_savings_says_how_long_they_last() -> None:
    """The shortfall is against planned income; wants are cut to what the savings carry."""
    found = said(between_jobs(18_000_00), "cover_shortfall")
    assert found.amount == 2_000_00
    lasting = ("$188 of", "$500, your savings", "of $18,000 last 10 months.")
    stopped = ("ACME stopped paying.", "28 May 2025.", "an essential cost")
    assert says(found.detail, "$2,000 a month", "no pay is", *lasting, *stopped)


def test_savings_for_less_than_three_months_are_told_in_weeks() -> None:
    """Weeks, not years: 3,000 at 1,531 a month."""
    assert "last about 8 weeks" in said(between_jobs(3_000_00), "cover_shortfall").detail


def test_without_wants_the_savings_are_told_alone() -> None:
    """Nothing to cut: how long it lasts, and the essentials to look through."""
    found = said(between_jobs(3_000_00, spent=0), "cover_shortfall")
    assert says(found.detail, "$3,000 last about 8 weeks.", "ACME stopped paying.")
    assert "no savings to" in said(between_jobs(0), "cover_shortfall").detail


def test_savings_that_nobody_told_are_not_said_to_be_none() -> None:
    """Without the balance of cash nobody knows how long it lasts, nor that there is none."""
    found = said(between_jobs(None), "cover_shortfall").detail
    assert "no savings" not in found
    assert says(found, "your cash balance", "how long your savings last")


@pytest.mark.parametrize(
    ("came", "least"),
    [(780_00, "at least $1,220 a month"), (1_999_99, "at least $0.01 a month"), (2_000_00, "")],
)
def test_a_gap_waits_for_answers_about_money_in(came: int, least: str) -> None:
    """While money in may be income, only what no answer can undo is missing."""
    home = between_jobs(0).credits(monthly("2025-01-03", 12), "FLATMATE", came, "unknown_inflow")
    assert "cover_shortfall" not in kinds(home)
    assert "income_stopped" not in kinds(home)
    detail = said(home, "answer_questions").detail
    assert "may be income" in detail
    assert ("you spend at least" in detail) is bool(least)
    assert least in detail
    assert not assessed(home).living.applies


@pytest.mark.parametrize(
    ("invested", "told"),
    [
        (0, ""),
        (400_00, ""),
        (800_00, "$50 a month"),
        (2_999_00, "$2,249 a month"),
        (3_000_00, "this much"),
        (4_000_00, "this much"),
    ],
)
def test_no_money_is_promised_to_two_goals(invested: int, told: str) -> None:
    """Of what the fund takes, what goes to investments by now is named."""
    home = with_cash(1_000_00).earns(5_000_00).rents(2_000_00, "2025-01-02", 12)
    if invested:
        home.charges(monthly("2025-01-17", 12), "BROKER", invested, "investing")
    detail = said(home, "build_emergency_fund").detail
    assert ("into other savings" in detail) == bool(told)
    assert f"You already put {told} into" in detail or not told


def test_what_the_fund_leaves_may_be_invested() -> None:
    """The last thousand of the fund leaves room for what is invested beside it."""
    home = with_cash(11_000_00).earns(5_000_00).rents(2_000_00, "2025-01-02", 12)
    home.charges(monthly("2025-01-17", 12), "BROKER", 2_000_00, "investing")
    assert "into other savings" not in said(home, "build_emergency_fund").detail
    home.charges(monthly("2025-01-19", 12), "BROKER", 1, "investing")
    assert "into other savings" in said(home, "build_emergency_fund").detail


@pytest.mark.parametrize(("cash", "told"), [(48_000_00, False), (47_999_99, True)])
def test_savings_for_two_years_need_no_alarm(cash: int, told: bool) -> None:
    """Somebody who can live on savings for the whole horizon has no gap to close."""
    assert ("cover_shortfall" in kinds(between_jobs(cash))) is told


def test_a_gap_is_not_told_where_pay_is_not_seen() -> None:
    """Pay that arrives elsewhere makes no gap: the account is asked for instead."""
    home = with_cash(900_00).rents(1_000_00, times=12)
    assert "connect_account" in kinds(home)
    assert "cover_shortfall" not in kinds(home)


@pytest.mark.parametrize(("dining", "told"), [(400_00, True), (399_99, False)])
def test_wants_below_a_third_of_a_gap_are_nowhere_to_start(dining: int, told: bool) -> None:
    """A gap of 1,200 is not closed in restaurants of 399; with both largest wants together it may."""
    home = with_cash(100_00).earns(1_800_00).rents(3_000_00 - dining, times=12)
    home.charges(monthly("2025-01-20", 12), "BISTRO", dining - 100_00, "dining")
    home.charges(monthly("2025-01-21", 12), "GYM", 100_00, "hobbies")
    found = said(home, "cover_shortfall")
    assert found.amount == 1_200_00
    assert ("Start with Restaurants" in found.detail) is told
    assert ("an essential cost" in found.detail) is not told


@pytest.mark.parametrize(
    ("fee", "told"),
    [
        (90_00, ""),
        (100_00, "Overdraft fees take $100 a month. Without them, nothing would be missing."),
        (130_50, "Overdraft fees take $130.50 a month. Without them, $30.50 would be left."),
    ],
)
def test_fees_that_alone_make_a_month_short_are_told_with_it(fee: int, told: str) -> None:
    """Where the month would close without them, that is said; smaller ones stand in their own advice."""
    home = with_cash(9_000_00).earns(2_000_00).rents(1_100_00 - fee, times=12)
    home.charges(monthly("2025-01-20", 12), "BISTRO", 1_000_00, "dining")
    home.charges(monthly("2025-01-12", 12), "OVERDRAFT FEE", fee, "interest_fees")
    detail = said(home, "cover_shortfall").detail
    assert ("Overdraft fees take" in detail) is bool(told)
    assert told in detail


@pytest.mark.parametrize("gift", [0, 490_00])
def test_a_gap_is_of_the_income_that_is_planned_with(gift: int) -> None:
    """A gift came in, and the plan does not count on another."""
    home = with_cash(9_000_00).earns(2_000_00)
    home.credit("2025-03-03", "GRANDMA", gift, "other_income")
    home.rents(1_900_00, times=12)
    home.charges(monthly("2025-01-20", 12), "BISTRO", 400_00, "dining")
    action = said(home, "cover_shortfall")
    assert action.amount == 300_00
    assert says(action.detail, "spend $2,300 a month", "receive $2,000.")


def test_one_account_keeps_the_reserve_and_two_move_it() -> None:
    """Where one account holds all cash there is nowhere to move money: more is left in it."""
    home = with_cash(11_000_00).earns(5_000_00).rents(2_000_00, "2025-01-02", 12)
    assert "$1,000 fills the fund: leave" in said(home, "build_emergency_fund").detail
    home = home.savings(balance=0)
    assert "$1,000 fills the fund: transfer" in said(home, "build_emergency_fund").detail


def test_a_fund_beside_an_unknown_card_is_filled_at_the_earliest() -> None:
    """What is owed on a card that is not linked makes the gap, and its months, the least."""
    home = with_cash(1_000_00).earns(5_000_00).rents(2_000_00, "2025-01-02", 12)
    assert "at the earliest" not in said(home, "build_emergency_fund").detail
    home.charges(monthly("2025-01-22", 12), "CITI", 50_00, "unlinked_card")
    found = said(home, "build_emergency_fund")
    assert says(found.detail, "in 5 months", "at the earliest:")
    home.accounts["checking"] = replace(home.accounts["checking"], balance=11_000_00)
    assert "$1,000 covers the known part of the gap" in said(home, "build_emergency_fund").detail


def test_an_own_figure_of_income_closes_the_gap() -> None:
    """Who says that more comes in than is seen has no gap by the plan's own figures."""
    home = spent_on_wants(1_500_00)
    assert "cover_shortfall" in kinds(spent_on_wants(1_900_00))
    assert "cover_shortfall" not in kinds(spent_on_wants(1_900_00).monthly_income(9_000_00))
    assert "cover_shortfall" not in kinds(home)


def test_one_month_overspent_is_no_gap() -> None:
    """A gap a month is told from two months on."""
    home = with_cash(900_00, ("2025-12-01", TODAY))
    home.credit("2025-12-28", "ACME", 1_000_00, "wages")
    home.charge("2025-12-03", "TV SHOP", 2_000_00, "shopping")
    assert "cover_shortfall" not in kinds(home)


def test_where_minimums_are_missing_nothing_beyond_them_is_asked() -> None:
    """The action on the card fits the one that finds its minimum."""
    found = said(indebted(600_00, minimum_payment=200_00), "pay_down_card")
    assert says(found.title, "at least", "$200 a month", "on visa")
    assert says(found.detail, "minimum is more", "each month")
    home = indebted(600_00, minimum_payment=200_00)
    home.card("amex", balance=900_00, credit_limit=1_000_00, covered=YEAR, minimum_payment=30_00)
    home.charge("2025-12-20", "INTEREST CHARGE", 5_00)
    assert "cards, amex first" in said(home, "pay_down_card").title


def test_the_end_of_a_debt_is_not_told_while_another_is_unknown() -> None:
    """Months to clear rest on every card, as the figure does; a loan is paid by its own schedule."""
    home = indebted(apr=0.2).card("store", balance=None, covered=YEAR)
    assert "is unknown" in said(home, "pay_down_card").detail
    home = indebted(apr=0.2).loan("car", balance=None)
    assert "clears it in" in said(home, "pay_down_card").detail
    assert "clears it in" in said(indebted(apr=0.2), "pay_down_card").detail


def test_nobody_saves_while_more_goes_out_than_comes_in() -> None:
    """A starter fund waits until a month leaves something."""
    home = indebted(2_000_00, cash=100_00)
    assert "build_starter_fund" in kinds(home)
    home.on("checking").charges(monthly("2025-01-24", 12), "GYM", 3_200_00, "hobbies")
    assert "cover_shortfall" in kinds(home)
    assert "build_starter_fund" not in kinds(home)


def test_a_payment_waits_for_bills_that_cash_does_not_cover() -> None:
    """Where cash is short before payday, monthly sums begin after it."""
    home = indebted(2_000_00, cash=100_00, minimum_payment=150_00)
    home.on("checking").charges(monthly("2025-01-14", 12), "INSURER", 300_00, "insurance")
    assert "cover_cash_gap" in kinds(home)
    late = assessment.ONCE_COVERED
    assert late in said(home, "pay_down_card").detail
    assert late in said(home, "build_starter_fund").detail
    assert late not in said(indebted(), "pay_down_card").detail


@pytest.mark.parametrize(
    ("minimum", "told"),
    [
        (165_00, "Pay it each month when it is due."),
        (160_00, f"Set up a monthly payment, starting {assessment.WITH_THE_NEXT_PAY}."),
    ],
)
def test_a_card_that_gets_its_minimum_alone_is_paid_when_it_is_due(minimum: int, told: str) -> None:
    """Where the 165 that a month leaves are its minimum, nothing more begins with the next pay."""
    found = said(indebted(630_00, minimum_payment=minimum), "pay_down_card")
    assert says(found.title, "Pay $165", "on visa")
    assert found.detail.endswith(told)


def rise(home: Household, category: str = "insurance") -> tuple[int, int]:
    return rise_of(assessed(home), category)


def test_a_rise_is_that_of_rows_that_come_monthly() -> None:
    """A yearly bill and a single one in the last months raise nothing."""
    home = steady().charges(monthly("2025-01-15", 12), "INSURER", 200_00, "insurance")
    home.charges(["2023-11-20", "2024-11-20", "2025-11-20"], "YEARLY", 1_140_00, "insurance")
    home.charges(monthly("2023-02-25", 23), "OLD RENT", 1_00, "rent")
    assert rise(home) == (200_00, 0)
    assert rise(home.charge("2025-12-02", "ONE OFF", 900_00, "insurance")) == (200_00, 0)


def test_a_yearly_bill_beside_monthly_ones_at_one_payee_raises_nothing() -> None:
    """An insurer may charge by the month and once a year: only the month's charges are compared."""
    home = steady().charges(monthly("2025-01-15", 12), "INSURER", 200_00, "insurance")
    home.charges(["2023-11-20", "2024-11-20", "2025-11-20"], "INSURER", 1_140_00)
    home.charges(monthly("2023-02-25", 23), "OLD RENT", 1_00, "rent")
    assert rise(home) == (200_00, 0)


def test_a_rarer_bill_that_no_rhythm_shows_raises_nothing() -> None:
    """A payee that charges in fewer than half of its months does not come monthly."""
    home = steady().charges(monthly("2025-01-15", 12), "INSURER", 200_00, "insurance")
    assert rise(home.charges(["2025-04-03", "2025-12-09"], "SOMETIMES", 500_00, "insurance")) == (
        200_00,
        0,
    )


def test_a_new_monthly_bill_is_a_rise() -> None:
    """What began in the last months and comes each month is there to stay."""
    home = steady().charges(monthly("2025-01-15", 12), "INSURER", 200_00, "insurance")
    home.charges(monthly("2025-11-20", 2), "SECOND", 120_00, "insurance")
    assert rise(home) == (220_00, 60_00)


def test_two_charges_show_no_rise() -> None:
    """Three charges at least are looked at."""
    home = steady().charges(monthly("2025-11-20", 2), "SECOND", 120_00, "insurance")
    assert rise(home) == (0, 0)
    assert rise(home.charge("2025-12-28", "SECOND", 120_00)) == (30_00, 90_00)


def said_of_fees(home: Household) -> Action | None:
    return next((each for each in plan_of(home).actions if each.kind == "avoid_fees"), None)


def charged(name: str, times: int, amount: int, home: Household | None = None) -> Household:
    return (home or steady()).charges(monthly("2025-02-12", times), name, amount, "interest_fees")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("OVERDRAFT FEE", "overdraft"),
        ("NSF Returned Item Fee", "overdraft"),
        ("UNARRANGED BORROWING FEE", "overdraft"),
        ("NON-NETWORK ATM FEE", "ATM"),
        ("Cash machine charge", "ATM"),
        ("FOREIGN TRANSACTION FEE", "foreign transaction"),
        ("NON-STERLING CASH FEE", "foreign transaction"),
        ("International ATM fee", "foreign transaction"),
        ("LATE FEE", "late payment"),
        ("PAST DUE FEE", "late payment"),
        ("PAYDAY LOAN FEE", "payday loan"),
        ("CASH ADVANCE INTEREST", "cash advance"),
        ("MONTHLY MAINTENANCE FEE", "account"),
        ("TRANSLATION FEE", "bank"),
        ("Gebuehr", "bank"),
    ],
)
def test_a_fee_is_of_the_kind_that_its_row_names(name: str, kind: str) -> None:
    """A word decides where it begins one; a row without such words is a fee of the bank."""
    assert kind_of_fee(LedgerPayee(name.lower(), name, "x", "x", {})).name == kind


def test_the_key_of_a_payee_names_the_kind_too() -> None:
    """A payee that is called by its bank keeps the words of its rows in its key."""
    payee = LedgerPayee("first bank overdraft", "First Bank", "x", "x", {})
    assert kind_of_fee(payee).name == "overdraft"


def test_advice_is_of_the_kind_that_takes_most() -> None:
    """Several kinds are one action: each with its sum, and the step that avoids the largest."""
    home = charged("FOREIGN TRANSACTION FEE", 3, 8_00, charged("OVERDRAFT FEE", 2, 35_00))
    found = present(said_of_fees(home))
    assert "$94 a year" in found.title
    assert found.amount == 94_00
    sums = ("overdraft fees of $70", "transaction fees of $24", "in 3 of 12 months.")
    assert says(found.detail, *sums, "waive them", "low-balance alert.")


def test_a_fee_abroad_is_never_called_an_overdraft() -> None:
    """The text holds nothing of a kind that no row names."""
    found = present(said_of_fees(charged("FOREIGN TRANSACTION FEE", 3, 30_00)))
    assert says(found.title, "$90 a year", "foreign transaction fees")
    assert "overdraft" not in found.detail.lower()
    assert "low-balance" not in found.detail


def test_a_fee_that_was_given_back_is_not_told() -> None:
    """A kind that nets to nothing is not among those named."""
    home = charged("LATE FEE", 2, 30_00, charged("OVERDRAFT FEE", 2, 35_00))
    home.credits(monthly("2025-05-12", 2), "LATE FEE", 30_00)
    found = present(said_of_fees(home))
    assert found.amount == 70_00
    assert "late" not in found.detail.lower()


@pytest.mark.parametrize(
    ("times", "amount", "told"), [(2, 30_00, True), (2, 29_99, False), (1, 90_00, False)]
)
def test_little_and_single_fees_are_left_alone(times: int, amount: int, told: bool) -> None:
    """Two months with fees and sixty a year are the least."""
    assert (said_of_fees(charged("OVERDRAFT FEE", times, amount)) is not None) is told


def test_the_year_is_made_of_the_months_that_are_known() -> None:
    """Fees of a half year count twice for a year."""
    home = with_cash(9_000_00, ("2025-07-01", TODAY))
    home.earns_biweekly(2_000_00, "2025-07-04", 14).rents(900_00, "2025-07-02", 7)
    found = said_of_fees(
        home.charges(monthly("2025-08-12", 2), "OVERDRAFT FEE", 20_00, "interest_fees")
    )
    assert present(found).amount == 80_00


FIRST, SECOND = date(2026, 1, 15), date(2026, 1, 31)


def tight(cash: int) -> Household:
    """Pay of 1,000 on the 15th and the last, rent of 900 on the 18th, 365 of food a month."""
    home = with_cash(cash)
    home.credits(semimonthly("2025-01-01", 24), "ACME", 1_000_00, "wages")
    home.rents(900_00, "2025-01-18", 12)
    for month in range(1, 13):
        home.charge(date(2025, month, 3), f"MARKET {month}", 365_00, "groceries")
    return home


def seen(home: Household) -> Assessment:
    return assessed(home)


# With the next pay cash is 100 more after the rent of the 18th; by the 30th food has taken 20 days.
NEEDED = 20 * 365_00 * 12 // 365 - 100_00


@pytest.mark.parametrize(
    ("cash", "monthly_sum", "start"),
    [
        (NEEDED, 0, FIRST),
        (NEEDED - 1, 0, SECOND),
        (NEEDED + 15 * 12_00, 365_00, FIRST),
        (NEEDED + 15 * 12_00 - 1, 365_00, SECOND),
        (100_00, 365_00, SECOND),
        (-900_00, 365_00, None),
    ],
)
def test_a_sum_begins_when_cash_holds(cash: int, monthly_sum: int, start: date | None) -> None:
    """To the cent: on the eve of the next pay cash is at zero or above, all usual needs met."""
    home = tight(cash)
    assert seen(home).ahead is not None
    assert seen(home).ahead.usual == 365_00  # type: ignore[union-attr]
    assert first_pay_to_save(seen(home), monthly_sum) == start


@pytest.mark.parametrize(
    ("cash", "begin", "waits"),
    [
        (3_000_00, assessment.WITH_THE_NEXT_PAY, False),
        (100_00, "with your pay on 31 January", True),
        (-900_00, "once your pay leaves enough for it", True),
    ],
)
def test_the_words_fit_the_day(cash: int, begin: str, waits: bool) -> None:
    """Who waits is told why, who need not is told nothing."""
    found = seen(tight(cash))
    assert begins(found, 365_00) == begin
    assert bool(until_then(found, 365_00)) is waits


def test_bills_that_cash_does_not_cover_come_first() -> None:
    """Short before payday, and the next pay would do: saving begins once that is covered."""
    home = tight(2_000_00).charges(monthly("2025-01-13", 12), "INSURER", 2_100_00, "insurance")
    home.credits(monthly("2025-01-14", 12), "SPOUSE", 2_100_00, "wages")
    found = seen(home)
    assert present(found.guard) < 0 or found.period.payday == date(2026, 1, 14)
    assert begins(found, 1_00) == assessment.ONCE_COVERED


@pytest.mark.parametrize("kind", ["no rhythm", "no balance"])
def test_where_nothing_is_known_ahead_the_next_pay_is_as_good_as_any(kind: str) -> None:
    """Pay without a rhythm, and cash that nobody told, give no day."""
    home = tight(100_00)
    if kind == "no balance":
        home.savings("jar", balance=None)
    else:
        home = with_cash(100_00)
        days = ["2025-02-03", "2025-05-27", "2025-06-01", "2025-10-19", "2025-12-30"]
        home.credits(days, "GIG", 900_00, "self_employment")
    found = seen(home)
    assert first_pay_to_save(found, 1_00) is None
    assert begins(found, 1_00) == assessment.WITH_THE_NEXT_PAY
    assert until_then(found, 1_00) == ""


def advice(home: Household, kind: str) -> str:
    (found,) = [each for each in plan_of(home).actions if each.kind == kind]
    return found.detail


def test_fund_and_card_begin_with_the_same_pay() -> None:
    """The emergency fund, the starter fund and the payment of a card wait for one day."""
    found = advice(tight(60_00), "build_emergency_fund")
    assert says(found, "pay on 31 January.", "Until then")
    home = tight(130_00).card("visa", balance=6_000_00, apr=0.2, minimum_payment=1_00, covered=YEAR)
    home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 100_00, "interest_fees")
    for kind in ("build_starter_fund", "pay_down_card"):
        assert "pay on 31 January" in advice(home, kind)
    assert "Until then" in advice(home, "build_starter_fund")
    home.card("amex", balance=900_00, apr=0.1, minimum_payment=20_00, covered=YEAR)
    home.charge("2025-12-20", "INTEREST CHARGE", 5_00)
    step = advice(home, "pay_down_card")
    goes = ("on visa (", "highest rate, 20%),", "pay on 31 January.")
    assert says(step, "Pay each minimum", "rest of the $", *goes)


def test_with_money_at_hand_nothing_waits() -> None:
    """The usual words stand where the next pay will do."""
    assert assessment.WITH_THE_NEXT_PAY in advice(indebted(), "pay_down_card")
    home = indebted(apr=0.29, cash=3_000_00)
    home.card("second", balance=900_00, credit_limit=1_000_00, apr=0.09, covered=YEAR)
    home.charge("2025-12-20", "INTEREST CHARGE", 5_00)
    assert says(advice(home, "pay_down_card"), "on the others", "rest on visa")
