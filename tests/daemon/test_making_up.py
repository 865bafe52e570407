"""What a daemon could not do, since the disk was full or it was killed, is made up for.

On a full disk it starts and answers what only reads. What a killed one was doing is settled when the
next one starts, once, and nobody waits for a lease.
"""

import errno
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from finplan.categorise.payee import KEY_RULES
from finplan.client import connect as client_room
from finplan.client.connect import LITTLE_ROOM, Ready, probe, start, stop
from finplan.client.failures import DaemonUnreachable
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.daemon import startup
from finplan.daemon.startup import (
    NEW_STORE,
    PLENTY,
    RESERVE,
    give_up_reserve_if_needed,
    take_back_reserve,
)
from finplan.data_key import key_at_start
from finplan.model.errors import StorageFull
from finplan.settings import Settings, load_settings
from finplan.store.store import Store
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.present import present
from tests.processes import awaited, running

pytestmark = pytest.mark.slow

FULL = """
import sys
from pathlib import Path
from finplan.daemon import startup
from finplan.daemon.__main__ import main
from finplan.model.errors import StorageFull
from finplan.store.writer import Writer

full, ask = Path(sys.argv[1]), Writer.ask
startup.TRIED_EVERY = 0.05

async def write(writer, work):
    if full.exists():
        raise StorageFull("The disk is full.")
    return await ask(writer, work)

Writer.ask = write
raise SystemExit(main([]))
"""
"""A daemon on a disk that is full as long as a file is there."""

EATEN = """
import errno, os
from finplan.daemon.__main__ import main
from finplan.store.store import Store

opened, os_open = Store.open, os.open

def open_file(path, flags, *more, **how):
    if flags & os.O_CREAT and not os.path.exists(path):
        raise OSError(errno.ENOSPC, "No space left on device", path)
    return os_open(path, flags, *more, **how)

def open_store(*places, **how):
    store = opened(*places, **how)
    os.open = open_file
    return store

Store.open = open_store
raise SystemExit(main([]))
"""
"""A daemon whose store takes all the room that there is when it is opened."""

NO_ROOM = """
import errno, os, shutil, sys
from types import SimpleNamespace
from finplan.daemon import process
from finplan.daemon.__main__ import main

def without_room(*_given, **_named):
    raise OSError(errno.ENOSPC, "No space left on device")

free, stumbles = int(sys.argv[1]), sys.argv[2]
shutil.disk_usage = lambda _path: SimpleNamespace(free=free)
if stumbles:
    setattr(process, stumbles, without_room)
raise SystemExit(main(sys.argv[3:]))
"""
"""A daemon on a disk with so much room left, and what finds none there although it should."""


CLAIM_OF_THE_DEAD = (
    "INSERT INTO kept_reply (owner_no, method, path, key, fingerprint, created_at, holder,"
    " held_until) SELECT no, 'POST', '/plan', 'k', 'f', 9e15, 'dead', 9e15 FROM person"
)
NAMES = "SELECT name FROM person"


def test_a_full_disk_keeps_no_daemon_from_starting(
    settings: Settings, household_store: Path
) -> None:
    """Reading goes on, changes are refused; with room the next change brings what was put off."""
    places = settings.places
    shutil.copy(household_store, places.database)
    change(places.database, "UPDATE person SET key_rules = 0")
    change(places.database, CLAIM_OF_THE_DEAD)
    full = places.data / "full"
    full.touch()

    with running(sys.executable, "-c", FULL, str(full)):
        awaited(lambda: isinstance(probe(settings), Ready))
        found = probe(settings)
        assert isinstance(found, Ready)
        cookies = {SESSION_COOKIE: found.token}
        with httpx.Client(
            base_url=f"{found.url}/api/v1", cookies=cookies, trust_env=False, timeout=LONG_ENOUGH
        ) as http:
            assert len(http.get("/accounts").raise_for_status().json()) > 3
            assert http.patch("/me", json={"name": "Ada"}).status_code == 507
            assert told(places.database, "SELECT held_until FROM kept_reply") == [9e15]
            assert told(places.database, "SELECT key_rules FROM person") == [0]

            full.unlink()
            awaited(lambda: told(places.database, "SELECT key_rules FROM person") == [KEY_RULES])
            assert http.patch("/me", json={"name": "Ada"}).status_code == 200
        stop(settings)

    assert told(places.database, "SELECT held_until FROM kept_reply") == [0]
    assert told(places.database, NAMES) == ["Ada"]
    assert "Traceback" not in places.log.read_text()


def test_a_store_may_take_all_the_room_when_it_is_opened(
    settings: Settings, household_store: Path
) -> None:
    """What a killed daemon's log holds goes into the store first; the daemon is found all the same."""
    shutil.copy(household_store, settings.places.database)
    key_at_start(settings.places.data_key)

    with running(sys.executable, "-c", EATEN) as process:
        awaited(lambda: isinstance(probe(settings), Ready) or process.poll() is not None)
        assert isinstance(probe(settings), Ready)
        stop(settings)


