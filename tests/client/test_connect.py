"""How a client finds the daemon: its file, its lock, whether its process gets on, and its start.

The file is private, whole, and read back as it was; a lock is held by one process at a time, names
it, and ends with it; starting at login says exactly what runs, and the system's own tool turns it on
and off.
"""

import errno
import json
import os
import plistlib
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from finplan.client import connect as room
from finplan.client.announcement import (
    ALREADY_RUNNING,
    LOCK_RECORD,
    ROOM,
    Announcement,
    LockHeld,
    hand_over,
    hold,
    holder,
    make_room,
    read_announcement,
    told_by_holder,
    write_announcement,
)
from finplan.client.connect import Progress, processor_time
from finplan.client.login_service import (
    CANNOT_START,
    NoLoginService,
    install,
    login_service,
    uninstall,
)
from finplan.daemon import process
from finplan.settings import Settings, load_settings
from tests.nasty_paths import NASTY_NAMES
from tests.patience import LONG_ENOUGH
from tests.present import present

HERE = Announcement(
    pid=7, port=8460, version="0.1.0", site_url="http://x", token="secret", started_at=1
)


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    """What was announced is what a client reads, under the outside names."""
    path = tmp_path / "daemon.json"
    write_announcement(path, HERE)

    assert read_announcement(path) == HERE
    assert set(json.loads(path.read_text())) == {
        "pid",
        "port",
        "version",
        "siteUrl",
        "token",
        "startedAt",
        "settings",
    }
    assert HERE.url == "http://127.0.0.1:8460"


def test_a_daemon_of_before_an_update_is_found(tmp_path: Path) -> None:
    """One that told no settings is read all the same, so that it can be ended."""
    path = tmp_path / "daemon.json"
    write_announcement(path, HERE)
    told = json.loads(path.read_text())
    del told["settings"]
    path.write_text(json.dumps(told))
    assert read_announcement(path) == HERE
    path.write_text("[]")
    assert read_announcement(path) is None


def test_it_is_private_whatever_lay_there(tmp_path: Path) -> None:
    """Only the owner may read it, also when an open file and a forgotten draft lay there before."""
    path = tmp_path / "daemon.json"
    for name in ("daemon.json", "daemon.json.new"):
        (tmp_path / name).write_text("{}")
        (tmp_path / name).chmod(0o644)

    write_announcement(path, HERE)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["daemon.json"]


@pytest.mark.parametrize("forgotten", [(), ("daemon.json",), ("daemon.json.new",)])
def test_room_that_was_taken_is_written_anew(tmp_path: Path, forgotten: tuple[str, ...]) -> None:
    """From then on no byte more is needed; what lay there gives its own room, and announces nothing."""
    path, draft = tmp_path / "daemon.json", tmp_path / "daemon.json.new"
    for name in forgotten:
        (tmp_path / name).write_text("{}")
        (tmp_path / name).chmod(0o600)
    before = [(tmp_path / name).stat().st_ino for name in forgotten]

    make_room(path)

    kept = draft.stat()
    assert [file.name for file in tmp_path.iterdir()] == [draft.name]
    assert (kept.st_size, stat.S_IMODE(kept.st_mode)) == (ROOM, 0o600)
    assert before in ([], [kept.st_ino])
    write_announcement(path, HERE)
    assert path.stat().st_ino == kept.st_ino
    assert read_announcement(path) == HERE
    assert len(path.read_bytes()) < ROOM


@pytest.mark.parametrize("content", ["", "{", "[]", "5", '{"pid": 7}', "\x00"])
def test_a_file_that_is_not_understood_is_none(tmp_path: Path, content: str) -> None:
    """Nonsense is no daemon, and no error."""
    (tmp_path / "daemon.json").write_text(content)

    assert read_announcement(tmp_path / "daemon.json") is None
    assert read_announcement(tmp_path / "nothing.json") is None


