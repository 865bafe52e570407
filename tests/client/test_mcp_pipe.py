"""MCP over stdin and stdout: what is asked in lines is answered by the daemon as it is."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from finplan.client.connect import Ready
from finplan.client.failures import DaemonUnreachable
from finplan.client.mcp_pipe import Pipe
from finplan.daemon.surfaces.mcp import resources
from finplan.daemon.surfaces.mcp.resources import PLAN
from tests.daemon.ports import free_ports
from tests.daemon.running import RunningDaemon, running_daemon

INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
async def household(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    async with running_daemon(tmp_path, household_store) as running:
        yield running


def called(number: int, tool: str, **more: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": {}, **more}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


class Agent:
    """Whoever speaks through a pipe: `told` are the lines that came back."""

    def __init__(self, running: RunningDaemon, *, only_read: bool = False) -> None:
        self.told: list[dict[str, Any]] = []
        self._came = asyncio.Event()
        self._lines: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.ready = Ready(running.base_url, running.token, "1", 1)
        self.pipe = Pipe(lambda: self.ready, self._take, only_read=only_read)
        self.carrying = asyncio.create_task(self.pipe.carry(self._read()))

    def _take(self, line: str) -> None:
        assert "\n" not in line
        self.told.append(json.loads(line))
        self._came.set()

    async def _read(self) -> AsyncIterator[bytes]:
        while (line := await self._lines.get()) is not None:
            yield line

    def say(self, *messages: Any) -> None:
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self._lines.put_nowait(line + b"\n")

    async def answer(self, number: int | None) -> dict[str, Any]:
        """The answer to what was asked under a number, once it is there."""
        while True:
            found = [each for each in self.told if "method" not in each and each["id"] == number]
            if found:
                return found[-1]
            self._came.clear()
            await self._came.wait()

    async def asked(self, method: str) -> dict[str, Any]:
        """What the daemon asks by a method, once it does."""
        while True:
            found = [each for each in self.told if each.get("method") == method]
            if found:
                return found[-1]
            self._came.clear()
            await self._came.wait()

    async def told_times(self, message: dict[str, Any], times: int) -> None:
        """Wait until a message has come so often."""
        while self.told.count(message) < times:
            self._came.clear()
            await self._came.wait()

    async def leave(self) -> None:
        self._lines.put_nowait(None)
        await self.carrying


async def test_a_session_is_carried(household: RunningDaemon) -> None:
    """An older client's handshake and calls go through, and progress comes before its answer."""
    agent = Agent(household)
    call = called(3, "build_plan", _meta={"progressToken": "p"})
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    agent.say(INITIALIZE, INITIALIZED, listed, call)
    assert (await agent.answer(1))["result"]["serverInfo"]["name"] == "finplan"
    assert len((await agent.answer(2))["result"]["tools"]) >= 12
    built = await agent.answer(3)
    assert built["result"]["isError"] is False
    told = [each["params"]["message"] for each in agent.told if "method" in each]
    assert told[-1] == "Done"
    await agent.leave()


async def test_a_request_that_stands_alone_is_carried(household: RunningDaemon) -> None:
    """A request of 2026-07-28 gets its headers from itself."""
    agent = Agent(household)
    discover = {"jsonrpc": "2.0", "id": "d", "method": "server/discover", "params": {"_meta": META}}
    agent.say(discover, called(2, "get_wealth", _meta=META))
    assert "2026-07-28" in (await agent.answer("d"))["result"]["supportedVersions"]  # type: ignore[arg-type]
    assert (await agent.answer(2))["result"]["structuredContent"]["balances"]
    await agent.leave()


async def test_a_session_that_is_lost_is_opened_again(
    household: RunningDaemon, tmp_path: Path, household_store: Path
) -> None:
    """A daemon that was started anew knows no session and no token; the agent sees none of it."""
    agent = Agent(household)
    agent.say(INITIALIZE, INITIALIZED, called(2, "get_wealth"))
    assert (await agent.answer(2))["result"]["isError"] is False
    folder = tmp_path / "again"
    folder.mkdir()
    async with running_daemon(folder, household_store) as again:
        agent.ready = Ready(again.base_url, again.token, "1", 2)
        await household.http.delete(
            "/mcp", headers={"mcp-session-id": agent.pipe.session_headers["mcp-session-id"]}
        )
        agent.say(called(3, "get_wealth"))
        assert (await agent.answer(3))["result"]["isError"] is False
        assert len([each for each in agent.told if each.get("id") == 1]) == 1
        await agent.leave()


