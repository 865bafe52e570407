"""What a daemon loads for agents it loads when the first of them comes."""

import subprocess
import sys
from pathlib import Path

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
