"""How the handbook's search answers people's questions: `python -m tests.handbook.unseen`.

`python -m tests.handbook.unseen --tuning` names what it misses of the questions that it was tuned to.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from finplan.store.handbook_index import handbook_index

LISTS = Path(__file__).with_name("asked")
NAMES = ("tuning", "reporting", "independent")


@dataclass(frozen=True)
class Answered:
    """A question, the places that answer it, and the best places of the three pages that were found."""

    question: str
    places: frozenset[str]
    found: tuple[str, ...]

    @property
    def first(self) -> bool:
        """Whether the first page answers."""
        return self._answers(self.found[:1])

    @property
    def in_three(self) -> bool:
        """Whether one of three pages answers."""
        return self._answers(self.found)

    @property
    def anchored(self) -> bool | None:
        """Whether the first page is opened at a section that answers, where only some of it does."""
        if not self.first or self.found[0].partition("#")[0] in self.places:
            return None
        return self.found[0] in self.places

    def _answers(self, found: tuple[str, ...]) -> bool:
        pages = {place.partition("#")[0] for place in self.places}
        return any(place.partition("#")[0] in pages for place in found)


@cache
def questions(name: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The questions of a list, each with the places that answer it."""
    return tuple(_read((LISTS / f"{name}.txt").read_text(encoding="utf-8")))


@cache
def answered(name: str) -> tuple[Answered, ...]:
    """Each question of a list, asked of the index as it is shipped."""
    return tuple(_ask(question, places) for question, places in questions(name))


def _read(text: str) -> Iterator[tuple[str, frozenset[str]]]:
    for line in text.splitlines():
        if line and not line.startswith("#"):
            question, _, places = line.rpartition(" | ")
            yield question, frozenset(places.split())


def _ask(question: str, places: frozenset[str]) -> Answered:
    found = tuple(each.sections[0].place for each in handbook_index().find(question, 3))
    return Answered(question, places, found)


def _report(name: str) -> None:
    told = answered(name)
    many = len(told)
    first = sum(each.first for each in told)
    in_three = sum(each.in_three for each in told)
    anchors = [each.anchored for each in told if each.anchored is not None]
    print(
        f"{name}: {many}, first {first / many:.1%}, among three {in_three / many:.1%}, "
        f"at the right section {sum(anchors)} of {len(anchors)}"
    )


if __name__ == "__main__":
    for each in NAMES:
        _report(each)
    if "--tuning" in sys.argv:
        for missed in answered("tuning"):
            if not missed.first or missed.anchored is False:
                print(f"  {missed.question}: {sorted(missed.places)}; found {missed.found}")
