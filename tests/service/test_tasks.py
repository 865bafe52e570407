"""Tasks from question to answer and back, in a real store: one test for each kind's way.

A question is found by its id alone, without the ledger, and is the listed one. Several purposes of
one payee are answered by direction, by amount, and row by row; a preview is exact, and nothing is
stored before.
"""

import re
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import partial
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection

from finplan.banks.base import BankAccount, BankTransaction, Link, SyncPage
from finplan.model import task as tasks
from finplan.model.account import AccountChange
from finplan.model.base import Nothing
from finplan.model.category import CategoryRemoval, RuleId, RuleRequest
from finplan.model.connection import ConnectionId, LinkRequest
from finplan.model.errors import BadRequest, BankProviderError, Conflict, NotFound
from finplan.model.money import half_even
from finplan.model.statement import ImportId
from finplan.service.banking.accounts import change_account, list_accounts
from finplan.service.banking.connections import sync_connection
from finplan.service.banking.linking import link_connection
from finplan.service.categories import remove_category
from finplan.service.context import Context
from finplan.service.imports.imports import undo_import
from finplan.service.planning.answering import find_asked_payee
from finplan.service.planning.plans import build_plan
from finplan.service.planning.tasks import answer_task, list_tasks, undo_answer
from finplan.service.planning.views import show_snapshot
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.store.queries import payees, people
from tests.service.conftest import bring, dump
from tests.service.said import (
    HEAD,
    MONTHS,
    answered,
    assert_one_truth,
    drawn,
    filed,
    give,
    make,
    mixed,
    preview,
    questions,
    rows,
    the_question,
)

FILE = """Date,Description,Amount
2026-10-01,ZORBLAX UNLIMITED,-250.00
2026-10-15,ZORBLAX UNLIMITED,-60.00
2026-10-25,SAFEWAY,-80.00
2026-11-03,ZORBLAX UNLIMITED,-20.00
"""


async def open_now(context: Context) -> dict[str, tasks.Task]:
    return {task.id: task for task in await list_tasks(context, tasks.TaskQuery())}


async def answered_by_id(context: Context) -> dict[str, tasks.Task]:
    return {task.id: task for task in await list_tasks(context, tasks.TaskQuery(status="answered"))}


async def payee_asked(context: Context) -> tasks.CategorizePayee:
    found = [
        each
        for each in (await open_now(context)).values()
        if isinstance(each, tasks.CategorizePayee)
    ]
    return found[0]


async def test_an_answer_overruled_by_a_rule_names_the_rule(context: Context) -> None:
    """Another rule for an answered payee changes the answer; it is never lost, and can be undone."""
    await bring(context, {"checking.csv": FILE})
    task = await payee_asked(context)
    await answer_task(context, tasks.TaskAnswer(id=task.id, answer="hobbies"))
    before = (await list_rules(context, Nothing()))[0]
    after = await set_rule(context, RuleRequest(payee_key=task.payee_key, category="travel"))

    assert after.id == before.id
    assert await answered_by_id(context) == {task.id: task.model_copy(update={"answer": "travel"})}
    assert task.id not in await open_now(context)
    assert await undo_answer(context, tasks.TaskId(id=task.id)) == task
    assert (await open_now(context))[task.id] == task
    assert await answered_by_id(context) == {}


async def test_removing_the_rule_of_an_answer_asks_again(context: Context) -> None:
    """An answer is its rule: without it the payee is unknown again."""
    await bring(context, {"checking.csv": FILE})
    task = await payee_asked(context)
    await answer_task(context, tasks.TaskAnswer(id=task.id, answer="hobbies"))
    await remove_rule(context, RuleId(id=(await list_rules(context, Nothing()))[0].id))

    assert (await open_now(context))[task.id] == task
    assert await answered_by_id(context) == {}


async def test_a_rule_without_a_question_closes_it(context: Context) -> None:
    """Filing a payee by a rule answers what would be asked, and is no answered question."""
    await bring(context, {"checking.csv": FILE})
    task = await payee_asked(context)
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="travel"))

    assert task.id not in await open_now(context)
    assert await answered_by_id(context) == {}


