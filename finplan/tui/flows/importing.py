"""Bringing statement files in: what would come in is shown and asked about before it is stored.

Files are typed, dropped on the terminal as a path, or found in folders. What a file leaves open is asked
with rows as each answer would read them.
"""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from pydantic import TypeAdapter, ValidationError
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import DirectoryTree, Input, OptionList, Static
from textual.widgets.option_list import Option

from finplan.model import figures, statement
from finplan.operations.statement_file import IMPORT_FILES, UNDO_IMPORT
from finplan.tui.dialogs import ConfirmDialog
from finplan.tui.drawing.lines import BAD, CAUTION, FAINT, STRONG, ends, page, row, styled, wrapped
from finplan.tui.household import HouseholdApp, NotAnswered

TAKEN_BACK = "u under A (Accounts) takes them back."

_QUESTIONS = TypeAdapter(tuple[statement.ImportQuestion, ...])


async def import_statements(app: HouseholdApp) -> bool:
    """Walk a person through one import; whether rows came in. Nothing is stored before they agree."""
    files = await app.push_screen_wait(FilesDialog(Path.cwd()))
    if not files:
        return False
    answers: list[statement.ImportAnswer] = []
    try:
        report = await _report_of_files(app, files, answers)
        if report is None or not await _agrees(app, report):
            return False
        done = await app.feed.ask(
            IMPORT_FILES, _import_request(answers, digest=report.digest), files
        )
    except NotAnswered as refused:
        app.warn(refused.message)
        return False
    app.say(f"{figures.count(_new_rows(done), 'new row')}. {TAKEN_BACK}")
    return True


async def take_import_back(app: HouseholdApp, record: statement.ImportRecord) -> bool:
    """Take a past import back, once the person has seen what goes. Raises NotAnswered."""
    question = f"Take back {figures.count(_new_rows(record.report), 'row')}?"
    dialog = ConfirmDialog(question, lambda width: draw_undo(record, width))
    agreed: bool | None = await app.push_screen_wait(dialog)
    if agreed is not True:
        return False
    undone = await app.feed.ask(UNDO_IMPORT, statement.ImportId(id=record.id))
    app.say(f"Taken back: {import_named(undone)}.")
    return True


async def _report_of_files(
    app: HouseholdApp, files: tuple[Path, ...], answers: list[statement.ImportAnswer]
) -> statement.ImportReport | None:
    """What the files hold, once all that they leave open is answered; None where the person stops."""
    while True:
        try:
            return await app.feed.ask(IMPORT_FILES, _import_request(answers, dry_run=True), files)
        except NotAnswered as refused:
            questions = _questions_of(refused)
            if not questions:
                raise
        for question in statement.to_be_asked(questions):
            value = await app.push_screen_wait(QuestionDialog(question))
            if value is None:
                return None
            answers.append(
                statement.ImportAnswer(file=question.file, about=question.about, value=value)
            )


def _questions_of(refused: NotAnswered) -> tuple[statement.ImportQuestion, ...]:
    data = refused.data if isinstance(refused.data, dict) else {}
    try:
        return _QUESTIONS.validate_python(data.get("questions", ()), strict=False)
    except ValidationError:
        return ()


def _import_request(
    answers: Sequence[statement.ImportAnswer], *, dry_run: bool = False, digest: str | None = None
) -> statement.ImportRequest:
    return statement.ImportRequest(dry_run=dry_run, digest=digest, answers=tuple(answers) or None)


async def _agrees(app: HouseholdApp, report: statement.ImportReport) -> bool:
    new = _new_rows(report)
    question = (
        f"Import {figures.count(new, 'new row')}?" if new else "Nothing in it is new. Import?"
    )
    dialog = ConfirmDialog(question, lambda width: draw_report(report, width))
    agreed: bool | None = await app.push_screen_wait(dialog)
    return agreed is True


def _new_rows(report: statement.ImportReport) -> int:
    return sum(each.new for each in report.files)


def import_named(record: statement.ImportRecord) -> str:
    """An import by its files, and how many rows it brought."""
    files = ", ".join(each.file for each in record.report.files)
    return f"{files}: {figures.count(_new_rows(record.report), 'row')}"


