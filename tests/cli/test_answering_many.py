"""Many answers at once: each is kept by itself, and one that is refused stops no other."""

import json
import sys
from pathlib import Path

import pytest

from finplan.cli.console.errors import BAD_INPUT, INTERRUPTED, NOT_THERE, USAGE
from finplan.cli.console.session import Session
from finplan.model.task import CategorizePayee
from tests.cli import made_up
from tests.cli.conftest import Run
from tests.cli.made_up_categories import BIKES
from tests.cli.stub import Stub
from tests.cli.test_tasks_walk import EFFECT, page_of

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


def test_an_answered_question_is_the_daemons_to_refuse(
    finplan: Run, stub: Stub, open_tasks: list[CategorizePayee]
) -> None:
    """Part of it may be open though it is listed no more; a name that nothing has is refused here."""
    first, second, third = (json.loads(each.model_dump_json()) for each in open_tasks)

    def list_of_status() -> tuple[int, bytes]:
        asked = stub.asked[-1].query.get("status")
        listed = [{**second, "answer": "dining"}] if asked == ["answered"] else [first, third]
        return 200, json.dumps(listed).encode()

    stub.answers["GET", "/tasks"] = list_of_status
    path = f"/tasks/{second['id']}/answer"
    stub.refuse(
        "POST", path, 409, "CONFLICT", "The question about Corner Shop is answered already."
    )
    for name in ("corner", "corn", second["id"][:9]):
        ended = finplan(*ANSWER, name, "dining")
        assert (ended.code, ended.err.split(": ", 1)[1]) == (
            *(NOT_THERE, "The question about Corner Shop is answered already.\n"),
        )
    stub.answer("POST", path, {**second, "answer": "dining"})
    assert finplan(*ANSWER, "corner", "dining", "--direction", "out").code == 0
    assert given(stub)[-1] == ("task_b2", {"answer": "dining", "direction": "out"})
    assert "There is no open question 'xyz'" in finplan(*ANSWER, "xyz", "dining").err
    assert "There is no answered question 'venmo'" in finplan("tasks", "undo", "venmo").err


def test_a_whole_id_is_asked_for_at_once(finplan: Run, stub: Stub) -> None:
    """Nothing is listed first, so that a question that is too small for the list can be answered."""
    whole = "task_0123456789abcdef"
    stub.answer("GET", "/tasks", [])
    stub.refuse("POST", f"/tasks/{whole}/answer", 404, "NOT_FOUND", "There is no open question.")
    ended = finplan("tasks", "answer", whole, "--dismiss")
    assert (ended.code, ended.err) == (NOT_THERE, "finplan: There is no open question.\n")


def test_a_pipe_is_told_how_it_answers(finplan: Run, open_tasks: list[CategorizePayee]) -> None:
    """Where nobody can be asked the way for many answers is named, and the help shows its form."""
    ended = finplan(*ANSWER)
    assert ended.code == USAGE
    assert "give TASK and CATEGORY, or many answers as JSON with `--from -`" in ended.err
    assert '[{"id": "venmo", "answer": "dining"}]' in finplan(*ANSWER, "--help").out.decode()


@pytest.mark.parametrize("words", [("tasks", "answer", "corner"), ("rules", "set", "corner")])
def test_a_name_of_two_categories_files_nothing(
    finplan: Run, stub: Stub, open_tasks: list[CategorizePayee], words: tuple[str, ...]
) -> None:
    """What begins the titles of two categories names both, whatever their ids begin with."""
    titles = {"gifts_donations": "Gifts and donations", "other_income": "Gifts and other income"}
    choice = json.loads(made_up.category_choices()[1].model_dump_json())
    stub.answer(
        "GET",
        "/categories",
        [{**choice, "category": each, "label": label} for each, label in titles.items()],
    )
    ended = finplan(*words, "gifts")
    assert (ended.code, given(stub)) == (NOT_THERE, [])
    assert ended.err == (
        "finplan: 'gifts' could be 'Gifts and donations' or 'Gifts and other income'; type more of"
        " the name.\n"
    )


class _Interrupting:
    """Lines that a person types, and then Ctrl-C."""

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)

    def readline(self) -> str:
        if not self.typed:
            raise KeyboardInterrupt
        return f"{self.typed.pop(0)}\n"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ((), "no answer was given."),
        (("s",), "no answer was given."),
        (("dining",), "no answer was given."),
        (
            ("dining", ""),
            "1 answer is kept. `finplan tasks list --answered` lists what is answered.",
        ),
        (("d", "d"), "2 answers are kept."),
    ],
)
def test_an_interrupted_walk_tells_what_is_kept(
    finplan: Run,
    stub: Stub,
    open_tasks: list[CategorizePayee],
    monkeypatch: pytest.MonkeyPatch,
    typed: tuple[str, ...],
    kept: str,
) -> None:
    """Ctrl-C ends the walk with exit code 130 and a sentence of the answers that are kept."""
    effect = EFFECT.model_dump_json(by_alias=True).encode()
    answered = stub.answers["POST", f"/tasks/{open_tasks[0].id}/answer"]
    stub.answers["POST", f"/tasks/{open_tasks[0].id}/answer"] = lambda: (
        (200, effect) if stub.asked[-1].json.get("preview") else answered()
    )
    stub.answer("GET", "/transactions", page_of())
    monkeypatch.setattr(Session, "interactive", True)
    monkeypatch.setattr(sys, "stdin", _Interrupting(*typed))
    ended = finplan(*ANSWER)
    assert ended.code == INTERRUPTED
    assert ended.err.rpartition("\nfinplan: ")[2].startswith(f"Interrupted; {kept}")


def test_an_interrupted_question_changes_nothing(
    finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C at a single question says that nothing was changed; exit code 130."""
    bikes = json.loads(BIKES.model_dump_json())
    stub.answer("GET", "/categories", [bikes])
    monkeypatch.setattr(Session, "interactive", True)
    monkeypatch.setattr(sys, "stdin", _Interrupting())
    ended = finplan("categories", "remove", "bikes")
    assert ended.code == INTERRUPTED
    assert ended.err.endswith("\nfinplan: Interrupted; nothing was changed.\n")
    assert [each.method for each in stub.asked if each.method != "GET"] == []
