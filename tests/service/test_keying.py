"""Payees are keyed again when a store is opened that other rules for keys have written."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from finplan.categorise.payee import KEY_RULES, payee_of
from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.recurring import RecurringQuery, RecurringVerdict
from finplan.model.task import CategorizePayee, TaskAnswer, TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.ledger.payee_keys import rekey_payees
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.store.queries import payees as keying
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

FILE = csv(
    *(f"2026-{month:02}-03,QUILLZWALD STORE {month},-20.00" for month in range(5, 11)),
    *(f"2026-{month:02}-07,TERRVIX STORE {month},-90.00" for month in range(5, 11)),
    *(f"2026-{month:02}-09,SAFEWAY STORE {month},-45.00" for month in range(5, 11)),
)
PAY_AND_EXPENSES = csv(
    *(f"2026-{month:02}-28,QUILLZWALD PAYROLL PPD,2400.00" for month in range(5, 11)),
    *(f"2026-{month:02}-11,QUILLZWALD EXP REIMB,80.00" for month in range(6, 9)),
)

PAID_AND_EXPENSES = csv(
    *(f"2026-{month:02}-07,TERRVIX,-90.00" for month in range(5, 11)),
    *(f"2026-{month:02}-11,TERRVIX EXPENSES,-80.00" for month in range(6, 11)),
)


async def _change(context: Context, *statements: str) -> None:
    """Make the store one that other rules wrote."""

    def change(connection: Connection) -> None:
        for statement in (*statements, "UPDATE person SET key_rules = 0"):
            connection.exec_driver_sql(statement)

    await context.store.write(change)


async def _united(context: Context, into: str, other: str) -> None:
    """Let older rules have seen one payee where there are two."""
    number = "(SELECT no FROM payee WHERE key = '{}')"
    await _change(
        context,
        f"UPDATE tx SET payee_no = {number.format(into)} WHERE payee_no = {number.format(other)}",
        f"UPDATE payee SET key = 'store', name = 'Store' WHERE key = '{into}'",
        f"DELETE FROM payee WHERE key = '{other}'",
    )


async def _split(context: Context, key: str) -> tuple[str, str]:
    """Let older rules have seen two payees where there is one; answers their keys."""
    await _change(
        context,
        "INSERT INTO payee (owner_no, key, name, raw, category_out, category_in, decided_out,"
        f" decided_in, why) SELECT owner_no, key || ' two', name, raw, 'uncategorized',"
        f" 'unknown_inflow', 'uncategorized', 'unknown_inflow', '' FROM payee WHERE key = '{key}'",
        f"UPDATE tx SET payee_no = (SELECT no FROM payee WHERE key = '{key} two') WHERE payee_no ="
        f" (SELECT no FROM payee WHERE key = '{key}') AND day > 20260901",
        f"UPDATE payee SET key = key || ' one' WHERE key = '{key}'",
    )
    return f"{key} one", f"{key} two"


async def _filed(context: Context) -> set[tuple[str, str, str]]:
    """Payee, name and category of every row."""
    page = await list_transactions(context, TransactionQuery(limit=200))
    return {(row.payee_key, row.payee, row.category) for row in page.transactions}


async def _questions(
    context: Context, status: Literal["open", "answered"]
) -> list[CategorizePayee]:
    """The questions about payees."""
    tasks = await list_tasks(context, TaskQuery(status=status))
    return [each for each in tasks if isinstance(each, CategorizePayee)]


async def test_a_store_of_other_rules_becomes_as_if_written_today(
    context: Context, import_texts: Import
) -> None:
    """Payees that were one come apart, and payees that were two become one."""
    await import_texts({"checking.csv": FILE})
    today = await _filed(context)
    await _united(context, "quillzwald", "safeway")
    await _split(context, "terrvix")
    assert await _filed(context) != today

    await rekey_payees(context.store, context.milliseconds())

    assert await _filed(context) == today


async def test_a_rule_on_a_payer_is_kept_for_what_is_told_apart(
    context: Context, import_texts: Import
) -> None:
    """What older rules saw as one payer keeps the person's rule for each purpose."""
    await import_texts({"checking.csv": PAY_AND_EXPENSES})
    apart = {"quillzwald", "quillzwald expenses"}
    assert {key for key, _, _ in await _filed(context)} == apart
    number = "(SELECT no FROM payee WHERE key = '{}')"
    await _change(
        context,
        f"UPDATE tx SET payee_no = {number.format('quillzwald')}",
        "DELETE FROM payee WHERE key = 'quillzwald expenses'",
    )
    await set_rule(context, RuleRequest(payee_key="quillzwald", category="other_income"))

    await rekey_payees(context.store, context.milliseconds())

    assert {(key, category) for key, _, category in await _filed(context)} == {
        (key, "other_income") for key in apart
    }
    await set_rule(context, RuleRequest(payee_key="quillzwald expenses", category="work_expenses"))
    assert {(key, category) for key, _, category in await _filed(context)} == {
        ("quillzwald", "other_income"),
        ("quillzwald expenses", "work_expenses"),
    }


