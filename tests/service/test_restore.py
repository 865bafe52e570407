"""Restoring: an export of a household gives a home without accounts the same household."""

from collections.abc import AsyncIterator
from pathlib import Path
from shutil import copyfile

import pytest

from finplan.banks.demo import Demo
from finplan.banks.manual import Manual
from finplan.service.context import Caller, Context
from finplan.service.people.people import ensure_owner
from finplan.store.store import Store
from tests.service.conftest import NOW
from tests.service.household_answers import answers, exported, taken
from tests.service.rich_household import Import, furnish


@pytest.fixture
async def elsewhere(tmp_path: Path, empty_store: Path) -> AsyncIterator[Context]:
    """Another machine, with an empty store."""
    copyfile(empty_store, tmp_path / "other.db")
    store = Store.open(tmp_path / "other.db", tmp_path / "backups")
    caller = Caller(await ensure_owner(store, "bob", 0), frozenset({"read", "write"}), "session")
    yield Context(caller, store, {"demo": Demo(), "manual": Manual()}, lambda: NOW)
    store.close()


@pytest.fixture
async def rich(context: Context, import_texts: Import) -> Context:
    """A person of whom everything is known that an export carries along."""
    await furnish(context, import_texts)
    return context


@pytest.mark.usefixtures("demo")
async def test_the_demo_household_is_restored(
    context: Context, elsewhere: Context, tmp_path: Path
) -> None:
    """The whole made-up household answers the same in an empty home."""
    await taken(elsewhere, tmp_path / "home.json", await exported(context))
    here, there = await answers(context), await answers(elsewhere)
    for name, value in here.items():
        assert there[name] == value, name


async def test_everything_said_is_restored(
    rich: Context, elsewhere: Context, tmp_path: Path
) -> None:
    """Rules, own categories, answers, decisions, corrections and settings answer the same."""
    report = await taken(elsewhere, tmp_path / "home.json", await exported(rich))
    here, there = await answers(rich), await answers(elsewhere)
    for name, value in here.items():
        assert there[name] == value, name
    print(report.files[0].restored)
