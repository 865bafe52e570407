"""Notes: each is said when it is true, and not said when it is not, in one order."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from finplan.categorise.catalogue import Category
from finplan.model.user import BudgetShares
from finplan.plan.advise.notes import NOTES
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess
from tests.plan.households import TODAY, YEAR, Household, every, household, monthly, with_cash
from tests.plan.typical import plan_of
from tests.says import says


def notes_of(home: Household) -> tuple[str, ...]:
    return plan_of(home).notes


def steady(since: str = "2025-01-01", **settings: Any) -> Household:
    """A household about which there is nothing to note."""
    start = date.fromisoformat(since)
    paydays = [day for day in every("2025-01-03", 14, 27) if day >= start]
    rents = [day for day in monthly("2025-01-01", 13) if day >= start]
    return (
        household(**settings)
        .checking(balance=9_000_00, covered=(since, TODAY))
        .credits(paydays, "ACME", 2_000_00, "wages")
        .charges(rents, "LANDLORD", 1_200_00, "rent")
    )


def test_a_plain_household_needs_no_notes() -> None:
    """Nothing is said without a reason; every test below adds one."""
    assert notes_of(steady()) == ()


def days_only() -> Household:
    home = with_cash(900_00, ("2026-01-02", TODAY))
    return home.charge("2026-01-03", "SAFEWAY", 30_00, "groceries")


def five_weeks() -> Household:
    home = with_cash(900_00, ("2025-12-08", TODAY))
    return home.charges(every("2025-12-09", 7, 5), "SAFEWAY", 30_00, "groceries")


def limited() -> Household:
    home = steady().card("visa", balance=0, covered=("2025-06-01", TODAY))
    return home.charges(monthly("2025-06-12", 8), "BISTRO", 900_00, "dining")


def ending(days: int = 30) -> Household:
    end = TODAY - timedelta(days)
    home = with_cash(900_00, ("2025-01-01", end))
    return home.earns_biweekly(2_000_00, times=25).rents(1_200_00, times=12)


def silent(last: str, balance: int | None = None) -> Household:
    """A card whose rows end on a day, beside an account that goes on."""
    home = steady().card("my visa", balance=balance)
    days = [*(f"{day}" for day in monthly("2025-01-12", 12) if f"{day}" < last), last]
    return home.charges(days, "BISTRO", 900_00, "dining")


def stated(balance: int) -> Household:
    """An account that a statement says to have held so much after a month of one charge of $10."""
    home = household().checking("my bank", covered=YEAR).charge("2025-02-10", "X", 10_00, "dining")
    home.recorded_balance("my bank", "2025-01-31", 100_00, stated=True)
    return home.recorded_balance("my bank", "2025-02-28", balance, stated=True)


def all_foreign() -> Household:
    home = household().checking("giro", currency="EUR", covered=YEAR).rents(900_00, times=12)
    return home.savings("pounds", currency="GBP").savings("tagesgeld", currency="EUR")


def twins() -> Household:
    home = steady()
    home.accounts["checking"] = replace(home.accounts["checking"], mask="4421")
    home.checking("again", mask="4421", connection="other", covered=YEAR, balance=9_000_00)
    home.credits(every("2025-01-03", 14, 27), "ACME", 2_000_00)
    return home.charges(monthly("2025-01-01", 13), "LANDLORD", 1_200_00)


def revolving(**card: Any) -> Household:
    home = steady().card("visa", balance=15_000_00, credit_limit=20_000_00, covered=YEAR, **card)
    return home.charges(monthly("2025-01-20", 12), "INTEREST CHARGE", 110_00, "interest_fees")


def known_card(**card: Any) -> Household:
    return revolving(apr=0.2, minimum_payment=200_00, **card)


def own_goal() -> Household:
    """A card that revolves, in a household that set the fund's months by itself."""
    home = known_card()
    home.settings = home.settings.model_copy(update={"target_months": 4})
    return home


