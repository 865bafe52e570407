"""Which questions of an import are asked when, and which of them are one and the same."""

import pytest

from finplan.model.statement import (
    ImportChoice,
    ImportQuestion,
    QuestionAbout,
    takes_another,
    to_be_asked,
)


def asked(file: int, about: QuestionAbout, *values: str, text: str = "Which?") -> ImportQuestion:
    choices = tuple(ImportChoice(value=value, label=value) for value in values)
    return ImportQuestion(
        file=file, name=f"{file}.csv", about=about, text=text, option="--x", choices=choices
    )


def test_what_another_answer_may_settle_waits_for_it() -> None:
    """Of one file the way of its amounts goes before its kind, and other files wait for neither."""
    way, kind, other = asked(0, "direction"), asked(0, "accountKind"), asked(1, "accountKind")
    same, order = asked(1, "sameAccount"), asked(0, "dateOrder")
    assert to_be_asked([way, kind, other]) == [way, other]
    assert to_be_asked([kind, other]) == [kind, other]
    assert to_be_asked([other, same]) == [same]
    assert to_be_asked([way, order]) == [order]


@pytest.mark.parametrize(
    ("other", "alike"),
    [
        (asked(1, "direction", "in", "out"), True),
        (asked(0, "direction", "in", "out"), False),
        (asked(1, "direction", "out", "in"), False),
        (asked(1, "currency", "in", "out"), False),
    ],
)
def test_one_answer_may_be_for_files_that_are_asked_the_same(
    other: ImportQuestion, alike: bool
) -> None:
    """About the same thing, with the same choices, of another file."""
    assert asked(0, "direction", "in", "out").is_asked_alike(other) is alike


def test_the_way_of_a_first_row_is_each_files_own() -> None:
    """What one file's balance does not show says nothing of another's."""
    first = asked(0, "direction", "first:in", "first:out")
    assert not first.is_asked_alike(asked(1, "direction", "first:in", "first:out"))


def test_some_questions_take_more_than_their_choices() -> None:
    """Another currency or account, and words where words tell the way; else one of the choices."""
    assert takes_another(asked(0, "currency")) == "another currency's code"
    assert takes_another(asked(0, "direction")) is None
    told = takes_another(asked(0, "direction", text="Say marks:WORD."))
    assert told == "the words of money out, with commas between"
