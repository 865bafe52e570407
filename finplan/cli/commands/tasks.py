"""`finplan tasks`: the questions that only the person can answer."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.task import TaskAnswer

app = CommandApp(invoke_without_command=True)
TaskArgument = Annotated[
    str, typer.Argument(metavar="TASK", help="An id, the beginning of one, or the payee's name.")
]


@app.callback(
    epilog=examples(
        "finplan tasks answer                         One question after the other",
        'finplan tasks answer "blue bottle" dining    This one',
        "finplan tasks answer task_k3f9 --dismiss      Do not ask again",
        "finplan tasks undo task_k3f9                  Take an answer back",
    )
)
def tasks(context: typer.Context) -> None:
    """Questions that only you can answer.

    The questions that decide the most money come first. A list's order changes with every answer,
    so questions go by the beginning of their id or by the payee, not by a number.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context), answered=False)


@app.command("list")
def list_tasks(
    context: typer.Context,
    answered: Annotated[bool, typer.Option("--answered", help="Those you have answered.")] = False,
) -> None:
    """The open questions, the most money first."""
    _list(Session.of(context), answered=answered)


@app.command(
    epilog=examples(
        "finplan tasks answer                         One question after the other",
        'finplan tasks answer "blue bottle" dining    This one',
        'finplan tasks answer philz dining --also "blue bottle"',
        "finplan tasks answer --all-suggested         All whose suggestion is sure",
        'echo \'[{"id": "venmo", "dismiss": true}]\' | finplan tasks answer --from -',
    )
)
def answer(  # Typer makes an option of each.
    context: typer.Context,
    task: Annotated[
        str | None,
        typer.Argument(metavar="TASK", help="An id, the beginning of one, or the payee's name."),
    ] = None,
    category: Annotated[
        str | None,
        typer.Argument(metavar="CATEGORY", help="An id or label of `finplan categories`."),
    ] = None,
    dismiss: Annotated[bool, typer.Option("--dismiss", help="Do not ask this again.")] = False,
    also: Annotated[
        list[str] | None,
        typer.Option(metavar="TASK", help="The same answer for this one; may be given again."),
    ] = None,
    all_suggested: Annotated[
        bool, typer.Option("--all-suggested", help="Take every suggestion that is sure enough.")
    ] = False,
    sure: Annotated[
        int,
        typer.Option(min=1, max=100, metavar="PERCENT", help="How sure that is."),
    ] = 80,
    file: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="Answers as JSON; - reads a pipe."),
    ] = None,
) -> None:
    """Answer one question, several at once, or walk through all of them.

    Without a task, each open question is shown in turn: Enter takes the suggestion, and
    skips where nothing is known for sure.
    """
    session = Session.of(context)
    if all_suggested or file is not None:
        if task is not None or dismiss or also or (all_suggested and file is not None):
            raise typer.BadParameter(
                "--all-suggested and --from each stand alone, without TASK.", ctx=context
            )
        _answer_many(session, file, sure)
        return
    if task is None or (category is None and not dismiss):
        if also:
            raise typer.BadParameter("--also needs TASK and CATEGORY, or --dismiss.", ctx=context)
        _walk(context, session, task)
        return
    if category is not None and dismiss:
        raise typer.BadParameter("Give a category or --dismiss, not both.", ctx=context)
    _answer(session, [task, *(also or ())], category)


def _answer(session: Session, tasks: list[str], category: str | None) -> None:
    """Answer one question, or several alike; without a category they are dismissed."""
    from finplan.cli.dialogs.answering_many import answer_many
    from finplan.cli.dialogs.category_names import category_id
    from finplan.model.task import TaskAnswer

    meant = _finder(session, answered=False)
    wanted = list(dict.fromkeys(meant(text) for text in tasks))
    choice = None if category is None else category_id(session, category)
    replies = [
        TaskAnswer(id=each, dismiss=True) if choice is None else TaskAnswer(id=each, answer=choice)
        for each in wanted
    ]
    if len(replies) > 1:
        answer_many(session, replies)
    else:
        _answer_one(session, replies[0])


