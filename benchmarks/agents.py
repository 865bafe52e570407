"""What a call of a tool costs beside the same question by REST, over connections that stay open.

Two figures of each: how long it takes, and how long the daemon itself works at it.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, Target, against
from benchmarks.ground import Daemon, Ground, daemon
from benchmarks.race import race, timed
from benchmarks.wire import Question, Wire, saying

ROWS = 10_000
CALLS = 200
ROUNDS = 4
"""How often more than the long measurements these short ones are repeated."""

ERA = "2026-07-28"
ASKED: Mapping[str, tuple[Question, str, Mapping[str, Any]]] = {
    "Spending by category": (
        Question("GET", "/spending?groupBy=category"),
        "query_spending",
        {"groupBy": "category", "limit": 100},
    ),
    "Accounts": (Question("GET", "/accounts/records"), "list_accounts", {}),
    "Transactions": (Question("GET", "/transactions?limit=20"), "list_transactions", {"limit": 20}),
}
"""What is asked both ways: by REST, and by which tool."""


def measure(ground: Ground) -> list[Figure]:
    """The figures of each question, by a tool of /mcp beside REST."""
    home = ground.new_home(like=ground.filled_store(ROWS))
    figures: list[Figure] = []
    with daemon(home) as running:
        key = str(json.loads(running.ask(saying("POST", "/keys", {"name": "benchmark"})))["key"])
        wire = Wire(running.port, key, "X-Api-Key")
        for name, (question, tool, arguments) in ASKED.items():
            ways = {
                "rest": partial(_rest, wire, question),
                "tool": partial(_call, wire, tool_call(running.port, key, tool, arguments)),
            }
            for way in ways.values():
                way()
            times = race(
                {way: partial(timed, ask) for way, ask in ways.items()}, ground.rounds * ROUNDS
            )
            worked = race(
                {way: partial(_worked, running, ask) for way, ask in ways.items()}, ground.rounds
            )
            target = Target(1.4, ROWS)
            figures.append(
                against(times["rest"], times["tool"], f"{name}, by a tool", ROWS, "time", target)
            )
            figures.append(
                against(worked["rest"], worked["tool"], f"{name}, its work", ROWS, "time", target)
            )
        wire.close()
    ground.forget(home)
    return figures


def tool_call(port: int, key: str, tool: str, arguments: Mapping[str, Any]) -> bytes:
    """The request that calls a tool, as a client of the newer era sends it."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": ERA,
        "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool, "arguments": arguments, "_meta": meta}
    body = json.dumps(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    ).encode()
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Api-Key: {key}\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
        f"MCP-Protocol-Version: {ERA}\r\nMcp-Method: tools/call\r\nMcp-Name: {tool}\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _rest(wire: Wire, question: Question) -> None:
    for _ in range(CALLS):
        wire.ask(question)


def _call(wire: Wire, call: bytes) -> None:
    for _ in range(CALLS):
        wire.put(call)
        answer = wire.receive().body
        if b'"isError":false' not in answer:
            raise RuntimeError(f"The tool refused: {answer.decode()}")


def _worked(running: Daemon, ask: Callable[[], None]) -> float:
    """How long the daemon's own process worked at it, in seconds (Linux)."""
    before = _processor_time(running)
    ask()
    return _processor_time(running) - before


def _processor_time(running: Daemon) -> float:
    threads = Path(f"/proc/{running.process.pid}/task").iterdir()
    worked = [int((each / "schedstat").read_text("ascii").split()[0]) for each in threads]
    return sum(worked) / 1e9
