"""Open tasks: what only the person can answer, by the money that the answer decides.

Missing accounts have their evidence, and a dismissal lasts; the rent that nobody has named is
suggested.
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from finplan.categorise.catalogue import Category
from finplan.model.task import CategorizePayee, Task
from finplan.plan.advise.tasks import answer_choices, categorize_payee, open_tasks, payee_questions
from finplan.plan.bookkeeping import keep_books
from finplan.plan.sections.missing_accounts import FINDERS, MissingAccount, missing_accounts
from finplan.plan.sections.monthly import take_means
from tests.plan.households import TODAY, YEAR, Day, Household, every, household, monthly, with_cash
from tests.plan.typical import plan_of
from tests.present import present
from tests.says import says


def tasks(home: Household, today: date = TODAY) -> tuple[Task, ...]:
    return open_tasks(home.ledger(), home.books(TODAY), today)


def asked(home: Household) -> dict[str, CategorizePayee]:
    return {task.payee: task for task in tasks(home) if isinstance(task, CategorizePayee)}


def settled() -> Household:
    return with_cash(2_000_00).earns_biweekly(2_000_00).rents(1_500_00)


def test_what_is_known_is_not_asked() -> None:
    """Categorised payees leave no question."""
    assert tasks(settled()) == ()


def test_a_question_holds_what_is_needed_to_answer_it() -> None:
    """Count, total, the five newest charges, and the guess with its label."""
    home = settled().payee(
        "ZORBLAX", suggested="hobbies", confidence=0.61, alternatives=("dining", "kids")
    )
    home.charges(monthly("2025-05-06", 7), "ZORBLAX", [40_00, 50_00])
    task = asked(home)["ZORBLAX"]
    assert (task.payee_key, task.count, task.total) == ("zorblax", 7, 310_00)
    assert [charge.date for charge in task.charges] == [
        date(2025, 11, 6), date(2025, 10, 6), date(2025, 9, 6), date(2025, 8, 6), date(2025, 7, 6)
    ]  # fmt: skip
    assert task.charges[0].amount == 40_00
    assert (task.suggested, task.suggested_label) == ("hobbies", "Sport and hobbies")
    assert task.confidence == 0.61
    assert [each.category for each in task.alternatives][:2] == ["dining", "kids"]
    assert task.last_date == date(2025, 11, 6)
    assert task.answer is None


def test_without_a_guess_the_commonest_answer_is_offered() -> None:
    """A suggestion is always an option, and claims no confidence that nobody has."""
    home = settled().charge("2025-11-06", "ZORBLAX", 900_00)
    home.credit("2025-11-07", "QUUX", 900_00)
    for task, suggestion in (
        (asked(home)["ZORBLAX"], "shopping"),
        (asked(home)["QUUX"], "other_income"),
    ):
        assert task.suggested == suggestion
        assert task.confidence is None
        assert task.suggested in task.options
        assert all(each.category in task.options for each in task.alternatives)
        assert suggestion not in {each.category for each in task.alternatives}


def test_money_in_has_other_answers_than_money_out() -> None:
    """Out is never income; in may be anything, since a friend may pay back a dinner."""
    home = settled().charge("2025-11-06", "ZORBLAX", 900_00)
    home.credit("2025-11-07", "QUUX", 900_00)
    out, into = asked(home)["ZORBLAX"], asked(home)["QUUX"]
    assert "wages" not in out.options
    assert {"wages", "dining", "loan_proceeds"} <= set(into.options)
    assert {"uncategorized", "unknown_inflow", "card_payment"}.isdisjoint(
        out.options + into.options
    )
    assert into.total == -900_00
    assert into.charges[0].amount == -900_00


def test_a_persons_own_category_is_an_option() -> None:
    """Custom categories stand beside the built-in ones."""
    own = Category("cat_boat", "The boat", "discretionary", "spending", "fun", custom=True)
    home = settled().category(own).charge("2025-11-06", "ZORBLAX", 900_00)
    assert "cat_boat" in asked(home)["ZORBLAX"].options
    assert "cat_boat" in answer_choices(home.catalogue, paid_in=True)


def test_the_most_money_comes_first() -> None:
    """Ordered by what the answers decide, in and out alike; ties by key."""
    home = settled()
    home.charge("2025-11-06", "SMALL", 300_00)
    home.charge("2025-11-06", "B SHOP", 500_00)
    home.charge("2025-11-06", "A SHOP", 500_00)
    home.credit("2025-11-07", "QUUX", 900_00)
    assert list(asked(home)) == ["QUUX", "A SHOP", "B SHOP", "SMALL"]


def test_trifles_are_not_asked() -> None:
    """A question must decide more than a two-hundredth of the window's money."""
    assert asked(settled().charge("2025-11-06", "KIOSK", 2_00)) == {}


