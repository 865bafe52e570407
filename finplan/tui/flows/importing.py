"""Bringing statement files in: what would come in is shown and asked about before it is stored.

Files are typed, dropped on the terminal as a path, or found in folders. What a file leaves open is asked
with rows as each answer would read them.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import DirectoryTree, Input, Static

from finplan.model import figures
from finplan.model.statement import (
    ImportAnswer,
    ImportChoice,
    ImportId,
    ImportRecord,
    ImportReport,
    ImportRequest,
)
from finplan.operations.statement_file import IMPORT_FILES, UNDO_IMPORT
from finplan.tui.dialogs import ChoiceDialog, TypedDialog, agrees
from finplan.tui.drawing import FAINT, styled
from finplan.tui.household import HouseholdApp, NotAnswered, warning
from finplan.views import import_questions, imports
from finplan.views.import_questions import AskedQuestion, QuestionWalk


async def import_statements(app: HouseholdApp) -> bool:
    """Walk a person through one import; whether rows came in. Nothing is stored before they agree."""
    files = await app.push_screen_wait(FilesDialog())
    if not files:
        return False
    answers: list[ImportAnswer] = []
    with warning(app):
        report = await _report_of_files(app, files, answers)
        if report is None:
            return False
        has_answers = any(map(import_questions.is_remembered, answers))
        question = imports.proposal(report, has_answers=has_answers)
        if question is None:
            app.say(imports.NOTHING_NEW)
        elif await agrees(app, question, imports.report(report).parts):
            ask = _import_request(answers, digest=report.digest)
            done = await app.feed.ask(IMPORT_FILES, ask, files)
            app.say(" ".join(imports.done(done, has_answers=has_answers)))
            return True
    return False


async def take_import_back(app: HouseholdApp, record: ImportRecord) -> bool:
    """Take a past import back, once the person has seen what goes. Raises NotAnswered."""
    removed = figures.count(imports.new_rows(record.report), "transaction")
    question = f"Undo this import and remove {removed}?"
    if not await agrees(app, question, imports.to_take_back(record).parts):
        return False
    undone = await app.feed.ask(UNDO_IMPORT, ImportId(id=record.id))
    app.say(imports.taken_back(undone))
    return True


async def _report_of_files(
    app: HouseholdApp, files: tuple[Path, ...], answers: list[ImportAnswer]
) -> ImportReport | None:
    """What the files hold, once all that they leave open is answered; None where the person stops."""
    while True:
        try:
            return await app.feed.ask(IMPORT_FILES, _import_request(answers, dry_run=True), files)
        except NotAnswered as refused:
            questions = import_questions.questions_of(refused.data)
            if not questions or import_questions.asked_again(questions, answers):
                raise
        walk = QuestionWalk(questions)
        while (question := walk.next()) is not None:
            value = await app.push_screen_wait(QuestionDialog(question))
            if value is None:
                return None
            walk.answer(value, alike=await _is_also_for(app, question, value))
        answers += walk.answers


async def _is_also_for(app: HouseholdApp, question: AskedQuestion, value: str) -> bool:
    """Whether an answer is for the files that are asked the same; the likely choice comes first."""
    if question.also_for is None:
        return False
    names = {"all": "Yes, for all", "one": "No, ask for each file"}
    if not question.is_usual(value):
        names = dict(reversed(names.items()))
    return await app.push_screen_wait(ChoiceDialog(f"{question.also_for}?", names)) == "all"


def _import_request(
    answers: Sequence[ImportAnswer], *, dry_run: bool = False, digest: str | None = None
) -> ImportRequest:
    return ImportRequest(dry_run=dry_run, digest=digest, answers=tuple(answers) or None)


class FilesDialog(TypedDialog[tuple[Path, ...]]):
    """Answers files that are there: those of a line, or of the folders below here."""

    def __init__(self) -> None:
        super().__init__(
            "Which statement files?",
            "Enter to continue, Tab to browse folders.",
            reads=_files,
            placeholder="Type a path, or drop files here",
        )

    def compose_answers(self) -> ComposeResult:
        """The line, and the folders."""
        yield from super().compose_answers()
        yield DirectoryTree(Path.cwd())

    @on(DirectoryTree.FileSelected)
    def _add(self, chosen: DirectoryTree.FileSelected) -> None:
        line = self.query_one(Input)
        line.value = f"{line.value} {shlex.quote(str(chosen.path))}".strip()
        line.focus()


def _files(typed: str) -> tuple[Path, ...]:
    files = paths(typed)
    missing = [file for file in files if not file.is_file()]
    if missing:
        raise ValueError(f"{missing[0]} not found.")
    if not files:
        raise ValueError("Type a file name, or press Tab to browse folders.")
    return files


def paths(typed: str) -> tuple[Path, ...]:
    """The files that a line names, written as a shell would have them or as a terminal drops them.

    Raises ValueError for a quote that is not closed. A whole line that is a file is one, spaces and all.
    """
    path = Path(typed.strip()).expanduser()
    if typed.strip() and path.is_file():
        return (path,)
    try:
        tokens = shlex.split(typed)
    except ValueError:
        raise ValueError("Close the quotation mark.") from None
    return tuple(_path_of_word(token) for token in tokens)


def _path_of_word(text: str) -> Path:
    if text.startswith("file://"):
        return Path(unquote(text.removeprefix("file://")))
    return Path(text).expanduser()


class QuestionDialog(ChoiceDialog):
    """Answers the value that is sent: that of a choice, or what is typed where something else may be."""

    def __init__(self, question: AskedQuestion) -> None:
        about = styled(question.files, FAINT) + "\n" + styled(question.first.text, "bold")
        super().__init__(
            about, {choice.value: _drawn_choice(choice) for choice in question.first.choices}
        )
        self._asked = question

    def compose_answers(self) -> ComposeResult:
        """The choices, and a line where something else may be said."""
        yield from super().compose_answers()
        if self._asked.other is not None:
            yield Input(placeholder=f"or {self._asked.other}")
            yield Static(id="hint")

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        value = self._asked.value_of(typed.value.strip())
        if value is None:
            self.hint(f"Choose one above, or type {self._asked.other}.")
        else:
            self.dismiss(value)


def _drawn_choice(choice: ImportChoice) -> Content:
    label = styled(choice.label)
    return label if not choice.sample else label + "\n" + styled(f"  {choice.sample}", FAINT)
