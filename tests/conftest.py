"""What tests of several rooms share; a room that needs no daemon does not load one."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.daemon.running import RunningDaemon


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store in which nothing has happened, migrated once for all tests."""
    from finplan.store.engine import Store

    folder = tmp_path_factory.mktemp("store")
    Store.open(folder / "finplan.db", folder / "backups").close()
    return folder / "finplan.db"


@pytest.fixture
async def daemon(tmp_path: Path, empty_store: Path) -> AsyncIterator["RunningDaemon"]:
    """A daemon with every operation and an empty store of its own."""
    from tests.daemon.running import running_daemon

    async with running_daemon(tmp_path, empty_store) as running:
        yield running