def habitual_card() -> Household:
    """A card whose payments, seen on both sides, match what was owed."""
    home = steady().card("visa", balance=600_00, covered=YEAR)
    home.charges(monthly("2025-01-12", 12), "MARKET", 600_00, "groceries")
    home.card_payments(monthly("2025-02-06", 11), "visa", 600_00)
    return home


def steady_saver() -> Household:
    """Money that goes to a savings account that is linked."""
    home = steady().savings(balance=900_00)
    home.transfers(monthly("2025-01-22", 12), "checking", "savings", 100_00)
    return home


def between_jobs(cash: int | None) -> Household:
    """2,000 a month goes out, 1,500 of it on essentials; the last pay came in May."""
    return (
        with_cash(cash)
        .earns(3_000_00, times=5)
        .rents(1_500_00, times=12)
        .charges(monthly("2025-01-20", 12), "BISTRO", 500_00, "dining")
    )


def drawing(drawn: int) -> Household:
    """100 a month goes to savings, and so much comes back."""
    home = steady_saver()
    home.transfers(monthly("2025-01-25", 12), "savings", "checking", drawn)
    return home


def paid_biweekly(*days: str) -> Household:
    """Pay every second week, in data of so few days that no month is full and 31 are averaged."""
    return with_cash(900_00, ("2025-12-08", "2026-01-10")).credits(days, "ACME", 1_000_00, "wages")


def self_employed(*, taxed: bool) -> Household:
    home = steady().credits(monthly("2025-01-15", 12), "STUDIO", 900_00, "self_employment")
    return home.charge("2025-12-15", "TAX OFFICE", 500_00, "taxes") if taxed else home


def _between(since: str) -> Household:
    """Statements of January to March 2025, and of a day on."""
    home = household().checking(covered=[("2025-01-01", "2025-03-31"), (since, "2026-01-10")])
    return home.rents(900_00, "2025-01-02", 12)


