"""Looking up the names of receivers, where whoever answers for names is slow."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from finplan.webhooks import sending
from finplan.webhooks.sending import Vetting, look_up_host
from finplan.webhooks.targets import PrivateTargets, RefusedTarget
from tests.patience import LONG_ENOUGH


async def test_slow_look_ups_take_nobody_elses_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a name is looked up, what else is done in a thread goes on, though there is one alone."""
    free = Event()

    def look_up(_host: str, port: int, *_how: Any, **_named: Any) -> list[Any]:
        if not free.wait(LONG_ENOUGH):
            raise TimeoutError
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", port))] * 2

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with ThreadPoolExecutor(1) as one:
        asyncio.get_running_loop().set_default_executor(one)
        looking = asyncio.create_task(look_up_host("slow.example.com", 443))
        await asyncio.sleep(0)
        await asyncio.to_thread(free.set)
        assert await looking == ["93.184.215.14"]


async def test_a_look_up_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever registers a webhook is told so instead of waiting."""
    monkeypatch.setattr(sending, "LOOKED_UP_WITHIN", 0.0)

    async def look_up(_host: str, _port: int) -> list[str]:
        await asyncio.Event().wait()
        raise AssertionError

    vetting = Vetting(PrivateTargets(), look_up)
    with pytest.raises(RefusedTarget, match=r"The name slow\.example\.com was not found out"):
        async with asyncio.timeout(LONG_ENOUGH):
            await vetting.check_url("https://slow.example.com/")
