"""What a daemon loads for agents it loads when the first of them comes."""

import asyncio
import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from finplan.daemon.surfaces.mcp import mount
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

_SERVED = """
import asyncio, sys
from pathlib import Path
from tests.daemon.running import running_daemon

async def serve():
    async with running_daemon(Path(sys.argv[1]), Path(sys.argv[2])) as daemon:
        for path in ("/api/v1/me", "/health", "/mcp/server-card", "/.well-known/ai-catalog.json"):
            assert (await daemon.http.get(path)).status_code == 200, path
        print("mcp" in sys.modules)
        await daemon.http.post("/mcp/docs", json={})
        print("mcp" in sys.modules)

asyncio.run(serve())
"""


@pytest.mark.thorough
def test_the_sdk_is_loaded_when_first_asked(tmp_path: Path, empty_store: Path) -> None:
    """Neither REST nor the cards of the servers load the SDK of MCP; the first request to one does."""
    done = subprocess.run(
        [sys.executable, "-c", _SERVED, str(tmp_path), str(empty_store)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.split() == ["False", "True"]


async def test_others_are_answered_while_it_is_loaded(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes first waits for the SDK, however long that takes, and nobody else does."""
    begun, may_go_on = asyncio.Event(), Event()
    loop = asyncio.get_running_loop()

    def load(_module: str) -> None:
        loop.call_soon_threadsafe(begun.set)
        assert may_go_on.wait(LONG_ENOUGH)

    monkeypatch.setattr(mount, "import_module", load)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"accept": "application/json, text/event-stream"}
    first = [
        asyncio.create_task(household.http.post("/mcp/docs", json=asked, headers=accepts))
        for _ in range(2)
    ]
    await asyncio.wait_for(begun.wait(), LONG_ENOUGH)
    assert (await household.http.get("/health")).status_code == 200
    assert not any(each.done() for each in first)
    may_go_on.set()
    assert [(await each).status_code for each in first] == [200, 200]
