"""Clients that others have written: the Inspector, and that of the SDK for TypeScript."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from tests.daemon.mcp.conformance.hosts import FOLDER, package, run
from tests.daemon.mcp.connected import ERAS, Era, new_key
from tests.daemon.oauth.visitor import browser
from tests.daemon.running import RunningDaemon, running_daemon

pytestmark = [pytest.mark.slow, pytest.mark.judged]

INSPECTED = ("legacy", "modern")


class Inspector:
    """The Inspector's command line, in one era of the protocol."""

    def __init__(self, url: str, era: str, options: Sequence[str] = ()) -> None:
        self._script = (
            package("@modelcontextprotocol/inspector")
            / "clients"
            / "launcher"
            / "build"
            / "index.js"
        )
        self._asked = ("--cli", url, "--transport", "http", "--protocol-era", era, *options)

    async def ask(self, method: str, *options: str) -> tuple[dict[str, Any], str]:
        """What a method answers, and what the Inspector says of it."""
        status, told, said = await run(
            self._script, *self._asked, "--format", "json", "--method", method, *options
        )
        assert status == 0, (told, said)
        answer: dict[str, Any] = json.loads(told)["result"]
        return answer, said


@pytest.mark.parametrize("era", INSPECTED)
async def test_the_inspector_finds_nothing_wrong(household: RunningDaemon, era: str) -> None:
    """It lists and calls; of what tools are asked, it finds nothing that some model could not read."""
    key = await new_key(household, "service:read", "service:write")
    shown = ("--header", f"x-api-key: {key['key']}")
    inspector = Inspector(f"{household.base_url}/mcp", era, shown)
    listed, said = await inspector.ask("tools/list", "--strict")
    assert [each["name"] for each in listed["tools"]] == list(TOOLS)
    assert "inputSchema" not in said
    called, _ = await inspector.ask(
        "tools/call", "--tool-name", "query_spending", "--tool-arg", "period=last month"
    )
    assert called["structuredContent"]["total"] > 0
    assert "prompts" in (await inspector.ask("prompts/list"))[0]
    assert "resources" in (await inspector.ask("resources/list"))[0]


@pytest.mark.parametrize("era", INSPECTED)
async def test_the_inspector_reads_the_handbook(household: RunningDaemon, era: str) -> None:
    """Without any credential, it searches it and reads what it found."""
    inspector = Inspector(f"{household.base_url}/mcp/docs", era)
    _, said = await inspector.ask("tools/list", "--strict")
    assert "inputSchema" not in said
    found, _ = await inspector.ask(
        "tools/call", "--tool-name", "search_docs", "--tool-arg", "query=safe to spend"
    )
    assert found["structuredContent"]["pages"]
    pages, _ = await inspector.ask("resources/list")
    page, _ = await inspector.ask("resources/read", "--uri", pages["resources"][0]["uri"])
    assert page["contents"][0]["text"]
    assert "prompts" in (await inspector.ask("prompts/list"))[0]


@pytest.mark.parametrize("era", ERAS)
async def test_the_client_for_typescript_is_let_in(
    tmp_path: Path, household_store: Path, era: Era
) -> None:
    """It meets a 401, finds and registers itself, a person allows it, and it calls a tool."""
    package("@modelcontextprotocol/client")
    # It looks at its own clock.
    async with (
        running_daemon(tmp_path, household_store, clock=lambda: datetime.now(UTC)) as site,
        browser(site) as ada,
    ):
        cookie = "; ".join(f"{each.name}={each.value}" for each in ada.cookies.jar)
        script = Path(__file__).with_name("typescript_client.mjs")
        status, told, wrong = await run(script, FOLDER, site.base_url, cookie, era)
        assert status == 0, wrong
        seen = json.loads(told)
        accounts = (await site.http.get("/api/v1/accounts")).json()
    assert seen["refused"]
    assert seen["version"] == ("2025-11-25" if era == "legacy" else era)
    assert seen["tools"] == list(TOOLS)
    assert not seen["isError"]
    assert seen["accounts"] == len(accounts)
