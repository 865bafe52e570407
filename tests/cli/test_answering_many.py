"""Many answers at once: each is kept by itself, and one that is refused stops no other."""

import json
from pathlib import Path

import pytest

from finplan.cli.console.errors import BAD_INPUT, NOT_THERE, USAGE
from finplan.model.task import CategorizePayee
from tests.cli import made_up
from tests.cli.conftest import Run
from tests.cli.stub import Stub

ANSWER = ("tasks", "answer")


@pytest.fixture
def open_tasks(stub: Stub) -> list[CategorizePayee]:
    """Three payees: two with a suggestion that rests on evidence, one guessed."""
    first = made_up.tasks()[0]
    assert isinstance(first, CategorizePayee)
    tasks = [
        first,
        first.model_copy(update={"id": "task_b2", "payee": "Corner Shop", "payee_key": "corner"}),
        first.model_copy(
            update={"id": "task_c3", "payee": "Venmo", "payee_key": "venmo", "confidence": None}
        ),
    ]
    stub.answer("GET", "/settings", made_up.household_settings().model_dump_json().encode())
    stub.answer("GET", "/tasks", [json.loads(each.model_dump_json()) for each in tasks])
    choices = [json.loads(each.model_dump_json()) for each in made_up.category_choices()]
    stub.answer("GET", "/categories", choices)
    for each in tasks:
        answered = each.model_copy(update={"answer": "dining"}).model_dump_json().encode()
        stub.answer("POST", f"/tasks/{each.id}/answer", answered)
    return tasks


def given(stub: Stub) -> list[tuple[str, object]]:
    """The answers that reached the daemon: the task and what was said of it."""
    return [(each.path.split("/")[2], each.json) for each in stub.asked if each.method == "POST"]


def test_all_that_is_suggested_is_taken(
    finplan: Run, stub: Stub, open_tasks: list[CategorizePayee]
) -> None:
    """Suggestions that are sure enough are answered, the others stay open and are told."""
    doubtful = finplan("tasks", "answer", "--all-suggested")
    assert (doubtful.code, given(stub)) == (0, [])
    assert "Left open: 3 questions less than 80 % sure" in doubtful.err
    ended = finplan("tasks", "answer", "--all-suggested", "--sure", "60")
    assert ended.code == 0
    assert given(stub) == [(each.id, {"answer": "groceries"}) for each in open_tasks[:2]]
    assert ended.out.decode().count("Filed") == 2
    assert "Left open: 1 question less than 60 % sure" in ended.err
    assert "2 answered" in ended.err


@pytest.mark.usefixtures("open_tasks")
def test_one_answer_for_several(finplan: Run, stub: Stub) -> None:
    """--also gives the same answer to other payees, by name; the same one twice is asked once."""
    ended = finplan(*ANSWER, "corner", "dining", "--also", "venmo", "--also", "task_b2")
    assert ended.code == 0
    assert given(stub) == [("task_b2", {"answer": "dining"}), ("task_c3", {"answer": "dining"})]
    finplan(*ANSWER, "corner", "--dismiss", "--also", "venmo")
    assert given(stub)[2:] == [("task_b2", {"dismiss": True}), ("task_c3", {"dismiss": True})]


@pytest.mark.usefixtures("open_tasks")
def test_answers_from_a_file(finplan: Run, stub: Stub, tmp_path: Path) -> None:
    """A file names questions by id or payee and answers by category id or label."""
    file = tmp_path / "answers.json"
    file.write_text('[{"id": "corner", "answer": "Bikes"}, {"id": "task_c3", "dismiss": true}]')
    ended = finplan("tasks", "answer", "--from", str(file), "--json")
    assert given(stub) == [("task_b2", {"answer": "cat_bikes"}), ("task_c3", {"dismiss": True})]
    assert [each["id"] for each in json.loads(ended.out)] == ["task_b2", "task_c3"]
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.usefixtures("open_tasks")
def test_a_file_of_many_asks_once_for_what_its_words_mean(
    finplan: Run, stub: Stub, tmp_path: Path
) -> None:
    """Questions and categories are listed once, so that a long file meets no limit by looking up."""
    file = tmp_path / "answers.json"
    file.write_text(
        '[{"id": "corner", "answer": "Bikes"}, {"id": "venmo", "answer": "Restaurants and coffee"}]'
    )
    finplan("tasks", "answer", "--from", str(file), "--json")
    assert given(stub) == [("task_b2", {"answer": "cat_bikes"}), ("task_c3", {"answer": "dining"})]
    assert len(stub.requests("GET", "/categories")) == len(stub.requests("GET", "/tasks")) == 1


@pytest.mark.parametrize(
    "content",
    [
        "no json",
        "[]",
        "{}",
        '[{"id": "corner"}]',
        '[{"id": "corner", "answer": 3}]',
        '[{"id": "corner", "dismiss": false}]',
        '[{"id": "corner", "answer": "dining", "dismiss": true}]',
    ],
)
@pytest.mark.usefixtures("open_tasks")
def test_a_file_of_no_answers_is_refused_whole(
    finplan: Run, stub: Stub, tmp_path: Path, content: str
) -> None:
    """What is no answer is told with the form it must have, before anything is answered."""
    file = tmp_path / "answers.json"
    file.write_text(content)
    ended = finplan("tasks", "answer", "--from", str(file))
    assert (ended.code, ended.out) == (BAD_INPUT, b"")
    assert '"dismiss": true' in ended.err
    assert given(stub) == []


def test_a_refused_answer_stops_no_other(
    finplan: Run, stub: Stub, open_tasks: list[CategorizePayee]
) -> None:
    """The refusal is told, the others are given, and the exit code says that one failed."""
    path = f"/tasks/{open_tasks[0].id}/answer"
    stub.refuse("POST", path, 409, "CONFLICT", "It is answered already.")
    ended = finplan("tasks", "answer", "--all-suggested", "--sure", "60")
    assert ended.code == NOT_THERE
    assert "It is answered already." in ended.err
    assert len(given(stub)) == 2
    assert ended.out.decode().count("Filed") == 1


@pytest.mark.usefixtures("stub")
@pytest.mark.parametrize(
    "line",
    [
        "--all-suggested corner dining",
        "--all-suggested --from a.json",
        "--from a.json --dismiss",
        "--also corner",
        "corner --also venmo",
    ],
)
def test_ways_to_answer_do_not_mix(finplan: Run, line: str) -> None:
    """Two ways at once are a usage error that names what stands alone."""
    ended = finplan("tasks", "answer", *line.split())
    assert ended.code == USAGE
    assert "--" in ended.err


@pytest.mark.usefixtures("open_tasks")
def test_an_answer_tells_what_it_closed(finplan: Run, stub: Stub) -> None:
    """A single answer says how much it moved, and which other questions it made unnecessary."""
    tasks = stub.answers["GET", "/tasks"]()[1]
    left = json.dumps(json.loads(tasks)[:1]).encode()
    replies = iter([(200, tasks), (200, tasks), (200, left)])
    stub.answers["GET", "/tasks"] = lambda: next(replies)
    ended = finplan(*ANSWER, "corner", "dining")
    assert " ".join(ended.out.decode().split()) == (
        "Filed Corner Shop under Restaurants and coffee: 14 charges, $311.44. That answers Venmo,"
        " too."
    )
