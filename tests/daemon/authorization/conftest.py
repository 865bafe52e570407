"""What the tests of who may do what share: a store with two people, and a daemon before a copy of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.daemon.authorization.household import Settled, settle_two
from tests.daemon.authorization.matrix import Two, unreachable_banks, unthrottled
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import running_daemon


@pytest.fixture(scope="session")
def settled(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Settled:
    """The two people in a store, made once for all of these tests; Ada owns the machine."""
    return _settle(tmp_path_factory.mktemp("two_people"), empty_store, ada_owns_the_machine=True)


@pytest.fixture(scope="session")
def settled_at_bobs(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Settled:
    """The same on a machine that Bob owns."""
    return _settle(tmp_path_factory.mktemp("at_bobs"), empty_store, ada_owns_the_machine=False)


def _settle(folder: Path, empty_store: Path, *, ada_owns_the_machine: bool) -> Settled:
    async def settle() -> Settled:
        async with running_daemon(folder, empty_store) as daemon:
            return await settle_two(
                daemon, folder / "finplan.db", ada_owns_the_machine=ada_owns_the_machine
            )

    return asyncio.run(settle())


@pytest.fixture
async def two(tmp_path: Path, settled: Settled) -> AsyncIterator[Two]:
    """A daemon before the two, whose local session is Bob's."""
    async with _serving(tmp_path, settled) as served:
        yield served


@pytest.fixture
async def two_at_bobs(tmp_path: Path, settled_at_bobs: Settled) -> AsyncIterator[Two]:
    """The same on a machine that Bob owns."""
    async with _serving(tmp_path, settled_at_bobs) as served:
        yield served


@asynccontextmanager
async def _serving(folder: Path, settled: Settled) -> AsyncIterator[Two]:
    async with (
        running_daemon(
            folder, settled.database, limiting=unthrottled(), aggregators=unreachable_banks()
        ) as daemon,
        stranger(daemon) as http,
    ):
        daemon.session.owner = settled.bob
        yield Two(daemon, settled, http)
