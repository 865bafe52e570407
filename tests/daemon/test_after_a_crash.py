"""What a killed daemon was doing is settled when the next one starts, and nobody waits for a lease."""

import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

import httpx
import pytest

from finplan.client import connect as client_room
from finplan.client.connect import probe, start, stop
from finplan.client.request import SESSION_COOKIE
from finplan.settings import Settings, load_settings
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.processes import awaited

pytestmark = pytest.mark.slow

ROWS = 30_000
KEY = {"idempotency-key": "the nightly import"}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A profile of its own; its daemon is stopped in the end."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    for patience in ("NO_SIGN", "WORTH_SAYING"):
        monkeypatch.setattr(client_room, patience, LONG_ENOUGH)
    loaded = load_settings()
    loaded.places.data.mkdir()
    loaded.places.port_file.write_text(str(free_ports(1)))
    yield loaded
    stop(loaded)


def import_once(settings: Settings, statement: bytes) -> httpx.Response:
    """Import a file under the one key, by whichever daemon there is."""
    daemon = start(settings, lambda _sentence: None)
    return httpx.post(
        f"{daemon.url}/api/v1/imports",
        headers={**KEY, "cookie": f"{SESSION_COOKIE}={daemon.token}"},
        files={"file": ("checking.csv", statement)},
        trust_env=False,
        timeout=LONG_ENOUGH,
    )


def kill(settings: Settings) -> None:
    """End the daemon as a crash does."""
    pid = probe(settings).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    awaited(lambda: probe(settings).pid is None)


def claims(settings: Settings) -> list[tuple[bool, bool]]:
    """Of each request with a key, whether somebody holds it and whether its reply is kept."""
    with closing(sqlite3.connect(settings.places.database)) as database:
        query = "SELECT holder IS NOT NULL, reply IS NOT NULL FROM kept_reply"
        return [(bool(held), bool(kept)) for held, kept in database.execute(query)]


def statement_of(rows: int) -> bytes:
    lines = (f"2026-0{1 + row % 9}-1{row % 7},SHOP {row},-{row % 90 + 1}.00" for row in range(rows))
    return "\n".join(("Date,Description,Amount (USD)", *lines, "")).encode()


def test_what_was_killed_half_way_is_asked_again_at_once(settings: Settings) -> None:
    """After kill -9 in the middle of a keyed import the same request is carried out, once and whole."""
    statement = statement_of(ROWS)
    start(settings, lambda _sentence: None)

    def ask_in_vain() -> None:
        with suppress(httpx.TransportError):
            import_once(settings, statement)

    asking = Thread(target=ask_in_vain)
    asking.start()
    awaited(lambda: claims(settings) == [(True, False)])
    kill(settings)
    asking.join()
    assert claims(settings) == [(True, False)], "It was killed in the middle."

    again = import_once(settings, statement)
    replayed = import_once(settings, statement)

    assert again.status_code == 200, again.text
    assert again.json()["files"][0]["new"] == ROWS
    assert replayed.headers["idempotent-replayed"] == "true"
    assert replayed.content == again.content
