"""Clients are told that the plan has changed, by a real client in both eras of the protocol."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client.subscriptions import ResourceUpdated, Subscription, SubscriptionLost
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceUpdatedNotification

from finplan.daemon.surfaces import asgi
from finplan.daemon.surfaces.mcp import resources
from finplan.daemon.surfaces.mcp.resources import CATEGORIES, PLAN
from tests.daemon.mcp.connected import FOR_MCP, INITIALIZE, connected, new_key
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH

# What a newer era has taken away is served to the clients of an older one all the same.
pytestmark = pytest.mark.filterwarnings(
    "ignore:resources/:mcp.shared.exceptions.MCPDeprecationWarning"
)


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is looked often, so that nobody waits."""
    monkeypatch.setattr(resources, "LOOKED_EVERY", 0.01)
    monkeypatch.setattr(asgi, "CHECKED_EVERY", 0.01)


class Told:
    """What a client of the older era is told beside what it asked."""

    def __init__(self) -> None:
        self.uris: asyncio.Queue[str] = asyncio.Queue()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            self.uris.put_nowait(message.params.uri)

    async def next(self) -> str:
        return await asyncio.wait_for(self.uris.get(), LONG_ENOUGH)


async def change(running: RunningDaemon) -> None:
    answer = await running.http.put("/api/v1/snapshot/income", json={"monthly": 123_400})
    assert answer.status_code == 200, answer.text


async def build(running: RunningDaemon) -> None:
    assert (await running.http.post("/api/v1/plan", json={})).is_success


async def next_of(listening: Subscription) -> object:
    return await asyncio.wait_for(anext(listening), LONG_ENOUGH)


async def test_a_stream_tells_of_each_change(household: RunningDaemon) -> None:
    """Since 2026-07-28: a change and a build are told, each once, and nothing that never changes."""
    page = f"{household.base_url}/api/docs/plan.md"
    async with connected(household) as client:
        asked = [PLAN, page, "finplan://nothing"]
        async with client.listen(resource_subscriptions=asked, tools_list_changed=True) as heard:
            assert heard.honored.resource_subscriptions == [PLAN]
            assert not heard.honored.tools_list_changed
            for happens in (change, build):
                await happens(household)
                assert await next_of(heard) == ResourceUpdated(PLAN)
            # Reading the plan, as whoever is told does, is no change of it.
            assert PLAN in str((await client.read_resource(PLAN)).contents)
            silent = asyncio.ensure_future(anext(heard))
            await client.read_resource(PLAN)
            assert not silent.done()
            silent.cancel()


@pytest.mark.thorough
async def test_a_session_is_told_of_each_change(household: RunningDaemon) -> None:
    """Up to 2025-11-25: who subscribes is told until they take it back; another is not."""
    mine, other = Told(), Told()
    async with (
        connected(household, "legacy", message_handler=mine) as client,
        connected(household, "legacy", message_handler=other) as bystander,
    ):
        capabilities = client.server_capabilities.resources
        assert capabilities is not None
        assert capabilities.subscribe
        await client.subscribe_resource(PLAN)
        await client.subscribe_resource(PLAN)
        await bystander.subscribe_resource(f"{household.base_url}/api/docs/plan.md")
        for happens in (change, build):
            await happens(household)
            assert await mine.next() == PLAN
        await client.unsubscribe_resource(PLAN)
        await bystander.subscribe_resource(PLAN)
        await change(household)
        assert await other.next() == PLAN
        await client.subscribe_resource(PLAN)
        await change(household)
        assert await mine.next() == PLAN
        await bystander.unsubscribe_resource(PLAN)
        assert mine.uris.empty()


async def test_what_is_not_there_is_not_subscribed_to(household: RunningDaemon) -> None:
    """Who mistypes is told so, rather than waiting for ever."""
    async with connected(household, "legacy") as client:
        with pytest.raises(MCPError, match="Unknown resource"):
            await client.subscribe_resource("finplan://plans")


