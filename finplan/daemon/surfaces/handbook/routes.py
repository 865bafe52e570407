"""The handbook's routes: pages for browsers, pages as they were written, and questions in words.

`/llms.txt` lists the pages. NLWeb's /ask (0.55) is answered by pages as schema.org items. What such a
request says besides the question is ignored where it is not known, since clients of several versions
ask; what is known and wrong is refused.
"""

import asyncio
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from aiohttp import hdrs, web
from pydantic_core import from_json

from finplan.daemon import middleware
from finplan.handbook.pages import (
    FOR_BUILDERS,
    LONGEST_QUESTION,
    HandbookPage,
    HandbookSection,
    handbook,
)
from finplan.model.errors import BadRequest, NotFound
from finplan.store.handbook_index import FoundPage, handbook_index

ROOT = "/api/docs"
INDEX = f"{ROOT}/handbook"
"""The list of the pages, which also searches; no page is called so."""


def markdown_path(page: HandbookPage) -> str:
    """Where a page is found as it was written."""
    return f"{ROOT}/{page.name}.md"


def page_path(page: HandbookPage) -> str:
    """Where a browser finds a page."""
    return f"{ROOT}/{page.name}"


def section_path(section: HandbookSection) -> str:
    """Where a browser finds a section."""
    anchor = f"#{section.anchor}" if section.anchor else ""
    return f"{ROOT}/{section.page}{anchor}"


LIST = "/llms.txt"
MARKDOWN = "text/markdown"
PLAIN = "text/plain"
"""What browsers show instead of keeping it as a file."""

MOST_FOUND = 8

_HEADERS: Mapping[str, str] = {hdrs.CACHE_CONTROL: "no-cache"}


def add_pages(router: web.UrlDispatcher, site_url: str) -> None:
    """Add the routes, which anybody may ask; those for programs also from pages of any origin."""
    middleware.add_for_any_origin(router, LIST, partial(_list, site_url), hdrs.METH_GET)
    middleware.add_for_any_origin(router, ROOT + r"/{page:[a-z_-]+}.md", _markdown, hdrs.METH_GET)
    router.add_get(INDEX, middleware.is_open(_index))
    router.add_get(ROOT + r"/{page:[a-z_-]+}", middleware.is_open(_page))


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

    return _draw_page(draw_page(_asked_page(request), handbook()), policy())


def _drawn_index(request: web.Request) -> web.Response:
    from finplan.daemon.surfaces.handbook.drawing import draw_index, draw_results, policy

    question = request.query.get("query", "")
    if len(question) > LONGEST_QUESTION:
        raise BadRequest(
            f"A question can have at most {LONGEST_QUESTION} characters. Ask a shorter question."
        )
    if not question.strip():
        return _draw_page(draw_index(handbook()), policy())
    found = handbook_index().find(question, MOST_FOUND)
    return _draw_page(draw_results(question, found, handbook()), policy())


def _asked_page(request: web.Request) -> HandbookPage:
    page = handbook().get(request.match_info["page"])
    if page is None:
        raise NotFound(f"Unknown page. {INDEX} and {LIST} list all pages.")
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
        f"For programs: [the OpenAPI description]({site_url}/api/openapi.json),"
        f" [a search of the handbook]({site_url}/ask?query=What+is+safe+to+spend) and"
        f" [the servers for agents]({site_url}/.well-known/ai-catalog.json).\n\n"
        f"## Handbook\n\n{lines(for_builders=False)}\n\n"
        f"## Optional\n\n{lines(for_builders=True)}\n"
    )


def _text(text: str, content_type: str) -> web.Response:
    return web.Response(text=text, content_type=content_type, charset="utf-8", headers=_HEADERS)


