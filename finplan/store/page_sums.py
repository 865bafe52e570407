"""Sums of the store's pages, in a file beside it: they tell a damaged page from a sound one.

SQLite keeps no checksum of its pages. Every page image goes through the write-ahead log before it
reaches the store, so the sum of each image that finplan commits is appended here before a
checkpoint may move it. A page is as it was written when its sum is among those of its number.

The file holds a header and records of three words: number, sum, and a sum of these two, so that a
torn end is passed over. Number 0 is page 1 without its first 100 bytes, which a backup of SQLite's
changes.

Reading the frames of the log takes no lock and disturbs none: SQLite locks the store and its -shm
file, never the log. Source: https://www.sqlite.org/walformat.html.
"""

import fcntl
import logging
import os
import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import RLock
from typing import NamedTuple
from zlib import crc32

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


def read_header(file: int, cached: Log | None = None) -> Log | None:
    """The header of a log, by its descriptor; None where there is none, or it is torn.

    The one that is `cached` need not be read to its end.
    """
    head = os.pread(file, HEADER, 0)
    if cached is not None and cached.salts == head[16:24]:
        return cached
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
        opened = log_of(store).open("rb", buffering=0)
    except FileNotFoundError:
        return nothing
    with opened:
        file = opened.fileno()
        log = read_header(file)
        if log is None:
            return nothing
        frames: list[tuple[int, int]] = []
        pending: list[tuple[int, int]] = []
        pages, end = 0, HEADER
        before: bytes | tuple[int, int] = log.sums
        for frame, head, raw in read_frames(file, log, HEADER):
            if not is_next(head, raw, before, log):
                break
            before = head
            pending.append((frame.number, frame.end - log.page_size))
            if frame.pages:
                frames += pending
                pending.clear()
                pages, end = frame.pages, frame.end
    return SoundLog(log, frames, dict(frames), pages, end)


def _checksum(data: bytes, sums: tuple[int, ...], byte_order: str) -> tuple[int, int]:
    first, second = sums
    values = iter(struct.unpack(f"{byte_order}{len(data) // 4}I", data))
    for low, high in zip(values, values, strict=True):
        first = (first + low + second) & 0xFFFFFFFF
        second = (second + high + first) & 0xFFFFFFFF
    return first, second


MAGIC = b"finplan-sums 1\n\0"
RECORD = struct.Struct("<3I")
BODY = struct.Struct("<2I")

FIRST_PAGE_BODY = 0
"""The number under which page 1 stands without its header."""

DATABASE_HEADER = 100
"""The bytes of page 1 that a backup of SQLite's changes."""

COMMITTING, LOG_END = 0xFFFFFFFE, 0xFFFFFFFF
"""Numbers of records that are no page's: a commit begins; where the log ended after it."""

log = logging.getLogger(__name__)


class KnownSums(NamedTuple):
    """The sums that are right: each page's number and sum in one integer.

    `log_end` is the sum of where the log ended after the last commit, `is_open` whether a commit began
    whose end nobody noted.
    """

    accepted: frozenset[int]
    log_end: int | None
    is_open: bool

    def fits(self, number: int, sum_of_page: int) -> bool:
        """Whether a page was once committed with a sum."""
        return number << 32 | sum_of_page in self.accepted

    def sums_of(self, number: int) -> list[int]:
        """All sums of a page that are right; for the few pages that do not fit."""
        return [key & 0xFFFFFFFF for key in self.accepted if key >> 32 == number]


def sums_file_of(store: Path) -> Path:
    """The file that holds the sums of a store's pages."""
    return store.with_name(f"{store.name}-sums")