SAID: list[tuple[str, Callable[[], Household], str]] = [
    ("no_transactions", household().checking, "No transactions yet"),
    ("no_transactions", all_foreign, "No account is in USD, your currency"),
    ("part_of_a_month", days_only, "The data covers 9 days, less than a month"),
    (
        "part_of_a_month",
        lambda: with_cash(900_00, ("2025-12-15", TODAY)).charge(
            "2025-12-20", "SAFEWAY", 30_00, "groceries"
        ),
        "The data covers 27 days, less than a month",
    ),
    ("short_window", lambda: steady("2025-11-01"), "Averages come from 2 full months"),
    (
        "limited_window",
        limited,
        "The averages begin in June 2025, because the data for visa starts on 1 June 2025.",
    ),
    (
        "missing_statements",
        lambda: _between("2025-05-01"),
        "checking is missing data from 1 April 2025 to 30 April 2025: import that statement.",
    ),
    (
        "contradicted_balances",
        lambda: stated(89_00),
        (
            "my bank: statements show $100 on 31 January 2025 and $89 on 28 February 2025. The"
            " transactions in between differ from this change by $1, so one is missing or"
            " duplicated. `finplan transactions --account 'my bank' --from 2025-01-31 --to"
            " 2025-02-28` lists them."
        ),
    ),
    (
        "uncertain_balances",
        lambda: steady().card("visa", balance=None),
        (
            "Net worth, cash after cards and the months your reserve lasts are at most the amount"
            " shown, and debts are at least the amount shown: the balance of visa is missing."
        ),
    ),
    (
        "uncertain_balances",
        lambda: steady().charges(monthly("2025-01-22", 12), "CITI", 300_00, "unlinked_card"),
        "and debts are at least the amount shown: the balance of CITI is missing.",
    ),
    (
        "uncertain_balances",
        lambda: steady().loan("car", balance=None),
        (
            "Net worth is at most the amount shown, and debts are at least the amount shown: the"
            " balance of car is missing."
        ),
    ),
    (
        "uncertain_balances",
        lambda: steady().savings(balance=None).brokerage(balance=None),
        "Net worth is at least the amount shown: the balances of savings and brokerage are missing.",
    ),
    (
        "uncertain_balances",
        lambda: steady().savings(balance=None).card("visa", balance=None),
        "Net worth is unknown: the balances of visa and savings are missing.",
    ),
    (
        "living_on_savings",
        lambda: between_jobs(18_000_00),
        (
            "You live on savings: at your targets, you draw $1,688 a month beyond income. Your savings"
            " of $18,000 last 10 months."
        ),
    ),
    ("living_on_savings", lambda: between_jobs(3_000_00), "last about 8 weeks."),
    ("living_on_savings", lambda: between_jobs(48_000_00), "$48,000 last 24 months."),
    (
        "living_on_savings",
        lambda: between_jobs(50_000_00),
        "last about 2 years at today's prices and without growth.",
    ),
    (
        "unknown_inflows",
        lambda: between_jobs(0).credits(monthly("2025-01-05", 12), "FLATMATE", 1_500_00),
        "Even if all of it is income, you spend at least $500 a month more than you receive.",
    ),
    (
        "living_on_savings",
        lambda: between_jobs(0),
        "$2,000 a month more than your expected income, and you have no savings",
    ),
    (
        "living_on_savings",
        lambda: between_jobs(None),
        "expected income, and your savings are unknown.",
    ),
    (
        "living_on_savings",
        lambda: between_jobs(500_00).credits(
            monthly("2025-01-05", 12), "FUND HOUSE", 800_00, "investing"
        ),
        "draw $2,000 a month beyond income. An investment that is not linked pays you regularly",
    ),
    (
        "living_on_savings",
        lambda: with_cash(9_000_00).rents(900_00, "2025-01-02", 12),
        "does not cover $900 a month of your spending.",
    ),
    (
        "drawing_down",
        lambda: drawing(200_00),
        "You took $100 a month more out of savings and investments than you put in.",
    ),
    ("data_end", ending, "The data ends on 11 December 2025, 30 days ago"),
    (
        "silent_accounts",
        lambda: silent("2025-10-12"),
        (
            "my visa ends on 12 October 2025, but other accounts continue to 10 January. Until you"
            " import newer statements for it, the averages end on that day. If the account is closed,"
            " run `finplan accounts set 'my visa' --balance 0`."
        ),
    ),
    (
        "uncounted_balances",
        lambda: steady().loan("car", balance=None, currency="EUR"),
        "The balance of car is missing.",
    ),
    ("other_currency", lambda: steady().savings(currency="EUR"), "savings (EUR) is excluded"),
    ("hidden", lambda: steady().savings(hidden=True), "savings is hidden and excluded."),
    ("duplicates", twins, "checking and again look like one account from two connections"),
    (
        "pending",
        lambda: steady().charge(TODAY, "CAFE", 5_00, "dining", pending=True),
        "1 pending charge ($5) is not in the averages until posted. Safe to spend already counts it.",
    ),
    (
        "pending",
        lambda: steady().credit(TODAY, "AUNT", 5_00, "other_income", pending=True),
        "1 pending credit ($5) is not counted until posted.",
    ),
    (
        "uncategorised",
        lambda: steady().charge("2025-11-11", "ZORBLAX", 800_00),
        (
            "1 transaction ($800, 5% of spending) is not categorized yet and counts as discretionary."
            " Essentials may be too low."
        ),
    ),
    (
        "uncategorised",
        lambda: steady().charges(["2025-10-11", "2025-11-11"], "ZORBLAX", 800_00),
        "Essentials may be too low, and the plan is an estimate.",
    ),
    ("short_window", five_weeks, "days and no full month, so one unusual month"),
    (
        "unlinked_cards",
        lambda: steady().charge("2025-03-11", "CITI", 360_00, "unlinked_card"),
        "Payments to a card that is not linked ($30 a month) count as spending without detail.",
    ),
    (
        "unknown_inflows",
        lambda: steady().credit("2025-11-11", "QUUX", 80_00),
        "1 deposit ($80) since January 2025 does not count as income until you categorize it.",
    ),
    (
        "no_income",
        lambda: (
            household()
            .checking(covered=YEAR)
            .charges(monthly("2025-01-02", 12), "SAFEWAY", 5_00, "groceries")
        ),
        "No income is known for these months",
    ),
    (
        "unlinked_cards",
        lambda: steady().charges(monthly("2025-01-22", 12), "CITI", 300_00, "unlinked_card"),
        "Payments to CITI ($300 a month), a card that is not linked, count as spending",
    ),
    (
        "unlinked_savings",
        lambda: steady().charges(monthly("2025-01-22", 12), "ALLY", 100_00, "savings"),
        "$100 a month goes to savings or investments that are not linked",
    ),
    (
        "loan_payments",
        lambda: steady().charges(monthly("2025-01-22", 12), "CAR LOAN", 300_00, "loan_payment"),
        "Loan payments count as essential spending, principal included",
    ),
    (
        "mortgage_without_home",
        lambda: steady().loan("house", "mortgage", balance=200_000_00),
        "Net worth counts the mortgage, but not the value of the home.",
    ),
    (
        "mortgage_without_home",
        lambda: steady().charges(monthly("2025-01-22", 12), "WELLS", 900_00, "mortgage"),
        "You pay WELLS, which is not linked. Net worth excludes both the mortgage and the value of",
    ),
    (
        "mortgage_without_home",
        lambda: (
            steady()
            .charges(monthly("2025-01-22", 12), "WELLS", 900_00, "mortgage")
            .account("home", "other", "property", balance=300_000_00)
        ),
        "Net worth counts the home, but not your debt to WELLS, which is not linked.",
    ),
    (
        "set_aside_elsewhere",
        lambda: (
            steady(target_months=9)
            .account("cd", "depository", "cd", balance=5_000_00)
            .account("hsa", "depository", "hsa", balance=1_000_00)
            .account("empty", "investment", "brokerage", balance=0)
        ),
        "$6,000 in certificates and health accounts does not count as reserve",
    ),
    ("rates_unknown", revolving, "Interest rate missing for visa"),
    ("minimums_estimated", revolving, "The minimum payment of visa is an estimate"),
    (
        "card_use_assumed",
        lambda: steady().card("visa", balance=100_00, covered=YEAR),
        "The plan assumes you pay it in full each month.",
    ),
    ("target_assumed", lambda: steady("2025-11-01"), "goal of 6 months"),
    (
        "no_essentials",
        lambda: (
            household()
            .checking(covered=YEAR)
            .charges(monthly("2025-01-02", 12), "BISTRO", 5_00, "dining")
        ),
        "No essential spending is known",
    ),
    (
        "set_aside_elsewhere",
        lambda: steady(target_months=9).brokerage(balance=5_000_00),
        "$5,000 in investments does not count as reserve, because you cannot use it right away.",
    ),
    (
        "planned_income",
        lambda: steady().credit("2025-03-03", "GRANDMA", 20_000_00, "other_income"),
        "The plan counts on $4,333 of income a month, from your current sources.",
    ),
    (
        "planned_payments",
        lambda: steady().plans_money("Trip", 2_400_00, "2026-07-01", in_month=True),
        "The plan sets aside $400 a month for Trip ($2,400 in July).",
    ),
    (
        "planned_payments",
        lambda: (
            steady()
            .plans_money("Roof", 90_000_00, "2026-07-15")
            .plans_money("Swim", 20_00, "2026-01-12", cadence="weekly")
        ),
        "a month for Roof ($90,000 on 15 July) and Swim ($20 a week).",
    ),
    (
        "planned_payments",
        lambda: steady().plans_money("Roof", 90_000_00, "2026-07-15"),
        "Your planned payments need $15,000 a month, but planned income leaves only",
    ),
    (
        "overdue_planned",
        lambda: steady().plans_money("Trip", 90_00, "2025-12-30", planned_on="2025-12-01"),
        "Trip was planned for 30 December 2025, but no transaction shows it.",
    ),
    (
        "planned_income",
        lambda: steady().monthly_income(5_000_00),
        "The plan counts on $5,000 of income a month, set by you. Your average was $4,333.",
    ),
    (
        "one_off_income",
        lambda: steady().credit("2025-03-03", "GRANDMA", 20_000_00, "other_income"),
        "One-time income is not in the plan: $20,000, 28% of income.",
    ),
    (
        "stopped_source",
        lambda: steady().credits(monthly("2025-01-15", 6), "OLD JOB", 900_00, "wages"),
        "The plan no longer counts OLD JOB. Last payment: 15 June 2025.",
    ),
    (
        "extra_payday",
        lambda: steady("2025-08-01"),
        "1 month of the average has 3 paydays of ACME instead of 2, so income looks higher than usual:",
    ),
    (
        "extra_payday",
        lambda: paid_biweekly("2025-12-12", "2025-12-26", "2026-01-09"),
        "3 paydays of ACME instead of 2, so income looks higher than usual: the plan counts on $2,167",
    ),
    (
        "before_tax",
        lambda: self_employed(taxed=True),
        "before tax. Tax paid in 12 months: $500 on 15 December 2025.",
    ),
    (
        "before_tax",
        lambda: self_employed(taxed=False).charges(
            ["2025-02-01", "2025-03-01", "2025-04-01", "2025-06-01", "2025-07-31"],
            "TAX OFFICE",
            700_00,
            "taxes",
        ),
        "last 4 months. Tax paid in 12 months: $3,500 in 5 payments, the last on 31 July 2025.",
    ),
    (
        "before_tax",
        lambda: self_employed(taxed=False),
        "and no tax payment was found in the last 4 months.",
    ),
    (
        "essentials_above_guide",
        lambda: steady().charges(monthly("2025-01-02", 12), "CARE", 1_486_67, "childcare"),
        "Essentials take 62% of take-home pay: $520 a month more than the 50% guideline.",
    ),
    (
        "essentials_above_guide",
        lambda: steady().charges(monthly("2025-01-02", 12), "CARE", 1_053_34, "childcare"),
        "Essentials take 52% of take-home pay: $86.68 a month more than the 50% guideline.",
    ),
    (
        "contributions_from_pay",
        lambda: steady().account("401k", "investment", "401k", balance=9_00),
        "Contributions taken from your pay before it reaches the bank",
    ),
    (
        "long_outstanding",
        lambda: steady().charge("2025-09-01", "CONFERENCE", 800_00, "work_expenses"),
        "You have been owed $800 of reimbursable costs for more than 90 days",
    ),
    (
        "target_after_cards",
        known_card,
        "goal is 1 month of essentials while you carry card debt, and 6 months once it is paid off.",
    ),
]

