"""The index by which pages of the handbook are found: SQLite's full text search, in memory."""

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock

from finplan.handbook.pages import (
    FOR_BUILDERS,
    LISTS,
    SAY_NOTHING_ALONE,
    HandbookPage,
    HandbookSection,
    Scores,
    alike,
    asked_as,
    handbook,
    looked_up,
    phrases,
    plain,
    rarity,
    shares,
    together,
    words_of,
)

MOST_SECTIONS = 3
"""How many sections of a page are named."""

_NO_PHRASES: Mapping[str, Iterable[str]] = {}

_MAKE = """
CREATE VIRTUAL TABLE text USING fts5(
    words, content = '', tokenize = "porter unicode61 remove_diacritics 2 tokenchars '_'"
);
CREATE VIRTUAL TABLE term USING fts5vocab(text, instance);
"""
_TERMS = "SELECT term, doc FROM term ORDER BY doc, offset"

_OF_A_TITLE = 1.0
"""How much it counts that a word stands in what a page is called."""

_OF_THE_WORDS = 2.0
"""How much it counts that a word is one by which people ask for a page."""

_OF_THE_PHRASES = 0.7
"""How much it counts that a word stands in what a page answers, said in other words."""

_OF_A_PHRASE = 0.7
"""How much the one phrase of a page counts that is most like a question."""

_OF_THE_BODY = 0.2
"""How much it counts that a word stands somewhere on a page."""

_OF_A_HEADING = 1.0
"""How much it counts that a word stands in the headings that lead to a section."""

_OF_A_SECTION = 0.5
"""How much it counts that a word stands in a section."""

_OF_ITS_PHRASES = 1.0
"""How much it counts that a word stands in what a section answers, said in other words."""

_OF_A_LIKE_WORD = 0.4
"""How much a word counts that means the same as the one that was asked with."""

_OF_ALL_WORDS = 0.5
"""How much it counts that a page has all words of a question, and not some of them alone."""

_LEAST_OF_A_SLIP = 6
"""Letters of the shortest word that another one can be a slip of: short words are alike by chance."""

_IN_CODE = re.compile(r"(?<!\w)[^\W_]*_\w*")

_OF_WHAT_IS_LISTED = 0.9
"""How much of a question a list has to have to be what is meant by a name just as it is written."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that answers a question, with its best sections; the larger its score, the better."""

    page: HandbookPage
    sections: tuple[HandbookSection, ...]
    score: float


class _Stems:
    """Splits texts into stems as FTS5 does, which knows endings and accents."""

    def __init__(self) -> None:
        self._turn = Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.executescript(_MAKE)

    def of(self, texts: Sequence[str]) -> list[list[str]]:
        """The stems of each text, in its order."""
        stems: list[list[str]] = [[] for _ in texts]
        with self._turn:
            self._database.execute("INSERT INTO text(text) VALUES ('delete-all')")
            rows = enumerate(texts, 1)
            self._database.executemany("INSERT INTO text(rowid, words) VALUES (?, ?)", rows)
            for stem, row in self._database.execute(_TERMS):
                stems[row - 1].append(stem)
        return stems

    def named(self, texts: Mapping[str, str]) -> Mapping[str, list[str]]:
        """The stems of each text by its name; what code calls something counts by its parts, too."""
        spread = [_IN_CODE.sub(_with_parts, each) for each in texts.values()]
        return dict(zip(texts, self.of(spread), strict=True))