def test_marketplaces_are_asked_and_own_answers_are_not() -> None:
    """A curated payee without a category is asked about; what the person filed stays filed."""
    curated: dict[str, Any] = {"out": "uncategorized"}
    home = settled().payee("BAZAAR", **curated).charge("2025-11-06", "BAZAAR", 900_00)
    assert "BAZAAR" in asked(home)
    home.payee("BAZAAR", out="uncategorized", filed=frozenset({"out", "in"}))
    assert asked(home) == {}


def test_an_exact_amount_that_is_known_is_not_asked_again() -> None:
    """A rule for one amount answers for it; the rest of the payee is still a question."""
    home = settled().payee("BAZAAR", by_amount={600_00: "rent"})
    home.charge("2025-11-06", "BAZAAR", 600_00).charge("2025-11-07", "BAZAAR", 400_00)
    assert asked(home)["BAZAAR"].count == 1
    assert asked(home)["BAZAAR"].total == 400_00


def test_paired_rows_are_never_asked() -> None:
    """A transfer between own accounts needs no category."""
    home = settled().savings()
    home.transfer("2025-11-06", "checking", "savings", 900_00, payee="MOVED", category=None)
    assert asked(home) == {}


def test_a_dismissed_question_stays_away() -> None:
    """The id is the payee's, so new charges do not ask again."""
    home = settled().charge("2025-11-06", "ZORBLAX", 900_00)
    home.dismiss(asked(home)["ZORBLAX"].id)
    assert asked(home.charge("2025-12-06", "ZORBLAX", 900_00)) == {}


def test_a_bank_that_wants_a_sign_in_comes_first() -> None:
    """Reconnecting precedes linking, linking precedes payees."""
    home = settled().charge("2025-11-06", "ZORBLAX", 900_00)
    home.charges(monthly("2025-01-20", 12), "CITI CARD", 800_00, "unlinked_card")
    home.connection("bank", "login_required", provider="aggregator", error="Sign in again.")
    assert [task.kind for task in tasks(home)] == [
        "reconnect_connection",
        "connect_missing_account",
        "categorize_payee",
    ]
    first = tasks(home)[0]
    assert first.kind == "reconnect_connection"
    assert (first.connection_id, first.error) == ("con_bank", "Sign in again.")


def test_a_dismissed_sign_in_asks_again_after_the_bank_has_worked() -> None:
    """The id changes with the last sync that worked."""
    home = settled()
    home.connection("bank", "login_required", provider="aggregator", last_synced_at=1)
    home.dismiss(tasks(home)[0].id)
    assert tasks(home) == ()
    home.connection("bank", "login_required", provider="aggregator", last_synced_at=2)
    assert [task.kind for task in tasks(home)] == ["reconnect_connection"]


def test_a_bank_with_an_error_of_its_own_is_nobodys_task() -> None:
    """Only a sign-in is the person's to do."""
    assert tasks(settled().connection("bank", "error", provider="aggregator")) == ()


def test_a_consent_that_ends_within_a_week_is_a_task() -> None:
    """Eight days before nothing is asked, seven days before it is, and once for each end of one."""
    ends = int(datetime(2026, 1, 8, 12, tzinfo=UTC).timestamp() * 1000)
    home = settled().connection("bank", provider="aggregator", access_ends_at=ends)
    assert tasks(home, date(2025, 12, 31)) == ()
    (asked,) = tasks(home, date(2026, 1, 1))
    assert asked.kind == "reconnect_connection"
    assert says(present(asked.error), "ends on", "Thu 8 Jan")
    (late,) = tasks(home, date(2026, 1, 9))
    assert late.kind == "reconnect_connection"
    assert says(present(late.error), "ended on", "Thu 8 Jan")

    home.dismiss(asked.id)
    assert tasks(home, date(2026, 1, 2)) == ()
    later = ends + 180 * 24 * 3_600_000
    home.connection("bank", provider="aggregator", access_ends_at=later)
    assert [each.kind for each in tasks(home, date(2026, 7, 5))] == ["reconnect_connection"]
    home.connection("bank", "login_required", provider="aggregator", access_ends_at=ends)
    (waits,) = tasks(home, date(2026, 1, 9))
    assert waits.kind == "reconnect_connection"
    assert waits.error is None