def _draw_page(page: str, policy: str) -> web.Response:
    headers = {**_HEADERS, "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}
    return web.Response(text=page, content_type="text/html", charset="utf-8", headers=headers)


ASK = "/ask"
NLWEB_VERSION = "0.55"
LARGEST_BODY = 64 * 1024
"""Bytes: room for what a client tells of its conversation, which the search does not read."""

USUAL_RESULTS = 10
MOST_RESULTS = 50

_COUNTS = ("max_results", "num_results")
_EVENTS = "text/event-stream"
_NOTHING = "No page of the handbook matches. Try other words, or read /llms.txt."


class _Declined(Exception):
    """The request is answered with a failure."""

    def __init__(self, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    most: int
    streamed: bool
    id: str


def add_ask(router: web.UrlDispatcher, site_url: str) -> None:
    """Add the route, which any page may ask."""
    middleware.add_for_any_origin(
        router, ASK, partial(_answer, site_url), hdrs.METH_GET, hdrs.METH_POST
    )


async def _answer(site_url: str, request: web.Request) -> web.StreamResponse:
    try:
        question = _question(await _read_fields(request), request)
    except _Declined as declined:
        return _failure(declined)
    found = await asyncio.to_thread(lambda: handbook_index().find(question.text, question.most))
    items = [_item(site_url, each) for each in found]
    if question.streamed:
        # All is found at once, so that the events are sent in one piece.
        text = "".join(_events(question, items))
        headers = {hdrs.CACHE_CONTROL: "no-cache"}
        return web.Response(text=text, content_type=_EVENTS, charset="utf-8", headers=headers)
    meta = {**_meta("answer"), "response_format": "conv_search"}
    answer: dict[str, Any] = {"query_id": question.id, "_meta": meta, "results": items}
    if not items:
        answer["message"] = _NOTHING
    return web.json_response(answer)


async def _read_fields(request: web.Request) -> Mapping[str, Any]:
    if request.method != hdrs.METH_POST:
        return {**request.query, **_numbers(request.query)}
    body = b""
    async for piece in request.content.iter_any():
        body += piece
        if len(body) > LARGEST_BODY:
            raise _Declined(
                "The body is larger than 64 KiB. Send a shorter part of the conversation.", 413
            )
    try:
        told = from_json(body)
    except ValueError as error:
        raise _Declined(f"The body is not JSON: {error}.") from error
    if not isinstance(told, dict):
        raise _Declined('The body must be an object, such as {"query": {"text": "…"}}.')
    return told


def _numbers(query: Mapping[str, str]) -> Mapping[str, Any]:
    """What a query string can only say in letters; what is no number is refused further on."""
    numbers = {
        name: int(text)
        for name, text in query.items()
        if name in _COUNTS and re.fullmatch("[0-9]{1,4}", text)
    }
    return {**numbers, "streaming": query.get("streaming") in {"1", "true"}}


def _question(told: Mapping[str, Any], request: web.Request) -> _Question:
    """What is asked, as clients of the present shape or of the former flat one say it."""
    asked = told.get("query")
    query: Mapping[str, Any] = asked if isinstance(asked, dict) else {**told, "text": asked}
    text = query.get("text")
    if not isinstance(text, str) or not text.strip():
        raise _Declined("`query.text` must be a question in words.")
    if len(text) > LONGEST_QUESTION:
        raise _Declined(
            f"`query.text` can have at most {LONGEST_QUESTION} characters. Ask a shorter question."
        )
    prefer = told.get("prefer")
    wishes: Mapping[str, Any] = prefer if isinstance(prefer, dict) else told
    streamed = wishes.get("streaming") is True or _EVENTS in request.headers.get(hdrs.ACCEPT, "")
    return _Question(text, _most(query), streamed, _id_of(told, query))


def _most(query: Mapping[str, Any]) -> int:
    for name in _COUNTS:
        most = query.get(name)
        if most is None:
            continue
        if not isinstance(most, int) or isinstance(most, bool) or most < 1:
            raise _Declined(f"`query.{name}` must be a number from 1 to {MOST_RESULTS}.")
        return min(most, MOST_RESULTS)
    return USUAL_RESULTS


def _id_of(told: Mapping[str, Any], query: Mapping[str, Any]) -> str:
    for each in (query.get("query_id"), told.get("query_id")):
        if isinstance(each, str) and 0 < len(each) <= len(secrets.token_hex(32)):
            return each
    return secrets.token_hex(8)


def _item(site_url: str, found: FoundPage) -> Mapping[str, Any]:
    page, best = found.page, found.sections[0]
    return {
        "@context": "https://schema.org",
        "@type": "TechArticle",
        "url": f"{site_url}{section_path(best)}",
        "name": page.title,
        "description": best.summary or page.summary,
        "hasPart": [
            {
                "@type": "WebPageElement",
                "url": f"{site_url}{section_path(each)}",
                "name": each.title,
            }
            for each in found.sections
        ],
        "inLanguage": "en",
        "site": "finplan",
        "score": round(found.score, 3),
    }


def _meta(response_type: str) -> Mapping[str, Any]:
    return {"response_type": response_type, "version": NLWEB_VERSION}


def _events(question: _Question, items: list[Mapping[str, Any]]) -> Iterator[str]:
    told = {"query_id": question.id, "_meta": _meta("answer")}
    yield _event("start", {**told, "_meta": {**_meta("answer"), "streaming": True}})
    for index, item in enumerate(items):
        yield _event("result", {"index": index, "item": item})
    yield _event("complete", told if items else {**told, "message": _NOTHING})


def _event(name: str, data: Mapping[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def _failure(declined: _Declined) -> web.Response:
    return web.json_response(
        {
            "_meta": _meta("failure"),
            "error": {"code": "INVALID_PARAMETER", "message": str(declined)},
        },
        status=declined.status,
    )