class HandbookIndex:
    """Finds pages by the words of a question, of which nothing is ever a command of the search.

    Each word counts as much as it is rare, once in a page, by itself or by a word that means the same.
    `asked` are words by which people ask for a page; `phrases` say what a place, a page or a section,
    answers in other words than its own.
    """

    def __init__(
        self,
        pages: Iterable[HandbookPage],
        asked: Mapping[str, str],
        alike: Iterable[str] = (),
        phrases: Mapping[str, Iterable[str]] = _NO_PHRASES,
    ) -> None:
        self._pages = {each.name: each for each in pages if each.name not in FOR_BUILDERS}
        self._called = {name: _called(each) for name, each in self._pages.items()}
        self._sections = {
            f"{page.name} {nth}": section
            for page in self._pages.values()
            for nth, section in enumerate(page.sections)
        }
        self._stems = _Stems()
        self._alike = self._meant(alike)
        told = {place: tuple(lines) for place, lines in phrases.items()}
        texts = self._stems.named({at: plain(each.text) for at, each in self._sections.items()})
        lines = self._stems.named(
            {
                f"{place.partition('#')[0]} {place} {nth}": " ".join(words_of(line))
                for place, of_place in told.items()
                for nth, line in enumerate(of_place)
            }
        )
        headings = self._stems.named(
            {at: " ".join(each.headings) for at, each in self._sections.items()}
        )
        whole = {at: [*headings[at], *of_it] for at, of_it in texts.items()}
        self._rarity = _rarities(whole, lines)
        self._of_pages = self._weigh_pages(asked, told)
        self._of_phrases = shares(lines, 0.5)
        self._of_sections = self._weigh_sections(headings, texts, told)
        self._sections_with = {
            stem: dict.fromkeys(sections, 1.0) for stem, sections in self._of_sections.items()
        }
        self._pages_with = {
            stem: dict.fromkeys(
                [*self._of_pages.get(stem, ()), *map(_page_of, self._of_sections.get(stem, ()))],
                1.0,
            )
            for stem in self._of_pages.keys() | self._of_sections.keys()
        }

    def find(self, question: str, most: int) -> tuple[FoundPage, ...]:
        """The pages that have most of a question's words, the best first; none for no page's words."""
        stems = self._stems_of(question)
        whole = sum(map(self._rare, stems))
        sections = self._add_up(stems, self._of_sections)
        having = self._add_up(stems, self._sections_with)
        for section in sections:
            sections[section] *= (having[section] / whole) ** _OF_ALL_WORDS
        places = _by_page(sections)
        pages = self._add_up(stems, self._of_pages)
        for page, [(best, _), *_rest] in places.items():
            pages[page] += best
        for page, best in _best_of_each(self._add_up(stems, self._of_phrases)).items():
            pages[page] += _OF_A_PHRASE * best
        having = self._add_up(stems, self._pages_with)
        for page in pages:
            pages[page] *= (having[page] / whole) ** _OF_ALL_WORDS
        words = set(words_of(question))
        highest = max(pages.values(), default=0.0)
        for page in pages:
            # Who asks for a page by what it is called wants that page, whatever others have of the word,
            # and by a page's own name rather than one of that title.
            for times, called in enumerate(self._called[page], 1):
                pages[page] += times * highest * (words == called)
        highest = max(pages.values(), default=0.0)
        for page in looked_up(question) & pages.keys():
            if having[page] >= whole * _OF_WHAT_IS_LISTED:
                pages[page] += highest
        best_pages = sorted(pages.items(), key=lambda each: -each[1])[:most]
        # The words by which people ask for a page may stand in none of its sections.
        return tuple(
            self._found(name, score, places.get(name, [(0.0, 0)])) for name, score in best_pages
        )

    def _found(self, name: str, score: float, places: list[tuple[float, int]]) -> FoundPage:
        page = self._pages[name]
        sections = tuple(page.sections[nth] for _, nth in places[:MOST_SECTIONS])
        return FoundPage(page, sections, score)

    def _add_up(self, stems: Sequence[str], told: Mapping[str, Scores]) -> defaultdict[str, float]:
        """What each text has of all stems, of each by itself or by the best that means the same."""
        scores = defaultdict[str, float](float)
        for stem in stems:
            best: Scores = {}
            for each, share in self._terms(stem):
                rare = share * self._rare(each)
                for text, of_it in told.get(each, {}).items():
                    best[text] = max(best.get(text, 0.0), rare * of_it)
            for text, score in best.items():
                scores[text] += score
        return scores

    def _rare(self, stem: str) -> float:
        return self._rarity.get(stem, self._rarity[""])

    def _terms(self, stem: str) -> Iterator[tuple[str, float]]:
        """What is looked for where a stem was asked for, each with how much it counts."""
        yield stem, 1.0
        for each in self._alike.get(stem, ()):
            yield each, _OF_A_LIKE_WORD

    def _stems_of(self, question: str) -> Sequence[str]:
        """The stems that tell what a question is about, each once."""
        stems: list[str] = []
        words = words_of(question)
        is_about_something = False
        for word, split in zip(words, self._stems.of(words), strict=True):
            known = all(self._is_known(each) for each in split)
            meant = split if known else self._meant_by(word, split)
            stems += meant
            is_about_something |= word not in SAY_NOTHING_ALONE and any(map(self._is_known, meant))
        return tuple(dict.fromkeys(stems)) if is_about_something else ()

    def _meant_by(self, word: str, split: Sequence[str]) -> Sequence[str]:
        """The stems of a word that no page has: of its parts, or of one that it is a slip of."""
        if "_" in word:
            return [stem for part in self._stems.of(word.split("_")) for stem in part]
        return [self._spelled(each) for each in split]

    def _spelled(self, stem: str) -> str:
        """The stem, or the one that it is a slip of; few people miss the first letter."""
        if self._is_known(stem) or not stem.isalpha():
            return stem
        near = [
            each
            for each in self._pages_with
            if len(each) >= _LEAST_OF_A_SLIP and each[0] == stem[0] and _is_a_slip(stem, each)
        ]
        return min(near, key=self._rare, default=stem)

    def _is_known(self, stem: str) -> bool:
        return stem in self._pages_with or stem in self._alike

    def _meant(self, alike: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """The stems that mean the same as each."""
        meant: dict[str, dict[str, None]] = {}
        for line in self._stems.of(tuple(alike)):
            for stem in line:
                meant.setdefault(stem, {}).update(dict.fromkeys(line))
        return {stem: [each for each in told if each != stem] for stem, told in meant.items()}

    def _weigh_pages(
        self, asked: Mapping[str, str], phrases: Mapping[str, Sequence[str]]
    ) -> Mapping[str, Scores]:
        """What each page has of each stem."""
        answered: dict[str, str] = dict.fromkeys(self._pages, "")
        for place, lines in phrases.items():
            answered[place.partition("#")[0]] += " ".join(lines) + " "
        pages = self._pages.values()
        # A list has every word of the product somewhere: its sections tell, and not the whole of it.
        bodies = {each.name: plain(each.markdown) * (each.shelf not in LISTS) for each in pages}
        titles = {each.name: f"{each.title} {_spoken(each.name)}" for each in pages}
        words = {name: asked.get(name, "") for name in self._pages}
        return together(
            (weight, shares(self._stems.named(texts), length_counts))
            for weight, length_counts, texts in (
                (_OF_A_TITLE, 0.3, titles),
                (_OF_THE_WORDS, 0.3, words),
                (_OF_THE_PHRASES, 0.5, answered),
                (_OF_THE_BODY, 0.75, bodies),
            )
        )

    def _weigh_sections(
        self,
        headings: Mapping[str, list[str]],
        texts: Mapping[str, list[str]],
        phrases: Mapping[str, Sequence[str]],
    ) -> Mapping[str, Scores]:
        """What each section has of each stem."""
        sections = self._sections.items()
        answered = self._stems.named(
            {at: " ".join(phrases.get(each.place, ())) * bool(each.anchor) for at, each in sections}
        )
        return together(
            (
                (_OF_A_HEADING, shares(headings, 0.5)),
                (_OF_A_SECTION, shares(texts, 0.75)),
                (_OF_ITS_PHRASES, shares(answered, 0.5)),
            )
        )


def _rarities(*kinds: Mapping[str, Sequence[str]]) -> Mapping[str, float]:
    """How much each stem tells by how few texts of each kind have it; beneath "" what none has."""
    having = [Counter(stem for each in texts.values() for stem in set(each)) for texts in kinds]
    return {
        stem: sum(rarity(of[stem], len(texts)) for of, texts in zip(having, kinds, strict=True))
        for stem in set().union(*having, ("",))
    }


def _called(page: HandbookPage) -> tuple[set[str], ...]:
    """The words of each way to call a page: its title, and the name that commands and tools know."""
    return tuple(set(words_of(each)) for each in (page.title, _spoken(page.name)))


def _page_of(part: str) -> str:
    return part.partition(" ")[0]


def _is_a_slip(typed: str, meant: str) -> bool:
    """Whether one letter is too many, missing or another one, or two letters changed places."""
    start = _alike_letters(typed, meant)
    left, right = typed[start:], meant[start:]
    end = _alike_letters(left[::-1], right[::-1])
    left, right = left[: len(left) - end], right[: len(right) - end]
    return max(len(left), len(right)) <= 1 or (len(left) == 2 and left == right[::-1])


def _alike_letters(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((nth for nth, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _spoken(name: str) -> str:
    return name.replace("-", " ")


def _with_parts(name: re.Match[str]) -> str:
    return f"{name[0]} {name[0].replace('_', ' ')}"


def _best_of_each(scores: Mapping[str, float]) -> Scores:
    """Of each page, what its best part has."""
    best: Scores = {}
    for part, score in scores.items():
        best[_page_of(part)] = max(best.get(_page_of(part), 0.0), score)
    return best


def _by_page(scores: Mapping[str, float]) -> dict[str, list[tuple[float, int]]]:
    """The parts of each page, the best first."""
    parts: dict[str, list[tuple[float, int]]] = {}
    for at, score in scores.items():
        page, _, nth = at.partition(" ")
        parts.setdefault(page, []).append((score, int(nth)))
    for of_it in parts.values():
        of_it.sort(key=lambda each: (-each[0], each[1]))
    return parts


@cache
def handbook_index() -> HandbookIndex:
    """The index of the shipped handbook, made when it is first asked for."""
    return HandbookIndex(handbook().values(), asked_as(), alike(), phrases())