def found(home: Household, today: date = TODAY) -> dict[str, MissingAccount]:
    ledger = home.ledger()
    books = keep_books(ledger, today)
    entries = missing_accounts(ledger, books, take_means(books, ledger.catalogue))
    assert len({entry.missing for entry in entries}) == len(entries)
    return {entry.missing: entry for entry in entries}


def test_a_settled_household_misses_nothing() -> None:
    """Pay and spending are there."""
    assert found(settled()) == {}


def with_card_payments() -> Household:
    return settled().charges(monthly("2025-01-20", 12), "CITI CARD", 1_840_00, "unlinked_card")


def frugal(phone: int = 600_00) -> Household:
    home = household().checking(covered=YEAR).earns(5_000_00)
    return home.charges(monthly("2025-01-01", 12), "PHONE CO", phone, "phone_internet")


def cards_alone() -> Household:
    home = household().card("visa", covered=YEAR)
    return home.charges(monthly("2025-01-02", 12), "BISTRO", 300_00, "dining")


def unpaid(since: date = date(2025, 12, 1)) -> Household:
    home = household().checking(covered=(since, TODAY))
    return home.charges(every("2025-12-22", 7, 3), "SAFEWAY", 80_00, "groceries")


def fed_from_outside(amount: int = 1_900_00, times: int = 12) -> Household:
    home = household().checking(covered=YEAR)
    home.credits(monthly("2025-12-25", times, -1), "TRANSFER FROM ALLY", amount, "transfer")
    return home.rents(1_500_00, times=12)


BILLS = [1_840_17, 1_512_40, 2_001_03]


def with_a_mistaken_card(late: int = 1, cents: int = 0) -> Household:
    """A card imported as a checking account, into which the household pays its bills."""
    paid = monthly("2025-10-20", 3)
    home = settled().charges(paid, "CITI CARD", BILLS, "unlinked_card")
    home.checking("export", covered=YEAR).charges(
        every("2025-10-01", 5, 20), "SAFEWAY", 80_00, "groceries"
    )
    arrived = [day + timedelta(late) for day in paid]
    return home.credits(arrived, "PAYMENT", [bill + cents for bill in BILLS], "unknown_inflow")


def test_a_card_that_is_there_as_a_bank_account_is_named() -> None:
    """Where the payments arrive in an imported account, that account is the card; nothing is to link."""
    for late in (-3, 0, 3):
        (missing,) = found(with_a_mistaken_card(late)).values()
        assert missing.mistaken
        assert missing.account == "export"
        assert "set export --kind credit`" in missing.reason
        assert "not linked" not in missing.reason


@pytest.mark.parametrize(
    "home",
    [
        with_a_mistaken_card(late=4),
        with_a_mistaken_card(late=-4),
        with_a_mistaken_card(cents=1),
        with_card_payments()
        .savings("put aside", covered=YEAR)
        .credits(monthly("2025-01-20", 12), "PAYMENT", 1_840_00, "unknown_inflow"),
        with_card_payments().credits(
            monthly("2025-01-20", 12), "PAYMENT", 1_840_00, "unknown_inflow"
        ),
        with_card_payments()
        .checking("other", covered=YEAR)
        .credit("2025-12-20", "PAYMENT", 1_840_00, "unknown_inflow"),
    ],
    ids=["too late", "too early", "other amounts", "savings", "the same account", "one payment"],
)
def test_an_account_that_gets_other_money_is_no_card(home: Household) -> None:
    """Other days, other amounts, savings, the paying account itself, or a single payment say nothing."""
    (missing,) = [each for each in found(home).values() if each.missing == "spending"]
    assert not missing.mistaken
    assert "not linked" in missing.reason


FOUND: list[tuple[str, Callable[[], Household]]] = [
    ("unlinked_cards", with_card_payments),
    ("little_spending", frugal),
    ("only_cards", cards_alone),
    ("no_pay", unpaid),
    ("outside_money", fed_from_outside),
]

