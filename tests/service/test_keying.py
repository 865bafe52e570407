"""Payees: keyed again when a store is opened that other rules have written, joined, judged as before."""

import asyncio
import signal
import subprocess
import sys
from typing import Any, Literal

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import Connection, event

from finplan.categorise.matching import match
from finplan.categorise.payee import KEY_RULES, payee_of
from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.recurring import RecurringQuery, RecurringVerdict
from finplan.model.statement import ImportId
from finplan.model.task import CategorizePayee, TaskAnswer, TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.imports.imports import list_imports, undo_import
from finplan.service.ledger.categorisation import categorise_payees, matches_prefetched
from finplan.service.ledger.payee_keys import rekey_payees
from finplan.service.planning.tasks import answer_task, list_tasks
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.service.transactions import list_transactions
from finplan.service.verdicts.recurring import decide_recurring, list_recurring
from finplan.store.queries import payees as keying
from tests.service.conftest import bring, dump, examples
from tests.service.own_money import csv
from tests.service.said import all_rows

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
    return {(row.payee_key, row.payee, row.category) for row in await all_rows(context)}


async def _questions(
    context: Context, status: Literal["open", "answered"]
) -> list[CategorizePayee]:
    """The questions about payees."""
    tasks = await list_tasks(context, TaskQuery(status=status))
    return [each for each in tasks if isinstance(each, CategorizePayee)]


async def test_a_store_of_other_rules_becomes_as_if_written_today(context: Context) -> None:
    """Payees that were one come apart, and payees that were two become one."""
    await bring(context, {"checking.csv": FILE})
    today = await _filed(context)
    await _united(context, "quillzwald", "safeway")
    await _split(context, "terrvix")
    assert await _filed(context) != today

    await rekey_payees(context.store, context.milliseconds())

    assert await _filed(context) == today


async def test_a_rule_on_a_payer_is_kept_for_what_is_told_apart(context: Context) -> None:
    """What older rules saw as one payer keeps the person's rule for each purpose."""
    await bring(context, {"checking.csv": PAY_AND_EXPENSES})
    apart = {"quillzwald", "quillzwald expenses"}
    assert {key for key, _, _ in await _filed(context)} == apart
    await _give(context, "quillzwald expenses", to="quillzwald", days="")
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


async def test_a_rule_on_a_payer_is_offered_once_it_does_not_hold(context: Context) -> None:
    """Whoever takes the kept rule away from a purpose is asked, with the former rule suggested first."""
    await bring(context, {"checking.csv": PAID_AND_EXPENSES})
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


TO_ANOTHER = "UPDATE payee SET key = 'store' WHERE key = 'terrvix expenses'"


async def test_a_rule_is_offered_for_a_purpose_that_others_had_too(context: Context) -> None:
    """Where most rows of a purpose were of another payee, its rule is not copied, but suggested."""
    await bring(context, {"checking.csv": PAID_AND_EXPENSES})
    await _give(context, "terrvix expenses", to="terrvix", days="AND day < 20260801")
    await _change(context, TO_ANOTHER)
    await set_rule(context, RuleRequest(payee_key="terrvix", category="hobbies"))

    await rekey_payees(context.store, context.milliseconds())

    (asked,) = await _questions(context, "open")
    assert (asked.payee_key, asked.suggested) == ("terrvix expenses", "hobbies")
    reasons = {row.why.text for row in await all_rows(context) if row.payee_key == asked.payee_key}
    assert ["Terrvix in Sport" in reason for reason in reasons] == [True]


async def _give(context: Context, key: str, *, to: str, days: str) -> None:
    """Let older rules have seen rows of one payee as another's, and none of its own if it has all."""
    number = "(SELECT no FROM payee WHERE key = '{}')"
    await _change(
        context,
        f"UPDATE tx SET payee_no = {number.format(to)} WHERE payee_no = {number.format(key)} {days}",
        f"DELETE FROM payee WHERE key = '{key}' AND no NOT IN (SELECT payee_no FROM tx)",
    )


async def test_a_store_of_these_rules_is_left_alone(context: Context) -> None:
    """Nothing changes, and no copy is made, when the rules are the ones that wrote the store."""
    await bring(context, {"checking.csv": FILE})
    before = await dump(context)

    await rekey_payees(context.store, context.milliseconds())

    assert await dump(context) == before
    assert not context.store.backups.exists()


