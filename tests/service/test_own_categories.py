"""Rules and own categories: what the person says holds at once, everywhere, and can be taken back.

What is filed under a category of the person's own counts there, and no charge is ever lost.
"""

import re
from functools import partial
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import Connection

from finplan.model import category as categories
from finplan.model.base import Nothing, read_json
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.task import CategorizePayee, TaskAnswer, TaskId, TaskQuery
from finplan.model.transaction import SpendingQuery, TransactionQuery
from finplan.plan.bookkeeping import keep_books
from finplan.plan.live.allowance import live_snapshot
from finplan.service.categories import (
    change_category,
    create_category,
    list_categories,
    remove_category,
)
from finplan.service.context import Caller, Context
from finplan.service.derived.household import load_ledger
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import answer_task, list_tasks, undo_answer
from finplan.service.rules import list_rules, remove_rule, set_rule, set_rules
from finplan.service.spending import query_spending
from finplan.service.transactions import list_transactions
from finplan.store.engine import many
from finplan.store.queries import people
from finplan.store.store import Store
from tests.service.conftest import NOW, bring, dump
from tests.service.said import all_rows, make, questions, spent, totals

FILE = """Date,Description,Amount
2026-09-01,CORNER THING,-25.00
2026-09-15,CORNER THING,-60.00
2026-10-01,CORNER THING,-25.00
2026-10-20,CORNER THING,10.00
2026-10-25,SAFEWAY,-80.00
"""


async def _spent_and_counted(context: Context, **query: Any) -> dict[str, tuple[int, int]]:
    report = await query_spending(context, SpendingQuery(**{"group_by": "category", **query}))
    assert report.total == sum(group.total for group in report.groups)
    return {group.key: (group.total, group.count) for group in report.groups}


async def test_a_rule_moves_a_payees_money_at_once(context: Context) -> None:
    """A payee's charges and refunds are filed where the person says; the total stays."""
    await bring(context, {"checking.csv": FILE})
    before = await _spent_and_counted(context)
    await set_rule(context, categories.RuleRequest(payee_key="corner thing", category="hobbies"))
    after = await _spent_and_counted(context)

    assert before == {"uncategorized": (100_00, 4), "groceries": (80_00, 1)}
    assert after == {"hobbies": (100_00, 4), "groceries": (80_00, 1)}


async def test_a_rule_rewrites_no_transaction(context: Context) -> None:
    """Changing a rule touches its payee alone."""
    await bring(context, {"checking.csv": FILE})
    held = await dump(context)
    await set_rule(context, categories.RuleRequest(payee_key="corner thing", category="hobbies"))
    after = await dump(context)

    assert after["tx"] == held["tx"]
    assert len(set(after["payee"]) - set(held["payee"])) == 1


async def test_a_rule_of_an_exact_amount_wins(context: Context) -> None:
    """Two things bought at one payee are told apart by their amount, in every grouping."""
    await bring(context, {"checking.csv": FILE})
    await set_rule(context, categories.RuleRequest(payee_key="corner thing", category="hobbies"))
    await set_rule(
        context,
        categories.RuleRequest(payee_key="corner thing", category="childcare", amount=25_00),
    )
    await set_rule(
        context, categories.RuleRequest(payee_key="safeway", category="work_expenses", amount=80_00)
    )

    assert await _spent_and_counted(context) == {"childcare": (50_00, 2), "hobbies": (50_00, 2)}
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
    assert [row.amount for row in await all_rows(context, category=("childcare",))] == [
        -25_00,
        -25_00,
    ]


async def test_removing_a_rule_returns_to_what_was(context: Context) -> None:
    """Without the person's rule the payee is filed as before."""
    await bring(context, {"checking.csv": FILE})
    held = await dump(context)
    rule = await set_rule(context, categories.RuleRequest(payee_key="safeway", category="dining"))
    listed = await list_rules(context, Nothing())
    await remove_rule(context, categories.RuleId(id=rule.id))

    assert listed[0] == rule
    assert [entry.source for entry in listed].count("curated") == 0
    assert await dump(context) == held
    curated = next(entry for entry in await list_rules(context, Nothing()))
    assert (curated.payee_key, curated.category, curated.user_id) == ("safeway", "groceries", None)
    with pytest.raises(Conflict, match="your own rules"):
        await remove_rule(context, categories.RuleId(id=curated.id))
    with pytest.raises(NotFound):
        await remove_rule(context, categories.RuleId(id="rule_unknown"))