NOT_FOUND: list[tuple[str, Callable[[], Household]]] = [
    ("unlinked_cards", settled),
    ("unlinked_cards", lambda: settled().charge("2025-12-20", "AMEX", 9_00, "unlinked_card")),
    ("little_spending", lambda: frugal(1_250_00)),
    ("little_spending", lambda: frugal().card("visa", covered=YEAR)),
    ("only_cards", lambda: cards_alone().checking(covered=YEAR)),
    ("no_pay", lambda: unpaid(date(2025, 12, 13))),
    ("no_pay", lambda: unpaid().credit("2026-01-02", "AUNT", 1_00, "other_income")),
    ("outside_money", lambda: fed_from_outside(700_00)),
    ("outside_money", lambda: fed_from_outside(9_000_00, times=1)),
]


def finding(name: str, home: Household) -> list[MissingAccount]:
    ledger = home.ledger()
    books = keep_books(ledger, TODAY)
    (finder,) = [each for each in FINDERS if each.__name__ == name]
    return list(finder(ledger, books, take_means(books, ledger.catalogue)))


@pytest.mark.parametrize(("name", "build"), FOUND)
def test_each_trigger_has_its_evidence(name: str, build: Callable[[], Household]) -> None:
    """Each trigger finds the household that shows it, with a reason that is a sentence."""
    found_here = finding(name, build())
    assert found_here
    assert all(each.reason.endswith(".") for each in found_here)


@pytest.mark.parametrize(("name", "build"), NOT_FOUND)
def test_no_trigger_without_evidence(name: str, build: Callable[[], Household]) -> None:
    """Each trigger leaves the household next to it alone."""
    assert finding(name, build()) == []


def test_every_trigger_is_tested_both_ways() -> None:
    """No trigger without a household that shows it and one that does not."""
    names = {finder.__name__ for finder in FINDERS}
    assert {name for name, _ in FOUND} == {name for name, _ in NOT_FOUND} == names


def test_at_most_one_is_open_for_each_side() -> None:
    """Several triggers at once open one question for income and one for spending."""
    home = fed_from_outside().charges(monthly("2025-01-20", 12), "CITI", 90_00, "unlinked_card")
    home.charges(monthly("2025-01-21", 12), "AMEX", 950_00, "unlinked_card")
    assert sum(len(finding(finder.__name__, home)) for finder in FINDERS) > 2
    assert {side: entry.account for side, entry in found(home).items()} == {
        "spending": "AMEX",
        "income": None,
    }


def test_a_dismissed_one_makes_room_for_the_next() -> None:
    """Dismissing one card asks about another subject, once; then about nothing more."""
    home = settled().charges(monthly("2025-01-20", 12), "CITI", 90_00, "unlinked_card")
    home.charges(monthly("2025-01-21", 12), "AMEX", 950_00, "unlinked_card")
    for card in ("AMEX", "CITI"):
        entry = found(home)["spending"]
        assert entry.account == card
        home.dismiss(entry.id)
    assert found(home) == {}


def test_payments_to_an_unlinked_card_are_named() -> None:
    """Two payments in 90 days: the card's name and about how much a month."""
    home = settled().charges(monthly("2025-01-20", 12), "CITI CARD", 1_840_00, "unlinked_card")
    entry = found(home)["spending"]
    assert says(entry.reason, "CITI CARD about", "$1,840 a month,")
    assert entry.monthly == 1_840_00


def test_one_payment_is_no_evidence() -> None:
    """A single payment, or two long ago, asks nothing."""
    assert found(settled().charge("2025-12-20", "CITI CARD", 900_00, "unlinked_card")) == {}
    old = settled().charges(monthly("2025-03-20", 3), "CITI CARD", 900_00, "unlinked_card")
    assert found(old) == {}


def test_little_spending_means_that_it_happens_elsewhere() -> None:
    """Less than a quarter of income is spent, and no card is linked."""
    home = (
        household()
        .checking(covered=YEAR)
        .earns(5_000_00)
        .charges(monthly("2025-01-01", 12), "PHONE CO", 600_00, "phone_internet")
    )
    assert "12% of your income" in found(home)["spending"].reason
    home.charges(monthly("2025-01-02", 12), "GYM", 649_00, "hobbies")
    assert "spending" in found(home)
    home.charges(monthly("2025-01-02", 12), "PARKING", 1_00, "transport")
    assert "spending" not in found(home)