def test_a_newer_daemon_may_say_more(tmp_path: Path) -> None:
    """Fields that this version does not know are passed over."""
    write_announcement(tmp_path / "daemon.json", HERE)
    content = json.loads((tmp_path / "daemon.json").read_text())
    (tmp_path / "daemon.json").write_text(json.dumps(content | {"mood": "good"}))

    assert read_announcement(tmp_path / "daemon.json") == HERE


def test_the_token_is_not_shown() -> None:
    """An announcement in a message or a trace keeps its token to itself."""
    assert "secret" not in repr(HERE)


def test_a_lock_names_its_holder(tmp_path: Path) -> None:
    """While it is held the file names this process; before and after, nobody."""
    path = tmp_path / "x.lock"

    assert holder(path) is None
    with hold(path):
        assert holder(path) == os.getpid()
    assert holder(path) is None
    assert path.read_text().strip() == ""


def test_a_lock_has_one_holder(tmp_path: Path) -> None:
    """A second holder is refused and told who holds it; asking does not disturb the first."""
    path = tmp_path / "x.lock"

    with hold(path):
        for _ in range(3):
            with pytest.raises(LockHeld) as held, hold(path):
                pass
            assert held.value.pid == os.getpid()
            assert holder(path) == os.getpid()


HOLDING = """
import sys; from pathlib import Path; from finplan.client.announcement import hold
with hold(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()
"""
DYING = """
import os, sys; from pathlib import Path; from finplan.client.announcement import hold
with hold(Path(sys.argv[1])): os._exit(0)
"""
WAITING = """
import sys; from pathlib import Path; from finplan.client.announcement import hold
sys.stdin.readline()
with hold(Path(sys.argv[1]), handed=int(sys.argv[2])) as held:
    held.tell('working'); print('held', flush=True); sys.stdin.readline()
"""


def test_a_lock_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With patience, a lock that another process lets go of is had."""
    path = tmp_path / "x.lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None
        present(other.stdout).readline()
        assert holder(path) == other.pid
        pause, end_of_input = time.sleep, other.stdin.close

        def let_go(seconds: float) -> None:
            end_of_input()
            pause(seconds)

        monkeypatch.setattr(time, "sleep", let_go)
        with hold(path, patience=LONG_ENOUGH):
            assert holder(path) == os.getpid()


def test_a_dead_holder_holds_nothing(tmp_path: Path) -> None:
    """A process that was killed leaves its number in the file, and no lock."""
    path = tmp_path / "x.lock"
    subprocess.run([sys.executable, "-c", DYING, str(path)], check=True)

    assert path.read_text() != ""
    assert holder(path) is None
    with hold(path):
        assert holder(path) == os.getpid()


@pytest.mark.parametrize("content", ["{own}", "", "no number", "0", "99999999999999999999"])
def test_what_a_file_says_is_no_lock(tmp_path: Path, content: str) -> None:
    """A live number in a file that nobody has locked, or nonsense, names no holder."""
    path = tmp_path / "x.lock"
    path.write_text(content.format(own=os.getpid()))

    assert holder(path) is None


def test_a_lock_is_handed_over(tmp_path: Path) -> None:
    """There is no moment without a holder: the lock is the new process's from its start to its end."""
    path = tmp_path / "x.lock"
    started: list[subprocess.Popen[str]] = []

    def start(lock: int) -> int:
        command = (sys.executable, "-c", WAITING, str(path), str(lock))
        pipes = subprocess.PIPE
        started.append(
            subprocess.Popen(command, pass_fds=(lock,), stdin=pipes, stdout=pipes, text=True)
        )
        return started[0].pid

    hand_over(path, start)
    with started[0] as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert holder(path) == process.pid
        assert told_by_holder(path) == ""
        with pytest.raises(LockHeld) as held:
            hand_over(path, start)
        assert held.value.pid == process.pid
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "held\n"
        assert holder(path) == process.pid
        assert told_by_holder(path) == "working"
        process.stdin.close()
        process.wait()
    assert holder(path) is None
    assert len(started) == 1


