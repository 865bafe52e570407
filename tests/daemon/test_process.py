"""The real process: one per profile, found by its file, started by whoever needs it, stopped cleanly.

The last words of one that cannot start are why; that of the profile `demo` links the demo household.
"""

import json
import logging
import os
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, cast

import httpx
import pytest

from finplan.categorise.payee import KEY_RULES
from finplan.client import connect as client_room
from finplan.client.announcement import LOCK_PAUSE, read_announcement
from finplan.client.connect import (
    NeedsRestart,
    Probe,
    Ready,
    Unreachable,
    connect,
    probe,
    start,
    status,
    stop,
)
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.client.request import SESSION_COOKIE
from finplan.daemon import startup
from finplan.data_key import key_at_start
from finplan.model.base import Nothing
from finplan.model.credential import NewKey
from finplan.model.errors import StorageFull
from finplan.operations.bank import LIST_CONNECTIONS
from finplan.operations.credential import CREATE_KEY, LIST_KEYS
from finplan.operations.person import SHOW_ME
from finplan.service.context import Context
from finplan.service.imports.reading import LARGE_FILES
from finplan.settings import Settings, load_settings
from finplan.store.backup import back_up
from finplan.store.store import Store
from tests.daemon.ports import own_profile
from tests.patience import LONG_ENOUGH
from tests.present import present
from tests.processes import running

DAEMON = [sys.executable, "-m", "finplan.daemon"]

STUCK = """
import threading
from finplan.daemon import process
from finplan.daemon.__main__ import main
process.STOP_GRACE = 0.5; process.Store.close = lambda _store: threading.Event().wait()
raise SystemExit(main([]))
"""
"""A daemon that a thread of its own keeps from ending."""

OLDER = """
import finplan; finplan.__version__ = '0.0.1'
from finplan.daemon.__main__ import main; raise SystemExit(main([]))
"""
"""A daemon of another version."""

SILENT = """
import signal, sys; from pathlib import Path; from finplan.client.announcement import hold
with hold(Path(sys.argv[1])): print('held', flush=True); signal.pause()
"""
"""What holds the lock of a daemon and does nothing."""

RACING = f"""
import sys; from finplan.client import connect as room
from finplan.client.connect import connect, probe
from finplan.settings import load_settings
room.NO_SIGN = {LONG_ENOUGH}
settings = load_settings()
connect(settings, lambda sentence: print(sentence, file=sys.stderr)).close()
print(probe(settings).pid)
"""
"""A client that wants a daemon and tells whom it found."""

SERVING = """
import sys; from pathlib import Path; import finplan.daemon.process as process
process.Store.open(Path(sys.argv[1]), Path('x')).close(); print(*sys.modules)
"""
"""A daemon's code with its store open, which tells what was loaded."""

ANOTHER_KEY = (
    "INSERT INTO payee (owner_no, key, name, raw, category_out, category_in, decided_out,"
    " decided_in, why) SELECT no, 'store', 'Store', 'SAFEWAY STORE', 'pets', 'pets', 'pets',"
    " 'pets', '' FROM person"
)
"""A payee as other rules keyed it."""

KEYS = "SELECT key, category_out FROM payee"
STRANGE = (
    "INSERT INTO person (id, email, created_at, time_zone, currency, key_rules)"
    " VALUES ('usr_1', 'a@localhost', 0, 'UTC', 'x1', 0)"
)
"""A person whose currency is none."""

MENDED = "UPDATE person SET currency = 'EUR'"
KEEP = "CREATE TABLE kept AS SELECT 7 AS row"
KEPT = "SELECT row FROM kept"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def announced_pid(settings: Settings) -> int:
    return present(read_announcement(settings.places.daemon_file)).pid


def wait_for(settings: Settings, wanted: Callable[[Probe], bool]) -> Probe:
    """What the daemon's state is once it is as wanted."""
    deadline = time.monotonic() + LONG_ENOUGH
    while time.monotonic() < deadline:
        found = probe(settings)
        if wanted(found):
            return found
        # A daemon that starts needs the processor more than whoever looks whether it has.
        time.sleep(LOCK_PAUSE)
    raise AssertionError(found)


