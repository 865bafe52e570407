"""What a start looks at before the store is opened: each page against its sum, and the log that is left.

A process reads the file by itself only as long as it has no connection to it.
"""

import logging
from contextlib import closing
from pathlib import Path

from finplan.model.characters import visible
from finplan.store.examination import Examination, PagesSeen, examine, look_at_pages
from finplan.store.page_images import PageImages
from finplan.store.page_sums import (
    LOG_END,
    PageSums,
    is_open_here,
    log_end_sum,
    read_sums,
    sum_record,
    sums_file_of,
    write_base,
)

MOST_RECORDS = 3
"""How many records there may be to a page before the sums of former images are dropped."""

_RECORD_SIZE = 12

log = logging.getLogger(__name__)


def check_at_start(store: Path) -> Examination | None:
    """Look at the pages of a store that is about to be opened; None where nothing is damaged.

    Pages in a log that a killed process left are accepted, as the log's own checksums prove them. For a
    store without sums, or changed by another program, they are made once SQLite finds it whole.
    """
    if is_open_here(store) or not store.exists() or store.stat().st_size == 0:
        return None
    with closing(PageImages(store)) as images:
        accept_log(store, images)
        sums = read_sums(store)
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
    if read_sums(store) is None:
        return
    records = list(images.log_records())
    if records:
        sums = PageSums(store)
        sums.accept(records)
        sums.close()


def make_sums(store: Path) -> None:
    """Take the pages of a store as they are: for one that was proven by other means."""
    if is_open_here(store):
        return
    with closing(PageImages(store)) as images:
        write_base(store, list(images.all_records()))


def take_sums_of(copy: Path, sums: PageSums, since: int, *, is_changed: bool) -> None:
    """Keep one sum of each page that a proven copy has, and those appended `since` it was begun.

    Pages that another program changed are accepted so, as at a start.
    """
    with closing(PageImages(copy)) as images:
        if is_changed:
            log.warning("Another program changed the store. It is not damaged.")
            sums.accept(list(images.all_records()))
        if since > MOST_RECORDS * _RECORD_SIZE * (images.pages + 1):
            sums.rebase(list(images.all_records()), since)


def _accept_log_end(store: Path) -> None:
    with closing(PageImages(store)) as images:
        if images.log.log is not None:
            mark = sum_record(LOG_END, log_end_sum(images.log.log.salts, images.log.end))
            sums = PageSums(store)
            sums.accept([mark])
            sums.close()


def _drop_former_sums(store: Path, images: PageImages) -> None:
    """Keep one sum of each page where many commits have added others."""
    if sums_file_of(store).stat().st_size > MOST_RECORDS * _RECORD_SIZE * (images.pages + 1):
        write_base(store, list(images.all_records()))
