"""Telling the person something unasked: by a command of theirs, or on their desktop.

What they run is theirs: it gets the message on its input and in `FINPLAN_NOTICE`, never as an argument,
since anybody on the machine may read the arguments of a program. The desktop gets a headline, which
names nobody and no amount.
"""

import asyncio
import logging
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from tempfile import TemporaryFile

from finplan.model.errors import StoreDamaged
from finplan.model.installation import STORE_DAMAGED, sentence_of
from finplan.service.context import TellOwner
from finplan.setting_values import words_of_command
from finplan.settings import SECRET_VARIABLES
from finplan.store.store_file import StoreFile

PATIENCE = 30.0
"""How long a command of the person's may take, in seconds."""

OFF = "off"
"""The setting by which a person is told nothing."""

_DAMAGED = "finplan cannot save changes. Run: finplan backup restore"
"""What the desktop shows of a damaged store."""

log = logging.getLogger(__name__)


def teller(command: str | None, platform: str = sys.platform) -> TellOwner | None:
    """What tells the owner of the machine; None where they want no word, or no desktop is there."""
    if command == OFF:
        return None
    if command is not None:
        return _Said(words_of_command(command)).tell
    tool = _desktop(platform)
    return None if tool is None else partial(_show, tool)


class _Said:
    """Tells by a command of the person's."""

    def __init__(self, argv: list[str]) -> None:
        self._argv = argv
        self._failing = False

    async def tell(self, kind: str, _headline: str, text: str) -> str | None:
        environment = {"FINPLAN_NOTICE": text, "FINPLAN_NOTICE_KIND": kind}
        failed = await _run(self._argv, f"{text}\n", environment)
        failure = None if failed is None else f"The notify_command {failed}"
        if failure is not None and not self._failing:
            log.warning("%s", failure)
        self._failing = failure is not None
        return failure


async def _show(tool: tuple[str, ...], _kind: str, headline: str, _text: str) -> str | None:
    """Tell on the desktop, by the system's own tool."""
    # osascript reads its script from here; notify-send reads nothing.
    script = f'display notification "{headline}" with title "finplan"'
    argv = [part.format(headline=headline) for part in tool]
    failed = await _run(argv, script, {})
    return None if failed is None else f"Could not notify you on the desktop: {argv[0]} {failed}"


async def tell_of_damage(file: StoreFile, tell: TellOwner | None) -> None:
    """Wait until a store's file turns out to be damaged, and tell the owner of the machine at once.

    That they were told is remembered nowhere, since nothing may be written: each run of a daemon tells
    once.
    """
    loop, damaged = asyncio.get_running_loop(), asyncio.Event()

    def wake(_damage: StoreDamaged) -> None:
        # The loop may have closed while the last answer was read.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(damaged.set)

    file.when_damaged = wake
    if file.damage is None:
        await damaged.wait()
    sentence = sentence_of(STORE_DAMAGED)
    log.error("%s", sentence)
    failed = None if tell is None else await tell(STORE_DAMAGED, _DAMAGED, sentence)
    if failed is not None:
        log.warning("Could not notify the owner of the damaged store: %s", failed)


def _desktop(platform: str) -> tuple[str, ...] | None:
    if platform == "darwin":
        return ("osascript", "-") if shutil.which("osascript") else None
    display = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if platform == "linux" and display and shutil.which("notify-send"):
        return ("notify-send", "--app-name=finplan", "finplan", "{headline}")
    return None


async def _run(argv: list[str], content: str, environment: Mapping[str, str]) -> str | None:
    """Run a program without a shell; answers what went wrong.

    Its exit code alone tells whether it went well: what it leaves running may go on.
    """
    variables = {name: value for name, value in os.environ.items() if name not in SECRET_VARIABLES}
    # Files, not pipes: a pipe would not end before all that the program has started.
    with TemporaryFile() as stdin, TemporaryFile() as output:
        stdin.write(content.encode())
        stdin.seek(0)
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                stdin=stdin,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=output,
                env={**variables, **environment},
                start_new_session=True,
            )
        except OSError as error:
            return f"cannot run: {error.strerror}: {argv[0]}."
        try:
            async with asyncio.timeout(PATIENCE):
                code = await process.wait()
        except TimeoutError:
            return f"took more than {PATIENCE:.0f} seconds and was stopped."
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if not code:
            return None
        output.seek(0)
        lines = output.read().decode(errors="replace").strip().splitlines()
        return f"failed with exit code {code}{': ' + lines[-1] if lines else ''}."
