"""An import on its way: what is sent, how far it is, and what the files leave open."""

import secrets
import string
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from pydantic.alias_generators import to_snake

from finplan.cli.console.errors import CommandError, exit_code, print_error, print_remark
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import build_request
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model import statement
from finplan.model.statement import ImportQuestion
from finplan.operations.statement_file import CANCEL_IMPORT, IMPORT_FILES
from finplan.views import import_questions
from finplan.views.import_questions import AskedQuestion, QuestionWalk


def put(session: Session, questions: Sequence[ImportQuestion]) -> list[statement.ImportAnswer]:
    """Ask the person each question. An answer may be for other files that are asked the same."""
    walk = QuestionWalk(questions)
    while (question := walk.next()) is not None:
        value = _ask(session, question)
        alike = question.also_for is not None and session.confirm(
            f"{question.also_for}?", default=question.is_usual(value)
        )
        walk.answer(value, alike=alike)
    return walk.answers


def refusal(failure: CallFailed, questions: Sequence[ImportQuestion], files: int) -> CommandError:
    """List the questions that nobody is there to answer; the error says how to go on.

    `files` is how many the import has: an option is for all of them, and would change those that are
    not asked about.
    """
    groups = import_questions.groups(questions)
    abouts = [first.about for first, *_ in groups]
    for question in map(AskedQuestion, groups):
        is_whole = len({own.file for own in question.questions}) == files
        # An option answers all questions about one thing, so accounts of one file take an answer each.
        is_for_all = is_whole and abouts.count(question.first.about) == 1
        print_remark(f"{question.files}: {question.first.text}")
        for choice in question.first.choices:
            for own in question.questions[:1] if is_for_all else question.questions:
                print_remark(f"  {_option(own, choice.value, is_alone=is_for_all)}")
            sample = f" ({choice.sample})" if choice.sample else ""
            print_remark(f"      {choice.label}{sample}")
        if question.first.about in import_questions.TAKES_OTHERS:
            print_remark(f"  or {question.other}")
    open_ = "1 question is" if len(groups) == 1 else f"{len(groups)} questions are"
    return CommandError(
        f"Nothing was imported: {open_} open. Answer each question with an option, or run the"
        " command in a terminal without --yes.",
        exit_code(failure.status, failure.code),
    )


def _option(question: ImportQuestion, value: str, *, is_alone: bool) -> str:
    if is_alone:
        return f"{question.option} {quote(value)}"
    return f"--answer {quote(f'{question.name}:{question.about}={value}')}"


def _ask(session: Session, question: AskedQuestion) -> str:
    choices = question.first.choices
    print_remark(f"{question.files}: {question.first.text}")
    for number, choice in enumerate(choices, start=1):
        print_remark(f"  {number}  {choice.label}")
        if choice.sample:
            print_remark(f"       {choice.sample}")
    beside = "" if question.other is None else f", or {question.other}"
    picked = session.ask(f"Which one? Type its number{beside}:" if beside else "Which one?")
    while True:
        if picked.isdecimal() and 1 <= int(picked) <= len(choices):
            return choices[int(picked) - 1].value
        if (value := question.value_of(picked)) is not None:
            return value
        picked = session.ask(f"Type a number from 1 to {len(choices)}{beside}:")


CANCEL_TRIES, CANCEL_PAUSE = 40, 0.05
"""How often and how quickly to ask again while the daemon has not yet begun what was sent to it."""

OnSent = Callable[[int], None]


@dataclass
class ImportDialog:
    """Files and what the person says about them; `run` may be called again with more said.

    `answers` are for single files, as the field of that name has them; `asks` says that there is
    somebody who wants to be asked for more.
    """

    session: Session
    files: list[Path]
    hints: Mapping[str, Any]
    answers: list[statement.ImportAnswer]
    asks: bool

    @property
    def has_answers(self) -> bool:
        """Whether the person has answered a question that an earlier file of its kind would settle."""
        same = self.hints.get("same_account", statement.ANOTHER_ACCOUNT)
        return same != statement.ANOTHER_ACCOUNT or any(
            map(import_questions.is_remembered, self.answers)
        )

    def run(
        self, *, dry_run: bool = False, digest: str | None = None
    ) -> statement.ImportReport | None:
        """Send the files; ask the person what the daemon cannot know, and send them again.

        None when the answer was printed as JSON. A CommandError tells how to go on when there is nobody
        to ask; nothing is imported then.
        """
        while True:
            try:
                return self._send(dry_run=dry_run, digest=digest)
            except CallFailed as failure:
                questions = import_questions.questions_of(failure.data)
                if not questions or self.session.options.json:
                    raise
                if not self.asks:
                    raise refusal(failure, questions, len(self.files)) from None
                hinted = any(to_snake(question.about) in self.hints for question in questions)
                if hinted or import_questions.asked_again(questions, self.answers):
                    raise
                self.answers += put(self.session, questions)

    def _send(self, *, dry_run: bool, digest: str | None) -> statement.ImportReport | None:
        ask = build_request(
            IMPORT_FILES,
            **self.hints,
            answers=tuple(self.answers) or None,
            dry_run=dry_run or None,
            id=None if dry_run else _new_id(),
            digest=digest,
        )
        client = self.session.client
        sent = _Sent(sum(file.stat().st_size for file in self.files))
        try:
            with _progress(self.session, sent) as on_sent:
                if self.session.options.json:
                    content = client.call_raw(IMPORT_FILES, ask, self.files, on_sent)
                else:
                    return client.call(IMPORT_FILES, ask, self.files, on_sent)
        except KeyboardInterrupt:
            print_error(self._cancel(ask.id, sent))
            raise
        self.session.print_raw(content)
        return None

    def _cancel(self, import_id: str | None, sent: "_Sent") -> str:
        """Cancel at the daemon and tell how it ended."""
        untouched = "Canceled. Nothing was saved."
        if import_id is None or not sent.whole:
            return untouched
        for _ in range(CANCEL_TRIES):
            try:
                self.session.client.call(CANCEL_IMPORT, statement.ImportId(id=import_id))
            except CallFailed as failure:
                if failure.status == 409:
                    return f"Too late to cancel. {failure.message}"
                if failure.status != 404:
                    return f"Could not cancel the import. {failure.message}"
                time.sleep(CANCEL_PAUSE)
            except DaemonUnreachable as failure:
                return f"Could not cancel the import. {failure}"
            else:
                return untouched
        return untouched


@dataclass
class _Sent:
    """How many bytes of the files have been sent."""

    total: int
    done: int = 0

    @property
    def whole(self) -> bool:
        return self.done >= self.total

    def add(self, size: int) -> None:
        self.done += size


def _new_id() -> str:
    alphabet = string.ascii_lowercase + string.digits
    return "imp_" + "".join(secrets.choice(alphabet) for _ in range(24))


@contextmanager
def _progress(session: Session, sent: _Sent) -> Iterator[OnSent]:
    if not session.shows_progress:
        yield sent.add
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    from finplan.cli.console.terminal import remarks

    columns = TextColumn("{task.description}"), BarColumn(), DownloadColumn()
    with Progress(*columns, console=remarks(), transient=True) as progress:
        task = progress.add_task("Sending", total=sent.total)

        def advance(size: int) -> None:
            sent.add(size)
            if sent.whole:
                # How long the daemon reads is not known, so the bar only shows that it is at work.
                progress.update(task, description="Reading", total=None)
            else:
                progress.update(task, description="Sending", completed=sent.done, total=sent.total)

        yield advance