UNSAID: list[tuple[str, Callable[[], Household]]] = [
    ("no_transactions", days_only),
    ("part_of_a_month", lambda: steady("2025-11-01")),
    ("part_of_a_month", household().checking),
    ("short_window", lambda: steady("2025-10-01")),
    ("short_window", days_only),
    ("short_window", household().checking),
    ("uncategorised", lambda: steady().credit("2025-11-11", "X", 8_00, "uncategorized")),
    ("limited_window", steady),
    ("missing_statements", lambda: household().checking(covered=YEAR)),
    ("contradicted_balances", lambda: stated(90_00)),
    ("uncertain_balances", lambda: steady().card("visa", balance=0).savings(balance=0)),
    ("uncertain_balances", lambda: steady().loan("car", balance=None, currency="EUR")),
    ("planned_payments", lambda: steady().plans_money("Gift", 9_00, TODAY, incoming=True)),
    ("overdue_planned", lambda: steady().plans_money("Trip", 90_00, "2025-12-31")),
    ("living_on_savings", steady),
    ("living_on_savings", household().checking),
    (
        "living_on_savings",
        lambda: (
            between_jobs(9_000_00)
            .credits(monthly("2025-01-27", 12), "OTHER JOB", 1_450_00, "wages")
            .credits(monthly("2025-01-24", 12), "BISTRO", 600_00)
        ),
    ),
    ("drawing_down", lambda: drawing(100_00)),
    ("drawing_down", steady_saver),
    ("data_end", steady),
    ("data_end", household().checking),
    ("silent_accounts", lambda: silent("2025-10-13")),
    ("silent_accounts", lambda: silent("2025-10-12", balance=0)),
    ("silent_accounts", lambda: ending(100)),
    ("uncounted_balances", lambda: steady().savings(balance=None)),
    ("other_currency", lambda: steady().savings(currency="USD")),
    ("hidden", lambda: steady().savings()),
    ("duplicates", lambda: steady().checking("again", mask="4421")),
    ("pending", lambda: steady().charge(TODAY, "CAFE", 5_00, "dining")),
    ("uncategorised", lambda: steady().charge("2025-11-11", "X", 8_00, "dining")),
    ("uncategorised", lambda: steady().charge("2024-11-11", "LONG AGO", 8_00)),
    ("unknown_inflows", lambda: steady().credit("2025-11-11", "AUNT", 80_00, "other_income")),
    ("no_income", steady),
    ("no_income", household().checking),
    ("unlinked_cards", habitual_card),
    ("unlinked_savings", steady_saver),
    ("loan_payments", lambda: steady().loan("car", "auto", balance=9_000_00)),
    ("mortgage_without_home", lambda: steady().loan("car", "auto", balance=9_000_00)),
    (
        "mortgage_without_home",
        lambda: (
            steady()
            .loan("house", "mortgage", balance=200_000_00)
            .account("home", "other", "property", balance=300_000_00)
        ),
    ),
    ("rates_unknown", known_card),
    ("rates_unknown", habitual_card),
    ("minimums_estimated", known_card),
    ("card_use_assumed", habitual_card),
    ("card_use_assumed", lambda: steady().card("visa", balance=0, covered=YEAR)),
    ("target_assumed", lambda: steady("2025-10-01")),
    ("target_assumed", lambda: steady("2025-11-01", target_months=4)),
    ("no_essentials", steady),
    ("no_essentials", household().checking),
    ("set_aside_elsewhere", lambda: steady(target_months=9).brokerage(balance=10_00)),
    (
        "set_aside_elsewhere",
        lambda: steady(target_months=9).account("home", "other", "property", balance=90_000_00),
    ),
    ("planned_income", lambda: steady().credit("2025-03-03", "AUNT", 1_061_00, "other_income")),
    ("planned_income", household().checking),
    ("one_off_income", lambda: steady().credit("2025-03-03", "GRANDMA", 500_00, "other_income")),
    ("stopped_source", steady),
    ("stopped_source", lambda: steady().credit("2025-03-03", "AUNT", 90_00, "other_income")),
    ("extra_payday", steady),
    ("extra_payday", lambda: steady("2025-07-01")),
    ("extra_payday", lambda: paid_biweekly("2025-12-10", "2025-12-24", "2026-01-07")),
    ("before_tax", steady),
    (
        "essentials_above_guide",
        lambda: steady().charges(monthly("2025-01-02", 12), "CARE", 1_053_33, "childcare"),
    ),
    (
        "essentials_above_guide",
        lambda: steady().charges(monthly("2025-01-02", 12), "CARE", 3_200_00, "childcare"),
    ),
    ("contributions_from_pay", lambda: steady().brokerage(balance=9_00)),
    (
        "contributions_from_pay",
        lambda: household().checking(covered=YEAR).account("401k", "investment", "401k"),
    ),
    (
        "long_outstanding",
        lambda: steady().charge("2025-11-01", "CONFERENCE", 800_00, "work_expenses"),
    ),
    ("target_after_cards", steady),
    ("target_after_cards", own_goal),
]


