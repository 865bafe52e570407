"""The data key made anew: everything opens, at every moment under what the file has."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import LargeBinary

from finplan import data_key as keys
from finplan.data_key import HeldKeys, changing, data_key
from finplan.model.base import Nothing
from finplan.model.errors import Conflict, Forbidden, StorageFull
from finplan.service.context import Context
from finplan.service.credentials.data_key import finish_rotation, rotate_data_key, show_data_key
from finplan.service.people import new_person
from finplan.store.queries import people
from finplan.store.sealing import SEALED as SEALED_COLUMNS, FollowingSealer, Sealer
from finplan.store.store import Store
from finplan.store.tables import tables
from tests.patience import LONG_ENOUGH
from tests.service import sealed_home


@pytest.fixture
async def home(tmp_path: Path, empty_store: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    await sealed_home.make_home(folder, empty_store)
    return folder


def test_all_that_is_sealed_is_known() -> None:
    """Every column of bytes is sealed anew: one that is forgotten would be lost with the former key."""
    columns = {
        f"{table.name}.{column.name}"
        for table in tables.METADATA.tables.values()
        for column in table.columns
        if isinstance(column.type, LargeBinary)
    }
    assert columns == {f"{each.table.name}.{each.column}" for each in SEALED_COLUMNS}


async def test_everything_is_sealed_anew(home: Path) -> None:
    """No sealed bytes are as they were, and all open under the new key and under no other."""
    former = data_key(home / "data_key.json", {})
    before = sealed_home.sealed_bytes(home)
    assert len(before) == sealed_home.SEALED
    done = await sealed_home.rotated(home)

    assert (done.sealed, done.closed) == (sealed_home.SEALED, 0)
    assert data_key(home / "data_key.json", {}) != former
    assert sealed_home.sealed_bytes(home).isdisjoint(before)
    assert [each.opens for each in await sealed_home.things(home)] == [True] * sealed_home.SEALED
    assert [each.opens for each in await sealed_home.things(home, Sealer(former))] == [
        False
    ] * sealed_home.SEALED
    assert not keys.is_rotation_unfinished(home / "data_key.json")


@pytest.mark.thorough
async def test_killed_at_any_step_everything_opens(home: Path, tmp_path: Path) -> None:
    """What the file has opens everything, whenever the process ended; the next start goes on."""
    folder = tmp_path / "killed"
    folder.mkdir()
    killing = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.service.dying_rotation", str(home), str(folder)),
        cwd=Path(__file__).parents[2],
    )
    assert await asyncio.wait_for(killing.wait(), LONG_ENOUGH) == 0
    steps = sorted(folder.iterdir())
    former = data_key(home / "data_key.json", {})
    seen = set()
    for step in steps:
        file = step / "data_key.json"
        held = FollowingSealer(b"", HeldKeys(file, {}))
        found = await sealed_home.things(step, held)
        assert [each.opens for each in found] == [True] * sealed_home.SEALED, step
        under_former = [each.opens for each in await sealed_home.things(step, Sealer(former))]
        seen.add((keys.is_rotation_unfinished(file), all(under_former)))
        # All in one transaction: nothing is half under one key and half under the other.
        assert len(set(under_former)) == 1, step
        store = Store.open(step / "finplan.db", step / "backups")
        await finish_rotation(store, file)
        store.close()
        assert not keys.is_rotation_unfinished(file)
        assert [each.opens for each in await sealed_home.things(step)] == [
            True
        ] * sealed_home.SEALED, step
    # Before it, between the file and the store, between the store and the file, and at the end.
    assert seen == {(False, True), (True, True), (True, False), (False, False)}
    assert len(steps) > 20


SEAL = "UPDATE connection SET secret = ? WHERE id = 'con_1'"


async def test_what_is_sealed_meanwhile_is_not_lost(home: Path) -> None:
    """Whoever seals within a write comes before, and is sealed anew, or after, and has the new key."""
    file = home / "data_key.json"
    store = Store.open(home / "finplan.db", home / "backups")
    context = await sealed_home.owners_context(store, home)
    sealer = FollowingSealer(data_key(file, {}), HeldKeys(file, {}))
    sealer.keys()

    async def seal(number: int) -> None:
        def write(connection: object) -> None:
            sealed = sealer.seal(str(number).encode(), b"bank access con_1")
            connection.exec_driver_sql(SEAL, (sealed,))  # type: ignore[attr-defined]

        await store.write(write)

    await asyncio.gather(
        *(seal(number) for number in range(40)),
        rotate_data_key(context, Nothing()),
        *(seal(number) for number in range(40, 80)),
    )
    # This sealer held the former key, and nobody told it of the new one.
    await seal(80)
    shown = await show_data_key(context, Nothing())
    store.close()
    assert [each.closed for each in shown.sealed] == [0] * len(shown.sealed)


async def test_one_makes_it_anew_at_a_time(home: Path) -> None:
    """The second is told so, and its key is none; afterwards it may."""
    store = Store.open(home / "finplan.db", home / "backups")
    context = await sealed_home.owners_context(store, home)
    with changing(home / "data_key.json"), pytest.raises(Conflict, match="Another process"):
        await rotate_data_key(context, Nothing())
    await rotate_data_key(context, Nothing())
    await rotate_data_key(context, Nothing())
    store.close()
    assert [each.opens for each in await sealed_home.things(home)] == [True] * sealed_home.SEALED


async def test_a_full_disk_leaves_both_keys(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be sealed anew opens under the former key, until there is room."""
    store = Store.open(home / "finplan.db", home / "backups")
    context = await sealed_home.owners_context(store, home)

    async def full(*_given: object, **_more: object) -> None:
        raise StorageFull("no room")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", full)
        with pytest.raises(StorageFull):
            await rotate_data_key(context, Nothing())
    shown = await show_data_key(context, Nothing())
    assert shown.unfinished
    assert sum(each.count for each in shown.sealed) == sealed_home.SEALED
    assert [each.closed for each in shown.sealed] == [0] * len(shown.sealed)

    done = await rotate_data_key(context, Nothing())
    after = await show_data_key(context, Nothing())
    store.close()
    assert (done.sealed, after.unfinished) == (sealed_home.SEALED, False)


