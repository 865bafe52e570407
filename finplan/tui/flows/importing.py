"""Bringing statement files in: what would come in is shown and asked about before it is stored."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from finplan.model import figures
from finplan.model.base import Nothing
from finplan.model.question import ImportAnswer, ImportQuestion, to_be_asked
from finplan.model.statement import ImportId, ImportRecord, ImportReport, ImportRequest
from finplan.operations.statement_file import IMPORT_FILES, LIST_IMPORTS, UNDO_IMPORT
from finplan.tui.dialogs.choosing import ChoiceDialog
from finplan.tui.dialogs.confirming import ConfirmDialog
from finplan.tui.dialogs.files import FilesDialog
from finplan.tui.dialogs.question import QuestionDialog
from finplan.tui.drawing.imports import draw_report
from finplan.tui.feed import NotAnswered
from finplan.tui.household import HouseholdApp

TAKEN_BACK = "u under A (Accounts) takes them back."

_QUESTIONS = TypeAdapter(tuple[ImportQuestion, ...])


async def import_statements(app: HouseholdApp) -> bool:
    """Walk a person through one import; whether rows came in. Nothing is stored before they agree."""
    files = await app.push_screen_wait(FilesDialog(Path.cwd()))
    if not files:
        return False
    answers: list[ImportAnswer] = []
    try:
        report = await _read(app, files, answers)
        if report is None or not await _agrees(app, report):
            return False
        done = await app.feed.ask(IMPORT_FILES, _request(answers, digest=report.digest), files)
    except NotAnswered as refused:
        app.warn(refused.message)
        return False
    app.say(f"{figures.count(_new(done), 'new row')}. {TAKEN_BACK}")
    return True


async def undo_import(app: HouseholdApp) -> bool:
    """Take one of the past imports back; whether one was."""
    try:
        records = await app.feed.ask(LIST_IMPORTS, Nothing())
        standing = [each for each in records if each.undone_at is None]
        if not standing:
            app.say("There is no import to take back.")
            return False
        named = {each.id: _named(each) for each in standing}
        dialog = ChoiceDialog("Which import is to be taken back?", named)
        chosen = await app.push_screen_wait(dialog)
        if chosen is None:
            return False
        undone = await app.feed.ask(UNDO_IMPORT, ImportId(id=chosen))
    except NotAnswered as refused:
        app.warn(refused.message)
        return False
    app.say(f"Taken back: {_named(undone)}")
    return True


async def _read(
    app: HouseholdApp, files: tuple[Path, ...], answers: list[ImportAnswer]
) -> ImportReport | None:
    """What the files hold, once all that they leave open is answered; None where the person stops."""
    while True:
        try:
            return await app.feed.ask(IMPORT_FILES, _request(answers, dry_run=True), files)
        except NotAnswered as refused:
            questions = _questions(refused)
            if not questions:
                raise
        for question in to_be_asked(questions):
            value = await app.push_screen_wait(QuestionDialog(question))
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


async def _agrees(app: HouseholdApp, report: ImportReport) -> bool:
    new = _new(report)
    question = (
        f"Import {figures.count(new, 'new row')}?" if new else "Nothing in it is new. Import?"
    )
    dialog = ConfirmDialog(question, lambda width: draw_report(report, width))
    agreed: bool | None = await app.push_screen_wait(dialog)
    return agreed is True


def _new(report: ImportReport) -> int:
    return sum(each.new for each in report.files)


def _named(record: ImportRecord) -> str:
    files = ", ".join(each.file for each in record.report.files)
    return f"{files}: {figures.count(_new(record.report), 'row')}"
