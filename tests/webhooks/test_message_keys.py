"""The keys that deliveries are signed with, over the months: published before they sign, and after."""

import asyncio
import json
from pathlib import Path

import pytest

from finplan.service.authorization.signing import SigningKeys
from finplan.service.webhooks.message_keys import MessageKeys
from finplan.store.sealing import Sealer
from finplan.store.store import Store
from tests.webhooks.desk import SEALER, HookDesk

HOUR = 60 * 60 * 1000
DAY = 24 * HOUR
BEGIN = 1_800_000_000_000
OTHER = Sealer(bytes([1]) * 32)


async def published(keys: MessageKeys, now: int, sealer: Sealer = SEALER) -> list[str]:
    """The names in the directory, which is asked for; all of it can be signed."""
    found = await keys.directory(sealer, now)
    names = [each["kid"] for each in json.loads(found.body)["keys"]]
    assert {each.kid for each in found.keys} <= set(names)
    return names


async def test_a_new_key_is_published_for_a_day_before_it_signs(desk: HookDesk) -> None:
    """Whoever kept the directory for a day knows each key that signs; the first signs at once."""
    keys = MessageKeys(desk.store)
    first = (await keys.signing_key(SEALER, BEGIN)).kid
    assert await published(keys, BEGIN) == [first]
    assert await published(keys, BEGIN + 90 * DAY - 1) == [first]
    both = await published(keys, BEGIN + 90 * DAY)
    (second,) = {*both} - {first}
    assert len(both) == 2
    assert (await keys.signing_key(SEALER, BEGIN + 91 * DAY - HOUR)).kid == first
    assert (await keys.signing_key(SEALER, BEGIN + 91 * DAY)).kid == second


async def test_a_former_key_stays_published_while_its_signatures_are_looked_at(
    desk: HookDesk,
) -> None:
    """A month after it signed its last it is gone, with the key that comes then."""
    keys = MessageKeys(desk.store)
    first = (await keys.signing_key(SEALER, BEGIN)).kid
    second = next(iter({*await published(keys, BEGIN + 90 * DAY)} - {first}))
    assert first in await published(keys, BEGIN + 179 * DAY)
    last = await published(keys, BEGIN + 180 * DAY)
    assert first not in last
    assert second in last


async def test_a_clock_that_was_ahead_loses_no_key_that_signs(desk: HookDesk) -> None:
    """Whatever its age then, it stays published, and what was made then counts as made afterwards."""
    keys = MessageKeys(desk.store)
    first = (await keys.signing_key(SEALER, BEGIN)).kid
    ahead = BEGIN + 200 * DAY
    assert (await keys.signing_key(SEALER, ahead)).kid == first
    second, other = await published(keys, ahead)
    assert other == first
    right = BEGIN + HOUR
    assert (await keys.signing_key(SEALER, right)).kid == first
    assert await published(keys, right) == [second, first]
    assert (await keys.signing_key(SEALER, right + DAY - 1)).kid == first
    assert (await MessageKeys(desk.store).signing_key(SEALER, right + DAY)).kid == second
    assert await published(keys, right + 90 * DAY - 1) == [second, first]
    assert len(await published(keys, right + 90 * DAY)) == 3


async def test_a_running_daemon_looks_again_when_its_clock_is_set_right(desk: HookDesk) -> None:
    """A look from a time to come is no look of this hour."""
    keys = MessageKeys(desk.store)
    ahead = (await keys.signing_key(SEALER, BEGIN + 200 * DAY)).kid
    await desk.store.write(lambda c: c.exec_driver_sql("DELETE FROM signing_key") and None)
    assert (await keys.signing_key(SEALER, BEGIN)).kid != ahead


async def test_keys_for_other_things_are_not_forgotten_with_them(desk: HookDesk) -> None:
    """Each that signs sweeps its own keys alone."""
    first = (await MessageKeys(desk.store).signing_key(SEALER, BEGIN)).kid
    tokens = SigningKeys(desk.store, "http://127.0.0.1")
    await tokens.signer(SEALER, BEGIN + HOUR)
    await tokens.signer(SEALER, BEGIN + 200 * DAY)
    rows = await desk.rows("SELECT kid, algorithm, created_at FROM signing_key")
    assert (first, "Ed25519", BEGIN) in [tuple(row) for row in rows]
    await MessageKeys(desk.store).signing_key(SEALER, BEGIN + 2 * HOUR)
    rows = await desk.rows("SELECT DISTINCT created_at FROM signing_key WHERE algorithm = 'ES256'")
    assert [row[0] for row in rows] == [BEGIN + 200 * DAY]
    await MessageKeys(desk.store).signing_key(SEALER, BEGIN + 400 * DAY)
    rows = await desk.rows("SELECT DISTINCT created_at FROM signing_key WHERE algorithm = 'ES256'")
    assert [row[0] for row in rows] == [BEGIN + 200 * DAY]


async def test_two_daemons_make_one_key(desk: HookDesk, tmp_path: Path) -> None:
    """Whoever is first makes it, and both sign with it."""
    other = Store.open(tmp_path / "finplan.db", tmp_path / "backups")
    rooms = [MessageKeys(store) for store in (desk.store, other) for _ in range(3)]
    found = await asyncio.gather(*(each.signing_key(SEALER, BEGIN) for each in rooms))
    assert len({each.kid for each in found}) == 1
    assert len(await published(rooms[0], BEGIN)) == 1
    other.close()


async def test_without_the_former_data_key_another_one_signs(desk: HookDesk) -> None:
    """What cannot be opened stays published, and signs nothing more."""
    first = (await MessageKeys(desk.store).signing_key(SEALER, BEGIN)).kid
    keys = MessageKeys(desk.store)
    second = (await keys.signing_key(OTHER, BEGIN + HOUR)).kid
    assert second != first
    assert {*await published(keys, BEGIN + HOUR, OTHER)} == {first, second}
    assert [each.kid for each in (await keys.directory(OTHER, BEGIN + HOUR)).keys] == [second]


async def test_the_private_half_is_sealed(desk: HookDesk) -> None:
    """Neither the directory nor the store has it."""
    key = await MessageKeys(desk.store).signing_key(SEALER, BEGIN)
    private = key.private.private_bytes_raw()
    ((sealed, public),) = await desk.rows("SELECT sealed, public FROM signing_key")
    assert private not in sealed
    assert set(json.loads(public)) == {"kty", "crv", "kid", "x", "use"}


@pytest.mark.parametrize("later", [HOUR - 1, HOUR])
async def test_which_key_signs_is_looked_up_each_hour(desk: HookDesk, later: int) -> None:
    """So a busy day asks the store two dozen times."""
    keys = MessageKeys(desk.store)
    await keys.signing_key(SEALER, BEGIN)
    await desk.store.write(lambda c: c.exec_driver_sql("DELETE FROM signing_key") and None)
    await keys.signing_key(SEALER, BEGIN + later)
    assert len(await desk.rows("SELECT no FROM signing_key")) == (later == HOUR)
