"""One import on its way: the upload, the questions that only a person can answer, and Ctrl-C."""

import secrets
import string
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

from finplan.cli.console.errors import CommandError, exit_code, print_error, print_remark
from finplan.cli.console.session import Session
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.statement import ImportId, ImportReport, ImportRequest
from finplan.operations import CANCEL_IMPORT, IMPORT_FILES

CANCEL_TRIES, CANCEL_PAUSE = 40, 0.05
"""How often and how quickly to ask again while the daemon has not yet begun what was sent to it."""

OnSent = Callable[[int], None]


class ImportDialog:
    """Files and what the person says about them; `run` may be called again with more said."""

    def __init__(self, session: Session, files: list[Path], hints: Mapping[str, Any]) -> None:
        self.session = session
        self.files = files
        self.hints = dict(hints)

    def run(self, *, dry_run: bool = False, digest: str | None = None) -> ImportReport | None:
        """Send the files; ask the person what the daemon cannot know, and send them again.

        None when the answer was printed as JSON. A CommandError tells which option decides when there
        is nobody to ask.
        """
        while True:
            try:
                return self._send(dry_run=dry_run, digest=digest)
            except CallFailed as failure:
                hint, choices = _choices(failure)
                if hint is None or hint in self.hints:
                    raise
                self.hints[hint] = self._decide(failure, hint, choices)

    def _send(self, *, dry_run: bool, digest: str | None) -> ImportReport | None:
        fields: dict[str, Any] = dict(self.hints)
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

    def _decide(self, failure: CallFailed, hint: str, choices: Mapping[str, str]) -> str:
        option = f"--{hint.replace('account_kind', 'kind').replace('_', '-')}"
        if not self.session.interactive:
            some = "; ".join(
                f"{option} {quote(value)} ({example})" for value, example in choices.items()
            )
            raise CommandError(
                f"{failure.message} Say which: {some}.", exit_code(failure.status, failure.code)
            )
        print_remark(failure.message)
        values = list(choices)
        for place, value in enumerate(values, start=1):
            # The id of an account tells a person nothing that its name does not.
            shown = choices[value] if hint == "account" else f"{value}  {choices[value]}"
            print_remark(f"  {place}  {shown}")
        picked = self.session.ask("Which one?")
        while picked not in map(str, range(1, len(values) + 1)):
            picked = self.session.ask(f"A number from 1 to {len(values)}:")
        return values[int(picked) - 1]


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


def _choices(failure: CallFailed) -> tuple[str | None, Mapping[str, str]]:
    data = failure.data if isinstance(failure.data, dict) else {}
    if failure.status != 409 or not data.get("choices"):
        return None, {}
    return str(data["hint"]), data["choices"]


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
            progress.update(task, advance=size)
            if sent.whole:
                # How long the daemon reads is not known, so the bar only shows that it is at work.
                progress.update(task, description="Reading", total=None)

        yield advance
