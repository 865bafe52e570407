"""Rules and tasks: what the person says holds at once, everywhere, and can be taken back."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.task import CategorizePayee, TaskAnswer, TaskId, TaskQuery
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.service.categories import list_categories
from finplan.service.context import Context
from finplan.service.planning.tasks import answer_task, list_tasks, undo_answer
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

FILE = """Date,Description,Amount
2026-09-01,CORNER THING,-25.00
2026-09-15,CORNER THING,-60.00
2026-10-01,CORNER THING,-25.00
2026-10-20,CORNER THING,10.00
2026-10-25,SAFEWAY,-80.00
"""


async def _spent(context: Context, **query: Any) -> dict[str, tuple[int, int]]:
    report = await query_spending(context, SpendingQuery(**{"group_by": "category", **query}))
    assert report.total == sum(group.total for group in report.groups)
    return {group.key: (group.total, group.count) for group in report.groups}


async def test_a_rule_moves_a_payees_money_at_once(context: Context, import_texts: Import) -> None:
    """A payee's charges and refunds are filed where the person says; the total stays."""
    await import_texts({"checking.csv": FILE})
    before = await _spent(context)
    await set_rule(context, RuleRequest(payee_key="corner thing", category="hobbies"))
    after = await _spent(context)

    assert before == {"uncategorized": (100_00, 4), "groceries": (80_00, 1)}
    assert after == {"hobbies": (100_00, 4), "groceries": (80_00, 1)}


