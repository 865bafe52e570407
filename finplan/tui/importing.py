"""Bringing statement files in: what would come in is shown, what they leave open is asked, and then it is done."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from finplan.model import figures
from finplan.model.question import ImportAnswer, ImportQuestion, to_be_asked
from finplan.model.statement import ImportReport, ImportRequest
from finplan.operations.household import IMPORT_FILES
from finplan.tui.dialogs.confirming import ConfirmDialog
from finplan.tui.dialogs.files import FilesDialog
from finplan.tui.dialogs.question import QuestionDialog
from finplan.tui.drawing.imports import draw_report
from finplan.tui.feed import NotAnswered

if TYPE_CHECKING:
    from finplan.tui.screens.base import HouseholdScreen

_QUESTIONS = TypeAdapter(tuple[ImportQuestion, ...])


async def import_statements(screen: "HouseholdScreen[Any]") -> None:
    """Walk a person through one import. Nothing is stored before they have seen it and agreed."""
    files = await screen.app.push_screen_wait(FilesDialog(Path.cwd()))
    if not files:
        return
    answers: list[ImportAnswer] = []
    try:
        report = await _read(screen, files, answers)
        if report is None:
            return
        if not await _agrees(screen, report):
            return
        done = await screen.household.feed.ask(
            IMPORT_FILES, _request(answers, digest=report.digest), files
        )
    except NotAnswered as refused:
        screen.notify(refused.message, severity="warning", timeout=15)
        return
    new = sum(each.new for each in done.files)
    screen.notify(
        f"{figures.count(new, 'new row')}. `finplan imports undo {done.id}` takes them back.",
        timeout=10,
    )
    screen.load()


async def _read(
    screen: "HouseholdScreen[Any]", files: Sequence[Path], answers: list[ImportAnswer]
) -> ImportReport | None:
    """What the files hold, once all that they leave open is answered; None where the person stops."""
    while True:
        try:
            return await screen.household.feed.ask(
                IMPORT_FILES, _request(answers, dry_run=True), tuple(files)
            )
        except NotAnswered as refused:
            questions = _questions(refused)
            if not questions:
                raise
        for question in to_be_asked(questions):
            value = await screen.app.push_screen_wait(QuestionDialog(question))
            if value is None:
                return None
            answers.append(ImportAnswer(file=question.file, about=question.about, value=value))


def _questions(refused: NotAnswered) -> tuple[ImportQuestion, ...]:
    data = refused.data if isinstance(refused.data, dict) else {}
    try:
        return _QUESTIONS.validate_python(data.get("questions", ()), strict=False)
    except ValidationError:
        return ()


def _request(
    answers: Sequence[ImportAnswer], *, dry_run: bool = False, digest: str | None = None
) -> ImportRequest:
    return ImportRequest(dry_run=dry_run, digest=digest, answers=tuple(answers) or None)


async def _agrees(screen: "HouseholdScreen[Any]", report: ImportReport) -> bool:
    new = sum(each.new for each in report.files)
    question = (
        f"Import {figures.count(new, 'new row')}?" if new else "Nothing new is in there. Import?"
    )
    return bool(
        await screen.app.push_screen_wait(
            ConfirmDialog(question, lambda width: draw_report(report, width))
        )
    )
