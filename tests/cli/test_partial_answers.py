"""A part of a payee answered from a terminal, with what the answer moves shown before it is kept."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from finplan.cli.console.errors import BAD_INPUT, USAGE
from finplan.cli.console.options import GlobalOptions
from finplan.cli.console.session import Session
from finplan.cli.dialogs.answering import KEEPS, TaskWalk
from finplan.model.task import EACH, CategorizePayee, Task
from finplan.model.transaction import TransactionPage
from finplan.settings import load_settings
from tests.cli import made_up
from tests.cli.conftest import Run
from tests.cli.stub import Stub, as_json
from tests.cli.test_tasks_walk import EFFECT, page_of

VENMO = CategorizePayee(
    id="task_v1",
    payee_key="venmo",
    payee="Venmo",
    count=3,
    total=30_00,
    charges=(),
    suggested="shopping",
    suggested_label="Shopping",
    confidence=None,
    alternatives=(),
    options=("dining", "shopping"),
    last_date=date(2025, 11, 18),
    answer=None,
)


def _row(place: int) -> CategorizePayee:
    """The question about one of Venmo's rows."""
    day = date(2025, 11, place)
    return VENMO.model_copy(update={"id": f"task_r{place}", "count": 1, "last_date": day})


@pytest.fixture
def told(stub: Stub) -> Stub:
    """A daemon with one question about Venmo, which takes any answer."""
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/categories", made_up.category_choices())
    stub.answer("GET", "/transactions", page_of())
    stub.answer("GET", "/tasks", [VENMO])

    def reply() -> tuple[int, bytes]:
        said = stub.asked[-1].json
        if said.get("preview"):
            return 200, as_json(EFFECT)
        answer = EACH if said.get("each") else said.get("answer")
        return 200, as_json(VENMO.model_copy(update={"answer": answer}))

    stub.answers["POST", "/tasks/task_v1/answer"] = reply
    return stub


def _given(stub: Stub) -> list[Any]:
    return [each.json for each in stub.asked if each.method == "POST"]


Walk = Callable[..., tuple[list[str], str]]


@pytest.fixture
def walk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Walk:
    """Walk with the given replies, what agrees included; what was asked each time, and what was seen."""

    def walk_with(tasks: tuple[Task, ...], *replies: str) -> tuple[list[str], str]:
        said, asked = iter(replies), list[str]()

        def ask(_session: Session, question: str) -> str:
            asked.append(question)
            return next(said)

        monkeypatch.setattr(Session, "ask", ask)
        session = Session(GlobalOptions(), load_settings())
        TaskWalk(session, tasks).run()
        session.close()
        assert list(said) == []
        return asked, capsys.readouterr().err

    return walk_with


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("in dining", {"answer": "dining", "direction": "in"}),
        ("OUT Bikes", {"answer": "cat_bikes", "direction": "out"}),
        ("out 1", {"answer": "shopping", "direction": "out"}),
        ("=850 dining", {"answer": "dining", "amount": 850_00}),
        ("= 1,012.50 dining", {"answer": "dining", "amount": 1_012_50}),
        ("=-7.05 dining", {"answer": "dining", "amount": -7_05}),
        ("dining", {"answer": "dining"}),
        ("y", None),
    ],
)
def test_a_part_is_named_before_its_category(
    told: Stub, walk: Walk, typed: str, sent: dict[str, Any] | None
) -> None:
    """A direction or an amount before the category narrows the answer; it is tried, then given."""
    if sent is None:
        sent = {"answer": "y"}
    walk((VENMO,), typed, "", "q")
    assert _given(told) == [{**sent, "preview": True}, sent]


def test_an_amount_that_is_none_asks_again(told: Stub, walk: Walk) -> None:
    """What cannot be an amount of the currency is told, and nothing is sent."""
    _, seen = walk((VENMO,), "=1.234 dining", "q")
    assert _given(told) == []
    assert "more than the 2 decimals" in seen


@pytest.mark.parametrize(("typed", "kept"), [("", 1), ("y", 1), ("Yes", 1), ("n", 0), ("q", 0)])
def test_effects_are_agreed_to_first(told: Stub, walk: Walk, typed: str, kept: int) -> None:
    """The effect stands in one line before the answer is sent; anything but a yes sends nothing."""
    asked, seen = walk((VENMO,), "dining", typed, "q")
    assert [each.startswith(KEEPS) for each in asked] == [False, True, False]
    assert [said for said in _given(told) if "preview" not in said] == [{"answer": "dining"}] * kept
    line = (
        "Puts 14 transactions ($311.44, about $26 a month) in Restaurants and coffee. Safe to spend"
        " changes from $28.00 to $31.50 a day."
    )
    assert line in " ".join(seen.split())