async def test_a_dismissed_payee_can_be_asked_about_again(context: Context) -> None:
    """A dismissal files nothing, outlives new charges, and is taken back by undo."""
    await bring(context, {"checking.csv": FILE})
    task = await payee_asked(context)
    await answer_task(context, tasks.TaskAnswer(id=task.id, dismiss=True))
    await bring(context, {"checking.csv": f"{FILE}2026-11-09,ZORBLAX UNLIMITED,-900.00\n"})

    assert task.id not in await open_now(context)
    assert (await answered_by_id(context))[task.id] == task
    await undo_answer(context, tasks.TaskId(id=task.id))
    assert (await open_now(context))[task.id].kind == "categorize_payee"


async def test_a_missing_account_can_be_dismissed_and_asked_again(context: Context) -> None:
    """It takes no category; a dismissal lasts whatever comes in; undo asks again."""
    rows = [f"2026-{month:02d}-15,CITI CARD PAYMENT,-1840.00" for month in range(6, 12)]
    text = "\n".join(["Date,Description,Amount", *rows, "2026-11-17,SAFEWAY,-9.00", ""])
    await bring(context, {"checking.csv": text})
    (task,) = [
        each
        for each in (await open_now(context)).values()
        if isinstance(each, tasks.ConnectMissingAccount) and each.missing == "spending"
    ]
    with pytest.raises(BadRequest, match="The task closes once"):
        await answer_task(context, tasks.TaskAnswer(id=task.id, answer="rent"))
    await answer_task(context, tasks.TaskAnswer(id=task.id, dismiss=True))
    await bring(context, {"checking.csv": f"{text}2026-11-18,CITI CARD PAYMENT,-300.00\n"})

    assert task.id not in await open_now(context)
    assert (await answered_by_id(context))[task.id] == task
    await undo_answer(context, tasks.TaskId(id=task.id))
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
                if isinstance(each, tasks.ReconnectConnection)
            ]
        )
        await sync_connection(locked, connection)
    (task,) = seen[1]

    assert [len(found) for found in seen] == [0, 1, 0]
    assert (task.connection_id, task.error) == (connection.id, "Sign in again.")
    (again,) = [
        each
        for each in (await open_now(locked)).values()
        if isinstance(each, tasks.ReconnectConnection)
    ]
    assert again.kind == task.kind
    for reply in ({"answer": "rent"}, {"dismiss": True}):
        with pytest.raises(BadRequest, match="The task closes once"):
            await answer_task(locked, tasks.TaskAnswer.model_validate({"id": again.id, **reply}))
    with pytest.raises(NotFound):
        await undo_answer(locked, tasks.TaskId(id=again.id))


async def test_an_answer_may_settle_others_and_undo_asks_them_again(context: Context) -> None:
    """What the answers teach files payees that are like them; taking one back opens those again."""
    towns = ("NORTHWICK", "EASTLEA", "SOUTHAMPTON", "WESTBURY", "MIDHURST")
    rows = [
        f"2026-{month:02d}-1{place},{town} QUORBLE HALL,-4{place}.00"
        for place, town in enumerate(towns)
        for month in (9, 10)
    ]
    await bring(context, {"checking.csv": "\n".join(["Date,Description,Amount", *rows, ""])})
    before = await open_now(context)
    asked = [task.id for task in before.values() if isinstance(task, tasks.CategorizePayee)]
    given = []
    for task_id in asked:
        if task_id in await open_now(context):
            await answer_task(context, tasks.TaskAnswer(id=task_id, answer="hobbies"))
            given.append(task_id)
    assert len(asked) == len(towns)
    assert 0 < len(given) < len(asked)
    assert not set(asked) & (await open_now(context)).keys()
    for task_id in given:
        await undo_answer(context, tasks.TaskId(id=task_id))
    assert await open_now(context) == before


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


