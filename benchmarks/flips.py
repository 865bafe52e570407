"""`python -m benchmarks.flips STORE`: single bits of a store are flipped, seen, and taken back.

Each flip hits a used page of a store with the demo household. Printed is, by kind of page, how many are
seen by SQLite's quick check, by its full check, by doctor, and by the nightly copy, which meets the flip
under an open store. After each, the newest good backup is restored and compared, row by row.
"""

import argparse
import asyncio
import logging
import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

from finplan.daemon.maintenance import check_store, run_backup_tool
from finplan.model.errors import StoreDamaged
from finplan.service.automation.kinds import copy_whole_store
from finplan.settings import Places
from finplan.store.backup import is_good
from finplan.store.engine import connect
from finplan.store.examination import integrity_faults, read_trees
from finplan.store.page_images import PageImages, page_owners
from finplan.store.store import Store

CHECKS = ("quick_check", "integrity_check", "doctor", "nightly", "restored", "mended")


class Flip(NamedTuple):
    """One bit of a page, and what kind of page it is."""

    page: int
    bit: int
    kind: str

    def apply(self, store: Path, page_size: int) -> None:
        """Turn the bit round, as a failing disk does."""
        offset = (self.page - 1) * page_size + self.bit // 8
        with store.open("r+b") as file:
            file.seek(offset)
            byte = file.read(1)[0]
            file.seek(offset)
            file.write(bytes((byte ^ 1 << self.bit % 8,)))


def draw_flips(store: Path, number: int, seed: int) -> Iterator[Flip]:
    """Bits of pages that are used, drawn by a seed; the header of the file is a kind of its own."""
    dice = Random(seed)
    with closing(PageImages(store)) as images:
        owners = page_owners(images, read_trees(store))
        size = images.page_size
    for page in dice.choices(sorted(owners), k=number):
        bit = dice.randrange(size * 8)
        owner = owners[page]
        kind = f"{'index' if owner.is_index else 'table'} {owner.kind}"
        yield Flip(page, bit, "header" if page == 1 and bit < 800 else kind)


def judge_flip(whole: Places, flip: Flip, folder: Path, page_size: int) -> set[str]:
    """The checks that see a flip in a copy of a home with a good backup."""
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(whole.data, home)
    places = Places(home, home, home)
    before = set(_good_copies(places))
    seen = set[str]()
    flip.apply(places.database, page_size)
    if _quick_faults(places.database):
        seen.add("quick_check")
    if integrity_faults(places.database):
        seen.add("integrity_check")
    check = check_store(places)
    if check["faults"] or check["unopened"]:
        seen.add("doctor")
    flip.apply(places.database, page_size)
    seen |= asyncio.run(_copy_at_night(places, flip, page_size))
    after = set(_good_copies(places))
    if before <= after and all(_dump(copy) == _dump(whole.database) for copy in after):
        run_backup_tool(places, "restore", None)
        Store.open(places.database, places.backups).close()
        if _dump(places.database) == _dump(whole.database):
            seen.add("restored")
    return seen


async def _copy_at_night(places: Places, flip: Flip, page_size: int) -> set[str]:
    store = Store.open(places.database, places.backups)
    try:
        flip.apply(places.database, page_size)
        mended = await copy_whole_store(store, places.backups / "daily-2026-11-29.db")
    except StoreDamaged:
        return {"nightly"}
    else:
        return {"nightly", "mended"} if mended else set()
    finally:
        store.close()


def _good_copies(places: Places) -> Iterator[Path]:
    return (copy for copy in places.backups.glob("*.db") if is_good(copy))


def _quick_faults(store: Path) -> bool:
    try:
        with closing(connect(store)) as connection:
            return bool(connection.execute("PRAGMA quick_check").fetchone() != ("ok",))
    except sqlite3.DatabaseError:
        return True


def _dump(store: Path) -> list[str]:
    with closing(sqlite3.connect(store)) as connection:
        return list(connection.iterdump())


def main(arguments: Sequence[str] | None = None) -> int:
    """Flip bits and print what saw them; the exit code is 1 where a flip was missed or lost data."""
    parser = argparse.ArgumentParser("python -m benchmarks.flips", description=__doc__)
    parser.add_argument("store", type=Path, help="a finplan.db that no daemon serves")
    parser.add_argument("--flips", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    # What each flip is said of in the log would fill pages.
    logging.disable()
    seen, drawn = Counter[tuple[str, str]](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="finplan-flips-") as name:
        folder = Path(name)
        whole = prepare_home(options.store, folder / "whole")
        with closing(PageImages(whole.database)) as images:
            page_size = images.page_size
        for flip in draw_flips(whole.database, options.flips, options.seed):
            drawn[flip.kind] += 1
            seen.update((flip.kind, check) for check in judge_flip(whole, flip, folder, page_size))
    sys.stdout.write(f"{'':16}{'flips':>8}" + "".join(f"{check:>17}" for check in CHECKS) + "\n")
    for kind, count in sorted(drawn.items()):
        counts = "".join(f"{seen[kind, check]:>17}" for check in CHECKS)
        sys.stdout.write(f"{kind:16}{count:>8}{counts}\n")
    totals = {check: sum(seen[kind, check] for kind in drawn) for check in CHECKS}
    sys.stdout.write(
        f"{'all':16}{drawn.total():>8}" + "".join(f"{totals[check]:>17}" for check in CHECKS) + "\n"
    )
    needed = ("doctor", "nightly", "restored")
    return 0 if all(totals[check] == drawn.total() for check in needed) else 1


def prepare_home(store: Path, folder: Path) -> Places:
    """A home with a copy of a store and one proven backup of it."""
    folder.mkdir()
    places = Places(folder, folder, folder)
    shutil.copyfile(store, places.database)
    opened = Store.open(places.database, places.backups)
    opened.back_up(places.backups / "daily-2026-11-28.db")
    opened.close()
    return places


if __name__ == "__main__":
    raise SystemExit(main())
