"""A daemon of a damaged store, at the command line: it starts, says so at once and changes nothing."""

import json
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from finplan.client import connect as client_room
from finplan.client.connect import Ready, probe, start, stop
from finplan.client.failures import DaemonUnreachable, say_nothing
from finplan.model.notices import STORE_DAMAGED, sentence_of
from finplan.settings import Settings, load_settings
from tests.cli.conftest import Run
from tests.daemon.ports import free_ports
from tests.damage import bytes_of, damage_table
from tests.patience import LONG_ENOUGH
from tests.processes import awaited

SENTENCE = sentence_of(STORE_DAMAGED)
ERROR = f"finplan: {SENTENCE}\n"


@pytest.fixture
def settings(
    home: Path, household_store: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    """A profile with the demo household, whose notices are written to a file; no daemon runs yet."""
    heard = home / "heard"
    command = (
        f"'{sys.executable}' -c 'import sys; open(sys.argv[1], \"a\").write(sys.stdin.read())'"
    )
    monkeypatch.setenv("FINPLAN_NOTIFY_COMMAND", f"{command} '{heard}'")
    monkeypatch.setattr(client_room, "NO_SIGN", LONG_ENOUGH)
    loaded = load_settings()
    loaded.places.data.mkdir(parents=True)
    loaded.places.port_file.write_text(str(free_ports(1)))
    shutil.copy(household_store, loaded.places.database)
    yield loaded
    stop(loaded)


def has_notice(settings: Settings) -> bool:
    found = probe(settings)
    return isinstance(found, Ready) and found.notice == STORE_DAMAGED


@pytest.mark.thorough
def test_damage_is_told_once_by_each_command_and_outlives_the_daemon(
    finplan: Run, settings: Settings, home: Path
) -> None:
    """Met while it runs or known from the start on: commands answer, and say so once, quiet ones too."""
    database = settings.places.database
    start(settings, say_nothing)
    assert finplan("accounts").err == ""
    damage_table(database, "audit_event")
    before = bytes_of(database)

    whole = finplan("daemon", "status", "--json")
    met = finplan("audit")
    assert (json.loads(whole.out)["notice"], met.code, met.err) == (None, 1, ERROR)
    awaited(lambda: (home / "heard").exists() and (home / "heard").read_text() == f"{SENTENCE}\n")
    for daemon_ends in (None, signal.SIGTERM, signal.SIGKILL):
        found = probe(settings)
        if daemon_ends is not None and isinstance(found, Ready):
            os.kill(found.pid, daemon_ends)
            awaited(lambda: not isinstance(probe(settings), Ready))
            start(settings, say_nothing)
        assert has_notice(settings)
        status = finplan("daemon", "status")
        assert "The store is damaged" in " ".join(status.out.decode().split())
        for arguments in (("accounts",), ("accounts", "--json"), ("accounts", "--quiet")):
            read = finplan(*arguments)
            assert (read.code, read.err) == (0, ERROR)
            assert read.out
        refused = finplan("me", "set", "--name", "Ada")
        assert (refused.code, refused.err) == (1, ERROR)
    stop(settings)
    assert bytes_of(database) == before
    assert (home / "heard").read_text() == f"{SENTENCE}\n" * 3
    log = settings.places.log.read_text()
    assert log.count(f"ERROR {SENTENCE}") == 3
    assert "Traceback" not in log


@pytest.mark.thorough
def test_a_store_whose_owner_cannot_be_read_ends_the_start(settings: Settings) -> None:
    """Nobody could ask such a daemon: the start fails with a sentence, and no byte changes."""
    database = settings.places.database
    damage_table(database, "person")
    before = bytes_of(database)
    with pytest.raises(DaemonUnreachable) as refused:
        start(settings, say_nothing)

    assert str(refused.value).endswith(
        f"It said: The store {database} is damaged and cannot be read. Restore the newest good backup:"
        " `finplan backup restore`."
    )
    assert bytes_of(database)[database.name] == before[database.name]
    # The connection that only reads may be closed last, and leaves the log that it made, without a byte.
    log = database.with_name(f"{database.name}-wal")
    assert not log.exists() or not log.stat().st_size
