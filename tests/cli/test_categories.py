"""`finplan categories` and `finplan rules set`: what is typed is asked, what is wrong is told."""

import json
from itertools import cycle

import pytest

from finplan.model.transaction import Reason, ReasonSource, Transaction, TransactionPage
from tests.cli import made_up, made_up_bank, made_up_categories
from tests.cli.conftest import Run
from tests.cli.stub import Stub

BIKES = made_up_categories.BIKES.category


@pytest.fixture
def choosing(stub: Stub) -> Stub:
    """A daemon with a few built-in categories and one of the person's own."""
    choices = (*made_up.category_choices()[:3], made_up_categories.BIKES)
    stub.answer("GET", "/categories", [json.loads(each.model_dump_json()) for each in choices])
    stub.answer("GET", "/settings", made_up.household_settings().model_dump_json().encode())
    found = [json.loads(each.model_dump_json()) for each in made_up_categories.suggestions()]
    stub.answer("GET", "/categories/suggestions", found)
    made = made_up_categories.created()[0].model_dump_json().encode()
    stub.answer("POST", "/categories", made, 201)
    return stub


def test_an_own_category_is_meant_by_its_name(finplan: Run, choosing: Stub) -> None:
    """A label, a part of one or the beginning of an id stands for the id."""
    path = f"/categories/{BIKES}"
    choosing.answer("PATCH", path, made_up_categories.BIKES.model_dump_json().encode())
    for typed in ("Bikes", "bike", "cat_k3f9"):
        assert finplan("categories", "rename", typed, "Cycling").code == 0
    assert [each.json for each in choosing.requests("PATCH", path)] == [{"name": "Cycling"}] * 3

    assert (
        finplan("categories", "change", "bikes", "--line", "essential", "--reimbursable").code == 0
    )
    assert choosing.requests("PATCH", path)[-1].json == {"line": "essential", "reimbursable": True}


def test_a_merge_names_its_target(finplan: Run, choosing: Stub) -> None:
    """Both ends may be typed by name; without a target nothing is said of one."""
    path = f"/categories/{BIKES}"
    choosing.answer("DELETE", path, made_up_categories.removed()[0].model_dump_json().encode())
    ended = finplan("categories", "remove", "bikes", "--merge-into", "restaurants")
    finplan("categories", "remove", "bikes")

    first, second = choosing.requests("DELETE", path)
    assert (first.query, second.query) == ({"mergeInto": ["dining"]}, {})
    assert b"2 merchants with 14 charges went to Sport and hobbies" in ended.out


def test_a_new_category_brings_its_payees(finplan: Run, choosing: Stub) -> None:
    """What is typed is what is asked for."""
    ended = finplan(
        *["categories", "add", "Dog", "--line", "essential", "--payee", "petco"],
        *["--payee", "Happy Tails"],
    )
    assert ended.code == 0
    assert choosing.requests("POST", "/categories")[0].json == {
        "name": "Dog",
        "line": "essential",
        "reimbursable": False,
        "payeeKeys": ["petco", "Happy Tails"],
    }


@pytest.mark.parametrize(("label", "told"), [("Gr\u043eceries", True), ("Groceries 2", False)])
def test_a_look_alike_is_told_when_it_is_made(
    finplan: Run, choosing: Stub, label: str, *, told: bool
) -> None:
    """A name in the shape of another category's is made, and the person hears of it; so with rename."""
    own = made_up_categories.BIKES.model_copy(update={"label": label})
    choices = [*made_up.category_choices()[:3], own]
    choosing.answer("GET", "/categories", [json.loads(each.model_dump_json()) for each in choices])
    made = made_up_categories.created()[0].model_copy(update={"category": own})
    choosing.answer("POST", "/categories", made.model_dump_json().encode(), 201)
    choosing.answer("PATCH", f"/categories/{BIKES}", own.model_dump_json().encode())

    for line in (("add", label, "--line", "essential"), ("rename", BIKES, label)):
        ended = finplan("categories", *line)
        assert ended.code == 0
        assert (f'"{label}" looks like your category "Groceries"' in ended.err) == told
        assert (ended.err == "") != told


def test_a_suggestion_is_made_as_it_was_shown(finplan: Run, choosing: Stub) -> None:
    """Its name in any case brings its line, its merchants, and whether it is paid back."""
    assert finplan("categories", "add", "work trips", "--suggested").code == 0
    assert choosing.requests("POST", "/categories")[0].json == {
        "name": "Work trips",
        "line": "discretionary",
        "reimbursable": True,
        "payeeKeys": ["Hyatt", "United"],
    }


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("add Dog", 2, "essential, discretionary or not_spending"),
        ("add Dog --suggested", 4, "Pet care, Work trips are. "),
        ("add Dog --suggested --line essential", 2, "leave out"),
        ("change bikes", 2, "--line essential"),
    ],
)
def test_what_is_missing_is_told(
    finplan: Run, choosing: Stub, line: str, code: int, said: str
) -> None:
    """A command that cannot be meant so says what to give, and nothing is changed."""
    ended = finplan("categories", *line.split())

    assert (ended.code, ended.out) == (code, b"")
    assert said in ended.err
    assert {each.method for each in choosing.asked} <= {"GET"}


