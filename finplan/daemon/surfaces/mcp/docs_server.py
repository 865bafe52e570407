"""The docs server: the handbook for agents, searched and read without any credential.

Its two tools, which know no protocol, come first.
"""

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Annotated, Any

from mcp import types
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import Field, ValidationError

from finplan import __version__
from finplan.daemon.errors import envelope_of, fault_of, refusal_of
from finplan.daemon.surfaces.handbook.routes import markdown_path, section_path
from finplan.daemon.surfaces.mcp.tool_calls import asked_schema, refused, told_schema
from finplan.handbook.pages import LONGEST_QUESTION, HandbookPage, HandbookSection, handbook, plain
from finplan.model.base import Wire, read_json
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
    limit: Annotated[int, Field(ge=1, le=MOST_PAGES, description="Maximum number of pages.")] = 5


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

    page: Annotated[str, Field(max_length=100, description="A page's name, from search_docs.")]
    section: Annotated[
        str | None,
        Field(max_length=200, description="A section's name. Default: the page from the top."),
    ] = None
    offset: Annotated[int, Field(ge=0, description="nextOffset of the previous piece.")] = 0


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
        raise NotFound(f"No page {name!r} in the handbook. Try {', '.join(near)}.")
    return pages[name]


def _section(page: HandbookPage, anchor: str) -> HandbookSection:
    sections = {each.anchor: each for each in page.sections if each.anchor}
    if anchor not in sections:
        near = get_close_matches(anchor, sections, 3) or list(sections)
        has = f"Try {', '.join(near)}." if near else "Read the page without `section`."
        raise NotFound(f"No section {anchor!r} on the page {page.name}. {has}")
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


def _list_results(told: SearchDocsAnswer) -> str:
    if not told.pages:
        return "No page of the handbook matches. Try other words."
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
    return f"{told.text}\n(Continue at offset {told.next_offset}.)"


DOCS_TOOLS: Mapping[str, DocsTool] = {
    each.name: each
    for each in (
        DocsTool(
            "search_docs",
            "Search the handbook",
            "Find the pages of finplan's handbook that answer a question, best match first.",
            SearchDocsAsk,
            SearchDocsAnswer,
            search_docs,
            _list_results,
        ),
        DocsTool(
            "read_docs",
            "Read the handbook",
            "Read a page of finplan's handbook as Markdown, or one section. Long pages come in pieces.",
            ReadDocsAsk,
            ReadDocsAnswer,
            read_docs,
            _say_read,
        ),
    )
}


McpDocsRequest = ServerRequestContext[Any, Any]
MARKDOWN = "text/markdown"

DOCS_INSTRUCTIONS = (
    "The handbook of finplan, a personal finance planner that people run on their own machine. It covers"
    " figures, commands, interfaces and errors. Search with the words of the question, then read the"
    " page. It contains no personal data."
)


def make_docs_server(site_url: str) -> Server[Any]:
    """Make the docs server of a site."""
    return Server(
        "finplan-docs",
        version=__version__,
        title="finplan's handbook",
        description="How to use finplan: search and read.",
        instructions=DOCS_INSTRUCTIONS,
        on_list_tools=_list_tools,
        on_call_tool=partial(_call_tool, site_url),
        on_list_resources=partial(_list_resources, site_url),
        on_read_resource=partial(_read_resource, site_url),
        get_tool_input_schema=lambda name: (
            asked_schema(DOCS_TOOLS[name].asks) if name in DOCS_TOOLS else None
        ),
    )


async def _list_tools(
    _request: McpDocsRequest, _params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[_published(each) for each in DOCS_TOOLS.values()])


def _published(tool: DocsTool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(asked_schema(tool.asks)),
        output_schema=dict(told_schema(tool.answers)),
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


async def _call_tool(
    site_url: str, _request: McpDocsRequest, params: types.CallToolRequestParams
) -> types.CallToolResult:
    tool = DOCS_TOOLS.get(params.name)
    if tool is None:
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool {params.name[:80]!r}.")
    try:
        try:
            ask = read_json(tool.asks, json.dumps(params.arguments or {}))
        except ValidationError as error:
            raise refusal_of(error) from error
        told = await asyncio.to_thread(tool.perform, site_url, ask)
    except Exception as error:  # noqa: BLE001 - All errors end here; `fault_of` logs those of ours.
        return refused(envelope_of(fault_of(error)))
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=tool.say(told))],
        structured_content=json.loads(told.model_dump_json(by_alias=True)),
    )


async def handbook_resources(site_url: str) -> Mapping[str, HandbookPage]:
    """The pages of the handbook, by their addresses."""
    pages = await asyncio.to_thread(handbook)
    return {f"{site_url}{markdown_path(page)}": page for page in pages.values()}


def page_resource(uri: str, page: HandbookPage) -> types.Resource:
    """A page of the handbook as a client lists it."""
    return types.Resource(
        uri=uri,
        name=page.name,
        title=page.title,
        description=page.summary or None,
        mime_type=MARKDOWN,
        size=len(page.markdown.encode()),
    )


def text_resource(uri: str, media_type: str, text: str) -> types.ReadResourceResult:
    """A resource that is one text."""
    contents = types.TextResourceContents(uri=uri, mime_type=media_type, text=text)
    return types.ReadResourceResult(contents=[contents])


async def _list_resources(
    site_url: str, _request: McpDocsRequest, _params: types.PaginatedRequestParams | None
) -> types.ListResourcesResult:
    pages = await handbook_resources(site_url)
    return types.ListResourcesResult(
        resources=[page_resource(uri, page) for uri, page in pages.items()]
    )


async def _read_resource(
    site_url: str, _request: McpDocsRequest, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    uri, found = str(params.uri), await handbook_resources(site_url)
    if uri not in found:
        near = get_close_matches(uri[:200], found, 1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise MCPError(types.INVALID_PARAMS, f"Unknown page.{hint}")
    return text_resource(uri, MARKDOWN, found[uri].markdown)
