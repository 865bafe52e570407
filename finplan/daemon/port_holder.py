"""Which program has a port of this machine, where Linux tells."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LOCAL = {
    "0100007F",
    "00000000",
    "0" * 32,
    "0000000000000000FFFF00000100007F",
}
"""127.0.0.1 and every address, as the kernel prints them in its two tables on most machines."""


def holder_of(port: int) -> str | None:
    """A word on the program that keeps a port on 127.0.0.1, None when it cannot be told."""
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


def _owner_of(inode: str) -> str | None:
    for process in Path("/proc").glob("[0-9]*"):
        # Processes of others keep to themselves what they have open, and any may end meanwhile.
        with suppress(OSError):
            for opened in (process / "fd").iterdir():
                with suppress(OSError):
                    if str(opened.readlink()) == f"socket:[{inode}]":
                        return f"{_name_of(process)} (process {process.name})"
    return None


def _name_of(process: Path) -> str:
    if b"finplan.daemon" in (process / "cmdline").read_bytes().split(b"\0"):
        return "another daemon of finplan"
    name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    return "".join(sign if sign.isprintable() else "?" for sign in name)
