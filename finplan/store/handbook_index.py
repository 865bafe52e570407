"""The index by which pages of the handbook are found: SQLite's full text search, in memory."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from math import log
from threading import Lock

from finplan.handbook.asking import words_of
from finplan.handbook.library import alike, asked_as, handbook
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
CREATE VIRTUAL TABLE alike USING fts5(
    words,
    tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE spelling USING fts5vocab(section, row);
"""
# What a page is called and asked for by is weighed by itself, however long the page is.
_HEADS = """
SELECT name, -bm25(head, 0, 6, 2, 16) FROM head WHERE head MATCH ?
"""
_BODIES = """
SELECT name, -bm25(body, 0, 1) FROM body WHERE body MATCH ?
"""
_SECTIONS = """
SELECT page || ' ' || nth, -bm25(section, 0, 0, 6, 1) FROM section WHERE section MATCH ?
"""
_NAMED = (_HEADS, _SECTIONS)
_ALIKE = "SELECT words FROM alike WHERE alike MATCH ?"
_SPELLED = """
SELECT term FROM spelling WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ?
"""
_OF_THE_BODY = 0.2
"""How much the whole text of a page counts beside what it is called and asked for by."""

_OF_A_SECTION = 0.3
"""How much a page's best section counts beside the page."""

_OF_RARE_HEADS = 0.5
"""How much of a word's rarity is that among what pages are called; the rest is that among sections."""

_OF_A_LIKE_WORD = 0.4
"""How much a word counts that means the same as the one that was asked with."""

_OF_A_SLIP = 0.8
"""How alike a word has to be to one that no page has, to be taken for what was meant."""

_LEAST_OF_A_SLIP = 5
"""Letters of the shortest word in which a slip is looked for."""

_FTS5_LEAST = 1e-6
"""What FTS5 weighs a term by that half of all rows have."""

_Scores = dict[str, float]
"""Of each page, or of each section, how much it has of what was asked."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that answers a question, with its best sections; the larger its score, the better."""

    page: HandbookPage
    sections: tuple[HandbookSection, ...]
    score: float