async def test_keying_by_rules_that_agree_changes_no_row(context: Context) -> None:
    """Another number alone moves nothing; it is noted, and a copy of the store is kept."""
    await bring(context, {"checking.csv": FILE})
    before = await dump(context)

    await rekey_payees(context.store, context.milliseconds(), KEY_RULES + 1)

    assert await dump(context) == before
    assert [copy.name for copy in context.store.backups.glob("*.db")] == [
        f"before-keys-{KEY_RULES + 1}.db"
    ]
    assert await context.store.read(lambda c: keying.people_to_rekey(c, KEY_RULES + 1)) == []


RENEW = "UPDATE rule SET saved_at = 9e15 WHERE category = 'hobbies'"
DROP_AMOUNTS = "DELETE FROM rule WHERE amount IS NOT NULL"
TO_STORES = "UPDATE payee SET key = 'store ' || key WHERE key IN ('quillzwald', 'terrvix')"


async def test_of_two_rules_the_newest_holds(context: Context) -> None:
    """Payees that become one are filed as the person said last; the other rule goes."""
    await bring(context, {"checking.csv": FILE})
    one, two = await _split(context, "terrvix")
    await set_rule(context, RuleRequest(payee_key=two, category="hobbies"))
    await set_rule(context, RuleRequest(payee_key=one, category="kids"))
    await set_rule(context, RuleRequest(payee_key=two, category="pets", amount=9000))
    await _change(context, RENEW)

    await rekey_payees(context.store, context.milliseconds())

    assert ("terrvix", "Terrvix", "pets") in await _filed(context)
    await _change(context, DROP_AMOUNTS)
    assert ("terrvix", "Terrvix", "hobbies") in await _filed(context)


async def test_a_persons_rule_holds_for_all_that_came_apart(context: Context) -> None:
    """What the person said of one payee is said of each that it was."""
    await bring(context, {"checking.csv": FILE})
    await _united(context, "quillzwald", "terrvix")
    await set_rule(context, RuleRequest(payee_key="store", category="kids"))

    await rekey_payees(context.store, context.milliseconds())

    filed = await _filed(context)
    assert {("quillzwald", "kids"), ("terrvix", "kids"), ("safeway", "groceries")} == {
        (key, category) for key, _, category in filed
    }


async def test_a_persons_rule_wins_over_what_is_known(context: Context) -> None:
    """A payee that becomes a well-known one stays filed as the person said."""
    await bring(context, {"checking.csv": FILE})
    one, _ = await _split(context, "safeway")
    await set_rule(context, RuleRequest(payee_key=one, category="pets"))

    await rekey_payees(context.store, context.milliseconds())

    assert ("safeway", "Safeway", "pets") in await _filed(context)
    assert ("safeway", "Safeway", "groceries") not in await _filed(context)


async def test_answers_and_dismissals_follow(context: Context) -> None:
    """An answered question stays answered and a dismissed one closed, under the payee's new key."""
    await bring(context, {"checking.csv": FILE})
    await _change(context, TO_STORES)
    asked = {each.payee_key: each.id for each in await _questions(context, "open")}
    await answer_task(context, TaskAnswer(id=asked["store quillzwald"], answer="kids"))
    await answer_task(context, TaskAnswer(id=asked["store terrvix"], dismiss=True))

    await rekey_payees(context.store, context.milliseconds())

    assert await _questions(context, "open") == []
    assert {
        (each.payee_key, each.payee, each.answer) for each in await _questions(context, "answered")
    } == {("quillzwald", "Quillzwald", "kids"), ("terrvix", "Terrvix", None)}


async def test_answers_for_a_part_follow(context: Context) -> None:
    """A rule of a direction or an amount holds for all that came apart, and stays what it is for."""
    await bring(context, {"checking.csv": FILE})
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


async def test_payees_asked_each_time_stay_so(context: Context) -> None:
    """Whoever a payee becomes is asked about row by row, and what was said of a row stays with it."""
    await bring(context, {"checking.csv": FILE})
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


