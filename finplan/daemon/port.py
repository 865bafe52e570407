"""The daemon's port: chosen once for a profile, then kept, since its address is known to others.

Where it cannot be had, the program that has it is named, as far as Linux tells.
"""

import errno
import shlex
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from finplan.settings import DEFAULT_PORT, Settings

_LOCAL_ADDRESSES = {
    "0100007F",
    "00000000",
    "0" * 32,
    "0000000000000000FFFF00000100007F",
}
"""127.0.0.1 and every address, as the kernel prints them in its two tables on most machines."""

_HOME_VARIABLE = "FINPLAN_HOME="


class PortHolder(NamedTuple):
    """A program that has a port: a word on it, and the command that stops it where it is finplan's."""

    program: str
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
                if int(number, 16) == port and address in _LOCAL_ADDRESSES:
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
        return _daemon_that_holds(process, arguments)
    name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    return PortHolder(f"{_printable(name)} (process {process.name})")


def _daemon_that_holds(process: Path, arguments: Sequence[str]) -> PortHolder:
    """A daemon of finplan, with the profile that it serves and the home, as far as these are seen."""
    program, command = "another finplan background service", "finplan daemon stop"
    profile = dict(pairwise(arguments)).get("--profile")
    home = next(
        (pair for pair in _listed(process / "environ") if pair.startswith(_HOME_VARIABLE)),
        _HOME_VARIABLE,
    )
    if profile is not None:
        program += f" for the profile {profile!r}"
        command += f" --profile {shlex.quote(profile)}"
    if home != _HOME_VARIABLE:
        program += f" at {home}"
        command = f"{_HOME_VARIABLE}{shlex.quote(home.removeprefix(_HOME_VARIABLE))} {command}"
    return PortHolder(f"{_printable(program)} (process {process.name})", _printable(command))


def _listed(file: Path) -> list[str]:
    return file.read_bytes().decode(errors="replace").split("\0")


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)


TRIES = 200
"""How many ports after the first are tried when a profile chooses its own."""


BACKLOG = 100
"""How many connections may wait until they are accepted, as many as asyncio asks for."""


class PortTaken(Exception):
    """The port cannot be had; the message says which, and what to do."""


def bind(settings: Settings) -> socket.socket:
    """A socket that listens on 127.0.0.1 on the profile's port; who connects waits until it is served.

    The port is the setting's, else the one kept from the first start, else the first free one from
    8460 for the profile `default` and from 8461 for others, which is then kept. Raises PortTaken.
    """
    saved_port = _kept_port(settings.places.port_file)
    port = settings.port or saved_port
    if port is not None:
        try:
            return _bound(port)
        except OSError as error:
            which = "is set" if settings.port else "was chosen at the first start"
            reason, stop = _explain_busy_port(error, port)
            raise PortTaken(
                f"Port {port} {which} for the profile {settings.profile!r}, but it cannot be used:"
                f" {reason}. {stop}, or choose another port with `port = NUMBER` in"
                f" {settings.places.configuration / 'finplan.toml'} or with FINPLAN_PORT."
            ) from error
    chosen = _first_free(settings)
    settings.places.port_file.write_text(f"{chosen.getsockname()[1]}\n", encoding="ascii")
    return chosen


@contextmanager
def holding_ipv6(port: int) -> Iterator[bool]:
    """Keep other programs off the same port of `[::1]`, where browsers look for `.localhost` first.

    Nobody is listened to there, so that browsers go on to 127.0.0.1 at once. Yields whether no other
    program can be there.
    """
    try:
        probe = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    except OSError:
        # This machine has no IPv6.
        yield True
        return
    with probe:
        try:
            # Without SO_REUSEADDR nobody else can bind it as long as it is bound.
            probe.bind(("::1", port))
        except OSError as error:
            yield error.errno == errno.EADDRNOTAVAIL
        else:
            yield True


def _first_free(settings: Settings) -> socket.socket:
    first = DEFAULT_PORT if settings.profile == "default" else DEFAULT_PORT + 1
    # Other profiles keep theirs even while their daemons do not run.
    kept_by_others = {_kept_port(path) for path in settings.places.data.parent.glob("*/port")}
    for port in range(first, first + TRIES):
        if port not in kept_by_others:
            try:
                return _bound(port)
            except OSError:
                continue
    raise PortTaken(
        f"No port from {first} to {first + TRIES - 1} is free on 127.0.0.1. Choose one with"
        " FINPLAN_PORT."
    )


def _bound(port: int) -> socket.socket:
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        # Without this a restart would have to wait until old connections are forgotten.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(("127.0.0.1", port))
        # Where nobody listens yet, Linux lets two processes bind one port, and the slower one would fail
        # only when it has done all else.
        bound.listen(BACKLOG)
    except OSError:
        bound.close()
        raise
    return bound


def _kept_port(path: Path) -> int | None:
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _explain_busy_port(error: OSError, port: int) -> tuple[str, str]:
    """Why a port cannot be had, and what frees it."""
    stop = "Stop the program that uses it"
    if error.errno != errno.EADDRINUSE:
        return str(error), stop
    holder = holder_of(port)
    if holder is None:
        return "another program uses it", stop
    if holder.stopped_by is not None:
        stop = f"Stop it with `{holder.stopped_by}`"
    return f"{holder.program} uses it", stop
