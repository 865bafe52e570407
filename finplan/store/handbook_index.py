"""Find pages of the handbook with SQLite's full-text search, in memory."""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from finplan.handbook.pages import (
    FOR_BUILDERS,
    SAY_NOTHING_ALONE,
    HandbookPage,
    HandbookSection,
    alike,
    asked_as,
    handbook,
    looked_up,
    plain,
    words_of,
)

MOST_SECTIONS = 3
"""How many sections of a page are named."""

_TOKENS = "porter unicode61 remove_diacritics 2 tokenchars '_'"
_MAKE = f"""
CREATE VIRTUAL TABLE page USING fts5(title, words, content = '', tokenize = "{_TOKENS}");
CREATE VIRTUAL TABLE alike USING fts5(words, tokenize = "{_TOKENS}");
CREATE VIRTUAL TABLE section USING fts5(headings, words, body, content = '', tokenize = "{_TOKENS}");
"""

_PAGES = "SELECT rowid, -bm25(page, 2.0, 4.0) FROM page(?)"
_SECTIONS = "SELECT rowid, -bm25(section, 2.0, 3.0, 1.0) FROM section(?)"

_ALIKE = "SELECT words FROM alike(?)"

_OF_A_PAGE = 2.0
"""How much the title of a page and the words by which people ask for it count beside its sections."""

_OF_SYNONYMS = 0.2
"""How much a word counts that means the same as the one in the question."""

_OF_ALL_WORDS = 0.5
"""How strongly a page with every word of a question is preferred."""

_RAREST = 8.0
"""How much a word tells that no page has."""

_OF_WHAT_IS_LISTED = 0.9
"""How much of a question a list has to have to be meant by a name just as it is written."""

_SHORTEST_SLIP = 6
"""Letters of the shortest word that may be a misspelling: short words are alike by chance."""

