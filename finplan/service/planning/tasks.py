"""Tasks: the questions that only the person can answer, and the answers."""

from functools import partial

from pydantic import TypeAdapter
from sqlalchemy import Connection

from finplan.model.errors import NotFound
from finplan.model.task import CategorizePayee, Task, TaskAnswer, TaskId, TaskOutcome, TaskQuery
from finplan.plan.advise.tasks import open_tasks, payee_questions
from finplan.service.asker import Asker
from finplan.service.context import Context
from finplan.service.derived.books import household_of
from finplan.service.ledger.inference import compute_inferred
from finplan.service.ledger.rematching import unfile_row
from finplan.service.planning.answering import Asked, check_answer, give_answer, gone
from finplan.service.planning.asked_payee import AskedPayee, find_asked_payee, find_asked_row
from finplan.service.planning.effects import preview_answer
from finplan.service.rules import remove_own_rule
from finplan.store.queries import categories, people, single_words
from finplan.store.queries import verdicts as table

_TASK: TypeAdapter[Task] = TypeAdapter(Task)


async def list_tasks(context: Context, query: TaskQuery) -> tuple[Task, ...]:
    """The open questions, the most money first; or what the person answered, newest first."""
    owner = context.caller.owner
    if query.status == "answered":
        return await context.store.read(lambda c: _answered(c, owner))
    return await compute_inferred(context, partial(_open, asker=context.asker))


async def answer_task(context: Context, ask: TaskAnswer) -> TaskOutcome:
    """Answer a question, which files its payee or a part of it from now on, or dismiss it.

    With `each` the payee's rows are questions of their own. A preview stores nothing.
    """
    check_answer(ask)
    asker = context.asker
    asked = await context.store.read(partial(_find_asked, asker=asker, task_id=ask.id))
    if asked is None:
        # Only a few questions are about no payee; to know them takes the whole ledger.
        asked = await compute_inferred(context, partial(_find, asker=asker, task_id=ask.id))
    if ask.preview:
        return await preview_answer(context, asked, ask)
    return await context.commit(lambda c: give_answer(c, asker, asked, ask), event=True)


async def undo_answer(context: Context, ask: TaskId) -> Task:
    """Take the newest answer to a question back: what it made goes, and the question is open again."""
    owner = context.caller.owner

    def undo(connection: Connection) -> Task:
        given = next(iter(table.answers_to(connection, owner, ask.id)), None)
        if given is None:
            raise NotFound(
                f"No answer to {ask.id} is kept. `finplan tasks list --answered` shows them."
            )
        table.remove_answer(connection, given["no"])
        rule = next(
            (
                row
                for row in categories.list_rules(connection, owner)
                if row["no"] == given["rule_no"]
            ),
            None,
        )
        if rule is not None:
            remove_own_rule(connection, owner, rule)
            people.set_inference_due(connection, owner)
        if given["word_no"] is not None:
            unfile_row(connection, owner, given["word_no"])
        people.raise_generation(connection, owner, rows=False)
        task = _TASK.validate_json(given["body"])
        return (
            task.model_copy(update={"answer": None}) if isinstance(task, CategorizePayee) else task
        )

    return await context.commit(undo, event=True)


def _answered(connection: Connection, owner: int) -> tuple[Task, ...]:
    """What the person answered, with the category that its rule or its row's word names now."""
    ruled = {row["no"]: row["category"] for row in categories.list_rules(connection, owner)}
    said = {row["no"]: row["category"] for row in single_words.list_words(connection, owner)}
    return tuple(
        _as_filed(
            _TASK.validate_json(row["body"]), ruled.get(row["rule_no"]) or said.get(row["word_no"])
        )
        for row in table.list_answers(connection, owner)
    )


def _as_filed(task: Task, category: str | None) -> Task:
    if category is None or not isinstance(task, CategorizePayee):
        return task
    return task.model_copy(update={"answer": category})


def _find_asked(connection: Connection, asker: Asker, task_id: str) -> Asked | None:
    """The question about a payee or a row; raises Conflict where nothing of it is open."""
    given = table.answers_to(connection, asker.owner, task_id)
    if any(answer["each"] or table.is_dismissal(answer) for answer in given):
        raise gone(connection, asker.owner, task_id)
    asked = find_asked_payee(connection, asker, task_id)
    asked = asked or find_asked_row(connection, asker.owner, task_id)
    if asked is None and given:
        raise gone(connection, asker.owner, task_id)
    return asked


def _find(connection: Connection, asker: Asker, task_id: str) -> Asked:
    ledger, books, today = household = household_of(connection, asker)
    for question in payee_questions(ledger, books, today):
        if question.id == task_id:
            # It is about rows that their rhythm files, and that may be halves of transfers.
            return AskedPayee(question, ledger.catalogue)
    task = next((task for task in open_tasks(*household) if task.id == task_id), None)
    if task is None or isinstance(task, CategorizePayee):
        raise gone(connection, asker.owner, task_id)
    return task


def _open(connection: Connection, asker: Asker) -> tuple[Task, ...]:
    return open_tasks(*household_of(connection, asker))
