"""An import on its way: what is sent, how far it is, and what the files leave open."""

import secrets
import string
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

from pydantic.alias_generators import to_snake

from finplan.cli.console.errors import CommandError, exit_code, print_error, print_remark
from finplan.cli.console.session import Session
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model import statement
from finplan.model.figures import count
from finplan.model.money import CODES
from finplan.operations.statement_file import CANCEL_IMPORT, IMPORT_FILES

OpenQuestions = Sequence[Mapping[str, Any]]
"""Questions as `data.questions` of a refusal has them: model.question.ImportQuestion, as JSON."""

_WAITS_FOR = {
    "direction": statement.READ_FIRST,
    "accountKind": (*statement.READ_FIRST, "direction"),
}
"""What is asked of a file only after something else; whether it is an account that is there already is
asked in the same walk."""

_MANY, _NAMED = 2, 3
"""From how many further files on one answer is offered for all; how many of them are named."""


def questions_of(failure: CallFailed) -> OpenQuestions:
    """The questions with which an import was refused; none where it was for another reason."""
    data = failure.data if isinstance(failure.data, dict) else {}
    questions = data.get("questions") if failure.status == 409 else None
    return questions if isinstance(questions, list) else ()


def put(session: Session, questions: OpenQuestions) -> list[dict[str, Any]]:
    """Ask the person each question; the answers are as an import's field `answers` has them.

    What kind of account a file is of is not asked once one of its accounts is there already, and has
    its kind: where another one is new, the next refusal asks about that one alone. What another answer
    on the file may settle is not asked beside it, so that rows are shown as they are then read. An
    answer may be for other files that are asked the same.
    """
    answers: list[dict[str, Any]] = []
    known: set[int] = set()
    waiting = _groups([each for each in questions if not _waits(each, questions)])
    while waiting:
        group = waiting.pop(0)
        if group[0]["about"] == "accountKind" and group[0]["file"] in known:
            continue
        value = _ask(session, group)
        alike = [other for other in waiting if _is_asked_alike(group[0], other[0])]
        if _is_for_all(session, alike, value):
            waiting = [other for other in waiting if other not in alike]
            group = [*group, *(each for other in alike for each in other)]
        if group[0]["about"] == "sameAccount" and value != statement.ANOTHER_ACCOUNT:
            known |= {own["file"] for own in group}
        answers += [{"file": own["file"], "about": own["about"], "value": value} for own in group]
    return answers


def _waits(question: Mapping[str, Any], questions: OpenQuestions) -> bool:
    """Say whether a question is asked after another one of these on its file."""
    before = _WAITS_FOR.get(question["about"], ())
    return any(each["file"] == question["file"] and each["about"] in before for each in questions)


def refusal(failure: CallFailed, questions: OpenQuestions, files: int) -> CommandError:
    """List the questions that nobody is there to answer; the error says how to go on.

    `files` is how many the import has: an option is for all of them, and would change those that are
    not asked about.
    """
    groups = _groups(questions)
    abouts = [group[0]["about"] for group in groups]
    for group in groups:
        each = group[0]
        is_whole = len({own["file"] for own in group}) == files
        # An option answers all questions about one thing, so accounts of one file take an answer each.
        is_for_all = is_whole and abouts.count(each["about"]) == 1
        print_remark(f"{_names(group)}: {each['text']}")
        for choice in each["choices"]:
            for own in group[:1] if is_for_all else group:
                print_remark(f"  {_option(own, choice['value'], is_alone=is_for_all)}")
            print_remark(f"      {_described(choice)}")
        if each["about"] in statement.TAKES_OTHERS:
            print_remark(f"  or {statement.TAKES_OTHERS[each['about']]}")
    open_ = "One question is" if len(groups) == 1 else f"{len(groups)} questions are"
    return CommandError(
        f"{open_} open, so nothing was imported. Add an option for each. In a terminal you are"
        " asked instead, unless --yes is given.",
        exit_code(failure.status, failure.code),
    )


def _groups(questions: OpenQuestions) -> list[OpenQuestions]:
    """Put questions on the currency of several files together that have the same choices."""
    groups: dict[object, list[Mapping[str, Any]]] = {}
    for place, each in enumerate(questions):
        codes = tuple(choice["value"] for choice in each["choices"])
        key = (each["text"], codes) if each["about"] == "currency" else place
        groups.setdefault(key, []).append(each)
    return list(groups.values())