@pytest.mark.thorough
def test_a_daemon_takes_a_large_file(settings: Settings) -> None:
    """What its transaction needs of a worker it gets."""
    found = start(settings, lambda _said: None)
    rows = "".join(
        f"2026-0{1 + row % 9}-03,SHOP {row},-{row}.00\n" for row in range(LARGE_FILES // 20)
    )
    answer = httpx.post(
        f"{found.url}/api/imports",
        data={"account": "Checking", "currency": "USD"},
        files={"file": ("checking.csv", f"Date,Description,Amount\n{rows}")},
        cookies={SESSION_COOKIE: found.token},
        headers={"Origin": found.url},
        timeout=LONG_ENOUGH,
    )
    assert answer.is_success, answer.text
    assert stop(settings)


def test_a_daemon_is_started_used_and_stopped(settings: Settings) -> None:
    """The first client starts it and says so once; it is private, detached, and goes when told to."""
    said: list[str] = []
    none = probe(settings)
    assert isinstance(none, Unreachable)
    assert none.pid is None
    assert "'default'" in none.reason

    with connect(settings, said.append) as client:
        assert client.call(SHOW_ME, Nothing()).email.endswith("@localhost")
    with connect(settings, said.append) as client:
        assert client.call(SHOW_ME, Nothing()).name is None
        assert client.call(LIST_CONNECTIONS, Nothing()) == ()

    places = settings.places
    found = probe(settings)
    assert isinstance(found, Ready)
    assert len(said) == 1
    assert "finplan daemon stop" in said[0]
    assert [mode(file) for file in (places.data, places.uploads)] == [0o700, 0o700]
    assert {mode(file) for file in (places.daemon_file, places.database, places.log)} == {0o600}
    assert os.getsid(found.pid) == found.pid
    content = json.loads(places.daemon_file.read_text())
    assert content["siteUrl"] == f"http://127.0.0.1:{content['port']}"
    known = status(settings)
    assert (known.running, known.answering, known.pid) == (True, True, found.pid)
    assert known.site_url == content["siteUrl"]
    assert content["token"] not in places.log.read_text()

    assert stop(settings)
    assert isinstance(probe(settings), Unreachable)
    assert not places.daemon_file.exists()
    assert not stop(settings)
    assert status(settings).running is False
    assert "Traceback" not in places.log.read_text()


@pytest.mark.thorough
@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_cleanly(settings: Settings, told: signal.Signals) -> None:
    """SIGTERM and Ctrl-C both close everything, and the exit code is 0."""
    with running(*DAEMON, "--foreground") as process:
        wait_for(settings, lambda found: isinstance(found, Ready))
        process.send_signal(told)
        out, err = process.communicate(timeout=LONG_ENOUGH)

    assert process.returncode == 0
    assert out == ""
    assert [line.split(" ", 2)[2] for line in err.splitlines()][-2:] == ["Stopping.", "Stopped."]
    assert not settings.places.daemon_file.exists()
    left = [path.name for path in settings.places.data.glob("finplan.db-*")]
    assert left == ["finplan.db-sums"]


@pytest.mark.thorough
def test_a_thread_that_does_not_return_does_not_keep_it(settings: Settings) -> None:
    """Told to stop, it goes within its grace whatever its threads do, and takes its file along."""
    with running(sys.executable, "-c", STUCK) as process:
        wait_for(settings, lambda found: isinstance(found, Ready))
        process.send_signal(signal.SIGTERM)

        assert process.wait(timeout=LONG_ENOUGH) == 0
    assert not settings.places.daemon_file.exists()


@pytest.mark.thorough
def test_there_is_one_daemon_of_a_profile(settings: Settings) -> None:
    """A second one names it in one line and exits with 4, and the first goes on."""
    first = start(settings, lambda _sentence: None)

    second = subprocess.run(DAEMON, capture_output=True, text=True, check=False)

    assert second.returncode == 4
    assert re.search(rf"'default' \(process {first.pid}\)", second.stderr)
    assert second.stderr.count("\n") == 1
    assert probe(settings) == first


@pytest.mark.thorough
def test_ten_programs_that_race_start_one(settings: Settings) -> None:
    """All of them reach the same daemon, and one of them says that it was started."""
    with ExitStack() as started:
        racers = [started.enter_context(running(sys.executable, "-c", RACING)) for _ in range(10)]
        results = [racer.communicate(timeout=LONG_ENOUGH) for racer in racers]

    assert [racer.returncode for racer in racers] == [0] * 10, results
    assert len({out for out, _ in results}) == 1
    assert sum(err.count("Started the background service") for _, err in results) == 1


@pytest.mark.thorough
def test_a_daemon_of_another_version_is_restarted(settings: Settings) -> None:
    """A client that finds an older daemon replaces it, and says why."""
    said: list[str] = []
    with running(sys.executable, "-c", OLDER) as process:
        found = wait_for(settings, lambda found: isinstance(found, NeedsRestart))
        assert found.pid == process.pid

        with connect(settings, said.append) as client:
            client.call(SHOW_ME, Nothing())
        assert process.wait(timeout=LONG_ENOUGH) == 0

    assert len(said) == 1
    assert "0.0.1" in said[0]
    assert announced_pid(settings) != process.pid


@pytest.mark.thorough
def test_the_port_is_kept_or_the_start_fails(settings: Settings) -> None:
    """A restart has the same port; when another program has it, the client quotes the daemon."""
    first = start(settings, lambda _sentence: None)
    stop(settings)
    assert start(settings, lambda _sentence: None).url == first.url
    stop(settings)

    port = int(settings.places.port_file.read_text())
    with (
        socket.create_server(("127.0.0.1", port)),
        pytest.raises(DaemonUnreachable, match=rf"message: Port {port} .*FINPLAN_PORT"),
    ):
        connect(settings, lambda _sentence: None)


@pytest.mark.thorough
def test_a_killed_daemon_leaves_nothing_in_the_way(settings: Settings) -> None:
    """After kill -9 the file that it left is not believed, and the next start clears up."""
    pid = start(settings, lambda _sentence: None).pid
    left = settings.places.uploads / "half"
    left.write_bytes(b"x")
    os.kill(pid, signal.SIGKILL)
    wait_for(settings, lambda found: found.pid is None)

    assert settings.places.daemon_file.exists()
    assert stop(settings) is False
    assert start(settings, lambda _sentence: None).pid != pid
    assert not left.exists()


@pytest.mark.thorough
def test_payees_that_other_rules_keyed_are_keyed_again(settings: Settings) -> None:
    """Before it answers anybody, a daemon keys the payees of a store that other rules wrote."""
    start(settings, lambda _sentence: None)
    stop(settings)
    with sqlite3.connect(settings.places.database) as database:
        database.execute("UPDATE person SET key_rules = 0")
        database.execute(ANOTHER_KEY)
    database.close()
    start(settings, lambda _sentence: None)
    stop(settings)

    with sqlite3.connect(settings.places.database) as database:
        assert database.execute("SELECT key_rules FROM person").fetchall() == [(KEY_RULES,)]
        keyed = database.execute(KEYS).fetchall()
    database.close()
    assert keyed == [("safeway", "groceries")]


@pytest.mark.thorough
def test_what_was_answered_outlives_a_killed_daemon(settings: Settings) -> None:
    """After kill -9 a request that comes again has its reply, secret and all, and no second effect."""

    def ask(method: str, path: str, headers: dict[str, str]) -> httpx.Response:
        daemon = start(settings, lambda _sentence: None)
        cookie = {} if "x-api-key" in headers else {"cookie": f"{SESSION_COOKIE}={daemon.token}"}
        return httpx.request(
            method,
            f"{daemon.url}/api/v1{path}",
            headers={**cookie, **headers},
            json={"name": "nightly"} if method == "POST" else None,
            trust_env=False,
            timeout=LONG_ENOUGH,
        )

    first = ask("POST", "/keys", {"idempotency-key": "once"})
    os.kill(announced_pid(settings), signal.SIGKILL)
    wait_for(settings, lambda found: found.pid is None)
    again = ask("POST", "/keys", {"idempotency-key": "once"})

    assert first.status_code == 201
    assert again.content == first.content
    assert again.headers["idempotent-replayed"] == "true"
    assert len(ask("GET", "/keys", {}).json()) == 1
    assert ask("GET", "/me", {"x-api-key": first.json()["key"]}).status_code == 200
    assert mode(settings.places.data_key) == 0o600


def test_a_mute_daemon_is_not_replaced(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """While something holds the lock and does nothing, no second one is begun; the wait is bounded."""
    monkeypatch.setattr(client_room, "NO_SIGN", 0.5)
    lock = str(settings.places.daemon_lock)
    with running(sys.executable, "-c", SILENT, lock) as other:
        assert present(other.stdout).readline() == "held\n"
        with pytest.raises(DaemonUnreachable, match=f"process {other.pid} .*log.*daemon stop"):
            connect(settings, lambda _sentence: None)

    assert not settings.places.database.exists()
    assert not settings.places.log.exists()


@pytest.mark.thorough
def test_a_folder_that_cannot_be_used_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in the folder's place is told as such, by the client and by the daemon itself."""
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("FINPLAN_HOME", raising=False)
    for name in ("CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))

    with pytest.raises(DaemonUnreachable, match="Could not start"):
        connect(load_settings(), lambda _sentence: None)
    daemon = subprocess.run(DAEMON, capture_output=True, text=True, check=False)
    assert daemon.returncode == 3
    assert daemon.stderr.count("\n") == 1


def test_a_bad_setting_is_a_sentence(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that cannot be used ends the start at once, with 3 and where it is put right."""
    monkeypatch.setenv("FINPLAN_PORT", "web")

    daemon = subprocess.run(DAEMON, capture_output=True, text=True, check=False)

    assert daemon.returncode == 3
    assert re.fullmatch(r"FINPLAN_PORT is 'web'.* variable FINPLAN_PORT\.\n", daemon.stderr)


@pytest.mark.thorough
def test_a_store_that_cannot_be_read_is_a_sentence(settings: Settings) -> None:
    """A file that is no store ends the start with the store's own words."""
    settings.places.database.write_bytes(b"not a store" * 1000)

    with pytest.raises(
        DaemonUnreachable, match=r"finplan\.db is damaged.*`finplan backup restore`"
    ):
        connect(settings, lambda _sentence: None)


@pytest.mark.thorough
def test_a_strange_row_that_stops_a_start_is_a_sentence(
    settings: Settings, empty_store: Path
) -> None:
    """The last words name the row in one line; one of another kind of failure stays what it was."""
    shutil.copy(empty_store, settings.places.database)
    key_at_start(settings.places.data_key)
    with closing(sqlite3.connect(settings.places.database)) as database, database:
        database.execute(STRANGE)

    with pytest.raises(DaemonUnreachable, match=r"message: .* row 1 .* person \(currency: .*back"):
        connect(settings, lambda _sentence: None)
    with closing(sqlite3.connect(settings.places.database)) as database, database:
        database.execute(MENDED)
        database.execute("DROP TABLE build")
    with pytest.raises(DaemonUnreachable, match=r"message: .*no such table.*log"):
        connect(settings, lambda _sentence: None)


@pytest.mark.thorough
def test_a_store_that_goes_away_stops_the_daemon(settings: Settings) -> None:
    """A write into a file that is gone is refused, the daemon ends, and no other is begun in silence."""
    database = settings.places.database
    with connect(settings, lambda _sentence: None) as client:
        client.call(SHOW_ME, Nothing())
        ready = probe(settings)
        assert isinstance(ready, Ready)
        database.unlink()
        with pytest.raises(CallFailed, match=r"finplan\.db is gone while"):
            client.call(CREATE_KEY, NewKey(name="backup"))
    wait_for(settings, lambda found: isinstance(found, Unreachable) and found.pid is None)

    assert "is gone while" in settings.places.log.read_text()
    with pytest.raises(DaemonUnreachable, match=r"empty, but data_key\.json"):
        connect(settings, lambda _sentence: None)
    assert not database.exists()


@pytest.mark.thorough
def test_what_was_answered_outlives_a_log_that_is_removed(settings: Settings) -> None:
    """The next write is refused, the daemon ends, and what came before is there at the next start."""
    with connect(settings, lambda _sentence: None) as client:
        client.call(CREATE_KEY, NewKey(name="kept"))
        settings.places.database.with_name("finplan.db-wal").unlink()
        with pytest.raises(CallFailed, match="last changes"):
            client.call(CREATE_KEY, NewKey(name="lost"))
    wait_for(settings, lambda found: isinstance(found, Unreachable) and found.pid is None)

    with connect(settings, lambda _sentence: None) as client:
        assert [key.name for key in client.call(LIST_KEYS, Nothing())] == ["kept"]


@pytest.mark.thorough
def test_a_store_that_was_replaced_keeps_its_own_log(settings: Settings, tmp_path: Path) -> None:
    """Whoever puts another store into the place of a running one loses nothing of it."""
    database = settings.places.database
    connect(settings, lambda _sentence: None).close()
    other = tmp_path / "other.db"
    back_up(database, other)
    with closing(sqlite3.connect(other)) as writing:
        writing.execute("PRAGMA journal_mode = WAL")
        writing.execute("PRAGMA wal_autocheckpoint = 0")
        writing.execute(KEEP)
        writing.commit()
        for name in ("other.db", "other.db-wal"):
            shutil.copyfile(tmp_path / name, tmp_path / f"new-{name}")
    database.with_name("finplan.db-wal").unlink()
    (tmp_path / "new-other.db").replace(database)
    (tmp_path / "new-other.db-wal").replace(database.with_name("finplan.db-wal"))
    with (
        connect(settings, lambda _sentence: None) as client,
        pytest.raises(CallFailed, match="was replaced"),
    ):
        client.call(CREATE_KEY, NewKey(name="backup"))
    wait_for(settings, lambda found: isinstance(found, Unreachable) and found.pid is None)

    with closing(sqlite3.connect(database)) as reading:
        assert reading.execute(KEPT).fetchone() == (7,)


@pytest.mark.thorough
def test_what_is_not_needed_is_not_loaded(empty_store: Path) -> None:
    """Asker for the daemon loads nothing heavy; a store that is up to date loads no alembic.

    Nor does a daemon load the dialect of a database that it does not speak, or the readers of
    statements before there is one.
    """
    asker = "import finplan.client.connect, sys; print(*sys.modules)"

    def loaded(code: str, *arguments: str) -> set[str]:
        command = [sys.executable, "-c", code, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    assert loaded(asker).isdisjoint({"httpx", "pydantic", "aiohttp", "sqlalchemy", "typer"})
    served = loaded(SERVING, str(empty_store))
    assert served.isdisjoint({"alembic", "httpx", "mcp", "textual", "typer"})
    assert served.isdisjoint({"finplan.statements.detect", "finplan.statements.table"})
    assert {name for name in served if re.fullmatch(r"sqlalchemy\.dialects\.[a-z]+", name)} == {
        "sqlalchemy.dialects.sqlite"
    }


SLOW_LOG = """
import sys, threading
from logging.handlers import RotatingFileHandler
from finplan.daemon.__main__ import main

said = threading.Event()

class Watched:
    def write(self, text):
        said.set()
        sys.__stderr__.write(text)
    def flush(self):
        sys.__stderr__.flush()

def emit(handler, record):
    # A disk so slow that whatever does not wait for it comes first.
    said.wait(1.5)
    sys.__stderr__.write("logged\\n")

RotatingFileHandler.emit = emit
sys.stderr = Watched()
raise SystemExit(main([]))
"""


@pytest.mark.thorough
def test_the_reason_stands_below_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Log and reason go into one file, and whoever started the daemon quotes its last line."""
    monkeypatch.setenv("FINPLAN_HOME", str(tmp_path))
    places = load_settings().places
    places.data.mkdir(parents=True)
    Store.open(places.database, places.backups).close()
    with closing(sqlite3.connect(places.database)) as database, database:
        database.execute("DROP TABLE build")

    ended = subprocess.run(
        [sys.executable, "-c", SLOW_LOG],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG_ENOUGH,
    )

    assert ended.returncode == 1
    *before, last = ended.stderr.splitlines()
    assert last.startswith("The background service failed: ")
    assert set(before) == {"logged"}


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """The profile `demo` of a new home; its daemon is stopped afterwards."""
    with own_profile(tmp_path, monkeypatch, "demo") as made:
        yield made


def ask_demo(settings: Settings, method: str, path: str) -> Any:
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
    (first,) = ask_demo(demo, "GET", "/connections")
    assert stop(demo)
    (again,) = ask_demo(demo, "GET", "/connections")
    ask_demo(demo, "DELETE", f"/connections/{again['connection']['id']}")
    assert stop(demo)

    assert first["connection"]["provider"] == "demo"
    assert first["lastSyncedAt"] is not None
    assert again["connection"] == first["connection"]
    assert ask_demo(demo, "GET", "/connections") == []


async def test_a_full_disk_keeps_no_demo_from_starting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The daemon serves without the household, says so in its log, and links it at the next start."""

    async def refuse(_context: Context) -> bool:
        raise StorageFull("full")

    monkeypatch.setattr(startup, "link_demo_once", refuse)
    with caplog.at_level(logging.WARNING):
        await startup.link_demo_household(cast("Context", None))

    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.message.endswith("yet: full")