@pytest.mark.parametrize(("name", "build", "start"), SAID)
def test_a_note_is_told_when_true(name: str, build: Callable[[], Household], start: str) -> None:
    """Each note has a household of which it is true."""
    assert name in {noting.__name__ for noting in NOTES}
    assert any(start in note for note in notes_of(build()))


@pytest.mark.parametrize(("name", "build"), UNSAID)
def test_a_note_is_not_said_without_its_reason(name: str, build: Callable[[], Household]) -> None:
    """Each note has a household next to it of which it is not true."""
    ledger = build().ledger()
    assessed = assess(ledger, keep_books(ledger, TODAY), TODAY)
    (noting,) = [each for each in NOTES if each.__name__ == name]
    assert list(noting(assessed)) == []


def test_every_note_is_tested_both_ways() -> None:
    """No note without a household that shows it and one that does not."""
    names = {noting.__name__ for noting in NOTES}
    assert {name for name, _, _ in SAID} == {name for name, _ in UNSAID} == names


def test_notes_come_in_the_order_of_the_table() -> None:
    """A household with several notes hears them in one order: data first, then what figures mean."""
    home = known_card().savings(balance=None).savings("old", hidden=True)
    home.on("checking").charge(TODAY, "CAFE", 5_00, "dining", pending=True)
    home.charges(monthly("2025-01-02", 12), "CARE", 1_900_00, "childcare")
    expected = ["of savings is missing", "hidden", "pending", "guideline", "carry card debt"]
    found = notes_of(home)
    places = [
        next(place for place, note in enumerate(found) if words in note) for words in expected
    ]
    assert places == sorted(places)