async def test_keying_again_is_tried_until_it_is_done(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk puts it off, and a folder that cannot be written ends no trying; then it is done."""
    path = tmp_path / "finplan.db"
    shutil.copy(empty_store, path)
    hindrances: list[Exception | None] = [
        StorageFull("full"),
        PermissionError("not yours"),
        StorageFull("full"),
        None,
        AssertionError("done already"),
    ]

    async def key_again(_store: Store, _now: int) -> None:
        hindrance = hindrances.pop(0)
        if hindrance is not None:
            raise hindrance

    monkeypatch.setattr(startup, "rekey_payees", key_again)
    monkeypatch.setattr(startup, "TRIED_EVERY", 0)
    store = Store.open(path, tmp_path / "backups")
    trying = await startup.put_in_order(store, 1)
    store.close()

    await present(trying)
    assert len(hindrances) == 1


def start_without_room(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, stumbles: str = ""
) -> str:
    """What is said of a start on a disk with so much room left."""

    def spawn(_settings: Settings, lock: int) -> "subprocess.Popen[bytes]":
        command = (sys.executable, "-c", NO_ROOM, str(free), stumbles, "--lock", str(lock))
        with settings.places.log.open("ab") as log:
            return subprocess.Popen(command, pass_fds=(lock,), stderr=log)

    with monkeypatch.context() as patch:
        patch.setattr(client_room, "_spawn_with", spawn)
        with pytest.raises(DaemonUnreachable) as refused:
            start(settings, lambda _sentence: None)
    return str(refused.value)


def left_in(settings: Settings) -> set[str]:
    return {path.name for path in settings.places.data.iterdir()}


def test_a_first_start_without_room_begins_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says where there is no room and how much it takes, leaves no file, and works with room."""
    said = start_without_room(settings, monkeypatch, NEW_STORE - 1)
    left = left_in(settings)
    start(settings, lambda _sentence: None)

    for part in (
        f"{settings.places.data} is full",
        "needs 2.1 MB",
        "2.1 MB are free",
        "some space",
    ):
        assert part in said
    assert left == {"daemon.lock", "daemon.log", "port", "start.lock"}


def test_a_new_store_takes_no_more_than_is_asked_for(settings: Settings) -> None:
    """With just that room a first start gets through: all its files and the reserve fit into it."""
    start(settings, lambda _sentence: None)
    folder = settings.places.data
    taken = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    # While the store was made, its log held each of its pages.
    taken += settings.places.database.stat().st_size

    assert taken <= NEW_STORE


def test_room_that_goes_during_a_start_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system's number becomes a sentence that says where and what to do; no draft is left."""
    said = start_without_room(settings, monkeypatch, NEW_STORE, "bind")

    assert f"{settings.places.data} is full" in said
    assert "Errno" not in said
    assert "daemon.json.new" not in left_in(settings)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT])
def test_a_disk_too_full_for_a_lock_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Who cannot even begin to start a daemon says which disk it is, not the system's number."""

    def without_room(*_given: object) -> None:
        raise OSError(code, "there is none")

    monkeypatch.setattr(client_room, "hold", without_room)
    with pytest.raises(DaemonUnreachable, match=f"{settings.places.data} is full"):
        start(settings, lambda _sentence: None)


@pytest.mark.parametrize(
    ("free", "told"), [(LITTLE_ROOM - 1, "the disk of"), (LITTLE_ROOM, "daemon.log")]
)
def test_a_daemon_without_room_for_a_word_is_spoken_for(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, free: int, told: str
) -> None:
    """Where its log could take no sentence, who has started it says that the disk is full."""

    def spawn(_settings: Settings, lock: int) -> "subprocess.Popen[bytes]":
        return subprocess.Popen((sys.executable, "-c", "raise SystemExit(3)"), pass_fds=(lock,))

    monkeypatch.setattr(client_room, "_spawn_with", spawn)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=free))
    with pytest.raises(DaemonUnreachable, match=told):
        start(settings, lambda _sentence: None)


def change(database: Path, query: str) -> None:
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(query)


def told(database: Path, query: str) -> list[object]:
    with closing(sqlite3.connect(database)) as connection:
        return [row[0] for row in connection.execute(query)]