def _answer_one(session: Session, reply: "TaskAnswer") -> None:
    from finplan.cli.dialogs.category_names import category_labels
    from finplan.cli.showing.tasks import draw_answered, draw_dismissed
    from finplan.model.task import TaskQuery
    from finplan.operations import ANSWER_TASK, LIST_TASKS

    before = () if session.options.json else session.call(LIST_TASKS, TaskQuery())
    answered = session.answer(ANSWER_TASK, reply)
    if answered is None:
        return
    if reply.answer is None:
        session.print(draw_dismissed(answered))
        return
    still = {each.id for each in session.call(LIST_TASKS, TaskQuery())}
    closed = [each for each in before if each.id not in still and each.id != reply.id]
    label = category_labels(session).get(reply.answer, reply.answer)
    session.print(draw_answered(answered, label, session.currency, closed))


def _answer_many(session: Session, file: Path | None, sure: int) -> None:
    from finplan.cli.dialogs.answering_many import answer_many, from_file, suggested

    if file is None:
        answer_many(session, suggested(session, sure))
    else:
        answer_many(session, from_file(session, file, _finder(session, answered=False)))


@app.command()
def undo(context: typer.Context, task: TaskArgument) -> None:
    """Take an answer back: the question is open again."""
    from finplan.model.task import TaskId
    from finplan.operations import UNDO_ANSWER

    session = Session.of(context)
    wanted = _finder(session, answered=True)(task)
    reopened = session.answer(UNDO_ANSWER, TaskId(id=wanted))
    if reopened is not None:
        from finplan.cli.showing.tasks import draw_reopened

        session.print(draw_reopened(reopened))


def _list(session: Session, *, answered: bool) -> None:
    from finplan.model.task import TaskQuery
    from finplan.operations import LIST_TASKS

    query = TaskQuery(status="answered") if answered else TaskQuery()
    found = session.answer(LIST_TASKS, query)
    if found is not None:
        from finplan.cli.dialogs.category_names import category_labels
        from finplan.cli.showing.tasks import draw_tasks

        labels = category_labels(session) if answered and found else {}
        session.print(
            draw_tasks(found, session.currency, session.width, answered=answered, labels=labels)
        )
        if found and not answered:
            session.say("To answer them one after the other: `finplan tasks answer`.")


def _walk(context: typer.Context, session: Session, task: str | None) -> None:
    if not session.interactive:
        raise typer.BadParameter(
            "Outside a terminal and with --json, give TASK and CATEGORY.", ctx=context
        )
    from finplan.cli.dialogs.answering import TaskWalk
    from finplan.model.task import TaskQuery
    from finplan.operations import LIST_TASKS

    questions = session.call(LIST_TASKS, TaskQuery())
    if task is not None:
        wanted = _finder(session, answered=False)(task)
        questions = tuple(each for each in questions if each.id == wanted)
    TaskWalk(session, questions).run()


def _finder(session: Session, *, answered: bool) -> Callable[[str], str]:
    """What finds the question that a person means; the questions are listed when first needed."""
    from finplan.model.task import CategorizePayee, TaskQuery
    from finplan.operations import LIST_TASKS

    what = "answered question" if answered else "open question"
    listing = "finplan tasks list --answered" if answered else "finplan tasks"
    candidates: list[NamedId] = []

    def find(text: str) -> str:
        if is_whole(text):
            return text
        if not candidates:
            query = TaskQuery(status="answered" if answered else "open")
            for task in session.call(LIST_TASKS, query):
                names = [task.kind.replace("_", " ")]
                if isinstance(task, CategorizePayee):
                    names = [task.payee, task.payee_key]
                candidates.append(NamedId(task.id, tuple(names)))
        return pick(text, candidates, what, listing)

    return find
