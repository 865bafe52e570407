"""A machine on which the command lines of the handbook are typed, with households to type them about."""

import asyncio
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import httpx
import pytest

from finplan.cli.app import run
from finplan.client.request import SESSION_COOKIE
from finplan.settings import load_settings
from tests.daemon.ports import keep_own_port
from tests.daemon.running import NOW, RunningDaemon
from tests.handbook.shown.household import served
from tests.patience import LONG_ENOUGH

Value = TypeVar("Value")

DEMO, OWN, NEW, MACHINE = "default", "own", "new", "machine"
"""The profiles: the demo household, one of statement files, one in which nothing has happened, and one
whose daemon is a process of its own."""

RESTORED = f"{NEW}-home"
"""One more in which nothing has happened."""

LEFT = "left"
"""A profile with the demo household for each command that ends one."""

PASSWORD = "correct horse battery staple"  # Nobody has it.

STAND_INS = {
    "finplan": f'exec {shlex.quote(sys.executable)} -m finplan "$@"',
    "pass": f"echo {PASSWORD}",
    "systemctl": "exit 0",
    "python": f'exec {shlex.quote(sys.executable)} "$@"',
    "less": "cat > /dev/null",
}
"""Programs of the person's own, and of the system's, that are on the path."""


_OF_A_SHELL = re.compile(r"[|<>$\n]|&&")
"""What a shell does something about."""


class Ended(NamedTuple):
    """How a command line ended, and what it wrote."""

    code: int
    out: str
    err: str


class Machine:
    """Where a reader types: their folder, their programs, their households."""

    def __init__(
        self,
        folder: Path,
        stores: dict[str, Path],
        patch: pytest.MonkeyPatch,
        capture: pytest.CaptureFixture[str] | None,
    ) -> None:
        self.folder = folder
        self._stores, self._patch, self._capture = stores, patch, capture
        self._running: dict[str, RunningDaemon] = {}
        self._loops: dict[str, asyncio.AbstractEventLoop] = {}
        self._open = ExitStack()

    def another(self) -> str:
        """The profile of one more demo household, of which nothing may be left."""
        return f"{LEFT}-{len(self._running)}"

    def daemon(self, profile: str) -> RunningDaemon:
        """The daemon of a household, which begins with the first command about it."""
        if profile not in self._running:
            place = load_settings(profile).places.data
            place.mkdir(parents=True, exist_ok=True, mode=0o700)
            named = (profile, "demo") if profile == DEMO else (profile,)
            daemon, loop = self._open.enter_context(
                served(place, self._stores[profile.partition("-")[0]], *named)
            )
            self._running[profile], self._loops[profile] = daemon, loop
        return self._running[profile]

    def ask(self, profile: str, method: str, path: str, body: Any = None) -> Any:
        """Ask a household's daemon for what the command line does not tell a test."""
        daemon = self.daemon(profile)
        answered = httpx.request(
            method,
            f"{daemon.base_url}/api/v1{path}",
            json=body,
            cookies={SESSION_COOKIE: daemon.token},
        )
        assert answered.is_success, answered.text
        return answered.json()

    def in_daemon(
        self, profile: str, do: "Callable[[RunningDaemon], Coroutine[Any, Any, Value]]"
    ) -> Value:
        """Do something on the loop of a household's daemon, which no command line does."""
        daemon = self.daemon(profile)
        loop = self._loops[profile]
        return asyncio.run_coroutine_threadsafe(do(daemon), loop).result(LONG_ENOUGH)

    def type(self, line: str, profile: str, keys: str = "") -> Ended:
        """Type a line; what `|`, `>` and the like are for is the shell's."""
        for named in (profile, *re.findall(r"--profile ([\w-]+)", line)):
            if named != MACHINE:
                self.daemon(named)
        with self._patch.context() as here:
            here.setenv("FINPLAN_PROFILE", profile)
            words = shlex.split(line)
            if words[0] != "finplan" or _OF_A_SHELL.search(line):
                return self._in_a_shell(line, keys)
            (self.folder / "keys").write_text(keys)
            with (self.folder / "keys").open() as typed:
                here.setattr("sys.stdin", typed)
                code = run(words[1:])
            return Ended(code, *(self._capture.readouterr() if self._capture else (("", ""))))

    def _in_a_shell(self, line: str, keys: str) -> Ended:
        ended = subprocess.run(
            ["/bin/sh", "-ec", line], input=keys, capture_output=True, text=True, check=False
        )
        return Ended(ended.returncode, ended.stdout, ended.stderr)

    def close(self) -> None:
        """Stop every daemon."""
        self._open.close()
        if (load_settings(MACHINE).places.daemon_file).exists():
            run(["--profile", MACHINE, "daemon", "stop"])


@contextmanager
def machine_in(
    folder: Path,
    stores: dict[str, Path],
    patch: pytest.MonkeyPatch,
    capture: pytest.CaptureFixture[str] | None = None,
) -> Iterator[Machine]:
    """A machine that knows nothing but finplan and the stand-ins; its browser opens nothing."""
    programs = folder / "bin"
    programs.mkdir()
    for name, does in STAND_INS.items():
        (programs / name).write_text(f"#!/bin/sh\n{does}\n")
        (programs / name).chmod(0o755)
    for name in (".config/finplan/default", ".zfunc", ".config/fish/completions"):
        (folder / name).mkdir(parents=True)
    patch.chdir(folder)
    patch.setenv("HOME", str(folder))
    patch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    patch.setenv("FINPLAN_HOME", str(folder / "home"))
    patch.setenv("COLUMNS", "80")
    patch.setenv("BROWSER", "true")
    patch.delenv("APPDATA", raising=False)
    patch.delenv("DISPLAY", raising=False)
    patch.setattr("finplan.cli.commands.people.PATIENCE_WITH_BROWSER", 0)
    # Nothing is delivered here, so nobody waits for it.
    patch.setattr("finplan.cli.commands.webhooks.PAUSES", (0.0,))
    # The daemons' clock stands; what commands say of days is said on the same day.
    patch.setattr("finplan.cli.console.typed_values._today", lambda _session: NOW.date())
    # The daemons of households are this very process.
    patch.setattr("finplan.client.connect._signal", _signal_another)
    # What is typed about that daemon stops it and starts it again.
    keep_own_port(load_settings(MACHINE))
    machine = Machine(folder, stores, patch, capture)
    try:
        yield machine
    finally:
        machine.close()


def _signal_another(pid: int, *signals: signal.Signals) -> None:
    assert pid != os.getpid()
    for each in signals:
        os.kill(pid, each)
