"""The walk through the questions: which key means what, what an answer closes, and the way back."""

import pytest

from finplan.model.task import EACH, Alternative, CategorizePayee, Task
from finplan.views.answering import Typed, Walk, choices, chosen, closed, read_reply
from tests.cli import made_up

PAYEE, _BANK, MISSING = made_up.tasks()


def payee(confidence: float | None = 0.62) -> CategorizePayee:
    """The question about a payee, so sure of its suggestion."""
    assert isinstance(PAYEE, CategorizePayee)
    return PAYEE.model_copy(update={"confidence": confidence})


def row(key: str, name: str = "other") -> CategorizePayee:
    """A question of its own about a payee."""
    return payee().model_copy(update={"id": key, "payee_key": name, "payee": name})


@pytest.mark.parametrize(("sure", "first"), [(0.5, "Enter"), (0.49, "1"), (None, "1")])
def test_enter_takes_only_what_is_likely(sure: float | None, first: str) -> None:
    """Else the guess is the first number; the other choices follow, none of them twice."""
    task = payee(sure)
    offered = choices(task)
    assert (offered[0].key, offered[0].category) == (first, task.suggested)
    assert [each.key for each in offered[1:]] == [
        str(place) for place in range(1 if first == "Enter" else 2, len(task.alternatives) + 2)
    ][: len(task.alternatives)]
    again = Alternative(category=task.suggested, label="The same")
    twice = task.model_copy(update={"alternatives": (again, *task.alternatives)})
    assert choices(twice) == offered
    assert chosen(task, "99") is None
    assert chosen(MISSING, "Enter") is None


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("", Typed("answer", "groceries")),
        ("1", Typed("answer", "dining")),
        ("0", Typed("nothing", "No choice 0. Choose from Enter, 1, 2, or give a category.")),
        ("q", Typed("quit")),
        ("UNDO", Typed("undo")),
        ("s", Typed("skip")),
        ("d", Typed("dismiss")),
        ("?", Typed("help")),
        ("e", Typed("each")),
        ("Bikes", Typed("answer", "Bikes")),
        ("OUT 2", Typed("answer", "shopping", "out")),
        ("in Other income", Typed("answer", "Other income", "in")),
        ("= -1,012.50 dining", Typed("answer", "dining", amount="-1,012.50")),
    ],
)
def test_a_reply_is_read(reply: str, meant: Typed) -> None:
    """A key, a number, a category or a part of the money before it."""
    assert read_reply(payee(), reply) == meant


@pytest.mark.parametrize(
    ("reply", "does"), [("", "skip"), ("d", "dismiss"), ("e", "nothing"), ("dining", "nothing")]
)
def test_what_has_no_category_takes_none(reply: str, does: str) -> None:
    """A question about an account is skipped or dismissed, and nothing else."""
    assert read_reply(MISSING, reply).does == does


def test_nothing_typed_skips_what_is_not_known() -> None:
    """Nobody files a payee by chance."""
    assert read_reply(payee(None), "") == Typed("skip")
    assert read_reply(payee(None), "1") == Typed("answer", "groceries")


def test_an_answer_leaves_out_what_it_closed_and_asks_what_is_left() -> None:
    """The rest of the question comes next, what was settled does not, and undo brings all back."""
    first, second, third = row("a", "x"), row("b"), row("c")
    rest = first.model_copy(update={"count": 1})
    walk = Walk([first, second, third])
    assert walk.go_on(first.model_copy(update={"answer": "dining"}), [rest, third]) == [second]
    assert (walk.current, walk.ahead) == (rest, [third])
    undone = walk.undo()
    assert undone is not None
    assert (undone.id, walk.tasks, walk.position) == ("a", [first, second, third], 0)
    assert walk.undo() is None


def test_rows_of_a_payee_come_next_and_none_twice() -> None:
    """Each row is asked about once, whether it was ahead already or not."""
    first, ahead = row("a", "x"), row("b", "x")
    walk = Walk([first, ahead])
    walk.go_on(first.model_copy(update={"answer": EACH}), [row("n", "x"), ahead, row("o")])
    assert [each.id for each in walk.tasks] == ["a", "n", "b"]


def test_a_dismissal_closes_nothing_else() -> None:
    """Nothing is looked up after it."""
    walk = Walk([payee(), MISSING])
    assert walk.go_on(payee()) == []
    assert walk.current == MISSING
    walk.go_on(MISSING)
    assert walk.current is None


def test_a_new_list_keeps_the_place() -> None:
    """The same question stays marked, or the one after it; after undo the one that is open again."""
    first, second, third = row("a"), row("b"), row("c")
    walk = Walk([first, second, third], position=1)
    walk.note(second)
    walk.renew([first, third])
    assert walk.current == third
    walk.note(third)
    walk.renew([first])
    assert walk.current == first
    tasks: list[list[Task]] = [[first, third], [first, second, third]]
    for now, asked in zip(tasks, (third, second), strict=True):
        assert walk.undo() == asked
        walk.renew(now)
        assert walk.current == asked
    walk.renew([])
    assert walk.current is None


def test_what_an_answer_closed_is_neither_itself_nor_open() -> None:
    """The others that are not asked any more."""
    first, second, third = row("a"), row("b"), row("c")
    assert closed([first, second, third], [second], "a") == [third]
