"""Whether a store or a copy is whole: page sums, SQLite's full check, references, own laws.

A start looks at each page against its sum, and at the log that is left, before the store is opened:
a process reads the file by itself only as long as it has no connection to it.
"""

import logging
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from finplan.model.characters import visible
from finplan.store import page_sums
from finplan.store.engine import connect
from finplan.store.page_images import BadPage, BTree, PageImages, PageOwner, bad_pages, page_owners

DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""The codes by which SQLite says that a file's content is damaged."""

MOST_FAULTS = 20
"""How many faults are listed."""

LOOKS, PAUSE = 4, 0.1
"""How often a page is read before it counts as bad, and the seconds between: it may be in use."""

FindStrange = Callable[[Path], Sequence[str]]
"""Finds rows in a store that finplan cannot read; nothing for a store of another version."""

_OF_INDEX = re.compile(
    r"(?:row \d+ missing from|wrong # of entries in|non-unique entry in) index (\S+)$"
)


def finds_nothing(_path: Path) -> Sequence[str]:
    """Stands for a search of strange rows where there is none to make."""
    return ()


class Examination(NamedTuple):
    """What was found: `faults` in words, nothing where the store is whole.

    `indexes` are the damaged ones, where nothing else is damaged. `is_changed` tells that pages differ
    as only another program writes them, `has_sums` that there were page sums to judge by, and
    `single_bits` that nothing is wrong but single bits of pages.
    """

    faults: tuple[str, ...]
    indexes: tuple[str, ...] = ()
    is_changed: bool = False
    has_sums: bool = True
    log_is_cut: bool = False
    strange: tuple[str, ...] = ()
    single_bits: bool = False

    @property
    def described(self) -> tuple[str, ...]:
        """All that is wrong with it, in words."""
        changed = ("another program changed it",) if self.is_changed else ()
        return (*self.faults, *changed, *self.strange)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.faults and not self.is_changed and not self.strange


def examine(store: Path, find_strange: FindStrange = finds_nothing) -> Examination:
    """Look at every page of a store that this process does not have open; changes nothing."""
    return _judge(store, page_sums.read_sums(store), _look_repeatedly(store, store), find_strange)


def examine_copy(copy: Path, source: Path | None, find_strange: FindStrange) -> Examination:
    """Look at every page of a copy that nobody has open, by the sums of the store it was made of."""
    sums = None if source is None else page_sums.read_sums(source)
    pages = _NOTHING if source is None else _look_repeatedly(copy, source)
    return _judge(copy, sums, pages, find_strange)


def look_at_pages(images: PageImages, sums: page_sums.KnownSums) -> "PagesSeen":
    """Compare the pages of a store that this process does not have open with their sums."""
    return PagesSeen(tuple(bad_pages(images, sums)), _log_is_cut(images, sums))


class PagesSeen(NamedTuple):
    """Which pages are not as they were committed, and whether commits are missing at the log's end."""

    bad: tuple[BadPage, ...] = ()
    log_is_cut: bool = False


_NOTHING = PagesSeen()


def _look_repeatedly(store: Path, source: Path) -> PagesSeen:
    """Look at the pages of a store, or of its copy, by the sums of the store that is the `source`."""
    pages = _NOTHING
    for look in range(LOOKS):
        # The sums of the newest commit may be on their way still.
        if look:
            time.sleep(PAUSE)
        sums = page_sums.read_sums(source)
        if sums is None:
            return _NOTHING
        with closing(PageImages(store)) as images:
            if store == source:
                pages = look_at_pages(images, sums)
            else:
                pages = PagesSeen(tuple(bad_pages(images, sums, is_copy=True)))
        if pages == _NOTHING:
            break
    return pages


def _log_is_cut(images: PageImages, sums: page_sums.KnownSums) -> bool:
    """Whether a commit that was noted is in a part of the log that its own checksums break off."""
    sound = images.log
    if sound.log is None or sums.log_end is None:
        return False
    frame = page_sums.FRAME_HEADER + sound.log.page_size
    ends = range(sound.end + frame, images.log_size + 1, frame)
    return any(page_sums.log_end_sum(sound.log.salts, at) == sums.log_end for at in ends)


def _judge(
    store: Path, sums: page_sums.KnownSums | None, pages: PagesSeen, find_strange: FindStrange
) -> Examination:
    faults = integrity_faults(store)
    bad, has_sums = pages.bad, sums is not None
    strange = () if faults else tuple(find_strange(store))
    if pages.log_is_cut:
        faults = [*faults, "its log is damaged, and the last changes cannot be read"]
        return Examination(tuple(faults), has_sums=has_sums, log_is_cut=True, strange=strange)
    if not faults and (not bad or _is_foreign(bad, sums)):
        return Examination((), (), bool(bad), has_sums, strange=strange)
    trees = read_trees(store)
    owners = _owners(store, trees, bad)
    described = [_describe(page, owners.get(page.number)) for page in bad]
    indexes = _damaged_indexes(bad, faults, owners)
    return Examination(
        (*described, *faults)[:MOST_FAULTS],
        indexes,
        has_sums=has_sums,
        strange=strange,
        single_bits=not faults and all(page.one_bit for page in bad),
    )


def _is_foreign(bad: Sequence[BadPage], sums: page_sums.KnownSums | None) -> bool:
    """Whether pages differ as another program writes them: a store that is whole, not by single bits.

    A program writes more than single bits in some page, or writes many pages. Where a commit began whose
    end nobody noted, it may have been that one.
    """
    return (sums is not None and sums.is_open) or not all(page.one_bit for page in bad)


