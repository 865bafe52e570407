"""The pages of a store's file as bytes, read beside SQLite, and the tree that each belongs to.

Closing a file takes along the locks that SQLite holds on it in the same process. So a store is read
here only by a process that does not have it open. Whose a page is is found by walking the trees;
pages are read as they are, so that a damaged page hides only what hangs below it.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from finplan.store import page_sums

_BLOCK = 2**20
_PENDING_BYTE = 2**30
"""SQLite locks this byte of a file and leaves its page alone."""


FEW_PAGES = 8
"""Of how many bad pages it is asked whether one bit differs: hardware spoils few, programs many."""


class BadPage(NamedTuple):
    """A page that is not as it was committed; `one_bit` where exactly one bit of it differs.

    It is not asked of more than `FEW_PAGES`.
    """

    number: int
    one_bit: bool


class PageImages:
    """The newest committed image of each page: from the log where it is there, else from the file."""

    def __init__(self, store: Path) -> None:
        self._file = store.open("rb", buffering=0)
        self._log_file: FileIO | None = None
        with suppress(FileNotFoundError):
            # Opened first, as the last connection of another process may remove it at any moment.
            self._log_file = page_sums.log_of(store).open("rb", buffering=0)
        # What is appended from here on is looked at another time.
        self.log_size = 0 if self._log_file is None else os.fstat(self._log_file.fileno()).st_size
        self.log = page_sums.read_sound_log(store)
        header = os.pread(self._file.fileno(), page_sums.DATABASE_HEADER, 0)
        size = int.from_bytes(header[16:18]) if len(header) == page_sums.DATABASE_HEADER else 0
        self.page_size = 65536 if size == 1 else size
        if self.page_size < 512 or self.page_size & (self.page_size - 1):
            # Without a header that can be read, the size that finplan's stores have is as good as any.
            self.page_size = 4096
        in_file = os.fstat(self._file.fileno()).st_size // self.page_size
        self.pages = self.log.pages or in_file

    def close(self) -> None:
        """Close the files."""
        self._file.close()
        if self._log_file is not None:
            self._log_file.close()

    def image(self, number: int) -> bytes:
        """The newest committed image of a page; shorter where the file ends."""
        offset = self.log.newest.get(number)
        if offset is not None:
            return self._logged(offset)
        return os.pread(self._file.fileno(), self.page_size, (number - 1) * self.page_size)

    def _logged(self, offset: int) -> bytes:
        assert self._log_file is not None
        return os.pread(self._log_file.fileno(), self.page_size, offset)

    def images(self) -> Iterator[tuple[int, memoryview]]:
        """The pages of the file itself, of which no newer image is in the log."""
        at_once = max(1, _BLOCK // self.page_size)
        for first in range(1, self.pages + 1, at_once):
            block = memoryview(
                os.pread(
                    self._file.fileno(), at_once * self.page_size, (first - 1) * self.page_size
                )
            )
            for number in range(first, min(first + at_once, self.pages + 1)):
                if number in self.log.newest or number == _PENDING_BYTE // self.page_size + 1:
                    continue
                start = (number - first) * self.page_size
                yield number, block[start : start + self.page_size]

    def all_records(self) -> Iterator[bytes]:
        """The records of all pages as they are: for a file that is proven to be right."""
        for number, image in self.images():
            yield page_sums.page_records(number, image)
        for number in self.log.newest:
            yield page_sums.page_records(number, memoryview(self.image(number)))

    def log_records(self) -> Iterator[bytes]:
        """The records of all images in the log, each of which the log's own checksums prove."""
        for number, offset in self.log.frames:
            yield page_sums.page_records(number, memoryview(self._logged(offset)))

    def free_pages(self) -> frozenset[int]:
        """Pages that hold nothing: SQLite need not write them, so that no sum tells of them."""
        free = set[int]()
        header = self.image(1)
        trunk, trunks = int.from_bytes(header[32:36]), set[int]()
        while 0 < trunk <= self.pages and trunk not in trunks:
            trunks.add(trunk)
            page = self.image(trunk)
            count = min(int.from_bytes(page[4:8]), self.page_size // 4 - 2)
            free.update(int.from_bytes(page[at : at + 4]) for at in range(8, 8 + 4 * count, 4))
            trunk = int.from_bytes(page[:4])
        return frozenset(free - trunks)


def bad_pages(
    images: PageImages, sums: page_sums.KnownSums, *, is_copy: bool = False
) -> list[BadPage]:
    """The pages that are not as finplan committed them, in order.

    A copy made by SQLite's backup has another header in page 1, which is left out of account there.
    """
    bad = list[BadPage]()
    free: frozenset[int] | None = None
    for number, image in images.images():
        key, body = number, image
        if is_copy and number == 1:
            key, body = page_sums.FIRST_PAGE_BODY, image[page_sums.DATABASE_HEADER :]
        value = crc32(body)
        if sums.fits(key, value):
            continue
        if free is None:
            free = images.free_pages()
        if number not in free:
            one_bit = len(bad) < FEW_PAGES and any(
                page_sums.is_one_bit(value, right, images.page_size) for right in sums.sums_of(key)
            )
            bad.append(BadPage(number, one_bit))
    return bad


_INTERIOR_INDEX, _INTERIOR_TABLE, _LEAF_INDEX, _LEAF_TABLE = 2, 5, 10, 13


class BTree(NamedTuple):
    """A table or an index: its name, whether it is an index, and the page that it begins with."""

    name: str
    is_index: bool
    root: int


class PageOwner(NamedTuple):
    """Whose a page is: the name of a table or an index, and what the page is in it."""

    name: str
    is_index: bool
    kind: str


def page_owners(
    images: PageImages, trees: Iterable[BTree], bad: frozenset[int] = frozenset()
) -> dict[int, PageOwner]:
    """Whose each page is that is reached without reading one of the `bad` pages."""
    owners = dict[int, PageOwner]()
    usable = images.page_size - images.image(1)[20]
    for tree in trees:
        waiting = [tree.root]
        while waiting:
            number = waiting.pop()
            if not 0 < number <= images.pages or number in owners:
                continue
            page = images.image(number)
            start = 100 if number == 1 else 0
            flag = page[start] if len(page) > start else 0
            is_interior = flag in {_INTERIOR_INDEX, _INTERIOR_TABLE}
            kind = "interior" if is_interior else "leaf"
            owners[number] = PageOwner(tree.name, tree.is_index, kind)
            if number in bad or flag not in {2, 5, 10, 13}:
                continue
            cells = _cells(page, start, is_interior)
            if is_interior:
                waiting.append(int.from_bytes(page[start + 8 : start + 12]))
                waiting += [int.from_bytes(page[cell : cell + 4]) for cell in cells]
            if flag != _INTERIOR_TABLE:
                for cell in cells:
                    first = _overflow_page(page, cell, flag, usable)
                    _claim_overflow(images, owners, tree, first, bad)
    return owners


def _claim_overflow(
    images: PageImages,
    owners: dict[int, PageOwner],
    tree: BTree,
    number: int,
    bad: frozenset[int],
) -> None:
    while 0 < number <= images.pages and number not in owners:
        owners[number] = PageOwner(tree.name, tree.is_index, "overflow")
        if number in bad:
            return
        number = int.from_bytes(images.image(number)[:4])


def _cells(page: bytes, start: int, is_interior: bool) -> list[int]:
    count = int.from_bytes(page[start + 3 : start + 5])
    first = start + (12 if is_interior else 8)
    offsets = [int.from_bytes(page[at : at + 2]) for at in range(first, first + 2 * count, 2)]
    return [offset for offset in offsets if first <= offset < len(page)]


def _overflow_page(page: bytes, cell: int, flag: int, usable: int) -> int:
    """The first overflow page of a cell, 0 where its content is in the page."""
    if flag == _INTERIOR_INDEX:
        cell += 4
    payload, at = _varint(page, cell)
    if flag == _LEAF_TABLE:
        _, at = _varint(page, at)
    largest = usable - 35 if flag == _LEAF_TABLE else (usable - 12) * 64 // 255 - 23
    if payload <= largest:
        return 0
    smallest = (usable - 12) * 32 // 255 - 23
    local = smallest + (payload - smallest) % (usable - 4)
    at += local if local <= largest else smallest
    return int.from_bytes(page[at : at + 4])


def _varint(page: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        if at >= len(page):
            return value, at
        byte = page[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | (page[at] if at < len(page) else 0), at + 1
