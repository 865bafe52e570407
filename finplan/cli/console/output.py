"""Where answers go: standard output, a pager, a browser, or a file.

What becomes of a run when standard output takes no more; long answers on a terminal, read a screen at a
time; files that a command writes whole or not at all, for their owner alone, over no other unasked.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

import typer

from finplan.cli.console.errors import BAD_INPUT, INTERNAL, CommandError
from finplan.client.failures import CallFailed


@contextmanager
def writing() -> Iterator[None]:
    """Write to stdout and flush it: stop in silence when its reader has left, as `head` does.

    Raises a CommandError when it cannot be written for another reason, such as a full disk.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _discard()
        raise typer.Exit(0) from None
    except OSError as error:
        raise unwritten(error) from None


def print_details(refused: CallFailed) -> None:
    """Print a refusal as the daemon answers it, so that a program reads what is left open."""
    details = {name: getattr(refused, name) for name in ("code", "status", "message", "data")}
    # That nobody reads it does not change why the command failed.
    with suppress(typer.Exit, CommandError), writing():
        sys.stdout.buffer.write(json.dumps(details).encode() + b"\n")


def unwritten(error: OSError) -> CommandError:
    """Give stdout up, and say why it could not be written."""
    _discard()
    reason = (error.strerror or str(error)).lower()
    return CommandError(f"Could not write the output: {reason}.", INTERNAL)


def _discard() -> None:
    # Python flushes stdout once more at exit, which must not fail again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


USUAL_PAGER = "less -FRX"
"""Quits by itself where all fits, keeps colours, and leaves what was read on the screen."""


def pager_of(environ: Mapping[str, str]) -> list[str] | None:
    """The program that a person reads long texts by, None for none: FINPLAN_PAGER, PAGER, or less."""
    chosen = environ.get("FINPLAN_PAGER", environ.get("PAGER", USUAL_PAGER))
    try:
        command = shlex.split(chosen)
    except ValueError:
        return None
    if not command or command[0] == "cat" or shutil.which(command[0]) is None:
        return None
    return command


class Pager:
    """A pager that runs; what is written goes to it until it is closed."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - The person's own pager.
            command, stdin=subprocess.PIPE, env={"LESSCHARSET": "utf-8", **os.environ}
        )

    def write(self, text: str) -> None:
        """Hand text over; a person who has left it wants no more."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(text.encode())

    def close(self) -> None:
        """Wait until the person has read."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        while True:
            # Ctrl-C is for the pager.
            with suppress(KeyboardInterrupt):
                self._process.wait()
                return


STDOUT = Path("-")


def must_be_new(file: Path, *, force: bool) -> None:
    """Refuse to overwrite a file without being told to."""
    if file != STDOUT and file.exists() and not force:
        raise CommandError(f"{file} already exists. Add --force to overwrite it.", BAD_INPUT)


def is_shown_in_browser(url: str) -> bool:
    """Have the person's browser open a page; whether there is one that does."""
    import webbrowser

    try:
        return webbrowser.open(url)
    except (webbrowser.Error, OSError):
        return False


@contextmanager
def whole_file(file: Path) -> Iterator[IO[bytes]]:
    """Write beside the file first, so that it is never there in part; only its owner may read it."""
    import tempfile

    path = None
    try:
        with tempfile.NamedTemporaryFile(dir=file.parent, prefix=".finplan-", delete=False) as part:
            path = Path(part.name)
            yield part
        path.replace(file)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise CommandError(f"Could not write {file}: {reason}.", INTERNAL) from error
    finally:
        if path is not None:
            path.unlink(missing_ok=True)