def test_an_account_that_ends_first_is_named_as_the_limit() -> None:
    """The window may be cut at its end, too."""
    home = steady().card("visa", balance=0, covered=("2025-01-01", "2025-10-31"))
    home.charges(monthly("2025-01-12", 10), "BISTRO", 900_00, "dining")
    ends = ("end in October 2025,", "visa ends on", "31 October 2025.")
    assert any(says(note, *ends) for note in notes_of(home))


def test_only_the_silent_account_with_which_the_data_end_is_named() -> None:
    """One that carries little does not end the data, and none goes on beyond today."""
    home = silent("2025-10-12").checking("pocket", balance=None)
    home.charges(monthly("2025-01-12", 8), "KIOSK", 1_00, "dining")
    home.checking("ahead", covered=("2025-01-01", "2026-02-28"))
    home.charge("2025-12-12", "KIOSK", 1_00, "dining")
    (note,) = [note for note in notes_of(home) if "accounts continue to" in note]
    assert note.startswith("my visa ends")
    assert says(note, "on 12 October 2025,", "to 10 January.")


def test_own_shares_silence_the_guide() -> None:
    """A person with own budget shares is not measured by the guide."""
    home = steady(budget_shares=BudgetShares(essentials=0.7, discretionary=0.2, savings=0.1))
    home.charges(monthly("2025-01-02", 12), "CARE", 1_500_00, "childcare")
    assert not any("the guide" in note for note in notes_of(home))