async def test_a_session_that_is_opened_again_is_told_as_before(
    household: RunningDaemon, tmp_path: Path, household_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an agent subscribed to is subscribed to again, and told anew: it may have changed."""
    monkeypatch.setattr(resources, "LOOKED_EVERY", 0.01)

    def about(number: int, verb: str, uri: str) -> dict[str, Any]:
        method = f"resources/{verb}"
        return {"jsonrpc": "2.0", "id": number, "method": method, "params": {"uri": uri}}

    agent = Agent(household)
    page = f"{household.base_url}/api/docs/plan.md"
    updated = {
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {"uri": PLAN},
    }
    agent.say(INITIALIZE, INITIALIZED, about(2, "subscribe", PLAN), about(3, "subscribe", page))
    assert (await agent.answer(2))["result"] == (await agent.answer(3))["result"] == {}
    agent.say(about(4, "unsubscribe", page))
    await agent.answer(4)
    folder = tmp_path / "again"
    folder.mkdir()
    async with running_daemon(folder, household_store) as again:
        agent.ready = Ready(again.base_url, again.token, "1", 2)
        await household.http.delete("/mcp", headers=agent.pipe.session_headers)
        agent.say(called(5, "get_wealth"))
        await agent.answer(5)
        assert [each for each in agent.told if "method" in each] == [updated]
        changed = await again.http.put("/api/v1/snapshot/income", json={"monthly": 123_400})
        assert changed.status_code == 200
        await agent.told_times(updated, 2)
        assert len([each for each in agent.told if each.get("id") == 2]) == 1
        await agent.leave()


async def test_only_reading(household: RunningDaemon) -> None:
    """An agent that may only read is offered what reads, and refused the rest."""
    agent = Agent(household, only_read=True)
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {"_meta": META}}
    agent.say(listed, called(3, "build_plan", _meta=META))
    names = [each["name"] for each in (await agent.answer(2))["result"]["tools"]]
    assert "get_plan" in names
    assert "build_plan" not in names
    assert (await agent.answer(3))["result"]["isError"] is True
    await agent.leave()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("line", [b"nonsense", b"[1]", b'"x"', b"\xff\xfe"])
async def test_a_line_that_is_no_message(household: RunningDaemon, line: bytes) -> None:
    """It is told so, and the next one is answered."""
    agent = Agent(household)
    agent.say(line, b"", called(2, "get_wealth", _meta=META))
    assert (await agent.answer(None))["error"]["code"] == -32700
    assert "result" in await agent.answer(2)
    await agent.leave()


async def test_a_daemon_that_cannot_be_reached(household: RunningDaemon) -> None:
    """Each request is answered with why, in a sentence."""
    agent = Agent(household)
    agent.ready = Ready(f"http://127.0.0.1:{free_ports(1)}", household.token, "1", 1)
    agent.say(called(1, "get_wealth", _meta=META))
    assert "does not answer" in (await agent.answer(1))["error"]["message"]

    def refuse() -> Ready:
        raise DaemonUnreachable("nothing starts")

    other = Agent(household)
    other.pipe.find = refuse
    other.say(called(1, "get_wealth", _meta=META))
    assert (await other.answer(1))["error"]["message"].endswith("nothing starts")
    for each in (agent, other):
        await each.leave()


async def test_what_the_daemon_asks_is_answered_once(household: RunningDaemon) -> None:
    """The agent's answer goes to the daemon, and nothing comes back: its number is the daemon's."""
    able: dict[str, Any] = {**INITIALIZE["params"], "capabilities": {"elicitation": {}}}
    agent = Agent(household)
    agent.say({**INITIALIZE, "id": 0, "params": able}, INITIALIZED)
    await agent.answer(0)
    tasks = (await household.http.get("/api/v1/tasks")).json()
    task = next(each for each in tasks if each["kind"] == "categorize_payee")
    # The daemon counts its own questions from 1, too.
    agent.say(called(1, "answer_task", arguments={"id": task["id"]}))
    asked = await agent.asked("elicitation/create")
    assert asked["id"] == 1
    said = {"action": "accept", "content": {"answer": task["suggestedLabel"]}}
    agent.say({"jsonrpc": "2.0", "id": asked["id"], "result": said})
    assert (await agent.answer(1))["result"]["structuredContent"]["status"] == "answered"
    await agent.leave()
    assert [each["id"] for each in agent.told if "method" not in each] == [0, 1]


async def test_who_waits_for_no_answer_gets_none(household: RunningDaemon) -> None:
    """A notification or an answer that does not come through is no message for the agent."""
    agent = Agent(household)
    agent.ready = Ready(f"http://127.0.0.1:{free_ports(1)}", household.token, "1", 1)
    agent.say({"jsonrpc": "2.0", "id": 7, "result": {}})
    agent.say({"jsonrpc": "2.0", "id": 8, "error": {"code": 1, "message": "no"}})
    agent.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": []})
    await agent.leave()
    assert agent.told == []


async def test_a_line_that_is_nested_too_deeply(household: RunningDaemon) -> None:
    """It is no message, and the next line is carried."""
    agent = Agent(household)
    agent.say(b"[" * 100_000 + b"]" * 100_000, called(2, "get_wealth", _meta=META))
    assert (await agent.answer(None))["error"]["code"] == -32700
    assert (await agent.answer(2))["result"]["isError"] is False
    await agent.leave()


@pytest.mark.parametrize("uri", ["finplan://plän", " finplan://plan", "=?base64?eA==?=", "x\ny"])
async def test_a_name_that_no_header_carries(household: RunningDaemon, uri: str) -> None:
    """It is carried as the protocol packs it, and the daemon answers what it is."""
    agent = Agent(household)
    params = {"uri": uri, "_meta": META}
    agent.say({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params})
    assert "Unknown resource" in (await agent.answer(1))["error"]["message"]
    await agent.leave()


async def test_a_request_that_is_given_up(household: RunningDaemon) -> None:
    """A request of the newer era that is cancelled is answered no more, and others are."""
    agent = Agent(household)
    listen = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "subscriptions/listen",
        "params": {"notifications": {}, "_meta": META},
    }
    cancel = {
        "jsonrpc": "2.0",
        "method": "notifications/cancelled",
        "params": {"requestId": 1, "_meta": META},
    }
    agent.say(listen, called(2, "get_wealth", _meta=META))
    await agent.answer(2)
    agent.say(cancel, called(3, "get_wealth", _meta=META))
    await agent.answer(3)
    # Were it waited for still, this would not end.
    await agent.leave()


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("text/html", b"<html>"),
        ("application/json", b""),
        ("application/json", b"\xff\xfe"),
        ("application/json", b"[1]"),
        ("text/event-stream", b""),
        ("text/event-stream", b'data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n'),
        ("text/event-stream", b"data: nonsense\n\n"),
    ],
)
async def test_what_is_no_answer_is_told(content_type: str, body: bytes) -> None:
    """Whatever comes back, each request is answered, if only by what went wrong."""

    async def answer(_request: web.Request) -> web.Response:
        return web.Response(body=body, headers={"content-type": content_type})

    app = web.Application()
    app.router.add_route("*", "/mcp", answer)
    server = TestServer(app)
    await server.start_server()
    told: list[dict[str, Any]] = []
    ready = Ready(f"http://127.0.0.1:{server.port}", "token", "1", 1)

    async def lines() -> AsyncIterator[bytes]:
        yield json.dumps(called(7, "get_wealth", _meta=META)).encode()

    await Pipe(lambda: ready, lambda line: told.append(json.loads(line)), only_read=False).carry(
        lines()
    )
    await server.close()
    assert told[-1]["id"] == 7
    assert told[-1]["error"]["message"]