async def test_a_dismissed_series_stays_dismissed(context: Context) -> None:
    """A verdict goes with the charge that it was said of, not with its payee's other rows."""
    await bring(context, {"checking.csv": FILE})
    await _united(context, "quillzwald", "terrvix")
    found = await list_recurring(context, RecurringQuery())
    (dear,) = (each for each in found if each.amount == 9000)
    await decide_recurring(context, RecurringVerdict(id=dear.id, verdict="dismiss"))

    await rekey_payees(context.store, context.milliseconds())

    after = await list_recurring(context, RecurringQuery(status=("dismissed",)))
    assert [(each.id, each.payee_key) for each in after] == [(dear.id, "terrvix")]


def _scramble(connection: Connection, payees: list[int]) -> None:
    """Put each row under the payee at a place, none of which has its key any more."""
    numbers = [row[0] for row in connection.exec_driver_sql("SELECT no FROM payee ORDER BY no")]
    connection.exec_driver_sql("UPDATE payee SET key = 'store ' || no, name = 'Store'")
    rows = [row[0] for row in connection.exec_driver_sql("SELECT no FROM tx ORDER BY no")]
    for row, place in zip(rows, payees, strict=True):
        moved = (numbers[place % len(numbers)], row)
        connection.exec_driver_sql("UPDATE tx SET payee_no = ? WHERE no = ?", moved)


@pytest.mark.thorough
@examples(25)
@given(st.lists(st.integers(0, 2), min_size=18, max_size=18))
async def test_whatever_the_rules_were_rows_are_keyed_by_their_descriptors(
    context: Context, payees: list[int]
) -> None:
    """Any rows under any payees of before are under today's payees after."""
    await bring(context, {"checking.csv": FILE})
    await context.store.write(lambda c: _scramble(c, payees))
    await _change(context)
    await rekey_payees(context.store, context.milliseconds())

    page = await list_transactions(context, TransactionQuery(limit=200))
    assert len(page.transactions) == 18
    assert all(row.payee_key == payee_of(row.raw).key for row in page.transactions)
    assert {key for key, _, _ in await _filed(context)} == {"quillzwald", "terrvix", "safeway"}


_KILLED_WHEN_JUDGING = """
import asyncio, os, signal, sys
from pathlib import Path
from finplan.service.ledger import payee_keys
from finplan.store.store import Store

payee_keys.categorise_payees = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
path = Path(sys.argv[1])
asyncio.run(payee_keys.rekey_payees(Store.open(path, path.parent / "backups"), 0))
"""


@pytest.mark.thorough
async def test_a_daemon_killed_meanwhile_leaves_the_payees_as_they_were(context: Context) -> None:
    """Killed when rows and rules have moved, it has changed nothing, and the next one does all of it."""
    await bring(context, {"checking.csv": FILE})
    today = await _filed(context)
    await _united(context, "quillzwald", "terrvix")
    await _split(context, "safeway")
    before = await dump(context)

    killed = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", _KILLED_WHEN_JUDGING, str(context.store.path)],
        check=False,
    )

    assert killed.returncode == -signal.SIGKILL
    assert await dump(context) == before
    await rekey_payees(context.store, context.milliseconds())
    assert await _filed(context) == today


WHOLE = csv(*(f"2026-{month:02}-03,FUNDY TIDE CHOWDER,-20.00" for month in range(5, 8)))
CUT = csv(*(f"2026-{month:02}-03,FUNDY TIDE CHOW,-20.00" for month in range(8, 11)))
BOTH = csv(
    *(f"2026-{month:02}-03,FUNDY TIDE CHOWDER,-20.00" for month in range(5, 8)),
    *(f"2026-{month:02}-03,FUNDY TIDE CHOW,-20.00" for month in range(8, 11)),
)
EITHER = csv(
    *(f"2026-{month:02}-03,JUNIPER CROSSING CAFE,-8.00" for month in range(5, 8)),
    *(f"2026-{month:02}-04,JUNIPER CROSSING APARTMENTS,-900.00" for month in range(5, 8)),
    *(f"2026-{month:02}-05,JUNIPER CROSSING,-900.00" for month in range(8, 11)),
)


async def _payees(context: Context) -> dict[tuple[str, str], int]:
    """How many rows each payee has, by key and name."""
    listed = [(row.payee_key, row.payee) for row in await all_rows(context)]
    return {each: listed.count(each) for each in listed}


async def test_names_of_one_file_are_joined(context: Context) -> None:
    """A name that the bank cut off is the payee whose whole name stands in the same file."""
    await bring(context, {"checking.csv": BOTH})
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 6}