def test_repaid_costs_leave_no_note_in_any_reimbursable_category() -> None:
    """A person's own reimbursable category settles like the built-in one."""
    club = Category("cat_club", "Club", "not_spending", "reimbursable", custom=True)
    home = steady().category(club).charge("2025-09-01", "CLUB SHOP", 90_00, "cat_club")
    assert any("$90 of reimbursable" in note for note in notes_of(home))
    home.credit("2025-09-20", "CLUB SHOP", 90_00)
    assert not any("of reimbursable" in note for note in notes_of(home))


def test_a_household_without_an_account_in_its_currency_is_told_how_to_change_it() -> None:
    """Rows that are left out are not denied; the command names the currency of most accounts."""
    first = notes_of(all_foreign())[0]
    assert "No transactions" not in first
    assert first.endswith("settings set --currency EUR")
    assert "No transactions" in notes_of(all_foreign().checking("dollars"))[0]


def test_an_account_in_another_currency_that_nothing_is_known_to_go_to_is_told() -> None:
    """Silence would hide that own money counts as paid to somebody; a known transfer ends the note."""
    home = steady().savings(currency="EUR")
    missed = [says(note, "No transfer between", "savings and your") for note in notes_of(home)]
    assert any(missed)
    paired = home.transfer("2025-10-05", "checking", "savings", 50_00)
    assert not any("No transfer between" in note for note in notes_of(paired))
    assert any("savings (EUR) is" in note for note in notes_of(paired))