async def test_a_rule_outlives_a_new_import(context: Context) -> None:
    """What the person said holds for rows that come later."""
    await bring(context, {"checking.csv": FILE})
    await set_rule(context, categories.RuleRequest(payee_key="corner thing", category="hobbies"))
    await bring(context, {"checking.csv": FILE + "2026-11-02,CORNER THING,-7.00\n"})

    assert (await _spent_and_counted(context))["hobbies"] == (107_00, 5)


async def test_unknown_payees_and_categories_are_refused_with_near_ones(context: Context) -> None:
    """A mistyped name gets a hint, and nothing is saved."""
    await bring(context, {"checking.csv": FILE})

    with pytest.raises(NotFound, match="mean corner thing"):
        await set_rule(context, categories.RuleRequest(payee_key="corner thin", category="hobbies"))
    with pytest.raises(BadRequest, match=r"mean .*\(hobbies\)"):
        await set_rule(context, categories.RuleRequest(payee_key="corner thing", category="hobies"))
    with pytest.raises(BadRequest, match="mean Corner Thing"):
        await query_spending(context, SpendingQuery(merchant=("corner thin",)))
    with pytest.raises(BadRequest, match="Unknown category"):
        await query_spending(context, SpendingQuery(category=("grocery-shopping",)))


@pytest.mark.usefixtures("demo")
async def test_answering_a_task_files_the_payee_and_undo_reopens_it(context: Context) -> None:
    """An answered question leaves the open list, its payee is filed, and undo brings it back."""
    task = (await questions(context))[0]
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


TWO_AND_A_REFUND = """Date,Description,Amount
2026-09-01,CORNER THING,-25.00
2026-10-01,CORNER THING,-40.00
2026-10-20,CORNER THING,25.00
2026-10-25,SAFEWAY,-80.00
"""


async def test_the_good_ones_are_saved_and_each_other_one_is_explained(context: Context) -> None:
    """An unknown payee, an unknown category and a second rule for the same charges stop no other."""
    await bring(context, {"checking.csv": TWO_AND_A_REFUND})
    asked = (
        ("corner thing", "hobbies", None),
        ("corner thin", "hobbies", None),
        ("safeway", "diningg", None),
        ("Safeway", "dining", None),
        ("corner thing", "kids", None),
        ("corner thing", "kids", 40_00),
    )
    result = await set_rules(
        context,
        categories.RuleBatch(
            rules=tuple(
                categories.RuleRequest(payee_key=key, category=category, amount=amount)
                for key, category, amount in asked
            )
        ),
    )

    assert [(rule.payee_key, rule.category, rule.amount) for rule in result.saved] == [
        ("corner thing", "hobbies", None),
        ("safeway", "dining", None),
        ("corner thing", "kids", 40_00),
    ]
    said = {error.index: error.message for error in result.errors}
    assert [*said] == [1, 2, 4]
    for index, told in (
        (1, r"'corner thin'.* corner thing\?.*`finplan transactions`"),
        (2, r"'diningg'.*\(dining\).*\(investing\)\?.*`finplan categories`"),
        (4, "rule at index 0 "),
    ):
        assert re.search(told, said[index])
    kept = [rule for rule in await list_rules(context, Nothing()) if rule.source == "user"]
    assert {rule.id for rule in kept} == {rule.id for rule in result.saved}
    assert await totals(context) == {"kids": 40_00, "dining": 80_00, "hobbies": 0}


async def test_a_batch_changes_the_data_once_or_not_at_all(context: Context) -> None:
    """A batch of nothing but errors saves nothing, and an empty one is answered."""
    refused = await set_rules(
        context,
        categories.RuleBatch(rules=(categories.RuleRequest(payee_key="nobody", category="kids"),)),
    )
    empty = await set_rules(context, categories.RuleBatch(rules=()))

    assert (refused.saved, len(refused.errors)) == ((), 1)
    assert (empty.saved, empty.errors) == ((), ())


