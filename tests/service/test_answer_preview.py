"""A preview is exact: what an answer would move is what it moves, and nothing is stored before."""

from collections.abc import Awaitable, Callable
from functools import partial
from random import Random
from typing import Any

import pytest

from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.money import half_even
from finplan.model.task import CategorizePayee, DailyAllowance, TaskId
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.context import Context
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import undo_answer
from finplan.service.planning.views import show_snapshot
from finplan.store.queries import people
from tests.service.partial_answers import (
    assert_one_truth,
    drawn,
    give,
    mixed,
    preview,
    questions,
    rows,
    the_question,
)

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]


async def tell_balance(context: Context) -> None:
    """Say what the one account holds, without which there is no allowance."""
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=4_000_00))


def _said(dice: Random, task: CategorizePayee) -> dict[str, Any]:
    """An answer that fits a question: for all of it or a part, or to be asked each time."""
    amount = dice.choice(task.charges).amount
    category = dice.choice(("rent", "dining", "other_income", "transfer", "groceries"))
    directions = ["out" if amount >= 0 else "in", "both"]
    parts: list[dict[str, Any]] = [
        {"answer": category},
        {"answer": category, "direction": dice.choice(directions)},
        {"answer": category, "amount": amount, "direction": dice.choice(directions)},
        {"dismiss": True},
    ]
    if task.count > 1:
        parts.append({"each": True})
    return dice.choice(parts)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
async def test_what_is_shown_is_what_happens(
    context: Context, import_texts: Import, dump: Dump, seed: int
) -> None:
    """Charges, their sum, their month and both allowances, whatever is answered after whatever."""
    dice = Random(seed)
    await import_texts({"checking.csv": drawn(dice)})
    await tell_balance(context)
    plan = (await build_plan(context, Nothing())).plan
    months = round(plan.window.months)
    for _ in range(8):
        open_now = await questions(context)
        if not open_now:
            break
        task = dice.choice(open_now)
        said = _said(dice, task)
        daily = (await show_snapshot(context, Nothing())).allowance.daily
        before, kept = await rows(context), await dump()
        effect = await preview(context, task, **said)

        assert await dump() == kept
        assert await rows(context) == before
        await give(context, task, **said)
        now = {row.id: row for row in await rows(context)}
        moved = [
            row
            for row in before
            if row.payee_key == task.payee_key and now[row.id].category != row.category
        ]
        assert effect.charges == len(moved)
        assert effect.total == -sum(row.amount for row in moved)
        within = -sum(
            row.amount for row in moved if plan.window.since <= row.date <= plan.window.until
        )
        assert effect.monthly == half_even(within, months)
        then = (await show_snapshot(context, Nothing())).allowance.daily
        assert effect.allowance == DailyAllowance(before=daily, after=then, known=True)
        await assert_one_truth(context)


async def test_what_an_answer_teaches_is_shown_too(context: Context, import_texts: Import) -> None:
    """The allowance after is with the payees that the answer files along with this one."""
    like = "".join(
        f"2026-{month:02d}-05,QUILLON ZWALDHOF WEXLIN,-340.00\n"
        f"2026-{month:02d}-06,QUILLON ZWALDHOF,-40.00\n"
        for month in range(1, 12)
    )
    await import_texts({"checking.csv": mixed() + like})
    await tell_balance(context)
    await build_plan(context, Nothing())
    task = await the_question(context, "Quillon Zwaldhof")
    effect = await preview(context, task, answer="home_upkeep")
    assert effect.charges == 11
    await give(context, task, answer="home_upkeep")
    taught = [row for row in await rows(context) if "wexlin" in row.payee_key]
    assert {row.category for row in taught} == {"home_upkeep"}
    assert effect.allowance.after == (await show_snapshot(context, Nothing())).allowance.daily


async def test_without_a_balance_the_allowance_is_not_known(
    context: Context, import_texts: Import
) -> None:
    """Where nobody knows what cash there is, nor is what follows from it, before a plan and after."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    for planned in (False, True):
        effect = await preview(context, task, answer="rent", amount=850_00)
        assert (effect.charges, effect.total, effect.monthly) == (11, 9_350_00, 850_00)
        assert not effect.allowance.known, planned
        await build_plan(context, Nothing())
    await tell_balance(context)
    effect = await preview(context, task, answer="rent", amount=850_00)
    assert effect.allowance.known


async def test_a_preview_before_the_first_plan(context: Context, import_texts: Import) -> None:
    """Without a plan the allowances are those of the plan that would be built; nothing is raised."""
    await import_texts({"checking.csv": mixed()})
    await tell_balance(context)
    task = await the_question(context)
    seen = partial(people.generation_of, owner=context.caller.owner)
    before = await context.store.read(seen)
    effect = await preview(context, task, answer="rent", amount=850_00)
    assert await context.store.read(seen) == before
    assert (effect.charges, effect.total, effect.monthly) == (11, 9_350_00, 850_00)
    assert effect.allowance.before == (await show_snapshot(context, Nothing())).allowance.daily
    await give(context, task, answer="rent", amount=850_00)
    assert effect.allowance.after == (await show_snapshot(context, Nothing())).allowance.daily
    await undo_answer(context, TaskId(id=task.id))
