"""The walk through the questions: each reply does what it says, and there is a way back."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial

import pytest

from finplan.cli.console.options import GlobalOptions
from finplan.cli.console.session import Session
from finplan.cli.dialogs.answering import KEEPS, TaskWalk
from finplan.model.task import CategorizePayee, DailyAllowance, Effect, Task
from finplan.model.transaction import Reason, Transaction, TransactionPage
from finplan.settings import load_settings
from tests.cli import made_up
from tests.cli.stub import Stub

Walked = Callable[..., list[tuple[str, str, object]]]


EFFECT = Effect(
    charges=14,
    total=311_44,
    monthly=25_95,
    allowance=DailyAllowance(before=28_00, after=31_50, known=True),
)


class _Daemon:
    """The questions that are open, as answers close them and undo opens them again."""

    def __init__(self, stub: Stub, tasks: tuple[Task, ...]) -> None:
        self.stub = stub
        self.tasks = tasks
        self.closed: set[str] = set()
        stub.answers["GET", "/tasks"] = self.open
        for task in tasks:
            stub.answers["POST", f"/tasks/{task.id}/answer"] = partial(self.answer, task)
            stub.answers["DELETE", f"/tasks/{task.id}/answer"] = partial(self.undo, task)

    def open(self) -> tuple[int, bytes]:
        left = [task.model_dump_json() for task in self.tasks if task.id not in self.closed]
        return 200, f"[{','.join(left)}]".encode()

    def answer(self, task: Task) -> tuple[int, bytes]:
        said = self.stub.asked[-1].json
        if said.get("preview"):
            return 200, EFFECT.model_dump_json(by_alias=True).encode()
        self.closed.add(task.id)
        answer = "each" if said.get("each") else said.get("answer")
        given = task.model_copy(update={"answer": answer} if answer else {})
        return 200, given.model_dump_json().encode()

    def undo(self, task: Task) -> tuple[int, bytes]:
        self.closed.discard(task.id)
        return 200, task.model_dump_json().encode()


def page_of(*found: tuple[int, str, int]) -> bytes:
    """Rows of November of the payee that is asked about: day, text and signed amount."""
    rows = [
        Transaction(
            id=f"tx_{day}",
            account_id="acc_1",
            date=date(2025, 11, day),
            amount=amount,
            currency="USD",
            payee_key="sq northside provisions",
            payee="Northside Provisions",
            raw=raw,
            category="uncategorized",
            line="discretionary",
            pending=False,
            transfer_id=None,
            note=None,
            splits=None,
            why=Reason(source="default", rule_id=None, confidence=None, text=""),
        )
        for day, raw, amount in found
    ]
    page = TransactionPage(transactions=tuple(rows), next_cursor=None)
    return page.model_dump_json().encode()


@pytest.fixture
def walked(
    stub: Stub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Walked]:
    """Walk through two payees and a missing account with the given replies; what was answered."""
    first, _, missing = made_up.tasks()
    assert isinstance(first, CategorizePayee)
    second = first.model_copy(
        update={"id": "tsk_second", "payee": "Corner Shop", "payee_key": "corner shop"}
    )
    tasks: tuple[Task, ...] = (first, second, missing)
    names = {first.id: "first", second.id: "second", missing.id: "missing"}
    settings = made_up.household_settings().model_dump_json().encode()
    stub.answer("GET", "/settings", settings)
    choices = ",".join(each.model_dump_json() for each in made_up.category_choices())
    stub.answer("GET", "/categories", f"[{choices}]".encode())
    stub.answer("GET", "/transactions", page_of())
    _Daemon(stub, tasks)

    def walk(*replies: str) -> list[tuple[str, str, object]]:
        said = iter(replies)
        monkeypatch.setattr(
            Session,
            "ask",
            lambda _session, asked: "" if asked.startswith(KEEPS) else next(said),
        )
        session = Session(GlobalOptions(), load_settings())
        TaskWalk(session, tasks).run()
        session.close()
        assert list(said) == []
        return [
            (each.method, names[each.path.split("/")[2]], each.json if each.body else None)
            for each in stub.asked
            if each.path.startswith("/tasks/") and b'"preview"' not in each.body
        ]

    yield walk
    assert capsys.readouterr().out == ""


def test_enter_takes_the_suggestion(walked: Walked) -> None:
    """An empty reply answers with the suggested category."""
    assert walked("", "q") == [("POST", "first", {"answer": "groceries"})]


def test_help_and_labels(walked: Walked, capsys: pytest.CaptureFixture[str]) -> None:
    """Help is given inside the prompt, and an answer is told by its label."""
    assert walked("?", "dining", "q") == [("POST", "first", {"answer": "dining"})]
    told = capsys.readouterr().err
    assert "d dismisses: it is not asked again." in told
    assert "under Restaurants and coffee: 14 charges, $311.44." in told


@pytest.mark.parametrize("confidence", [None, 0.14, 0.49])
def test_enter_skips_what_is_not_known(
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    confidence: float | None,
) -> None:
    """What is more likely wrong than right is skipped by Enter; the guess is the first number."""
    first = made_up.tasks()[0].model_copy(update={"confidence": confidence})
    stub.answer("GET", "/settings", made_up.household_settings().model_dump_json().encode())
    stub.answer("GET", "/categories", b"[]")
    stub.answer("GET", "/transactions", page_of())
    _Daemon(stub, (first,))
    kept = {"answer": "groceries"}
    for said, asked in (("", []), ("1", [{**kept, "preview": True}, kept])):
        monkeypatch.setattr(
            Session,
            "ask",
            lambda _session, question, said=said: "" if question.startswith(KEEPS) else said,
        )
        session = Session(GlobalOptions(), load_settings())
        TaskWalk(session, (first,)).run()
        session.close()
        assert [each.json for each in stub.asked if each.method == "POST"] == asked
    assert "skip, since nothing is known" in capsys.readouterr().err


def test_a_number_takes_an_alternative(walked: Walked) -> None:
    """A number answers with that alternative; one that is not there asks again."""
    assert walked("9", "0", "2", "q") == [("POST", "first", {"answer": "shopping"})]


def test_a_word_is_a_category(walked: Walked) -> None:
    """An id, a label or a part of one answers with that category."""
    assert walked("Bikes", "q") == [("POST", "first", {"answer": "cat_bikes"})]


def test_skipping_asks_nothing_of_the_daemon(walked: Walked) -> None:
    """A skipped question stays open."""
    assert walked("s", "s", "s") == []


def test_dismissing_tells_the_daemon(walked: Walked) -> None:
    """Any question can be dismissed, also one that has no category."""
    assert walked("d", "s", "d") == [
        ("POST", "first", {"dismiss": True}),
        ("POST", "missing", {"dismiss": True}),
    ]


def test_undo_goes_back_to_the_last_answer(walked: Walked) -> None:
    """Undo takes the last answer back and asks that question again."""
    assert walked("u", "", "s", "u", "1", "q") == [
        ("POST", "first", {"answer": "groceries"}),
        ("DELETE", "first", None),
        ("POST", "first", {"answer": "dining"}),
    ]


def test_questions_that_an_answer_closes_are_not_asked(
    walked: Walked, stub: Stub, capsys: pytest.CaptureFixture[str]
) -> None:
    """What another answer settled is named and left out; undo brings it back."""
    missing = made_up.tasks()[2]
    stub.answer("GET", "/tasks", f"[{missing.model_dump_json()}]".encode())
    assert walked("", "u", "1", "s") == [
        ("POST", "first", {"answer": "groceries"}),
        ("DELETE", "first", None),
        ("POST", "first", {"answer": "dining"}),
    ]
    told = capsys.readouterr().err
    assert "That answers Corner Shop, too." in told
    assert "2 of 2  You pay Card Sapphire" in told
    assert told.count("1 of 3") == 2


@pytest.mark.parametrize(
    ("status", "code"),
    [(400, "BAD_REQUEST"), (404, "NOT_FOUND"), (409, "CONFLICT"), (422, "VALIDATION_ERROR")],
)
def test_a_refused_answer_asks_again(
    walked: Walked, stub: Stub, capsys: pytest.CaptureFixture[str], status: int, code: str
) -> None:
    """An answer that the daemon refuses keeps the question open and the walk going."""
    first = made_up.tasks()[0]
    stub.refuse("POST", f"/tasks/{first.id}/answer", status, code, "There is no such category.")
    assert walked("nonsense", "s", "q") == []
    assert "There is no such category." in capsys.readouterr().err


def test_what_has_no_category_takes_none(
    walked: Walked, capsys: pytest.CaptureFixture[str]
) -> None:
    """A question about an account takes no category, only skipping or dismissing, and says so."""
    assert walked("s", "s", "dining", "s") == []
    told = " ".join(capsys.readouterr().err.split())
    assert "No category answers this. Import a statement of it: `finplan import FILE`;" in told


def test_enter_skips_what_has_no_category(walked: Walked) -> None:
    """Enter leaves a question about an account open, as `s` does."""
    assert walked("s", "s", "") == []


def test_the_rows_of_the_next_questions_come_together(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One request brings the rows of many questions; each shows its own, and answers stay as fast."""
    first = made_up.tasks()[0]
    assert isinstance(first, CategorizePayee)
    shops = [f"shop {place}" for place in range(30)]
    tasks = [
        first.model_copy(update={"id": f"tsk_{shop}", "payee_key": shop, "payee": shop, "count": 5})
        for shop in shops
    ]
    walking(stub, tasks, {shop: [f"{shop.upper()} {row}" for row in "ABCDE"] for shop in shops})

    walk(monkeypatch, tasks, *["s"] * 30)

    asked = stub.requests("GET", "/transactions")
    assert [len(each.query["merchant"]) for each in asked] == [20, 10]
    assert [each.query["limit"] for each in asked] == [["500"], ["250"]]
    seen = capsys.readouterr().err
    assert all(seen.count(f"{shop.upper()} E\n") == 1 for shop in shops)


