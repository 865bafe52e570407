"""The pages of the handbook for browsers, and as they were written, with their list (`/llms.txt`)."""

import asyncio
from collections.abc import Mapping
from functools import partial

from aiohttp import hdrs, web

from finplan.daemon.middleware import is_open
from finplan.daemon.surfaces.handbook.places import INDEX, ROOT, markdown_path
from finplan.daemon.surfaces.oauth import cross_origin
from finplan.handbook.pages import FOR_BUILDERS, LONGEST_QUESTION, HandbookPage, handbook
from finplan.model.errors import BadRequest, NotFound
from finplan.store.handbook_index import handbook_index

LIST = "/llms.txt"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
"""What browsers show instead of keeping it as a file."""

MOST_FOUND = 8

_HEADERS: Mapping[str, str] = {hdrs.CACHE_CONTROL: "no-cache"}


def add_routes(router: web.UrlDispatcher, site_url: str) -> None:
    """Add the routes, which anybody may ask; those for programs also from pages of any origin."""
    cross_origin.add(router, LIST, partial(_list, site_url), hdrs.METH_GET)
    cross_origin.add(router, ROOT + r"/{page:[a-z_-]+}.md", _markdown, hdrs.METH_GET)
    router.add_get(INDEX, is_open(_index))
    router.add_get(ROOT + r"/{page:[a-z_-]+}", is_open(_page))


async def _list(site_url: str, _request: web.Request) -> web.StreamResponse:
    pages = await asyncio.to_thread(handbook)
    return _text(list_of(pages, site_url), PLAIN)


async def _markdown(request: web.Request) -> web.StreamResponse:
    return _text((await asyncio.to_thread(_asked_page, request)).markdown, MARKDOWN)


async def _page(request: web.Request) -> web.StreamResponse:
    return await asyncio.to_thread(_drawn_page, request)


async def _index(request: web.Request) -> web.StreamResponse:
    return await asyncio.to_thread(_drawn_index, request)


def _drawn_page(request: web.Request) -> web.Response:
    # What draws is loaded when somebody first looks: most daemons are never asked.
    from finplan.daemon.surfaces.handbook.drawing import draw_page, policy

    return _drawn(draw_page(_asked_page(request), handbook()), policy())


def _drawn_index(request: web.Request) -> web.Response:
    from finplan.daemon.surfaces.handbook.drawing import draw_found, draw_index, policy

    question = request.query.get("query", "")
    if len(question) > LONGEST_QUESTION:
        raise BadRequest(f"A question may have {LONGEST_QUESTION} letters; ask less at once.")
    if not question.strip():
        return _drawn(draw_index(handbook()), policy())
    found = handbook_index().find(question, MOST_FOUND)
    return _drawn(draw_found(question, found, handbook()), policy())


def _asked_page(request: web.Request) -> HandbookPage:
    page = handbook().get(request.match_info["page"])
    if page is None:
        raise NotFound(f"The handbook has no such page; {INDEX} and {LIST} name those that it has.")
    return page


def list_of(pages: Mapping[str, HandbookPage], site_url: str) -> str:
    """The list of pages, as llmstxt.org has it: what finplan is, and a line for each page."""

    def lines(*, for_builders: bool) -> str:
        return "\n".join(
            f"- [{page.title}]({site_url}{markdown_path(page)}): {page.summary}".removesuffix(": ")
            for page in pages.values()
            if (page.name in FOR_BUILDERS) is for_builders
        )

    return (
        "# finplan\n\n"
        "> A personal finance plan from your own bank data, on your own machine.\n\n"
        f"Programs find [the interface described]({site_url}/api/openapi.json), ask"
        f" [the handbook in words]({site_url}/ask?query=What+is+safe+to+spend), and find"
        f" [the servers for agents]({site_url}/.well-known/ai-catalog.json).\n\n"
        f"## Handbook\n\n{lines(for_builders=False)}\n\n"
        f"## Optional\n\n{lines(for_builders=True)}\n"
    )


def _text(text: str, content_type: str) -> web.Response:
    return web.Response(text=text, content_type=content_type, charset="utf-8", headers=_HEADERS)


def _drawn(page: str, policy: str) -> web.Response:
    headers = {**_HEADERS, "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    return web.Response(text=page, content_type="text/html", charset="utf-8", headers=headers)
