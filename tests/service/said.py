"""What tests say of payees, categories and single rows, and how they ask what came of it."""

import asyncio
from collections import Counter
from random import Random
from typing import Any, Literal

from finplan.model.base import Nothing
from finplan.model.category import BudgetLine, CategoryChoice, NewCategory
from finplan.model.errors import Conflict
from finplan.model.task import CategorizePayee, Effect, Task, TaskAnswer, TaskQuery
from finplan.model.transaction import (
    SpendingQuery,
    SplitPart,
    Transaction,
    TransactionQuery,
    TransactionWord,
)
from finplan.service.categories import create_category
from finplan.service.context import Context
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.spending import query_spending
from finplan.service.transactions import change_transaction, list_transactions


def open_question(refusal: Conflict) -> tuple[str, list[str]]:
    """What the one question of a refused import is about, and the values that answer it."""
    (question,) = (refusal.data or {})["questions"]
    return question["about"], [choice["value"] for choice in question["choices"]]


async def is_noted(context: Context) -> None:
    """Wait until what goes on beside the answers has ended, such as the note of what was shown."""
    while context.background._tasks:  # noqa: ASYNC110 - each turn of the loop is a step of the work.
        await asyncio.sleep(0)


async def all_rows(context: Context, **which: Any) -> list[Transaction]:
    """Every row, or those of a filter."""
    return list(
        (await list_transactions(context, TransactionQuery(limit=500, **which))).transactions
    )


async def listed(context: Context, limit: int = 500, **query: Any) -> list[Transaction]:
    """All rows of a question, page by page."""
    rows: list[Transaction] = []
    ask = TransactionQuery.model_validate({"limit": limit, **query})
    while True:
        page = await list_transactions(context, ask)
        rows += page.transactions
        if page.next_cursor is None:
            return rows
        ask = ask.model_copy(update={"cursor": page.next_cursor})


async def the_row(context: Context, raw: str, **which: Any) -> Transaction:
    """The one row in whose text something stands."""
    (found,) = [row for row in await all_rows(context, **which) if raw in row.raw]
    return found


async def say(context: Context, row: Transaction, **word: Any) -> Transaction:
    """Say something of a row; `splits` are pairs of an amount and a category."""
    if word.get("splits") is not None:
        word["splits"] = tuple(
            part if isinstance(part, SplitPart) else SplitPart(amount=part[0], category=part[1])
            for part in word["splits"]
        )
    return await change_transaction(context, TransactionWord(id=row.id, **word))


NOTHING = {"category": None, "note": None, "splits": None}
"""What takes a word back whole."""


async def make(
    context: Context,
    name: str,
    line: BudgetLine = "discretionary",
    *payees: str,
    reimbursable: bool = False,
) -> CategoryChoice:
    ask = NewCategory(name=name, line=line, reimbursable=reimbursable, payee_keys=payees)
    return (await create_category(context, ask)).answer.category


async def spent(context: Context, **query: Any) -> dict[str, int]:
    """The totals by group, which must be the same money in every grouping."""
    report = await query_spending(context, SpendingQuery(**{"group_by": "category", **query}))
    for grouping in ("merchant", "tag", "month", None):
        other = await query_spending(context, SpendingQuery(**{**query, "group_by": grouping}))
        assert (other.total, other.count) == (report.total, report.count)
    assert report.total == sum(group.total for group in report.groups)
    return {group.label: group.total for group in report.groups}


HEAD = "Date,Description,Amount\n"
MONTHS = range(1, 12)


def mixed() -> str:
    """Ten months of a person who gets half of a rent and odd sums, and pays some of it back."""
    lines = []
    for month in MONTHS:
        lines += [
            f"2026-{month:02d}-02,ZORBLAX UNLIMITED,-850.00",
            f"2026-{month:02d}-09,ZORBLAX UNLIMITED,-{20 + month}.00",
            f"2026-{month:02d}-11,ZORBLAX UNLIMITED,{100 + month}.00",
            f"2026-{month:02d}-12,SAFEWAY,-300.00",
            f"2026-{month:02d}-13,ACME CORP PAYROLL,5600.00",
        ]
    return HEAD + "\n".join(lines) + "\n"


