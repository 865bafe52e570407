"""Ports for tests: free now, and out of the way of other tests that run beside them."""

import fcntl
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from finplan.settings import Settings, load_settings
from tests.patience import LONG_ENOUGH

FIRST, BLOCKS, SIZE = 20_000, 300, 40
"""The ports for tests lie below the range from which the system gives ports away."""


def free_ports(count: int) -> int:
    """The first of some ports in a row that nobody uses.

    A port that is free now may be taken before the daemon under test has it, so each test process has a
    block of ports that no other one looks into, whichever run of the tests it is of.
    """
    start = _own_block()
    for first in range(start, start + SIZE, count):
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first
    raise AssertionError(start)


def keep_own_port(settings: Settings) -> None:
    """Have a profile's daemon keep a port that no other test takes, also while it starts again."""
    settings.places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    settings.places.port_file.write_text(f"{free_ports(1)}\n", encoding="ascii")


@contextmanager
def own_profile(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    profile: str | None = None,
    said_after: float = LONG_ENOUGH,
) -> Iterator[Settings]:
    """A profile of a new home that keeps a free port; its daemon is stopped in the end."""
    from finplan.client import connect

    monkeypatch.setenv("FINPLAN_HOME", str(home))
    monkeypatch.setattr(connect, "NO_SIGN", LONG_ENOUGH)
    monkeypatch.setattr(connect, "WORTH_SAYING", said_after)
    settings = load_settings(profile)
    settings.places.data.mkdir()
    settings.places.port_file.write_text(str(free_ports(1)))
    yield settings
    connect.stop(settings)


@cache
def _own_block() -> int:
    """The first port of a block that this process has until it ends, by a lock that ends with it."""
    folder = Path(tempfile.gettempdir()) / f"finplan-test-ports-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    for block in range(BLOCKS):
        descriptor = os.open(folder / str(block), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
        else:
            return FIRST + block * SIZE
    raise AssertionError(folder)
