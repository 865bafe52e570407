"""A page of the handbook, read from its Markdown into sections that can be found and linked to."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEADING = re.compile(r"(#{1,6}) ++(.+?)(?:(?<! ) +#+)?$")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_MARKS = re.compile(r"`+|\*+(?=\S)|(?<=\S)\*+")
_NO_PROSE = re.compile(r" {4}|\||```|~~~")
_NOT_IN_AN_ANCHOR = re.compile(r"[^\w\- ]")
_SENTENCE = re.compile(r"(?<=[.!?])\s")

FOR_BUILDERS = frozenset({"decisions", "performance", "quality"})
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
    for level, title, text in _parts(name, markdown):
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


def _parts(name: str, markdown: str) -> Iterator[tuple[int, str, str]]:
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