@pytest.mark.parametrize(("size", "fits"), [(100, True), (101, False)])
def test_a_batch_holds_a_hundred_rules(size: int, fits: bool) -> None:
    """The hundred and first is refused before anything is saved."""
    rule = '{"payeeKey": "x", "category": "kids"}'
    body = f'{{"rules": [{",".join([rule] * size)}]}}'
    if fits:
        assert len(read_json(categories.RuleBatch, body).rules) == size
    else:
        with pytest.raises(ValidationError, match="at most 100"):
            read_json(categories.RuleBatch, body)


@pytest.mark.parametrize(
    ("amount", "moved", "left"), [(25_00, [-25_00], 15_00), (-25_00, [25_00], 65_00)]
)
async def test_the_sign_of_an_amount_is_the_direction_of_the_money(
    context: Context, amount: int, moved: list[int], left: int
) -> None:
    """A positive amount files money out and a negative one money in, never both."""
    await bring(context, {"checking.csv": TWO_AND_A_REFUND})
    await set_rule(context, categories.RuleRequest(payee_key="corner thing", category="hobbies"))

    rule = await set_rule(
        context, categories.RuleRequest(payee_key="corner thing", category="kids", amount=amount)
    )

    page = await list_transactions(context, TransactionQuery(category=("kids",)))
    assert [row.amount for row in page.transactions] == moved
    assert {row.why.rule_id for row in page.transactions} == {rule.id}
    assert rule.amount == amount
    assert await totals(context) == {"kids": amount, "hobbies": left, "groceries": 80_00}


async def test_a_row_names_the_rule_of_its_own_payee(context: Context) -> None:
    """Where rules of several payees file under one category, each row is told the one that files it."""
    await bring(context, {"checking.csv": TWO_AND_A_REFUND})
    named = {
        key: (await set_rule(context, categories.RuleRequest(payee_key=key, category="kids"))).id
        for key in ("corner thing", "safeway")
    }

    page = await list_transactions(context, TransactionQuery(category=("kids",)))
    assert {(row.payee_key, row.why.rule_id) for row in page.transactions} == set(named.items())
    assert len(page.transactions) == 4


async def test_a_payee_is_found_by_its_name_when_no_other_has_it(context: Context) -> None:
    """Key or display name, in any case of letters; what is unknown is told with near matches."""
    await bring(context, {"checking.csv": TWO_AND_A_REFUND})

    for spelling in ("corner thing", "Corner Thing", "CORNER THING"):
        rule = await set_rule(context, categories.RuleRequest(payee_key=spelling, category="kids"))
        assert rule.payee_key == "corner thing"
    with pytest.raises(NotFound, match="mean corner thing"):
        await set_rule(context, categories.RuleRequest(payee_key="Corner Thingy", category="kids"))


RENAME = "UPDATE payee SET name = ?"


async def test_a_name_that_two_payees_have_is_no_name(context: Context) -> None:
    """Nobody is filed by chance: both keys are offered instead."""
    await bring(context, {"checking.csv": TWO_AND_A_REFUND})
    await context.store.write(lambda c: many(c, RENAME, [("Twin",)]))

    with pytest.raises(NotFound, match="payee 'Twin'"):
        await set_rule(context, categories.RuleRequest(payee_key="Twin", category="kids"))
    assert (
        await set_rule(context, categories.RuleRequest(payee_key="safeway", category="kids"))
    ).amount is None


async def _merchants(context: Context, count: int) -> list[str]:
    """The demo household's merchants that a rule can move, dearest first; each household has others."""
    query = SpendingQuery(group_by="merchant", category=("dining", "shopping", "subscriptions"))
    report = await query_spending(context, query)
    return [group.key for group in report.groups[:count]]


async def test_a_category_takes_its_payees_when_it_is_made(context: Context) -> None:
    """The payees named are filed at once, and the answer says how many they and their charges are."""
    await bring(context, {"checking.csv": FILE})
    ask = categories.NewCategory(
        name=" Corner \t shop ", line="essential", payee_keys=("Corner Thing",)
    )

    made = await create_category(context, ask)

    assert made.new
    assert made.answer.category.category.startswith("cat_")
    assert (made.answer.category.label, made.answer.category.line) == ("Corner shop", "essential")
    assert made.answer.category.custom
    assert (made.answer.merchants, made.answer.charges) == (1, 4)
    assert await spent(context) == {"Corner shop": 100_00, "Groceries": 80_00}
    choices = await list_categories(context, Nothing())
    assert (len(choices), choices[-1]) == (45, made.answer.category)


