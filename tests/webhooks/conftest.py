"""What tests of webhooks share: an authority, a receiver, and a person with a store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from finplan.store.store import Store
from finplan.webhooks import courier, sending
from tests.patience import LONG_ENOUGH
from tests.store_copies import copy_store
from tests.webhooks.desk import NEVER, HookDesk, Names, StandingClock, desk_of
from tests.webhooks.receiver import HOST, Authority, Receiver, make_authority, receiving


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"), HOST, "127.0.0.1", "other.test")


@pytest.fixture
async def receiver(authority: Authority) -> AsyncIterator[Receiver]:
    async with receiving(authority) as running:
        yield running


@pytest.fixture
async def desk(
    tmp_path: Path, empty_store: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[HookDesk]:
    monkeypatch.setattr(courier, "LOOKS_AGAIN", NEVER)
    # What is slow only because the machine is busy is given up by no clock on the wall.
    for limit in ("TIMEOUT", "CONNECTS_WITHIN", "LOOKED_UP_WITHIN"):
        monkeypatch.setattr(sending, limit, LONG_ENOUGH)
    copy_store(empty_store, tmp_path / "finplan.db")
    store = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    yield await desk_of(store, StandingClock(), Names(), authority.authorities)
    store.close()