def test_a_lock_is_its_owners_alone(tmp_path: Path) -> None:
    """Whoever makes the file, nobody else may open it, whatever the umask is."""
    path = tmp_path / "x.lock"
    before = os.umask(0)
    try:
        with hold(path):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_lock_needs_no_room_a_second_time(tmp_path: Path) -> None:
    """Where the disk is full it can be held and let go of: its file never grows or shrinks."""
    path = tmp_path / "x.lock"
    sizes = set[int]()
    for doing in ("", "working", "w" * 500):
        with hold(path) as held:
            held.tell(doing)
            assert holder(path) == os.getpid()
            sizes.add(path.stat().st_size)
        sizes.add(path.stat().st_size)

    assert sizes == {LOCK_RECORD}
    assert told_by_holder(path) == ""
    assert told_by_holder(tmp_path / "nothing") == ""


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The instant that it is; a test may set another one."""
    instant = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: instant[0])
    return instant


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> dict[int, int | None]:
    """How long each process has had the processor."""
    worked: dict[int, int | None] = {7: 3}
    monkeypatch.setattr(room, "processor_time", worked.get)
    return worked


def test_who_does_nothing_is_quiet(seconds: list[float], work: dict[int, int | None]) -> None:
    """The time without a sign is counted from the last one."""
    progress = Progress()

    assert progress.quiet_for(7, "opening") == 0
    seconds[0] += 5
    assert progress.quiet_for(7, "opening") == 5
    seconds[0] += 5
    assert progress.quiet_for(7, "opening") == 10


@pytest.mark.parametrize("sign", ["work", "words", "another process"])
def test_any_sign_begins_the_time_anew(
    seconds: list[float], work: dict[int, int | None], sign: str
) -> None:
    """Use of the processor, another step, or another process in its place is progress."""
    work[8] = 3
    progress = Progress()
    progress.quiet_for(7, "opening")
    seconds[0] += 5
    if sign == "work":
        work[7] = 4
    pid, doing = (
        (8 if sign == "another process" else 7),
        ("keying" if sign == "words" else "opening"),
    )

    assert progress.quiet_for(pid, doing) == 0
    seconds[0] += 1
    assert progress.quiet_for(pid, doing) == 1


def test_being_there_may_be_enough(seconds: list[float], work: dict[int, int | None]) -> None:
    """A process whose work nobody can see is waited for; a process that nobody can name is not."""
    work[7] = None
    progress = Progress()
    for _ in range(3):
        assert progress.quiet_for(7, "opening") == 0
        seconds[0] += 5

    assert progress.quiet_for(None, "opening") == 0
    seconds[0] += 5
    assert progress.quiet_for(None, "opening") == 5


def test_the_processor_time_of_a_process_grows_with_its_work() -> None:
    """Each tick is counted, whatever the name of the process; one that is gone has none."""
    before = processor_time(os.getpid())
    if before is not None:
        own = time.process_time()
        while time.process_time() - own <= 0.05:
            pass
        assert present(processor_time(os.getpid())) > before
    assert processor_time(2**22 + 1) is None


TOOL = """#!/bin/sh
echo "$(basename "$0") $*" >> "{log}"
[ ! -e "{broken}" ] || {{ echo 'No bus' >&2; exit 1; }}
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings("default", environ(tmp_path))


def environ(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "FINPLAN_HOME": str(home / "finplan")}


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand-ins for the systems' tools, which note what they were asked; answers where."""
    log = tmp_path / "asked"
    for name in ("systemctl", "launchctl"):
        tool = tmp_path / "bin" / name
        tool.parent.mkdir(exist_ok=True)
        tool.write_text(TOOL.format(log=log, broken=tmp_path / "broken"))
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return log


def test_a_unit_starts_this_very_daemon(tmp_path: Path, settings: Settings) -> None:
    """It runs this interpreter for this profile with its places, and not again where that is in vain."""
    service = login_service(settings, "linux", environ(tmp_path))

    assert service.file == tmp_path / ".config" / "systemd" / "user" / "finplan.service"
    lines = service.content.decode().splitlines()
    assert f'ExecStart="{sys.executable}" "-m" "finplan.daemon" "--profile" "default"' in lines
    assert f'Environment="FINPLAN_HOME={tmp_path / "finplan"}"' in lines
    assert f"RestartPreventExitStatus={process.CANNOT_START} {ALREADY_RUNNING}" in lines
    assert process.CANNOT_START == CANNOT_START
    assert "WantedBy=default.target" in lines