def test_with_a_card_linked_little_spending_is_no_question() -> None:
    """Where a card is linked, little spending is a fact about the person."""
    home = household().checking(covered=YEAR).earns(5_000_00)
    home.charges(monthly("2025-01-01", 12), "PHONE CO", 600_00, "phone_internet")
    assert "spending" in found(home)
    assert "spending" not in found(home.card("visa", covered=YEAR))


def test_only_cards_show_no_income() -> None:
    """A household of credit accounts alone."""
    home = household().card("visa", covered=YEAR)
    home.charges(monthly("2025-01-02", 12), "BISTRO", 300_00, "dining")
    assert "not show your pay" in found(home)["income"].reason


def test_pay_within_thirty_days_is_seen_in_a_short_month() -> None:
    """A window of 28 days to a day in March leaves pay of the 30th day before its end in sight."""
    today = date(2026, 3, 15)
    for day, misses in (("2026-02-14", False), ("2026-02-13", True)):
        home = household().checking(covered=("2026-02-10", today))
        home.credit(day, "AUNT", 400_00, "other_income")
        home.charges(every("2026-02-12", 7, 5), "SAFEWAY", 80_00, "groceries")
        assert ("income" in found(home, today)) is misses


def test_spending_without_pay_misses_the_pay() -> None:
    """Thirty covered days with spending and no income at all."""
    home = household().checking(covered=("2025-12-01", TODAY))
    home.charges(every("2025-12-02", 7, 5), "SAFEWAY", 80_00, "groceries")
    assert found(home)["income"].reason.startswith("No pay arrives")


def test_few_days_without_pay_say_nothing() -> None:
    """Twenty days may lie between two paydays."""
    home = household().checking(covered=("2025-12-22", TODAY))
    home.charges(every("2025-12-22", 7, 3), "SAFEWAY", 80_00, "groceries")
    assert found(home) == {}


def test_a_source_that_stopped_is_not_a_missing_account() -> None:
    """Pay that was seen once and ended is `income_stopped`, not a question."""
    home = (
        household()
        .checking(covered=("2024-01-01", TODAY))
        .earns_biweekly(2_000_00, "2024-01-05", 20)
        .rents(900_00, "2024-01-01", 25)
    )
    assert found(home) == {}


def test_money_from_an_own_account_that_is_not_linked() -> None:
    """Two inflows in 90 days that cover half of spending."""
    home = (
        household()
        .checking(covered=YEAR)
        .credits(monthly("2025-01-25", 12), "TRANSFER FROM ALLY", 1_900_00, "transfer")
        .rents(1_500_00, times=12)
        .credit("2025-05-05", "BANK", 1_00, "interest")
    )
    assert found(home)["income"].reason.startswith("$1,900 a month comes")
    home.charges(monthly("2025-01-02", 12), "CAR SHOP", 3_000_00, "car")
    assert "income" not in found(home)


def test_a_dismissal_lasts_and_only_another_subject_asks_again() -> None:
    """The id is stable over time; the next card has its own."""
    home = settled().charges(monthly("2025-01-20", 12), "CITI CARD", 1_840_00, "unlinked_card")
    first = found(home)["spending"].id
    assert first.startswith("task_")
    home.charge(TODAY - timedelta(2), "CITI CARD", 5_00)
    assert found(home)["spending"].id == first
    home.dismiss(first)
    assert found(home) == {}
    home.charges(monthly("2025-10-21", 3), "AMEX", 300_00, "unlinked_card")
    assert found(home)["spending"].id != first


LANDLORD = "OAK STREET REALTY"


def earning() -> Household:
    """Pay, food, and an unknown shop that decides more money than any rent."""
    home = with_cash(2_000_00).earns_biweekly(2_000_00)
    home.charges(every("2025-01-04", 7, 53), "SAFEWAY", 90_00, "groceries")
    return home.charges(
        ["2025-02-11", "2025-06-27", "2025-10-09"], "ZORBLAX", [9_000_00, 4_000_00, 5_000_00]
    )