async def test_what_opened_no_more_before_stays_as_it_is(home: Path) -> None:
    """It is counted and named, by its person's name for it; everything else goes on."""
    file = home / "data_key.json"
    store = Store.open(home / "finplan.db", home / "backups")
    context = await sealed_home.owners_context(store, home)
    strange = Sealer(bytes(32)).seal(b"x", b"bank access con_1")
    await store.write(lambda c: c.exec_driver_sql(SEAL, (strange,)))
    done = await rotate_data_key(context, Nothing())
    shown = await show_data_key(context, Nothing())
    store.close()

    assert (done.sealed, done.closed) == (sealed_home.SEALED - 1, 1)
    assert [(each.kind, each.closed, each.lost) for each in shown.sealed if each.closed] == [
        ("bank_access", 1, ("Harbour",))
    ]
    assert strange in sealed_home.sealed_bytes(home)
    assert not keys.is_rotation_unfinished(file)


async def test_only_the_owner_of_the_machine_may(home: Path) -> None:
    """The key is everybody's; who was invited neither sees where it is nor makes it anew."""
    store = Store.open(home / "finplan.db", home / "backups")
    context = await sealed_home.owners_context(store, home)
    other = await store.write(
        lambda c: people.add_person(c, new_person("bo@example.org", None, "UTC", 1))
    )
    bos: Context = replace(context, caller=replace(context.caller, owner=other))
    for ask in (show_data_key, rotate_data_key):
        with pytest.raises(Forbidden, match="owner"):
            await ask(bos, Nothing())
    store.close()