def _is_asked_alike(question: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether two files are asked the same; the way of a first row is each file's own."""
    values, others = ([each["value"] for each in asked["choices"]] for asked in (question, other))
    is_same = (question["about"], values) == (other["about"], others)
    is_own = any(str(value).startswith(statement.OF_FIRST_ROW) for value in values)
    return is_same and not is_own and question["file"] != other["file"]


def _is_for_all(session: Session, alike: Sequence[OpenQuestions], value: str) -> bool:
    """Ask whether an answer is for other files too, where that saves the person questions."""
    if len(alike) < _MANY:
        return False
    asked = [each for group in alike for each in group]
    more = count(len(asked) - _NAMED, "more file")
    listed = ", ".join(str(each["name"]) for each in asked[:_NAMED])
    names = _names(asked) if len(asked) <= _NAMED + 1 else f"{listed} and {more}"
    # One account is often meant by all of its months; of two kinds or ways nothing can be expected.
    is_usual = asked[0]["about"] == "sameAccount" and value != statement.ANOTHER_ACCOUNT
    return session.confirm(f"The same for {names}?", default=is_usual)


def _names(group: OpenQuestions) -> str:
    *first, last = (each["name"] for each in group)
    return f"{', '.join(first)} and {last}" if first else str(last)


def _option(question: Mapping[str, Any], value: str, *, is_alone: bool) -> str:
    if is_alone:
        return f"{question['option']} {quote(value)}"
    answer = f"{question['name']}:{question['about']}={value}"
    return f"--answer {quote(answer)}"


def _described(choice: Mapping[str, Any]) -> str:
    return ": ".join(filter(None, (choice["label"], choice["sample"])))


def _ask(session: Session, group: OpenQuestions) -> str:
    question = group[0]
    values = [str(choice["value"]) for choice in question["choices"]]
    print_remark(f"{_names(group)}: {question['text']}")
    for line in _numbered(question["choices"]):
        print_remark(line)
    other = statement.TAKES_OTHERS.get(question["about"])
    if question["about"] == "direction" and statement.MARKS in question["text"]:
        other = "the words of money out, with commas between"
    beside = "" if other is None else f", or {other}"
    picked = session.ask(f"Which one?{beside and f' Its number{beside}:'}")
    while not picked.isdecimal() or not 1 <= int(picked) <= len(values):
        if picked in values or (
            question["about"] == "direction" and picked.startswith(statement.MARKS)
        ):
            return picked
        typed = None if other is None or picked.isdecimal() else _typed(question["about"], picked)
        if typed is not None:
            return typed
        picked = session.ask(f"A number from 1 to {len(values)}{beside}:")
    return values[int(picked) - 1]


def _typed(about: str, picked: str) -> str | None:
    """What was typed instead of a number, as an import takes it; None for what is no answer."""
    if about == "currency":
        return picked.upper() if picked.upper() in CODES else None
    if about == "direction" and picked:
        return statement.MARKS + picked.removeprefix(statement.MARKS)
    return picked or None


def _numbered(choices: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for number, choice in enumerate(choices, start=1):
        yield f"  {number}  {choice['label']}"
        if choice["sample"]:
            yield f"       {choice['sample']}"


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
        same = [
            {
                "about": "sameAccount",
                "value": self.hints.get("same_account", statement.ANOTHER_ACCOUNT),
            }
        ]
        return any(map(_is_kept, [*self.answers, *same]))

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

    def _send(self, *, dry_run: bool, digest: str | None) -> statement.ImportReport | None:
        fields: dict[str, Any] = dict(self.hints)
        if self.answers:
            fields["answers"] = self.answers
        if dry_run:
            fields["dry_run"] = True
        else:
            fields["id"] = _new_id()
        if digest is not None:
            fields["digest"] = digest
        ask = statement.ImportRequest(**fields)
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
                self.session.client.call(CANCEL_IMPORT, statement.ImportId(id=import_id))
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
    is_of_one_file = about == "direction" and value.startswith(statement.OF_FIRST_ROW)
    is_of_one_account = about == "accountKind" or (about, value) == (
        "sameAccount",
        statement.ANOTHER_ACCOUNT,
    )
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
