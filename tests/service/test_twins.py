"""Own transfers without words: asked about with the row on the other account, settled by one answer."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.category import RuleRequest
from finplan.model.task import CategorizePayee, Effect, TaskAnswer, TaskId, TaskQuery
from finplan.model.twins import CANDIDATES, twin_said
from finplan.service.context import Context
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import answer_task, list_tasks, undo_answer
from finplan.service.rules import set_rule
from finplan.service.verdicts.transfers import list_transfers
from tests.service.own_money import csv, spent, transfers

Import = Callable[..., Awaitable[Any]]


def monthly(day: int, text: str, amount: int, since: int = 1) -> list[str]:
    return [f"2026-{month:02d}-{day:02d},{text},{amount}.00" for month in range(since, 12)]


def checking(order: str, *more: str) -> str:
    pay = monthly(28, "NORTHLIGHT STUDIOS PAYROLL", 2500)
    return csv(*pay, *monthly(3, order, -900), *monthly(7, "CORNER GROCER", -200), *more)


def second(arrives: str, *more: str) -> str:
    return csv(*monthly(4, arrives, 900), *monthly(9, "KROGER", -45), *more)


STANDING = {"first.csv": checking("QX 4711 ZW"), "other.csv": second("77 LM")}


async def questions(context: Context) -> list[CategorizePayee]:
    tasks = await list_tasks(context, TaskQuery())
    return [task for task in tasks if isinstance(task, CategorizePayee)]


async def test_a_standing_order_is_one_question_with_its_twin(
    context: Context, import_texts: Import
) -> None:
    """Between own accounts is offered first, the other row is shown, and no rent or pay is guessed."""
    await import_texts(STANDING)

    (task,) = await questions(context)
    assert (task.suggested, task.suggested_label) == ("transfer", "Between own accounts")
    assert (task.count, task.total) == (11, 11 * 900_00)
    candidates = await list_transfers(context, CANDIDATES)
    said = twin_said(task, candidates)
    assert said.startswith("Maybe a transfer: $900.00 came into other on Wed 4 Nov (“77 LM”).")
    assert said.endswith("It happened 11 times.")


@pytest.mark.parametrize("how", ["answer", "rule"])
async def test_one_answer_settles_all_pairs(
    context: Context, import_texts: Import, how: str
) -> None:
    """Both legs of every month are moves, and those that come later too; undone, all is as it was."""
    await import_texts(STANDING)
    (task,) = await questions(context)
    before = await spent(context)
    if how == "answer":
        await answer_task(context, TaskAnswer(id=task.id, answer="transfer"))
    else:
        await set_rule(context, RuleRequest(payee_key=task.payee_key, category="transfer"))

    assert [pair.status for pair in await transfers(context)] == ["paired"] * 11
    assert await questions(context) == []
    assert await spent(context) == before - 11 * 900_00
    plan = (await build_plan(context, Nothing())).plan
    assert plan.monthly.income == 2500_00
    await import_texts(
        {
            "first.csv": checking("QX 4711 ZW", "2026-12-03,QX 4711 ZW,-900.00"),
            "other.csv": second("77 LM", "2026-12-04,77 LM,900.00"),
        }
    )
    assert len(await transfers(context)) == 12
    if how == "answer":
        reopened = await undo_answer(context, TaskId(id=task.id))
        assert isinstance(reopened, CategorizePayee)
        assert {pair.status for pair in await transfers(context)} == {"candidate"}
        assert [each.id for each in await questions(context)] == [task.id]


async def test_a_preview_says_what_one_answer_moves(context: Context, import_texts: Import) -> None:
    """All rows of the payee, of any age, and the allowance with both legs out of the way."""
    await import_texts(STANDING)
    (task,) = await questions(context)
    ask = TaskAnswer(id=task.id, answer="transfer", preview=True)
    effect = await answer_task(context, ask)
    assert isinstance(effect, Effect)
    assert (effect.charges, effect.total) == (task.count, task.total)
    assert {pair.status for pair in await transfers(context)} == {"candidate"}


async def test_another_answer_pairs_nothing(context: Context, import_texts: Import) -> None:
    """A landlord stays one, and the money in is asked about by itself from then on."""
    await import_texts(STANDING)
    (task,) = await questions(context)
    await answer_task(context, TaskAnswer(id=task.id, answer="rent"))

    assert await transfers(context, "paired", "confirmed") == ()
    assert task.id not in {each.id for each in await questions(context)}


async def test_two_times_are_offered_and_not_first(context: Context, import_texts: Import) -> None:
    """Once is an accident: a transfer is a choice, and the row on the other account is shown."""
    await import_texts(
        {
            "first.csv": csv(*monthly(7, "CORNER GROCER", -200), "2026-09-03,ZWALDHOF,-730.00"),
            "other.csv": csv(*monthly(9, "KROGER", -45), "2026-09-04,77 LM,730.00"),
        }
    )
    tasks = await questions(context)
    for task in tasks:
        assert "transfer" in {task.suggested, *(each.category for each in task.alternatives)}
        assert (task.suggested, task.confidence) != ("transfer", 0.7)
        assert twin_said(task, await list_transfers(context, CANDIDATES))