def renting(
    payee: str = LANDLORD, amount: int = 1_200_00, day: str = "2025-01-01", times: int = 13
) -> Household:
    return earning().charges(monthly(day, times), payee, amount, None)


def first_question(home: Household) -> CategorizePayee:
    task = open_tasks(home.ledger(), home.books(TODAY), TODAY)[0]
    assert isinstance(task, CategorizePayee)
    return task


def suggestions(home: Household) -> dict[str, str]:
    """The payees whose question suggests that they are paid the rent, each with what speaks for it."""
    questions = payee_questions(home.ledger(), home.books(TODAY), TODAY)
    return {each.payee.name: each.rent for each in questions if each.rent}


def test_the_likely_rent_is_asked_about_first_with_its_evidence() -> None:
    """Before a payee that decides more money, as rent, with how sure that is and why."""
    task = first_question(renting())
    assert (task.payee, task.suggested, task.confidence) == (LANDLORD, "rent", 0.7)
    ((payee, evidence),) = suggestions(renting()).items()
    assert payee == LANDLORD
    assert says(evidence, "your rent: $1,200", "13 times since 1 January 2025.", "no other rent or")
    (advice,) = [each for each in plan_of(renting()).actions if each.kind == "answer_questions"]
    assert f"{evidence} Answer:" in advice.detail
    assert says(advice.detail, "ZORBLAX ($18,000) and", "STREET REALTY ($15,600).")
    assert "rent" not in {each.category for each in task.alternatives}


@pytest.mark.parametrize(
    "payee",
    ["J SMITH", "MARIA LOPEZ", "ZQ PROPERTY 4411", "IMMOBILIEN KRAUSE", "SCI LILAS", "MAPLE COURT"],
)
def test_landlords_are_companies_houses_and_people(payee: str) -> None:
    """Words of letting in several languages, and the names of people."""
    assert list(suggestions(renting(payee))) == [payee]


@pytest.mark.parametrize("day", ["2025-01-01", "2025-01-07"])
def test_the_first_week_is_the_start_of_a_month(day: str) -> None:
    """A weekend and a holiday may move the first day of a month by a few."""
    assert list(suggestions(renting(day=day))) == [LANDLORD]


def test_one_late_payment_of_six_is_no_other_habit() -> None:
    """Five on the first days and one later are still the start of the month."""
    days: list[Day] = [*monthly("2025-01-02", 11), "2025-12-08", "2026-01-02"]
    assert list(suggestions(earning().charges(days, LANDLORD, 1_200_00, None))) == [LANDLORD]


def test_of_two_the_larger_one_is_the_rent() -> None:
    """Only one is suggested; the other is asked about as always."""
    home = renting().charges(monthly("2025-01-02", 13), "HANS MEIER", 600_00, None)
    assert list(suggestions(home)) == [LANDLORD]
    (other,) = [
        each
        for each in open_tasks(home.ledger(), home.books(TODAY), TODAY)
        if isinstance(each, CategorizePayee) and each.payee == "HANS MEIER"
    ]
    assert other.confidence is None


def known_as(category: str, confidence: float) -> Household:
    return renting().payee(LANDLORD, "uncategorized", suggested=category, confidence=confidence)


