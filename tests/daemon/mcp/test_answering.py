"""The person's word over MCP is asked for, told first, and stored as they gave it.

It is for all of a payee, a part of it, each row or one; what only the person knows is asked of them,
through their client where it can.
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from mcp import Client, types
from mcp.types import TextContent

from finplan.daemon.surfaces.mcp.tools.rules import RulesQuestion, RuleWord, set_category_rules
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.account import AccountChange
from finplan.model.category import CategoryChoice
from finplan.model.statement import ImportRequest
from finplan.model.transaction import Reason, Transaction, TransactionPage
from finplan.operations.account import CHANGE_ACCOUNT
from finplan.operations.category import LIST_CATEGORIES, LIST_RULES
from finplan.operations.person import SHOW_SETTINGS
from finplan.operations.statement_file import IMPORT_FILES
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.service.context import Context
from tests.cli import made_up_bank
from tests.daemon.mcp.connected import (
    ERAS,
    Era,
    answer_to,
    connected,
    refusal,
    rest,
    text_of,
    told_by,
)
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
    return await answer_to(client, "answer_task", **given)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"dismiss": True, "undo": True}, "'dismiss' and 'undo'"),
        ({"answer": "Travel", "undo": True}, "'answer' and 'undo'"),
        ({"answer": "Travel", "dismiss": True}, "'answer' and 'dismiss'"),
        ({"answer": "Travel", "each": True}, "'answer' and 'each'"),
        ({"each": True, "dismiss": True, "undo": True}, "'each', 'dismiss' and 'undo'"),
        ({"dismiss": True, "amount": 5}, "'amount' only with 'answer', not with 'dismiss'"),
        ({"each": True, "direction": "in"}, "'direction' only with 'answer', not with 'each'"),
        ({"undo": True, "direction": "out"}, "'direction' only with 'answer', not with 'undo'"),
        ({"undo": True, "preview": True}, "'undo' or 'preview'"),
    ],
)
async def test_contradictions(household: RunningDaemon, given: dict[str, Any], named: str) -> None:
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
        assert f"Would put {task['count']:,} transactions" in said
        assert "in Travel (travel)" in said
        assert "Not saved yet" in said
        rule = {"merchant": task["payee"], "category": "travel"}
        _, text = await answer_to(client, "set_category_rules", rules=[rule])
        assert "Counting all transactions ever recorded, this would move" in text
        assert "→ Travel (travel): " in text
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
        assert "in Travel (travel). Not saved yet" in said
        (account,) = await rest(daemon, "/accounts")
        held = AccountChange(id=account["id"], balance=4_000_00)
        await daemon.client.call(CHANGE_ACCOUNT, held)
        told, said = await answer(client, id=task["id"], answer="Travel", preview=True)
        assert told["effect"]["allowance"]["known"] is True
        assert "in Travel (travel); safe to spend $" in said


@pytest.mark.thorough
@pytest.mark.parametrize("way", ["dismiss", "each"])
async def test_a_preview_of_no_category(household: RunningDaemon, way: str) -> None:
    """To be asked no more, or about each row, moves nothing; as a preview it is not stored either."""
    task = await asked(household)
    async with connected(household) as client:
        told, said = await answer(client, id=task["id"], preview=True, **{way: True})
        assert told["status"] == "preview"
        assert told["effect"]["charges"] == 0
        assert "no transaction changes its category" in said
        assert ("task of its own" in said) == (way == "each")
        assert task in await rest(household, "/tasks")


async def test_each_row_for_itself(household: RunningDaemon) -> None:
    """A payee that is for several things gives way to a question about each of its rows."""
    task = await asked(household)
    async with connected(household) as client:
        told, said = await answer(client, id=task["id"], each=True)
        assert (told["status"], told["answer"], told["effect"]) == ("answered", "each", None)
        assert "a task of its own: call list_tasks" in said
        rows = [
            each
            for each in await rest(household, "/tasks")
            if each["kind"] == "categorize_payee" and each["payeeKey"] == task["payeeKey"]
        ]
        assert len(rows) > 1
        assert all(each["count"] == 1 for each in rows)
        again = await refusal(client, "answer_task", {"id": rows[0]["id"], "each": True})
        assert "already about one" in again
        _, said = await answer(client, id=task["id"], undo=True)
        assert said == f"Answer undone: {task['id']} is open again."
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
        assert said == "Answered: Travel (travel). To undo, call again with `undo`."
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
        told, said = await answer_to(client, "set_category_rules", rules=rules)
        assert "Did you mean Travel (travel)?" in said
        assert said.count("Mortgage (mortgage)") == 1
        assert told["categories"]["mortgage"] == "Mortgage"
        assert all("mortgage" not in each["error"] for each in told["moves"])
        fine = [{"merchant": task["payee"], "category": "Travel"}]
        right = await told_by(client, "set_category_rules", rules=fine)
        assert right["categories"] is None
        assert right["moves"][0]["label"] == "Travel"
        stranger = [{"merchant": "Nobody", "category": "Travel"}]
        nobody, said = await answer_to(client, "set_category_rules", rules=stranger)
        assert nobody["categories"] is None
        assert "refused. Unknown merchant 'Nobody'." in said


async def test_without_a_word(household: RunningDaemon) -> None:
    """Where nothing is said, an open question asks for the person's word, and no other is there."""
    task = await asked(household)
    async with connected(household) as client:
        said = await refusal(client, "answer_task", {"id": task["id"]})
        assert "send their 'answer', or 'each' or 'dismiss'" in said
        gone = await refusal(client, "answer_task", {"id": "task_none"})
        assert "No open task task_none. List them: 'list_tasks'." in gone
        empty = await refusal(client, "answer_task", {"id": task["id"], "answer": ""})
        assert "answer: This must not be empty" in empty


