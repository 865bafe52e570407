"""One import on its way: the upload, the questions that only a person can answer, and Ctrl-C."""

import secrets
import string
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic.alias_generators import to_snake

from finplan.cli.console.errors import print_error
from finplan.cli.console.session import Session
from finplan.cli.dialogs.import_questions import OpenQuestions, put, questions_of, refusal
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.question import ANOTHER_ACCOUNT, OF_FIRST_ROW
from finplan.model.statement import ImportId, ImportReport, ImportRequest
from finplan.operations.statement_file import CANCEL_IMPORT, IMPORT_FILES

CANCEL_TRIES, CANCEL_PAUSE = 40, 0.05
"""How often and how quickly to ask again while the daemon has not yet begun what was sent to it."""

OnSent = Callable[[int], None]


class ImportDialog:
    """Files and what the person says about them; `run` may be called again with more said.

    `answers` are for single files, as the field of that name has them; `asks` says that there is
    somebody who wants to be asked for more.
    """

    def __init__(
        self,
        session: Session,
        files: list[Path],
        hints: Mapping[str, Any],
        answers: Sequence[Mapping[str, Any]] = (),
        *,
        asks: bool,
    ) -> None:
        self.session = session
        self.files = files
        self.hints = dict(hints)
        self.answers = list(answers)
        self.asks = asks

    @property
    def has_answers(self) -> bool:
        """Whether the person has answered a question that an earlier file of its kind would settle."""
        same = [{"about": "sameAccount", "value": self.hints.get("same_account", ANOTHER_ACCOUNT)}]
        return any(map(_is_kept, [*self.answers, *same]))

    def run(self, *, dry_run: bool = False, digest: str | None = None) -> ImportReport | None:
        """Send the files; ask the person what the daemon cannot know, and send them again.

        None when the answer was printed as JSON. A CommandError tells how to go on when there is nobody
        to ask; nothing is imported then.
        """
        while True:
            try:
                return self._send(dry_run=dry_run, digest=digest)
            except CallFailed as failure:
                questions = questions_of(failure)
                if not questions or self.session.options.json:
                    raise
                if not self.asks:
                    raise refusal(failure, questions, len(self.files)) from None
                if self._has_answered(questions):
                    raise
                self.answers += put(self.session, questions)

    def _has_answered(self, questions: OpenQuestions) -> bool:
        """Say whether an answer that was given is asked for again: it cannot be the right one."""
        own = {(answer["file"], answer["about"]) for answer in self.answers}
        return any(
            to_snake(each["about"]) in self.hints
            or not own.isdisjoint({(each["file"], each["about"]), (each["name"], each["about"])})
            for each in questions
        )

    def _send(self, *, dry_run: bool, digest: str | None) -> ImportReport | None:
        fields: dict[str, Any] = dict(self.hints)
        if self.answers:
            fields["answers"] = self.answers
        if dry_run:
            fields["dry_run"] = True
        else:
            fields["id"] = _new_id()
        if digest is not None:
            fields["digest"] = digest
        ask = ImportRequest(**fields)
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
        untouched = "Interrupted; nothing was imported."
        if import_id is None or not sent.whole:
            return untouched
        for _ in range(CANCEL_TRIES):
            try:
                self.session.client.call(CANCEL_IMPORT, ImportId(id=import_id))
            except CallFailed as failure:
                if failure.status == 409:
                    return f"Too late to cancel. {failure.message}"
                if failure.status != 404:
                    return f"Interrupted; it could not be cancelled. {failure.message}"
                time.sleep(CANCEL_PAUSE)
            except DaemonUnreachable as failure:
                return f"Interrupted; it could not be cancelled. {failure}"
            else:
                return "Cancelled in time; nothing was imported."
        return untouched


def _is_kept(answer: Mapping[str, Any]) -> bool:
    """Whether an answer is remembered for later files, and not about one file or account alone."""
    about, value = answer["about"], str(answer["value"])
    is_of_one_file = about == "direction" and value.startswith(OF_FIRST_ROW)
    is_of_one_account = about == "accountKind" or (about, value) == ("sameAccount", ANOTHER_ACCOUNT)
    return not (is_of_one_file or is_of_one_account)


class _Sent:
    """How many bytes of the files have been sent."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0

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

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        console=remarks(),
        transient=True,
    ) as progress:
        task = progress.add_task("Sending", total=sent.total)

        def advance(size: int) -> None:
            sent.add(size)
            if sent.whole:
                # How long the daemon reads is not known, so the bar only shows that it is at work.
                progress.update(task, description="Reading", total=None)
            else:
                progress.update(task, description="Sending", completed=sent.done, total=sent.total)

        yield advance
