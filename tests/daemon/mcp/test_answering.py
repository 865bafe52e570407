"""An answer of the person's is stored as they gave it: for all of a payee, a part of it, or each row."""

from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from finplan.model.account import AccountChange
from finplan.model.statement import ImportRequest
from finplan.operations.account import CHANGE_ACCOUNT
from finplan.operations.statement_file import IMPORT_FILES
from tests.daemon.mcp.connected import connected
from tests.daemon.mcp.test_product import refusal, rest, text_of
from tests.daemon.running import RunningDaemon


async def asked(running: RunningDaemon, least: int = 2) -> dict[str, Any]:
    """A question about a payee with some charges."""
    found: dict[str, Any] = next(
        each
        for each in await rest(running, "/tasks")
        if each["kind"] == "categorize_payee" and each["count"] >= least
    )
    return found


async def answer(client: Client, **given: Any) -> tuple[Any, str]:
    result = await client.call_tool("answer_task", given)
    assert not result.is_error, result.content
    return result.structured_content, text_of(result)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"dismiss": True, "undo": True}, "'dismiss' and 'undo' contradict"),
        ({"answer": "Travel", "undo": True}, "'answer' and 'undo' contradict"),
        ({"answer": "Travel", "dismiss": True}, "'answer' and 'dismiss' contradict"),
        ({"answer": "Travel", "each": True}, "'answer' and 'each' contradict"),
        ({"each": True, "dismiss": True, "undo": True}, "'each', 'dismiss' and 'undo' contradict"),
        ({"dismiss": True, "amount": 5}, "'amount' and 'dismiss' contradict"),
        ({"each": True, "direction": "in"}, "'direction' and 'each' contradict"),
        ({"undo": True, "direction": "out"}, "'direction' and 'undo' contradict"),
        ({"undo": True, "preview": True}, "'undo' and 'preview' contradict"),
    ],
)
async def test_what_contradicts_itself(
    household: RunningDaemon, given: dict[str, Any], named: str
) -> None:
    """Arguments that contradict each other are named and refused, and nothing is stored or undone."""
    task = await asked(household)
    async with connected(household) as client:
        await answer(client, id=task["id"], answer="Travel")
        before = await rest(household, "/tasks", status="answered")
        assert named in await refusal(client, "answer_task", {"id": task["id"], **given})
        assert await rest(household, "/tasks", status="answered") == before


@pytest.mark.thorough
async def test_a_preview_says_what_it_counts(household: RunningDaemon) -> None:
    """What a preview counts is said, as that of rules counts other days; nothing is stored."""
    task = await asked(household)
    async with connected(household) as client:
        told, said = await answer(client, id=task["id"], answer="Travel", preview=True)
        assert (told["status"], told["answer"], told["label"]) == ("preview", "travel", "Travel")
        assert f"Would file {task['count']:,} charges" in said
        assert "under Travel (travel)" in said
        assert "Nothing is stored yet" in said
        rule = {"merchant": task["payee"], "category": "travel"}
        result = await client.call_tool("set_category_rules", {"rules": [rule]})
        assert "Of the rows of all time this would move" in text_of(result)
        assert "→ Travel (travel): " in text_of(result)
    assert task in await rest(household, "/tasks")


@pytest.mark.thorough
async def test_a_preview_without_known_cash(daemon: RunningDaemon, tmp_path: Path) -> None:
    """Where nobody knows what cash there is, a preview tells nothing of what is safe to spend."""
    file = tmp_path / "checking.csv"
    rows = [
        f"2025-{month:02d}-{day},{name}"
        for month in range(6, 13)
        for day, name in ((13, "ACME CORP PAYROLL,5600.00"), (22, "ZORBLAX UNLIMITED,-850.00"))
    ]
    file.write_text("\n".join(["Date,Description,Amount (USD)", *rows]) + "\n")
    imported = ImportRequest(account="Checking", account_kind="checking", direction="in")
    await daemon.client.call(IMPORT_FILES, imported, (file,))
    task = await asked(daemon)
    async with connected(daemon) as client:
        told, said = await answer(client, id=task["id"], answer="Travel", preview=True)
        assert told["effect"]["allowance"]["known"] is False
        assert "under Travel (travel). Nothing is stored yet" in said
        (account,) = await rest(daemon, "/accounts")
        held = AccountChange(id=account["id"], balance=4_000_00)
        await daemon.client.call(CHANGE_ACCOUNT, held)
        told, said = await answer(client, id=task["id"], answer="Travel", preview=True)
        assert told["effect"]["allowance"]["known"] is True
        assert "under Travel (travel); safe to spend a day $" in said


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["dismiss", "each"])
async def test_a_preview_of_no_category(household: RunningDaemon, way: str) -> None:
    """To be asked no more, or about each row, moves nothing; as a preview it is not stored either."""
    task = await asked(household)
    async with connected(household) as client:
        told, said = await answer(client, id=task["id"], preview=True, **{way: True})
        assert told["status"] == "preview"
        assert told["effect"]["charges"] == 0
        assert "no row moves" in said
        assert ("question of its own" in said) == (way == "each")
        assert task in await rest(household, "/tasks")