async def test_categories_tell_of_changes(household: RunningDaemon) -> None:
    """In both eras whoever asks hears of them as of the plan, and of each apart from the other."""
    told = Told()
    async with (
        connected(household, "legacy", message_handler=told) as client,
        connected(household) as newer,
        newer.listen(resource_subscriptions=[CATEGORIES, PLAN]) as heard,
    ):
        assert heard.honored.resource_subscriptions == [CATEGORIES, PLAN]
        await client.subscribe_resource(CATEGORIES)
        await client.subscribe_resource(PLAN)
        made = {"name": "Boat", "line": "discretionary"}
        assert (await household.http.post("/api/v1/categories", json=made)).is_success
        assert {await told.next(), await told.next()} == {CATEGORIES, PLAN}
        assert [await next_of(heard) for _ in range(2)] == [
            ResourceUpdated(each) for each in (CATEGORIES, PLAN)
        ]
        await client.unsubscribe_resource(PLAN)
        await change(household)
        assert await told.next() == CATEGORIES
        await client.unsubscribe_resource(CATEGORIES)
        await client.subscribe_resource(PLAN)
        await change(household)
        assert await told.next() == PLAN
        assert told.uris.empty()


async def test_who_may_not_read_hears_of_no_change(household: RunningDaemon) -> None:
    """In both eras a key that only writes is told so, instead of when the person's data change."""
    key = (await new_key(household, "service:write"))["key"]
    async with (
        connected(household, "legacy", key=key) as client,
        connected(household, key=key) as newer,
    ):
        for uri in (PLAN, CATEGORIES):
            with pytest.raises(MCPError, match="needs the scope `service:read`"):
                await client.subscribe_resource(uri)
            with pytest.raises(MCPError, match="needs the scope `service:read`"):
                async with newer.listen(resource_subscriptions=[uri]):
                    pass


async def test_another_day_is_another_plan(tmp_path: Path, household_store: Path) -> None:
    """What is due follows from the day, so midnight where the person lives is told."""
    now = [NOW]

    def clock() -> datetime:
        return now[0]

    async with (
        running_daemon(tmp_path, household_store, clock=clock) as running,
        connected(running) as client,
        client.listen(resource_subscriptions=[PLAN]) as heard,
    ):
        now[0] += timedelta(days=1)
        assert await next_of(heard) == ResourceUpdated(PLAN)


async def test_a_stream_ends_with_the_credential(household: RunningDaemon) -> None:
    """Whose key is revoked hears no more, without having asked anything."""
    key = await new_key(household, "service:read")
    async with (
        connected(household, key=key["key"]) as client,
        client.listen(resource_subscriptions=[PLAN]) as heard,
    ):
        assert (await household.http.delete(f"/api/v1/keys/{key['id']}")).status_code == 200
        with pytest.raises((SubscriptionLost, StopAsyncIteration)):
            await next_of(heard)


async def test_the_stream_of_a_session_ends_with_the_credential(household: RunningDaemon) -> None:
    """So does a session's, on which subscriptions are told."""
    key = await new_key(household, "service:read")
    async with stranger(household) as http:
        http.headers.update({"x-api-key": key["key"], **FOR_MCP})
        opened = await http.post("/mcp", json=INITIALIZE)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        async with http.stream("GET", "/mcp", headers=session) as listening:
            assert listening.status_code == 200
            assert (await household.http.delete(f"/api/v1/keys/{key['id']}")).status_code == 200
            with suppress(httpx.RemoteProtocolError):
                async for _ in listening.aiter_raw():
                    pass


async def test_the_end_of_the_daemon_is_told(tmp_path: Path, household_store: Path) -> None:
    """A daemon that stops ends its streams with a last word, and does not wait for who listens."""
    begun = asyncio.Event()

    async def listen(running: RunningDaemon) -> list[object]:
        async with (
            connected(running) as client,
            client.listen(resource_subscriptions=[PLAN]) as heard,
        ):
            begun.set()
            return [each async for each in heard]

    async with running_daemon(tmp_path, household_store, grace=LONG_ENOUGH) as running:
        listening = asyncio.create_task(listen(running))
        await asyncio.wait_for(begun.wait(), LONG_ENOUGH)
    assert await listening == []


@pytest.mark.thorough
async def test_no_more_listen_than_there_is_room_for(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One too many is refused in words; the end of another makes room."""
    monkeypatch.setattr(resources, "MOST_LISTENING", 1)
    async with connected(household) as client:
        async with client.listen(resource_subscriptions=[PLAN]):
            with pytest.raises(MCPError, match="already subscribed"):
                async with client.listen(resource_subscriptions=[PLAN]):
                    pass
        while True:
            with suppress(MCPError):
                async with client.listen(resource_subscriptions=[PLAN]):
                    break
