"""What tests of the daemon share."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from finplan.settings import Settings
from tests.daemon.notebook import ROWS, Notebook
from tests.daemon.ports import own_profile
from tests.daemon.running import NOW, RunningDaemon, running_daemon

Jump = Callable[[float], None]


@pytest.fixture
async def household(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon with the demo household and its plan."""
    async with running_daemon(tmp_path / "household", household_store) as running:
        yield running


@pytest.fixture
def notebook() -> Notebook:
    """Who performs the operations of `notes`."""
    return Notebook()


@pytest.fixture
def clock() -> list[datetime]:
    """The one instant that it is for `notes`; a test may set another one."""
    return [NOW]


@pytest.fixture
async def notes(
    tmp_path: Path, empty_store: Path, notebook: Notebook, clock: list[datetime]
) -> AsyncIterator[RunningDaemon]:
    """A daemon whose operations are a notebook's."""
    async with running_daemon(
        tmp_path, empty_store, operations=ROWS, perform=notebook.perform, clock=lambda: clock[0]
    ) as running:
        yield running


@pytest.fixture
async def jump(monkeypatch: pytest.MonkeyPatch) -> Jump:
    """Sets the loop's clock forward, so that what is due by then happens at once."""
    loop = asyncio.get_running_loop()
    time, passed = loop.time, 0.0

    def forward(seconds: float) -> None:
        nonlocal passed
        passed += seconds

    monkeypatch.setattr(loop, "time", lambda: time() + passed)
    return forward


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A profile of its own that keeps a free port; its daemon is stopped if the test has not."""
    with own_profile(tmp_path, monkeypatch) as made:
        yield made