_IN_CODE = re.compile(r"(?<!\w)[^\W_]*_\w*")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that answers a question, with its best sections; the larger its score, the better."""

    page: HandbookPage
    sections: tuple[HandbookSection, ...]
    score: float


class HandbookIndex:
    """Find pages by the words of a question, none of which is ever a command of the search.

    `queries` are words by which people ask for a page, `alike` lines of words that mean the same.
    """

    def __init__(
        self, pages: Iterable[HandbookPage], queries: Mapping[str, str], alike: Iterable[str] = ()
    ) -> None:
        self._pages = [page for page in pages if page.name not in FOR_BUILDERS]
        self._sections = [(page, section) for page in self._pages for section in page.sections]
        numbers = {page.name: number for number, page in enumerate(self._pages)}
        self._page_of = [numbers[page.name] for page, _ in self._sections]
        self._turn = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.executescript(_MAKE)
        titles = [
            (number, f"{page.title} {_spoken(page.name)}", _words_for(page, queries))
            for number, page in enumerate(self._pages)
        ]
        texts = [
            (
                number,
                " ".join(section.headings),
                queries.get(section.place, "") if section.anchor else "",
                _with_parts(plain(section.text)),
            )
            for number, (_, section) in enumerate(self._sections)
        ]
        self._database.executemany("INSERT INTO page(rowid, title, words) VALUES (?, ?, ?)", titles)
        self._database.executemany(
            "INSERT INTO section(rowid, headings, words, body) VALUES (?, ?, ?, ?)", texts
        )
        self._database.executemany(
            "INSERT INTO alike(words) VALUES (?)", [[line.lower()] for line in alike]
        )
        self._words = {
            token
            for _, *columns in (*titles, *texts)
            for token in _WORD.findall(" ".join(map(str, columns)).lower())
            if len(token) >= _SHORTEST_SLIP
        }

    def find(self, question: str, most: int) -> tuple[FoundPage, ...]:
        """The pages that have most of a question's words, the best first; none for no page's words."""
        terms = self._words_meant(question)
        sections, pages = defaultdict[int, float](float), defaultdict[int, float](float)
        having = defaultdict[int, float](float)
        total = 0.0
        for term in terms:
            of_sections, of_pages = self._scores(_SECTIONS, term), self._scores(_PAGES, term)
            rarity = max((*of_sections.values(), *of_pages.values()), default=_RAREST)
            total += rarity
            for number, score in of_sections.items():
                sections[number] += score
            for number, score in of_pages.items():
                pages[number] += _OF_A_PAGE * score
            with_word = {self._page_of[number] for number in of_sections} | of_pages.keys()
            for number in with_word:
                having[number] += rarity
        best = self._best_sections(sections)
        for number, matches in best.items():
            pages[number] += matches[0][0]
        for number in pages:
            pages[number] *= (having[number] / total) ** _OF_ALL_WORDS
        self._prefer_by_name(question, pages, having, total)
        ranked = sorted(pages.items(), key=lambda scored: (-scored[1], scored[0]))[:most]
        return tuple(
            FoundPage(
                self._pages[number],
                tuple(self._sections[nth][1] for _, nth in best.get(number, ())[:MOST_SECTIONS])
                or self._pages[number].sections[:1],
                score,
            )
            for number, score in ranked
        )

    def _prefer_by_name(
        self, question: str, pages: dict[int, float], having: Mapping[int, float], total: float
    ) -> None:
        """Put a page first that is asked for by its name or title, or lists a name as it is written."""
        terms, listed = set(words_of(question)), looked_up(question)
        highest = max(pages.values(), default=0.0)
        for number in pages:
            page = self._pages[number]
            # A page's own name goes before another page's title, and a list before both.
            for times, called in enumerate((page.title, _spoken(page.name)), 1):
                if terms == set(words_of(called)):
                    pages[number] += times * highest
            if page.name in listed and having[number] >= total * _OF_WHAT_IS_LISTED:
                pages[number] += 4 * highest

    def _best_sections(self, scores: Mapping[int, float]) -> dict[int, list[tuple[float, int]]]:
        """The sections of each page, the best first, with their scores."""
        best: dict[int, list[tuple[float, int]]] = {}
        for nth, score in sorted(scores.items(), key=lambda scored: (-scored[1], scored[0])):
            best.setdefault(self._page_of[nth], []).append((score, nth))
        return best

    def _scores(self, query: str, term: str) -> dict[int, float]:
        """How much each row has of a word, or of words that mean the same."""
        synonyms = [synonym for (line,) in self._ask(_ALIKE, term) for synonym in line.split()]
        scores = {number: _OF_SYNONYMS * score for number, score in self._ask(query, *synonyms)}
        for number, score in self._ask(query, term):
            scores[number] = max(score, scores.get(number, 0.0))
        return scores

    def _ask(self, query: str, *terms: str) -> list[Any]:
        match = " OR ".join(f'"{term}"' for term in dict.fromkeys(terms))
        if not match:
            return []
        with self._turn:
            return self._database.execute(query, [match]).fetchall()

    def _words_meant(self, question: str) -> list[str]:
        """The words of a question as pages have them; none where no page has one that tells."""
        meant: dict[str, None] = {}
        tells = False
        for token in words_of(question):
            spelled = [token]
            if not self._has_token(token):
                spelled = token.split("_") if "_" in token else [self._spelled(token)]
            meant |= dict.fromkeys(filter(None, spelled))
            tells |= token not in SAY_NOTHING_ALONE and any(map(self._has_token, spelled))
        return list(meant) if tells else []

    def _has_token(self, token: str) -> bool:
        queries = (_PAGES, _SECTIONS, _ALIKE)
        return bool(token) and any(self._ask(query, token) for query in queries)

    def _spelled(self, token: str) -> str:
        """The word, or the one of which it is a misspelling; few people miss the first letter."""
        if not token.isalpha():
            return token
        near = (term for term in self._words if term[0] == token[0] and _is_a_slip(token, term))
        return min(near, default=token)


def _is_a_slip(typed: str, meant: str) -> bool:
    """Whether one letter is too many, missing or another one, or two letters changed places."""
    start = _alike_letters(typed, meant)
    tail, meant_tail = typed[start:], meant[start:]
    end = _alike_letters(tail[::-1], meant_tail[::-1])
    tail, meant_tail = tail[: len(tail) - end], meant_tail[: len(meant_tail) - end]
    return max(len(tail), len(meant_tail)) <= 1 or (len(tail) == 2 and tail == meant_tail[::-1])


def _alike_letters(first: str, second: str) -> int:
    """How many letters two words begin with alike."""
    pairs = zip(first, second, strict=False)
    return next((nth for nth, (a, b) in enumerate(pairs) if a != b), min(len(first), len(second)))


def _words_for(page: HandbookPage, queries: Mapping[str, str]) -> str:
    """The words by which people ask for a page or for one of its sections."""
    places = {page.name, *(section.place for section in page.sections)}
    return " ".join(queries[name] for name in sorted(places & queries.keys()))


def _spoken(name: str) -> str:
    return name.replace("-", " ")


def _with_parts(text: str) -> str:
    """A text in which the names of code stand whole and by their parts."""
    return _IN_CODE.sub(lambda name: f"{name[0]} {name[0].replace('_', ' ')}", text)


@cache
def handbook_index() -> HandbookIndex:
    """The index of the shipped handbook, made when it is first asked for."""
    return HandbookIndex(handbook().values(), asked_as(), alike())
