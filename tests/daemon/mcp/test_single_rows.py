"""An agent keeps the person's word on one transaction: told first, kept once they agree."""

from typing import Any

from mcp import Client

from tests.daemon.mcp.connected import connected
from tests.daemon.mcp.test_product import text_of
from tests.daemon.running import RunningDaemon


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
    result = await client.call_tool("change_transaction", {"id": known_as, **said})
    assert not result.is_error, result.content
    return result.structured_content


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
        assert told["before"] == {"category": "groceries", "note": None, "splits": None}
        assert told["after"] == {"category": "dining", "note": "with Ben", "splits": None}
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
        assert would["after"] == {"category": None, "note": "with Ben", "splits": None}
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
        assert whole["after"] == {"category": None, "note": None, "splits": None}
        filed = await change(client, row["id"], category="gifts_donations")
        assert filed["after"] == {"category": "gifts_donations", "note": None, "splits": None}
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
        result = await client.call_tool("list_transactions", asked)
    assert result.structured_content is not None
    now = await shown(household, row["id"])
    said = {"note": "market", "splits": now["splits"]}
    assert result.structured_content["words"] == {row["id"]: said}
    assert result.structured_content["labels"]["gifts_donations"] == "Gifts and donations"
    (line,) = (each for each in text_of(result).splitlines() if f"[{row['id']}]" in each)
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
        assert "add a part" in await refused(client, row["id"], splits=[part, part])
        nothing = {"amount": 0, "category": "gifts_donations"}
        whole = {"amount": row["amount"], "category": "gifts_donations"}
        assert "other than 0" in await refused(client, row["id"], splits=[nothing, whole])
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
        assert "counts as spending or income" in str(result.content)
        row = await some_row(household)
        assert not (await change(client, row["id"], note="mine"))["moved"]
