"""The files of an import: a pipe becomes a file first, and what cannot be read is refused."""

import shutil
import stat
import sys
import tempfile
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

import typer

from finplan.cli.console.errors import BAD_INPUT, print_error

STANDARD_INPUT = Path("-")
_PIPE_NAMES = {"-": "standard-input", "/dev/stdin": "standard-input"}


def readable_files(files: Sequence[Path], context: typer.Context) -> list[Path]:
    """The files, each of which can be read as often as need be; pipes are kept until the run ends.

    Leaves with exit code 3 after a sentence for each one that cannot be read; then nothing is sent.
    """
    faults = [fault for file in files if (fault := _fault(file)) is not None]
    for fault in faults:
        print_error(fault)
    if faults:
        raise typer.Exit(BAD_INPUT)
    if not any(map(_flows, files)):
        return list(files)
    folder = tempfile.TemporaryDirectory(prefix="finplan-")
    context.call_on_close(folder.cleanup)
    return [
        _kept(file, Path(folder.name) / str(place)) if _flows(file) else file
        for place, file in enumerate(files)
    ]


def _flows(file: Path) -> bool:
    """Whether a file can be read once only and has no size: a pipe, or `-` for standard input."""
    if file == STANDARD_INPUT:
        return True
    mode = file.stat().st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _kept(file: Path, folder: Path) -> Path:
    folder.mkdir()
    kept = folder / _PIPE_NAMES.get(str(file), file.name)
    with kept.open("wb") as target:
        if file == STANDARD_INPUT:
            shutil.copyfileobj(sys.stdin.buffer, target)
        else:
            with file.open("rb") as pipe:
                shutil.copyfileobj(pipe, target)
    return kept


def _fault(file: Path) -> str | None:
    if file == STANDARD_INPUT:
        return None
    try:
        # What is read from a pipe to try it would be missing afterwards.
        return None if _flows(file) else _fault_of_a_file(file)
    except FileNotFoundError:
        return f"{file}: there is no such file.{_near(file)}"
    except IsADirectoryError:
        return f"{file}: this is a folder; name the files in it, for example {file / '*.csv'}."
    except OSError as error:
        return f"{file}: it cannot be read ({error.strerror})."


def _near(file: Path) -> str:
    """Which files may have been meant, where their folder has some of similar names."""
    try:
        there = [each.name for each in file.parent.iterdir()]
    except OSError:
        return f" Nor is there a folder {file.parent}." if not file.parent.exists() else ""
    named = [str(file.parent / name) for name in get_close_matches(file.name, there)]
    if named:
        return f" Did you mean {' or '.join(named)}?"
    return (
        " Write where it is, too, such as ~/Downloads/statement.csv."
        if file.name == str(file)
        else ""
    )


def _fault_of_a_file(file: Path) -> str | None:
    mode = file.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return f"{file}: this is a device and no file; name a file, or - to read a pipe."
    with file.open("rb") as opened:
        opened.read(1)
    return None
