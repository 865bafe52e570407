"""A slow start is a start: waited for as long as it gets on, told of, and stopped by who wants that."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from finplan.client import connect as client_room
from finplan.client.announcement import hold, holder, told_by_holder
from finplan.client.connect import Ready, connect, probe, start, stop
from finplan.client.failures import DaemonUnreachable
from finplan.model.base import Nothing
from finplan.model.user import UserChange
from finplan.operations.person import CHANGE_ME, SHOW_ME
from finplan.settings import Settings, load_settings
from tests.daemon.ports import own_profile
from tests.patience import LONG_ENOUGH
from tests.processes import awaited, running

pytestmark = pytest.mark.slow

SLOW = """
import sys
from pathlib import Path
from finplan.daemon import process
from finplan.daemon.__main__ import main

gate, open_store = Path(sys.argv[1]), process.Store.open

def open_late(*given, **named):
    while not gate.exists():
        pass
    return open_store(*given, **named)

process.Store.open = open_late
raise SystemExit(main(sys.argv[2:]))
"""
"""A daemon that works on its store until a file is there."""


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    """A profile of its own; whatever is waited for is said at once."""
    with own_profile(tmp_path, monkeypatch, said_after=0.0) as made:
        yield made


@pytest.fixture
def gate(settings: Settings) -> Path:
    """The file that lets a slow daemon go on."""
    return settings.places.data / "gate"


@pytest.fixture
def slow(gate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The daemon that clients start is a slow one."""

    def spawn_slow(_settings: Settings, lock: int) -> "subprocess.Popen[bytes]":
        command = (sys.executable, "-c", SLOW, str(gate), "--lock", str(lock))
        return subprocess.Popen(command, pass_fds=(lock,), stderr=subprocess.DEVNULL)

    monkeypatch.setattr(client_room, "_spawn_with", spawn_slow)


def test_a_start_is_waited_for_and_said_once(settings: Settings, gate: Path) -> None:
    """Who waits is told once for whom and for what; what others started is not said to be started."""
    said: list[str] = []

    def go_on(sentence: str) -> None:
        said.append(sentence)
        gate.touch()

    with running(sys.executable, "-c", SLOW, str(gate)) as daemon:
        awaited(lambda: told_by_holder(settings.places.daemon_lock) == "opening the store")
        connect(settings, go_on).close()
        found = probe(settings)
        stop(settings)

    assert isinstance(found, Ready)
    assert found.pid == daemon.pid
    (sentence,) = said
    assert "opening" in sentence


@pytest.mark.usefixtures("slow")
def test_a_daemon_that_starts_can_be_stopped(settings: Settings, gate: Path) -> None:
    """From the instant at which it is started `stop` finds it, and who waited for it is told."""
    said: list[str] = []

    def stop_it(sentence: str) -> None:
        said.append(sentence)
        assert stop(settings)

    with pytest.raises(DaemonUnreachable, match="was stopped while"):
        start(settings, stop_it)

    assert len(said) == 1
    assert holder(settings.places.daemon_lock) is None
    assert not stop(settings)
    assert not gate.exists()


@pytest.mark.usefixtures("slow")
def test_a_daemon_that_is_suspended_as_it_starts_is_stopped(settings: Settings) -> None:
    """Nobody has to wait for it, or to kill it by hand."""
    said: list[str] = []

    def suspend_and_stop(_sentence: str) -> None:
        pid = holder(settings.places.daemon_lock)
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        assert stop(settings, said.append)

    with pytest.raises(DaemonUnreachable, match="was stopped while"):
        start(settings, suspend_and_stop)
    assert said == []


def test_a_daemon_that_is_suspended_ends_as_others_do(settings: Settings) -> None:
    """It is woken to end cleanly: its announcement is gone, and its log says that it stopped."""
    said: list[str] = []
    os.kill(start(settings, lambda _sentence: None).pid, signal.SIGSTOP)

    assert stop(settings, said.append)
    assert said == []
    assert not settings.places.daemon_file.exists()
    assert settings.places.log.read_text().endswith("Stopped.\n")


DEAF = """
import signal
from finplan.daemon import process
from finplan.daemon.__main__ import main

serve = process.serve

async def serve_deaf(*given, **named):
    served = await serve(*given, **named)
    process.asyncio.get_running_loop().add_signal_handler = lambda *_: None
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    return served

process.serve = serve_deaf
raise SystemExit(main([]))
"""
"""A daemon that is served, and that no SIGTERM ends."""