async def test_a_name_goes_to_a_payee_that_is_there(context: Context) -> None:
    """What a later file writes otherwise goes to the payee that is there, with its rule."""
    await bring(context, {"checking.csv": WHOLE})
    await set_rule(context, RuleRequest(payee_key="fundy tide chowder", category="dining"))
    await bring(context, {"checking.csv": CUT})
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 6}
    assert {row.category for row in await all_rows(context)} == {"dining"}


async def test_a_preview_shows_the_payee_that_is_meant(context: Context) -> None:
    """The rows that a dry run shows are paid to whom they will be paid."""
    await bring(context, {"checking.csv": WHOLE})
    report = await bring(context, {"checking.csv": CUT}, dry_run=True)
    shown = {row.payee for file in report.files for one in file.accounts for row in one.samples}
    assert shown == {"Fundy Tide Chowder"}


async def test_a_name_that_may_mean_two_is_its_own(context: Context) -> None:
    """Where two payees may be meant a name is neither of them."""
    await bring(context, {"checking.csv": EITHER})
    assert {key for key, _ in await _payees(context)} == {
        "juniper crossing cafe",
        "juniper crossing apartment",
        "juniper crossing",
    }


async def test_undoing_the_whole_name_leaves_its_payee_to_the_other_rows(context: Context) -> None:
    """A payee stays as long as a row is paid to it, whichever import brought it first."""
    await bring(context, {"checking.csv": WHOLE})
    await bring(context, {"checking.csv": CUT})
    newest_first = await list_imports(context, Nothing())
    await undo_import(context, ImportId(id=newest_first[-1].id))
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 3}


ANOTHER_PAYEE = (
    "INSERT INTO payee (owner_no, key, name, raw, category_out, category_in, decided_out,"
    " decided_in, why) SELECT owner_no, 'fundy tide chow', 'Fundy Tide Chow', 'FUNDY TIDE"
    " CHOW', 'uncategorized', 'unknown_inflow', 'uncategorized', 'unknown_inflow', ''"
    " FROM payee"
)
ROW_OF_IT = (
    "UPDATE tx SET raw = 'FUNDY TIDE CHOW', payee_no = (SELECT no FROM payee WHERE key ="
    " 'fundy tide chow') WHERE day = 20260703"
)


async def test_a_store_of_other_rules_has_its_names_joined(context: Context) -> None:
    """Payees that were told apart by older rules are one once the store is keyed again."""
    await bring(context, {"checking.csv": WHOLE})
    await _change(context, ANOTHER_PAYEE, ROW_OF_IT)
    assert len(await _payees(context)) == 2
    await rekey_payees(context.store, context.milliseconds())
    assert await _payees(context) == {("fundy tide chowder", "Fundy Tide Chowder"): 3}


ROWS = csv("2026-05-03,QUILLZWALD COFFEE,-20.00", "2026-05-04,TERRVIX DENTAL,-80.00")


DECIDE_OTHERWISE = "UPDATE payee SET decided_out = 'travel'"


async def test_what_is_decided_as_before_is_not_written(context: Context) -> None:
    """Only decisions that are new are saved, however many payees are judged."""
    await bring(context, {"checking.csv": ROWS})
    written: list[str] = []

    def remember(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if statement.startswith("UPDATE payee"):
            written.append(statement)

    def judge_again(connection: Connection) -> int:
        event.listen(connection, "before_cursor_execute", remember)
        categorise_payees(connection, context.caller.owner, None)
        unchanged = len(written)
        connection.exec_driver_sql(DECIDE_OTHERWISE)
        categorise_payees(connection, context.caller.owner, None)
        event.remove(connection, "before_cursor_execute", remember)
        return unchanged

    assert await context.store.write(judge_again) == 0
    assert len(written) == 2


def test_what_was_looked_up_is_cached() -> None:
    """When the rows are in, categorising finds what the shipped data say, without looking again."""
    match.cache_clear()
    with matches_prefetched([("quillzwald coffee", "Quillzwald Coffee", "SQ *QUILLZWALD COFFEE")]):
        pass
    looked = match.cache_info().misses
    found = match("quillzwald coffee", "SQ *QUILLZWALD COFFEE", "out")

    assert found is not None
    assert (looked, match.cache_info().misses) == (1, 1)