async def test_what_was_answered(household: RunningDaemon) -> None:
    """Answered questions are told with their answers, and nobody is asked to put them again."""
    task = await asked(household)
    async with connected(household) as client:
        text = text_of(await client.call_tool("list_tasks", {}))
        assert "Ask the person" in text
        await answer(client, id=task["id"], answer="Travel")
        past = text_of(await client.call_tool("list_tasks", {"status": "answered"}))
        assert f"- `{task['payee']}`, answered: travel [{task['id']}]" in past
        assert "Ask the person" not in past


async def some_row(running: RunningDaemon) -> dict[str, Any]:
    """A row of spending of the demo household, large enough for parts."""
    answer = await running.http.get("/api/v1/transactions", params={"category": "groceries"})
    found: dict[str, Any] = next(
        each for each in answer.json()["transactions"] if each["amount"] < -1000
    )
    return found


async def shown(running: RunningDaemon, known_as: str) -> dict[str, Any]:
    told: dict[str, Any] = (await running.http.get(f"/api/v1/transactions/{known_as}")).json()
    return told


async def change(client: Client, known_as: str, **said: Any) -> Any:
    return await told_by(client, "change_transaction", id=known_as, **said)


async def refused(client: Client, known_as: str, **said: Any) -> str:
    result = await client.call_tool("change_transaction", {"id": known_as, **said})
    assert result.is_error
    return str(result.content)


async def test_a_category_is_first_a_preview(household: RunningDaemon) -> None:
    """A preview stores nothing; confirmed it is kept, and forgotten it is taken back."""
    async with connected(household) as client:
        row = await some_row(household)
        told = await change(client, row["id"], category="RESTAURANTS AND COFFEE", note="with Ben")
        assert not told["confirmed"]
        assert told["before"] == {
            "category": "groceries",
            "note": None,
            "tags": [],
            "splits": None,
        }
        assert told["after"] == {
            "category": "dining",
            "note": "with Ben",
            "tags": [],
            "splits": None,
        }
        assert (told["payee"], told["amount"]) == (row["payee"], row["amount"])
        assert await shown(household, row["id"]) == row

        kept = await change(
            client, row["id"], category="Restaurants and coffee", note="with Ben", confirm=True
        )
        assert kept["confirmed"]
        assert (kept["before"], kept["after"]) == (told["before"], told["after"])
        now = await shown(household, row["id"])
        assert (now["category"], now["note"]) == ("dining", "with Ben")

        would = await change(client, row["id"], forget=["category"])
        assert would["after"] == {"category": None, "note": "with Ben", "tags": [], "splits": None}
        back = await change(client, row["id"], forget=["category", "note"], confirm=True)
        assert back["after"] == told["before"]
        assert await shown(household, row["id"]) == row


async def test_splits_are_first_a_preview(household: RunningDaemon) -> None:
    """Parts are told and kept alike, with the largest as what the row is for."""
    async with connected(household) as client:
        row = await some_row(household)
        parts = [
            {"amount": -100, "category": "gifts_donations", "note": "flowers"},
            {"amount": row["amount"] + 100, "category": "Groceries"},
        ]
        told = await change(client, row["id"], splits=parts)
        assert [each["category"] for each in told["after"]["splits"]] == [
            "gifts_donations",
            "groceries",
        ]
        assert told["after"]["category"] == "groceries"
        kept = await change(client, row["id"], splits=parts, confirm=True)
        assert kept["after"] == told["after"]
        assert (await change(client, row["id"], forget=["category"]))["after"] == kept["after"]
        whole = await change(client, row["id"], forget=["splits"])
        assert whole["after"] == {"category": None, "note": None, "tags": [], "splits": None}
        filed = await change(client, row["id"], category="gifts_donations")
        assert filed["after"] == {**whole["after"], "category": "gifts_donations"}
        noted = await change(client, row["id"], note="both", confirm=True)
        assert noted["after"] == {**kept["after"], "note": "both"}


