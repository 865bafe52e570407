"""Sessions of older clients: everybody has their share of them, and nobody more."""

import asyncio
from collections.abc import Mapping

import httpx
import pytest

from finplan.daemon.surfaces.mcp import transport
from finplan.service.people import new_owner
from finplan.store.queries import people
from tests.daemon.mcp.connected import new_key
from tests.daemon.oauth.test_guests import a_guest
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

OPENING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


async def opened(running: RunningDaemon, credential: Mapping[str, str]) -> httpx.Response:
    """The answer to a client that would open a session."""
    accepts = {"accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient(
        base_url=running.base_url, trust_env=False, timeout=LONG_ENOUGH
    ) as http:
        return await http.post("/mcp", json=OPENING, headers={**accepts, **credential})


async def test_nobody_keeps_others_out(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many a person's clients open at once, others open theirs; one that ends makes room."""
    monkeypatch.setattr(transport, "MOST_OF_A_PERSON", 2)
    mine = [{"x-api-key": (await new_key(household, "service:read"))["key"]} for _ in range(3)]
    answers = await asyncio.gather(*(opened(household, key) for key in mine * 2))
    let_in = [each for each in answers if each.status_code == 200]
    refused = [each.json() for each in answers if each.status_code == 429]
    assert (len(let_in), len(refused)) == (2, 4)
    assert refused[0]["message"].startswith("Your agents have 2 sessions of MCP open")

    owner, household.session.owner = (
        household.session.owner,
        await household.store.write(lambda c: people.add_person(c, new_owner("grace", 0))),
    )
    theirs = {"cookie": "; ".join(f"{k}={v}" for k, v in household.http.cookies.items())}
    assert (await opened(household, theirs)).status_code == 200

    household.session.owner = owner
    session = let_in[0].headers["mcp-session-id"]
    ended = [
        await household.http.delete("/mcp", headers={"mcp-session-id": session, **key})
        for key in mine
    ]
    assert [each.status_code for each in ended].count(200) == 1
    assert (await opened(household, mine[0])).status_code == 200


@pytest.mark.thorough
async def test_a_guest_has_fewer(household: RunningDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that nobody has claimed may come again and again, and takes no more for that."""
    monkeypatch.setattr(transport, "MOST_OF_A_GUEST", 1)
    async with httpx.AsyncClient(
        base_url=household.base_url, trust_env=False, timeout=LONG_ENOUGH
    ) as http:
        _, shown = await a_guest(http)
    assert [(await opened(household, shown)).status_code for _ in range(2)] == [200, 429]