async def test_an_unknown_payee_leaves_nothing_behind(context: Context) -> None:
    """A category is made with all its payees or not at all."""
    await bring(context, {"checking.csv": FILE})

    with pytest.raises(BadRequest, match="mean Corner Thing"):
        await make(context, "Corner", "essential", "safeway", "corner thin")

    assert len(await list_categories(context, Nothing())) == 44
    assert await spent(context) == {"Not yet known": 100_00, "Groceries": 80_00}


@pytest.mark.parametrize(
    "name",
    [
        "Pets",
        "PETS",
        "  pets ",
        "home_goods",
        "Rent",
        "bikes",
        "ＢＩＫＥＳ",
        "Straße",
        "Bi\u200dkes",
    ],
)
async def test_no_two_categories_have_one_name(context: Context, name: str) -> None:
    """A name is taken in every case of its letters, and so are the built-in labels and ids."""
    await make(context, "Bikes")
    await make(context, "STRASSE")

    with pytest.raises(Conflict, match="already"):
        await make(context, name)


@pytest.mark.parametrize("name", [" ", "\t\n", "a\x1b[31m"])
async def test_a_name_can_be_read(context: Context, name: str) -> None:
    """A name of blanks or with control characters is refused."""
    with pytest.raises(BadRequest, match="name"):
        await make(context, name)


@pytest.mark.parametrize("field", ["name", "line", "reimbursable"])
async def test_nothing_of_a_category_can_be_empty(context: Context, field: str) -> None:
    """What is left out of a change stays; null clears nothing here, so it is refused."""
    made = await make(context, "Bikes")

    with pytest.raises(BadRequest, match=f"{field} cannot be empty"):
        await change_category(
            context,
            categories.CategoryChange.model_validate({"category": made.category, field: None}),
        )
    assert (await list_categories(context, Nothing()))[-1] == made


async def test_a_renamed_category_keeps_what_is_in_it(context: Context) -> None:
    """The id stays, so that rules and charges stay; only what people read changes."""
    await bring(context, {"checking.csv": FILE})
    made = await make(context, "Corner", "essential", "corner thing")

    renamed = await change_category(
        context, categories.CategoryChange(category=made.category, name="CORNER")
    )
    with pytest.raises(Conflict):
        await change_category(
            context, categories.CategoryChange(category=made.category, name="dining")
        )

    assert renamed == made.model_copy(update={"label": "CORNER"})
    assert await spent(context) == {"CORNER": 100_00, "Groceries": 80_00}


async def test_a_line_decides_what_counts_as_spending(context: Context) -> None:
    """What is off the lines or paid back leaves every total, and comes back with its line."""
    await bring(context, {"checking.csv": FILE})
    made = await make(context, "Corner", "essential", "corner thing")

    async def change(**fields: Any) -> dict[str, int]:
        changed = await change_category(
            context, categories.CategoryChange(category=made.category, **fields)
        )
        page = await list_transactions(context, TransactionQuery(category=(made.category,)))
        expected = "not_spending" if changed.reimbursable else changed.line
        assert {row.line for row in page.transactions} == {expected}
        return await spent(context)

    rest = {"Groceries": 80_00}
    assert await change(line="not_spending") == rest
    assert await change(line="discretionary", reimbursable=True) == rest
    assert await change(reimbursable=False) == {"Corner": 100_00, **rest}


async def test_a_removed_category_gives_its_charges_back(context: Context) -> None:
    """Without a target everything is as if the category had never been."""
    await bring(context, {"checking.csv": FILE})
    before = await dump(context)
    made = await make(context, "Corner", "essential", "corner thing")
    await set_rule(
        context, categories.RuleRequest(payee_key="safeway", category=made.category, amount=80_00)
    )

    removed = await remove_category(context, categories.CategoryRemoval(category=made.category))

    assert (removed.category, removed.merged_into) == (made, None)
    assert (removed.merchants, removed.charges) == (2, 5)
    assert await dump(context) == before
    assert len(await list_categories(context, Nothing())) == 44