def test_a_daemon_leaves_room_for_the_next_start(settings: Settings) -> None:
    """After its end the reserve is there, private; what waits in the folder of uploads is gone."""
    left = settings.places.uploads / "folder"
    left.mkdir(parents=True)
    (left / "file").touch()
    (settings.places.uploads / "file").touch()
    start(settings, lambda _sentence: None)
    assert list(settings.places.uploads.iterdir()) == []
    settings.places.reserve.unlink()
    stop(settings)

    kept = settings.places.reserve.stat()
    assert (kept.st_size, stat.S_IMODE(kept.st_mode)) == (RESERVE, 0o600)


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How much room the disk has, in bytes."""
    room = [PLENTY]
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=room[0]))
    return room


def test_the_reserve_is_given_up_when_hardly_any_room_is_left(
    tmp_path: Path, free: list[int]
) -> None:
    """It is taken while there is plenty, stays while there is some, and goes when there is none."""
    reserve = tmp_path / "reserve"
    seen = []
    for room in (PLENTY - 1, PLENTY, RESERVE, RESERVE - 1, RESERVE):
        free[0] = room
        is_full = give_up_reserve_if_needed(reserve)
        seen.append((is_full, reserve.exists()))

    assert seen == [(False, False), (False, True), (False, True), (True, False), (False, False)]


@pytest.mark.parametrize(("room", "kept"), [(RESERVE - 1, False), (RESERVE, True)])
def test_who_ends_takes_the_reserve_back(
    tmp_path: Path, free: list[int], room: int, kept: bool
) -> None:
    """A daemon that ends has just left as much room; where others took it, nothing is written."""
    free[0] = room
    for _ in range(2):
        take_back_reserve(tmp_path / "reserve")

    assert [path.name for path in tmp_path.iterdir()] == ["reserve"] * kept


ROWS = 30_000
KEY = {"idempotency-key": "the nightly import"}


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
    os.kill(present(probe(settings).pid), signal.SIGKILL)
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
    # It was killed in the middle.
    assert claims(settings) == [(True, False)]

    again = import_once(settings, statement)
    replayed = import_once(settings, statement)

    assert again.status_code == 200, again.text
    assert again.json()["files"][0]["new"] == ROWS
    assert replayed.headers["idempotent-replayed"] == "true"
    assert replayed.content == again.content


HURRIED = """
import asyncio, os, sys
from contextlib import suppress
from dataclasses import replace
from finplan.daemon import process
from finplan.daemon.__main__ import main
from finplan.daemon.background import Schedule
from finplan.service.automation import kinds, running
from finplan.service.automation.job import DONE
from finplan.service.automation.job import Every
from finplan.store.queries import jobs

process.STOP_GRACE = 1.0
Schedule.run.__defaults__ = (0.0,)
jobs.LEASE, jobs.LONGEST_LEASE, running.RENEWED_EVERY = 1000, 2000, 0.3

async def note(context, run):
    with open(sys.argv[1], "a") as file:
        print(os.getpid(), file=file)
    if sys.argv[2] == "hang":
        await asyncio.Event().wait()
    while sys.argv[2] == "never end":
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()
    return DONE

kinds.KINDS["prune"] = replace(kinds.KINDS["prune"], timing=Every(100_000), perform=note)
raise SystemExit(main([]))
"""
"""A daemon in a hurry, whose pruning notes that it ran, and ends only where it may."""


def prune_of(client: httpx.Client) -> dict[str, Any]:
    jobs = client.get("/jobs").raise_for_status().json()
    return next(job for job in jobs if job["name"] == "prune")


def client_of(settings: Settings) -> httpx.Client:
    awaited(lambda: isinstance(probe(settings), Ready))
    found = probe(settings)
    assert isinstance(found, Ready)
    cookies = {SESSION_COOKIE: found.token}
    return httpx.Client(
        base_url=f"{found.url}{API_ROOT}", cookies=cookies, trust_env=False, timeout=LONG_ENOUGH
    )


def test_a_run_that_was_killed_is_caught_up_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After kill -9 in the middle of a run the next daemon does it again, and then it is not due."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_PORT", str(free_ports(1)))
    settings, noted = load_settings(), tmp_path / "noted"

    def runs() -> list[str]:
        return noted.read_text().split() if noted.exists() else []

    with running(sys.executable, "-c", HURRIED, str(noted), "hang") as first:
        with client_of(settings) as client:
            assert client.post("/jobs/prune/run").status_code == 202
            awaited(lambda: len(runs()) == 1)
            assert prune_of(client)["lastResult"] is None
        first.kill()
        first.wait()
    with (
        running(sys.executable, "-c", HURRIED, str(noted), "end") as second,
        client_of(settings) as client,
    ):
        awaited(lambda: prune_of(client)["lastResult"] == "ok")
        assert runs() == [str(first.pid), str(second.pid)]
        # Whoever asks once more has it done once more; nothing else was left to do.
        client.post("/jobs/prune/run").raise_for_status()
        awaited(lambda: len(runs()) == 3 and prune_of(client)["nextAt"] > time.time() * 1000)
        stop(settings)
    assert runs() == [str(first.pid), str(second.pid), str(second.pid)]


@pytest.mark.parametrize("manner", ["hang", "never end"])
def test_a_run_that_hangs_keeps_no_daemon_from_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manner: str
) -> None:
    """It is handed back, or where it would not end it ends with its process, before that is killed."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    monkeypatch.setenv("FINPLAN_PORT", str(free_ports(1)))
    settings, noted = load_settings(), tmp_path / "noted"

    with running(sys.executable, "-c", HURRIED, str(noted), manner) as daemon:
        with client_of(settings) as client:
            assert client.post("/jobs/prune/run").status_code == 202
            awaited(lambda: noted.exists() and bool(noted.read_text()))
        assert stop(settings)
        assert daemon.wait(LONG_ENOUGH) == 0
