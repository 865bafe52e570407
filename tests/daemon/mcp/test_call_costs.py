"""What a call of a tool costs beside the question of REST that it stands for."""

from typing import Any

import pytest

from tests.daemon.mcp.connected import connected
from tests.daemon.running import RunningDaemon


async def test_what_is_known_already_takes_no_thread(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tool whose answer is kept reads nothing on a thread, and a change is seen all the same."""
    async with connected(household) as client:
        before = await client.call_tool("list_accounts", {})
        read, threads = household.store.read, []

        async def count(work: Any, **more: Any) -> Any:
            threads.append(work)
            return await read(work, **more)

        monkeypatch.setattr(
            type(household.store), "read", lambda _store, work, **m: count(work, **m)
        )
        assert await client.call_tool("list_accounts", {}) == before
        assert threads == []
        account = before.structured_content["accounts"][0]["id"]
        changed = await household.http.patch(f"/api/v1/accounts/{account}", json={"hidden": True})
        assert changed.status_code == 200, changed.text
        await household.http.patch("/api/v1/settings", json={"currency": "EUR"})
        after = await client.call_tool("list_accounts", {})
        assert after.structured_content["accounts"][0]["hidden"]
        assert after.meta is not None
        assert after.meta["finplan/currency"] == "EUR"