def test_suggestions_say_how_to_take_one(finplan: Run, choosing: Stub) -> None:
    """The ways are remarks on stderr, and the dearest theme is their example."""
    ended = finplan("categories", "suggestions")

    assert ended.out.startswith(b"Pet care")
    assert 'categories add "Pet care" --suggested' in ended.err
    assert 'categories dismiss "Pet care"' in ended.err


def test_several_payees_are_filed_in_one_batch(finplan: Run, choosing: Stub) -> None:
    """What was saved is drawn with the own category's name; what was not is told with an exit code."""
    rule = made_up.rules()[0].model_copy(update={"category": BIKES})
    error = {"index": 1, "message": "There is no payee 'peets'."}
    result = {"saved": [json.loads(rule.model_dump_json())], "errors": [error]}
    choosing.answer("PUT", "/categories/rules/batch", result)
    choosing.answer("GET", "/transactions", _page())

    ended = finplan("rules", "set", "northside", "peets", "bikes", "--amount", "-14.99")

    assert choosing.requests("PUT", "/categories/rules/batch")[0].json == {
        "rules": [
            {"payeeKey": payee, "category": BIKES, "amount": -1_499}
            for payee in ("northside", "peets")
        ]
    }
    assert ended.code == 4
    assert b"Bikes" in ended.out
    assert BIKES.encode() not in ended.out
    assert "There is no payee 'peets'." in ended.err


def test_a_single_payee_is_filed_as_before(finplan: Run, choosing: Stub) -> None:
    """One payee is one rule, not a batch."""
    choosing.answer("PUT", "/categories/rules", made_up.rules()[0].model_dump_json().encode())
    choosing.answer("GET", "/transactions", _page())

    assert finplan("rules", "set", "northside", "groceries").code == 0

    assert choosing.requests("PUT", "/categories/rules")[0].json == {
        "payeeKey": "northside",
        "category": "groceries",
        "amount": None,
    }


def _page(*rows: Transaction, cursor: str | None = None) -> bytes:
    return (
        TransactionPage(transactions=rows, next_cursor=cursor)
        .model_dump_json(by_alias=True)
        .encode()
    )


def _half(no: int, amount: int, category: str, source: ReasonSource = "transfer") -> Transaction:
    return made_up_bank.transactions()[1].model_copy(
        update={
            "id": f"tx_{no}",
            "amount": amount,
            "category": category,
            "transfer_id": "trf_1",
            "why": Reason(source=source, rule_id=None, confidence=None, text="A reason."),
        }
    )


def test_what_a_rule_does_not_move_is_said(finplan: Run, choosing: Stub) -> None:
    """Halves of transfers stay, on every page of them; a rule of one amount speaks of its rows alone."""
    rule = made_up.rules()[0].model_copy(update={"category": "groceries", "amount": None})
    first = _page(_half(9, -2_000, "mortgage"), _half(8, -10, "groceries"), cursor="abc")
    last = _page(_half(7, -3_000, "mortgage"), _half(6, -40, "groceries", "user"))
    choosing.answer("PUT", "/categories/rules", rule.model_dump_json().encode())
    pages = cycle([(200, first), (200, last)])
    choosing.answers["GET", "/transactions"] = lambda: next(pages)
    said = finplan("rules", "set", rule.payee_key, "groceries").err
    assert f"2 rows of {rule.payee_key} stay in mortgage: each is one half of a transfer" in said
    assert "`finplan transfers reject ID`" in said.replace("\n", " ")
    assert "`finplan transactions set tx_9 groceries`" in said.replace("\n", " ")
    asked = choosing.requests("GET", "/transactions")
    assert [each.query.get("cursor") for each in asked] == [None, ["abc"]]

    for amount, told in ((2_000, True), (-2_000, False)):
        single = rule.model_copy(update={"amount": amount})
        choosing.answer("PUT", "/categories/rules", single.model_dump_json().encode())
        ended = finplan("rules", "set", rule.payee_key, "groceries", "--amount", "20.00")
        assert (f"1 row of {rule.payee_key} stays in mortgage: it is" in ended.err) is told


def test_with_json_the_category_that_has_the_name_is_printed(finplan: Run, choosing: Stub) -> None:
    """A program that meets a taken name goes on with the category that has it."""
    data = {"category": "cycling"}
    choosing.refuse("POST", "/categories", 409, "CONFLICT", "There is one already.", data)
    ended = finplan("categories", "add", "Cycling", "--line", "discretionary", "--json")
    assert (ended.code, json.loads(ended.out)["data"]) == (4, data)
