"""Open tasks: what only the person can answer, by the money that the answer decides."""

from datetime import UTC, date, datetime
from typing import Any

from finplan.categorise.catalogue import Category
from finplan.model.task import CategorizePayee, Task
from finplan.plan.advise.tasks import answer_choices, open_tasks
from tests.plan.households import Household, every, household, monthly

TODAY = date(2026, 1, 10)
YEAR = ("2025-01-01", TODAY)


def tasks(home: Household, today: date = TODAY) -> tuple[Task, ...]:
    return open_tasks(home.ledger(), home.books(TODAY), today)


def asked(home: Household) -> dict[str, CategorizePayee]:
    return {task.payee: task for task in tasks(home) if isinstance(task, CategorizePayee)}


def settled() -> Household:
    return (
        household()
        .checking(balance=2_000_00, covered=YEAR)
        .credits(every("2025-01-03", 14, 27), "ACME", 2_000_00, "wages")
        .charges(monthly("2025-01-01", 13), "LANDLORD", 1_500_00, "rent")
    )


def test_what_is_known_is_not_asked() -> None:
    """Categorised payees leave no question."""
    assert tasks(settled()) == ()


def test_a_question_holds_what_is_needed_to_answer_it() -> None:
    """Count, total, the five newest charges, and the guess with its label."""
    home = settled().payee(
        "ZORBLAX",
        suggested="hobbies",
        confidence=0.61,
        alternatives=("dining", "kids"),
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
    home = settled().charge("2025-11-06", "KIOSK", 2_00)
    assert asked(home) == {}


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
    assert asked.error == "the consent that you gave ends on Thu 8 Jan"
    (late,) = tasks(home, date(2026, 1, 9))
    assert late.kind == "reconnect_connection"
    assert late.error == "the consent that you gave ended on Thu 8 Jan"

    home.dismiss(asked.id)
    assert tasks(home, date(2026, 1, 2)) == ()
    later = ends + 180 * 24 * 3_600_000
    home.connection("bank", provider="aggregator", access_ends_at=later)
    assert [each.kind for each in tasks(home, date(2026, 7, 5))] == ["reconnect_connection"]
    home.connection("bank", "login_required", provider="aggregator", access_ends_at=ends)
    (waits,) = tasks(home, date(2026, 1, 9))
    assert waits.kind == "reconnect_connection"
    assert waits.error is None
