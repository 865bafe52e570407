"""Which program has a port of this machine, where Linux tells."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

_LOCAL = {
    "0100007F",
    "00000000",
    "0" * 32,
    "0000000000000000FFFF00000100007F",
}
"""127.0.0.1 and every address, as the kernel prints them in its two tables on most machines."""

_HOME = "FINPLAN_HOME="


class PortHolder(NamedTuple):
    """A program that has a port: a word on it, and the command that stops it where it is finplan's."""

    said: str
    stopped_by: str | None = None


def holder_of(port: int) -> PortHolder | None:
    """The program that keeps a port on 127.0.0.1, None when it cannot be told."""
    return next(filter(None, map(_owner_of, _sockets_on(port))), None)


def _sockets_on(port: int) -> Iterator[str]:
    """The inodes of the sockets on a port."""
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in Path(f"/proc/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
                fields = line.split()
                address, _, number = fields[1].partition(":")
                if int(number, 16) == port and address in _LOCAL:
                    yield fields[9]


def _owner_of(inode: str) -> PortHolder | None:
    for process in Path("/proc").glob("[0-9]*"):
        # Processes of others keep to themselves what they have open, and any may end meanwhile.
        with suppress(OSError):
            for opened in (process / "fd").iterdir():
                with suppress(OSError):
                    if str(opened.readlink()) == f"socket:[{inode}]":
                        return _holder(process)
    return None


def _holder(process: Path) -> PortHolder:
    arguments = _listed(process / "cmdline")
    if "finplan.daemon" in arguments:
        return _daemon(process, arguments)
    name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    return PortHolder(f"{_shown(name)} (process {process.name})")


def _daemon(process: Path, arguments: Sequence[str]) -> PortHolder:
    """A daemon of finplan, with the profile that it serves and the home, as far as these are seen."""
    said, command = "another daemon of finplan", "finplan daemon stop"
    profile = dict(pairwise(arguments)).get("--profile")
    home = next((each for each in _listed(process / "environ") if each.startswith(_HOME)), _HOME)
    if profile is not None:
        said += f" for the profile {profile!r}"
        command += f" --profile {shlex.quote(profile)}"
    if home != _HOME:
        said += f" at {home}"
        command = f"{_HOME}{shlex.quote(home.removeprefix(_HOME))} {command}"
    return PortHolder(f"{_shown(said)} (process {process.name})", _shown(command))


def _listed(file: Path) -> list[str]:
    return file.read_bytes().decode(errors="replace").split("\0")


def _shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
