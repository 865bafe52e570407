"""A question that is answered is found by its id alone, without the ledger, and is the listed one."""

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.model.errors import Conflict
from finplan.model.task import CategorizePayee, TaskAnswer, TaskQuery
from finplan.service.banking.connections import (
    sync_connection,
)
from finplan.service.banking.linking import link_connection
from finplan.service.context import Context
from finplan.service.planning.answering import find_asked_payee
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.rules import list_rules, set_rule

Import = Callable[..., Awaitable[Any]]

NAMES = ("QUORBLE HALL", "ZWALDHOF", "WEXLIN STUDIO", "NORVALE", "SAFEWAY", "ZELLE TO JOHN SMITH")


def statement(dice: Random, since: int) -> str:
    """Rows of 2025 and 2026, some dated after today, over so many of the last months."""
    lines = ["Date,Description,Amount"]
    for _ in range(80):
        month = 11 - dice.randrange(since)
        year, month = (2026, month) if month > 0 else (2025, month + 12)
        sign = dice.choice(("-", "-", "-", ""))
        amount = dice.choice((20, 20, dice.randint(5, 900)))
        lines.append(
            f"{year}-{month:02d}-{dice.randint(1, 28)},{dice.choice(NAMES)},{sign}{amount}.00"
        )
    return "\n".join([*lines, ""])


OFFERED = {"suggested": "", "suggested_label": "", "confidence": None, "alternatives": ()}
"""What is offered hangs on other payees too: one of their rows may be the other half of a transfer."""


async def assert_found_as_listed(context: Context) -> list[CategorizePayee]:
    listed = [
        task for task in await list_tasks(context, TaskQuery()) if isinstance(task, CategorizePayee)
    ]
    for task in listed:
        find = partial(find_asked_payee, asker=context.asker, wanted=task.id)
        found = await context.store.read(find)
        assert found is not None
        assert found.as_task().model_copy(update=OFFERED) == task.model_copy(update=OFFERED)
    return listed


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(5))
async def test_every_open_question_is_found_as_it_is_listed(
    context: Context, import_texts: Import, seed: int
) -> None:
    """Whatever the accounts cover, and after rules of the person's and answers too."""
    dice = Random(seed)
    months = [dice.randint(1, 20) for _ in range(3)]
    await import_texts({f"bank {n}.csv": statement(dice, since) for n, since in enumerate(months)})
    listed = await assert_found_as_listed(context)
    assert listed
    for amount, category in ((20_00, "rent"), (-20_00, "uncategorized")):
        key = dice.choice(listed).payee_key
        await set_rule(context, RuleRequest(payee_key=key, category=category, amount=amount))
    await assert_found_as_listed(context)
    await answer_task(context, TaskAnswer(id=listed[0].id, answer="hobbies"))
    left = await assert_found_as_listed(context)
    assert listed[0].id not in {task.id for task in left}
    with pytest.raises(Conflict, match="answered already"):
        await answer_task(context, TaskAnswer(id=listed[0].id, answer="hobbies"))
    assert len(await list_rules(context, Nothing())) > 2


@pytest.mark.thorough
async def test_the_questions_of_a_linked_household_are_found(context: Context) -> None:
    """Loans, cards and transfers between own accounts change nothing of it."""
    made = await link_connection(context, LinkRequest(provider="demo"))
    await sync_connection(context, ConnectionId(id=made.answer.connection.id))
    await assert_found_as_listed(context)


async def test_no_other_id_is_a_payees(context: Context, import_texts: Import) -> None:
    """An id that no payee's question has finds nothing."""
    await import_texts({"bank.csv": statement(Random(1), 3)})
    assert await context.store.read(lambda c: find_asked_payee(c, context.asker, "task_0")) is None
