"""A real daemon in a process of its own, which is killed at a moment that it does not choose."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import httpx

from finplan.client.announcement import Announcement, read_announcement
from finplan.client.request import API_ROOT, SESSION_COOKIE
from finplan.setting_values import LARGEST_RATE_LIMIT
from finplan.settings import Places, load_settings
from tests.crash.work import Write
from tests.daemon.ports import free_ports
from tests.patience import LONG_ENOUGH
from tests.processes import LOOKS_EVERY


class Died(Exception):
    """The daemon hung up in the middle: it was killed."""


class Failed(Exception):
    """The daemon did what no kill explains; the sentence says what."""


class Home:
    """The folder of one profile whose daemons are killed, and the port that they share."""

    def __init__(self, folder: Path) -> None:
        others = {name: each for name, each in os.environ.items() if name[:8] != "FINPLAN_"}
        self.environment = others | {
            "FINPLAN_HOME": str(folder),
            "FINPLAN_PORT": str(free_ports(1)),
            "FINPLAN_RATE_LIMIT": str(LARGEST_RATE_LIMIT),
            "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
        }
        self.places: Places = load_settings(environ=self.environment).places
        self.output = folder / "output.log"


@dataclass
class MortalDaemon:
    """A daemon's process; it can be asked once it is `ready`."""

    home: Home
    process: "subprocess.Popen[bytes]"
    http: httpx.Client

    def kill_after(self, seconds: float) -> None:
        """End it at a later moment, as a crash does, whatever it is doing then."""
        killing = Timer(seconds, self.process.kill)
        killing.daemon = True
        killing.start()

    def get_ready(self) -> None:
        """Wait until it says how it is reached. Raises Died and Failed."""
        deadline = time.monotonic() + LONG_ENOUGH
        while (announcement := self._announced()) is None:
            if self.process.poll() is not None:
                raise self.death()
            if time.monotonic() > deadline:
                raise Failed(f"The daemon is not ready after {LONG_ENOUGH:.0f} seconds.")
            time.sleep(LOOKS_EVERY)
        self.http.base_url = httpx.URL(announcement.url + API_ROOT)
        self.http.headers["cookie"] = f"{SESSION_COOKIE}={announcement.token}"

    def send(self, write: Write, key: str) -> httpx.Response:
        """Ask for a write. Raises Died."""
        try:
            return self.http.request(
                write.method,
                write.path,
                json=write.json,
                files=None if write.file is None else {"file": write.file},
                data=write.form or None,
                headers={"idempotency-key": key},
            )
        except httpx.TransportError as error:
            raise Died from error

    def ask(self, path: str, **headers: str) -> object:
        """What it answers to a question. Raises Died and Failed."""
        try:
            response = self.http.get(path, headers=headers)
        except httpx.TransportError as error:
            raise Died from error
        if not response.is_success:
            raise Failed(f"GET {path} is answered {response.status_code}: {response.text}")
        return response.json()

    def death(self) -> Died | Failed:
        """What its end is, which is waited for: a kill, or something else."""
        code = self.process.wait(LONG_ENOUGH)
        if code == -signal.SIGKILL:
            return Died()
        said = self.home.output.read_text(errors="replace")[-2000:]
        return Failed(f"The daemon ended by itself with {code}. It said: {said}")

    def _announced(self) -> Announcement | None:
        """How it is reached; a file that an earlier daemon has left is not about this one."""
        found = read_announcement(self.home.places.daemon_file)
        return found if found is not None and found.pid == self.process.pid else None


@contextmanager
def mortal_daemon(home: Home) -> Iterator[MortalDaemon]:
    """A daemon that has just been started; it does not outlive the block."""
    with (
        home.output.open("ab") as output,
        httpx.Client(trust_env=False, verify=False, timeout=LONG_ENOUGH) as http,
        subprocess.Popen(
            [sys.executable, "-m", "finplan.daemon"],
            env=home.environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        ) as process,
    ):
        try:
            yield MortalDaemon(home, process, http)
        finally:
            process.kill()