async def assert_found_as_listed(context: Context) -> list[tasks.CategorizePayee]:
    listed = await questions(context)
    for task in listed:
        find = partial(find_asked_payee, asker=context.asker, wanted_id=task.id)
        found = await context.store.read(find)
        assert found is not None
        assert found.as_task().model_copy(update=OFFERED) == task.model_copy(update=OFFERED)
    return listed


@pytest.mark.sampled(3)
@pytest.mark.parametrize("seed", range(5))
async def test_every_open_question_is_found_as_it_is_listed(context: Context, seed: int) -> None:
    """Whatever the accounts cover, and after rules of the person's and answers too."""
    dice = Random(seed)
    months = [dice.randint(1, 20) for _ in range(3)]
    await bring(
        context, {f"bank {n}.csv": statement(dice, since) for n, since in enumerate(months)}
    )
    listed = await assert_found_as_listed(context)
    assert listed
    for amount, category in ((20_00, "rent"), (-20_00, "uncategorized")):
        key = dice.choice(listed).payee_key
        await set_rule(context, RuleRequest(payee_key=key, category=category, amount=amount))
    await assert_found_as_listed(context)
    await answer_task(context, tasks.TaskAnswer(id=listed[0].id, answer="hobbies"))
    left = await assert_found_as_listed(context)
    assert listed[0].id not in {task.id for task in left}
    with pytest.raises(Conflict, match="already answered"):
        await answer_task(context, tasks.TaskAnswer(id=listed[0].id, answer="hobbies"))
    assert len(await list_rules(context, Nothing())) > 2


@pytest.mark.thorough
async def test_the_questions_of_a_linked_household_are_found(context: Context) -> None:
    """Loans, cards and transfers between own accounts change nothing of it."""
    made = await link_connection(context, LinkRequest(provider="demo"))
    await sync_connection(context, ConnectionId(id=made.answer.connection.id))
    await assert_found_as_listed(context)


async def test_no_other_id_is_a_payees(context: Context) -> None:
    """An id that no payee's question has finds nothing."""
    await bring(context, {"bank.csv": statement(Random(1), 3)})
    assert await context.store.read(lambda c: find_asked_payee(c, context.asker, "task_0")) is None


RENTS = Counter({-850_00: 11})
SMALL = Counter({-(20 + month) * 100: 1 for month in MONTHS})
PAID_IN = Counter({(100 + month) * 100: 1 for month in MONTHS})


async def ask_of_many_purposes(context: Context) -> tasks.CategorizePayee:
    """Import the rows of one payee with several purposes; the question about it."""
    await bring(context, {"checking.csv": mixed()})
    return await the_question(context)


async def test_money_in_is_answered_alone(context: Context) -> None:
    """An answer for one direction files its rows and no others; the other half is still asked."""
    task = await ask_of_many_purposes(context)
    part = await give(context, task, answer="other_income", direction="in")

    assert isinstance(part, tasks.CategorizePayee)
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


async def test_what_is_left_is_answered_though_too_little_to_list(context: Context) -> None:
    """Some cents beside hundreds are no question by themselves, and yet the other half of one."""
    lines = [
        f"2026-{month:02d}-{day},ZORBLAX UNLIMITED,{amount}"
        for month in MONTHS
        for day, amount in (("02", "-850.00"), ("09", "0.01"))
    ]
    await bring(context, {"checking.csv": HEAD + "\n".join(lines) + "\n"})
    task = await the_question(context)
    await give(context, task, answer="rent", direction="out")
    assert await questions(context, task.payee) == []
    await give(context, task, answer="other_income", direction="in")
    assert await filed(context) == {"rent": RENTS, "other_income": Counter({1: 11})}
    with pytest.raises(Conflict, match=f"about {task.payee} is already answered.*undo {task.id}"):
        await give(context, task, answer="other_income", direction="in")


async def test_one_amount_is_answered_alone(context: Context) -> None:
    """An answer for one exact amount files those rows; money in has a negative amount."""
    task = await ask_of_many_purposes(context)
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


