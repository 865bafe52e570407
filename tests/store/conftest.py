"""A new store in a temporary folder, with one person in it."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest
from sqlalchemy import Connection

from finplan.store.queries import people
from finplan.store.store import Store


@pytest.fixture
def store(tmp_path: Path, empty_store: Path) -> Iterator[Store]:
    copy(empty_store, tmp_path / "finplan.db")
    opened = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    yield opened
    opened.close()


@pytest.fixture
async def owner(store: Store) -> int:
    def add(connection: Connection) -> int:
        values = {"id": "usr_1", "email": "a@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    return await store.write(add)
