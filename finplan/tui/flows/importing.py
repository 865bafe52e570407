"""Bringing statement files in: what would come in is shown and asked about before it is stored."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from finplan.model import figures
from finplan.model.question import ImportAnswer, ImportQuestion, to_be_asked
from finplan.model.statement import ImportId, ImportRecord, ImportReport, ImportRequest
from finplan.operations.statement_file import IMPORT_FILES, UNDO_IMPORT
from finplan.tui.dialogs.confirming import ConfirmDialog
from finplan.tui.dialogs.files import FilesDialog
from finplan.tui.dialogs.question import QuestionDialog
from finplan.tui.drawing.imports import draw_report, draw_undo
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


async def take_import_back(app: HouseholdApp, record: ImportRecord) -> bool:
    """Take a past import back, once the person has seen what goes. Raises NotAnswered."""
    question = f"Take back {figures.count(_new(record.report), 'row')}?"
    dialog = ConfirmDialog(question, lambda width: draw_undo(record, width))
    agreed: bool | None = await app.push_screen_wait(dialog)
    if agreed is not True:
        return False
    undone = await app.feed.ask(UNDO_IMPORT, ImportId(id=record.id))
    app.say(f"Taken back: {named(undone)}.")
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


def named(record: ImportRecord) -> str:
    """An import by its files, and how many rows it brought."""
    files = ", ".join(each.file for each in record.report.files)
    return f"{files}: {figures.count(_new(record.report), 'row')}"
