"""The pages of the handbook as they were written, and the list of them for programs (`/llms.txt`)."""

import asyncio
from collections.abc import Mapping
from functools import partial

from aiohttp import hdrs, web

from finplan.daemon.surfaces.handbook.places import ROOT, markdown_path
from finplan.daemon.surfaces.oauth import cross_origin
from finplan.handbook.library import handbook
from finplan.handbook.pages import FOR_BUILDERS, HandbookPage
from finplan.model.errors import NotFound

LIST = "/llms.txt"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
"""What browsers show instead of keeping it as a file."""

_HEADERS: Mapping[str, str] = {hdrs.CACHE_CONTROL: "no-cache"}


def add_routes(router: web.UrlDispatcher, site_url: str) -> None:
    """Add the routes, which any page may ask."""
    cross_origin.add(router, LIST, partial(_list, site_url), hdrs.METH_GET)
    cross_origin.add(router, ROOT + r"/{page:[a-z_-]+}.md", _markdown, hdrs.METH_GET)


async def _list(site_url: str, _request: web.Request) -> web.StreamResponse:
    pages = await asyncio.to_thread(handbook)
    return _text(list_of(pages, site_url), PLAIN)


async def _markdown(request: web.Request) -> web.StreamResponse:
    pages = await asyncio.to_thread(handbook)
    page = pages.get(request.match_info["page"])
    if page is None:
        raise NotFound(f"The handbook has no such page; {LIST} names those that it has.")
    return _text(page.markdown, MARKDOWN)


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
        f"Programs find the interface described at {site_url}/api/openapi.json, and ask the handbook"
        f" in words at {site_url}/ask.\n\n"
        f"## Handbook\n\n{lines(for_builders=False)}\n\n"
        f"## Optional\n\n{lines(for_builders=True)}\n"
    )


def _text(text: str, content_type: str) -> web.Response:
    return web.Response(text=text, content_type=content_type, charset="utf-8", headers=_HEADERS)