def test_what_is_left_of_a_question_is_asked_next(told: Stub, walk: Walk) -> None:
    """After an answer for a part the rest of the question comes next; undo takes it out again."""
    rest = VENMO.model_copy(update={"count": 2, "total": 21_00})
    other = VENMO.model_copy(update={"id": "task_o", "payee": "Other", "payee_key": "other"})
    told.answer("GET", "/tasks", [rest, other])
    told.answer("DELETE", "/tasks/task_v1/answer", VENMO)
    _, seen = walk((VENMO, other), "in dining", "", "s", "s")
    assert "1 of 2  Which category is Venmo?" in seen
    assert "2 of 3  Which category is Venmo?" in seen
    assert "2 transactions, $21.00" in seen
    assert "3 of 3  Which category is Other?" in seen
    assert "1 answered, 2 open." in seen
    _, seen = walk((VENMO, other), "in dining", "", "u", "s", "s")
    assert "2 of 2  Which category is Other?" in seen
    assert "0 answered, 2 open." in seen


def test_each_row_is_asked_next(told: Stub, walk: Walk) -> None:
    """`e` needs no agreement, since it moves nothing; the payee's rows are the next questions."""
    told.answer("GET", "/tasks", [_row(18), _row(4)])
    asked, seen = walk((VENMO,), "e", "s", "q")
    assert not any(each.startswith(KEEPS) for each in asked)
    assert _given(told) == [{"each": True}]
    seen = " ".join(seen.split())
    assert "each Venmo transaction separately" in seen
    assert "2 of 3" in seen
    assert "3 of 3" in seen


def test_a_row_that_is_ahead_already_is_asked_once(told: Stub, walk: Walk) -> None:
    """After the answer to one row the payee's other rows are ahead as before, none of them twice."""
    told.answer("GET", "/tasks", [_row(4)])
    told.answers["POST", "/tasks/task_r18/answer"] = told.answers["POST", "/tasks/task_v1/answer"]
    _, seen = walk((_row(18), _row(4)), "dining", "", "s")
    assert "1 answered, 1 open." in seen


def test_a_question_shows_both_directions_apart(told: Stub, walk: Walk) -> None:
    """Of each direction: how many rows, their sum, and all of up to six rows, newest first."""
    rows = page_of(
        (18, "VENMO *JANE 99", -25_00),
        (17, "VENMO CASHOUT", 9_00),
        (16, "VENMO *JANE 99", -11_00),
        (12, "VENMO *TOM 7", -3_00),
        (11, "VENMO *ANN", -1_00),
        (2, "VENMO OLD", -1_00),
    ).replace(b"sq northside provisions", b"venmo")
    told.answer("GET", "/transactions", rows)
    _, seen = walk((VENMO.model_copy(update={"count": 5, "total": 31_00}),), "q")
    assert "  Money out: 4 transactions, $40.00\n" in seen
    assert "    18 Nov  $25.00  VENMO *JANE 99\n    16 Nov  $11.00  VENMO *JANE 99\n" in seen
    assert "  Money in: 1 transaction, +$9.00\n    17 Nov  +$9.00  VENMO CASHOUT\n" in seen
    assert "ANN" in seen
    # The sixth of five that are asked about is another question's.
    assert "OLD" not in seen
    assert "more: `" not in seen
    (query,) = [each.query for each in told.asked if each.path == "/transactions"]
    assert query["category"] == ["uncategorized", "unknown_inflow"]
    assert query["merchant"] == ["venmo"]


def test_six_rows_of_one_text_are_all_shown(told: Stub, walk: Walk) -> None:
    """The days and sums of six alike tell their rhythm, which one of them would hide."""
    rows = [(28 - place, "VENMO *A", -1_00) for place in range(6)]
    found = page_of(*rows).replace(b"sq northside provisions", b"venmo")
    told.answer("GET", "/transactions", found)
    _, seen = walk((VENMO.model_copy(update={"count": 6, "total": 6_00}),), "q")
    assert seen.count("VENMO *A") == 6


def test_of_many_rows_six_texts_are_shown_and_the_way_to_the_rest(told: Stub, walk: Walk) -> None:
    """Of more than six rows the newest of six texts stand there, and the command that lists all."""
    texts = ["VENMO *A", "VENMO *A", "VENMO *B", "VENMO *C", "VENMO *D", "VENMO *E", "VENMO *F"]
    rows = [(28 - place, text, -1_00) for place, text in enumerate([*texts, "VENMO *G"])]
    found = page_of(*rows).replace(b"sq northside provisions", b"venmo")
    told.answer("GET", "/transactions", found.replace(b"Northside Provisions", b"Venmo's"))
    _, seen = walk((VENMO.model_copy(update={"count": 8, "total": 8_00}),), "q")
    assert [line.split()[0] for line in seen.splitlines() if "VENMO" in line] == [
        "28",
        "26",
        "25",
        "24",
        "23",
        "22",
    ]
    assert """and 2 more: `finplan transactions --merchant 'Venmo'"'"'s'`""" in seen


