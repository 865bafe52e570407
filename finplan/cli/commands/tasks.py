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
    build_request,
    category_choices,
    category_finder,
    category_labels,
    say_what_brings_rows,
)

app = CommandApp(cls=RowsGroup)
_Direction = Literal["in", "out", "both"]
_PART = re.compile("(in|out)(?= )|=")
"""How the walk through the questions is told of a part of a payee's money."""

_WHOLE_ID = re.compile("task_[0-9a-f]{16}")
_SURE = 80
"""How sure a suggestion is that is taken unseen, in percent."""

_TASK = argument(
    "TASK", "The task's id or the payee's name. The first characters of the id are enough."
)


@app.callback(
    epilog=examples(
        "finplan tasks answer                            Answer one by one",
        "finplan tasks answer amazon shopping            Put Amazon in Shopping",
        "finplan tasks answer ID --dismiss               Do not ask again",
        "finplan tasks undo ID                           Undo an answer",
    )
)
def tasks() -> None:
    """List and answer the tasks that need you.

    The largest amounts come first. The order changes with every answer, so name a task by its payee
    or by the first characters of its id.
    """


@app.command("list", rows=True)
def list_tasks(
    context: typer.Context,
    answered: Annotated[bool, flag("--answered", "Show answered tasks.")] = False,
) -> None:
    """Open tasks, most important first."""
    session = Session.of(context)
    query = build_request(operations.task.LIST_TASKS, status="answered" if answered else None)
    tasks = session.answer(operations.task.LIST_TASKS, query)
    if tasks is None:
        return
    labels = (category_labels(session) if tasks else {}) if answered else None
    session.show(views.tasks.listed(tasks, session.how, labels))
    if not tasks:
        say_what_brings_rows(session)
    elif not answered and any(task.kind == "categorize_payee" for task in tasks):
        session.say("Answer them one by one: `finplan tasks answer`.")


@app.command(
    epilog=examples(
        "finplan tasks answer                            Answer one by one",
        "finplan tasks answer amazon shopping            Put Amazon in Shopping",
        "finplan tasks answer philz restaurants --also luigi",
        'finplan tasks answer venmo "other income" --direction in',
        "finplan tasks answer venmo rent --amount 850 --preview",
        "finplan tasks answer venmo --each               Ask about each transaction",
        "finplan tasks answer --all-suggested            Accept sure suggestions",
        'echo \'[{"id": "venmo", "answer": "dining"}]\' | finplan tasks answer --from -',
    )
)
def answer(  # Typer makes an option of each.
    context: typer.Context,
    task: Annotated[str | None, _TASK] = None,
    category: Annotated[str | None, CATEGORY] = None,
    dismiss: Annotated[
        bool, flag("--dismiss", "Dismiss the task; finplan does not ask again.")
    ] = False,
    direction: Annotated[
        _Direction, typer.Option(help="Apply the answer only to money in, or only to money out.")
    ] = "both",
    amount: Annotated[
        str | None,
        option(
            "AMOUNT",
            "Only transactions of exactly this amount. For money in, use a minus sign or"
            " --direction in.",
        ),
    ] = None,
    separately: Annotated[
        bool, flag("--each", "Ask about each transaction of this payee separately.")
    ] = False,
    preview: Annotated[
        bool, flag("--preview", "Show the effect of the answer; save nothing.")
    ] = False,
    also: Annotated[
        list[str] | None, option("TASK", "Give this task the same answer; repeatable.")
    ] = None,
    all_suggested: Annotated[
        bool, flag("--all-suggested", "Accept every suggestion that is sure enough.")
    ] = False,
    sure: Annotated[
        int | None,
        option(
            "PERCENT",
            "Minimum certainty in percent for --all-suggested. [default: 80]",
            min=1,
            max=100,
        ),
    ] = None,
    file: Annotated[
        Path | None,
        option(
            "FILE",
            'File with a list like [{"id": "venmo", "answer": "dining"}, {"id": "zelle", "dismiss":'
            " true}]; - reads stdin.",
            "--from",
        ),
    ] = None,
) -> None:
    """Answer one task, several at once, or all one by one.

    Without TASK, finplan goes through your open tasks. Press Enter to accept a likely suggestion.
    If a task has no likely suggestion, Enter skips the task. You see the effect of an answer before
    you save it.
    """
    session = Session.of(context)
    reply = _Reply(
        category, direction, amount, separately=separately, dismiss=dismiss, preview=preview
    )
    if sure is not None and not all_suggested:
        raise typer.BadParameter("--sure needs --all-suggested.", ctx=context)
    if all_suggested or file is not None:
        if task is not None or reply.has_answer or also or (all_suggested and file is not None):
            raise typer.BadParameter(
                "Use --all-suggested or --from on its own, without TASK or an answer.", ctx=context
            )
        _answer_many(session, file, _SURE if sure is None else sure)
        return
    if reply.fault is not None:
        raise typer.BadParameter(reply.fault, ctx=context)
    if task is None or not reply.has_answer:
        if also:
            raise typer.BadParameter(
                "--also needs TASK, with either CATEGORY or --dismiss.", ctx=context
            )
        if reply.has_answer:
            raise typer.BadParameter("Give the TASK to answer.", ctx=context)
        _walk(context, session, task)
        return
    if preview and also:
        raise typer.BadParameter(
            "--preview shows the effect of only one answer; remove --also.", ctx=context
        )
    _answer(session, [task, *(also or ())], reply)


