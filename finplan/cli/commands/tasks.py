"""`finplan tasks`: the questions that only the person can answer."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import CommandError
from finplan.cli.console.naming import NamedId, SeveralMeant, is_whole, pick
from finplan.cli.console.options import (
    CATEGORY,
    CommandApp,
    RowsGroup,
    argument,
    examples,
    flag,
    option,
)
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import (
    category_choices,
    category_finder,
    category_labels,
    given,
    say_what_brings_rows,
)

app = CommandApp(cls=RowsGroup)
_Direction = Literal["in", "out", "both"]
_PART = re.compile("(in|out)(?= )|=")
"""How the walk through the questions is told of a part of a payee's money."""

_WHOLE_ID = re.compile("task_[0-9a-f]{16}")
_SURE = 80
"""How sure a suggestion is that is taken unseen, in percent."""

_TASK = argument("TASK", "An id, the beginning of one, or the payee's name.")


@app.callback(
    epilog=examples(
        "finplan tasks answer                            One question after the other",
        "finplan tasks answer amazon shopping            This one",
        "finplan tasks answer ID --dismiss        Do not ask again",
        "finplan tasks undo ID                           Take an answer back",
    )
)
def tasks() -> None:
    """Questions that only you can answer.

    The questions that decide the most money come first. A list's order changes with every answer,
    so questions go by the beginning of their id or by the payee, not by a number.
    """


@app.command("list", rows=True)
def list_tasks(
    context: typer.Context,
    answered: Annotated[bool, flag("--answered", "Those you have answered.")] = False,
) -> None:
    """The open questions, the most money first."""
    session = Session.of(context)
    query = given(operations.task.LIST_TASKS, status="answered" if answered else None)
    found = session.answer(operations.task.LIST_TASKS, query)
    if found is None:
        return
    labels = (category_labels(session) if found else {}) if answered else None
    session.show(views.tasks.listed(found, session.how, labels))
    if not found:
        say_what_brings_rows(session)
    elif not answered and any(task.kind == "categorize_payee" for task in found):
        session.say("To answer them one after the other: `finplan tasks answer`.")


@app.command(
    epilog=examples(
        "finplan tasks answer                            One question after the other",
        "finplan tasks answer amazon shopping            This one",
        "finplan tasks answer philz restaurants --also luigi",
        'finplan tasks answer venmo "other income" --direction in',
        "finplan tasks answer venmo rent --amount 850 --preview",
        "finplan tasks answer venmo --each               Ask me about each charge",
        "finplan tasks answer --all-suggested            All whose suggestion is sure",
        'echo \'[{"id": "venmo", "answer": "dining"}]\' | finplan tasks answer --from -',
    )
)
def answer(  # Typer makes an option of each.
    context: typer.Context,
    task: Annotated[str | None, _TASK] = None,
    category: Annotated[str | None, CATEGORY] = None,
    dismiss: Annotated[bool, flag("--dismiss", "Do not ask this again.")] = False,
    direction: Annotated[
        _Direction, typer.Option(help="Only money that comes in, or only what goes out.")
    ] = "both",
    amount: Annotated[
        str | None,
        option(
            "AMOUNT",
            "Only charges of exactly this amount; money in has a minus, or --direction in.",
        ),
    ] = None,
    each: Annotated[bool, flag("--each", "Ask about each charge of this payee by itself.")] = False,
    preview: Annotated[bool, flag("--preview", "Only show what the answer would move.")] = False,
    also: Annotated[
        list[str] | None, option("TASK", "The same answer for this one; may be given again.")
    ] = None,
    all_suggested: Annotated[
        bool, flag("--all-suggested", "Take every suggestion that is sure enough.")
    ] = False,
    sure: Annotated[
        int | None, option("PERCENT", "How sure that is. [default: 80]", min=1, max=100)
    ] = None,
    file: Annotated[
        Path | None,
        option(
            "FILE",
            'A list like [{"id": "venmo", "answer": "dining"}, {"id": "zelle", "dismiss": true}];'
            " - reads a pipe.",
            "--from",
        ),
    ] = None,
) -> None:
    """Answer one question or a part of it, several at once, or walk through all of them.

    Without a task, each open question is shown in turn: Enter takes the suggestion, and
    skips where nothing is known for sure. What an answer moves is shown before it is kept.
    """
    session = Session.of(context)
    reply = _Reply(category, direction, amount, each=each, dismiss=dismiss, preview=preview)
    if sure is not None and not all_suggested:
        raise typer.BadParameter("--sure goes with --all-suggested alone.", ctx=context)
    if all_suggested or file is not None:
        if task is not None or reply.is_given or also or (all_suggested and file is not None):
            raise typer.BadParameter(
                "--all-suggested and --from each stand alone, without TASK.", ctx=context
            )
        _answer_many(session, file, _SURE if sure is None else sure)
        return
    if reply.fault is not None:
        raise typer.BadParameter(reply.fault, ctx=context)
    if task is None or not reply.is_given:
        if also:
            raise typer.BadParameter("--also needs TASK and CATEGORY, or --dismiss.", ctx=context)
        if reply.is_given:
            raise typer.BadParameter("Name the TASK that this answers.", ctx=context)
        _walk(context, session, task)
        return
    if preview and also:
        raise typer.BadParameter("--preview shows one answer; leave --also out.", ctx=context)
    _answer(session, [task, *(also or ())], reply)


