"""The protocol's own conformance suite: our transport is as good as the SDK's own, in both eras."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.daemon.mcp.conformance.hosts import (
    daemon_showing_a_key,
    everything_on_the_daemon,
    everything_on_uvicorn,
    package,
    run,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.judged,
    # The suite asks for what the protocol has deprecated, too.
    pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:websockets"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning:uvicorn"),
]

REVISIONS = ("2025-11-25", "2026-07-28")

Check = tuple[str, str, str]
"""A scenario, one of its checks, and what became of it: SUCCESS, FAILURE, ABSENT and the like."""

OF_ANY_SERVER = {
    "2025-11-25": (
        "server-initialize",
        "ping",
        "tools-list",
        "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "tools-list",
        "dns-rebinding-protection",
        "caching",
        "server-stateless",
        "http-header-validation",
    ),
}
"""What the suite asks of any server with tools, whatever they are."""

BESIDES = {
    ("/mcp", "2025-11-25"): ("server-session-lifecycle",),
    ("/mcp", "2026-07-28"): (),
    ("/mcp/docs", "2025-11-25"): ("resources-list",),
    ("/mcp/docs", "2026-07-28"): ("resources-list", "sep-2164-resource-not-found"),
}
"""What it asks besides of one that has sessions, and of one that has resources."""


async def asked(url: str, folder: Path, *options: str) -> tuple[int, Counter[Check]]:
    """Have a server asked; the status of the suite, and how often each check ended how."""
    suite = package("@modelcontextprotocol/conformance") / "dist" / "index.js"
    status, told, wrong = await run(suite, "server", "--url", url, "-o", folder, *options)
    found = _read(folder)
    assert found, (told, wrong)
    return status, found


def _read(folder: Path) -> Counter[Check]:
    """The results as the suite has written them, a folder for each scenario."""
    return Counter(
        (path.parent.name.partition("-20")[0], check["id"], _became(check))
        for path in folder.glob("server-*/checks.json")
        for check in json.loads(path.read_text())
    )


def _became(check: dict[str, Any]) -> str:
    """What became of a check; the suite fails a server too for what it does not have to be asked."""
    told = json.dumps([check.get("errorMessage"), check.get("details")])
    return "ABSENT" if '"untestable": true' in told or "-32601" in told else check["status"]


def failed(found: Counter[Check]) -> Counter[Check]:
    return Counter({check: times for check, times in found.items() if check[2] == "FAILURE"})


@pytest.mark.parametrize("revision", REVISIONS)
async def test_our_transport_is_as_good_as_the_sdk_s(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch, revision: str
) -> None:
    """The same server passes every required scenario, and each check goes as behind the SDK's host."""
    required = ("--requirements", revision)
    async with everything_on_uvicorn() as url:
        _, theirs = await asked(url, tmp_path / "theirs", *required)
    async with everything_on_the_daemon(tmp_path, empty_store, monkeypatch) as url:
        status, ours = await asked(url, tmp_path / "ours", *required)
    assert status == 0
    assert not failed(ours) - failed(theirs)
    assert not {check for check in theirs if check[2] == "SUCCESS"} - set(ours)


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/docs"])
async def test_our_servers_pass_what_is_asked_of_any(
    tmp_path: Path, household_store: Path, monkeypatch: pytest.MonkeyPatch, path: str, revision: str
) -> None:
    """The product's server, with a credential, and the handbook's, without one."""
    scenarios = OF_ANY_SERVER[revision] + BESIDES[path, revision]
    async with daemon_showing_a_key(tmp_path, household_store, monkeypatch) as daemon:
        for scenario in scenarios:
            which = ("--scenario", scenario, "--spec-version", revision)
            _, found = await asked(
                f"{daemon.base_url}{path}", tmp_path / f"{scenario}-asked", *which
            )
            assert not failed(found)
            assert any(became == "SUCCESS" for _, _, became in found), found