@dataclass(frozen=True)
class _Reply:
    """What was typed as the answer to a question."""

    category: str | None
    direction: _Direction
    amount: str | None
    separately: bool
    dismiss: bool
    preview: bool

    @property
    def has_answer(self) -> bool:
        """Whether the command line holds an answer."""
        return self.separately or self.dismiss or self.category is not None or self.is_partial

    @property
    def is_partial(self) -> bool:
        """Whether it is meant for a part of a payee's money alone, or only to be looked at."""
        return self.direction != "both" or self.amount is not None or self.preview

    @property
    def fault(self) -> str | None:
        """A sentence about what is wrong with it; None for a good one."""
        count = [self.category is not None, self.separately, self.dismiss].count(True)
        if count > 1:
            return "Give only one of CATEGORY, --each and --dismiss."
        if count == 0 and self.is_partial:
            return "--direction, --amount and --preview need TASK and CATEGORY."
        if self.category is not None and (part := _PART.match(self.category)):
            option = "--amount" if part[0] == "=" else "--direction"
            return f"Use the option {option} instead, and give only the category here."
        if self.category is None and (self.direction != "both" or self.amount is not None):
            return "--direction and --amount need a CATEGORY."
        return None

    def as_answer(
        self, session: Session, task_id: str, category: str | None
    ) -> "model.task.TaskAnswer":
        """The answer to one question; `category` is the id of the one that was typed."""
        from finplan.cli.console.typed_values import minor

        fields: dict[str, object] = {"id": task_id}
        if self.dismiss or self.separately:
            fields["dismiss" if self.dismiss else "each"] = True
        else:
            fields["answer"] = category
        if self.amount is not None:
            exact = minor(self.amount, session.currency, "The amount")
            fields["amount"] = -abs(exact) if self.direction == "in" else exact
        if self.direction != "both":
            fields["direction"] = self.direction
        if self.preview:
            fields["preview"] = True
        return model.task.TaskAnswer.model_validate(fields, by_name=True)


def _answer(session: Session, tasks: list[str], reply: _Reply) -> None:
    """Answer one question, or several alike."""
    from finplan.cli.dialogs.answering_many import answer_many

    meant = _finder(session, answered=False)
    ids = list(dict.fromkeys(meant(text) for text in tasks))
    category = None if reply.category is None else category_finder(session)(reply.category)
    answers = [reply.as_answer(session, task, category) for task in ids]
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
        _say(session, views.tasks.describe_effect(outcome, session.how, where))
        return
    closed = views.answering.closed(before, before and _listed(session, answered=False), reply.id)
    labels = {key: choice.label for key, choice in choices.items()}
    _say(session, views.tasks.describe_decision(outcome, labels, session.how, closed))


def _say(session: Session, text: str) -> None:
    session.show(views.page.of(views.page.sentences([text])))


def _listed(session: Session, *, answered: bool) -> "tuple[model.task.Task, ...]":
    query = build_request(operations.task.LIST_TASKS, status="answered" if answered else None)
    return session.call(operations.task.LIST_TASKS, query)


def _answer_many(session: Session, file: Path | None, sure: int) -> None:
    from finplan.cli.dialogs.answering_many import answer_many, from_file, suggested

    if file is None:
        answer_many(session, suggested(session, sure))
    else:
        answer_many(session, from_file(session, file, _finder(session, answered=False)))


@app.command()
def undo(context: typer.Context, task: Annotated[str, _TASK]) -> None:
    """Undo an answer; its task is then open again."""
    session = Session.of(context)
    request = model.task.TaskId(id=_finder(session, answered=True)(task))
    reopened = session.answer(operations.task.UNDO_ANSWER, request)
    if reopened is not None:
        _say(session, views.tasks.describe_undo(reopened))


def _walk(context: typer.Context, session: Session, task: str | None) -> None:
    if not session.interactive:
        raise typer.BadParameter(
            "Without a terminal, or with --json, give TASK and CATEGORY, or pipe answers as JSON with"
            " `--from -`.",
            ctx=context,
        )
    from finplan.cli.dialogs.answering import TaskWalk

    questions = _listed(session, answered=False)
    if task is not None:
        meant = _finder(session, answered=False)(task)
        questions = tuple(question for question in questions if question.id == meant)
    TaskWalk(session, questions).run()


def _finder(session: Session, *, answered: bool) -> Callable[[str], str]:
    """What finds the question that a person means; the questions are listed when first needed.

    Who answers may mean a question that is listed no more: a part of it was answered, and the rest is
    too little to be asked about. The daemon knows whether anything of it is open.
    """
    what = "answered task" if answered else "open task"
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