@pytest.mark.parametrize("confidence", [0.3, None])
def test_a_suggestion_has_its_reason(told: Stub, walk: Walk, confidence: float | None) -> None:
    """What a guess rests on stands above the rows, by one of what goes out; no guess has no reason."""
    found = TransactionPage.model_validate_json(
        page_of((18, "VENMO CASHOUT", 9_00), (17, "VENMO *JANE", -25_00))
    )
    reasons = ("Money in.", "You filed Acme under dining.")
    rows = [
        row.model_copy(
            update={"payee_key": "venmo", "why": row.why.model_copy(update={"text": text})}
        )
        for row, text in zip(found.transactions, reasons, strict=True)
    ]
    page = TransactionPage(transactions=tuple(rows), next_cursor=None)
    told.answer("GET", "/transactions", page)
    asked = VENMO.model_copy(update={"count": 2, "total": 16_00, "confidence": confidence})
    _, seen = walk((asked,), "q")
    assert seen.count("  You filed Acme under dining.\n  Money out: ") == (confidence is not None)
    assert "Money in." not in seen


def test_a_row_is_shown_with_its_own_text(told: Stub, walk: Walk) -> None:
    """Of several rows of a day the one of the question's amount; another payee's are not shown."""
    found = page_of((4, "OTHER ROW", -31_00), (4, "THIS ROW", -30_00))
    page = TransactionPage.model_validate_json(found)
    mine = [row.model_copy(update={"payee_key": "venmo"}) for row in page.transactions]
    both = TransactionPage(transactions=(*page.transactions, *mine), next_cursor=None)
    told.answer("GET", "/transactions", both)
    _, seen = walk((_row(4),), "q")
    assert seen.count("THIS ROW") == 1
    assert "OTHER ROW" not in seen
    (query,) = [each.query for each in told.asked if each.path == "/transactions"]
    assert (query["from"], query["to"]) == (["2025-11-04"], ["2025-11-04"])


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        (["dining", "--direction", "in"], {"answer": "dining", "direction": "in"}),
        (["dining", "--direction", "both"], {"answer": "dining"}),
        (["dining", "--amount", "40"], {"answer": "dining", "amount": 40_00}),
        (["dining", "--amount", "-40"], {"answer": "dining", "amount": -40_00}),
        (
            ["dining", "--amount", "40", "--direction", "in"],
            {"answer": "dining", "amount": -40_00, "direction": "in"},
        ),
        (["--each"], {"each": True}),
    ],
)
def test_options_narrow_an_answer(
    finplan: Run, told: Stub, options: list[str], sent: dict[str, Any]
) -> None:
    """Each option goes to the daemon as it means; money in may be typed without its minus."""
    assert finplan("tasks", "answer", "venmo", *options).code == 0
    assert _given(told) == [sent]


def test_a_preview_is_shown_and_nothing_else(finplan: Run, told: Stub) -> None:
    """--preview tells the effect in a line, and with --json exactly what the daemon answered."""
    shown = finplan("tasks", "answer", "venmo", "dining", "--preview")
    assert "Puts 14 transactions" in shown.out.decode()
    exact = finplan("tasks", "answer", "venmo", "dining", "--preview", "--json")
    assert exact.out.strip() == as_json(EFFECT)
    assert all(each["preview"] for each in _given(told))


@pytest.mark.parametrize(
    "arguments",
    [
        ["venmo", "dining", "--each"],
        ["venmo", "--each", "--dismiss"],
        ["venmo", "dining", "--dismiss"],
        ["venmo", "--direction", "in"],
        ["venmo", "--amount", "4"],
        ["venmo", "--preview"],
        ["venmo", "--each", "--amount", "4"],
        ["--each"],
        ["--all-suggested", "--preview"],
        ["venmo", "dining", "--preview", "--also", "task_v1"],
        ["venmo", "dining", "--direction", "sideways"],
        ["venmo", "in dining"],
        ["venmo", "=40 dining"],
    ],
)
def test_options_that_fit_nothing_fail(finplan: Run, told: Stub, arguments: list[str]) -> None:
    """What says several things, or nothing, is a mistake of the command, and nothing is sent."""
    assert finplan("tasks", "answer", *arguments).code == USAGE
    assert _given(told) == []


def test_an_answer_of_a_file_may_be_for_a_part(finplan: Run, told: Stub, tmp_path: Any) -> None:
    """A file's entries take a direction, an amount or `each`, and no two of them at once."""
    file = tmp_path / "answers.json"
    entries: list[dict[str, Any]] = [
        {"id": "venmo", "answer": "dining", "direction": "in"},
        {"id": "venmo", "answer": "dining", "amount": 12_50},
        {"id": "venmo", "each": True},
    ]
    file.write_text(json.dumps(entries))
    assert finplan("tasks", "answer", "--from", str(file)).code == 0
    assert _given(told) == [
        {name: value for name, value in entry.items() if name != "id"} for entry in entries
    ]
    for bad in (
        {"each": True, "answer": "dining"},
        {"preview": True, "answer": "a"},
        {"each": False},
    ):
        file.write_text(json.dumps([{"id": "venmo", **bad}]))
        assert finplan("tasks", "answer", "--from", str(file)).code == BAD_INPUT
