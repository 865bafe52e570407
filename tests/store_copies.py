"""Copies of stores that are closed, for tests that write into one."""

from pathlib import Path
from shutil import copyfile

from finplan.store.page_sums import sums_file_of


def copy_store(store: Path, copy: Path) -> None:
    """Copy a store and what proves its pages, if it has that; else each opening looks at all of it."""
    copyfile(store, copy)
    sums = sums_file_of(store)
    if sums.exists():
        copyfile(sums, sums_file_of(copy))
