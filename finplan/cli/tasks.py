"""`finplan tasks`: the questions that only the person can answer."""

from typing import Annotated

import typer

from finplan.cli.choices import Noun, examples
from finplan.cli.choosing import Candidate, is_whole, pick
from finplan.cli.session import Session

app = Noun(invoke_without_command=True)
Which = Annotated[
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
    )
)
def answer(
    context: typer.Context,
    task: Annotated[
        str | None,
        typer.Argument(metavar="[TASK]", help="An id, the beginning of one, or the payee's name."),
    ] = None,
    category: Annotated[
        str | None,
        typer.Argument(metavar="[CATEGORY]", help="An id or label of `finplan categories`."),
    ] = None,
    dismiss: Annotated[bool, typer.Option("--dismiss", help="Do not ask this again.")] = False,
) -> None:
    """Answer one question, or walk through all of them.

    Without a task, each open question is shown in turn: Enter takes the suggestion, and
    skips where nothing is known for sure.
    """
    from finplan.cli.categories import category_id, category_labels
    from finplan.model.task import TaskAnswer
    from finplan.operations import ANSWER_TASK

    session = Session.of(context)
    if task is None or (category is None and not dismiss):
        _walk(context, session, task)
        return
    if category is not None and dismiss:
        raise typer.BadParameter("Give a category or --dismiss, not both.", ctx=context)
    wanted = _task_id(session, task, answered=False)
    if category is None:
        reply = TaskAnswer(id=wanted, dismiss=True)
    else:
        reply = TaskAnswer(id=wanted, answer=category_id(session, category))
    answered = session.answer(ANSWER_TASK, reply)
    if answered is None:
        return
    from finplan.cli.show_tasks import draw_dismissed, draw_filed

    if reply.answer is None:
        session.print(draw_dismissed(answered))
    else:
        label = category_labels(session).get(reply.answer, reply.answer)
        session.print(draw_filed(answered, label))


@app.command()
def undo(context: typer.Context, task: Which) -> None:
    """Take an answer back: the question is open again."""
    from finplan.model.task import TaskId
    from finplan.operations import UNDO_ANSWER

    session = Session.of(context)
    wanted = _task_id(session, task, answered=True)
    reopened = session.answer(UNDO_ANSWER, TaskId(id=wanted))
    if reopened is not None:
        from finplan.cli.show_tasks import draw_reopened

        session.print(draw_reopened(reopened))


def _list(session: Session, *, answered: bool) -> None:
    from finplan.model.task import TaskQuery
    from finplan.operations import LIST_TASKS

    query = TaskQuery(status="answered") if answered else TaskQuery()
    found = session.answer(LIST_TASKS, query)
    if found is not None:
        from finplan.cli.categories import category_labels
        from finplan.cli.show_tasks import draw_tasks

        labels = category_labels(session) if answered and found else {}
        session.print(
            draw_tasks(found, session.currency, session.width, answered=answered, labels=labels)
        )


def _walk(context: typer.Context, session: Session, task: str | None) -> None:
    if not session.interactive:
        raise typer.BadParameter(
            "Outside a terminal and with --json, give TASK and CATEGORY.", ctx=context
        )
    from finplan.cli.answering import Walk
    from finplan.model.task import TaskQuery
    from finplan.operations import LIST_TASKS

    questions = session.call(LIST_TASKS, TaskQuery())
    if task is not None:
        wanted = _task_id(session, task, answered=False)
        questions = tuple(each for each in questions if each.id == wanted)
    Walk(session, questions).run()


def _task_id(session: Session, text: str, *, answered: bool) -> str:
    if is_whole(text):
        return text
    from finplan.model.task import CategorizePayee, TaskQuery
    from finplan.operations import LIST_TASKS

    query = TaskQuery(status="answered" if answered else "open")
    candidates = []
    for task in session.call(LIST_TASKS, query):
        names = [task.kind.replace("_", " ")]
        if isinstance(task, CategorizePayee):
            names = [task.payee, task.payee_key]
        candidates.append(Candidate(task.id, tuple(names)))
    what = "answered question" if answered else "open question"
    listing = "finplan tasks list --answered" if answered else "finplan tasks"
    return pick(text, candidates, what, listing)
