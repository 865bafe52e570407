"""The end of a file that grows."""

import time
from collections.abc import Iterator
from pathlib import Path

BLOCK = 65536
PAUSE = 0.2
"""How often a growing file is looked at, in seconds."""


def last_lines(path: Path, number: int) -> bytes:
    """The last lines of a file, without the final line break; reads no more than it needs."""
    with path.open("rb") as file:
        start = file.seek(0, 2)
        content = b""
        while start > 0 and content.count(b"\n") <= number:
            size = min(BLOCK, start)
            start = file.seek(start - size)
            content = file.read(size) + content
    return b"\n".join(content.splitlines()[-number:])


def new_lines(path: Path) -> Iterator[bytes]:
    """Each line that is written from now on; follows the file to its successor when it is rotated."""
    file = path.open("rb")
    try:
        file.seek(0, 2)
        while True:
            line = file.readline()
            if line.endswith(b"\n"):
                yield line.rstrip(b"\n")
                continue
            file.seek(-len(line), 1)
            if _replaced(path, file.fileno()):
                file.close()
                file = path.open("rb")
            time.sleep(PAUSE)
    finally:
        file.close()


def _replaced(path: Path, descriptor: int) -> bool:
    import os

    try:
        return path.stat().st_ino != os.fstat(descriptor).st_ino
    except FileNotFoundError:
        return False
