"""Which table or index each page of a store belongs to, found by walking its trees.

Pages are read as they are, so that a damaged page hides only what hangs below it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from finplan.store.page_images import PageImages

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