async def test_a_rule_rewrites_no_transaction(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Changing a rule touches its payee alone."""
    await import_texts({"checking.csv": FILE})
    held = await dump()
    await set_rule(context, RuleRequest(payee_key="corner thing", category="hobbies"))
    after = await dump()

    assert after["tx"] == held["tx"]
    assert len(set(after["payee"]) - set(held["payee"])) == 1


async def test_a_rule_of_an_exact_amount_wins(context: Context, import_texts: Import) -> None:
    """Two things bought at one payee are told apart by their amount, in every grouping."""
    await import_texts({"checking.csv": FILE})
    await set_rule(context, RuleRequest(payee_key="corner thing", category="hobbies"))
    await set_rule(
        context, RuleRequest(payee_key="corner thing", category="childcare", amount=25_00)
    )
    await set_rule(
        context, RuleRequest(payee_key="safeway", category="work_expenses", amount=80_00)
    )

    assert await _spent(context) == {"childcare": (50_00, 2), "hobbies": (50_00, 2)}
    months = await query_spending(context, SpendingQuery(group_by="month"))
    merchants = await query_spending(context, SpendingQuery(group_by="merchant"))
    assert [(group.key, group.total) for group in months.groups] == [
        ("2026-09", 85_00),
        ("2026-10", 15_00),
    ]
    assert [(group.key, group.total) for group in merchants.groups] == [("corner thing", 100_00)]
    hobbies = await query_spending(
        context, SpendingQuery(group_by="month", category=("hobbies",), merchant=("Corner Thing",))
    )
    assert [group.total for group in hobbies.groups] == [60_00, -10_00]
    page = await list_transactions(context, TransactionQuery(category=("childcare",)))
    assert [row.amount for row in page.transactions] == [-25_00, -25_00]


async def test_removing_a_rule_returns_to_what_was(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Without the person's rule the payee is filed as before."""
    await import_texts({"checking.csv": FILE})
    held = await dump()
    rule = await set_rule(context, RuleRequest(payee_key="safeway", category="dining"))
    listed = await list_rules(context, Nothing())
    await remove_rule(context, RuleId(id=rule.id))

    assert listed[0] == rule
    assert [entry.source for entry in listed].count("curated") == 0
    assert await dump() == held
    curated = next(entry for entry in await list_rules(context, Nothing()))
    assert (curated.payee_key, curated.category, curated.user_id) == ("safeway", "groceries", None)
    with pytest.raises(Conflict, match="your own rules"):
        await remove_rule(context, RuleId(id=curated.id))
    with pytest.raises(NotFound):
        await remove_rule(context, RuleId(id="rule_unknown"))


async def test_a_rule_outlives_a_new_import(context: Context, import_texts: Import) -> None:
    """What the person said holds for rows that come later."""
    await import_texts({"checking.csv": FILE})
    await set_rule(context, RuleRequest(payee_key="corner thing", category="hobbies"))
    await import_texts({"checking.csv": FILE + "2026-11-02,CORNER THING,-7.00\n"})

    assert (await _spent(context))["hobbies"] == (107_00, 5)


async def test_unknown_payees_and_categories_are_refused_with_near_matches(
    context: Context, import_texts: Import
) -> None:
    """A mistyped name gets a hint, and nothing is saved."""
    await import_texts({"checking.csv": FILE})

    with pytest.raises(NotFound, match="Did you mean corner thing"):
        await set_rule(context, RuleRequest(payee_key="corner thin", category="hobbies"))
    with pytest.raises(BadRequest, match=r"Did you mean Sport and hobbies \(hobbies\)"):
        await set_rule(context, RuleRequest(payee_key="corner thing", category="hobies"))
    with pytest.raises(BadRequest, match="Did you mean Corner Thing"):
        await query_spending(context, SpendingQuery(merchant=("corner thin",)))
    with pytest.raises(BadRequest, match="no category"):
        await query_spending(context, SpendingQuery(category=("grocery-shopping",)))


@pytest.mark.usefixtures("demo")
async def test_answering_a_task_files_the_payee_and_undo_reopens_it(context: Context) -> None:
    """An answered question leaves the open list, its payee is filed, and undo brings it back."""
    task = next(
        task for task in await list_tasks(context, TaskQuery()) if isinstance(task, CategorizePayee)
    )
    answered = await answer_task(context, TaskAnswer(id=task.id, answer="hobbies"))
    open_after = await list_tasks(context, TaskQuery())
    listed = await list_tasks(context, TaskQuery(status="answered"))
    page = await list_transactions(context, TransactionQuery(merchant=(task.payee_key,)))
    undone = await undo_answer(context, TaskId(id=task.id))

    assert isinstance(answered, CategorizePayee)
    assert answered.answer == "hobbies"
    assert task.id not in {entry.id for entry in open_after}
    assert listed == (answered,)
    assert {row.category for row in page.transactions} == {"hobbies"}
    assert {row.why.source for row in page.transactions} == {"user"}
    assert undone == task
    assert task in await list_tasks(context, TaskQuery())


@pytest.mark.usefixtures("demo")
async def test_a_dismissed_task_stays_away(context: Context) -> None:
    """A dismissal closes a question without filing anything; both ways at once are refused."""
    (task, *_) = await list_tasks(context, TaskQuery())
    with pytest.raises(BadRequest):
        await answer_task(context, TaskAnswer(id=task.id, answer="hobbies", dismiss=True))
    with pytest.raises(BadRequest):
        await answer_task(context, TaskAnswer(id=task.id))
    await answer_task(context, TaskAnswer(id=task.id, dismiss=True))

    assert task.id not in {entry.id for entry in await list_tasks(context, TaskQuery())}
    with pytest.raises(Conflict, match="tasks undo"):
        await answer_task(context, TaskAnswer(id=task.id, dismiss=True))
    with pytest.raises(NotFound):
        await answer_task(context, TaskAnswer(id="task_unknown", dismiss=True))
    with pytest.raises(NotFound):
        await undo_answer(context, TaskId(id="task_unknown"))


async def test_the_categories_are_the_glossarys(context: Context) -> None:
    """There are thirty categories of spending and fourteen others."""
    choices = await list_categories(context, Nothing())

    lines = [choice.line for choice in choices]
    assert (lines.count("not_spending"), len(lines)) == (14, 44)
    assert [choice.category for choice in choices if choice.reimbursable] == ["work_expenses"]