def _damaged_indexes(
    bad: Sequence[BadPage], faults: Iterable[str], owners: dict[int, PageOwner]
) -> tuple[str, ...]:
    """The damaged indexes where nothing but indexes is damaged, else nothing.

    All other pages are proven by their sums; without a bad page, each fault has to name an index.
    """
    if bad:
        bad_owners = [owners[page.number] for page in bad if page.number in owners]
        if not bad_owners or not all(owner.is_index for owner in bad_owners):
            return ()
        return tuple(sorted({owner.name for owner in bad_owners}))
    matches = [_OF_INDEX.match(fault) for fault in faults]
    if not matches or not all(matches):
        return ()
    return tuple(sorted({match[1] for match in matches if match}))


def _owners(store: Path, trees: Sequence[BTree], bad: Sequence[BadPage]) -> dict[int, PageOwner]:
    if not trees or not bad:
        return {}
    with closing(PageImages(store)) as images:
        return page_owners(images, trees, frozenset(page.number for page in bad))


def _describe(page: BadPage, owner: PageOwner | None) -> str:
    differs = "differs in one bit from" if page.one_bit else "differs from"
    if owner is None:
        return f"page {page.number} {differs} what finplan wrote"
    kind = "index" if owner.is_index else "table"
    return f"page {page.number} ({kind} {owner.name}) {differs} what finplan wrote"


def integrity_faults(path: Path) -> list[str]:
    """What SQLite's full check and its check of references find wrong, nothing where all is well.

    Raises sqlite3.DatabaseError where the file cannot be opened for another reason.
    """
    try:
        with closing(open_to_read(path)) as connection:
            check = f"PRAGMA integrity_check({MOST_FAULTS})"
            faults = [str(row[0]) for row in connection.execute(check).fetchall()]
            if faults != ["ok"]:
                return faults
            rows = connection.execute("PRAGMA foreign_key_check").fetchmany(MOST_FAULTS)
            return [
                f"row {row[1]} of the table {row[0]} refers to a missing row of the table {row[2]}"
                for row in rows
            ]
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in DAMAGE:
            raise
        return [str(error)]


def open_to_read(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing; a log that is there stays as it is."""
    log = page_sums.log_of(path)
    # Closing the last connection would move the log into the store; without one nothing is left behind.
    mode = "ro" if log.exists() and log.stat().st_size else "rw"
    connection = connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)
    connection.execute("PRAGMA query_only = ON")
    return connection


def read_trees(store: Path) -> list[BTree]:
    """The tables and indexes of a store; nothing where its schema cannot be read."""
    try:
        with closing(open_to_read(store)) as connection:
            rows = connection.execute(
                "SELECT name, type = 'index', rootpage FROM sqlite_schema WHERE rootpage > 0"
            )
            return [
                BTree("sqlite_schema", is_index=False, root=1),
                *(BTree(str(n), bool(i), r) for n, i, r in rows),
            ]
    except sqlite3.DatabaseError:
        return []


MOST_RECORDS = 3
"""How many records there may be to a page before the sums of former images are dropped."""

log = logging.getLogger(__name__)


def check_at_start(store: Path) -> Examination | None:
    """Look at the pages of a store that is about to be opened; None where nothing is damaged.

    Pages in a log that a killed process left are accepted, as the log's own checksums prove them. For a
    store without sums, or changed by another program, they are made once SQLite finds it whole.
    """
    if page_sums.is_open_here(store) or not store.exists() or store.stat().st_size == 0:
        return None
    with closing(PageImages(store)) as images:
        accept_log(store, images)
        sums = page_sums.read_sums(store)
        if sums is not None and look_at_pages(images, sums) == PagesSeen():
            _drop_former_sums(store, images)
            return None
    examination = examine(store)
    if examination.log_is_cut:
        # It is said once; what SQLite reads of the log is what there is from then on.
        _accept_log_end(store)
    if examination.faults:
        return examination
    if examination.has_sums and not examination.is_changed:
        # Another process committed while the pages were read; its sums stay.
        return None
    if examination.is_changed:
        log.warning("Another program changed %s. The store is not damaged.", visible(str(store)))
    make_sums(store)
    return None


def accept_log(store: Path, images: PageImages) -> None:
    """Append the sums of what a log holds that a process left behind which was killed."""
    if page_sums.read_sums(store) is None:
        return
    records = list(images.log_records())
    if records:
        _accept(store, records)


def _accept(store: Path, records: Iterable[bytes]) -> None:
    with closing(page_sums.PageSums(store)) as sums:
        sums.accept(records)


def make_sums(store: Path) -> None:
    """Take the pages of a store as they are: for one that was proven by other means."""
    if page_sums.is_open_here(store):
        return
    with closing(PageImages(store)) as images:
        page_sums.write_base(store, list(images.all_records()))


def take_sums_of(copy: Path, sums: page_sums.PageSums, since: int, *, is_changed: bool) -> None:
    """Keep one sum of each page that a proven copy has, and those appended `since` it was begun.

    Pages that another program changed are accepted so, as at a start.
    """
    with closing(PageImages(copy)) as images:
        if is_changed:
            log.warning("Another program changed the store. It is not damaged.")
            sums.accept(list(images.all_records()))
        if since > _most_bytes(images):
            sums.rebase(list(images.all_records()), since)


def _most_bytes(images: PageImages) -> int:
    return MOST_RECORDS * page_sums.RECORD.size * (images.pages + 1)


def _accept_log_end(store: Path) -> None:
    with closing(PageImages(store)) as images:
        if images.log.log is not None:
            end = page_sums.log_end_sum(images.log.log.salts, images.log.end)
            _accept(store, [page_sums.sum_record(page_sums.LOG_END, end)])


def _drop_former_sums(store: Path, images: PageImages) -> None:
    """Keep one sum of each page where many commits have added others."""
    if page_sums.sums_file_of(store).stat().st_size > _most_bytes(images):
        page_sums.write_base(store, list(images.all_records()))