async def test_a_rule_on_a_payer_is_offered_once_it_does_not_hold(
    context: Context, import_texts: Import
) -> None:
    """Whoever takes the kept rule away from a purpose is asked, with the former rule suggested first."""
    await import_texts({"checking.csv": PAID_AND_EXPENSES})
    await _give(context, "terrvix expenses", to="terrvix", days="")
    await set_rule(context, RuleRequest(payee_key="terrvix", category="hobbies"))

    await rekey_payees(context.store, context.milliseconds())

    rules = {rule.payee_key: rule for rule in await list_rules(context, Nothing())}
    kept = rules["terrvix expenses"]
    assert (kept.category, kept.source) == ("hobbies", "user")
    await remove_rule(context, RuleId(id=kept.id))
    (asked,) = await _questions(context, "open")
    assert (asked.payee_key, asked.suggested) == ("terrvix expenses", "hobbies")
    assert ("terrvix", "Terrvix", "hobbies") in await _filed(context)


async def test_a_rule_is_offered_for_a_purpose_that_others_had_too(
    context: Context, import_texts: Import
) -> None:
    """Where most rows of a purpose were of another payee, its rule is not copied, but suggested."""
    await import_texts({"checking.csv": PAID_AND_EXPENSES})
    await _give(context, "terrvix expenses", to="terrvix", days="AND day < 20260801")
    await _change(context, "UPDATE payee SET key = 'store' WHERE key = 'terrvix expenses'")
    await set_rule(context, RuleRequest(payee_key="terrvix", category="hobbies"))

    await rekey_payees(context.store, context.milliseconds())

    (asked,) = await _questions(context, "open")
    assert (asked.payee_key, asked.suggested) == ("terrvix expenses", "hobbies")
    page = await list_transactions(context, TransactionQuery(limit=200))
    assert {row.why.text for row in page.transactions if row.payee_key == asked.payee_key} == {
        "Not sure enough to file it. You filed Terrvix under sport and hobbies."
    }


async def _give(context: Context, key: str, *, to: str, days: str) -> None:
    """Let older rules have seen rows of one payee as another's, and none of its own if it has all."""
    number = "(SELECT no FROM payee WHERE key = '{}')"
    await _change(
        context,
        f"UPDATE tx SET payee_no = {number.format(to)} WHERE payee_no = {number.format(key)} {days}",
        f"DELETE FROM payee WHERE key = '{key}' AND no NOT IN (SELECT payee_no FROM tx)",
    )


