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
    shown = _desktop(platform)
    return None if shown is None else partial(_show, shown)


class _Said:
    """Tells by a command of the person's."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._failing = False

    async def tell(self, kind: str, _headline: str, text: str) -> str | None:
        environment = {"FINPLAN_NOTICE": text, "FINPLAN_NOTICE_KIND": kind}
        failed = await _run(self._words, f"{text}\n", environment)
        told = None if failed is None else f"The notify_command {failed}"
        if told is not None and not self._failing:
            log.warning("%s", told)
        self._failing = told is not None
        return told


async def _show(shown: tuple[str, ...], _kind: str, headline: str, _text: str) -> str | None:
    """Tell on the desktop, by the system's own tool."""
    # osascript reads its script from here; notify-send reads nothing.
    script = f'display notification "{headline}" with title "finplan"'
    words = [each.format(headline=headline) for each in shown]
    failed = await _run(words, script, {})
    return None if failed is None else f"The desktop could not be told: {words[0]} {failed}"


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
    shown = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if platform == "linux" and shown and shutil.which("notify-send"):
        return ("notify-send", "--app-name=finplan", "finplan", "{headline}")
    return None


async def _run(words: list[str], content: str, environment: Mapping[str, str]) -> str | None:
    """Run a program without a shell; answers what went wrong.

    Its exit code alone tells whether it went well: what it leaves running may go on.
    """
    kept = {name: value for name, value in os.environ.items() if name not in SECRET_VARIABLES}
    # Files, not pipes: a pipe would not end before all that the program has started.
    with TemporaryFile() as given, TemporaryFile() as said:
        given.write(content.encode())
        given.seek(0)
        try:
            process = await asyncio.create_subprocess_exec(
                *words,
                stdin=given,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=said,
                env={**kept, **environment},
                start_new_session=True,
            )
        except OSError as error:
            return f"cannot be run: {error.strerror}: {words[0]}."
        try:
            async with asyncio.timeout(PATIENCE):
                code = await process.wait()
        except TimeoutError:
            return f"took more than {PATIENCE:.0f} seconds, and was ended."
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if not code:
            return None
        said.seek(0)
        lines = said.read().decode(errors="replace").strip().splitlines()
        return f"ended with exit code {code}{': ' + lines[-1] if lines else ''}."
