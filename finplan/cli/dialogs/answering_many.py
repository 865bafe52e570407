"""Many answers at once: those that are suggested, one answer for several payees, or a file of them.

Each answer is kept by itself. One that is refused is told and stops no other.
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from pydantic import TypeAdapter, ValidationError

from finplan import views
from finplan.cli.console.errors import BAD_INPUT, CommandError, exit_code, print_error
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import category_finder, category_labels
from finplan.client.failures import CallFailed
from finplan.model import figures
from finplan.model.base import read_json
from finplan.model.task import CategorizePayee, Task, TaskAnswer
from finplan.operations.task import ANSWER_TASK, LIST_TASKS

Ids = Callable[[str], str]
"""What finds the id of what a person means by an id, the beginning of one, or a name."""

FORM = 'Expected a list like [{"id": "ID", "answer": "dining"}, {"id": "venmo", "dismiss": true}]'


def answer_many(session: Session, replies: Sequence[TaskAnswer]) -> None:
    """Give each answer and tell what it did; with --json print the daemon's answers as one list.

    Raises Exit with the code of the last refusal once all have been given.
    """
    answers: list[bytes] = []
    code = 0
    for reply in replies:
        try:
            with session.busy(f"Answering, {len(answers) + 1} of {len(replies)}"):
                answers.append(session.client.call_raw(ANSWER_TASK, reply))
        except CallFailed as failure:
            print_error(f"{reply.id}: {failure.message}")
            code = exit_code(failure.status, failure.code)
    if session.options.json:
        session.print_raw(b"[" + b",".join(answers) + b"]")
    else:
        _tell(session, [TypeAdapter(Task).validate_json(content) for content in answers])
    if code:
        raise typer.Exit(code)


def _tell(session: Session, answered: Sequence[Task]) -> None:
    labels = category_labels(session)
    sentences = (views.tasks.describe_decision(task, labels, session.how) for task in answered)
    if answered:
        session.show(views.page.of(views.page.sentences(sentences)), asks=True)
    open_tasks = session.call(LIST_TASKS)
    session.say(
        f"{len(answered)} answered, {len(open_tasks)} open."
        + (f" {views.tasks.NEXT_PLAN}" if answered else "")
    )


def suggested(session: Session, sure: int) -> list[TaskAnswer]:
    """The open questions whose suggestion is so many percent sure, each answered with it."""
    payees = [task for task in session.call(LIST_TASKS) if isinstance(task, CategorizePayee)]
    taken = [task for task in payees if 100 * (task.confidence or 0) >= sure]
    if len(taken) < len(payees):
        count = figures.count(len(payees) - len(taken), "task")
        session.say(
            f"Left {count} open, because no suggestion is at least {sure}% sure. To change the"
            " limit, use --sure."
        )
    return [TaskAnswer(id=task.id, answer=task.suggested) for task in taken]


_KEYS = ({"answer"}, {"answer", "direction"}, {"answer", "amount"}, {"dismiss"}, {"each"})
"""What an entry of a file may say besides the question's id."""


def from_file(session: Session, path: Path, ids: Ids) -> list[TaskAnswer]:
    """The answers that a JSON file or a pipe holds. Raises a CommandError when it is none."""
    name = "standard input" if str(path) == "-" else str(path)
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        content: Any = json.loads(text)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CommandError(f"Cannot read {name}: {reason}.", BAD_INPUT) from None
    except ValueError:
        raise CommandError(f"{name} is not JSON. {FORM}.", BAD_INPUT) from None
    if not isinstance(content, list) or not content:
        raise CommandError(f"{name} contains no answers. {FORM}.", BAD_INPUT)
    category = category_finder(session)
    return [_reply(entry, index, name, ids, category) for index, entry in enumerate(content, 1)]


def _reply(entry: Any, index: int, name: str, ids: Ids, category: Ids) -> TaskAnswer:
    try:
        reply = read_json(TaskAnswer, json.dumps(entry))
    except ValidationError:
        reply = None
    ways = [] if reply is None else [reply.answer is not None, reply.dismiss, reply.each]
    if reply is None or set(entry) - {"id"} not in _KEYS or ways.count(True) != 1:
        raise CommandError(f"Entry {index} of {name} is not an answer. {FORM}.", BAD_INPUT)
    meant: dict[str, str] = {"id": ids(reply.id)}
    if reply.answer is not None:
        meant["answer"] = category(reply.answer)
    return reply.model_copy(update=meant)