def test_an_extra_payday_names_no_other_sum_where_none_is_planned_with() -> None:
    """Where other pay that began late makes up for it, what came in is what is planned with."""
    home = steady("2025-08-01").credits(monthly("2025-10-15", 3), "SIDE", 600_00, "wages")
    found = plan_of(home)
    assert sum(item.target for item in found.budget) > found.monthly.income
    (note,) = [each for each in found.notes if "paydays of ACME" in each]
    assert note.endswith("higher than usual.")


def test_where_all_accounts_are_in_other_currencies_no_transfer_is_missed() -> None:
    """After a change of the household's currency there is no other account that money may leave."""
    home = household("EUR").checking(balance=900_00, currency="USD", covered=("2025-01-01", TODAY))
    home.rents(900_00, "2025-01-05", 12).savings(currency="USD")
    left_out = ("checking (USD) and", "savings (USD) are")
    assert any(says(note, *left_out) for note in notes_of(home))
    assert not any("No transfer between" in note for note in notes_of(home))
    home.savings("Girokonto", hidden=True)
    assert not any("No transfer between" in note for note in notes_of(home))
    home.savings("Sparbuch")
    missed = ("No transfer between", "checking and savings")
    assert any(says(note, *missed) for note in notes_of(home))


@pytest.mark.parametrize(("raised", "said"), [(2_000_00, True), (2_500_00, False)])
def test_pay_that_went_up_does_not_look_higher_for_a_payday(raised: int, said: bool) -> None:
    """Three paydays at the old pay brought less than two bring now: nothing looks higher than usual."""
    home = with_cash(9_000_00, ("2025-08-01", TODAY)).earns_biweekly(2_000_00, "2025-08-01", 9)
    home.credits(every("2025-12-05", 14, 3), "ACME", raised)
    assert any("looks higher" in note for note in notes_of(home)) is said


@pytest.mark.parametrize(("first", "said"), [(1_500_00, True), (200_00, False)])
def test_nor_does_it_in_days_of_which_no_month_is_full(first: int, said: bool) -> None:
    """A part of a pay and two whole ones bring less than a month of the pay of now."""
    home = with_cash(900_00, ("2025-12-08", "2026-01-10"))
    home.credits(
        ["2025-12-12", "2025-12-26", "2026-01-09"], "ACME", [first, 1_500_00, 1_500_00], "wages"
    )
    assert any("looks higher" in note for note in notes_of(home)) is said


def test_pay_that_came_twice_is_no_payday_too_many() -> None:
    """Two paydays of a month are the usual number, whatever they brought."""
    home = with_cash(900_00, ("2025-10-20", "2025-12-31"))
    home.credits(["2025-11-07", "2025-11-21", "2025-12-05"], "ACME", 1_500_00, "wages")
    home.credit("2025-12-19", "ACME", 1_000_00)
    assert not any("looks higher" in note for note in notes_of(home))
