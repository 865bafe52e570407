"""One payee, several purposes: answers by direction, by amount, and row by row, and the way back."""

from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.model.base import Nothing
from finplan.model.category import CategoryRemoval, RuleId, RuleRequest
from finplan.model.errors import BadRequest, Conflict, NotFound
from finplan.model.statement import ImportId
from finplan.model.task import EACH, CategorizePayee, TaskAnswer, TaskId
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.tasks import answer_task, undo_answer
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.store.queries import payees
from tests.service.filing import make
from tests.service.partial_answers import (
    HEAD,
    MONTHS,
    answered,
    assert_one_truth,
    filed,
    give,
    mixed,
    preview,
    questions,
    rows,
    the_question,
)

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

RENTS = Counter({-850_00: 11})
SMALL = Counter({-(20 + month) * 100: 1 for month in MONTHS})
PAID_IN = Counter({(100 + month) * 100: 1 for month in MONTHS})


async def test_money_in_is_answered_alone(context: Context, import_texts: Import) -> None:
    """An answer for one direction files its rows and no others; the other half is still asked."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    part = await give(context, task, answer="other_income", direction="in")

    assert isinstance(part, CategorizePayee)
    assert (part.id, part.count, part.total) == (task.id, 11, -sum(PAID_IN.elements()))
    assert await filed(context) == {"other_income": PAID_IN, "uncategorized": RENTS + SMALL}
    left = await the_question(context)
    assert (left.id, left.count, left.total) == (task.id, 22, -sum((RENTS + SMALL).elements()))
    assert await answered(context) == [(task.id, 11, part.total, "other_income")]
    await assert_one_truth(context)

    await give(context, left, answer="rent", direction="out")
    assert await filed(context) == {"other_income": PAID_IN, "rent": RENTS + SMALL}
    assert await questions(context, task.payee) == []
    await assert_one_truth(context)


async def test_what_is_left_is_answered_though_it_is_too_little_to_be_listed(
    context: Context, import_texts: Import
) -> None:
    """Some cents beside hundreds are no question by themselves, and yet the other half of one."""
    lines = [
        f"2026-{month:02d}-{day},ZORBLAX UNLIMITED,{amount}"
        for month in MONTHS
        for day, amount in (("02", "-850.00"), ("09", "0.01"))
    ]
    await import_texts({"checking.csv": HEAD + "\n".join(lines) + "\n"})
    task = await the_question(context)
    await give(context, task, answer="rent", direction="out")
    assert await questions(context, task.payee) == []
    await give(context, task, answer="other_income", direction="in")
    assert await filed(context) == {"rent": RENTS, "other_income": Counter({1: 11})}
    with pytest.raises(Conflict, match=f"about {task.payee} is answered already.*undo {task.id}"):
        await give(context, task, answer="other_income", direction="in")


async def test_one_amount_is_answered_alone(context: Context, import_texts: Import) -> None:
    """An answer for one exact amount files those rows; money in has a negative amount."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    await give(context, task, answer="rent", amount=850_00)
    await give(context, task, answer="gifts_donations", amount=-101_00, direction="in")

    gift = Counter({101_00: 1})
    assert await filed(context) == {
        "rent": RENTS,
        "gifts_donations": gift,
        "uncategorized": SMALL + PAID_IN - gift,
    }
    assert (await the_question(context)).count == 21
    changed = RuleRequest(payee_key=task.payee_key, category="travel", amount=-101_00)
    await set_rule(context, changed)
    assert [given[3] for given in await answered(context)] == ["travel", "rent"]
    await assert_one_truth(context)


