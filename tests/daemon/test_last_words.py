"""The last words of a daemon that cannot start are why, whatever its log has still to write."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from finplan.settings import load_settings
from finplan.store.store import Store
from tests.patience import LONG_ENOUGH

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
    assert last.startswith("The daemon stumbled: ")
    assert set(before) == {"logged"}
