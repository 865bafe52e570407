"""What tests of the whole screen share: a daemon behind a real socket, the program before it."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from finplan.banks.base import Link, SyncPage
from finplan.banks.demo.bank import Demo
from tests.daemon.running import RunningDaemon, running_daemon, settle_household
from tests.golden_files import Golden, kept_in
from tests.tui.opening import Opened, open_screens


class TheSameHousehold(Demo):
    """The demo bank with one household for whoever asks, which its pictures are kept of."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        return await super().sync(replace(link, owner="usr_kept"), cursor, today)


@pytest.fixture(scope="session")
def household_store(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with the same demo household each time, and its plan."""
    database = tmp_path_factory.mktemp("screens") / "finplan.db"
    shutil.copy(empty_store, database)
    asyncio.run(settle_household(database, TheSameHousehold()))
    return database


@pytest.fixture
async def household(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon with the demo household and its plan, on a day that stands."""
    folder = tmp_path / "household"
    folder.mkdir()
    async with running_daemon(folder, household_store) as running:
        yield running


@pytest.fixture
async def screens(household: RunningDaemon) -> AsyncIterator[Opened]:
    """The program before the demo household, on a small terminal."""
    async with open_screens(household) as opened:
        yield opened


@pytest.fixture
async def newcomers(daemon: RunningDaemon) -> AsyncIterator[Opened]:
    """The program before a household that has nothing yet."""
    async with open_screens(daemon) as opened:
        yield opened


@pytest.fixture
def golden() -> Golden:
    """Compare a screen with its kept picture."""
    return kept_in("tui", "svg")


@pytest.fixture
def drawings() -> Golden:
    """Compare what is drawn with its kept text."""
    return kept_in("tui/drawn")