async def test_what_was_said_can_be_read(household: RunningDaemon) -> None:
    """A list of rows tells the parts and the notes of each, as REST does and in its text."""
    async with connected(household) as client:
        row = await some_row(household)
        parts = [
            {"amount": row["amount"] + 500, "category": "Groceries"},
            {"amount": -500, "category": "Gifts and donations", "note": "for Ada"},
        ]
        await change(client, row["id"], splits=parts, note="market", confirm=True)
        asked = {"from": row["date"], "to": row["date"]}
        listed, text = await answer_to(client, "list_transactions", **asked)
    now = await shown(household, row["id"])
    said = {"note": "market", "tags": [], "splits": now["splits"]}
    assert listed["words"] == {row["id"]: said}
    assert listed["labels"]["gifts_donations"] == "Gifts and donations"
    (line,) = (each for each in text.splitlines() if f"[{row['id']}]" in each)
    assert line.endswith(f" Groceries, -$5.00 Gifts and donations, note `market` [{row['id']}]")
    assert ", split into -$" in line


async def test_a_word_that_cannot_be(household: RunningDaemon) -> None:
    """What contradicts itself, adds up to something else or is not there is refused, also as preview."""
    async with connected(household) as client:
        row = await some_row(household)
        assert "forget" in await refused(client, row["id"])
        assert "not both" in await refused(client, row["id"], note="x", forget=["note"])
        assert "Groceries" in await refused(client, row["id"], category="Grocries")
        part = {"amount": -100, "category": "gifts_donations"}
        assert "not both" in await refused(
            client, row["id"], category="gifts_donations", splits=[part, part]
        )
        assert "adds up to -$2.00" in await refused(client, row["id"], splits=[part, part])
        nothing = {"amount": 0, "category": "gifts_donations"}
        whole = {"amount": row["amount"], "category": "gifts_donations"}
        assert "cannot be 0" in await refused(client, row["id"], splits=[nothing, whole])
        assert "note" in await refused(client, row["id"], note=" ")
        assert "no" in (await refused(client, "tx_none", note="mine")).lower()
        assert await shown(household, row["id"]) == row


async def test_one_half_of_a_transfer(household: RunningDaemon) -> None:
    """Of a row that is one half of a transfer it is said what a category makes of it."""
    async with connected(household) as client:
        rows = (await household.http.get("/api/v1/transactions", params={"limit": 500})).json()
        half = next(each for each in rows["transactions"] if each["transferId"] is not None)
        result = await client.call_tool(
            "change_transaction", {"id": half["id"], "category": "Groceries"}
        )
        assert result.structured_content["moved"]
        assert "With a category, it counts as spending or income" in str(result.content)
        row = await some_row(household)
        assert not (await change(client, row["id"], note="mine"))["moved"]


async def open_task(running: RunningDaemon) -> dict[str, Any]:
    tasks = (await running.http.get("/api/v1/tasks")).json()
    return next(each for each in tasks if each["kind"] == "categorize_payee")


@pytest.mark.parametrize("era", ERAS)
async def test_the_person_is_asked(household: RunningDaemon, era: Era) -> None:
    """Without a word of theirs the person is asked, by labels, and their choice is stored."""
    task = await open_task(household)
    asked: list[types.ElicitRequestFormParams] = []

    async def choose(_context: Any, params: Any) -> types.ElicitResult:
        asked.append(params)
        words = params.requested_schema["properties"]["answer"]["enum"]
        return types.ElicitResult(action="accept", content={"answer": words[1]})

    async with connected(household, era, elicitation_callback=choose) as client:
        told, _ = await answer(client, id=task["id"])
    assert task["payee"] in asked[0].message
    offered = [task["suggestedLabel"], *(each["label"] for each in task["alternatives"])]
    assert asked[0].requested_schema["properties"]["answer"]["enum"] == offered
    assert told["answer"] == task["alternatives"][0]["category"]
    rules = (await household.http.get("/api/v1/categories/rules")).json()
    assert {
        "payeeKey": task["payeeKey"],
        "category": task["alternatives"][0]["category"],
    }.items() <= (next(each for each in rules if each["payeeKey"] == task["payeeKey"]).items())


