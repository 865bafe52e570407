"""What tests of several rooms share; a room that needs no daemon does not load one."""

import asyncio
import gc
import os
import shutil
from collections.abc import AsyncIterator, Generator, Iterator
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

from tests.sampling import begin_with_the_slow, leave_to_the_thorough

if TYPE_CHECKING:
    from tests.daemon.running import RunningDaemon


# Daemons of tests keep nothing in the keyring of whoever runs the tests.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.null.Keyring"

# Whose demo household the tests meet. In CI it is always the same one, so that what fails there fails
# again; elsewhere each run meets another, and says which. The processes of a run inherit it.
os.environ.setdefault("HOUSEHOLD", f"usr_{'0' * 24 if 'CI' in os.environ else token_hex(12)}")

# No example fails for the time that it takes, which says more of the machine than of the example.
settings.register_profile(
    "anywhere",
    settings.default,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=50,
)
# `pytest --hypothesis-profile thorough -m hypothesis` looks at twenty times as many.
settings.register_profile("thorough", settings.get_profile("anywhere"), max_examples=1000)
settings.load_profile("anywhere")


def pytest_report_header() -> str:
    """Say how the household of this run is met again."""
    return f"HOUSEHOLD={os.environ['HOUSEHOLD']}"


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector off the reading of tests, nearly all of which stays.

    It looked through millions of nodes of syntax again and again, which took two fifths of that time.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of some tests to `make test-slow`, which begins with what takes longest."""
    leave_to_the_thorough(items)
    begin_with_the_slow(items)


def pytest_collection_finish() -> None:
    """Keep the garbage collector off the thousands of tests, as the daemon keeps it off its modules."""
    gc.collect()
    gc.freeze()
    # What the tests themselves leave is little, and to look for it often takes a tenth of their time.
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def no_settings_from_outside() -> Iterator[None]:
    """What whoever runs the tests has set for their own finplan, or for the samples, is not seen."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("FINPLAN_")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """Stores within the tests' own processes do not wait until the disk has what is written.

    That only tells after the power has failed, which no test does; daemons that are killed are
    processes of their own, and wait as everybody's.
    """
    from finplan.store import engine

    sparing = tuple(
        each.replace("synchronous = FULL", "synchronous = OFF") for each in engine.PRAGMAS
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "PRAGMAS", sparing)
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield


class StatementsOfAllStores(dict[tuple[Any, ...], Any]):
    """The SQL of each statement, whichever store asks for it.

    SQLAlchemy asks by the dialect, which each engine has one of, and by the statement; all stores are
    SQLite's, so the first does not matter.
    """

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[Any, ...], compiled: Any) -> None:
        super().__setitem__(key[1:], compiled)


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """The SQL of a statement is made once for all stores within the tests' own processes.

    A store keeps it for itself, and a third of a short test's time went into making it anew.
    """
    from sqlalchemy import create_engine

    from finplan.store import engine

    compiled = StatementsOfAllStores()

    def create_with_the_shared(*parts: Any, **options: Any) -> Any:
        own = options.pop("execution_options", {})
        return create_engine(
            *parts, execution_options={"compiled_cache": compiled, **own}, **options
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "create_engine", create_with_the_shared)
        yield


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a store in which nothing has happened, migrated once for all tests."""
    from finplan.store.store import Store

    folder = tmp_path_factory.mktemp("store")
    Store.open(folder / "finplan.db", folder / "backups").close()
    return folder / "finplan.db"


@pytest.fixture(scope="session")
def household_store(tmp_path_factory: pytest.TempPathFactory, empty_store: Path) -> Path:
    """The file of a store with the demo household and a plan."""
    from tests.daemon.running import settle_household

    database = tmp_path_factory.mktemp("household") / "finplan.db"
    shutil.copy(empty_store, database)
    asyncio.run(settle_household(database))
    return database


@pytest.fixture
async def daemon(tmp_path: Path, empty_store: Path) -> AsyncIterator["RunningDaemon"]:
    """A daemon with every operation and an empty store of its own."""
    from tests.daemon.running import running_daemon

    async with running_daemon(tmp_path, empty_store) as running:
        yield running
