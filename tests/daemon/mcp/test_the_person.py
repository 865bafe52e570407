"""What only the person knows is asked of them, through their client where it can."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest
from mcp import types
from mcp.types import TextContent

from finplan.daemon.surfaces.mcp.tools.rules import RulesQuestion, RuleWord, set_category_rules
from finplan.daemon.surfaces.mcp.tools.tool import Call
from finplan.model.category import CategoryChoice
from finplan.model.transaction import Reason, Transaction, TransactionPage
from finplan.operations.category import LIST_CATEGORIES, LIST_RULES
from finplan.operations.person import SHOW_SETTINGS
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.service.context import Context
from tests.cli import made_up_bank
from tests.daemon.mcp.connected import ERAS, Era, connected
from tests.daemon.running import RunningDaemon


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
        result = await client.call_tool("answer_task", {"id": task["id"]})
    assert not result.is_error, result.content
    assert task["payee"] in asked[0].message
    offered = [task["suggestedLabel"], *(each["label"] for each in task["alternatives"])]
    assert asked[0].requested_schema["properties"]["answer"]["enum"] == offered
    assert result.structured_content["answer"] == task["alternatives"][0]["category"]
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
            result = await client.call_tool("answer_task", {"id": task["id"], **arguments})
            assert not result.is_error, result.content
            return result.structured_content

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
        (done, "Filed, but for what was refused:"),
        (nothing, "Nothing was filed:"),
        (again, "Filed:"),
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
        SHOW_SETTINGS: SimpleNamespace(currency="USD"),
    }

    async def ask_row(_context: Any, row: Any, _question: Any) -> Any:
        return told[row]

    async def nobody(*_told: Any) -> None:
        return None

    return Call(cast("Context", None), ask_row, nobody, nobody)


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
    told = await set_category_rules(household_of([choice], *rows), RulesQuestion(rules=(word,)))
    (move,) = told.moves
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

        async def call(name: str, **given: Any) -> Any:
            result = await client.call_tool(name, given)
            assert not result.is_error, result.content
            return result.structured_content

        if said_of == "a row":
            await call("change_transaction", id=first["id"], category="travel", confirm=True)
        elif said_of == "an amount":
            exact = {"merchant": first["payee"], "category": "travel", "amount": -first["amount"]}
            await call("set_category_rules", rules=[exact], confirm=True)
        else:
            await call("answer_task", id=task["id"], answer="travel", direction="out")
        before = await rows()
        rule = {"rules": [{"merchant": first["payee"], "category": "pets"}]}
        (preview,) = (await call("set_category_rules", **rule))["moves"]
        (filed,) = (await call("set_category_rules", **rule, confirm=True))["moves"]
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
    told = await set_category_rules(household_of(twins), RulesQuestion(rules=words))
    first, second = told.moves
    assert first.error is not None
    assert "cat_a, cat_b" in first.error
    assert (second.category, second.error) == ("cat_a", None)