def drawn(dice: Random) -> str:
    """Months of payees whose rows go both ways, in few amounts, so that many are equal."""
    names = ("ZORBLAX UNLIMITED", "VENMO JANE DOE", "QUILLZWALD", "SAFEWAY", "SHELL", "TERRVIX")
    lines = [f"2026-{month:02d}-13,ACME CORP PAYROLL,5600.00" for month in MONTHS]
    for _ in range(90):
        day = f"2026-{dice.choice(MONTHS):02d}-{dice.randint(1, 18):02d}"
        sign = dice.choice(("-", "-", ""))
        lines.append(f"{day},{dice.choice(names)},{sign}{dice.choice((20, 20, 45, 130, 700))}.00")
    return HEAD + "\n".join(sorted(lines)) + "\n"


async def totals(context: Context) -> dict[str, int]:
    """Spending by category."""
    report = await query_spending(context, SpendingQuery(group_by="category"))
    return {group.key: group.total for group in report.groups}


async def questions(context: Context, name: str | None = None) -> list[CategorizePayee]:
    """The open questions about payees, or about one of a name."""
    return [
        task
        for task in await list_tasks(context, TaskQuery())
        if isinstance(task, CategorizePayee) and (name is None or task.payee == name)
    ]


async def the_question(context: Context, name: str = "Zorblax Unlimited") -> CategorizePayee:
    """The one open question about a payee."""
    (found,) = await questions(context, name)
    return found


async def answered(context: Context) -> list[tuple[str, int, int, str | None]]:
    """What was answered, newest first: id, rows, their sum and the answer."""
    return [
        (task.id, task.count, task.total, task.answer)
        for task in await list_tasks(context, TaskQuery(status="answered"))
        if isinstance(task, CategorizePayee)
    ]


async def give(context: Context, task: Task, **said: Any) -> Task:
    """Give an answer."""
    given = await answer_task(context, TaskAnswer(id=task.id, **said))
    assert not isinstance(given, Effect)
    return given


async def preview(context: Context, task: Task, **said: Any) -> Effect:
    """See what an answer would move."""
    effect = await answer_task(context, TaskAnswer(id=task.id, **said, preview=True))
    assert isinstance(effect, Effect)
    return effect


async def rows(context: Context) -> list[Transaction]:
    """Every row."""
    return list((await list_transactions(context, TransactionQuery(limit=500))).transactions)


async def filed(context: Context, key: str = "zorblax unlimited") -> dict[str, Counter[int]]:
    """The amounts of a payee's rows by category, as on a statement."""
    found: dict[str, Counter[int]] = {}
    for row in await rows(context):
        if row.payee_key == key:
            found.setdefault(row.category, Counter())[row.amount] += 1
    return found


async def assert_one_truth(context: Context) -> None:
    """What the store adds up, what single rows say and what the plan holds are the same."""
    plan = (await build_plan(context, Nothing())).plan
    window: dict[str, Any] = {"since": plan.window.since, "until": plan.window.until}
    report = await query_spending(context, SpendingQuery(group_by="category", **window))
    added = {group.key: (group.total, group.count) for group in report.groups}
    assert added == {each.category: (each.total, each.count) for each in plan.categories}
    groupings: tuple[Literal["merchant", "month"], ...] = ("merchant", "month")
    for grouping in groupings:
        other = await query_spending(context, SpendingQuery(group_by=grouping, **window))
        assert (other.total, other.count) == (report.total, report.count)
    single: dict[str, tuple[int, int]] = {}
    for row in await rows(context):
        if row.line != "not_spending" and plan.window.since <= row.date <= plan.window.until:
            total, count = single.get(row.category, (0, 0))
            single[row.category] = (total - row.amount, count + 1)
    assert single == added
