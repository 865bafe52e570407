"""What an import on the whole screen tells its screen: whether rows came in or were taken back."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from finplan.operations.statement_file import IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT
from finplan.tui.feed import NotAnswered
from finplan.tui.flows.importing import import_statements, undo_import
from finplan.tui.household import HouseholdApp
from tests.cli import made_up_bank


class Person:
    """An app whose person answers each dialog in turn; what is asked, said and warned is kept."""

    def __init__(self, answers: Sequence[Any], told: dict[Any, Any]) -> None:
        self.answers, self.told = list(answers), told
        self.asked: list[Any] = []
        self.said: list[str] = []
        self.warned: list[str] = []
        self.feed = SimpleNamespace(ask=self.ask)

    async def push_screen_wait(self, _dialog: Any) -> Any:
        return self.answers.pop(0)

    async def ask(self, row: Any, *_question: Any) -> Any:
        self.asked.append(row)
        answer = self.told[row]
        if isinstance(answer, NotAnswered):
            raise answer
        return answer

    def say(self, text: str) -> None:
        self.said.append(text)

    def warn(self, text: str) -> None:
        self.warned.append(text)


REPORT = made_up_bank.import_report()
STANDING = made_up_bank.imports()[0].model_copy(update={"undone_at": None})
UNDONE = STANDING.model_copy(update={"undone_at": 1})
AWAY = NotAnswered("Nobody answers.", away=True)
FILES = ("a.csv",)


@pytest.mark.parametrize(
    ("answers", "told", "asked", "came"),
    [
        ([()], {}, 0, False),
        ([None], {}, 0, False),
        ([FILES, True], {IMPORT_FILES: REPORT}, 2, True),
        ([FILES, False], {IMPORT_FILES: REPORT}, 1, False),
        ([FILES, None], {IMPORT_FILES: REPORT}, 1, False),
        ([FILES], {IMPORT_FILES: AWAY}, 1, False),
    ],
)
async def test_only_rows_that_came_in_are_told_of(
    answers: list[Any], told: dict[Any, Any], asked: int, came: bool
) -> None:
    """Without files, without a yes or without an answer nothing is stored, and the screen stays."""
    person = Person(answers, told)
    assert await import_statements(cast("HouseholdApp", person)) is came
    assert person.asked == [IMPORT_FILES] * asked
    assert bool(person.said) == came
    assert person.warned == ([AWAY.message] if told.get(IMPORT_FILES) is AWAY else [])


@pytest.mark.parametrize(
    ("answers", "told", "undone"),
    [
        ([], {LIST_IMPORTS: ()}, False),
        ([], {LIST_IMPORTS: (UNDONE,)}, False),
        ([None], {LIST_IMPORTS: (STANDING, UNDONE)}, False),
        ([STANDING.id], {LIST_IMPORTS: (STANDING,), UNDO_IMPORT: STANDING}, True),
        ([STANDING.id], {LIST_IMPORTS: (STANDING,), UNDO_IMPORT: AWAY}, False),
        ([], {LIST_IMPORTS: AWAY}, False),
    ],
)
async def test_only_an_import_that_was_taken_back_is_told_of(
    answers: list[Any], told: dict[Any, Any], undone: bool
) -> None:
    """Where none stands, none is chosen or nobody answers, nothing is taken back."""
    person = Person(answers, told)
    assert await undo_import(cast("HouseholdApp", person)) is undone
    assert (UNDO_IMPORT in person.asked) == (UNDO_IMPORT in told)
    assert any(each.startswith("Taken back") for each in person.said) == undone