async def test_each_row_for_itself(household: RunningDaemon) -> None:
    """A payee that is for several things gives way to a question about each of its rows."""
    task = await asked(household)
    async with connected(household) as client:
        told, said = await answer(client, id=task["id"], each=True)
        assert (told["status"], told["answer"], told["effect"]) == ("answered", "each", None)
        assert "Each row of it is a question of its own now: list_tasks" in said
        rows = [
            each
            for each in await rest(household, "/tasks")
            if each["kind"] == "categorize_payee" and each["payeeKey"] == task["payeeKey"]
        ]
        assert len(rows) > 1
        assert all(each["count"] == 1 for each in rows)
        again = await refusal(client, "answer_task", {"id": rows[0]["id"], "each": True})
        assert "about one row already" in again
        _, said = await answer(client, id=task["id"], undo=True)
        assert said == f"Taken back: {task['id']} is open again."
    assert task in await rest(household, "/tasks")


@pytest.mark.thorough
async def test_an_answer_for_one_amount(household: RunningDaemon) -> None:
    """An answer may be for one exact amount, or one direction; the rest of the payee stays asked."""
    task = await asked(household, least=5)
    amount = task["charges"][0]["amount"]
    async with connected(household) as client:
        given = {"id": task["id"], "answer": "Travel", "amount": amount}
        told, _ = await answer(client, **given, preview=True)
        assert 0 < told["effect"]["charges"] < task["count"]
        assert told["effect"]["total"] == amount * told["effect"]["charges"]
        _, said = await answer(client, **given)
        assert said == "Answered: Travel (travel). undo takes it back."
        rules = await rest(household, "/categories/rules")
        assert [each["amount"] for each in rules if each["payeeKey"] == task["payeeKey"]] == [
            amount
        ]
        left = next(
            each
            for each in await rest(household, "/tasks")
            if each.get("payeeKey") == task["payeeKey"]
        )
        assert left["count"] == task["count"] - told["effect"]["charges"]
        none = await refusal(client, "answer_task", {**given, "amount": 123456789})
        assert "The newest amounts are" in none
        both = {"id": task["id"], "answer": "Travel", "preview": True}
        out, _ = await answer(client, **both, direction="out")
        assert out["effect"]["charges"] <= left["count"]


async def test_rules_that_are_refused(household: RunningDaemon) -> None:
    """A category that is none is refused with what is near, and all of them are told but once."""
    task = await asked(household)
    rules = [{"merchant": task["payee"], "category": each} for each in ("Zzz", "Yyy", "Travl")]
    async with connected(household) as client:
        result = await client.call_tool("set_category_rules", {"rules": rules})
        said, told = text_of(result), result.structured_content
        assert told is not None
        assert "Did you mean Travel (travel)?" in said
        assert said.count("Mortgage (mortgage)") == 1
        assert told["categories"]["mortgage"] == "Mortgage"
        assert all("mortgage" not in each["error"] for each in told["moves"])
        fine = {"rules": [{"merchant": task["payee"], "category": "Travel"}]}
        right = await client.call_tool("set_category_rules", fine)
        assert right.structured_content is not None
        assert right.structured_content["categories"] is None
        assert right.structured_content["moves"][0]["label"] == "Travel"
        stranger = {"rules": [{"merchant": "Nobody", "category": "Travel"}]}
        nobody = await client.call_tool("set_category_rules", stranger)
        assert nobody.structured_content is not None
        assert nobody.structured_content["categories"] is None
        assert "refused. No merchant is called 'Nobody'." in text_of(nobody)


async def test_without_a_word(household: RunningDaemon) -> None:
    """Where nothing is said, an open question asks for the person's word, and no other is there."""
    task = await asked(household)
    async with connected(household) as client:
        said = await refusal(client, "answer_task", {"id": task["id"]})
        assert "send their word as 'answer', or 'each' or 'dismiss'" in said
        gone = await refusal(client, "answer_task", {"id": "task_none"})
        assert "There is no open question task_none. 'list_tasks' shows them." in gone
        empty = await refusal(client, "answer_task", {"id": task["id"], "answer": ""})
        assert "answer: This must not be empty" in empty


async def test_what_was_answered(household: RunningDaemon) -> None:
    """Answered questions are told with their answers, and nobody is asked to put them again."""
    task = await asked(household)
    async with connected(household) as client:
        text = text_of(await client.call_tool("list_tasks", {}))
        assert "Put them to the person" in text
        await answer(client, id=task["id"], answer="Travel")
        past = text_of(await client.call_tool("list_tasks", {"status": "answered"}))
        assert f"- `{task['payee']}` was answered: travel [{task['id']}]" in past
        assert "Put them to the person" not in past
