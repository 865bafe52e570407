"""The tools about the questions that only the person can answer."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import category_id
from finplan.daemon.surfaces.mcp.tools.tool import Call, Offered, Tool
from finplan.daemon.surfaces.mcp.tools.wording import counted, lines, listed, quoted
from finplan.model.base import Amount, Whole, Wire
from finplan.model.category import MoneyDirection
from finplan.model.errors import BadRequest
from finplan.model.figures import money
from finplan.model.task import CategorizePayee, Effect, Task, TaskAnswer, TaskId, TaskQuery
from finplan.operations.planning import ANSWER_TASK, LIST_CATEGORIES, LIST_TASKS, UNDO_ANSWER


class TasksQuestion(Wire):
    """Which questions."""

    status: Literal["open", "answered"] = "open"
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    after: Annotated[str | None, Field(description="Go on after the question of this id.")] = None


class TaskTold(Wire):
    """One question; of a payee with what it is about and what is suggested, else with its reason."""

    id: str
    kind: Literal["categorize_payee", "reconnect_connection", "connect_missing_account"]
    about: str
    payee_key: str | None = None
    count: Whole | None = None
    total: Amount | None = None
    last_date: date | None = None
    suggested: str | None = None
    suggested_label: str | None = None
    alternatives: tuple[str, ...] = ()
    answer: str | None = None


class TasksTold(Wire):
    """Some questions, the most money first, and how many there are in all."""

    count: Whole
    tasks: tuple[TaskTold, ...]
    more: bool


async def list_tasks(call: Call, ask: TasksQuestion) -> TasksTold:
    """The questions that only the person can answer."""
    found: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery(status=ask.status))
    ids = [each.id for each in found]
    if ask.after is not None and ask.after not in ids:
        raise BadRequest(f"There is no question {ask.after!r} in this list any more; begin anew.")
    begin = 0 if ask.after is None else ids.index(ask.after) + 1
    shown = found[begin : begin + ask.limit]
    return TasksTold(
        count=len(found),
        tasks=tuple(map(_told, shown)),
        more=begin + len(shown) < len(found),
    )


def _told(task: Task) -> TaskTold:
    if isinstance(task, CategorizePayee):
        return TaskTold(
            id=task.id,
            kind=task.kind,
            about=task.payee,
            payee_key=task.payee_key,
            count=task.count,
            total=task.total,
            last_date=task.last_date,
            suggested=task.suggested,
            suggested_label=task.suggested_label,
            alternatives=tuple(each.category for each in task.alternatives),
            answer=task.answer,
        )
    about = task.institution_name if task.kind == "reconnect_connection" else task.reason
    return TaskTold(id=task.id, kind=task.kind, about=about)


def _say_tasks(told: TasksTold, currency: str) -> str:
    return lines(
        f"{counted(told.count, 'question')}"
        + (", more with after." if told.more else ".")
        + " Put them to the person; never answer for them.",
        listed(_said(each, currency) for each in told.tasks),
    )


def _said(task: TaskTold, currency: str) -> str:
    if task.kind != "categorize_payee" or task.total is None:
        return f"{task.kind} {quoted(task.about)} [{task.id}]"
    return (
        f"What is {quoted(task.about)}? {counted(task.count or 0, 'row')},"
        f" {money(task.total, currency)}; suggested {task.suggested_label} [{task.id}]"
    )


class AnswerQuestion(Wire):
    """The person's answer to one question; without one they are asked, where their client can."""

    id: Annotated[str, Field(min_length=1, max_length=200, description="Of list_tasks.")]
    answer: Annotated[str | None, Field(max_length=80, description="A category's name or id.")] = (
        None
    )
    direction: Annotated[MoneyDirection, Field(description="Only money in, or out.")] = "both"
    dismiss: bool = False
    undo: Annotated[bool, Field(description="Take the answer back.")] = False
    preview: Annotated[bool, Field(description="Only tell what it would move.")] = False


class AnswerTold(Wire):
    """What was answered, or with `preview` what it would move."""

    id: str
    status: Literal["answered", "dismissed", "undone", "preview"]
    answer: str | None
    effect: Effect | None


async def answer_task(call: Call, ask: AnswerQuestion) -> AnswerTold:
    """Answer a question as the person says. Raises NotFound, Conflict, and BadRequest without a word."""
    if ask.undo:
        await call.ask(UNDO_ANSWER, TaskId(id=ask.id))
        return AnswerTold(id=ask.id, status="undone", answer=None, effect=None)
    if ask.dismiss:
        await call.ask(ANSWER_TASK, TaskAnswer(id=ask.id, dismiss=True))
        return AnswerTold(id=ask.id, status="dismissed", answer=None, effect=None)
    answer = ask.answer or await _asked_of_the_person(call, ask.id)
    category = await category_id(call, answer)
    outcome = await call.ask(
        ANSWER_TASK,
        TaskAnswer(id=ask.id, answer=category, direction=ask.direction, preview=ask.preview),
    )
    effect = outcome if isinstance(outcome, Effect) else None
    status: Literal["answered", "preview"] = "preview" if ask.preview else "answered"
    return AnswerTold(id=ask.id, status=status, answer=category, effect=effect)


async def _asked_of_the_person(call: Call, task_id: str) -> str:
    found: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery())
    task = next((each for each in found if each.id == task_id), None)
    if isinstance(task, CategorizePayee):
        choices = (
            Offered(task.suggested, task.suggested_label),
            *(Offered(each.category, each.label) for each in task.alternatives),
        )
        word = await call.elicit(
            f"What is {quoted(task.payee)}? {counted(task.count, 'charge')}.", choices
        )
        if word is not None:
            return word
    raise BadRequest("Ask the person, and send their word as `answer`, or `dismiss`.")


def _say_answer(told: AnswerTold, currency: str) -> str:
    if told.effect is None:
        return f"{told.status.capitalize()}: {told.answer or told.id}."
    moved = told.effect
    return (
        f"Would file {counted(moved.charges, 'charge')} ({money(moved.total, currency)},"
        f" {money(moved.monthly, currency)} a month) under {told.answer}; safe to spend a day"
        f" {money(moved.allowance.before, currency)} → {money(moved.allowance.after, currency)}."
        " Nothing is stored yet: call again without preview once the person agrees."
    )


TASKS = Tool(
    "list_tasks",
    "Questions for the person",
    "Questions that only the person can answer, the most money first: what a payee is, a bank to sign in"
    " to, an account that is missing.",
    TasksQuestion,
    TasksTold,
    (LIST_TASKS,),
    "reads",
    list_tasks,
    _say_tasks,
    view="tasks",
)
ANSWER = Tool(
    "answer_task",
    "Answer a question",
    "Store the person's own answer to a question, dismiss it, or undo. With preview it only tells what"
    " would move.",
    AnswerQuestion,
    AnswerTold,
    (ANSWER_TASK, UNDO_ANSWER, LIST_TASKS, LIST_CATEGORIES),
    "changes",
    answer_task,
    _say_answer,
)