@dataclass(frozen=True)
class _Reply:
    """What was typed as the answer to a question."""

    category: str | None
    direction: _Direction
    amount: str | None
    each: bool
    dismiss: bool
    preview: bool

    @property
    def is_given(self) -> bool:
        """Whether anything was typed that answers."""
        return self.each or self.dismiss or self.category is not None or self.is_partial

    @property
    def is_partial(self) -> bool:
        """Whether it is meant for a part of a payee's money alone, or only to be looked at."""
        return self.direction != "both" or self.amount is not None or self.preview

    @property
    def fault(self) -> str | None:
        """What is wrong with it, in a sentence; None for a good one."""
        said = [self.category is not None, self.each, self.dismiss].count(True)
        if said > 1:
            return "Give a category, --each or --dismiss, one of them."
        if said == 0 and self.is_partial:
            return "--direction, --amount and --preview need TASK and CATEGORY."
        if self.category is not None and (part := _PART.match(self.category)):
            option = "--amount" if part[0] == "=" else "--direction"
            return f"Here a part of the money is named with {option}, not before the category."
        if self.category is None and (self.direction != "both" or self.amount is not None):
            return "--direction and --amount need a CATEGORY."
        return None

    def as_answer(
        self, session: Session, task_id: str, category: str | None
    ) -> "model.task.TaskAnswer":
        """The answer to one question; `category` is the id of the one that was typed."""
        from finplan.cli.console.typed_values import minor

        said: dict[str, object] = {"id": task_id}
        if self.dismiss or self.each:
            said["dismiss" if self.dismiss else "each"] = True
        else:
            said["answer"] = category
        if self.amount is not None:
            exact = minor(self.amount, session.currency, "The amount")
            said["amount"] = -abs(exact) if self.direction == "in" else exact
        if self.direction != "both":
            said["direction"] = self.direction
        if self.preview:
            said["preview"] = True
        return model.task.TaskAnswer.model_validate(said, by_name=True)


def _answer(session: Session, tasks: list[str], reply: _Reply) -> None:
    """Answer one question, or several alike."""
    from finplan.cli.dialogs.answering_many import answer_many

    meant = _finder(session, answered=False)
    wanted = list(dict.fromkeys(meant(text) for text in tasks))
    category = None if reply.category is None else category_finder(session)(reply.category)
    answers = [reply.as_answer(session, each, category) for each in wanted]
    if len(answers) > 1:
        answer_many(session, answers)
    else:
        _answer_one(session, answers[0])


