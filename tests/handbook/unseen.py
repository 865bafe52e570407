"""How the handbook's search answers what it was not told: `python -m tests.handbook.unseen`."""

from collections.abc import Iterable
from dataclasses import dataclass

from finplan.handbook.library import known_questions
from finplan.store.handbook_index import HandbookIndex, handbook_index, index_of
from tests.handbook.unseen_questions import UNSEEN

PARTS = 10


@dataclass(frozen=True)
class Answered:
    """A question, the pages that answer it, and the three that were found, the best first."""

    question: str
    pages: frozenset[str]
    found: tuple[str, ...]

    @property
    def first(self) -> bool:
        """Whether the first page answers."""
        return not self.pages.isdisjoint(self.found[:1])

    @property
    def in_three(self) -> bool:
        """Whether one of three pages answers."""
        return not self.pages.isdisjoint(self.found)


def left_out() -> list[Answered]:
    """Each question that the search knows, asked of an index without it and a tenth of the others."""
    pages: dict[str, set[str]] = {}
    for page, questions in known_questions().items():
        for question in questions:
            pages.setdefault(question, set()).add(page)
    answered = []
    for part in range(PARTS):
        asked = list(pages)[part::PARTS]
        index = index_of(
            {
                page: [each for each in questions if each not in asked]
                for page, questions in known_questions().items()
            }
        )
        answered += [_ask(index, each, pages[each]) for each in asked]
    return answered


def unseen() -> list[Answered]:
    """Each question that nothing was tuned to, asked of the index as it is shipped."""
    return [_ask(handbook_index(), question, pages) for question, pages in UNSEEN]


def _ask(index: HandbookIndex, question: str, pages: Iterable[str]) -> Answered:
    found = tuple(each.page.name for each in index.find(question, 3))
    return Answered(question, frozenset(pages), found)


def _report(name: str, answered: list[Answered]) -> None:
    first = sum(each.first for each in answered)
    in_three = sum(each.in_three for each in answered)
    many = len(answered)
    print(f"{name}: {many}, first {first / many:.1%}, among three {in_three / many:.1%}")
    for each in answered:
        if not each.first:
            print(f"  {each.question!r}: {', '.join(sorted(each.pages))}; found {each.found}")


if __name__ == "__main__":
    _report("left out", left_out())
    _report("unseen", unseen())
