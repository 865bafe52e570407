"""A lock is held by one process at a time, names it, and ends with it."""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from finplan.client.announcement import (
    LOCK_RECORD,
    LockHeld,
    hand_over,
    hold,
    holder,
    told_by_holder,
)
from tests.patience import LONG_ENOUGH


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


def test_a_lock_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With patience, a lock that another process lets go of is had."""
    path = tmp_path / "x.lock"
    holding = (
        "import sys; from pathlib import Path; from finplan.client.announcement import hold\n"
        "with hold(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holding, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
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
    dying = (
        "import os, sys; from pathlib import Path; from finplan.client.announcement import hold\n"
        "with hold(Path(sys.argv[1])): os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", dying, str(path)], check=True)

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
    waiting = (
        "import sys; from pathlib import Path; from finplan.client.announcement import hold\n"
        "sys.stdin.readline()\n"
        "with hold(Path(sys.argv[1]), handed=int(sys.argv[2])) as held:\n"
        "    held.tell('working'); print('held', flush=True); sys.stdin.readline()"
    )

    def start(lock: int) -> int:
        command = (sys.executable, "-c", waiting, str(path), str(lock))
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