async def test_the_narrower_rule_holds(context: Context) -> None:
    """A row's own word goes before its amount, that before its direction, that before its payee."""
    task = await ask_of_many_purposes(context)
    await give(context, task, each=True)
    row = next(each for each in await questions(context, task.payee) if each.total == -109_00)
    await give(context, row, answer="gifts_donations")
    await undo_answer(context, tasks.TaskId(id=task.id))
    task = await the_question(context)
    await give(context, task, answer="dining")
    for amount, category in ((-109_00, "interest"), (-108_00, "hobbies"), (21_00, "pets")):
        await set_rule(
            context, RuleRequest(payee_key=task.payee_key, category=category, amount=amount)
        )
    assert set(await filed(context)) == {"gifts_donations", "hobbies", "pets", "dining"}
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


async def test_words_on_money_in_and_out_add_up(context: Context) -> None:
    """Rows of one month and category are taken from where each would be by its direction."""
    task = await ask_of_many_purposes(context)
    await give(context, task, each=True)
    for row in await questions(context, task.payee):
        if row.last_date.month == 9 and row.total in (850_00, -109_00):
            await give(context, row, answer="dining")
    await undo_answer(context, tasks.TaskId(id=task.id))
    await give(context, await the_question(context), answer="other_income", direction="in")
    assert (await filed(context))["dining"] == Counter({-850_00: 1, 109_00: 1})
    await assert_one_truth(context)


async def test_an_amount_that_no_row_has_is_told_in_money(context: Context) -> None:
    """The refusal names the amount and up to five of the newest, each once, as a person writes them."""
    task = await ask_of_many_purposes(context)
    with pytest.raises(Conflict) as refused:
        await give(context, task, answer="rent", amount=850_01)
    assert re.findall(r"-?\$[\d.]+\d", str(refused.value)) == [
        "$850.01",
        *("-$111.00", "$31.00", "$850.00", "-$110.00", "$30.00"),
    ]


async def test_a_row_names_the_rule_that_files_it(context: Context) -> None:
    """Where the rules of a payee and of a direction say the same, the narrower one is the reason."""
    task = await ask_of_many_purposes(context)
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


async def test_each_row_is_a_question(context: Context) -> None:
    """With `each` the payee is asked about row by row, newest first, and so are rows that come later."""
    task = await ask_of_many_purposes(context)
    said = await give(context, task, each=True)
    assert isinstance(said, tasks.CategorizePayee)
    assert said.answer == tasks.EACH

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

    await bring(
        context, {"more.csv": HEAD + "2026-11-17,ZORBLAX UNLIMITED,-3.00\n"}, account="checking"
    )
    later = await questions(context, task.payee)
    assert (len(later), later[0].total) == (33, 3_00)
    with pytest.raises(Conflict, match="already answered"):
        await answer_task(context, tasks.TaskAnswer(id=task.id, answer="dining"))
    with pytest.raises(Conflict, match="already answered"):
        await answer_task(context, tasks.TaskAnswer(id=rent.id, answer="dining"))


async def test_of_equal_rows_each_has_a_word_of_its_own(context: Context) -> None:
    """Two equal rows of one day are two questions; one may be answered and the other not."""
    twice = "2026-09-02,ZORBLAX UNLIMITED,-70.00\n" * 2
    await bring(context, {"checking.csv": mixed() + twice})
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
async def test_undo_removes_what_the_answer_made(context: Context, said: dict[str, Any]) -> None:
    """After an answer is taken back the store is as before it, and the question is open again."""
    task = await ask_of_many_purposes(context)
    before = await dump(context)
    await give(context, task, **said)
    assert await dump(context) != before
    await undo_answer(context, tasks.TaskId(id=task.id))

    assert await the_question(context) == task
    assert await dump(context) == before
    with pytest.raises(NotFound):
        await undo_answer(context, tasks.TaskId(id=task.id))


