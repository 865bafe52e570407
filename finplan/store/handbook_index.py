"""The index by which pages of the handbook are found: SQLite's full text search, in memory."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from math import log
from threading import Lock

from finplan.handbook.asking import words_of
from finplan.handbook.library import alike, asked_as, handbook, known_questions, phrases
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
CREATE VIRTUAL TABLE question USING fts5(
    page UNINDEXED, text,
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
_QUESTIONS = """
SELECT page || ' ' || rowid, -bm25(question, 0, 1) FROM question WHERE question MATCH ?
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

_OF_A_QUESTION = 0.5
"""How much the question counts, of those known for a page, that is most like the one asked."""

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


_NO_QUESTIONS: Mapping[str, Iterable[str]] = {}


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What each page has of a word, and each section and each known question of it."""

    pages: _Scores
    sections: _Scores
    questions: _Scores


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
        self,
        pages: Iterable[HandbookPage],
        asked: Mapping[str, str],
        alike: Iterable[str] = (),
        questions: Mapping[str, Iterable[str]] = _NO_QUESTIONS,
    ) -> None:
        self._pages = {each.name: each for each in pages if each.name not in FOR_BUILDERS}
        self._called = {name: _called(each) for name, each in self._pages.items()}
        self._turn = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.executescript(_MAKE)
        for each in self._pages.values():
            self._add(each, asked.get(each.name, ""))
            self._database.executemany(
                "INSERT INTO question VALUES (?, ?)",
                [(each.name, " ".join(words_of(known))) for known in questions.get(each.name, ())],
            )
        self._database.executemany("INSERT INTO alike VALUES (?)", [(each,) for each in alike])
        [self._many_sections] = self._database.execute("SELECT count(*) FROM section").fetchone()
        [self._many_questions] = self._database.execute("SELECT count(*) FROM question").fetchone()

    def find(self, question: str, most: int) -> tuple[FoundPage, ...]:
        """The pages that have most of a question's words, the best first; none without a word."""
        words = words_of(question)
        with self._turn:
            of_words = [self._weigh(word) for word in words]
        pages = _sum(each.pages for each in of_words)
        sections = _by_page(_sum(each.sections for each in of_words))
        questions = _by_page(_sum(each.questions for each in of_words))
        for parts, share in ((sections, _OF_A_SECTION), (questions, _OF_A_QUESTION)):
            for page, [(score, _), *_rest] in parts.items():
                pages[page] = pages.get(page, 0.0) + score * share
        highest = max(pages.values(), default=0.0)
        for page in pages:
            # Who asks for a page by what it is called wants that page, whatever others have of the word,
            # and by a page's own name rather than one of that title.
            for times, called in enumerate(self._called[page], 1):
                pages[page] += times * highest * (set(words) == called)
        best = sorted(pages.items(), key=lambda each: -each[1])[:most]
        # The words by which people ask for a page may stand in none of its sections.
        return tuple(
            self._found(name, score, sections.get(name, [(0.0, 0)])) for name, score in best
        )

    def _found(self, name: str, score: float, places: list[tuple[float, int]]) -> FoundPage:
        page = self._pages[name]
        sections = tuple(page.sections[nth] for _, nth in places[:MOST_SECTIONS])
        return FoundPage(page, sections, score)

    def _weigh(self, word: str) -> _Weighed:
        """What pages, sections and known questions have of a word."""
        weighed = _Weighed({}, {}, {})
        for term, share in self._terms(word):
            heads = self._shares(_HEADS, term, len(self._pages))
            bodies = self._shares(_BODIES, term, len(self._pages))
            sections = self._shares(_SECTIONS, term, self._many_sections)
            questions = self._shares(_QUESTIONS, term, self._many_questions)
            rare = share * (
                _OF_RARE_HEADS * _rarity(len(heads), len(self._pages))
                + (1 - _OF_RARE_HEADS) * _rarity(len(sections), self._many_sections)
            )
            pages = _sum([heads, {page: _OF_THE_BODY * of_it for page, of_it in bodies.items()}])
            for of_all, of_term in (
                (weighed.pages, pages),
                (weighed.sections, sections),
                (weighed.questions, questions),
            ):
                for name, score in of_term.items():
                    of_all[name] = max(of_all.get(name, 0.0), rare * score)
        return weighed

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


def _sum(scores: Iterable[_Scores]) -> _Scores:
    summed: _Scores = {}
    for each in scores:
        for name, score in each.items():
            summed[name] = summed.get(name, 0.0) + score
    return summed


def _by_page(scores: _Scores) -> dict[str, list[tuple[float, int]]]:
    """The parts of each page, the best first."""
    parts: dict[str, list[tuple[float, int]]] = {}
    for place, score in scores.items():
        page, _, nth = place.partition(" ")
        parts.setdefault(page, []).append((score, int(nth)))
    for of_it in parts.values():
        of_it.sort(key=lambda each: (-each[0], each[1]))
    return parts


def _rarity(having: int, of: int) -> float:
    """How much a word tells that so many have; never nothing."""
    return log(1 + (of - having + 0.5) / (having + 0.5))


def index_of(questions: Mapping[str, Iterable[str]]) -> HandbookIndex:
    """An index of the shipped handbook that knows these questions."""
    known = {name: [*phrases().get(name, ()), *questions.get(name, ())] for name in handbook()}
    return HandbookIndex(handbook().values(), asked_as(), alike(), known)


@cache
def handbook_index() -> HandbookIndex:
    """The index of the shipped handbook, made when it is first asked for."""
    return index_of(known_questions())