def _answer_one(session: Session, reply: "model.task.TaskAnswer") -> None:
    """Give an answer, and say what it did and what it closed; or only what it would move."""
    quick = session.options.json or reply.preview or reply.answer is None
    before = () if quick else _listed(session, answered=False)
    outcome = session.answer(operations.task.ANSWER_TASK, reply)
    if outcome is None:
        return
    choices = category_choices(session) if reply.answer is not None else {}
    if isinstance(outcome, model.task.Effect):
        where = choices.get(reply.answer or "")
        _say(session, views.tasks.effect_said(outcome, session.how, where))
        return
    closed = views.answering.closed(before, before and _listed(session, answered=False), reply.id)
    labels = {key: each.label for key, each in choices.items()}
    _say(session, views.tasks.kept(outcome, labels, session.how, closed))


def _say(session: Session, text: str) -> None:
    session.show(views.page.of(views.page.sentences([text])))


def _listed(session: Session, *, answered: bool) -> "tuple[model.task.Task, ...]":
    query = given(operations.task.LIST_TASKS, status="answered" if answered else None)
    return session.call(operations.task.LIST_TASKS, query)


def _answer_many(session: Session, file: Path | None, sure: int) -> None:
    from finplan.cli.dialogs.answering_many import answer_many, from_file, suggested

    if file is None:
        answer_many(session, suggested(session, sure))
    else:
        answer_many(session, from_file(session, file, _finder(session, answered=False)))


@app.command()
def undo(context: typer.Context, task: Annotated[str, _TASK]) -> None:
    """Take an answer back: the question is open again."""
    session = Session.of(context)
    asked = model.task.TaskId(id=_finder(session, answered=True)(task))
    reopened = session.answer(operations.task.UNDO_ANSWER, asked)
    if reopened is not None:
        _say(session, views.tasks.reopened(reopened))


def _walk(context: typer.Context, session: Session, task: str | None) -> None:
    if not session.interactive:
        raise typer.BadParameter(
            "Outside a terminal and with --json nobody can be asked: give TASK and CATEGORY, or many"
            " answers as JSON with `--from -`.",
            ctx=context,
        )
    from finplan.cli.dialogs.answering import TaskWalk

    questions = _listed(session, answered=False)
    if task is not None:
        wanted = _finder(session, answered=False)(task)
        questions = tuple(each for each in questions if each.id == wanted)
    TaskWalk(session, questions).run()


def _finder(session: Session, *, answered: bool) -> Callable[[str], str]:
    """What finds the question that a person means; the questions are listed when first needed.

    Who answers may mean a question that is listed no more: a part of it was answered, and the rest is
    too little to be asked about. The daemon knows whether anything of it is open.
    """
    what = "answered question" if answered else "open question"
    listing = "finplan tasks list --answered" if answered else "finplan tasks"
    candidates: list[NamedId] = []

    def find(text: str) -> str:
        if is_whole(text) or _WHOLE_ID.fullmatch(text):
            return text
        if not candidates:
            candidates.extend(_candidates(session, answered=answered))
        try:
            return pick(text, candidates, what, listing)
        except SeveralMeant:
            raise
        except CommandError:
            if answered:
                raise
            with suppress(CommandError):
                return pick(text, _candidates(session, answered=True), what, listing)
            raise

    return find


def _candidates(session: Session, *, answered: bool) -> list[NamedId]:
    """The questions that can be meant, each with what tells it from another about the same payee."""
    # A question with several answers stands there once for each of them.
    listed = {task.id: task for task in _listed(session, answered=answered)}
    return [
        NamedId(
            task.id, (task.payee, task.payee_key), views.tasks.told_apart(task, session.currency)
        )
        if isinstance(task, model.task.CategorizePayee)
        else NamedId(task.id, (task.kind.replace("_", " "),))
        for task in listed.values()
    ]
