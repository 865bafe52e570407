"""Inference at work: an answer files what is like it, says so, and goes when its teacher goes."""

from collections.abc import Awaitable, Callable
from typing import Any

from finplan.model.base import Nothing
from finplan.model.category import RuleId, RuleRequest
from finplan.model.task import CategorizePayee, TaskQuery
from finplan.model.transaction import TransactionQuery
from finplan.service.context import Context
from finplan.service.planning.tasks import list_tasks
from finplan.service.rules import list_rules, remove_rule, set_rule
from finplan.service.transactions import list_transactions
from tests.service.own_money import csv

Import = Callable[..., Awaitable[Any]]
Dump = Callable[[], Awaitable[dict[str, list[tuple[object, ...]]]]]

FILE = """Date,Description,Amount
2026-09-01,QUILLON ZWALDHOF,-25.00
2026-09-15,QUILLON ZWALDHOF WEXLIN,-60.00
2026-10-01,AMAZON.COM QUILLON ZWALDHOF,-30.00
2026-10-02,SAFEWAY,-80.00
2026-10-05,SAFEWAY,12.00
2026-10-07,TERRVIX,-9.00
"""


async def _reasons(context: Context) -> dict[str, tuple[str, str, str | None, str]]:
    """Each payee's category, and why: source, rule and sentence."""
    page = await list_transactions(context, TransactionQuery())
    return {
        row.payee_key: (row.category, row.why.source, row.why.rule_id, row.why.text)
        for row in page.transactions
    }


async def test_a_rule_files_what_is_like_it_and_says_why(
    context: Context, import_texts: Import
) -> None:
    """A payee with the same name and more is filed with it at once, and names its teacher."""
    await import_texts({"checking.csv": FILE})
    before = await _reasons(context)
    rule = await set_rule(context, RuleRequest(payee_key="quillon zwaldhof", category="kids"))
    after = await _reasons(context)

    assert before["quillon zwaldhof wexlin"][:2] == ("uncategorized", "default")
    category, source, rule_id, text = after["quillon zwaldhof wexlin"]
    assert (category, source) == ("kids", "auto")
    assert text == "Like Quillon Zwaldhof, which you filed under kids' activities."
    listed = {entry.id: entry for entry in await list_rules(context, Nothing())}
    assert rule_id is not None
    assert (listed[rule_id].source, listed[rule_id].category) == ("auto", "kids")
    assert after["quillon zwaldhof"] == ("kids", "user", rule.id, "You filed it here.")
    unlike = ("amazon", "safeway", "terrvix")
    assert {key: after[key] for key in unlike} == {key: before[key] for key in unlike}


async def test_what_a_rule_taught_goes_with_it(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Removing the rule leaves everything as it was before."""
    await import_texts({"checking.csv": FILE})
    held = await dump()
    rule = await set_rule(context, RuleRequest(payee_key="quillon zwaldhof", category="kids"))
    taught = await dump()
    await remove_rule(context, RuleId(id=rule.id))

    assert taught["payee"] != held["payee"]
    assert taught["tx"] == held["tx"]
    assert await dump() == held


async def test_the_person_overrules_what_was_inferred(
    context: Context, import_texts: Import
) -> None:
    """A rule of the person's own replaces an inferred one, and is not changed by later lessons."""
    await import_texts({"checking.csv": FILE})
    await set_rule(context, RuleRequest(payee_key="quillon zwaldhof wexlin", category="hobbies"))
    await set_rule(context, RuleRequest(payee_key="quillon zwaldhof", category="kids"))
    after = await _reasons(context)

    assert after["quillon zwaldhof wexlin"][:2] == ("hobbies", "user")
    assert after["quillon zwaldhof"][:2] == ("kids", "user")


async def test_habits_suggest_and_go_with_their_rules(
    context: Context, import_texts: Import, dump: Dump
) -> None:
    """Rules of one kind raise what another payee's question suggests; without them it is as before."""
    names = ("ZWXV", "VQQK", "ZZJW", "KWVZ", "VJWK", "VQKV", "XQJW", "KJVJ")
    rows = [f"2026-09-{day:02},{name},-25.00" for day, name in enumerate(names, start=1)]
    await import_texts({"checking.csv": csv(*rows, "2026-09-20,QUILLON LESSONS,-90.00")})
    asked = await _asked(context, "quillon lessons")
    held = await dump()
    rules = [
        await set_rule(context, RuleRequest(payee_key=name.lower(), category="kids"))
        for name in names
    ]
    taught = await _asked(context, "quillon lessons")
    why = (await _reasons(context))["quillon lessons"]
    for rule in rules:
        await remove_rule(context, RuleId(id=rule.id))

    assert asked.confidence is None
    assert (taught.suggested, taught.confidence is None) == ("kids", False)
    assert why[0] == "uncategorized"
    assert why[3].endswith("speaks for kids' activities, where you filed 8 payees.")
    assert await _asked(context, "quillon lessons") == asked
    assert await dump() == held


async def _asked(context: Context, key: str) -> CategorizePayee:
    """The open question about a payee, as somebody who looks is shown it."""
    tasks = await list_tasks(context, TaskQuery())
    (asked,) = (
        task for task in tasks if isinstance(task, CategorizePayee) and task.payee_key == key
    )
    return asked


async def test_what_was_learnt_files_later_rows(context: Context, import_texts: Import) -> None:
    """A payee that comes after the rule is filed by what it taught."""
    rows = FILE.splitlines(keepends=True)
    await import_texts({"checking.csv": "".join(rows[:2])})
    await set_rule(context, RuleRequest(payee_key="quillon zwaldhof", category="kids"))
    await import_texts({"checking.csv": FILE})

    assert (await _reasons(context))["quillon zwaldhof wexlin"][:2] == ("kids", "auto")


async def test_every_transaction_says_why(context: Context, import_texts: Import) -> None:
    """Each source has its sentence and its rule; only what nothing is known of has none."""
    await import_texts({"checking.csv": FILE})
    page = await list_transactions(context, TransactionQuery())
    for row in page.transactions:
        assert row.why.text.endswith(".")
        assert (row.why.rule_id is None) == (row.why.source in ("default", "transfer"))
    known = await _reasons(context)
    assert known["safeway"][1] == "curated"
    assert known["safeway"][3].endswith("Known merchant: groceries.")
    assert known["amazon"][3] == "Amazon sells many things: only you know which."