async def test_undo_takes_the_newest_answer_first(context: Context) -> None:
    """Of several answers to one question the last one given goes, and the others stay."""
    task = await ask_of_many_purposes(context)
    await give(context, task, answer="rent", amount=850_00)
    await give(context, task, answer="other_income", direction="in")
    await undo_answer(context, tasks.TaskId(id=task.id))

    assert [given[3] for given in await answered(context)] == ["rent"]
    assert (await filed(context))["rent"] == RENTS
    assert (await the_question(context)).count == 22
    await undo_answer(context, tasks.TaskId(id=task.id))
    assert await the_question(context) == task


async def test_undo_of_a_rows_answer_asks_about_it_again(context: Context) -> None:
    """A word on a row goes with its answer; the payee is still asked about row by row."""
    await bring(context, {"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    row = (await questions(context, "Zorblax Unlimited"))[5]
    before = await dump(context)
    await give(context, row, answer="dining")
    await undo_answer(context, tasks.TaskId(id=row.id))
    assert await dump(context) == before
    assert (await questions(context, "Zorblax Unlimited"))[5] == row


async def test_a_word_outlives_its_row(context: Context) -> None:
    """A row that goes and comes back, under whatever number, is filed as the person said."""
    report = await bring(context, {"checking.csv": mixed()})
    await give(context, await the_question(context), each=True)
    row = (await questions(context, "Zorblax Unlimited"))[8]
    await give(context, row, answer="dining")
    before = await filed(context)
    await undo_import(context, ImportId(id=report.id))
    assert await rows(context) == []
    await bring(context, {"other.csv": HEAD + "2026-01-02,SAFEWAY,-1.00\n"}, account="Other")
    await bring(context, {"checking.csv": mixed()}, account="checking")

    assert await filed(context) == before
    assert row.id not in {each.id for each in await questions(context)}
    await assert_one_truth(context)


async def test_a_word_goes_with_its_category(context: Context) -> None:
    """A category that is merged takes its words along; one that is removed takes words and answers."""
    await bring(context, {"checking.csv": mixed()})
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


async def test_a_category_that_goes_leaves_the_wider_rule(context: Context) -> None:
    """Without the rule of one direction that of the payee holds for it."""
    await bring(context, {"checking.csv": mixed()})
    own = await make(context, "Own")
    task = await the_question(context)
    await give(context, task, answer=own.category, direction="out")
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    assert (await filed(context))["dining"] == PAID_IN
    await remove_category(context, CategoryRemoval(category=own.category))
    assert set(await filed(context)) == {"dining"}


DECIDE_PAY = "UPDATE payee SET decided_in = 'wages' WHERE key LIKE 'zorb%'"
FILED_IN = "SELECT category_in FROM payee WHERE key LIKE 'zorb%'"
FILE_IN = "UPDATE payee SET category_in = decided_out"


async def test_pay_is_kept_from_wide_rules_alone(context: Context) -> None:
    """Pay that was decided stands before a rule of the payee's spending, and after one for money in."""
    task = await ask_of_many_purposes(context)

    def become_pay(connection: Connection) -> str:
        connection.exec_driver_sql(DECIDE_PAY)
        payees.keep_pay(connection, context.caller.owner, ["dining", "groceries"])
        return str(connection.exec_driver_sql(FILED_IN).scalar_one())

    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    assert await context.store.write(become_pay) == "wages"
    dining = next(
        rule for rule in await list_rules(context, Nothing()) if rule.category == "dining"
    )
    await remove_rule(context, RuleId(id=dining.id))
    await context.store.write(lambda c: c.exec_driver_sql(FILE_IN))
    await give(context, await the_question(context), answer="groceries", direction="in")
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="dining"))
    assert await context.store.write(become_pay) == "groceries"


