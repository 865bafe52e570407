"""Tasks from question to answer and back, in a real store: one test for each kind's way."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.model.errors import BadRequest, BankProviderError, NotFound
from finplan.model.task import (
    CategorizePayee,
    ConnectMissingAccount,
    ReconnectConnection,
    Task,
    TaskAnswer,
    TaskId,
    TaskQuery,
)
from finplan.service.banking.connections import (
    sync_connection,
)
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.planning.tasks import answer_task, list_tasks, undo_answer
from finplan.service.rules import list_rules, remove_rule, set_rule

Import = Callable[..., Awaitable[Any]]

FILE = """Date,Description,Amount
2026-10-01,ZORBLAX UNLIMITED,-250.00
2026-10-15,ZORBLAX UNLIMITED,-60.00
2026-10-25,SAFEWAY,-80.00
2026-11-03,ZORBLAX UNLIMITED,-20.00
"""


async def open_now(context: Context) -> dict[str, Task]:
    return {task.id: task for task in await list_tasks(context, TaskQuery())}


async def answered(context: Context) -> dict[str, Task]:
    return {task.id: task for task in await list_tasks(context, TaskQuery(status="answered"))}


async def payee_asked(context: Context) -> CategorizePayee:
    found = [
        each for each in (await open_now(context)).values() if isinstance(each, CategorizePayee)
    ]
    return found[0]


async def test_an_answer_overruled_by_a_rule_names_the_rule(
    context: Context, import_texts: Import
) -> None:
    """Another rule for an answered payee changes the answer; it is never lost, and can be undone."""
    await import_texts({"checking.csv": FILE})
    task = await payee_asked(context)
    await answer_task(context, TaskAnswer(id=task.id, answer="hobbies"))
    before = (await list_rules(context, Nothing()))[0]
    after = await set_rule(context, RuleRequest(payee_key=task.payee_key, category="travel"))

    assert after.id == before.id
    assert await answered(context) == {task.id: task.model_copy(update={"answer": "travel"})}
    assert task.id not in await open_now(context)
    assert await undo_answer(context, TaskId(id=task.id)) == task
    assert (await open_now(context))[task.id] == task
    assert await answered(context) == {}


async def test_removing_the_rule_of_an_answer_asks_again(
    context: Context, import_texts: Import
) -> None:
    """An answer is its rule: without it the payee is unknown again."""
    await import_texts({"checking.csv": FILE})
    task = await payee_asked(context)
    await answer_task(context, TaskAnswer(id=task.id, answer="hobbies"))
    rule = (await list_rules(context, Nothing()))[0]
    await remove_rule(context, RuleId(id=rule.id))

    assert (await open_now(context))[task.id] == task
    assert await answered(context) == {}


async def test_a_rule_without_a_question_closes_it(context: Context, import_texts: Import) -> None:
    """Filing a payee by a rule answers what would be asked, and is no answered question."""
    await import_texts({"checking.csv": FILE})
    task = await payee_asked(context)
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="travel"))

    assert task.id not in await open_now(context)
    assert await answered(context) == {}


async def test_a_dismissed_payee_can_be_asked_about_again(
    context: Context, import_texts: Import
) -> None:
    """A dismissal files nothing, outlives new charges, and is taken back by undo."""
    await import_texts({"checking.csv": FILE})
    task = await payee_asked(context)
    await answer_task(context, TaskAnswer(id=task.id, dismiss=True))
    await import_texts({"checking.csv": f"{FILE}2026-11-09,ZORBLAX UNLIMITED,-900.00\n"})

    assert task.id not in await open_now(context)
    assert (await answered(context))[task.id] == task
    await undo_answer(context, TaskId(id=task.id))
    assert (await open_now(context))[task.id].kind == "categorize_payee"


async def test_a_missing_account_can_be_dismissed_and_asked_again(
    context: Context, import_texts: Import
) -> None:
    """It takes no category; a dismissal lasts whatever comes in; undo asks again."""
    rows = [f"2026-{month:02d}-15,CITI CARD PAYMENT,-1840.00" for month in range(6, 12)]
    text = "\n".join(["Date,Description,Amount", *rows, "2026-11-17,SAFEWAY,-9.00", ""])
    await import_texts({"checking.csv": text})
    (task,) = [
        each
        for each in (await open_now(context)).values()
        if isinstance(each, ConnectMissingAccount) and each.missing == "spending"
    ]
    with pytest.raises(BadRequest, match="closes by itself"):
        await answer_task(context, TaskAnswer(id=task.id, answer="rent"))
    await answer_task(context, TaskAnswer(id=task.id, dismiss=True))
    await import_texts({"checking.csv": f"{text}2026-11-18,CITI CARD PAYMENT,-300.00\n"})

    assert task.id not in await open_now(context)
    assert (await answered(context))[task.id] == task
    await undo_answer(context, TaskId(id=task.id))
    assert task.id in await open_now(context)


class Locked:
    """A bank that works once, wants a sign-in once, and works again."""

    def __init__(self) -> None:
        self.calls = 0

    async def sync(self, _link: Link, _cursor: str | None, _today: date) -> SyncPage:
        self.calls += 1
        if self.calls % 2 == 0:
            raise BankProviderError("Sign in again.", "demo", "login_required")
        account = BankAccount("chk", "Checking", "1111", "depository", "checking", "USD", 100_00)
        row = BankTransaction("chk", f"t{self.calls}", 20261118, -10_00, "CORNER SHOP")
        return SyncPage((account,), (row,), (), (), cursor="next")


async def test_a_bank_that_wants_a_sign_in_is_asked_about_until_it_works(context: Context) -> None:
    """It cannot be answered or dismissed; a sync that works closes it, the next lock opens another."""
    locked = replace(context, banks={"demo": Locked()})
    made = await link_connection(locked, LinkRequest(provider="demo"))
    connection = ConnectionId(id=made.answer.connection.id)
    seen = []
    for _ in range(3):
        seen.append(
            [
                each
                for each in (await open_now(locked)).values()
                if isinstance(each, ReconnectConnection)
            ]
        )
        await sync_connection(locked, connection)
    (task,) = seen[1]

    assert [len(found) for found in seen] == [0, 1, 0]
    assert (task.connection_id, task.error) == (connection.id, "Sign in again.")
    (again,) = [
        each for each in (await open_now(locked)).values() if isinstance(each, ReconnectConnection)
    ]
    assert again.kind == task.kind
    for reply in ({"answer": "rent"}, {"dismiss": True}):
        with pytest.raises(BadRequest, match="closes by itself"):
            await answer_task(locked, TaskAnswer.model_validate({"id": again.id, **reply}))
    with pytest.raises(NotFound):
        await undo_answer(locked, TaskId(id=again.id))


async def test_an_answer_may_settle_other_questions_and_undo_asks_them_again(
    context: Context, import_texts: Import
) -> None:
    """What the answers teach files payees that are like them; taking one back opens those again."""
    towns = ("NORTHWICK", "EASTLEA", "SOUTHAMPTON", "WESTBURY", "MIDHURST")
    rows = [
        f"2026-{month:02d}-1{place},{town} QUORBLE HALL,-4{place}.00"
        for place, town in enumerate(towns)
        for month in (9, 10)
    ]
    await import_texts({"checking.csv": "\n".join(["Date,Description,Amount", *rows, ""])})
    before = await open_now(context)
    asked = [task.id for task in before.values() if isinstance(task, CategorizePayee)]
    given = []
    for task_id in asked:
        if task_id in await open_now(context):
            await answer_task(context, TaskAnswer(id=task_id, answer="hobbies"))
            given.append(task_id)
    assert len(asked) == len(towns)
    assert 0 < len(given) < len(asked)
    assert not set(asked) & (await open_now(context)).keys()
    for task_id in given:
        await undo_answer(context, TaskId(id=task_id))
    assert await open_now(context) == before