async def test_the_narrower_rule_holds(context: Context, import_texts: Import) -> None:
    """A row's own word goes before its amount, that before its direction, that before its payee."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    await give(context, task, each=True)
    row = next(each for each in await questions(context, task.payee) if each.total == -109_00)
    await give(context, row, answer="gifts_donations")
    await undo_answer(context, TaskId(id=task.id))
    task = await the_question(context)
    await give(context, task, answer="dining")
    for amount, category in ((-109_00, "interest"), (-108_00, "hobbies"), (21_00, "pets")):
        await set_rule(
            context, RuleRequest(payee_key=task.payee_key, category=category, amount=amount)
        )
    whole = await filed(context)
    assert set(whole) == {"gifts_donations", "hobbies", "pets", "dining"}
    await assert_one_truth(context)

    dining = next(
        rule for rule in await list_rules(context, Nothing()) if rule.category == "dining"
    )
    await remove_rule(context, RuleId(id=dining.id))
    await give(context, await the_question(context), answer="travel", direction="out")
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    taken = Counter({109_00: 1, 108_00: 1})
    assert await filed(context) == {
        "gifts_donations": Counter({109_00: 1}),
        "hobbies": Counter({108_00: 1}),
        "dining": PAID_IN - taken,
        "pets": Counter({-21_00: 1}),
        "travel": RENTS + SMALL - Counter({-21_00: 1}),
    }
    await assert_one_truth(context)


async def test_words_on_money_in_and_out_add_up(context: Context, import_texts: Import) -> None:
    """Rows of one month and category are taken from where each would be by its direction."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    await give(context, task, each=True)
    for row in await questions(context, task.payee):
        if row.last_date.month == 9 and row.total in (850_00, -109_00):
            await give(context, row, answer="dining")
    await undo_answer(context, TaskId(id=task.id))
    await give(context, await the_question(context), answer="other_income", direction="in")
    assert (await filed(context))["dining"] == Counter({-850_00: 1, 109_00: 1})
    await assert_one_truth(context)


async def test_an_amount_that_no_row_has_is_told_in_money(
    context: Context, import_texts: Import
) -> None:
    """The refusal names the amount and up to five of the newest, each once, as a person writes them."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    with pytest.raises(Conflict) as refused:
        await give(context, task, answer="rent", amount=850_01)
    assert str(refused.value) == (
        f"No row of {task.payee} that is asked about has the amount $850.01. The newest amounts are"
        " -$111.00, $31.00, $850.00, -$110.00, $30.00: positive when money goes out, negative when"
        " it comes in."
    )


async def test_a_row_names_the_rule_that_files_it(context: Context, import_texts: Import) -> None:
    """Where the rules of a payee and of a direction say the same, the narrower one is the reason."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    await give(context, task, answer="dining", direction="in")
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    said = {
        (row.amount > 0, str(row.why.rule_id).startswith("rule_in_"))
        for row in await rows(context)
        if row.payee_key == task.payee_key
    }
    assert said == {(True, True), (False, False)}
    assert {row.why.source for row in await rows(context) if row.payee_key == task.payee_key} == {
        "user"
    }


async def test_each_row_is_a_question(context: Context, import_texts: Import) -> None:
    """With `each` the payee is asked about row by row, newest first, and so are rows that come later."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    said = await give(context, task, each=True)
    assert isinstance(said, CategorizePayee)
    assert said.answer == EACH

    asked = await questions(context, task.payee)
    assert len(asked) == len({each.id for each in asked}) == 33
    assert [each.last_date for each in asked] == sorted(
        (each.last_date for each in asked), reverse=True
    )
    assert Counter(-each.total for each in asked) == RENTS + SMALL + PAID_IN
    assert all(each.count == 1 and each.payee_key == task.payee_key for each in asked)

    rent = next(each for each in asked if each.total == 850_00 and each.last_date.month == 9)
    await give(context, rent, answer="rent")
    assert (await filed(context))["rent"] == Counter({-850_00: 1})
    assert {each.id for each in await questions(context, task.payee)} == {
        each.id for each in asked if each.id != rent.id
    }
    await assert_one_truth(context)

    await import_texts(
        {"more.csv": HEAD + "2026-11-17,ZORBLAX UNLIMITED,-3.00\n"}, account="checking"
    )
    later = await questions(context, task.payee)
    assert (len(later), later[0].total) == (33, 3_00)
    with pytest.raises(Conflict, match="answered already"):
        await answer_task(context, TaskAnswer(id=task.id, answer="dining"))
    with pytest.raises(Conflict, match="answered already"):
        await answer_task(context, TaskAnswer(id=rent.id, answer="dining"))


async def test_of_equal_rows_each_has_a_word_of_its_own(
    context: Context, import_texts: Import
) -> None:
    """Two equal rows of one day are two questions; one may be answered and the other not."""
    twice = "2026-09-02,ZORBLAX UNLIMITED,-70.00\n" * 2
    await import_texts({"checking.csv": mixed() + twice})
    await give(context, await the_question(context), each=True)
    first, second = [
        each for each in await questions(context, "Zorblax Unlimited") if each.total == 70_00
    ]
    await give(context, second, answer="dining")
    assert (await filed(context))["dining"] == Counter({-70_00: 1})
    (left,) = [
        each for each in await questions(context, "Zorblax Unlimited") if each.total == 70_00
    ]
    assert left.id == first.id
    await assert_one_truth(context)
    await give(context, left, answer="travel")
    found = await filed(context)
    assert found["dining"] == found["travel"] == Counter({-70_00: 1})
    await assert_one_truth(context)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "said",
    [
        {"answer": "rent"},
        {"answer": "other_income", "direction": "in"},
        {"answer": "rent", "direction": "out"},
        {"answer": "rent", "amount": 850_00},
        {"each": True},
        {"dismiss": True},
    ],
)
async def test_undo_removes_what_the_answer_made(
    context: Context, import_texts: Import, dump: Dump, said: dict[str, Any]
) -> None:
    """After an answer is taken back the store is as before it, and the question is open again."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    before = await dump()
    await give(context, task, **said)
    assert await dump() != before
    await undo_answer(context, TaskId(id=task.id))

    assert await the_question(context) == task
    assert await dump() == before
    with pytest.raises(NotFound):
        await undo_answer(context, TaskId(id=task.id))


