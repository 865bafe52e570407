"""What is told as it happens is told to the person whom it is about, and to nobody else."""

import asyncio
import re

import pytest
from mcp.client.subscriptions import ResourceUpdated

from finplan.daemon.surfaces import asgi
from finplan.daemon.surfaces.mcp import resources
from finplan.daemon.surfaces.mcp.resources import CATEGORIES, PLAN
from finplan.daemon.surfaces.mcp.tools.tool import state_of_caller
from finplan.service.context import Context
from finplan.store.derived import State
from tests.daemon.authorization.answers import leaks
from tests.daemon.authorization.callers import GUEST, OTHERS, CallerKind
from tests.daemon.authorization.household import API
from tests.daemon.authorization.matrix import Two
from tests.daemon.authorization.requests import Request
from tests.daemon.authorization.test_tools import speaking
from tests.patience import LONG_ENOUGH

PROGRAMS = [*OTHERS[2:5], GUEST]


async def _build(two: Two, key: dict[str, str]) -> str:
    """Build a plan as it is told; answers the id of the build."""
    told = await two.http.post(f"{API}/plan/build", json={}, headers=key)
    found = re.search(r'"id":"(bld_\w+)"', told.text)
    assert found is not None, told.text
    return found[1]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("caller", PROGRAMS, ids=lambda caller: caller.name)
async def test_a_build_is_told_to_its_person(two: Two, caller: CallerKind) -> None:
    """Who builds while Ada builds is told of their own build, and her event is no event of theirs."""
    hers = {"x-api-key": two.settled.secrets["her key"]}
    hers_id, mine = await asyncio.gather(
        _build(two, hers), two.ask(caller, Request("POST", f"{API}/plan/build", {"json": {}}))
    )
    assert "event: done" in mine.text
    assert hers_id not in mine.text
    assert not [*leaks(mine, two.settled.ids, frozenset())]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("caller", PROGRAMS, ids=lambda caller: caller.name)
async def test_a_change_is_told_to_its_person(
    two: Two, caller: CallerKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who listens to their plan hears of their own change first, whatever changes for Ada before it."""
    monkeypatch.setattr(resources, "LOOKED_EVERY", 0.01)
    monkeypatch.setattr(asgi, "CHECKED_EVERY", 0.01)
    looks: asyncio.Queue[int] = asyncio.Queue()

    async def note(context: Context) -> State:
        looks.put_nowait(context.caller.owner)
        return await state_of_caller(context)

    monkeypatch.setattr(f"{resources.__name__}.state_of_caller", note)
    async with (
        speaking(two, caller) as client,
        client.listen(resource_subscriptions=[PLAN, CATEGORIES]) as heard,
    ):
        hers = {"x-api-key": two.settled.secrets["her key"]}
        silent = asyncio.ensure_future(anext(heard))
        for changes in ({"monthly": 123_400}, {"monthly": 234_500}):
            changed = await two.http.put(f"{API}/snapshot/income", json=changes, headers=hers)
            assert changed.status_code == 200, changed.text
            while not looks.empty():
                looks.get_nowait()
            for _ in range(3):
                await asyncio.wait_for(looks.get(), LONG_ENOUGH)
            assert not silent.done()
        mine = {"json": {"monthly": 345_600}}
        assert (await two.ask(caller, Request("PUT", f"{API}/snapshot/income", mine))).is_success
        told = await asyncio.wait_for(silent, LONG_ENOUGH)
        assert isinstance(told, ResourceUpdated)


async def test_a_webhook_is_told_of_its_person(two: Two) -> None:
    """What happens to Ada is written for her webhook alone, and Bob's for his."""
    deliveries = "SELECT owner_no, webhook_no, body FROM webhook_delivery ORDER BY no"

    async def written() -> list[tuple[int, int, str]]:
        found = await two.daemon.store.read(lambda c: c.exec_driver_sql(deliveries).all())
        return [(row[0], row[1], str(row[2])) for row in found]

    owners = "SELECT no, owner_no FROM webhook"
    of = dict(await two.daemon.store.read(lambda c: [tuple(r) for r in c.exec_driver_sql(owners)]))
    for owner, secret in ((two.settled.ada, "her key"), (two.settled.bob, "his key")):
        before = len(await written())
        await _build(two, {"x-api-key": two.settled.secrets[secret]})
        new = (await written())[before:]
        assert new
        assert {(each[0], of[each[1]]) for each in new} == {(owner, owner)}


async def test_what_came_once_is_replayed_to_its_person(two: Two) -> None:
    """Another's Idempotency-Key is as one that was never sent."""
    once = {"Idempotency-Key": "one and the same"}
    body = {"name": "Sailing", "line": "discretionary"}
    hers = {"x-api-key": two.settled.secrets["her key"], **once}
    first = await two.http.post(f"{API}/categories", json=body, headers=hers)
    again = await two.http.post(f"{API}/categories", json=body, headers=hers)
    assert again.headers["Idempotent-Replayed"] == "true"
    for caller in OTHERS[:1]:
        other = {"json": {**body, "line": "essential"}, "headers": once}
        mine = await two.ask(caller, Request("POST", f"{API}/categories", other))
        assert mine.status_code == 201, mine.text
        assert "Idempotent-Replayed" not in mine.headers
        assert first.json()["category"]["category"] not in mine.text
