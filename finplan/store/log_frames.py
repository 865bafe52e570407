"""Frames of SQLite's write-ahead log: the whole page images that commits have put there.

Reading the log takes no lock and disturbs none: SQLite locks the store and its -shm file, never the log.
Source: https://www.sqlite.org/walformat.html.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HEADER, FRAME_HEADER = 32, 24
"""In bytes."""

_BIG_ENDIAN_SUMS = 1
"""The lowest bit of a log's magic number; set where its checksums read the high byte first."""

_LARGEST_BATCH = 256
"""How many frames are read at once."""


class Frame(NamedTuple):
    """One page image; `pages` is the size of the database that it commits, else 0."""

    number: int
    pages: int
    image: memoryview
    end: int


class Log(NamedTuple):
    """What the header of a log says; `salts` change whenever it is begun again."""

    page_size: int
    salts: bytes
    byte_order: str
    sums: tuple[int, int]


def log_of(store: Path) -> Path:
    """The log of a store."""
    return store.with_name(f"{store.name}-wal")


def read_header(file: int, known: Log | None = None) -> Log | None:
    """The header of a log, by its descriptor; None where there is none, or it is torn.

    The one that is `known` already need not be read to its end.
    """
    head = os.pread(file, HEADER, 0)
    if known is not None and known.salts == head[16:24]:
        return known
    if len(head) < HEADER:
        return None
    magic, _, page_size, _ = struct.unpack_from(">4I", head)
    byte_order = ">" if magic & _BIG_ENDIAN_SUMS else "<"
    sums = _checksum(head[:24], (0, 0), byte_order)
    if sums != struct.unpack_from(">2I", head, 24):
        return None
    return Log(page_size, head[16:24], byte_order, sums)


def read_frames(file: int, log: Log, start: int) -> Iterator[tuple[Frame, bytes, memoryview]]:
    """Frames from an offset on as long as they are of this log, with their header and whole bytes."""
    size = FRAME_HEADER + log.page_size
    batch, offset = 4, start
    while True:
        block = memoryview(os.pread(file, size * batch, offset))
        for at in range(0, len(block) - size + 1, size):
            head = bytes(block[at : at + FRAME_HEADER])
            if head[8:16] != log.salts:
                return
            number, pages = struct.unpack_from(">2I", head)
            offset += size
            image = block[at + FRAME_HEADER : at + size]
            yield Frame(number, pages, image, offset), head, block[at : at + size]
        if len(block) < size * batch:
            return
        batch = min(4 * batch, _LARGEST_BATCH)


def is_next(head: bytes, frame: memoryview, before: bytes | tuple[int, int], log: Log) -> bool:
    """Whether a frame follows another one by the log's own chain of checksums.

    `before` is the header of the frame before it, or the checksums of the log's header. What a
    transaction wrote that was undone stays behind the last commit and does not follow it.
    """
    sums = before if isinstance(before, tuple) else struct.unpack_from(">2I", before, 16)
    body = bytes(frame[:8]) + bytes(frame[FRAME_HEADER:])
    return _checksum(body, sums, log.byte_order) == struct.unpack_from(">2I", head, 16)


class SoundLog(NamedTuple):
    """The frames of a log that SQLite would recover: up to the last commit of its unbroken chain.

    `newest` has the offset of the newest image of each page, `end` that of the end of the last frame.
    """

    log: Log | None
    frames: list[tuple[int, int]]
    newest: dict[int, int]
    pages: int
    end: int


def read_sound_log(store: Path) -> SoundLog:
    """Read a store's log from its beginning, each frame judged by the log's own checksums."""
    nothing = SoundLog(None, [], {}, 0, HEADER)
    try:
        file = os.open(log_of(store), os.O_RDONLY)
    except FileNotFoundError:
        return nothing
    try:
        log = read_header(file)
        if log is None:
            return nothing
        frames: list[tuple[int, int]] = []
        pending: list[tuple[int, int]] = []
        pages, end = 0, HEADER
        before: bytes | tuple[int, int] = log.sums
        for frame, head, whole in read_frames(file, log, HEADER):
            if not is_next(head, whole, before, log):
                break
            before = head
            pending.append((frame.number, frame.end - log.page_size))
            if frame.pages:
                frames += pending
                pending.clear()
                pages, end = frame.pages, frame.end
    finally:
        os.close(file)
    return SoundLog(log, frames, dict(frames), pages, end)


def _checksum(data: bytes, sums: tuple[int, ...], byte_order: str) -> tuple[int, int]:
    first, second = sums
    values = iter(struct.unpack(f"{byte_order}{len(data) // 4}I", data))
    for low, high in zip(values, values, strict=True):
        first = (first + low + second) & 0xFFFFFFFF
        second = (second + high + first) & 0xFFFFFFFF
    return first, second
