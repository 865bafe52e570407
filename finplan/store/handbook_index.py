"""The index by which pages of the handbook are found: SQLite's full text search, in memory."""

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from threading import Lock

from finplan.handbook.asking import words_of
from finplan.handbook.library import asked_as, handbook
from finplan.handbook.pages import FOR_BUILDERS, LISTS, HandbookPage, HandbookSection, plain

MOST_SECTIONS = 3
"""How many sections of a page are named."""

_MAKE = """
CREATE VIRTUAL TABLE head USING fts5(
    name UNINDEXED, title, heading, asked,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE body USING fts5(
    name UNINDEXED, text,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE section USING fts5(
    page UNINDEXED, nth UNINDEXED, heading, body,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
"""
# What a page is called and asked for by is weighed by itself: a word that most pages have somewhere,
# such as "first", tells pages apart where few are called by it.
_HEADS = """
SELECT name, -bm25(head, 0, 4, 2, 6) FROM head WHERE head MATCH ?
"""
_BODIES = """
SELECT name, -bm25(body, 0, 1) FROM body WHERE body MATCH ?
"""
_SECTIONS = """
SELECT page, nth, -bm25(section, 0, 0, 4, 1) AS score
FROM section WHERE section MATCH ? ORDER BY score DESC, rowid
"""
_OF_A_SECTION = 1 / 40
"""How much a page's best section counts beside the page: a word that most pages have tells no pages
apart, but sections."""

_OF_A_LISTED_SECTION = 1 / 10
"""How much the best section of a list counts, of which no whole is searched."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that answers a question, with its best sections; the larger its score, the better."""

    page: HandbookPage
    sections: tuple[HandbookSection, ...]
    score: float


class HandbookIndex:
    """Finds pages by the words of a question, of which nothing is ever a command of the search."""

    def __init__(self, pages: Iterable[HandbookPage], asked: Mapping[str, str]) -> None:
        self._pages = {each.name: each for each in pages if each.name not in FOR_BUILDERS}
        self._called = {name: _called(each) for name, each in self._pages.items()}
        self._turn = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.executescript(_MAKE)
        for each in self._pages.values():
            self._add(each, asked.get(each.name, ""))

    def find(self, question: str, most: int) -> tuple[FoundPage, ...]:
        """The pages that have most of a question's words, the best first; none without a word."""
        words = words_of(question)
        if not words:
            return ()
        match = " OR ".join(f'"{word}"' for word in words)
        with self._turn:
            heads = self._database.execute(_HEADS, (match,)).fetchall()
            bodies = self._database.execute(_BODIES, (match,)).fetchall()
            places = self._database.execute(_SECTIONS, (match,)).fetchall()
        scores = dict.fromkeys((page for page, *_ in places), 0.0)
        for page, score in (*heads, *bodies):
            scores[page] = scores.get(page, 0.0) + score
        highest = max(scores.values(), default=0.0)
        for page in scores:
            # Who asks for a page by what it is called wants that page, whatever others have of the word.
            if set(words) in self._called[page]:
                scores[page] += highest
        found = [
            self._found(name, score, [(nth, of_it) for page, nth, of_it in places if page == name])
            for name, score in scores.items()
        ]
        return tuple(sorted(found, key=lambda each: -each.score)[:most])

    def _found(self, name: str, score: float, places: list[tuple[int, float]]) -> FoundPage:
        page = self._pages[name]
        # The words by which people ask for a page may stand in none of its sections.
        best = places[:MOST_SECTIONS] or [(0, 0.0)]
        sections = tuple(page.sections[nth] for nth, _ in best)
        share = _OF_A_LISTED_SECTION if page.shelf in LISTS else _OF_A_SECTION
        return FoundPage(page, sections, score + best[0][1] * share)

    def _add(self, page: HandbookPage, asked: str) -> None:
        headings = " ".join(each.title for each in page.sections[1:])
        # A list has every word of the product somewhere: its sections tell, and not the whole of it.
        listed = page.shelf in LISTS
        title = f"{page.title} {_spoken(page.name)}"
        head = (page.name, title, "" if listed else headings, asked)
        self._database.execute("INSERT INTO head VALUES (?, ?, ?, ?)", head)
        if not listed:
            self._database.execute(
                "INSERT INTO body VALUES (?, ?)", (page.name, plain(page.markdown))
            )
        self._database.executemany(
            "INSERT INTO section VALUES (?, ?, ?, ?)",
            [
                (page.name, nth, " ".join(each.headings), plain(each.text))
                for nth, each in enumerate(page.sections)
            ],
        )


def _called(page: HandbookPage) -> tuple[set[str], ...]:
    """The words of each way to call a page: its title, and the name that commands and tools know."""
    return tuple(set(words_of(each)) for each in (page.title, _spoken(page.name)))


def _spoken(name: str) -> str:
    return name.replace("-", " ")


@cache
def handbook_index() -> HandbookIndex:
    """The index of the shipped handbook, made when it is first asked for."""
    return HandbookIndex(handbook().values(), asked_as())
