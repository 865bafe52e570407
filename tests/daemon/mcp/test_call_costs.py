"""What a call of a tool costs beside the question of REST that it stands for."""

import json
from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.server import _otel, _streamable_http_modern as streams

from finplan.daemon.surfaces.mcp.tool_calls import asked_schema
from finplan.daemon.surfaces.mcp.tools import tool as rows
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.operation import AnyOperation
from finplan.operations.account import LIST_ACCOUNT_RECORDS
from finplan.operations.category import LIST_CATEGORIES
from finplan.operations.transaction import LIST_TRANSACTIONS
from finplan.store.queries.people import SETTINGS_OF_PERSON, STATE_OF_PERSON
from tests.daemon.mcp.connected import FOR_MCP, INITIALIZE, Era, connected, new_key
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon


async def test_what_is_known_already_takes_no_thread(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool whose answer is kept reads nothing on a thread, and a change is seen all the same."""
    async with connected(household) as client:
        before = await client.call_tool("list_accounts", {})
        read, threads = household.store.read, []

        async def count(work: Any, **more: Any) -> Any:
            threads.append(work)
            return await read(work, **more)

        monkeypatch.setattr(
            type(household.store), "read", lambda _store, work, **m: count(work, **m)
        )
        assert await client.call_tool("list_accounts", {}) == before
        assert threads == []
        account = before.structured_content["accounts"][0]["id"]
        changed = await household.http.patch(f"/api/v1/accounts/{account}", json={"hidden": True})
        assert changed.status_code == 200, changed.text
        await household.http.patch("/api/v1/settings", json={"currency": "EUR"})
        after = await client.call_tool("list_accounts", {})
        assert after.structured_content["accounts"][0]["hidden"]
        assert after.meta is not None
        assert after.meta["finplan/currency"] == "EUR"


async def test_nothing_is_reread(household: RunningDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    """The categories and accounts that a tool looks names up in are decoded once while they hold."""
    decoded: list[AnyOperation] = []
    reader = rows._reader_of_answer

    def count(row: AnyOperation) -> Any:
        def read(content: bytes) -> Any:
            decoded.append(row)
            return reader(row).validate_json(content)

        return SimpleNamespace(validate_json=read)

    monkeypatch.setattr(rows, "_reader_of_answer", count)
    async with connected(household) as client:
        for limit in (3, 4, 5):
            await client.call_tool("list_transactions", {"limit": limit})
        assert Counter(decoded) == {
            LIST_TRANSACTIONS: 3,
            LIST_CATEGORIES: 1,
            LIST_ACCOUNT_RECORDS: 1,
        }


async def test_no_trace_is_made_of_a_call(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody collects what the SDK would note of each message."""

    def refuse(*_told: Any, **_more: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(_otel, "otel_span", refuse)
    async with connected(household, "legacy") as client:
        assert not (await client.call_tool("list_accounts", {})).is_error


async def test_what_only_reads_is_told_of_one_state(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows, their accounts, categories and the currency are of one look at the data, in each call."""
    looks = []
    look_up = type(household.store).look_up

    async def count(store: Any, query: Any, *given: Any) -> Any:
        looks.append(query)
        return await look_up(store, query, *given)

    monkeypatch.setattr(type(household.store), "look_up", count)
    async with connected(household) as client:
        for _ in range(2):
            looks.clear()
            told = (await client.call_tool("list_transactions", {"limit": 5})).structured_content
            assert looks.count(STATE_OF_PERSON) == 1
            assert looks.count(SETTINGS_OF_PERSON) == 1
            assert told["accounts"]
            assert told["labels"]
            # The next call looks anew.
            newest = told["transactions"][0]
            said = await household.http.put(
                f"/api/v1/transactions/{newest['id']}", json={"category": "pets"}
            )
            assert said.status_code == 200, said.text
        told = (await client.call_tool("list_transactions", {"limit": 5})).structured_content
    assert told["labels"]["pets"] == "Pets"
    assert told["transactions"][0]["category"] == "pets"


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("tool", "era", "kind"),
    [
        ("get_snapshot", "2026-07-28", "application/json"),
        ("build_plan", "2026-07-28", "text/event-stream"),
        ("get_snapshot", "2025-11-25", "text/event-stream"),
    ],
)
async def test_what_only_reads_is_answered_in_one_piece(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch, tool: str, era: Era, kind: str
) -> None:
    """No stream is begun for a reading tool, which tells nothing on the way; others have theirs."""
    # However soon the answer comes, a stream has begun by then.
    monkeypatch.setattr(streams, "_SSE_PING_INTERVAL", 1e-4)
    shown = {"x-api-key": (await new_key(household, "service:read", "service:write"))["key"]}
    async with stranger(household) as http:
        accepts = {**FOR_MCP, **shown}
        named = {"mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": tool}
        if era != "2026-07-28":
            opened = await http.post("/mcp", json=INITIALIZE, headers=accepts)
            named["mcp-session-id"] = opened.headers["mcp-session-id"]
        meta: dict[str, Any] = {
            "progressToken": 1,
            "io.modelcontextprotocol/protocolVersion": era,
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        params = {"name": tool, "arguments": {}, "_meta": meta}
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answer = await http.post("/mcp", json=call, headers={**accepts, **named})
        other = await http.post(
            "/mcp", json=call, headers={**accepts, **named, "mcp-name": "get_snapshot"}
        )
    assert answer.headers["content-type"].partition(";")[0] == kind
    # Who names another tool in front than inside gains nothing by it.
    assert ("-32020" in other.text) is (tool != "get_snapshot")


def test_no_argument_is_repeated_in_a_header() -> None:
    """So no call has its tool's schema searched for one; a tool that wants one has to say so there."""
    assert "x-mcp-header" not in json.dumps(
        [dict(asked_schema(each.asks)) for each in TOOLS.values()]
    )
