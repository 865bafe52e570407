"""The tools about the questions that only the person can answer."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import categories_of, find_category
from finplan.daemon.surfaces.mcp.tools.tool import Call, Offered, Tool, with_words
from finplan.daemon.surfaces.mcp.tools.wording import (
    counted,
    filed,
    lines,
    listed,
    quoted,
)
from finplan.model.base import Amount, TypedAmount, Whole, Wire
from finplan.model.category import MoneyDirection
from finplan.model.detection import Transfer
from finplan.model.errors import BadRequest, NotFound
from finplan.model.figures import money, share
from finplan.model.task import (
    EACH,
    CategorizePayee,
    Effect,
    Task,
    TaskAnswer,
    TaskId,
    TaskQuery,
)
from finplan.model.twins import CANDIDATES, offers_transfer, twin_said
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER


class TasksQuestion(Wire):
    """Which questions."""

    status: Literal["open", "answered"] = "open"
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    after: Annotated[str | None, Field(description="Go on after the question of this id.")] = None


class TaskTold(Wire):
    """One question; of a payee with what it is about and what is suggested, else with its reason.

    Where nobody knows what a payee may be, `confidence` is null and nothing is suggested. `twin` is the
    row on another own account that may be the other half of a transfer.
    """

    id: str
    kind: Literal["categorize_payee", "reconnect_connection", "connect_missing_account"]
    about: str
    payee_key: str | None = None
    count: Whole | None = None
    total: Amount | None = None
    last_date: date | None = None
    suggested: str | None = None
    suggested_label: str | None = None
    confidence: float | None = None
    alternatives: tuple[str, ...] = ()
    twin: str | None = None
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
    candidates: tuple[Transfer, ...] = ()
    if ask.status == "open" and offers_transfer(shown):
        candidates = await call.ask(LIST_TRANSFERS, CANDIDATES)
    return TasksTold(
        count=len(found),
        tasks=tuple(_told(task, candidates) for task in shown),
        more=begin + len(shown) < len(found),
    )


def _told(task: Task, candidates: Sequence[Transfer]) -> TaskTold:
    if isinstance(task, CategorizePayee):
        known = task.confidence is not None
        return TaskTold(
            id=task.id,
            kind=task.kind,
            about=task.payee,
            payee_key=task.payee_key,
            count=task.count,
            total=task.total,
            last_date=task.last_date,
            suggested=task.suggested if known else None,
            suggested_label=task.suggested_label if known else None,
            confidence=task.confidence,
            alternatives=tuple(each.category for each in task.alternatives if known),
            twin=twin_said(task, candidates) or None,
            answer=task.answer,
        )
    about = task.institution_name if task.kind == "reconnect_connection" else task.reason
    return TaskTold(id=task.id, kind=task.kind, about=about)


def _say_tasks(told: TasksTold, currency: str) -> str:
    answered = any(each.answer for each in told.tasks) or not told.tasks
    return lines(
        f"{counted(told.count, 'question')}"
        + (", more with after." if told.more else ".")
        + ("" if answered else " Put them to the person; never answer for them."),
        listed(_said(each, currency) for each in told.tasks),
    )


def _said(task: TaskTold, currency: str) -> str:
    if task.kind != "categorize_payee" or task.total is None:
        return f"{task.kind} {quoted(task.about)} [{task.id}]"
    if task.answer is not None:
        return f"{quoted(task.about)} was answered: {task.answer} [{task.id}]"
    suggestion = _suggestion(task) + ("" if task.twin is None else f". {task.twin}")
    return (
        f"What is {quoted(task.about)}? {counted(task.count or 0, 'row')},"
        f" {money(task.total, currency)}, the last on {task.last_date}; {suggestion} [{task.id}]"
    )


def _suggestion(task: TaskTold) -> str:
    if task.suggested is None or task.confidence is None:
        return "nothing is suggested"
    others = f", or {', '.join(task.alternatives)}" if task.alternatives else ""
    sure = share(task.confidence)
    return f"suggested {filed(task.suggested, task.suggested_label)}, {sure} sure{others}"


class AnswerQuestion(Wire):
    """The person's answer to one question; without one they are asked, where their client can."""

    id: Annotated[str, Field(min_length=1, max_length=200, description="Of list_tasks.")]
    answer: Annotated[
        str | None, Field(min_length=1, max_length=80, description="A category's name or id.")
    ] = None
    direction: Annotated[MoneyDirection, Field(description="Only money in, or out.")] = "both"
    amount: Annotated[
        TypedAmount | None,
        Field(description="Only rows of exactly it; positive when money goes out."),
    ] = None
    each: Annotated[bool, Field(description="Ask about each row.")] = False
    dismiss: bool = False
    undo: Annotated[bool, Field(description="Take the answer back.")] = False
    preview: Annotated[bool, Field(description="Only tell what it would move.")] = False


