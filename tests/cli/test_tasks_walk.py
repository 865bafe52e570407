"""The walk through the questions: each reply does what it says, and there is a way back.

Many answers at once: each is kept by itself, and one that is refused stops no other.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from functools import partial
from pathlib import Path

import pytest

from finplan.cli.console.errors import BAD_INPUT, INTERRUPTED, NOT_THERE, USAGE
from finplan.cli.console.options import GlobalOptions
from finplan.cli.console.session import Session
from finplan.cli.dialogs.answering import HELP, KEEPS, TaskWalk
from finplan.model.task import CategorizePayee, DailyAllowance, Effect, Task
from finplan.model.transaction import Reason, Transaction, TransactionPage
from finplan.settings import load_settings
from tests.cli import made_up
from tests.cli.conftest import Run
from tests.cli.made_up import BIKES
from tests.cli.stub import Stub, as_json

Walked = Callable[..., list[tuple[str, str, object]]]
WalkShops = Callable[..., str]


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
        return 200, as_json([task for task in self.tasks if task.id not in self.closed])

    def answer(self, task: Task) -> tuple[int, bytes]:
        said = self.stub.asked[-1].json
        if said.get("preview"):
            return 200, as_json(EFFECT)
        self.closed.add(task.id)
        answer = "each" if said.get("each") else said.get("answer")
        return 200, as_json(task.model_copy(update={"answer": answer} if answer else {}))

    def undo(self, task: Task) -> tuple[int, bytes]:
        self.closed.discard(task.id)
        return 200, as_json(task)


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
    return as_json(TransactionPage(transactions=tuple(rows), next_cursor=None))


@pytest.fixture
def walked(
    stub: Stub, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Walked]:
    """Walk through two payees and a missing account with the given replies; what was answered."""
    first, _, missing = made_up.tasks()
    second = first.model_copy(
        update={"id": "tsk_second", "payee": "Corner Shop", "payee_key": "corner shop"}
    )
    tasks: tuple[Task, ...] = (first, second, missing)
    names = {first.id: "first", second.id: "second", missing.id: "missing"}
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/categories", made_up.category_choices())
    stub.answer("GET", "/transactions", page_of())
    _Daemon(stub, tasks)

    def walk(*replies: str) -> list[tuple[str, str, object]]:
        said = iter(replies)
        monkeypatch.setattr(
            Session, "ask", lambda _session, asked: "" if asked.startswith(KEEPS) else next(said)
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
    assert [line for line in HELP if line not in told] == []
    assert "Restaurants and coffee: 14 transactions, $311.44." in " ".join(told.split())


@pytest.mark.parametrize("confidence", [None, 0.14, 0.49])
def test_enter_skips_what_is_not_known(
    stub: Stub,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    confidence: float | None,
) -> None:
    """What is more likely wrong than right is skipped by Enter; the guess is the first number."""
    first = made_up.tasks()[0].model_copy(update={"confidence": confidence})
    stub.answer("GET", "/settings", made_up.household_settings())
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
    assert "Enter  skip" in capsys.readouterr().err


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
    stub.answer("GET", "/tasks", made_up.tasks()[2:])
    assert walked("", "u", "1", "s") == [
        ("POST", "first", {"answer": "groceries"}),
        ("DELETE", "first", None),
        ("POST", "first", {"answer": "dining"}),
    ]
    told = capsys.readouterr().err
    assert "Also answered: Corner Shop." in told
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


def test_what_has_none_takes_none(walked: Walked, capsys: pytest.CaptureFixture[str]) -> None:
    """A question about an account takes no category, only skipping or dismissing, and says so."""
    assert walked("s", "s", "dining", "s") == []
    told = " ".join(capsys.readouterr().err.split())
    assert (
        "You cannot answer this task with a category. Import its statement: `finplan import FILE`."
        in told
    )


def test_enter_skips_what_has_no_category(walked: Walked) -> None:
    """Enter leaves a question about an account open, as `s` does."""
    assert walked("s", "s", "") == []


def test_the_rows_of_the_next_questions_come_together(stub: Stub, walk_shops: WalkShops) -> None:
    """One request brings the rows of many questions; each shows its own, and answers stay as fast."""
    shops = [f"shop {place}" for place in range(30)]
    texts = {shop: [f"{shop.upper()} {row}" for row in "ABCDE"] for shop in shops}
    seen = walk_shops(texts, *["s"] * 30, count=5)

    asked = stub.requests("GET", "/transactions")
    assert [len(each.query["merchant"]) for each in asked] == [20, 10]
    assert [each.query["limit"] for each in asked] == [["500"], ["250"]]
    assert all(seen.count(f"{shop.upper()} E\n") == 1 for shop in shops)


def test_an_answer_takes_three_requests(stub: Stub, walk_shops: WalkShops) -> None:
    """A preview, the answer and what it closed; whatever else the walk needs is asked for once."""
    texts = {shop: ["ROW"] for shop in ("one", "two", "three", "four")}
    seen = walk_shops(texts, "Bikes", "dining", "restaurants", "Bikes", count=1, total=5_00)

    assert "4 answered, 0 open." in seen
    assert Counter(f"{each.method} {each.path.partition('_')[0]}" for each in stub.asked) == {
        "POST /tasks/tsk": 8,
        "GET /tasks": 4,
        "GET /transactions": 1,
        "GET /settings": 1,
        # What the labels are, and which of them is meant.
        "GET /categories": 2,
    }


def test_rows_that_found_no_room_are_asked_for_alone(stub: Stub, walk_shops: WalkShops) -> None:
    """A payee with many rows on the page takes none from another question's."""
    texts = {"busy": [f"BUSY {row}" for row in range(90)], "rare": ["RARE A", "RARE B"]}
    seen = walk_shops(texts, "s", "s", count=2)

    merchants = [each.query["merchant"] for each in stub.requests("GET", "/transactions")]
    assert merchants == [["busy", "rare"], ["rare"]]
    assert all("from" not in each.query for each in stub.requests("GET", "/transactions"))
    assert "BUSY 1\n" in seen
    assert "BUSY 2\n" not in seen
    assert "RARE A\n" in seen