class HandbookIndex:
    """Finds pages by the words of a question, of which nothing is ever a command of the search.

    Each word counts as much as it is rare, once in a page, by itself or by a word that means the same.
    """

    def __init__(
        self, pages: Iterable[HandbookPage], asked: Mapping[str, str], alike: Iterable[str] = ()
    ) -> None:
        self._pages = {each.name: each for each in pages if each.name not in FOR_BUILDERS}
        self._called = {name: _called(each) for name, each in self._pages.items()}
        self._many_sections = sum(len(each.sections) for each in self._pages.values())
        self._turn = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.executescript(_MAKE)
        for each in self._pages.values():
            self._add(each, asked.get(each.name, ""))
        self._database.executemany("INSERT INTO alike VALUES (?)", [(each,) for each in alike])

    def find(self, question: str, most: int) -> tuple[FoundPage, ...]:
        """The pages that have most of a question's words, the best first; none without a word."""
        words = words_of(question)
        pages: _Scores = {}
        places: _Scores = {}
        with self._turn:
            for word in words:
                self._weigh(word, pages, places)
        sections = self._by_page(places)
        for page, of_it in sections.items():
            pages[page] = pages.get(page, 0.0) + of_it[0][0] * _OF_A_SECTION
        highest = max(pages.values(), default=0.0)
        for page in pages:
            # Who asks for a page by what it is called wants that page, whatever others have of the word.
            if set(words) in self._called[page]:
                pages[page] += highest
        best = sorted(pages.items(), key=lambda each: -each[1])[:most]
        # The words by which people ask for a page may stand in none of its sections.
        return tuple(
            FoundPage(
                self._pages[name],
                tuple(
                    self._pages[name].sections[nth]
                    for _, nth in sections.get(name, [(0.0, 0)])[:MOST_SECTIONS]
                ),
                score,
            )
            for name, score in best
        )

    def _by_page(self, places: _Scores) -> dict[str, list[tuple[float, int]]]:
        """The sections of each page that have any of the words, the best first."""
        sections: dict[str, list[tuple[float, int]]] = {}
        for place, score in places.items():
            page, _, nth = place.partition(" ")
            sections.setdefault(page, []).append((score, int(nth)))
        for of_it in sections.values():
            of_it.sort(key=lambda each: (-each[0], each[1]))
        return sections

    def _weigh(self, word: str, pages: _Scores, places: _Scores) -> None:
        """Add to each page and each section what it has of a word."""
        of_pages: _Scores = {}
        of_places: _Scores = {}
        for term, share in self._terms(word):
            heads = self._shares(_HEADS, term, len(self._pages))
            found = self._shares(_SECTIONS, term, self._many_sections)
            bodies = self._shares(_BODIES, term, len(self._pages))
            rare = share * (
                _OF_RARE_HEADS * _rarity(len(heads), len(self._pages))
                + (1 - _OF_RARE_HEADS) * _rarity(len(found), self._many_sections)
            )
            for page in heads.keys() | bodies.keys():
                score = rare * (heads.get(page, 0.0) + _OF_THE_BODY * bodies.get(page, 0.0))
                of_pages[page] = max(of_pages.get(page, 0.0), score)
            for place, score in found.items():
                of_places[place] = max(of_places.get(place, 0.0), rare * score)
        for scores, of_word in ((pages, of_pages), (places, of_places)):
            for name, score in of_word.items():
                scores[name] = scores.get(name, 0.0) + score

    def _terms(self, word: str) -> Iterator[tuple[str, float]]:
        """What is searched for a word, each with how much it counts."""
        lines = self._database.execute(_ALIKE, (f'"{word}"',)).fetchall()
        meant = dict.fromkeys(each for (line,) in lines for each in line.lower().split())
        yield self._spelled(word) if not meant else word, 1.0
        for each in meant:
            yield each, _OF_A_LIKE_WORD

    def _spelled(self, word: str) -> str:
        """The word, or the one that it is a slip of where no section and no page's name has it."""
        has_it = (self._database.execute(each, (f'"{word}"',)).fetchone() for each in _NAMED)
        if len(word) < _LEAST_OF_A_SLIP or any(has_it):
            return word
        # The vocabulary is of stems, which are shorter; few people miss the first letter.
        near = (word[0], chr(ord(word[0]) + 1), len(word) - 3, len(word) + 2)
        known = [term for (term,) in self._database.execute(_SPELLED, near)]
        return next(iter(get_close_matches(word, known, 1, _OF_A_SLIP)), word)

    def _shares(self, query: str, term: str, of: int) -> _Scores:
        """How much of a term each row of a table has, however rare the term is."""
        found = self._database.execute(query, (f'"{term}"',)).fetchall()
        # FTS5 weighs a term by its rarity and takes one that half of all rows have for worthless; here a
        # common word still counts a little, so its weight is taken out.
        odds = (of - len(found) + 0.5) / (len(found) + 0.5)
        weight = log(odds) if odds > 1 else _FTS5_LEAST
        return {name: score / weight for name, score in found}

    def _add(self, page: HandbookPage, asked: str) -> None:
        headings = " ".join(each.title for each in page.sections[1:])
        # A list has every word of the product somewhere: its sections tell, and not the whole of it.
        listed = page.shelf in LISTS
        title = f"{page.title} {_spoken(page.name)}"
        head = (page.name, title, "" if listed else headings, asked)
        self._database.execute("INSERT INTO head VALUES (?, ?, ?, ?)", head)
        text = "" if listed else plain(page.markdown)
        self._database.execute("INSERT INTO body VALUES (?, ?)", (page.name, text))
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


def _rarity(having: int, of: int) -> float:
    """How much a word tells that so many have; never nothing."""
    return log(1 + (of - having + 0.5) / (having + 0.5))


@cache
def handbook_index() -> HandbookIndex:
    """The index of the shipped handbook, made when it is first asked for."""
    return HandbookIndex(handbook().values(), asked_as(), alike())
