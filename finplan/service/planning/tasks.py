"""Tasks: the questions that only the person can answer, the answers, and what one would move.

That is known before it is given: the rules and what they teach are tried in a transaction that leaves
nothing behind; the plan is then worked out as it would be after the answer.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import Connection

from finplan.model import task as tasks
from finplan.model.errors import NotFound
from finplan.plan.advise.tasks import open_tasks, payee_questions
from finplan.plan.bookkeeping import keep_books
from finplan.plan.build import assess, plan_of
from finplan.plan.ledger.books import rows_between
from finplan.plan.ledger.days import day_of
from finplan.plan.ledger.ledger import AMOUNT, DAY, PAYEE, PEER, LedgerPayee, Row
from finplan.plan.live.allowance import live_snapshot
from finplan.plan.sections.monthly import per_month
from finplan.service.context import Asker, Context
from finplan.service.derived.books import Household, household_of, plan_that_holds
from finplan.service.derived.household import ledger_payees_of
from finplan.service.ledger.categorisation import apply_inference, compute_inferred
from finplan.service.ledger.reconciliation import unfile_row
from finplan.service.planning import answering
from finplan.service.rules import remove_own_rule
from finplan.store.queries import categories, people, single_words, transfers, verdicts as table
from finplan.store.queries.plans import ledger_rows_of
from finplan.views.plan_text import cash_is_unknown

_Filed = Counter[tuple[tuple[int, ...], str]]
"""How many rows of a payee, account, day and amount are in a category."""


async def preview_answer(
    context: Context, issue: answering.Asked, ask: tasks.TaskAnswer
) -> tasks.Effect:
    """What an answer would move; nothing is stored. Raises what giving it would raise."""
    asker = context.asker
    changed = await context.store.write(partial(_try_answer, asker=asker, issue=issue, ask=ask))
    key = issue.question.payee.key if isinstance(issue, answering.AskedPayee) else None
    effect = partial(_effect, asker=asker, key=key, changed=changed)
    return await context.store.compute(effect, asker.owner)


class _Changed(NamedTuple):
    """What an answer would change: payees, by number, and the rows that it would pair.

    Each row that is in a pair now, or would be, comes as it is and as it would be.
    """

    payees: Mapping[int, LedgerPayee]
    rows: Sequence[tuple[Row, Row]]


def _try_answer(
    connection: Connection, asker: Asker, issue: answering.Asked, ask: tasks.TaskAnswer
) -> _Changed:
    """The payees and the rows that an answer would change, as they would be."""
    owner = asker.owner
    before = ledger_payees_of(connection, owner)
    paired = transfers.paired_rows(connection, owner)
    with _taken_back(connection):
        answering.give_answer(connection, asker, issue, ask)
        apply_inference(connection, owner)
        after = ledger_payees_of(connection, owner)
        moved = sorted(paired ^ transfers.paired_rows(connection, owner))
        then = ledger_rows_of(connection, moved)
    now = ledger_rows_of(connection, moved)
    payees = {number: payee for number, payee in after.items() if payee != before[number]}
    return _Changed(payees, [(now[number], then[number]) for number in moved])


@contextmanager
def _taken_back(connection: Connection) -> Iterator[None]:
    connection.exec_driver_sql("SAVEPOINT trial")
    try:
        yield
    finally:
        connection.exec_driver_sql("ROLLBACK TO trial")
        connection.exec_driver_sql("RELEASE trial")


def _effect(
    connection: Connection, asker: Asker, key: str | None, changed: _Changed
) -> tasks.Effect:
    ledger, books, today = household = household_of(connection, asker)
    revised = replace(
        ledger,
        payees={**ledger.payees, **changed.payees},
        rows=_pair_rows(ledger.rows, changed.rows),
    )
    then = Household(revised, keep_books(revised, today), today)
    stored = plan_that_holds(connection, asker, household)
    plan = plan_of(assess(*household)) if stored is None else stored.plan
    numbers = {number for number, payee in ledger.payees.items() if payee.key == key}
    moved = _count_filed(household, numbers) - _count_filed(then, numbers)
    recent = Counter({parts: n for parts, n in moved.items() if books.window.holds(parts[0][DAY])})
    return tasks.Effect(
        charges=moved.total(),
        total=_total(moved),
        monthly=per_month(_total(recent), books.window.months),
        allowance=tasks.DailyAllowance(
            before=live_snapshot(ledger, books, plan, today).allowance.daily,
            after=live_snapshot(revised, then.books, plan_of(assess(*then)), today).allowance.daily,
            known=not cash_is_unknown(plan.snapshot.accounts),
        ),
    )


def _pair_rows(rows: Sequence[Row], changed: Sequence[tuple[Row, Row]]) -> Sequence[Row]:
    """The rows of a ledger as they would be once some are paired; those of no total are not there."""
    if not changed:
        return rows
    then = list(rows)
    for was, becomes in changed:
        index = bisect_left(then, (was[PAYEE], 0), key=lambda row: (row[PAYEE], 0))
        while index < len(then) and then[index][PAYEE] == was[PAYEE]:
            if then[index] == was:
                then[index] = becomes
                break
            index += 1
    return then


def _count_filed(household: Household, payees: set[int]) -> _Filed:
    """How many equal rows of some payees are in each category, whatever their age."""
    until = day_of(household.today)
    return Counter(
        (row[:PEER], sheet.category)
        for sheet in household.books.sheets
        if sheet.payee in payees
        for row in rows_between(sheet, 0, until)
    )


def _total(rows: _Filed) -> int:
    return -sum(row[AMOUNT] * number for (row, _), number in rows.items())


_TASK: TypeAdapter[tasks.Task] = TypeAdapter(tasks.Task)


async def list_tasks(context: Context, query: tasks.TaskQuery) -> tuple[tasks.Task, ...]:
    """The open questions, the most money first; or what the person answered, newest first."""
    owner = context.caller.owner
    if query.status == "answered":
        return await context.store.read(lambda c: _list_answered(c, owner))
    return await compute_inferred(context, partial(_open_tasks, asker=context.asker))


async def answer_task(context: Context, ask: tasks.TaskAnswer) -> tasks.TaskOutcome:
    """Answer a question, which files its payee or a part of it from now on, or dismiss it.

    With `each` the payee's rows are questions of their own. A preview stores nothing.
    """
    answering.check_answer(ask)
    asker = context.asker
    issue = await context.store.read(partial(_find_issue, asker=asker, task_id=ask.id))
    if issue is None:
        # Only a few questions are about no payee; to know them takes the whole ledger.
        issue = await compute_inferred(
            context, partial(_find_question, asker=asker, task_id=ask.id)
        )
    if ask.preview:
        return await preview_answer(context, issue, ask)
    return await context.commit(lambda c: answering.give_answer(c, asker, issue, ask), event=True)


async def undo_answer(context: Context, ask: tasks.TaskId) -> tasks.Task:
    """Take the newest answer to a question back: what it made goes, and the question is open again."""
    owner = context.caller.owner

    def undo(connection: Connection) -> tasks.Task:
        answer = next(iter(table.answers_to(connection, owner, ask.id)), None)
        if answer is None:
            raise NotFound(
                f"No saved answer to {ask.id}. `finplan tasks list --answered` lists your saved"
                " answers."
            )
        table.remove_answer(connection, answer["no"])
        rules = {row["no"]: row for row in categories.list_rules(connection, owner)}
        rule = rules.get(answer["rule_no"])
        if rule is not None:
            remove_own_rule(connection, owner, rule)
            people.set_inference_due(connection, owner)
        if answer["word_no"] is not None:
            unfile_row(connection, owner, answer["word_no"])
        people.raise_generation(connection, owner, rows=False)
        task = _TASK.validate_json(answer["body"])
        is_of_payee = isinstance(task, tasks.CategorizePayee)
        return task.model_copy(update={"answer": None}) if is_of_payee else task

    return await context.commit(undo, event=True)


def _list_answered(connection: Connection, owner: int) -> tuple[tasks.Task, ...]:
    """What the person answered, with the category that its rule or its row's word names now."""
    ruled = {row["no"]: row["category"] for row in categories.list_rules(connection, owner)}
    filed = {row["no"]: row["category"] for row in single_words.list_words(connection, owner)}
    answered = []
    for row in table.list_answers(connection, owner):
        category = ruled.get(row["rule_no"]) or filed.get(row["word_no"])
        answered.append(_as_filed(_TASK.validate_json(row["body"]), category))
    return tuple(answered)


