"""The two tools of the docs server, which know no protocol: searching the handbook and reading it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import Field

from finplan.daemon.surfaces.handbook.places import section_path
from finplan.handbook.asking import LONGEST_QUESTION
from finplan.handbook.library import handbook
from finplan.handbook.pages import HandbookPage, HandbookSection, plain
from finplan.model.base import Wire
from finplan.model.errors import NotFound
from finplan.store.handbook_index import MOST_SECTIONS, FoundPage, handbook_index

MOST_PAGES = 10
TOLD_IN_FULL = 4
"""How many of the found pages are told with all of their best sections, the others with one."""

EXCERPT = 300
"""How many characters of a section a search shows."""

SECOND = 2
"""How many headings lead to a section of a page itself: the title and its own."""

PIECE = 6000
"""How many characters are read at once: an answer holds them twice, as text and as data."""


class SearchDocsAsk(Wire):
    """What is looked for."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=LONGEST_QUESTION,
            description="The question, in the person's words.",
        ),
    ]
    limit: Annotated[int, Field(ge=1, le=MOST_PAGES, description="Pages at most.")] = 5


class DocsHit(Wire):
    """One section of a page that was found."""

    section: str | None
    heading: str
    excerpt: str
    url: str


class DocsPageHit(Wire):
    """A page that was found, with its best sections."""

    page: str
    title: str
    sections: tuple[DocsHit, ...]


class SearchDocsAnswer(Wire):
    """The pages that were found, the best first."""

    pages: tuple[DocsPageHit, ...]


class ReadDocsAsk(Wire):
    """What is to be read."""

    page: Annotated[str, Field(max_length=100, description="A page's name, as search_docs has it.")]
    section: Annotated[
        str | None,
        Field(max_length=200, description="A section's name; without it, the page from its top."),
    ] = None
    offset: Annotated[int, Field(ge=0, description="Where to go on, as nextOffset says.")] = 0


class DocsContent(Wire):
    """A section that a page has."""

    section: str | None
    heading: str


class ReadDocsAnswer(Wire):
    """A piece of a page; `next_offset` says where it goes on, and is null at the end.

    `sections` are those of the page, and within the one that is read those below it.
    """

    page: str
    title: str
    section: str | None
    text: str
    next_offset: int | None
    sections: tuple[DocsContent, ...]
    url: str


@dataclass(frozen=True, slots=True)
class DocsTool:
    """One tool of the docs server: its words, its shapes, and what it does for a site."""

    name: str
    title: str
    description: str
    asks: type[Wire]
    answers: type[Wire]
    perform: Callable[[str, Any], Wire]
    say: Callable[[Any], str]


def search_docs(site_url: str, ask: SearchDocsAsk) -> SearchDocsAnswer:
    """Find the pages that have the words of a question."""
    found = handbook_index().find(ask.query, ask.limit)
    hits = (
        _page_hit(site_url, each, MOST_SECTIONS if place < TOLD_IN_FULL else 1)
        for place, each in enumerate(found)
    )
    return SearchDocsAnswer(pages=tuple(hits))


def read_docs(site_url: str, ask: ReadDocsAsk) -> ReadDocsAnswer:
    """Read a piece of a page. Raises NotFound, with what is spelled nearly so."""
    page = _page(ask.page)
    section = page.sections[0] if ask.section is None else _section(page, ask.section)
    whole = page.markdown if ask.section is None else section.text
    piece = _piece(whole, ask.offset)
    end = ask.offset + len(piece)
    return ReadDocsAnswer(
        page=page.name,
        title=page.title,
        section=ask.section,
        text=piece,
        next_offset=end if end < len(whole) else None,
        sections=tuple(
            DocsContent(section=each.anchor or None, heading=each.title)
            for each in page.sections
            if _is_near(section, each)
        ),
        url=f"{site_url}{section_path(section)}",
    )


def _page_hit(site_url: str, found: FoundPage, most: int) -> DocsPageHit:
    return DocsPageHit(
        page=found.page.name,
        title=found.page.title,
        sections=tuple(
            DocsHit(
                section=each.anchor or None,
                heading=" › ".join(each.headings),
                excerpt=_excerpt(each),
                url=f"{site_url}{section_path(each)}",
            )
            for each in found.sections[:most]
        ),
    )


def _excerpt(section: HandbookSection) -> str:
    text = " ".join(plain(section.text).split())
    return text if len(text) <= EXCERPT else text[: EXCERPT - 1].rstrip() + "…"


def _page(name: str) -> HandbookPage:
    pages = handbook()
    if name not in pages:
        near = get_close_matches(name, pages, 3) or sorted(pages)
        raise NotFound(f"The handbook has no page {name!r}. It has {', '.join(near)}.")
    return pages[name]


def _section(page: HandbookPage, anchor: str) -> HandbookSection:
    sections = {each.anchor: each for each in page.sections if each.anchor}
    if anchor not in sections:
        near = get_close_matches(anchor, sections, 3) or list(sections)
        has = f"It has {', '.join(near)}." if near else "It is all one; leave out `section`."
        raise NotFound(f"The page {page.name} has no section {anchor!r}. {has}")
    return sections[anchor]


def _is_near(read: HandbookSection, other: HandbookSection) -> bool:
    """Whether a section is named with one that is read: a long page has more than a model wants."""
    return len(other.headings) <= SECOND or other.headings[:SECOND] == read.headings[:SECOND]


def _piece(whole: str, offset: int) -> str:
    """So much of a text as is read at once, up to the end of a line where there is one."""
    piece = whole[offset : offset + PIECE]
    if offset + len(piece) == len(whole):
        return piece
    return piece[: piece.rfind("\n") + 1] or piece


def _say_found(told: SearchDocsAnswer) -> str:
    if not told.pages:
        return "No page of the handbook has these words. Ask with others."
    lines = []
    for page in told.pages:
        lines.append(f"{page.title} (page {page.page})")
        lines += [
            f"- {each.heading}{f' (section {each.section})' if each.section else ''}: {each.excerpt}"
            for each in page.sections
        ]
    return "\n".join(lines)


def _say_read(told: ReadDocsAnswer) -> str:
    if told.next_offset is None:
        return told.text
    return f"{told.text}\n(It goes on at offset {told.next_offset}.)"


DOCS_TOOLS: Mapping[str, DocsTool] = {
    each.name: each
    for each in (
        DocsTool(
            "search_docs",
            "Search the handbook",
            "Finds the pages of finplan's handbook that answer a question, the best first, with their"
            " best sections.",
            SearchDocsAsk,
            SearchDocsAnswer,
            search_docs,
            _say_found,
        ),
        DocsTool(
            "read_docs",
            "Read the handbook",
            "Reads a page of finplan's handbook as Markdown, or one section of it; long ones in pieces.",
            ReadDocsAsk,
            ReadDocsAnswer,
            read_docs,
            _say_read,
        ),
    )
}