def read_sums(store: Path) -> KnownSums | None:
    """The sums beside a store; None where there are none."""
    try:
        data = sums_file_of(store).read_bytes()
    except FileNotFoundError:
        return None
    if not data.startswith(MAGIC):
        return None
    accepted, log_end, is_open = set[int](), None, False
    end = len(data) - (len(data) - len(MAGIC)) % RECORD.size
    for number, value, check in RECORD.iter_unpack(memoryview(data)[len(MAGIC) : end]):
        if crc32(BODY.pack(number, value)) != check:
            continue
        if number == LOG_END:
            log_end, is_open = value, False
        elif number == COMMITTING:
            is_open = True
        else:
            accepted.add(number << 32 | value)
    return KnownSums(frozenset(accepted), log_end, is_open)


def page_records(number: int, image: memoryview) -> bytes:
    """The records of one page image."""
    records = sum_record(number, crc32(image))
    if number == 1:
        records += sum_record(FIRST_PAGE_BODY, crc32(image[DATABASE_HEADER:]))
    return records


def log_end_sum(salts: bytes, end: int) -> int:
    """What is noted of where a log ends."""
    return crc32(salts + end.to_bytes(8))


def write_base(store: Path, records: Iterable[bytes]) -> None:
    """Put the sums of a store anew that no process has open."""
    replace_file(sums_file_of(store), b"".join((MAGIC, *records)))


def remove_sums(store: Path) -> None:
    """Forget the sums: whoever changes the store by other means does so first."""
    sums_file_of(store).unlink(missing_ok=True)


def is_one_bit(first: int, second: int, size: int) -> bool:
    """Whether two sums of images of at most `size` bytes tell that these differ in exactly one bit.

    The sum is linear: the difference of two sums hangs on that of the images alone.
    """
    return first ^ second in _syndromes(size)


@cache
def _syndromes(size: int) -> frozenset[int]:
    nothing = crc32(bytes(size))
    differences = set[int]()
    image = bytearray(size)
    for at in range(size):
        for bit in range(8):
            image[at] = 1 << bit
            differences.add(crc32(image) ^ nothing)
        image[at] = 0
    return frozenset(differences)


_OPEN_HERE = Counter[Path]()


def is_open_here(store: Path) -> bool:
    """Whether this process has a store open, beside which it must not read the file by itself."""
    return _OPEN_HERE[store.absolute()] > 0