class AnswerTold(Wire):
    """What was answered, or with `preview` what it would move."""

    id: str
    status: Literal["answered", "dismissed", "undone", "preview"]
    answer: str | None
    label: str | None
    effect: Effect | None


async def answer_task(call: Call, ask: AnswerQuestion) -> AnswerTold:
    """Answer a question as the person says.

    Raises NotFound, Conflict, and BadRequest for words that contradict each other or without any.
    """
    _check(ask)
    if ask.undo:
        await call.ask(UNDO_ANSWER, TaskId(id=ask.id))
        return AnswerTold(id=ask.id, status="undone", answer=None, label=None, effect=None)
    answer = label = None
    if not (ask.each or ask.dismiss):
        word = ask.answer or await _asked_of_the_person(call, ask.id)
        known = await categories_of(call)
        answer = find_category(known, word)
        label = known[answer]
    given = answer_of(ask, answer)
    outcome = await call.ask(ANSWER_TASK, given)
    return AnswerTold(
        id=ask.id,
        status=_status(given),
        answer=EACH if ask.each else answer,
        label=label,
        effect=outcome if isinstance(outcome, Effect) else None,
    )


def answer_of(ask: AnswerQuestion, category: str | None) -> TaskAnswer:
    """An answer as its row is asked it."""
    return TaskAnswer(
        id=ask.id,
        answer=category,
        direction=ask.direction,
        amount=ask.amount,
        each=ask.each,
        preview=ask.preview,
        dismiss=ask.dismiss,
    )


def _status(given: TaskAnswer) -> Literal["answered", "dismissed", "preview"]:
    if given.preview:
        return "preview"
    return "dismissed" if given.dismiss else "answered"


def _check(ask: AnswerQuestion) -> None:
    """Raise BadRequest where arguments contradict each other, which it names."""
    said = [name for name in ("answer", "each", "dismiss", "undo") if getattr(ask, name)]
    if len(said) > 1:
        raise BadRequest(
            f"{_both(said)} contradict each other: give one of them. Nothing was stored."
        )
    part = [
        *(["direction"] if ask.direction != "both" else []),
        *(["amount"] if ask.amount is not None else []),
    ]
    if part and said not in ([], ["answer"]):
        raise BadRequest(
            f"{_both([*part, *said])} contradict each other: a part of the money needs an `answer`."
            " Nothing was stored."
        )
    if ask.undo and ask.preview:
        raise BadRequest("`undo` and `preview` contradict each other: taking back has no preview.")


def _both(names: list[str]) -> str:
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} and {last}"


async def _asked_of_the_person(call: Call, task_id: str) -> str:
    found: tuple[Task, ...] = await call.ask(LIST_TASKS, TaskQuery())
    task = next((each for each in found if each.id == task_id), None)
    if task is None:
        raise NotFound(f"There is no open question {task_id}. `finplan tasks list` shows them.")
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
    raise BadRequest("Ask the person, and send their word as `answer`, or `each` or `dismiss`.")


def _say_answer(told: AnswerTold, currency: str) -> str:
    if told.effect is None:
        return _SAID[told.status if told.answer != EACH else EACH].format(
            id=told.id, filed="" if told.answer is None else filed(told.answer, told.label)
        )
    moved = told.effect
    if told.label is None:
        asks = (
            "Each row of it would be a question of its own"
            if told.answer
            else "Would not ask again"
        )
        return f"{asks}; no row moves{_AGAIN}"
    daily = (
        f"; safe to spend a day {money(moved.allowance.before, currency)} →"
        f" {money(moved.allowance.after, currency)}"
        if moved.allowance.known
        else ""
    )
    return (
        f"Would file {counted(moved.charges, 'charge')} ({money(moved.total, currency)},"
        f" {money(moved.monthly, currency)} a month) under {filed(told.answer or '', told.label)}"
        f"{daily}{_AGAIN}"
    )


_AGAIN = ". Nothing is stored yet: call again without preview once the person agrees."
_SAID = {
    "answered": "Answered: {filed}. undo takes it back.",
    EACH: "Each row of it is a question of its own now: list_tasks. undo takes it back.",
    "dismissed": "Dismissed: {id} is not asked again. undo takes it back.",
    "undone": "Taken back: {id} is open again.",
}


TASKS = Tool(
    "list_tasks",
    "Questions for the person",
    "Questions that only the person can answer, the most money first: what a payee is, a bank to sign in"
    " to, an account that is missing.",
    TasksQuestion,
    TasksTold,
    (LIST_TASKS, LIST_TRANSFERS),
    "reads",
    with_words(list_tasks, _say_tasks),
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
    with_words(answer_task, _say_answer),
)