async def test_undo_takes_the_newest_answer_first(context: Context, import_texts: Import) -> None:
    """Of several answers to one question the last one given goes, and the others stay."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    await give(context, task, answer="rent", amount=850_00)
    await give(context, task, answer="other_income", direction="in")
    await undo_answer(context, TaskId(id=task.id))

    assert [given[3] for given in await answered(context)] == ["rent"]
    assert (await filed(context))["rent"] == RENTS
    assert (await the_question(context)).count == 22
    await undo_answer(context, TaskId(id=task.id))
    assert await the_question(context) == task


async def test_undo_of_a_rows_answer_asks_about_it_again(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """A word on a row goes with its answer; the payee is still asked about row by row."""
    await import_texts({"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    row = (await questions(context, "Zorblax Unlimited"))[5]
    before = await dump()
    await give(context, row, answer="dining")
    await undo_answer(context, TaskId(id=row.id))
    assert await dump() == before
    assert (await questions(context, "Zorblax Unlimited"))[5] == row


async def test_a_word_outlives_its_row(context: Context, import_texts: Import) -> None:
    """A row that goes and comes back, under whatever number, is filed as the person said."""
    report = await import_texts({"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    row = (await questions(context, "Zorblax Unlimited"))[8]
    await give(context, row, answer="dining")
    before = await filed(context)
    await undo_import(context, ImportId(id=report.id))
    assert await rows(context) == []
    await import_texts({"other.csv": HEAD + "2026-01-02,SAFEWAY,-1.00\n"}, account="Other")
    await import_texts({"checking.csv": mixed()}, account="checking")

    assert await filed(context) == before
    assert row.id not in {each.id for each in await questions(context)}
    await assert_one_truth(context)


async def test_a_word_goes_with_its_category(context: Context, import_texts: Import) -> None:
    """A category that is merged takes its words along; one that is removed takes words and answers."""
    await import_texts({"checking.csv": mixed()})
    first = await make(context, "First")
    second = await make(context, "Second")
    await give(context, await the_question(context), each=True)
    row = (await questions(context, "Zorblax Unlimited"))[2]
    await give(context, row, answer=first.category)
    merged = await remove_category(
        context, CategoryRemoval(category=first.category, merge_into=second.category)
    )
    assert (merged.merchants, merged.charges) == (1, 1)
    assert second.category in await filed(context)
    await remove_category(context, CategoryRemoval(category=second.category))
    assert set(await filed(context)) == {"uncategorized"}
    assert row.id in {each.id for each in await questions(context)}


async def test_a_category_that_goes_leaves_the_wider_rule(
    context: Context, import_texts: Import
) -> None:
    """Without the rule of one direction that of the payee holds for it."""
    await import_texts({"checking.csv": mixed()})
    own = await make(context, "Own")
    task = await the_question(context)
    await give(context, task, answer=own.category, direction="out")
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    assert (await filed(context))["dining"] == PAID_IN
    await remove_category(context, CategoryRemoval(category=own.category))
    assert set(await filed(context)) == {"dining"}


async def test_pay_is_kept_from_wide_rules_alone(context: Context, import_texts: Import) -> None:
    """Pay that was decided stands before a rule of the payee's spending, and after one for money in."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)

    def become_pay(connection: Connection) -> str:
        connection.exec_driver_sql("UPDATE payee SET decided_in = 'wages' WHERE key LIKE 'zorb%'")
        payees.keep_pay(connection, context.caller.owner, ["dining", "groceries"])
        found = "SELECT category_in FROM payee WHERE key LIKE 'zorb%'"
        return str(connection.exec_driver_sql(found).scalar_one())

    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    assert await context.store.write(become_pay) == "wages"
    dining = next(
        rule for rule in await list_rules(context, Nothing()) if rule.category == "dining"
    )
    await remove_rule(context, RuleId(id=dining.id))
    await context.store.write(
        lambda c: c.exec_driver_sql("UPDATE payee SET category_in = decided_out")
    )
    await give(context, await the_question(context), answer="groceries", direction="in")
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    assert await context.store.write(become_pay) == "groceries"


