"""What an import on the whole screen tells its screen: whether rows came in or were taken back."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from finplan.operations.statement_file import IMPORT_FILES, UNDO_IMPORT
from finplan.tui.flows.importing import import_statements, take_import_back
from finplan.tui.household import HouseholdApp, NotAnswered
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


@pytest.mark.parametrize("agrees", [True, False, None])
async def test_only_an_import_that_was_taken_back_is_told_of(*, agrees: bool | None) -> None:
    """Unless the person agrees nothing is taken back."""
    person = Person([agrees], {UNDO_IMPORT: UNDONE})
    assert await take_import_back(cast("HouseholdApp", person), STANDING) is (agrees is True)
    assert person.asked == [UNDO_IMPORT] * (agrees is True)
    assert any(each.startswith("Taken back") for each in person.said) == (agrees is True)


async def test_nothing_is_said_to_be_taken_back_that_was_not() -> None:
    """Where the daemon does not take it back, whoever asked is told why."""
    person = Person([True], {UNDO_IMPORT: AWAY})
    with pytest.raises(NotAnswered):
        await take_import_back(cast("HouseholdApp", person), STANDING)
    assert person.said == []
