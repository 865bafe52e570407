"""A store that is gone is told once, however many threads find it out."""

from pathlib import Path
from threading import Lock, Semaphore, Thread

import pytest

from finplan.model.errors import StoreLost
from finplan.store.store_file import StoreFile
from tests.patience import LONG_ENOUGH


class ToldLock:
    """A lock that tells when somebody is about to ask for it."""

    def __init__(self) -> None:
        self.asked = Semaphore(0)
        self._lock = Lock()

    def __enter__(self) -> None:
        self.asked.release()
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_of_two_threads_that_find_it_out_one_tells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the first sets the log aside the second waits; it raises the same and tells nobody."""
    path = tmp_path / "finplan.db"
    path.touch()
    file = StoreFile(path, tmp_path / "backups")
    told: list[StoreLost] = []
    raised: list[StoreLost] = []
    lock = ToldLock()
    file.when_lost = told.append
    monkeypatch.setattr(file, "_losing", lock)

    def find_out() -> None:
        # Both have looked already, before either of them has told.
        with pytest.raises(StoreLost) as caught:
            file._lose("is gone")
        raised.append(caught.value)

    second = Thread(target=find_out)

    def set_aside() -> None:
        second.start()
        # The first one's own asking, then the second one's.
        assert lock.asked.acquire(timeout=LONG_ENOUGH)
        assert lock.asked.acquire(timeout=LONG_ENOUGH)

    monkeypatch.setattr(file, "_set_log_aside", set_aside)
    find_out()
    second.join(LONG_ENOUGH)
    assert told == raised[:1] == raised[1:]
    assert len(raised) == 2