@pytest.mark.sampled(3)
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_who_would_not_say(household: RunningDaemon, era: Era, action: Any) -> None:
    """A person who declines leaves the question open."""
    task = await open_task(household)

    async def refuse(_context: Any, _params: Any) -> types.ElicitResult:
        return types.ElicitResult(action=action)

    async with connected(household, era, elicitation_callback=refuse) as client:
        result = await client.call_tool("answer_task", {"id": task["id"]})
    assert result.is_error
    assert (await open_task(household))["id"] == task["id"]


@pytest.mark.parametrize("era", ERAS)
async def test_a_client_that_cannot_ask(household: RunningDaemon, era: Era) -> None:
    """Where the client cannot ask, the model is told to, and nothing is stored."""
    task = await open_task(household)
    async with connected(household, era) as client:
        result = await client.call_tool("answer_task", {"id": task["id"]})
    assert result.is_error
    assert "Ask the person" in str(result.content)
    assert (await open_task(household))["id"] == task["id"]


@pytest.mark.thorough
async def test_an_answer_is_first_a_preview(household: RunningDaemon) -> None:
    """A preview stores nothing, the answer does, and undo takes it back."""
    task = await open_task(household)
    async with connected(household) as client:

        async def call(**arguments: Any) -> Any:
            return await told_by(client, "answer_task", id=task["id"], **arguments)

        told = await call(answer="Groceries", preview=True)
        assert told["status"] == "preview"
        assert told["effect"]["charges"] == task["count"]
        assert (await open_task(household))["id"] == task["id"]
        assert (await call(answer="Groceries"))["status"] == "answered"
        assert (await open_task(household))["id"] != task["id"]
        assert (await call(undo=True))["status"] == "undone"
        assert (await open_task(household))["id"] == task["id"]
        assert (await call(dismiss=True))["status"] == "dismissed"
        assert (await open_task(household))["id"] != task["id"]


@pytest.mark.thorough
async def test_rules_are_first_a_preview(household: RunningDaemon) -> None:
    """What rules would move is told, and moves just so once the person agrees.

    What is paid between the person's own accounts stays, whatever its rule says.
    """

    async def spent(**query: str) -> Any:
        return (await household.http.get("/api/v1/spending", params=query)).json()

    merchants = (await spent(groupBy="merchant"))["groups"]
    asked = {
        "rules": [
            *({"merchant": each["label"], "category": "Pets"} for each in merchants[:20]),
            {"merchant": "Nobody at all", "category": "Pets"},
            {"merchant": merchants[0]["label"], "category": "No such"},
        ]
    }
    before = (await spent(category="pets"))["total"]
    async with connected(household) as client:
        first = (await client.call_tool("set_category_rules", asked)).structured_content
        assert first["confirmed"] is False
        assert "Nobody at all" in first["moves"][20]["error"]
        assert "No such" in first["moves"][21]["error"]
        assert not any(each["atLeast"] for each in first["moves"])
        assert any(each["held"] for each in first["moves"])
        assert (await spent(category="pets"))["total"] == before
        done = await client.call_tool("set_category_rules", {**asked, "confirm": True})
        mere = {"rules": asked["rules"][20:], "confirm": True}
        nothing = await client.call_tool("set_category_rules", mere)
        kept = {"rules": asked["rules"][:1], "confirm": True}
        again = await client.call_tool("set_category_rules", kept)
    for told, words in (
        (done, "Saved, except what was refused:"),
        (nothing, "Nothing was saved:"),
        (again, "Saved:"),
    ):
        (content,) = told.content
        assert isinstance(content, TextContent)
        assert content.text.startswith(f"{words}\n")
    assert done.structured_content["confirmed"] is True
    moved = sum(each["total"] for each in first["moves"])
    assert moved > 0
    assert (await spent(category="pets"))["total"] == before + moved


def household_of(categories: Sequence[CategoryChoice], *rows: Transaction) -> Call:
    """A call in a household that counts in dollars, has no rules, and these rows of one payee."""
    told = {
        LIST_CATEGORIES: tuple(categories),
        LIST_RULES: (),
        LIST_TRANSACTIONS: TransactionPage(transactions=rows, next_cursor=None, total=None),
        SHOW_SETTINGS: SimpleNamespace(currency="USD", time_zone="UTC"),
    }

    async def ask_row(_context: Any, row: Any, _question: Any) -> Any:
        return told[row]

    async def nobody(*_told: Any) -> None:
        return None

    context = SimpleNamespace(today=lambda _zone: date(2025, 11, 21))
    return Call(cast("Context", context), ask_row, nobody, nobody)