async def test_a_direction_teaches_nothing(context: Context, import_texts: Import) -> None:
    """What the money of one direction is for says nothing of payees with names like this one's."""
    like = "".join(f"2026-{m:02d}-05,ZORBLAX UNLIMITED WEST,-40.00\n" for m in MONTHS)
    await import_texts({"checking.csv": mixed() + like})
    others = [each for each in await rows(context) if each.payee_key != "zorblax unlimited"]
    await give(context, await the_question(context), answer="hobbies", direction="out")
    await questions(context)
    assert [each for each in await rows(context) if each.payee_key != "zorblax unlimited"] == others


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        ({}, BadRequest),
        ({"answer": "rent", "dismiss": True}, BadRequest),
        ({"answer": "rent", "each": True}, BadRequest),
        ({"each": True, "dismiss": True}, BadRequest),
        ({"each": True, "direction": "in"}, BadRequest),
        ({"dismiss": True, "amount": 5}, BadRequest),
        ({"answer": "nonsense", "direction": "in"}, BadRequest),
        ({"answer": "rent", "amount": 850_01}, Conflict),
        ({"answer": "rent", "amount": -850_00}, Conflict),
        ({"answer": "rent", "amount": 850_00, "direction": "in"}, Conflict),
    ],
)
@pytest.mark.parametrize("only_shown", [False, True])
async def test_what_answers_nothing_is_refused(
    context: Context,
    import_texts: Import,
    dump: Dump,
    said: dict[str, Any],
    refusal: type[Exception],
    only_shown: bool,
) -> None:
    """An answer that says several things, or files no row of the question, changes nothing."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    before = await dump()
    with pytest.raises(refusal):
        await answer_task(context, TaskAnswer(id=task.id, preview=only_shown, **said))
    assert await dump() == before


async def test_a_direction_without_money_is_refused(context: Context, import_texts: Import) -> None:
    """Once money in is answered there is none left; a row takes no `each`, only its own direction."""
    await import_texts({"checking.csv": mixed()})
    task = await the_question(context)
    await give(context, task, answer="other_income", direction="in")
    with pytest.raises(Conflict, match="No money that comes in"):
        await preview(context, task, answer="interest", direction="in")
    await give(context, task, each=True)
    row = (await questions(context, task.payee))[0]
    for said in (
        {"each": True},
        {"answer": "dining", "direction": "in"},
        {"answer": "a", "amount": 1},
    ):
        with pytest.raises(Conflict):
            await answer_task(context, TaskAnswer.model_validate({"id": row.id, **said}))
    with pytest.raises(BadRequest, match="no category"):
        await give(context, row, answer="nonsense")
    await give(context, row, answer="dining", direction="out", amount=row.total)
