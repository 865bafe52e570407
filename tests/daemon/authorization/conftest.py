"""What the tests of who may do what share: a store with two people, and a daemon before a copy of it."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.daemon.authorization.household import Settled, settle_two
from tests.daemon.authorization.matrix import Two, unreachable_banks, unthrottled
from tests.daemon.running import running_daemon
from tests.patience import LONG_ENOUGH


@pytest.fixture(scope="session")
def settled(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Settled:
    """The two people in a store, made once for all of these tests."""
    folder = tmp_path_factory.mktemp("two_people")

    async def settle() -> Settled:
        async with running_daemon(folder, empty_store) as daemon:
            bob, ids, secrets = await settle_two(daemon)
        return Settled(folder / "finplan.db", bob, ids, secrets)

    return asyncio.run(settle())


@pytest.fixture
async def two(tmp_path: Path, settled: Settled) -> AsyncIterator[Two]:
    """A daemon before the two, whose local session is Bob's."""
    folder = tmp_path / "two"
    folder.mkdir()
    async with (
        running_daemon(
            folder, settled.database, limiting=unthrottled(), aggregators=unreachable_banks()
        ) as daemon,
        httpx.AsyncClient(
            base_url=daemon.base_url, trust_env=False, verify=False, timeout=LONG_ENOUGH
        ) as http,
    ):
        daemon.session.owner = settled.bob
        yield Two(daemon, settled, http)