def test_a_daemon_that_does_not_end_is_killed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who stops it is told so; what it had answered is there at the next start."""
    said: list[str] = []
    with running(sys.executable, "-c", DEAF) as daemon:
        awaited(lambda: isinstance(probe(settings), Ready))
        with connect(settings, lambda _sentence: None) as client:
            client.call(CHANGE_ME, UserChange(name="Ada"))
        with monkeypatch.context() as patch:
            patch.setattr(client_room, "STOP_PATIENCE", 0.1)
            assert stop(settings, said.append)
        assert daemon.wait(LONG_ENOUGH) == -signal.SIGKILL

    (sentence,) = said
    for part in (
        f"process {daemon.pid}",
        "within 0 seconds",
        str(settings.places.log),
    ):
        assert part in sentence
    assert not stop(settings)
    with connect(settings, lambda _sentence: None) as client:
        assert client.call(SHOW_ME, Nothing()).name == "Ada"


def test_a_daemon_of_another_version_that_hangs_is_killed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A restart waits for it no longer than who stops it, and says so."""
    said: list[str] = []
    with running(sys.executable, "-c", DEAF) as daemon:
        awaited(lambda: isinstance(probe(settings), Ready))
        with monkeypatch.context() as patch:
            patch.setattr(client_room, "STOP_PATIENCE", 0.1)
            patch.setattr(client_room, "__version__", "9.9.9")
            # The one that is started next is of this version, and so would be stopped again.
            patch.setattr(client_room, "_spawn", lambda _settings: None)
            patch.setattr(client_room, "NO_SIGN", 0.0)
            with pytest.raises(DaemonUnreachable):
                start(settings, said.append)
        assert daemon.wait(LONG_ENOUGH) == -signal.SIGKILL

    assert "Killed the background service" in said[0]


def test_a_daemon_that_the_system_keeps_is_told(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where even a kill ends nothing, nobody waits for ever, and the disk is named."""
    monkeypatch.setattr(client_room, "STOP_PATIENCE", 0.0)
    monkeypatch.setattr(client_room, "KILL_PATIENCE", 0.0)
    with monkeypatch.context() as patch:
        patch.setattr(client_room, "holder", lambda _lock: 4711)
        patch.setattr(os, "kill", lambda _pid, _signal: None)
        with pytest.raises(DaemonUnreachable, match=r"process 4711\) cannot be stopped") as refused:
            stop(settings)
    assert str(settings.places.data) in str(refused.value)


@pytest.mark.usefixtures("slow")
def test_a_daemon_outlives_the_program_that_started_it(settings: Settings, gate: Path) -> None:
    """Who is interrupted while a daemon starts leaves one that `status` and `stop` know."""

    def interrupt(_sentence: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        start(settings, interrupt)

    left = client_room.status(settings)
    assert left.running
    assert left.pid is not None
    # Another program joins the one that starts, and begins none of its own.
    gate.touch()
    assert start(settings, lambda _sentence: None).pid == left.pid


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_start_at_once(
    settings: Settings, gate: Path, told: signal.Signals
) -> None:
    """A daemon that works on its store ends without a word when it is told to, and nothing is left."""
    with running(sys.executable, "-c", SLOW, str(gate), "--foreground") as daemon:
        awaited(lambda: told_by_holder(settings.places.daemon_lock) == "opening the store")
        daemon.send_signal(told)
        out, err = daemon.communicate(timeout=LONG_ENOUGH)

    assert (daemon.returncode, out, err) == (-told, "", "")


@pytest.mark.usefixtures("slow")
def test_the_last_words_of_a_daemon_that_dies_are_told(settings: Settings) -> None:
    """Who waited for a daemon that was killed is told so, and where its log is."""

    def kill_it(_sentence: str) -> None:
        os.kill(holder(settings.places.daemon_lock) or 0, signal.SIGKILL)

    with pytest.raises(DaemonUnreachable, match=r"SIGKILL ended it.*log"):
        start(settings, kill_it)


def test_who_starts_a_daemon_may_be_suspended(settings: Settings, gate: Path) -> None:
    """While another program holds the lock of starting, a daemon that is ready is used all the same."""
    said: list[str] = []
    places = settings.places

    def let_one_start(sentence: str) -> None:
        said.append(sentence)
        gate.touch()
        daemons.enter_context(running(sys.executable, "-m", "finplan.daemon"))

    with ExitStack() as daemons, hold(places.start_lock):
        ready = start(settings, let_one_start)
        stop(settings)

    assert ready.token
    (sentence,) = said
    assert "starting" in sentence


def test_no_memory_is_ever_dumped(settings: Settings) -> None:
    """A daemon that crashes leaves no file with the household's data; what it starts inherits that."""
    pid = start(settings, lambda _sentence: None).pid
    limits = Path(f"/proc/{pid}/limits").read_text().splitlines()

    assert [line.split()[4:6] for line in limits if line.startswith("Max core")] == [["0", "0"]]


STARTS = 16
BEGIN = (sys.executable, "-m", "finplan", "daemon", "start", "--quiet")


def test_no_start_fails_on_a_busy_machine(tmp_path: Path) -> None:
    """Sixteen starts that want all of the processor hold each other up, and none of them fails."""
    failed = []
    with ExitStack() as all_of_them:
        begun = []
        for number in range(STARTS):
            home = {"FINPLAN_HOME": str(tmp_path / str(number))}
            env = {**os.environ, **home}
            begun.append((home, all_of_them.enter_context(running(*BEGIN, env=env))))
        for home, process in begun:
            _, said = process.communicate(timeout=LONG_ENOUGH)
            daemon = holder(load_settings(environ=home).places.daemon_lock)
            if process.returncode != 0 or daemon is None:
                failed.append((home, process.returncode, said))
            else:
                os.kill(daemon, signal.SIGKILL)

    assert failed == []
