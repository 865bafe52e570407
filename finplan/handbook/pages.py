"""Read the pages of the handbook from Markdown into sections that can be found and linked to.

Also the words of a question that tell what it is about.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_HEADING = re.compile(r"(#{1,6}) ++(.+?)(?:(?<! ) +#+)?$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_PICTURE = re.compile(r"^!\[[^\[\]\n]*\]\([^()\n]*\)\n\n?", re.MULTILINE)
"""A picture in a line of its own: what reads the handbook shows none."""
_MARKS = re.compile(r"`+|\*+(?=\S)|(?<=\S)\*+")
_NO_PROSE = re.compile(r" {4}|\||```|~~~")
_NOT_IN_AN_ANCHOR = re.compile(r"[^\w\- ]")
_SENTENCE = re.compile(r"(?<=[.!?])\s")

FOR_BUILDERS = frozenset({"performance", "quality"})
"""Pages about how finplan is made: read like any other, and never found by a question about its use."""

LISTS = frozenset({"reference"})
"""Shelves of pages that list what there is, made to be looked up rather than to be read."""


@dataclass(frozen=True, slots=True)
class HandbookSection:
    """What stands below one heading, up to the next; `anchor` is empty for what opens a page.

    `headings` leads from the page's title to its own.
    """

    page: str
    headings: tuple[str, ...]
    anchor: str
    text: str

    @property
    def title(self) -> str:
        """What it is called."""
        return self.headings[-1]

    @property
    def place(self) -> str:
        """Where it is, beneath the folder of the pages."""
        return f"{self.page}#{self.anchor}" if self.anchor else self.page

    @property
    def summary(self) -> str:
        """Its first sentence, without marks."""
        return _first_sentence(self.text)


@dataclass(frozen=True, slots=True)
class HandbookPage:
    """One page: what its file is called, its Markdown, and the sections that make it up.

    `shelf` is the folder that it stands in, empty for a page that stands in none.
    """

    name: str
    markdown: str
    sections: tuple[HandbookSection, ...]
    shelf: str = ""

    @property
    def title(self) -> str:
        """Its first heading."""
        return self.sections[0].title

    @property
    def summary(self) -> str:
        """Its first sentence, without marks."""
        return self.sections[0].summary


def read_page(name: str, markdown: str, shelf: str = "") -> HandbookPage:
    """Read a page: everything of it stands in exactly one section, in its order."""
    sections: list[HandbookSection] = []
    headings: tuple[tuple[int, str], ...] = ()
    taken: dict[str, int] = {}
    for level, title, text in _parts_of_page(name, markdown):
        headings = (*(each for each in headings if each[0] < level), (level, title))
        anchor = _anchor(title, taken)
        sections.append(
            HandbookSection(
                name, tuple(each for _, each in headings), anchor if sections else "", text
            )
        )
    return HandbookPage(name, markdown, tuple(sections), shelf)


def plain(markdown: str) -> str:
    """A text of Markdown without the marks of its links, its emphasis and its code."""
    return _MARKS.sub("", _LINK.sub(r"\1", markdown))


def linked(target: str) -> str:
    """The place that a link of a page leads to, whatever folder the pages of both stand in."""
    return target.rpartition("/")[2].replace(".md", "", 1)


def _parts_of_page(name: str, markdown: str) -> Iterator[tuple[int, str, str]]:
    """Level, heading and text of each section; a line within a fence is no heading."""
    level, title, lines, fence = 1, name, list[str](), ""
    begun = False
    for line in markdown.splitlines():
        fenced = _FENCE.match(line)
        if fenced and (not fence or fenced[1].startswith(fence)):
            fence = "" if fence else fenced[1]
        heading = None if fence else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if begun or any(map(str.strip, lines)):
            yield level, title, "\n".join(lines).strip("\n")
        begun = True
        level, title, lines = len(heading[1]), plain(heading[2]), []
    yield level, title, "\n".join(lines).strip("\n")


def _anchor(title: str, taken: dict[str, int]) -> str:
    """The name by which GitHub links to a heading; a second one of the same name is numbered."""
    anchor = _NOT_IN_AN_ANCHOR.sub("", title.lower()).replace(" ", "-")
    again = taken.get(anchor, 0)
    taken[anchor] = again + 1
    return f"{anchor}-{again}" if again else anchor


def _first_sentence(text: str) -> str:
    """The first sentence of the first paragraph of prose, which no table and no code is.

    One that leads to a list or to code ends by itself.
    """
    prose = (each for each in text.split("\n\n") if each and not _NO_PROSE.match(each))
    words = " ".join(plain(next(prose, "")).split())
    sentence = _SENTENCE.split(words, maxsplit=1)[0]
    return f"{sentence[:-1]}." if sentence.endswith(":") else sentence


FOLDER = Path(__file__).parent.parent / "docs"
_WORDS_FILE = Path(__file__).with_name("words.toml")
_ALIKE_FILE = Path(__file__).with_name("alike.toml")


@cache
def handbook() -> Mapping[str, HandbookPage]:
    """Every page by its name, in the order of their names; no two folders have one of the same name."""
    pages = (
        read_page(
            path.stem,
            _PICTURE.sub("", path.read_text(encoding="utf-8")),
            path.parent.relative_to(FOLDER).name,
        )
        for path in FOLDER.rglob("*.md")
    )
    return {each.name: each for each in sorted(pages, key=lambda each: each.name)}


def asked_as() -> Mapping[str, str]:
    """The words by which people ask for each page, where the page may have others."""
    words: Mapping[str, str] = tomllib.loads(_WORDS_FILE.read_text(encoding="utf-8"))
    return words


def alike() -> Sequence[str]:
    """Lines of words that people use for one another, wherever they stand."""
    lines: Sequence[str] = tomllib.loads(_ALIKE_FILE.read_text(encoding="utf-8"))["alike"]
    return lines


LONGEST_QUESTION = 1000
"""Letters of a question that are looked at; the rest of a longer one is not."""

MOST_WORDS = 40

_WORD = re.compile(r"\w+")
_FILLERS = """
a able about actually after again all already also although am an and any anything are aren as at
be been before both but by came can come comes coming could couldn d did didn do does doesn doing
don each else even ever far for from get gets getting give go goes going got had has hasn have
haven having he her here him his how i if in into is isn it its just keep keeps know known knows
let like ll m made make makes many may me mean means might more most much must my need not now of
off on one only or other our out over per please possible put puts re really s same say see set
shall she should show so some something sometimes still such t take taken takes tell than that the
their them then there these they thing things this those though to too under up us use used using
ve very want was wasn way we were what where whether which while will with
within without won would wouldn yes yet you your yours finplan
"""
_SAY_NOTHING = frozenset(_FILLERS.split())

_NOT_ALONE = """
above against because behind being below besides between down during few further hello hers hey hi itself
myself no nor ok okay once ours ourselves own thank thanks theirs themselves through until upon when who
whom whose why yourself yourselves
"""
SAY_NOTHING_ALONE = frozenset(_NOT_ALONE.split())
"""Words that tell something beside others, and by themselves no page."""

_WRITTEN = {
    "routes": re.compile(r"^(GET|POST|PUT|PATCH|DELETE)\b|(?<!\S)/\w"),
    "errors": re.compile(r"\b(?!FINPLAN)[A-Z]+(_[A-Z]+)+\b"),
    "settings": re.compile(r"\bFINPLAN_[A-Z]"),
    "commands": re.compile(r"(?<!\S)--\w"),
}
"""How things are written that a page lists: methods and paths, codes, variables, options."""


def looked_up(question: str) -> set[str]:
    """The pages that list what a question names just as it is written, such as `GET /plan`."""
    return {
        page for page, written in _WRITTEN.items() if written.search(question[:LONGEST_QUESTION])
    }


def words_of(question: str) -> tuple[str, ...]:
    """The words that tell what a question is about, each once, in the order of the question."""
    words = _WORD.findall(question[:LONGEST_QUESTION].lower())
    return tuple(dict.fromkeys(each for each in words if each not in _SAY_NOTHING))[:MOST_WORDS]