OTHERS: dict[str, Callable[[], Household]] = {
    "a card payment": lambda: earning().charges(
        monthly("2025-01-01", 13), LANDLORD, 1_200_00, "unlinked_card"
    ),
    "a loan": lambda: earning().charges(
        monthly("2025-01-01", 13), LANDLORD, 1_200_00, "loan_payment"
    ),
    "a transfer of savings": lambda: earning().charges(
        monthly("2025-01-01", 13), LANDLORD, 1_200_00, "savings"
    ),
    "something else by a guess": lambda: known_as("childcare", 0.5),
    "rent that is known": lambda: renting().charges(
        monthly("2025-01-03", 13), "LETTINGS", 900_00, "rent"
    ),
    "a mortgage that is known": lambda: renting().charges(
        monthly("2025-01-03", 13), "HOME LOAN", 900_00, "mortgage"
    ),
    "a firm that lets nothing": lambda: renting("BRIGHTSTAR SUPPLY"),
    "a home for the old": lambda: renting("MANOR CARE RESIDENCE"),
    "the eighth of a month": lambda: renting(day="2025-01-08", times=12),
    "every second week": lambda: earning().charges(
        every("2025-01-03", 14, 27), LANDLORD, 600_00, None
    ),
    "every quarter": lambda: earning().charges(
        monthly("2025-01-01", 5, step=3), LANDLORD, 3_000_00, None
    ),
    "too little": lambda: renting(amount=200_00),
    "over": lambda: renting(times=6),
    "nothing regular": lambda: earning().charges(
        ["2025-01-01", "2025-04-02", "2025-05-03", "2025-11-04"], LANDLORD, 1_200_00, None
    ),
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_is_something_else_is_no_rent(what: str) -> None:
    """It is not suggested, and the unknown payee that decides most money is asked about first."""
    home = OTHERS[what]()
    assert suggestions(home) == {}
    assert payee_questions(home.ledger(), home.books(TODAY), TODAY)[0].payee.name == "ZORBLAX"


def test_a_guess_that_is_unsure_does_not_stand_against_rent() -> None:
    """Below an even chance nothing is known of a payee, and rent itself is no other guess."""
    assert list(suggestions(known_as("childcare", 0.49))) == [LANDLORD]
    assert list(suggestions(known_as("rent", 0.6))) == [LANDLORD]


def test_a_question_that_was_dismissed_stays_away() -> None:
    """Nobody is asked again, and no smaller payment takes its place."""
    home = renting()
    home.dismissed.add(first_question(home).id)
    assert suggestions(home) == {}
    assert first_question(home).payee == "ZORBLAX"


def test_money_that_comes_in_is_not_rent() -> None:
    """A part of the question that is about payments back is not suggested as rent."""
    home = renting().credit("2025-12-20", LANDLORD, 400_00)
    question = payee_questions(home.ledger(), home.books(TODAY), TODAY)[0]
    back = present(question.part("in", None))
    assert question.rent
    task = categorize_payee(back, home.catalogue)
    assert (task.total, task.confidence) == (-400_00, None)


def choices(home: Household) -> dict[str, list[str]]:
    """What each question offers to pick, the first of all beforehand."""
    return {
        each.payee: [each.suggested, *(other.category for other in each.alternatives)]
        for each in open_tasks(home.ledger(), home.books(TODAY), TODAY)
        if isinstance(each, CategorizePayee)
    }


@pytest.mark.parametrize("payee", ["CHECK", "BRIGHTSTAR SUPPLY", LANDLORD])
def test_rent_is_a_choice_for_whatever_comes_as_rent(payee: str) -> None:
    """Cheques of one sum on the first days of months offer rent, and nothing is said to be sure."""
    offered = choices(renting(payee))
    assert offered[payee][0] == "rent"
    assert "rent" not in offered["ZORBLAX"]
    task = next(
        each
        for each in open_tasks(renting("CHECK").ledger(), renting("CHECK").books(TODAY), TODAY)
        if isinstance(each, CategorizePayee) and each.payee == "CHECK"
    )
    assert (task.suggested, task.confidence) == ("rent", None)


def test_rent_stands_behind_what_is_known_of_a_payee() -> None:
    """A guess that is unsure stays the first choice, and rent is the next one."""
    home = renting("CHECK").payee(
        "CHECK", "uncategorized", suggested="childcare", confidence=0.4, alternatives=("taxes",)
    )
    assert choices(home)["CHECK"][:3] == ["childcare", "taxes", "rent"]


@pytest.mark.parametrize(
    "what",
    [
        "rent that is known",
        "a mortgage that is known",
        "the eighth of a month",
        "every quarter",
        "too little",
        "over",
        "something else by a guess",
    ],
)
def test_rent_is_no_choice_for_what_comes_otherwise(what: str) -> None:
    """Where a home is paid for, or a payment keeps another rhythm, rent is not offered."""
    assert all("rent" not in offered for offered in choices(OTHERS[what]()).values())


def test_money_back_offers_no_rent() -> None:
    """The part of a question that is about money in has the choices of money in."""
    home = renting("CHECK").credit("2025-12-20", "CHECK", 400_00)
    question = next(
        each
        for each in payee_questions(home.ledger(), home.books(TODAY), TODAY)
        if each.payee.name == "CHECK"
    )
    task = categorize_payee(present(question.part("in", None)), home.catalogue)
    assert "rent" not in [task.suggested, *(each.category for each in task.alternatives)]