def test_an_answer_has_its_rows_looked_up_anew(stub: Stub, walk_shops: WalkShops) -> None:
    """What is asked again after an undo shows the rows that there are now; others need no request."""
    texts = {"one": ["EARLIER", "ONE"], "two": ["TWO"]}
    seen = walk_shops(texts, "dining", "u", "s", "s", count=1, total=5_00)

    merchants = [each.query["merchant"] for each in stub.requests("GET", "/transactions")]
    assert merchants == [["one", "two"], ["one"]]
    assert (seen.count(" ONE\n"), seen.count(" TWO\n")) == (2, 2)
    assert "EARLIER" not in seen


@pytest.fixture
def walk_shops(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> WalkShops:
    """Walk through a question of each shop, with rows of $5.00; answers what is seen.

    The rows are of one day, but for an EARLIER one.
    """
    first = made_up.tasks()[0]
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/categories", made_up.category_choices())

    def walk(texts: Mapping[str, list[str]], *replies: str, **told: int) -> str:
        tasks = tuple(
            first.model_copy(update={"id": f"tsk_{shop}", "payee_key": shop, "payee": shop, **told})
            for shop in texts
        )

        def rows() -> tuple[int, bytes]:
            query = stub.asked[-1].query
            found = [
                TransactionPage.model_validate_json(page_of((1, text, -5_00)))
                .transactions[0]
                .model_copy(
                    update={
                        "payee_key": shop,
                        "date": first.last_date - timedelta(text == "EARLIER"),
                    }
                )
                for shop in query["merchant"]
                for text in texts[shop]
            ]
            kept = tuple(found[: int(query["limit"][0])])
            return 200, as_json(TransactionPage(transactions=kept, next_cursor=None))

        _Daemon(stub, tasks)
        stub.answers["GET", "/transactions"] = rows
        said = iter(replies)
        monkeypatch.setattr(
            Session, "ask", lambda _session, asked: "" if asked.startswith(KEEPS) else next(said)
        )
        session = Session(GlobalOptions(), load_settings())
        TaskWalk(session, tasks).run()
        session.close()
        return capsys.readouterr().err

    return walk


ANSWER = ("tasks", "answer")


@pytest.fixture
def open_tasks(stub: Stub) -> list[CategorizePayee]:
    """Three payees: two with a suggestion that rests on evidence, one guessed."""
    first = made_up.tasks()[0]
    tasks = [
        first,
        first.model_copy(update={"id": "task_b2", "payee": "Corner Shop", "payee_key": "corner"}),
        first.model_copy(
            update={"id": "task_c3", "payee": "Venmo", "payee_key": "venmo", "confidence": None}
        ),
    ]
    stub.answer("GET", "/settings", made_up.household_settings())
    stub.answer("GET", "/tasks", tasks)
    stub.answer("GET", "/categories", made_up.category_choices())
    for each in tasks:
        answered = each.model_copy(update={"answer": "dining"})
        stub.answer("POST", f"/tasks/{each.id}/answer", answered)
    return tasks


def given(stub: Stub) -> list[tuple[str, object]]:
    """The answers that reached the daemon: the task and what was said of it."""
    return [(each.path.split("/")[2], each.json) for each in stub.asked if each.method == "POST"]


def test_suggestions_are_taken(finplan: Run, stub: Stub, open_tasks: list[CategorizePayee]) -> None:
    """Suggestions that are sure enough are answered, the others stay open and are told."""
    doubtful = finplan("tasks", "answer", "--all-suggested")
    assert (doubtful.code, given(stub)) == (0, [])
    assert "3 tasks open, because no suggestion is at least 80% sure" in doubtful.err
    ended = finplan("tasks", "answer", "--all-suggested", "--sure", "60")
    assert ended.code == 0
    assert given(stub) == [(each.id, {"answer": "groceries"}) for each in open_tasks[:2]]
    assert ended.out.decode().count(" is now in ") == 2
    assert "1 task open, because no suggestion is at least 60% sure" in ended.err
    assert "2 answered" in ended.err


@pytest.mark.usefixtures("open_tasks")
def test_one_answer_for_several(finplan: Run, stub: Stub) -> None:
    """--also gives the same answer to other payees, by name; the same one twice is asked once."""
    assert finplan(*ANSWER, "corner", "dining", "--also", "venmo", "--also", "task_b2").code == 0
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
def test_a_file_of_many_asks_once_for_its_words(finplan: Run, stub: Stub, tmp_path: Path) -> None:
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
def test_a_file_of_no_answers_fails(finplan: Run, stub: Stub, tmp_path: Path, content: str) -> None:
    """What is no answer is told with the form it must have, before anything is answered."""
    file = tmp_path / "answers.json"
    file.write_text(content)
    ended = finplan("tasks", "answer", "--from", str(file))
    assert (ended.code, ended.out) == (BAD_INPUT, b"")
    assert '"dismiss": true' in ended.err
    assert given(stub) == []


def test_a_refusal_stops_none(finplan: Run, stub: Stub, open_tasks: list[CategorizePayee]) -> None:
    """The refusal is told, the others are given, and the exit code says that one failed."""
    path = f"/tasks/{open_tasks[0].id}/answer"
    stub.refuse("POST", path, 409, "CONFLICT", "It is answered already.")
    ended = finplan("tasks", "answer", "--all-suggested", "--sure", "60")
    assert ended.code == NOT_THERE
    assert "It is answered already." in ended.err
    assert len(given(stub)) == 2
    assert ended.out.decode().count(" is now in ") == 1


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
        "Corner Shop is now in Restaurants and coffee: 14 transactions, $311.44. Also answered: Venmo."
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
    assert "`finplan tasks`" in finplan(*ANSWER, "xyz", "dining").err
    assert "`finplan tasks list --answered`" in finplan("tasks", "undo", "venmo").err


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
    assert "with `--from -`" in ended.err
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
        "finplan: 'gifts' matches 'Gifts and donations' and 'Gifts and other income'. Type more of"
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
        ((), "Nothing was saved."),
        (("s",), "Nothing was saved."),
        (("dining",), "Nothing was saved."),
        (
            ("dining", ""),
            "1 answer saved. See `finplan tasks list --answered`.",
        ),
        (("d", "d"), "2 answers saved."),
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
    effect = as_json(EFFECT)
    answered = stub.answers["POST", f"/tasks/{open_tasks[0].id}/answer"]
    stub.answers["POST", f"/tasks/{open_tasks[0].id}/answer"] = lambda: (
        (200, effect) if stub.asked[-1].json.get("preview") else answered()
    )
    stub.answer("GET", "/transactions", page_of())
    monkeypatch.setattr(Session, "interactive", True)
    monkeypatch.setattr(sys, "stdin", _Interrupting(*typed))
    ended = finplan(*ANSWER)
    assert ended.code == INTERRUPTED
    assert ended.err.rpartition("\nfinplan: ")[2].startswith(f"Interrupted. {kept}")


def test_ctrl_c_changes_nothing(finplan: Run, stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C at a single question says that nothing was changed; exit code 130."""
    stub.answer("GET", "/categories", [BIKES])
    monkeypatch.setattr(Session, "interactive", True)
    monkeypatch.setattr(sys, "stdin", _Interrupting())
    ended = finplan("categories", "remove", "bikes")
    assert ended.code == INTERRUPTED
    assert ended.err.endswith("\nfinplan: Interrupted; nothing was changed.\n")
    assert [each.method for each in stub.asked if each.method != "GET"] == []
