"""Somebody else's client of MCP, let in with an API key."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

Era = Literal["legacy", "2026-07-28"]
ERAS: tuple[Era, ...] = ("legacy", "2026-07-28")


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
            streamable_http_client(f"{running.base_url}/mcp", http_client=http),
            mode=era,
            **options,
        ) as client,
    ):
        yield client
