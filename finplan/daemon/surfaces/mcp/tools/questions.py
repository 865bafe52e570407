"""The tools about the questions that only the person can answer."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from finplan.daemon.surfaces.mcp.tools.names import categories_of, find_category
from finplan.daemon.surfaces.mcp.tools.tool import Call, Offered, Tool, ToolReply
from finplan.daemon.surfaces.mcp.tools.wording import quoted, write_text
from finplan.model import task as tasks
from finplan.model.base import Amount, TypedAmount, Whole, Wire
from finplan.model.category import MoneyDirection
from finplan.model.detection import Transfer
from finplan.model.errors import BadRequest, NotFound
from finplan.model.figures import count
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.detection import LIST_TRANSFERS
from finplan.operations.task import ANSWER_TASK, LIST_TASKS, UNDO_ANSWER
from finplan.views import tasks as view
from finplan.views.answering import CANDIDATES, choices, offers_transfer


class TasksQuestion(Wire):
    """Which questions."""

    status: Literal["open", "answered"] = "open"
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    after: Annotated[str | None, Field(description="Id of the last task on the previous page.")] = (
        None
    )


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
    """Some questions, the most important first, and how many there are in all."""

    count: Whole
    tasks: tuple[TaskTold, ...]
    more: bool


async def list_tasks(call: Call, ask: TasksQuestion) -> ToolReply[TasksTold]:
    """The questions that only the person can answer."""
    found: tuple[tasks.Task, ...] = await call.ask(LIST_TASKS, tasks.TaskQuery(status=ask.status))
    ids = [each.id for each in found]
    if ask.after is not None and ask.after not in ids:
        raise BadRequest(
            f"Task {ask.after!r} is no longer in this list. Start again without `after`."
        )
    begin = 0 if ask.after is None else ids.index(ask.after) + 1
    shown = found[begin : begin + ask.limit]
    candidates: tuple[Transfer, ...] = ()
    if ask.status == "open" and offers_transfer(shown):
        candidates = await call.ask(LIST_TRANSFERS, CANDIDATES)
    payees = (each for each in shown if isinstance(each, tasks.CategorizePayee))
    twins = {each.id: view.describe_twin(each, candidates) for each in payees}
    more = begin + len(shown) < len(found)
    told_tasks = tuple(_describe_task(task, twins.get(task.id)) for task in shown)
    listed = TasksTold(count=len(found), tasks=told_tasks, more=more)
    text = write_text(view.brief(shown, await call.how(), twins, len(found), has_more=more))
    return ToolReply(listed, text)


def _describe_task(task: tasks.Task, twin: str | None) -> TaskTold:
    about = view.brief_about(task)
    if not isinstance(task, tasks.CategorizePayee):
        return TaskTold(id=task.id, kind=task.kind, about=about)
    known = task.confidence is not None
    return TaskTold.of(
        task,
        about=about,
        suggested=task.suggested if known else None,
        suggested_label=task.suggested_label if known else None,
        alternatives=tuple(each.category for each in task.alternatives if known),
        twin=twin or None,
    )


class AnswerQuestion(Wire):
    """The person's answer to one question; without one they are asked, where their client can."""

    id: Annotated[str, Field(min_length=1, max_length=200, description="An id from list_tasks.")]
    answer: Annotated[
        str | None, Field(min_length=1, max_length=80, description="A category's name or id.")
    ] = None
    direction: Annotated[MoneyDirection, Field(description="Only money in or only money out.")] = (
        "both"
    )
    amount: Annotated[
        TypedAmount | None,
        Field(description="Only this exact amount; positive when money goes out."),
    ] = None
    each: Annotated[bool, Field(description="Ask about each transaction.")] = False
    dismiss: bool = False
    undo: Annotated[bool, Field(description="Undo the answer.")] = False
    preview: Annotated[bool, Field(description="Only show the effect.")] = False


class AnswerTold(Wire):
    """What was answered, or with `preview` what it would move."""

    id: str
    status: Literal["answered", "dismissed", "undone", "preview"]
    answer: str | None
    label: str | None
    effect: tasks.Effect | None


async def answer_task(call: Call, ask: AnswerQuestion) -> ToolReply[AnswerTold]:
    """Answer a question as the person says.

    Raises NotFound, Conflict, and BadRequest for words that contradict each other or without any.
    """
    _check(ask)
    answer = label = effect = None
    if ask.undo:
        await call.ask(UNDO_ANSWER, tasks.TaskId(id=ask.id))
    else:
        if not (ask.each or ask.dismiss):
            word = ask.answer or await _asked_of_the_person(call, ask.id)
            known = await categories_of(call)
            answer = find_category(known, word)
            label = known[answer]
        outcome = await call.ask(ANSWER_TASK, tasks.TaskAnswer.of(ask, answer=answer))
        effect = outcome if isinstance(outcome, tasks.Effect) else None
        answer = tasks.EACH if ask.each else answer
    done = AnswerTold(id=ask.id, status=_status(ask), answer=answer, label=label, effect=effect)
    brief = view.brief_answer(ask.id, done.status, answer, label, effect, await call.how())
    return ToolReply(done, write_text(brief))


def _status(ask: AnswerQuestion) -> Literal["answered", "dismissed", "undone", "preview"]:
    if ask.preview:
        return "preview"
    return "undone" if ask.undo else "dismissed" if ask.dismiss else "answered"


def _check(ask: AnswerQuestion) -> None:
    """Raise BadRequest where arguments contradict each other, which it names."""
    said = [name for name in ("answer", "each", "dismiss", "undo") if getattr(ask, name)]
    if len(said) > 1:
        raise BadRequest(f"Give only one of {_both(said)}. Nothing was saved.")
    part = [
        *(["direction"] if ask.direction != "both" else []),
        *(["amount"] if ask.amount is not None else []),
    ]
    if part and said not in ([], ["answer"]):
        raise BadRequest(
            f"Use {_both(part)} only with `answer`, not with {_both(said)}. Nothing was saved."
        )
    if ask.undo and ask.preview:
        raise BadRequest(
            "An undo cannot be previewed. Give `undo` or `preview`. Nothing was changed."
        )


def _both(names: list[str]) -> str:
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} and {last}" if first else last


async def _asked_of_the_person(call: Call, task_id: str) -> str:
    found: tuple[tasks.Task, ...] = await call.ask(LIST_TASKS, tasks.TaskQuery())
    task = next((each for each in found if each.id == task_id), None)
    if task is None:
        raise NotFound(f"No open task {task_id}. List them: `finplan tasks list`.")
    if isinstance(task, tasks.CategorizePayee):
        offered = tuple(Offered(each.category, each.label) for each in choices(task))
        asked = f"Which category is {quoted(task.payee)}? {count(task.count, 'transaction')}."
        word = await call.elicit(asked, offered)
        if word is not None:
            return word
    raise BadRequest("Ask the person. Then send their `answer`, or `each` or `dismiss`.")


TASKS = Tool(
    "list_tasks",
    "Open tasks",
    "List what only the person can do, most important first: categorize a payee, sign in to a bank, add"
    " a missing account.",
    (LIST_TASKS, LIST_TRANSFERS),
    "reads",
    list_tasks,
    view="tasks",
)
ANSWER = Tool(
    "answer_task",
    "Answer a task",
    "Save the person's own answer to a task, dismiss the task, or undo. With preview, only show the"
    " effect.",
    (ANSWER_TASK, UNDO_ANSWER, LIST_TASKS, LIST_CATEGORIES),
    "changes",
    answer_task,
)
