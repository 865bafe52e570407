"""A household behind a real socket, that command lines typed in this process find like any other."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from os import getpid
from pathlib import Path

from finplan import __version__
from finplan.client.announcement import Announcement, hold, write_announcement
from finplan.settings import load_settings, marks_of_file
from finplan.webhooks.sending import Vetting
from finplan.webhooks.targets import PrivateTargets
from tests.daemon.running import RunningDaemon, running_daemon
from tests.patience import LONG_ENOUGH

AT_HOME = Vetting(PrivateTargets.of(["127.0.0.1"]))
"""Lets webhooks go to this machine, at a port of which nobody listens."""


@contextmanager
def served(
    folder: Path, store: Path, *profiles: str
) -> Iterator[tuple[RunningDaemon, asyncio.AbstractEventLoop]]:
    """A daemon on a copy of a store, on a thread of its own; it is that of each of the profiles."""
    ready, over = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []
    running: list[RunningDaemon] = []

    async def serve() -> None:
        loops.append(asyncio.get_running_loop())
        async with running_daemon(folder, store, vetting=AT_HOME) as daemon:
            running.append(daemon)
            ready.set()
            await over.wait()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    try:
        assert ready.wait(LONG_ENOUGH)
        with announced(running[0], list(profiles)):
            yield running[0], loops[0]
    finally:
        loops[0].call_soon_threadsafe(over.set)
        thread.join()


@contextmanager
def announced(daemon: RunningDaemon, profiles: list[str]) -> Iterator[None]:
    """Let command lines of the profiles find a daemon."""
    if not profiles:
        yield
        return
    settings = load_settings(profiles[0])
    settings.places.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with hold(settings.places.daemon_lock):
        write_announcement(
            settings.places.daemon_file,
            Announcement(
                pid=getpid(),
                port=daemon.port,
                version=__version__,
                site_url=daemon.base_url,
                token=daemon.token,
                started_at=0,
                settings=marks_of_file(settings),
            ),
        )
        with announced(daemon, profiles[1:]):
            yield