class PageSums:
    """The sums of a store that this process has open; appended to after each commit.

    Several processes may append. Where that fails, as on a full disk, the sums are given up: the next
    start makes them anew once it has looked through the whole store.
    """

    def __init__(self, store: Path) -> None:
        self._log = log_of(store)
        self._path = sums_file_of(store)
        self._descriptor: int | None = None
        self._lock = RLock()
        # Behind the sound part of a log there may be what a killed transaction has left.
        sound = read_sound_log(store)
        self._header, self._end = sound.log, sound.end
        self._mark = 0
        self._is_open = False
        self._unsynced = False
        self._given_up = False
        self._store = store.absolute()
        _OPEN_HERE[self._store] += 1

    @property
    def frames(self) -> int:
        """How many frames the log has that were noted."""
        if self._header is None:
            return 0
        return (self._end - HEADER) // (FRAME_HEADER + self._header.page_size)

    def accept(self, records: Iterable[bytes]) -> None:
        """Append the sums of pages that are proven by other means."""
        self._append(b"".join(records))

    def begin_commit(self) -> None:
        """Note that a commit begins, so that one whose end is not noted is known as such."""
        self._is_open = True
        self._append(sum_record(COMMITTING, 0))

    def note_rollback(self) -> None:
        """Note that a commit that was begun did not happen; its frames in the log count for nothing."""
        if self._is_open:
            self._is_open = False
            self._append(sum_record(LOG_END, self._mark))

    def note_commit(self) -> None:
        """Append the sums of all pages that were committed to the log since the last time."""
        committed = bytearray()
        with suppress(OSError), self._log.open("rb", buffering=0) as file:
            committed, self._end = self._read_commits(file.fileno())
        if self._header is not None:
            self._mark = log_end_sum(self._header.salts, self._end)
        self._is_open = False
        self._append(bytes(committed) + sum_record(LOG_END, self._mark))

    def _read_commits(self, file: int) -> tuple[bytearray, int]:
        """The sums of what was committed since the last time, and where the last commit ends."""
        header = read_header(file, self._header)
        if header is not self._header:
            self._header, self._end = header, HEADER
        committed, pending, end = bytearray(), bytearray(), self._end
        if header is None:
            return committed, end
        before: bytes | None = None
        for frame, head, raw in read_frames(file, header, end):
            # Behind a commit there may be what an undone transaction has left.
            if before is not None and not is_next(head, raw, before, header):
                break
            pending += page_records(frame.number, frame.image)
            before = None
            if frame.pages:
                committed += pending
                pending.clear()
                end, before = frame.end, head
        return committed, end

    def sync(self) -> None:
        """Have the disk hold what was appended: to be called before a checkpoint moves the pages."""
        with self._lock:
            if self._unsynced and self._descriptor is not None:
                os.fsync(self._descriptor)
                self._unsynced = False

    def size(self) -> int:
        """Where the file ends now: what is appended from here on, `rebase` keeps."""
        with self._lock_file() as descriptor:
            return 0 if descriptor is None else os.fstat(descriptor).st_size

    def rebase(self, records: Iterable[bytes], since: int) -> None:
        """Put the sums of a proven copy in the place of those appended before `since`.

        Page 1 is another one in a copy, so its sums stay.
        """
        with self._lock_file() as descriptor:
            if descriptor is None:
                return
            size = os.fstat(descriptor).st_size
            tail = os.pread(descriptor, max(0, size - since), since)
            sums = read_sums(self._store)
            if sums is None:
                return
            first = [sum_record(1, value) for value in sums.sums_of(1)]
            mark = [] if sums.log_end is None else [sum_record(LOG_END, sums.log_end)]
            replace_file(self._path, b"".join((MAGIC, *records, *first, *mark, tail)))

    def close(self) -> None:
        """Close the file, together with the store; the disk holds what was appended."""
        _OPEN_HERE[self._store] -= 1
        with suppress(OSError):
            self.sync()
        with self._lock:
            self._close_file()

    def _close_file(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _append(self, records: bytes) -> None:
        try:
            with self._lock_file() as descriptor:
                if descriptor is None:
                    return
                taken = os.write(descriptor, records)
                self._unsynced = True
        except OSError:
            taken = -1
        if taken < len(records):
            log.warning("Could not save page checksums. The next start creates them again.")
            self._given_up = True
            with suppress(OSError):
                self._path.unlink(missing_ok=True)

    @contextmanager
    def _lock_file(self) -> Iterator[int | None]:
        """The descriptor of the file of that name, with nobody else writing; None without one."""
        with self._lock:
            while (descriptor := self._opened()) is not None:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                if self._is_current(descriptor):
                    _cut_torn_end(descriptor)
                    break
                self._close_file()
            try:
                yield descriptor
            finally:
                if descriptor is not None:
                    fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _opened(self) -> int | None:
        if self._given_up:
            return None
        if self._descriptor is None:
            try:
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_APPEND)
            except FileNotFoundError:
                # Whoever removes the file wants it made anew, at the next start.
                self._given_up = True
        return self._descriptor

    def _is_current(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def sum_record(number: int, value: int) -> bytes:
    """One record of the file."""
    return RECORD.pack(number, value, crc32(BODY.pack(number, value)))


def _cut_torn_end(descriptor: int) -> None:
    """Remove a record that a loss of power cut off, since what follows would not be found behind it."""
    size = os.fstat(descriptor).st_size
    torn = (size - len(MAGIC)) % RECORD.size
    if torn and size > len(MAGIC):
        os.ftruncate(descriptor, size - torn)


def replace_file(path: Path, data: bytes) -> None:
    """Let a file have a content, which is on the disk then, and never half of it; its owner reads it."""
    new = path.with_name(f"{path.name}.new")
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
    new.write_bytes(data)
    sync(new)
    new.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Have the disk hold a file, or a folder with the names in it: a name is there only with that."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
