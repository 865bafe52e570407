"""Somebody else's client of MCP, let in with an API key."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, TextContent

from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

Era = Literal["legacy", "2026-07-28"]
ERAS: tuple[Era, ...] = ("legacy", "2026-07-28")


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
FOR_MCP = {"Accept": "application/json, text/event-stream"}


async def new_key(running: RunningDaemon, *scopes: str) -> dict[str, Any]:
    """Make an API key; answers it with its id."""
    answer = await running.http.post(
        "/api/v1/keys", json={"name": f"agent {' '.join(scopes)}", "scopes": list(scopes)}
    )
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


@asynccontextmanager
async def connected(
    running: RunningDaemon,
    era: Era = "2026-07-28",
    scopes: Sequence[str] = ("service:read", "service:write"),
    key: str | None = None,
    **options: Any,
) -> AsyncIterator[Client]:
    """A client of one era of the protocol, with a key of some scopes."""
    shown = key or (await new_key(running, *scopes))["key"]
    headers = {"x-api-key": shown}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=LONG_ENOUGH, trust_env=False) as http,
        Client(
            streamable_http_client(f"{running.base_url}/mcp", http_client=http), mode=era, **options
        ) as client,
    ):
        yield client


def text_of(result: CallToolResult) -> str:
    """What a tool says in words."""
    return "".join(each.text for each in result.content if isinstance(each, TextContent))


async def answer_to(client: Client, name: str, **given: Any) -> tuple[Any, str]:
    """What a tool answers, and how it says so."""
    result = await client.call_tool(name, given)
    assert not result.is_error, (given, result.content)
    return result.structured_content, text_of(result)


async def told_by(client: Client, name: str, **given: Any) -> Any:
    """What a tool answers."""
    return (await answer_to(client, name, **given))[0]


async def refusal(client: Client, name: str, given: dict[str, Any]) -> str:
    """Why a tool refuses."""
    result = await client.call_tool(name, given)
    assert result.is_error
    return text_of(result)


async def rest(running: RunningDaemon, path: str, **query: Any) -> Any:
    """What REST answers."""
    answer = await running.http.get(f"/api/v1{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def imported(
    running: RunningDaemon, lines: str, account: str = "Everyday", **more: str
) -> None:
    """Import the rows of a file of an account, which is a checking account in USD unless it is said."""
    kept = {"account": account, "accountKind": "checking", "currency": "USD"}
    files = {"file": (f"{account}.csv", f"Date,Description,Amount\n{lines}".encode(), "text/csv")}
    done = await running.http.post(
        "/api/v1/imports", data={**kept, "direction": "in", **more}, files=files
    )
    assert done.is_success, done.text


async def every_row(running: RunningDaemon) -> list[dict[str, Any]]:
    """All posted rows, page by page."""
    rows: list[dict[str, Any]] = []
    page: dict[str, Any] = {"nextCursor": None}
    asks = {"limit": "500", "pending": "false"}
    while not rows or page["nextCursor"] is not None:
        page = await rest(running, "/transactions", **asks)
        rows += page["transactions"]
        asks["cursor"] = page["nextCursor"]
    return rows
