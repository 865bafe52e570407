"""Calls that are answered past the SDK's bridge: word for word as over it, and none that is odd."""

import json
from typing import Any

import pytest
from aiohttp.test_utils import make_mocked_request
from mcp.server import streamable_http_manager as bridge
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from multidict import CIMultiDict

from finplan.daemon.surfaces.mcp import transport
from finplan.daemon.surfaces.mcp.direct_calls import read_call
from tests.daemon.mcp.connected import FOR_MCP, new_key
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon

ERA = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": ERA,
    "io.modelcontextprotocol/clientCapabilities": {},
}
SHOWS_VIEWS = {
    **META,
    "io.modelcontextprotocol/clientInfo": {"name": "host", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {
        "elicitation": {},
        "extensions": {EXTENSION_ID: {"mimeTypes": [APP_MIME_TYPE]}},
    },
    "progressToken": "p",
}


def call_of(tool: str, arguments: Any = None, **more: Any) -> dict[str, Any]:
    """The message that calls a tool; `more` are its fields that differ."""
    params = {"name": tool, "arguments": arguments or {}, "_meta": META}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params, **more}


def headers_of(tool: str) -> dict[str, str]:
    """The headers that such a message comes with."""
    named = {"mcp-protocol-version": ERA, "mcp-method": "tools/call", "mcp-name": tool}
    return {"accept": FOR_MCP["Accept"], **named, "content-type": "application/json"}


def with_views(tool: str, **arguments: Any) -> dict[str, Any]:
    """A call by a client that shows views, and waits to be told how far it is."""
    return call_of(
        tool, id="é", params={"name": tool, "arguments": arguments, "_meta": SHOWS_VIEWS}
    )


@pytest.mark.parametrize(
    ("message", "fails"),
    [
        (call_of("list_accounts"), False),
        (call_of("list_transactions", {"limit": 5}, id="one"), False),
        (call_of("query_spending", {"groupBy": "category", "byMonth": True}), False),
        (with_views("list_tasks"), False),
        (with_views("get_snapshot"), False),
        (call_of("list_transactions", {"limit": 0, "é": "x"}), True),
        (call_of("list_transactions", {"text": "\ud800"}), True),
        (call_of("query_spending", {"category": ["no such"]}), True),
    ],
)
async def test_a_call_is_answered_as_the_sdk_answers_it(
    household: RunningDaemon,
    monkeypatch: pytest.MonkeyPatch,
    message: dict[str, Any],
    fails: bool,
) -> None:
    """Status, kind and content are those that the SDK sends of the same call."""
    shown = {"x-api-key": (await new_key(household, "service:read"))["key"]}
    tool = message["params"]["name"]

    async def refuse(*_told: Any) -> None:
        raise AssertionError

    async with stranger(household) as http:

        async def ask() -> Any:
            return await http.post(
                "/mcp",
                content=json.dumps(message).encode(),
                headers={**headers_of(tool), **shown},
            )

        with monkeypatch.context() as direct:
            direct.setattr(bridge, "handle_modern_request", refuse)
            answer = await ask()
        monkeypatch.setattr(transport, "read_call", lambda *_given: None)
        same = await ask()
    assert answer.json() == same.json()
    assert answer.json()["result"]["isError"] is fails
    assert ("finplan/view" in answer.text) is (tool == "list_tasks")
    assert answer.content.isascii()
    for each in ("content-type", "content-length"):
        assert answer.headers[each] == same.headers[each]
    assert answer.status_code == same.status_code == 200


async def test_a_call_that_fails_is_the_sdks_to_answer(household: RunningDaemon) -> None:
    """What JSON tells and no letters can, such as half a character as an id, is told back as it came."""
    shown = {"x-api-key": (await new_key(household, "service:read"))["key"]}
    message = {**call_of("list_accounts"), "id": "\ud800"}
    async with stranger(household) as http:
        answer = await http.post(
            "/mcp",
            content=json.dumps(message).encode(),
            headers={**headers_of("list_accounts"), **shown},
        )
    assert answer.status_code == 200
    assert json.loads(answer.text)["id"] == "\ud800"


PLAIN = call_of("list_accounts")


def told_otherwise(**more: Any) -> dict[str, Any]:
    """The plain call with parameters that differ."""
    return {**PLAIN, "params": {**PLAIN["params"], **more}}


@pytest.mark.parametrize(
    "message",
    [
        [PLAIN],
        {**PLAIN, "jsonrpc": "1.0"},
        {**PLAIN, "id": None},
        {**PLAIN, "id": True},
        {**PLAIN, "id": 1.5},
        {name: value for name, value in PLAIN.items() if name != "id"},
        {**PLAIN, "method": "tools/list"},
        {**PLAIN, "params": None},
        told_otherwise(name="get_plan"),
        told_otherwise(name=1),
        told_otherwise(arguments=[]),
        told_otherwise(task=5),
        told_otherwise(_meta={}),
        told_otherwise(_meta={**META, "io.modelcontextprotocol/protocolVersion": "2025-11-25"}),
        told_otherwise(_meta={**META, "io.modelcontextprotocol/clientCapabilities": 1}),
    ],
)
def test_a_message_that_is_no_such_call_is_not_read(message: Any) -> None:
    """What is wrong with it is the SDK's to say."""
    plain = make_mocked_request("POST", "/mcp", headers_of("list_accounts"))
    assert read_call(plain, json.dumps(PLAIN).encode()) is not None
    assert read_call(plain, json.dumps(message).encode()) is None


@pytest.mark.parametrize("body", [b"", b"{", b"[" * 100_000, b"\xff"])
def test_what_is_no_json_is_not_read(body: bytes) -> None:
    """However it is broken."""
    assert read_call(make_mocked_request("POST", "/mcp", headers_of("list_accounts")), body) is None


@pytest.mark.parametrize(
    ("method", "name", "value"),
    [
        ("GET", "accept", "application/json"),
        ("POST", "accept", "text/event-stream"),
        ("POST", "content-type", "text/plain"),
        ("POST", "mcp-name", "get_plan"),
        ("POST", "mcp-method", "tools/list"),
        ("POST", "mcp-protocol-version", "2025-11-25"),
    ],
)
def test_what_its_headers_tell_otherwise_is_not_read(method: str, name: str, value: str) -> None:
    """Nor what says a thing twice."""
    body = json.dumps(PLAIN).encode()
    other = {**headers_of("list_accounts"), name: value}
    assert read_call(make_mocked_request(method, "/mcp", other), body) is None
    twice = CIMultiDict(headers_of("list_accounts"))
    twice.add("mcp-name", "list_accounts")
    assert read_call(make_mocked_request("POST", "/mcp", twice), body) is None