async def test_a_direction_teaches_nothing(context: Context) -> None:
    """What the money of one direction is for says nothing of payees with names like this one's."""
    like = "".join(f"2026-{m:02d}-05,ZORBLAX UNLIMITED WEST,-40.00\n" for m in MONTHS)
    await bring(context, {"checking.csv": mixed() + like})
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
    context: Context, said: dict[str, Any], refusal: type[Exception], only_shown: bool
) -> None:
    """An answer that says several things, or files no row of the question, changes nothing."""
    task = await ask_of_many_purposes(context)
    before = await dump(context)
    with pytest.raises(refusal):
        await answer_task(context, tasks.TaskAnswer(id=task.id, preview=only_shown, **said))
    assert await dump(context) == before


async def test_a_direction_without_money_is_refused(context: Context) -> None:
    """Once money in is answered there is none left; a row takes no `each`, only its own direction."""
    task = await ask_of_many_purposes(context)
    await give(context, task, answer="other_income", direction="in")
    with pytest.raises(Conflict, match="about money"):
        await preview(context, task, answer="interest", direction="in")
    await give(context, task, each=True)
    row = (await questions(context, task.payee))[0]
    for said in (
        {"each": True},
        {"answer": "dining", "direction": "in"},
        {"answer": "a", "amount": 1},
    ):
        with pytest.raises(Conflict):
            await answer_task(context, tasks.TaskAnswer.model_validate({"id": row.id, **said}))
    with pytest.raises(BadRequest, match="Unknown category"):
        await give(context, row, answer="nonsense")
    await give(context, row, answer="dining", direction="out", amount=row.total)


async def tell_balance(context: Context) -> None:
    """Say what the one account holds, without which there is no allowance."""
    (account,) = await list_accounts(context, Nothing())
    await change_account(context, AccountChange(id=account.id, balance=4_000_00))


def _said(dice: Random, task: tasks.CategorizePayee) -> dict[str, Any]:
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
async def test_what_is_shown_is_what_happens(context: Context, seed: int) -> None:
    """Charges, their sum, their month and both allowances, whatever is answered after whatever."""
    dice = Random(seed)
    await bring(context, {"checking.csv": drawn(dice)})
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
        before, kept = await rows(context), await dump(context)
        effect = await preview(context, task, **said)

        assert await dump(context) == kept
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
        assert effect.allowance == tasks.DailyAllowance(before=daily, after=then, known=True)
        await assert_one_truth(context)


async def test_what_an_answer_teaches_is_shown_too(context: Context) -> None:
    """The allowance after is with the payees that the answer files along with this one."""
    like = "".join(
        f"2026-{month:02d}-05,QUILLON ZWALDHOF WEXLIN,-340.00\n"
        f"2026-{month:02d}-06,QUILLON ZWALDHOF,-40.00\n"
        for month in range(1, 12)
    )
    await bring(context, {"checking.csv": mixed() + like})
    await tell_balance(context)
    await build_plan(context, Nothing())
    task = await the_question(context, "Quillon Zwaldhof")
    effect = await preview(context, task, answer="home_upkeep")
    assert effect.charges == 11
    await give(context, task, answer="home_upkeep")
    taught = [row for row in await rows(context) if "wexlin" in row.payee_key]
    assert {row.category for row in taught} == {"home_upkeep"}
    assert effect.allowance.after == (await show_snapshot(context, Nothing())).allowance.daily


async def test_without_a_balance_the_allowance_is_not_known(context: Context) -> None:
    """Where nobody knows what cash there is, nor is what follows from it, before a plan and after."""
    task = await ask_of_many_purposes(context)
    for planned in (False, True):
        effect = await preview(context, task, answer="rent", amount=850_00)
        assert (effect.charges, effect.total, effect.monthly) == (11, 9_350_00, 850_00)
        assert not effect.allowance.known, planned
        await build_plan(context, Nothing())
    await tell_balance(context)
    effect = await preview(context, task, answer="rent", amount=850_00)
    assert effect.allowance.known


async def test_a_preview_before_the_first_plan(context: Context) -> None:
    """Without a plan the allowances are those of the plan that would be built; nothing is raised."""
    await bring(context, {"checking.csv": mixed()})
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
    await undo_answer(context, tasks.TaskId(id=task.id))