class FilesDialog(ModalScreen[tuple[Path, ...] | None]):
    """Answers the files, None for Escape."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Back")]

    def __init__(self, begins_at: Path) -> None:
        super().__init__()
        self._begins_at = begins_at

    def compose(self) -> ComposeResult:
        """A line for paths, and the folders below here."""
        with Vertical(classes="dialog"):
            yield Static(styled("Which statement files?", "bold"))
            yield Input(placeholder="Type a path, or drop files here")
            yield Static(
                styled("Enter takes what is typed; Tab goes to the folders.", FAINT), id="hint"
            )
            yield DirectoryTree(self._begins_at)

    @on(DirectoryTree.FileSelected)
    def _add(self, chosen: DirectoryTree.FileSelected) -> None:
        line = self.query_one(Input)
        line.value = f"{line.value} {shlex.quote(str(chosen.path))}".strip()
        line.focus()

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        hint = self.query_one("#hint", Static)
        try:
            files = paths(typed.value)
        except ValueError as error:
            hint.update(styled(str(error), CAUTION))
            return
        missing = [each for each in files if not each.is_file()]
        if missing:
            hint.update(styled(f"There is no file {missing[0]}.", CAUTION))
        elif files:
            self.dismiss(files)
        else:
            hint.update(styled("No file is named yet; Tab goes to the folders.", CAUTION))


def paths(typed: str) -> tuple[Path, ...]:
    """The files that a line names, written as a shell would have them or as a terminal drops them.

    Raises ValueError for a quote that is not closed. A whole line that is a file is one, spaces and all.
    """
    whole = Path(typed.strip()).expanduser()
    if typed.strip() and whole.is_file():
        return (whole,)
    try:
        words = shlex.split(typed)
    except ValueError:
        raise ValueError("A quote is not closed.") from None
    return tuple(_path_of_word(each) for each in words)


def _path_of_word(word: str) -> Path:
    if word.startswith("file://"):
        return Path(unquote(word.removeprefix("file://")))
    return Path(word).expanduser()


class QuestionDialog(ModalScreen[str | None]):
    """Answers the value that is sent, None where the person stops."""

    BINDINGS: ClassVar = [("escape", "dismiss(None)", "Stop")]

    def __init__(self, question: statement.ImportQuestion) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """The file, the question, its choices, and a line where something else may be said."""
        asked = self._question
        with Vertical(classes="dialog"):
            yield Static(styled(asked.name, FAINT))
            yield Static(styled(asked.text, "bold"))
            yield OptionList(
                *(
                    Option(_answer_told(each.label, each.sample), id=each.value)
                    for each in asked.choices
                )
            )
            other = statement.takes_another(asked)
            if other is not None:
                yield Input(placeholder=f"or {other}")

    @on(OptionList.OptionSelected)
    def _choose(self, chosen: OptionList.OptionSelected) -> None:
        self.dismiss(chosen.option_id)

    @on(Input.Submitted)
    def _take(self, typed: Input.Submitted) -> None:
        if typed.value.strip():
            self.dismiss(typed.value.strip())


def _answer_told(label: str, sample: str | None) -> Content:
    if not sample:
        return styled(label)
    return Content.assemble(styled(label), "\n", styled(f"  {sample}", FAINT))


def draw_report(report: statement.ImportReport, width: int) -> Content:
    """Each file with its accounts, its sums and some of its rows."""
    return page(
        [line for file in report.files for line in (*_draw_file(file, width), Content(""))][:-1]
    )


def draw_undo(record: statement.ImportRecord, width: int) -> Content:
    """What goes when an import is taken back: each file with its rows."""
    lines = [
        ends(styled(file.file, STRONG), styled(figures.count(file.new, "row"), FAINT), width)
        for file in record.report.files
    ]
    said = (
        "An account that nothing else brought goes with its rows, its name and its balance; rules and"
        " answers stay."
    )
    return page([*lines, Content(""), *wrapped(said, width, FAINT)])


def _draw_file(file: statement.FileReport, width: int) -> list[Content]:
    counts = [f"{file.new:,} new", f"{file.known:,} there already"]
    if file.ambiguous:
        counts.append(f"{file.ambiguous:,} uncertain")
    lines = [ends(styled(file.file, STRONG), styled(", ".join(counts), FAINT), width)]
    if file.error is not None:
        return [*lines, *wrapped(file.error, width, BAD)]
    for account in file.accounts:
        lines += _draw_account(account, width)
    for note in file.notes:
        lines += wrapped(note, width, CAUTION)
    return lines


def _draw_account(account: statement.FileAccount, width: int) -> list[Content]:
    days = ""
    if account.since is not None and account.until is not None:
        days = figures.day_span(account.since, account.until)
    lines = [ends(f"{account.name} ({account.kind})", styled(days, FAINT), width)]
    currency = account.currency
    money_in = figures.money(account.money_in, currency)
    money_out = figures.money(account.money_out, currency)
    lines.append(styled(f"in {money_in}, out {money_out}", FAINT))
    if account.closing_balance is not None:
        fits = {True: "fits its rows", False: "does not fit its rows", None: "cannot be checked"}
        told = figures.money(account.closing_balance, currency)
        style = CAUTION if account.balance_fits is False else FAINT
        lines.append(styled(f"balance {told}, {fits[account.balance_fits]}", style))
    for sample in account.samples:
        amount = figures.fitted(sample.amount, currency, 12)
        day = styled(f"{sample.date}", FAINT)
        lines.append(row((day, 10), (sample.payee, max(8, width - 25)), (amount, -12)))
    for said in account.assumed:
        lines += wrapped(said, width, FAINT)
    for left in account.left_out:
        lines += wrapped(
            f"Left out: {figures.count(left.count, 'row')}, {left.reason}", width, FAINT
        )
    return lines