async def test_a_merged_category_moves_its_rules(context: Context) -> None:
    """Rules of payees and of exact amounts go to the target, built in or own."""
    await bring(context, {"checking.csv": FILE})
    made = await make(context, "Corner", "essential", "corner thing")
    other = await make(context, "Other")
    await set_rule(
        context, categories.RuleRequest(payee_key="safeway", category=made.category, amount=80_00)
    )

    merged = await remove_category(
        context, categories.CategoryRemoval(category=made.category, merge_into=other.category)
    )

    assert (merged.merged_into, merged.merchants, merged.charges) == (other, 2, 5)
    assert await spent(context) == {"Other": 180_00}
    await remove_category(
        context, categories.CategoryRemoval(category=other.category, merge_into="hobbies")
    )
    assert await spent(context) == {"Sport and hobbies": 180_00}
    rules = [rule for rule in await list_rules(context, Nothing()) if rule.source == "user"]
    assert {rule.category for rule in rules} == {"hobbies"}


async def test_what_cannot_be_done_to_a_category_is_said(context: Context) -> None:
    """A built-in category stays as it is, an unknown one is told with near matches."""
    made = await make(context, "Bikes")
    removal = categories.CategoryRemoval(category=made.category, merge_into=made.category)

    with pytest.raises(Conflict, match="categories add"):
        await change_category(context, categories.CategoryChange(category="groceries", name="Food"))
    with pytest.raises(Conflict, match="built in"):
        await remove_category(context, categories.CategoryRemoval(category="groceries"))
    with pytest.raises(NotFound, match=f"mean Bikes \\({made.category}\\)"):
        await remove_category(context, categories.CategoryRemoval(category="bike"))
    with pytest.raises(Conflict, match="itself"):
        await remove_category(context, removal)
    with pytest.raises(BadRequest, match=r"mean .*\(hobbies\)"):
        await remove_category(
            context, categories.CategoryRemoval(category=made.category, merge_into="hobies")
        )
    assert (await list_categories(context, Nothing()))[-1] == made


async def test_every_door_takes_an_own_category(context: Context) -> None:
    """Rules, filters of spending and of transactions know the person's categories."""
    await bring(context, {"checking.csv": FILE})
    made = await make(context, "Corner")
    await set_rules(
        context,
        categories.RuleBatch(
            rules=(categories.RuleRequest(payee_key="corner thing", category=made.category),)
        ),
    )

    assert await spent(context, category=(made.category,)) == {"Corner": 100_00}
    page = await list_transactions(context, TransactionQuery(category=(made.category,)))
    assert [row.amount for row in page.transactions] == [10_00, -25_00, -60_00, -25_00]
    assert {(row.category, row.line) for row in page.transactions} == {
        (made.category, "discretionary")
    }


@pytest.mark.usefixtures("demo")
async def test_a_question_can_be_answered_with_an_own_category(context: Context) -> None:
    """It stands among the options; a merge renames the answer, a removal opens the question again."""
    made = await make(context, "Whatever")
    task = (await questions(context))[0]
    assert made.category in task.options

    await answer_task(context, TaskAnswer(id=task.id, answer=made.category))
    other = await make(context, "Something")
    await remove_category(
        context, categories.CategoryRemoval(category=made.category, merge_into=other.category)
    )
    (answered,) = await list_tasks(context, TaskQuery(status="answered"))
    assert isinstance(answered, CategorizePayee)
    assert (answered.id, answered.answer) == (task.id, other.category)

    await remove_category(context, categories.CategoryRemoval(category=other.category))
    assert await list_tasks(context, TaskQuery(status="answered")) == ()
    assert task.id in {entry.id for entry in await list_tasks(context, TaskQuery())}


