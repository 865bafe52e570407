"""The daemon of the profile `demo` links the demo household at its first start, and only then."""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from finplan.client import connect as client_room
from finplan.client.connect import start, stop
from finplan.client.request import SESSION_COOKIE
from finplan.daemon import startup
from finplan.model.errors import StorageFull
from finplan.service.context import Context
from finplan.settings import Settings, load_settings
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The profile `demo` of a new home; its daemon is stopped afterwards."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    for patience in ("NO_SIGN", "WORTH_SAYING"):
        monkeypatch.setattr(client_room, patience, LONG_ENOUGH)
    settings = load_settings("demo")
    settings.places.data.mkdir()
    settings.places.port_file.write_text(str(free_ports(1)))
    yield settings
    stop(settings)


def ask(settings: Settings, method: str, path: str) -> Any:
    """What the daemon of a profile answers, which is started when need be."""
    ready = start(settings, lambda _said: None)
    answer = httpx.request(
        method,
        f"{ready.url}/api/v1{path}",
        cookies={SESSION_COOKIE: ready.token},
        trust_env=False,
        timeout=LONG_ENOUGH,
    )
    return answer.raise_for_status().json()


@pytest.mark.thorough
def test_the_household_is_there_until_it_is_unlinked(demo: Settings) -> None:
    """A started daemon holds it without a command, once over restarts; unlinked it stays so."""
    (first,) = ask(demo, "GET", "/connections")
    assert stop(demo)
    (again,) = ask(demo, "GET", "/connections")
    ask(demo, "DELETE", f"/connections/{again['connection']['id']}")
    assert stop(demo)

    assert first["connection"]["provider"] == "demo"
    assert first["lastSyncedAt"] is not None
    assert again["connection"] == first["connection"]
    assert ask(demo, "GET", "/connections") == []


async def test_a_full_disk_keeps_no_demo_from_starting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The daemon serves without the household, says so in its log, and links it at the next start."""

    async def refuse(_context: Context) -> bool:
        raise StorageFull("The disk is full.")

    monkeypatch.setattr(startup, "link_demo_once", refuse)
    with caplog.at_level(logging.WARNING):
        await startup.link_demo_household(cast("Context", None))

    assert "Could not link the demo household yet: The disk is full." in caplog.text
