"""The walk through the questions: each reply does what it says, and there is a way back."""

from collections.abc import Callable, Iterator

import pytest

from finplan.cli.console.options import GlobalOptions
from finplan.cli.console.session import Session
from finplan.cli.dialogs.answering import TaskWalk
from finplan.model.task import CategorizePayee, Task
from finplan.settings import load_settings
from tests.cli import made_up
from tests.cli.stub import Stub

Walked = Callable[..., list[tuple[str, str, object]]]


@pytest.fixture
def walked(
    stub: Stub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Walked]:
    """Walk through two payees and a missing account with the given replies; what was asked of whom."""
    first, _, missing = made_up.tasks()
    assert isinstance(first, CategorizePayee)
    second = first.model_copy(update={"id": "tsk_second", "payee": "Corner Shop"})
    tasks: tuple[Task, ...] = (first, second, missing)
    names = {first.id: "first", second.id: "second", missing.id: "missing"}
    settings = made_up.household_settings().model_dump_json().encode()
    stub.answer("GET", "/settings", settings)
    choices = ",".join(each.model_dump_json() for each in made_up.category_choices())
    stub.answer("GET", "/categories", f"[{choices}]".encode())
    stub.answer("GET", "/tasks", f"[{','.join(each.model_dump_json() for each in tasks)}]".encode())
    for task in tasks:
        answered = task.model_copy(update={"answer": "dining"} if task is not missing else {})
        content = answered.model_dump_json().encode()
        stub.answer("POST", f"/tasks/{task.id}/answer", content)
        stub.answer("DELETE", f"/tasks/{task.id}/answer", content)

    def walk(*replies: str) -> list[tuple[str, str, object]]:
        said = iter(replies)
        monkeypatch.setattr(Session, "ask", lambda _session, _question: next(said))
        session = Session(GlobalOptions(), load_settings())
        TaskWalk(session, tasks).run()
        session.close()
        assert list(said) == []
        return [
            (each.method, names[each.path.split("/")[2]], each.json if each.body else None)
            for each in stub.asked
            if each.path.startswith("/tasks/")
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
    stub.answer("GET", "/tasks", b"[]")
    stub.answer("POST", f"/tasks/{first.id}/answer", first.model_dump_json().encode())
    for said, asked in (("", []), ("1", [{"answer": "groceries"}])):
        monkeypatch.setattr(Session, "ask", lambda _session, _question, said=said: said)
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


def test_a_refused_answer_asks_again(walked: Walked, stub: Stub) -> None:
    """A category that the daemon refuses keeps the question open and the walk going."""
    first = made_up.tasks()[0]
    stub.refuse(
        "POST", f"/tasks/{first.id}/answer", 400, "BAD_REQUEST", "There is no such category."
    )
    assert walked("nonsense", "s", "q") == [("POST", "first", {"answer": "nonsense"})]


def test_what_has_no_category_takes_none(walked: Walked) -> None:
    """A question about an account takes no category, only skipping or dismissing."""
    assert walked("s", "s", "dining", "s") == []