def test_an_answer_takes_three_requests(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A preview, the answer and what it closed; whatever else the walk needs is asked for once."""
    first = made_up.tasks()[0]
    assert isinstance(first, CategorizePayee)
    tasks = [
        first.model_copy(update={"id": f"tsk_{shop}", "payee_key": shop, "count": 1, "total": 5_00})
        for shop in ("one", "two", "three", "four")
    ]
    walking(stub, tasks, {task.payee_key: ["ROW"] for task in tasks})

    walk(monkeypatch, tasks, "Bikes", "dining", "restaurants", "Bikes")

    assert "4 answered, 0 open." in capsys.readouterr().err
    assert Counter(f"{each.method} {each.path.partition('_')[0]}" for each in stub.asked) == {
        "POST /tasks/tsk": 8,
        "GET /tasks": 4,
        "GET /transactions": 1,
        "GET /settings": 1,
        # What the labels are, and which of them is meant.
        "GET /categories": 2,
    }


def test_rows_that_found_no_room_are_asked_for_alone(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A payee with many rows on the page takes none from another question's."""
    first = made_up.tasks()[0]
    assert isinstance(first, CategorizePayee)
    tasks = [
        first.model_copy(update={"id": f"tsk_{shop}", "payee_key": shop, "count": 2})
        for shop in ("busy", "rare")
    ]
    walking(
        stub, tasks, {"busy": [f"BUSY {row}" for row in range(90)], "rare": ["RARE A", "RARE B"]}
    )

    walk(monkeypatch, tasks, "s", "s")

    merchants = [each.query["merchant"] for each in stub.requests("GET", "/transactions")]
    assert merchants == [["busy", "rare"], ["rare"]]
    assert all("from" not in each.query for each in stub.requests("GET", "/transactions"))
    seen = capsys.readouterr().err
    assert "BUSY 1\n" in seen
    assert "BUSY 2\n" not in seen
    assert "RARE A\n" in seen


def test_an_answer_has_its_rows_looked_up_anew(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is asked again after an undo shows the rows that there are now; others need no request."""
    first = made_up.tasks()[0]
    assert isinstance(first, CategorizePayee)
    tasks = [
        first.model_copy(update={"id": f"tsk_{shop}", "payee_key": shop, "count": 1, "total": 5_00})
        for shop in ("one", "two")
    ]
    walking(stub, tasks, {"one": ["EARLIER", "ONE"], "two": ["TWO"]})

    walk(monkeypatch, tasks, "dining", "u", "s", "s")

    merchants = [each.query["merchant"] for each in stub.requests("GET", "/transactions")]
    assert merchants == [["one", "two"], ["one"]]
    seen = capsys.readouterr().err
    assert (seen.count(" ONE\n"), seen.count(" TWO\n")) == (2, 2)
    assert "EARLIER" not in seen


def walking(stub: Stub, tasks: Sequence[CategorizePayee], texts: Mapping[str, list[str]]) -> None:
    """Let the stub ask these questions, about rows of $5.00 of these texts; of one day, or earlier."""
    stub.answer("GET", "/settings", made_up.household_settings().model_dump_json().encode())
    choices = ",".join(each.model_dump_json() for each in made_up.category_choices())
    stub.answer("GET", "/categories", f"[{choices}]".encode())
    last = tasks[0].last_date

    def rows() -> tuple[int, bytes]:
        query = stub.asked[-1].query
        found = [
            TransactionPage.model_validate_json(page_of((1, text, -5_00)))
            .transactions[0]
            .model_copy(update={"payee_key": shop, "date": last - timedelta(text == "EARLIER")})
            for shop in query["merchant"]
            for text in texts[shop]
        ]
        page = TransactionPage(
            transactions=tuple(found[: int(query["limit"][0])]), next_cursor=None
        )
        return 200, page.model_dump_json().encode()

    _Daemon(stub, tuple(tasks))
    stub.answers["GET", "/transactions"] = rows


def walk(monkeypatch: pytest.MonkeyPatch, tasks: Sequence[CategorizePayee], *replies: str) -> None:
    """Walk through the questions with the given replies."""
    said = iter(replies)
    monkeypatch.setattr(
        Session, "ask", lambda _session, asked: "" if asked.startswith(KEEPS) else next(said)
    )
    session = Session(GlobalOptions(), load_settings())
    TaskWalk(session, tasks).run()
    session.close()
