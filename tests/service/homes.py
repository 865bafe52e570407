"""Homes for tests of moving: one of whom everything is known, and an empty one elsewhere."""

from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile

import pytest

from finplan.banks.base import Manual
from finplan.banks.demo.bank import Demo
from finplan.service.context import Caller, Context
from finplan.service.people import ensure_owner
from finplan.store.store import Store
from tests.service.conftest import NOW, fill, grown, importer, live_in
from tests.service.rich_household import furnish


@pytest.fixture
async def elsewhere(tmp_path: Path, empty_store: Path) -> AsyncIterator[Context]:
    """Another machine, with an empty store."""
    copyfile(empty_store, tmp_path / "other.db")
    store = Store.open(tmp_path / "other.db", tmp_path / "backups")
    caller = Caller(await ensure_owner(store, "bob", 0), frozenset({"read", "write"}), "session")
    yield Context(caller, store, {"demo": Demo(), "manual": Manual()}, lambda: NOW)
    store.close()


@pytest.fixture(scope="module")
def rich_home(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with everything that an export carries along."""
    folder = tmp_path_factory.mktemp("rich")

    async def live(context: Context) -> None:
        await live_in(context, "USD")
        await furnish(context, importer(context, folder))

    return grown(empty_store, folder, live)


@pytest.fixture
def rich(context: Context, rich_home: Path) -> Context:
    """A person of whom everything is known that an export carries along."""
    fill(context.store, rich_home)
    return context
