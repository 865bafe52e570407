"""What tests of the authorization server share."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from tests.daemon.oauth.visitor import Agent, Http, Program, browser, introduced, program, stranger
from tests.daemon.running import NOW, RunningDaemon, running_daemon


@pytest.fixture
def moment() -> list[datetime]:
    """The present instant; a test may set another one."""
    return [NOW]


@pytest.fixture
async def site(
    tmp_path: Path, empty_store: Path, moment: list[datetime]
) -> AsyncIterator[RunningDaemon]:
    """A daemon whose clock a test sets."""
    async with running_daemon(tmp_path, empty_store, clock=lambda: moment[0]) as running:
        yield running


@pytest.fixture
async def http(site: RunningDaemon) -> AsyncIterator[Http]:
    """A program without any credential."""
    async with stranger(site) as client:
        yield client


@pytest.fixture
async def ada(site: RunningDaemon) -> AsyncIterator[Http]:
    """The owner's browser."""
    async with browser(site) as client:
        yield client


@pytest.fixture
async def reader(http: Http) -> Program:
    """A public program that has registered itself."""
    return await program(http)


@pytest.fixture
async def agent(http: Http) -> Agent:
    """An agent that has come without an account."""
    return await introduced(http)