async def test_amounts_of_another_currency_are_not_added_up() -> None:
    """A preview counts every row that moves, and its sum is of those in the household's currency."""
    choice = CategoryChoice(
        category="travel", label="Travel", line="discretionary", custom=False, reimbursable=False
    )
    reason = Reason(source="auto", rule_id="auto_1", confidence=None, text="A reason.")
    rows = [
        made_up_bank.transactions()[1].model_copy(
            update={
                "amount": -amount,
                "currency": currency,
                "category": "pets",
                "transfer_id": None,
                "why": reason,
            }
        )
        for amount, currency in ((500, "USD"), (7_000, "EUR"))
    ]
    word = RuleWord(merchant="Shop", category="travel")
    answer = await set_category_rules(household_of([choice], *rows), RulesQuestion(rules=(word,)))
    (move,) = answer.told.moves
    assert (move.rows, move.total) == (2, 500)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("said_of", ["a row", "an amount", "a direction"])
async def test_rules_move_what_they_say(household: RunningDaemon, said_of: str) -> None:
    """What the person said of rows alone, of an amount or of a direction stays, and is not counted."""

    async def rows() -> list[Any]:
        query = {"merchant": task["payeeKey"], "pending": "false", "limit": 500}
        told = (await household.http.get("/api/v1/transactions", params=query)).json()
        found: list[Any] = told["transactions"]
        return found

    task = await open_task(household)
    first = (await rows())[0]
    async with connected(household) as client:
        if said_of == "a row":
            await told_by(
                client, "change_transaction", id=first["id"], category="travel", confirm=True
            )
        elif said_of == "an amount":
            exact = {"merchant": first["payee"], "category": "travel", "amount": -first["amount"]}
            await told_by(client, "set_category_rules", rules=[exact], confirm=True)
        else:
            await told_by(client, "answer_task", id=task["id"], answer="travel", direction="out")
        before = await rows()
        rule = {"rules": [{"merchant": first["payee"], "category": "pets"}]}
        (preview,) = (await told_by(client, "set_category_rules", **rule))["moves"]
        (filed,) = (await told_by(client, "set_category_rules", **rule, confirm=True))["moves"]
    after = await rows()
    moved = [
        now["amount"]
        for was, now in zip(before, after, strict=True)
        if was["category"] != now["category"]
    ]
    stayed = [each for each in after if each["category"] == "travel"]
    assert stayed
    for told in (preview, filed):
        assert (told["rows"], told["total"]) == (len(moved), -sum(moved))
        assert told["held"] == len(stayed)


async def test_a_word_for_several_categories_stops_no_other_rule() -> None:
    """It is refused with their ids, and what the next rule would move is told all the same."""
    twins = [
        CategoryChoice(
            category=each, label="Twin", line="discretionary", custom=True, reimbursable=False
        )
        for each in ("cat_a", "cat_b")
    ]

    words = tuple(RuleWord(merchant="Shop", category=each) for each in ("Twin", "cat_a"))
    answer = await set_category_rules(household_of(twins), RulesQuestion(rules=words))
    first, second = answer.told.moves
    assert first.error is not None
    assert "cat_a, cat_b" in first.error
    assert (second.category, second.error) == ("cat_a", None)


async def test_tags_are_kept_found_and_added_up(household: RunningDaemon) -> None:
    """An agent tags a row after a preview, lists rows by a tag, adds them up, and takes the tag back."""
    async with connected(household) as client:
        row = await some_row(household)
        preview = await change(client, row["id"], tags=["#Japan"])
        assert (preview["before"]["tags"], preview["after"]["tags"]) == ([], ["japan"])
        assert (await shown(household, row["id"]))["tags"] == []
        await change(client, row["id"], tags="japan", confirm=True)
        told = await told_by(client, "list_transactions", tag="japan")
        assert [each["id"] for each in told["transactions"]] == [row["id"]]
        assert told["words"][row["id"]]["tags"] == ["japan"]
        by_tag = await told_by(client, "query_spending", groupBy="tag")
        assert {each["key"]: each["count"] for each in by_tag["groups"]}["=japan"] == 1
        await change(client, row["id"], tags=[], note="with Ben", confirm=True)
        one = await told_by(client, "query_spending", tag=["japan"])
        assert (one["total"], one["count"]) == (-row["amount"], 1)
        await change(client, row["id"], forget=["tags", "note"], confirm=True)
        assert await shown(household, row["id"]) == row
