"""Which running sums of spending are kept, and when it pays to make them.

They outlive what leaves the rows as they are: payees that were filed elsewhere are moved. After a change
of the rows the first questions are answered by the store, since for one question that costs less than
adding everything up.
"""

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from finplan.service.spending.sums import SpendingSums

ASKED = 3
"""From which question on, of one generation of the rows, running sums pay."""

MOST_PEOPLE = 4
"""Of how many people sums are kept."""


class Generations(NamedTuple):
    """How often a person's data have changed, and how often the rows and what makes them count have."""

    data: int
    rows: int


class _Kept(NamedTuple):
    generations: Generations
    sums: SpendingSums | None


class KeptSums:
    """The sums of a few people, each of the newest generation that was asked about."""

    def __init__(self) -> None:
        self._asked: dict[int, tuple[int, int]] = {}
        self._kept: dict[int, _Kept] = {}
        self._lock = Lock()
        self._filing = Lock()

    def ready(self, owner: int, generation: int) -> SpendingSums | None:
        """The sums of a generation of a person's data, if they are at hand."""
        kept = self._kept.get(owner)
        return kept.sums if kept is not None and kept.generations.data == generation else None

    def of(
        self,
        owner: int,
        generations: Generations,
        make: Callable[[], SpendingSums | None],
        file_afresh: Callable[[SpendingSums], SpendingSums],
    ) -> SpendingSums | None:
        """The sums of a person's data; None while it does not pay to have them."""
        kept = self._kept.get(owner)
        if kept is not None and kept.generations == generations:
            return kept.sums
        if kept is not None and kept.generations.rows == generations.rows:
            return self._filed_afresh(owner, generations, file_afresh)
        if self._pays(owner, generations.rows):
            return self._made(owner, generations, make)
        return None

    def forget(self) -> None:
        """Give the memory back; for a time when nothing is asked."""
        with self._lock:
            self._kept.clear()
            self._asked.clear()

    def _pays(self, owner: int, generation: int) -> bool:
        with self._lock:
            asked_of, times = self._asked.get(owner, (generation, 0))
            times = times + 1 if asked_of == generation else 1
            self._asked[owner] = (generation, times)
            # Whoever asks while the sums are being made is answered by the store.
            return times == ASKED

    def _made(
        self, owner: int, generations: Generations, make: Callable[[], SpendingSums | None]
    ) -> SpendingSums | None:
        try:
            made = make()
        except BaseException:
            with self._lock:
                self._asked.pop(owner, None)
            raise
        self._keep(owner, _Kept(generations, made))
        return made

    def _filed_afresh(
        self,
        owner: int,
        generations: Generations,
        file_afresh: Callable[[SpendingSums], SpendingSums],
    ) -> SpendingSums | None:
        # Those who ask at the same time wait, which takes less than to be answered by the store.
        with self._filing:
            kept = self._kept.get(owner)
            if kept is None or kept.generations.rows != generations.rows:
                return None
            if kept.generations == generations or kept.sums is None:
                return kept.sums
            filed = file_afresh(kept.sums)
            self._keep(owner, _Kept(generations, filed))
            return filed

    def _keep(self, owner: int, made: _Kept) -> None:
        with self._lock:
            kept = self._kept.pop(owner, made)
            while len(self._kept) >= MOST_PEOPLE:
                forgotten = next(iter(self._kept))
                del self._kept[forgotten]
                self._asked.pop(forgotten, None)
            self._kept[owner] = max(kept, made, key=lambda each: each.generations)
