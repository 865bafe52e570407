"""A process gets on as long as it uses the processor or says something new, and is waited for."""

import os
import time

import pytest

from finplan.client import connect as room
from finplan.client.connect import Progress, processor_time


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


def test_where_the_system_does_not_tell_being_there_is_enough(
    seconds: list[float], work: dict[int, int | None]
) -> None:
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
        after = processor_time(os.getpid())
        assert after is not None
        assert after > before
    assert processor_time(2**22 + 1) is None