def _as_filed(task: tasks.Task, category: str | None) -> tasks.Task:
    if category is None or not isinstance(task, tasks.CategorizePayee):
        return task
    return task.model_copy(update={"answer": category})


def _find_issue(connection: Connection, asker: Asker, task_id: str) -> answering.Asked | None:
    """The question about a payee or a row; raises Conflict where nothing of it is open."""
    answers = table.answers_to(connection, asker.owner, task_id)
    if any(answer["each"] or table.is_dismissal(answer) for answer in answers):
        raise answering.gone(connection, asker.owner, task_id)
    issue = answering.find_asked_payee(connection, asker, task_id)
    issue = issue or answering.find_asked_row(connection, asker.owner, task_id)
    if issue is None and answers:
        raise answering.gone(connection, asker.owner, task_id)
    return issue


def _find_question(connection: Connection, asker: Asker, task_id: str) -> answering.Asked:
    ledger, books, today = household = household_of(connection, asker)
    for question in payee_questions(ledger, books, today):
        if question.id == task_id:
            # It is about rows that their rhythm files, and that may be halves of transfers.
            return answering.AskedPayee(question, ledger.catalogue)
    task = next((task for task in open_tasks(*household) if task.id == task_id), None)
    if task is None or isinstance(task, tasks.CategorizePayee):
        raise answering.gone(connection, asker.owner, task_id)
    return task


def _open_tasks(connection: Connection, asker: Asker) -> tuple[tasks.Task, ...]:
    return open_tasks(*household_of(connection, asker))