@pytest.mark.usefixtures("demo")
async def test_the_plan_and_the_snapshot_hold_own_categories(context: Context) -> None:
    """The plan names them, its sums stay; the snapshot has one group of them on each line."""
    before = (await build_plan(context, Nothing())).plan
    first, second, third = await _merchants(context, 3)
    await make(context, "Slow food", "essential", first)
    await make(context, "Cups", "essential", second)
    await make(context, "Big shop", "discretionary", third)

    plan = (await build_plan(context, Nothing())).plan
    owner, today = context.caller.owner, NOW.date()
    ledger = await context.store.read(lambda c: load_ledger(c, owner))
    snapshot = live_snapshot(ledger, keep_books(ledger, today), plan, today)

    assert plan.monthly.total_spend == before.monthly.total_spend
    assert plan.monthly.total_spend == sum(each.monthly for each in plan.categories)
    assert {"Slow food", "Cups", "Big shop"} <= {each.label for each in plan.categories}
    groups = {group.key: group for group in snapshot.groups}
    own = {key: len(group.categories) for key, group in groups.items() if key.startswith("own")}
    assert own == {"own_essential": 2, "own_discretionary": 1}
    assert groups["own_essential"].label == "Your own, essential"
    assert sum(group.monthly for group in snapshot.groups) == plan.monthly.total_spend


@pytest.mark.usefixtures("demo")
async def test_a_plan_outlives_the_categories_it_names(context: Context) -> None:
    """A category that is removed after the plan was built leaves the snapshot's groups adding up."""
    made = await make(context, "Cups", "essential", *await _merchants(context, 1))
    plan = (await build_plan(context, Nothing())).plan
    await remove_category(context, categories.CategoryRemoval(category=made.category))

    owner, today = context.caller.owner, NOW.date()
    ledger = await context.store.read(lambda c: load_ledger(c, owner))
    snapshot = live_snapshot(ledger, keep_books(ledger, today), plan, today)

    assert sum(group.monthly for group in snapshot.groups) == plan.monthly.total_spend


LEARN = (
    "UPDATE payee SET decided_out = ?, category_out = ?, suggested = ?, source = 'curated'"
    " WHERE key = 'corner thing'"
)


async def test_what_was_learned_of_a_removed_category_goes_with_it(context: Context) -> None:
    """A payee that was inferred to be in a category is judged again when that is removed or merged."""
    await bring(context, {"checking.csv": FILE})
    for target in (None, "hobbies"):
        made = await make(context, "Corner", "essential")
        learned = [(made.category,) * 3]
        await context.store.write(partial(many, statement=LEARN, rows=learned))
        assert (await spent(context))["Corner"] == 110_00

        await remove_category(
            context, categories.CategoryRemoval(category=made.category, merge_into=target)
        )

        assert await spent(context) == {"Not yet known": 100_00, "Groceries": 80_00}


@pytest.mark.usefixtures("demo")
async def test_the_charges_of_a_new_category_are_those_listed_under_it(context: Context) -> None:
    """A linked loan's payment stays the loan's payment, so it is not counted as taken."""
    page = await list_transactions(context, TransactionQuery(category=("mortgage",), limit=1))
    payees = (page.transactions[0].payee_key, *await _merchants(context, 2))

    ask = categories.NewCategory(name="Things", line="essential", payee_keys=payees)
    made = (await create_category(context, ask)).answer

    query = SpendingQuery(category=(made.category.category,), merchant=payees)
    assert (made.merchants, made.charges) == (3, (await query_spending(context, query)).count)


async def test_two_people_never_see_each_others_categories(context: Context, store: Store) -> None:
    """Another person neither lists, changes, files under nor removes them, and may use the name."""
    await bring(context, {"checking.csv": FILE})
    made = await make(context, "Corner", "essential", "corner thing")

    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "b@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    other = Context(
        Caller(await store.write(add), frozenset({"read", "write"}), "session"),
        store,
        context.banks,
        context.now,
    )

    assert len(await list_categories(other, Nothing())) == 44
    with pytest.raises(NotFound):
        await change_category(other, categories.CategoryChange(category=made.category, name="Mine"))
    with pytest.raises(NotFound):
        await remove_category(other, categories.CategoryRemoval(category=made.category))
    with pytest.raises(BadRequest):
        await query_spending(other, SpendingQuery(category=(made.category,)))
    with pytest.raises(BadRequest):
        await make(other, "Mine", "essential", "corner thing")
    twin = await make(other, "Corner")
    await remove_category(other, categories.CategoryRemoval(category=twin.category))
    assert await spent(context) == {"Corner": 100_00, "Groceries": 80_00}