async def test_a_store_of_these_rules_is_left_alone(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Nothing changes, and no copy is made, when the rules are the ones that wrote the store."""
    await import_texts({"checking.csv": FILE})
    before = await dump()

    await rekey_payees(context.store, context.milliseconds())

    assert await dump() == before
    assert not context.store.backups.exists()


async def test_keying_by_rules_that_agree_changes_no_row(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Another number alone moves nothing; it is noted, and a copy of the store is kept."""
    await import_texts({"checking.csv": FILE})
    before = await dump()

    await rekey_payees(context.store, context.milliseconds(), KEY_RULES + 1)

    assert await dump() == before
    assert [copy.name for copy in context.store.backups.glob("*.db")] == [
        f"before-keys-{KEY_RULES + 1}.db"
    ]
    assert await context.store.read(lambda c: keying.people_to_rekey(c, KEY_RULES + 1)) == []


async def test_of_two_rules_the_newest_holds(context: Context, import_texts: Import) -> None:
    """Payees that become one are filed as the person said last; the other rule goes."""
    await import_texts({"checking.csv": FILE})
    one, two = await _split(context, "terrvix")
    await set_rule(context, RuleRequest(payee_key=two, category="hobbies"))
    await set_rule(context, RuleRequest(payee_key=one, category="kids"))
    await set_rule(context, RuleRequest(payee_key=two, category="pets", amount=9000))
    await _change(context, "UPDATE rule SET saved_at = 9e15 WHERE category = 'hobbies'")

    await rekey_payees(context.store, context.milliseconds())

    assert ("terrvix", "Terrvix", "pets") in await _filed(context)
    await _change(context, "DELETE FROM rule WHERE amount IS NOT NULL")
    assert ("terrvix", "Terrvix", "hobbies") in await _filed(context)


async def test_a_persons_rule_holds_for_all_that_came_apart(
    context: Context, import_texts: Import
) -> None:
    """What the person said of one payee is said of each that it was."""
    await import_texts({"checking.csv": FILE})
    await _united(context, "quillzwald", "terrvix")
    await set_rule(context, RuleRequest(payee_key="store", category="kids"))

    await rekey_payees(context.store, context.milliseconds())

    filed = await _filed(context)
    assert {("quillzwald", "kids"), ("terrvix", "kids"), ("safeway", "groceries")} == {
        (key, category) for key, _, category in filed
    }


async def test_a_persons_rule_wins_over_what_is_known(
    context: Context, import_texts: Import
) -> None:
    """A payee that becomes a well-known one stays filed as the person said."""
    await import_texts({"checking.csv": FILE})
    one, _ = await _split(context, "safeway")
    await set_rule(context, RuleRequest(payee_key=one, category="pets"))

    await rekey_payees(context.store, context.milliseconds())

    assert ("safeway", "Safeway", "pets") in await _filed(context)
    assert ("safeway", "Safeway", "groceries") not in await _filed(context)


async def test_answers_and_dismissals_follow(context: Context, import_texts: Import) -> None:
    """An answered question stays answered and a dismissed one closed, under the payee's new key."""
    await import_texts({"checking.csv": FILE})
    await _change(
        context, "UPDATE payee SET key = 'store ' || key WHERE key IN ('quillzwald', 'terrvix')"
    )
    asked = {each.payee_key: each.id for each in await _questions(context, "open")}
    await answer_task(context, TaskAnswer(id=asked["store quillzwald"], answer="kids"))
    await answer_task(context, TaskAnswer(id=asked["store terrvix"], dismiss=True))

    await rekey_payees(context.store, context.milliseconds())

    assert await _questions(context, "open") == []
    assert {
        (each.payee_key, each.payee, each.answer) for each in await _questions(context, "answered")
    } == {
        ("quillzwald", "Quillzwald", "kids"),
        ("terrvix", "Terrvix", None),
    }


async def test_answers_for_a_part_follow(context: Context, import_texts: Import) -> None:
    """A rule of a direction or an amount holds for all that came apart, and stays what it is for."""
    await import_texts({"checking.csv": FILE})
    await _united(context, "quillzwald", "terrvix")
    (task,) = await _questions(context, "open")
    await answer_task(context, TaskAnswer(id=task.id, answer="pets", amount=20_00))
    await answer_task(context, TaskAnswer(id=task.id, answer="hobbies", direction="out"))
    await set_rule(context, RuleRequest(payee_key=task.payee_key, category="travel"))

    await rekey_payees(context.store, context.milliseconds())

    own = [rule for rule in await list_rules(context, Nothing()) if rule.source == "user"]
    assert {
        (rule.payee_key, rule.amount, rule.category, rule.id.startswith("rule_out_"))
        for rule in own
    } == {
        (key, *said)
        for key in ("quillzwald", "terrvix")
        for said in ((None, "hobbies", True), (20_00, "pets", False), (None, "travel", False))
    }
    filed = {(key, category) for key, _, category in await _filed(context)}
    assert {("quillzwald", "pets"), ("terrvix", "hobbies")} <= filed
    assert len(await _questions(context, "answered")) == 2


async def test_payees_asked_each_time_stay_so(context: Context, import_texts: Import) -> None:
    """Whoever a payee becomes is asked about row by row, and what was said of a row stays with it."""
    await import_texts({"checking.csv": FILE})
    await _united(context, "quillzwald", "terrvix")
    (task,) = await _questions(context, "open")
    await answer_task(context, TaskAnswer(id=task.id, each=True))
    asked = await _questions(context, "open")
    await answer_task(context, TaskAnswer(id=asked[0].id, answer="pets"))

    await rekey_payees(context.store, context.milliseconds())

    left = await _questions(context, "open")
    assert {each.id for each in left} == {each.id for each in asked[1:]}
    assert {each.payee_key for each in left} == {"quillzwald", "terrvix"}
    assert [category for _, _, category in await _filed(context)].count("pets") == 1


async def test_a_dismissed_series_stays_dismissed(context: Context, import_texts: Import) -> None:
    """A verdict goes with the charge that it was said of, not with its payee's other rows."""
    await import_texts({"checking.csv": FILE})
    await _united(context, "quillzwald", "terrvix")
    found = await list_recurring(context, RecurringQuery())
    (dear,) = (each for each in found if each.amount == 9000)
    await decide_recurring(context, RecurringVerdict(id=dear.id, verdict="dismiss"))

    await rekey_payees(context.store, context.milliseconds())

    after = await list_recurring(context, RecurringQuery(status=("dismissed",)))
    assert [(each.id, each.payee_key) for each in after] == [(dear.id, "terrvix")]


@pytest.mark.thorough
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.integers(0, 2), min_size=18, max_size=18))
async def test_whatever_the_rules_were_rows_are_keyed_by_their_descriptors(
    context: Context, import_texts: Import, payees: list[int]
) -> None:
    """Any rows under any payees of before are under today's payees after."""
    await import_texts({"checking.csv": FILE})

    def scramble(connection: Connection) -> None:
        numbers = [row[0] for row in connection.exec_driver_sql("SELECT no FROM payee ORDER BY no")]
        connection.exec_driver_sql("UPDATE payee SET key = 'store ' || no, name = 'Store'")
        rows = [row[0] for row in connection.exec_driver_sql("SELECT no FROM tx ORDER BY no")]
        for row, place in zip(rows, payees, strict=True):
            moved = (numbers[place % len(numbers)], row)
            connection.exec_driver_sql("UPDATE tx SET payee_no = ? WHERE no = ?", moved)

    await context.store.write(scramble)
    await _change(context)
    await rekey_payees(context.store, context.milliseconds())

    page = await list_transactions(context, TransactionQuery(limit=200))
    assert len(page.transactions) == 18
    assert all(row.payee_key == payee_of(row.raw).key for row in page.transactions)
    assert {key for key, _, _ in await _filed(context)} == {"quillzwald", "terrvix", "safeway"}


_KILLED_WHEN_JUDGING = """
import asyncio, os, signal, sys
from pathlib import Path
from finplan.service.ledger import rekeying
from finplan.store.store import Store

rekeying.categorise_payees = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
path = Path(sys.argv[1])
asyncio.run(rekeying.rekey_payees(Store.open(path, path.parent / "backups"), 0))
"""


@pytest.mark.thorough
async def test_a_daemon_killed_meanwhile_leaves_the_payees_as_they_were(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Killed when rows and rules have moved, it has changed nothing, and the next one does all of it."""
    await import_texts({"checking.csv": FILE})
    today = await _filed(context)
    await _united(context, "quillzwald", "terrvix")
    await _split(context, "safeway")
    before = await dump()

    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", _KILLED_WHEN_JUDGING, str(context.store.path)],
        check=False,
    )

    assert killed.returncode == -signal.SIGKILL
    assert await dump() == before
    await rekey_payees(context.store, context.milliseconds())
    assert await _filed(context) == today
