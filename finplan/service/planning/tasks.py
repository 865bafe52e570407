"""Tasks: the questions that only the person can answer, and the answers."""

from functools import partial

from pydantic import TypeAdapter
from sqlalchemy import Connection

from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.task import CategorizePayee, Task, TaskAnswer, TaskId, TaskQuery
from finplan.plan.advise.tasks import open_tasks
from finplan.service.asker import Asker
from finplan.service.categories.rules import find_payee, remove_own_rule, save_own_rule
from finplan.service.context import Context
from finplan.service.derived.books import household_of
from finplan.service.ledger.inference import compute_inferred
from finplan.service.planning.asked_payee import find_asked_payee
from finplan.store.queries import people, rules
from finplan.store.queries import tasks as table

_TASK: TypeAdapter[Task] = TypeAdapter(Task)


async def list_tasks(context: Context, query: TaskQuery) -> tuple[Task, ...]:
    """The open questions, the most money first; or what the person answered, newest first."""
    owner = context.caller.owner
    if query.status == "answered":
        return await context.store.read(lambda c: _answered(c, owner))
    return await compute_inferred(context, partial(_open, asker=context.asker))


async def answer_task(context: Context, ask: TaskAnswer) -> Task:
    """Answer a question, which files its payee from now on, or dismiss it."""
    if (ask.answer is None) == (not ask.dismiss):
        raise BadRequest("Give either an answer or `dismiss`, one of the two.")

    asker = context.asker
    task = await context.store.read(partial(_find_asked, asker=asker, task_id=ask.id))
    if task is None:
        # Only a few questions are about no payee; to know them takes the whole ledger.
        task = await compute_inferred(context, partial(_find, asker=asker, task_id=ask.id))
    return await context.commit(lambda c: _answer(c, asker, task, ask.answer), event=True)


async def undo_answer(context: Context, ask: TaskId) -> Task:
    """Take an answer back: its rule goes, and the question is open again."""
    owner = context.caller.owner

    def undo(connection: Connection) -> Task:
        given = table.find_answer(connection, owner, ask.id)
        if given is None:
            raise NotFound(
                f"No answer to {ask.id} is kept. `finplan tasks list --answered` shows them."
            )
        table.remove_answer(connection, owner, ask.id)
        rule = next(
            (row for row in rules.list_rules(connection, owner) if row["no"] == given["rule_no"]),
            None,
        )
        if rule is not None:
            remove_own_rule(connection, owner, rule)
            people.set_inference_due(connection, owner)
        people.raise_generation(connection, owner, rows=False)
        task = _TASK.validate_json(given["body"])
        return (
            task.model_copy(update={"answer": None}) if isinstance(task, CategorizePayee) else task
        )

    return await context.commit(undo, event=True)


def _answered(connection: Connection, owner: int) -> tuple[Task, ...]:
    """What the person answered, with the category that the payee's rule names now."""
    named = {row["no"]: row["category"] for row in rules.list_rules(connection, owner)}
    return tuple(
        _as_ruled(_TASK.validate_json(row["body"]), named.get(row["rule_no"]))
        for row in table.list_answers(connection, owner)
    )


def _as_ruled(task: Task, category: str | None) -> Task:
    if category is None or not isinstance(task, CategorizePayee):
        return task
    return task.model_copy(update={"answer": category})


def _find_asked(connection: Connection, asker: Asker, task_id: str) -> Task | None:
    if table.find_answer(connection, asker.owner, task_id) is not None:
        raise _gone(connection, asker.owner, task_id)
    return find_asked_payee(connection, asker, task_id)


def _find(connection: Connection, asker: Asker, task_id: str) -> Task:
    task = next((task for task in _open(connection, asker) if task.id == task_id), None)
    if task is None:
        raise _gone(connection, asker.owner, task_id)
    return task


def _open(connection: Connection, asker: Asker) -> tuple[Task, ...]:
    return open_tasks(*household_of(connection, asker))


def _answer(connection: Connection, asker: Asker, task: Task, answer: str | None) -> Task:
    owner, now = asker.owner, asker.milliseconds()
    rule = None
    if answer is not None:
        if not isinstance(task, CategorizePayee):
            raise BadRequest(
                "This question closes by itself once the account is linked or signed in again."
            )
        payee = find_payee(connection, owner, task.payee_key)
        rule = save_own_rule(connection, owner, payee["no"], answer, None, now)
        people.set_inference_due(connection, owner)
        task = task.model_copy(update={"answer": answer})
    elif task.kind == "reconnect_connection":
        raise BadRequest("This question closes by itself once the bank can be synced again.")
    table.save_answer(
        connection,
        {
            "owner_no": owner,
            "task_id": task.id,
            "body": task.model_dump_json(),
            "rule_no": rule,
            "answered_at": now,
        },
    )
    people.raise_generation(connection, owner, rows=False)
    return task


def _gone(connection: Connection, owner: int, task_id: str) -> NotFound | Conflict:
    if table.find_answer(connection, owner, task_id) is not None:
        return Conflict(
            f"The question {task_id} is answered already. `finplan tasks undo {task_id}` reopens it."
        )
    return NotFound(f"There is no open question {task_id}. `finplan tasks list` shows them.")
