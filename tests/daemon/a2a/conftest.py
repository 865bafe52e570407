"""A demo household that is the same in every run, whoever it is made for."""

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

_WHOSE = "usr_2kxp26jc6r9brxg8yejcy8x6"
"""Whose household it is: questions name its shops."""


class OneHousehold(Demo):
    """The demo bank of one owner alone."""

    async def sync(self, link: Link, cursor: str | None, today: date) -> SyncPage:
        """Answer as it does for that owner."""
        return await super().sync(replace(link, owner=_WHOSE), cursor, today)


@pytest.fixture(scope="session")
def known_household_store(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with that household."""
    database = tmp_path_factory.mktemp("known") / "finplan.db"
    shutil.copy(empty_store, database)
    asyncio.run(settle_household(database, OneHousehold()))
    return database


@pytest.fixture
async def known_household(
    tmp_path: Path, known_household_store: Path
) -> AsyncIterator[RunningDaemon]:
    """A daemon with that household."""
    async with running_daemon(tmp_path, known_household_store) as running:
        yield running