def test_each_profile_has_its_own(tmp_path: Path) -> None:
    """Another profile's daemon is another unit, below where the person keeps their configuration."""
    where = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "conf")}
    other = login_service(load_settings("work", where), "linux", where)

    assert other.file == tmp_path / "conf" / "systemd" / "user" / "finplan-work.service"
    assert "XDG_CONFIG_HOME" in other.content.decode()
    assert other.turn_on[-1] == ("systemctl", "--user", "enable", "finplan-work.service")


def test_an_agent_starts_this_very_daemon(tmp_path: Path, settings: Settings) -> None:
    """Launchd reads the same from a property list."""
    service = login_service(settings, "darwin", environ(tmp_path))

    assert service.file == tmp_path / "Library" / "LaunchAgents" / "finplan.daemon.plist"
    told = plistlib.loads(service.content)
    assert told["ProgramArguments"] == [
        sys.executable,
        "-m",
        "finplan.daemon",
        "--profile",
        "default",
    ]
    assert told["EnvironmentVariables"] == {"FINPLAN_HOME": str(tmp_path / "finplan")}
    assert (told["Label"], told["RunAtLoad"]) == ("finplan.daemon", True)


def test_another_system_is_told_what_to_run(settings: Settings) -> None:
    """Where neither is known, the command stands in the sentence."""
    with pytest.raises(NoLoginService, match=r"-m finplan\.daemon --profile default"):
        login_service(settings, "win32")


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_it_is_turned_on_and_taken_back(
    tmp_path: Path, settings: Settings, tools: Path, platform: str
) -> None:
    """Installing writes and turns on, again if need be; uninstalling leaves nothing."""
    service = login_service(settings, platform, environ(tmp_path))
    for _ in range(2):
        assert install(service) is None
        assert service.file.read_bytes() == service.content
        assert service.is_installed
    assert uninstall(service) is None
    assert not service.file.exists()
    asked = [
        line.split()[2 if platform == "linux" else 1] for line in tools.read_text().splitlines()
    ]
    once = ["daemon-reload", "enable"] if platform == "linux" else ["enable"]
    after = ["disable", "daemon-reload"] if platform == "linux" else ["disable"]
    assert asked == [*once, *once, *after]


def test_a_tool_that_fails_is_named(
    tmp_path: Path, settings: Settings, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it said is told; the file stays when installing, and goes when uninstalling."""
    service = login_service(settings, "linux", environ(tmp_path))
    (tmp_path / "broken").touch()
    told = present(install(service))
    assert told.startswith("`systemctl --user daemon-reload`")
    assert told.endswith(": No bus.")
    assert service.file.exists()
    named = "`systemctl --user disable finplan.service`"
    assert uninstall(service) == told.replace("`systemctl --user daemon-reload`", named)
    assert not service.file.exists()
    assert tools.exists()

    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    assert os.strerror(errno.ENOENT) in present(install(service))


@pytest.mark.sampled(6)
@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
@pytest.mark.parametrize("name", [each for each in NASTY_NAMES if each.isprintable()])
def test_systemd_reads_any_folder(tmp_path: Path, name: str) -> None:
    """Whatever a home is called, systemd finds no fault in the unit, and reads the name as it is."""
    where = {"HOME": str(tmp_path), "FINPLAN_HOME": str(tmp_path / name)}
    service = login_service(load_settings("default", where), "linux", where)
    unit = tmp_path / "finplan.service"
    unit.write_bytes(service.content)
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--user", str(unit)],
        capture_output=True,
        check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )
    said = [line for line in checked.stderr.decode().splitlines() if str(unit.name) in line]
    assert (said, checked.returncode) == ([], 0)
