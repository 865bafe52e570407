"""Which questions of an import are asked now, on which files, and what is taken for an answer."""

import pytest

from finplan.model.statement import ImportAnswer, ImportChoice, ImportQuestion, QuestionAbout
from finplan.views.import_questions import (
    AskedQuestion,
    QuestionWalk,
    asked_again,
    list_askable,
    questions_of,
)


def asked_of_file(
    file: int, about: QuestionAbout, *values: str, text: str = "Which?"
) -> ImportQuestion:
    choices = tuple(ImportChoice(value=value, label=value) for value in values)
    return ImportQuestion(
        file=file, name=f"{file}.csv", about=about, text=text, option="--x", choices=choices
    )


def asked_now(*questions: ImportQuestion) -> list[ImportQuestion]:
    return [each.first for each in list_askable(questions)]


def test_what_another_answer_may_settle_waits_for_it() -> None:
    """Of one file the way of its amounts goes before its kind, and other files wait for neither."""
    way, kind, other = (
        asked_of_file(0, "direction"),
        asked_of_file(0, "accountKind"),
        asked_of_file(1, "accountKind"),
    )
    same, order = asked_of_file(1, "sameAccount"), asked_of_file(0, "dateOrder")
    assert asked_now(way, kind, other) == [way, other]
    assert asked_now(kind, other) == [kind, other]
    assert asked_now(other, same) == [same]
    assert asked_now(way, order) == [order]


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (asked_of_file(1, "direction", "in", "out"), True),
        (asked_of_file(0, "direction", "in", "out"), False),
        (asked_of_file(1, "direction", "out", "in"), False),
        (asked_of_file(1, "currency", "in", "out"), False),
    ],
)
def test_one_answer_may_serve_files_with_one_question(other: ImportQuestion, alike: bool) -> None:
    """About the same thing, with the same choices, of another file."""
    first, *_ = list_askable([asked_of_file(0, "direction", "in", "out"), other])
    assert [group[0] for group in first.alike] == ([other] if alike else [])


def test_the_way_of_a_first_row_is_each_files_own() -> None:
    """What one file's balance does not show says nothing of another's."""
    ways = [asked_of_file(file, "direction", "first:in", "first:out") for file in range(3)]
    assert [each.alike for each in list_askable(ways)] == [()] * 3


def test_some_questions_take_more_than_their_choices() -> None:
    """Another currency or account, and words where words tell the way; else one of the choices."""
    words = asked_of_file(0, "direction", "in", text="Say marks:WORD.")
    asked = {
        "currency": AskedQuestion((asked_of_file(0, "currency", "EUR"),)),
        "account": AskedQuestion((asked_of_file(0, "account", "acc_1"),)),
        "direction": AskedQuestion((asked_of_file(0, "direction", "in", "out"),)),
        "words": AskedQuestion((words,)),
    }
    read = {
        key: [each.value_of(typed) for typed in ("in", "sek", "marks:a", "7", "")]
        for key, each in asked.items()
    }
    assert read == {
        "currency": [None, "SEK", None, None, None],
        "account": ["in", "sek", "marks:a", None, None],
        "direction": ["in", None, "marks:a", None, None],
        "words": ["in", "marks:sek", "marks:a", None, None],
    }
    assert [key for key, each in asked.items() if each.other is None] == ["direction"]


def test_a_walk_asks_once_what_is_asked_alike() -> None:
    """Files that name no currency are one question; an answer for all leaves nothing to ask."""
    codes = [asked_of_file(file, "currency", "EUR", "USD") for file in range(2)]
    same = [asked_of_file(file, "sameAccount", "acc_1", "new") for file in range(2, 6)]
    walk = QuestionWalk([*codes, *same])
    first = walk.next()
    assert first is not None
    assert (first.files, first.also_for) == ("0.csv and 1.csv", None)
    walk.answer("USD")
    walk.answer("new")
    again = walk.next()
    assert again is not None
    assert again.also_for is not None
    assert (again.is_usual("acc_1"), again.is_usual("new")) == (True, False)
    walk.answer("acc_1", alike=True)
    assert walk.next() is None
    assert [(each.file, each.value) for each in walk.answers] == [
        *((0, "USD"), (1, "USD"), (2, "new")),
        *((3, "acc_1"), (4, "acc_1"), (5, "acc_1")),
    ]


def test_what_was_answered_is_known_by_place_and_by_name() -> None:
    """Asked again, it cannot be the right answer."""
    open_ = [asked_of_file(1, "direction", "in", "out")]
    for file, about, again in (
        (1, "direction", True),
        ("1.csv", "direction", True),
        (0, "direction", False),
        (1, "dateOrder", False),
    ):
        answer = ImportAnswer.model_validate({"file": file, "about": about, "value": "in"})
        assert asked_again(open_, [answer]) is again


@pytest.mark.parametrize("data", [None, {}, {"questions": [{"about": "country"}]}, ["questions"]])
def test_other_refusals_ask_nothing_of_an_import(data: object) -> None:
    """Only what an import asks is a question of it."""
    assert questions_of(data) == ()
