"""The handbook over a real socket: its pages, and NLWeb's /ask, where anybody asks it in words."""

import base64
import hashlib
import json
import re
from typing import Any

import httpx
import pytest

from finplan.daemon.surfaces.handbook.routes import LARGEST_BODY, MOST_RESULTS
from finplan.handbook.pages import LONGEST_QUESTION, HandbookPage, handbook
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import Page

QUESTION = {"query": {"text": "nginx configuration"}}
OF_A_BANK = {"query": {"text": "How do I link my bank?"}}
OF_NOTHING = {"query": {"text": "how do I zyzzyva"}}


async def ask(running: RunningDaemon, body: Any, **headers: str) -> httpx.Response:
    async with stranger(running) as http:
        return await http.post("/ask", json=body, headers=headers)


def events(text: str) -> list[tuple[str, Any]]:
    """The events of a stream, with their data."""
    pairs = []
    for block in text.removesuffix("\n\n").split("\n\n"):
        name, data = block.split("\n")
        pairs.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return pairs


@pytest.mark.thorough
async def test_a_question_is_answered_by_pages(notes: RunningDaemon) -> None:
    """Results are schema.org items, the best page first, with the places of its best sections."""
    answer = await ask(notes, QUESTION)
    assert answer.status_code == 200
    told = answer.json()
    assert told["_meta"] == {
        "response_type": "answer",
        "version": "0.55",
        "response_format": "conv_search",
    }
    best = told["results"][0]
    assert (best["@context"], best["@type"]) == ("https://schema.org", "TechArticle")
    assert best["name"] == "Behind a proxy"
    assert best["url"].startswith(f"{notes.base_url}/api/docs/proxy")
    assert best["url"].endswith("#nginx")
    assert best["description"]
    assert best["hasPart"][0] == {"@type": "WebPageElement", "url": best["url"], "name": "nginx"}
    assert "message" not in told
    async with stranger(notes) as http:
        for item in told["results"]:
            for part in item["hasPart"]:
                assert (await http.get(part["url"])).status_code == 200


async def test_nonsense_is_answered_by_no_page(notes: RunningDaemon) -> None:
    """The results are empty, and the message says what to do; a bank is linked by its page."""
    for text in ("xyzzy blorf", "asdf qwer", "the", "who", "giraffe trombone"):
        told = (await ask(notes, {"query": {"text": text}})).json()
        assert told["results"] == []
        assert "/llms.txt" in told["message"]
    told = (await ask(notes, OF_A_BANK)).json()
    assert told["results"][0]["url"].startswith(f"{notes.base_url}/api/docs/banks")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "body",
    [
        {"query": {"text": "nginx configuration", "site": "all", "query_id": "q1", "new": 1}},
        {"query": "nginx configuration", "query_id": "q1", "prev": [], "mode": "list"},
        {**QUESTION, "query_id": "q1", "prefer": {"mode": "list"}, "meta": {"version": "0.7"}},
        {**QUESTION, "query_id": "q1", "prefer": None, "context": {"@type": "Other"}},
    ],
)
async def test_every_shape_of_a_question_is_taken(notes: RunningDaemon, body: Any) -> None:
    """The present shape and the former flat one ask the same, and unknown keys are ignored."""
    expected = (await ask(notes, QUESTION)).json()
    assert (await ask(notes, body)).json() == {**expected, "query_id": "q1"}


async def test_a_question_may_stand_in_the_address(notes: RunningDaemon) -> None:
    """GET asks the same as POST, and streams when it is said to."""
    expected = (await ask(notes, {"query": {"text": "proxy", "max_results": 2}})).json()
    async with stranger(notes) as http:
        answer = await http.get("/ask", params={"query": "proxy", "num_results": "2"})
        assert answer.json()["results"] == expected["results"]
        assert len(expected["results"]) == 2
        streamed = await http.get("/ask", params={"query": "proxy", "streaming": "true"})
        assert streamed.headers["content-type"].startswith("text/event-stream")
        for wrong in ({"query": "proxy", "num_results": "many"}, {"q": "proxy"}):
            assert (await http.get("/ask", params=wrong)).status_code == 400


@pytest.mark.parametrize("wish", ["prefer", "flat", "accept"])
async def test_results_are_streamed_on_demand(notes: RunningDaemon, wish: str) -> None:
    """Streamed, each item comes as an event, between one that begins and one that ends."""
    expected = (await ask(notes, QUESTION)).json()["results"]
    answer = await {
        "prefer": lambda: ask(notes, {**QUESTION, "prefer": {"streaming": True}}),
        "flat": lambda: ask(notes, {"query": "nginx configuration", "streaming": True}),
        "accept": lambda: ask(notes, QUESTION, accept="text/event-stream"),
    }[wish]()
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    (start, begun), *results, (complete, ended) = events(answer.text)
    assert (start, complete) == ("start", "complete")
    assert begun["_meta"] == {"response_type": "answer", "version": "0.55", "streaming": True}
    assert ended["_meta"] == {"response_type": "answer", "version": "0.55"}
    assert begun["query_id"] == ended["query_id"]
    assert results == [
        ("result", {"index": index, "item": item}) for index, item in enumerate(expected)
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        "proxy",
        {"query": None},
        {"query": {}},
        {"query": {"text": " "}},
        {"query": {"text": 3}},
        {"query": {"text": "a" * (LONGEST_QUESTION + 1)}},
        {"query": {"text": "proxy", "max_results": 0}},
        {"query": {"text": "proxy", "num_results": "9"}},
        {"query": {"text": "proxy", "num_results": True}},
    ],
)
async def test_what_is_wrong_is_told(notes: RunningDaemon, body: Any) -> None:
    """A request without a question, or with a wrong count, fails as NLWeb says, with a sentence."""
    answer = await ask(notes, body)
    assert answer.status_code == 400
    told = answer.json()
    assert told["_meta"]["response_type"] == "failure"
    assert told["error"]["code"] == "INVALID_PARAMETER"
    assert told["error"]["message"].endswith(".")


async def test_sizes_are_bounded(notes: RunningDaemon) -> None:
    """A body has at most 64 KiB and is JSON; results are 10 where no number is said, and 50 at most."""
    assert (LARGEST_BODY, MOST_RESULTS) == (65_536, 50)
    room = LARGEST_BODY - len(json.dumps({**QUESTION, "context": ""}, separators=(",", ":")))
    assert (await ask(notes, {**QUESTION, "context": "x" * room})).status_code == 200
    assert (await ask(notes, {**QUESTION, "context": "x" * (room + 1)})).status_code == 413
    assert (await ask(notes, {"query": {"text": "a" * LONGEST_QUESTION}})).status_code == 200
    async with stranger(notes) as http:
        for content in (b"", b"{", b"[" * 9000, b"\xff"):
            assert (await http.post("/ask", content=content)).status_code == 400
    many = await ask(notes, {"query": {"text": "account", "max_results": 10**6}})
    assert 10 < len(many.json()["results"]) <= MOST_RESULTS
    usual = await ask(notes, {"query": {"text": "account"}})
    assert len(usual.json()["results"]) == 10


async def test_nothing_found_is_said(notes: RunningDaemon) -> None:
    """Where no page has the words, a sentence says so, streamed or not."""
    told = (await ask(notes, OF_NOTHING)).json()
    assert told["results"] == []
    assert "/llms.txt" in told["message"]
    streamed = events((await ask(notes, {**OF_NOTHING, "streaming": True})).text)
    assert [name for name, _ in streamed] == ["start", "complete"]
    assert streamed[1][1]["message"] == told["message"]


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_pages_of_any_origin_may_ask(notes: RunningDaemon, method: str) -> None:
    """It reads no cookie, and tells a browser so, before and with the answer."""
    origin = {"Origin": "https://chat.example"}
    async with stranger(notes) as http:
        before = await http.options("/ask", headers=origin)
        answer = await http.request(method, "/ask", headers=origin)
    assert before.status_code == 204
    assert method in before.headers["access-control-allow-methods"]
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.status_code == 400


async def test_every_page_is_listed_and_sent(notes: RunningDaemon) -> None:
    """The list names each page with a line about it, and each is sent as it was written, to anybody."""
    async with stranger(notes) as http:
        listed = await http.get("/llms.txt", headers={"Origin": "https://chat.example"})
        assert listed.headers["content-type"] == "text/plain; charset=utf-8"
        assert listed.headers["access-control-allow-origin"] == "*"
        assert listed.text.startswith("# finplan\n\n> ")
        people, builders = listed.text.split("\n## Optional\n")
        assert "/performance.md" in builders
        assert "/proxy.md" in people
        lines = re.findall(r"^- \[(.+)\]\((.+)\)(: .+)?$", listed.text, re.MULTILINE)
        assert {title for title, *_ in lines} == {page.title for page in handbook().values()}
        for title, url, _ in lines:
            page = await http.get(url)
            assert page.headers["content-type"] == "text/markdown; charset=utf-8"
            assert page.text.startswith(f"# {title}\n")


async def test_an_unknown_page_is_told(notes: RunningDaemon) -> None:
    """A page that there is not is not found, with a sentence that says where to look."""
    async with stranger(notes) as http:
        for path in ("/api/docs/nothing.md", "/api/docs/__init__.md"):
            answer = await http.get(path)
            assert answer.status_code == 404
            assert "/llms.txt" in answer.json()["message"]
        for path in ("/api/docs/..%2F..%2FREADME.md", "/api/docs/a/b.md"):
            assert (await http.get(path)).status_code == 404


TITLES = ("Tutorials", "Topics", "Desktop agents", "Reference")
"""What the folds beside a page are called."""


async def drawn(running: RunningDaemon, path: str, **query: str) -> tuple[httpx.Response, Page]:
    async with stranger(running) as http:
        answer = await http.get(path, params=query or None)
    return answer, Page(answer.text)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("page", handbook().values(), ids=handbook())
async def test_a_page_is_drawn_for_a_browser(notes: RunningDaemon, page: HandbookPage) -> None:
    """Each section has its anchor, links lead to pages, and nothing is loaded or run."""
    answer, found = await drawn(notes, f"/api/docs/{page.name}")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert len([tag for tag, _ in found.elements if tag == "h1"]) == 1
    identified = found.values("id")
    assert len(identified) == len(set(identified))
    assert {each.anchor for each in page.sections if each.anchor} <= set(identified)
    assert not {"script", "img", "iframe", "link"} & set(found.tags)
    assert not any("style" in each for _, each in found.elements)
    assert "<th></th>" not in answer.text
    style = re.search("<style>(.*)</style>", answer.text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}';" in answer.headers["content-security-policy"]
    places = {each.place for every in handbook().values() for each in every.sections}
    for target in found.values("href", "a"):
        place = target.removeprefix("/api/docs/")
        assert (
            target.startswith("https://")
            or target in {"#main", "/api/docs", "/api/docs/handbook"}
            or place in places
            or f"{page.name}{target}" in places
        ), target


async def test_the_index_lists_and_searches(notes: RunningDaemon) -> None:
    """Without a question every page is listed; with one, the pages that answer it, the best first."""
    answer, listed = await drawn(notes, "/api/docs/handbook")
    assert {f"/api/docs/{name}" for name in handbook()} <= set(listed.values("href", "a"))
    assert "form-action 'self'" in answer.headers["content-security-policy"]
    asked = '"><script>nginx configuration'
    _, found = await drawn(notes, "/api/docs/handbook", query=asked)
    assert found.values("value", "input") == [asked]
    assert "script" not in set(found.tags)
    assert "a proxy › nginx" in found.said
    assert "/api/docs/proxy#nginx" in found.values("href", "a")
    _, nothing = await drawn(notes, "/api/docs/handbook", query="zyzzyva")
    assert "No page matches" in nothing.said
    long, _ = await drawn(notes, "/api/docs/handbook", query="a" * 1001)
    assert long.status_code == 400
    assert "handbook" not in handbook()


def folds(page: str) -> dict[str, bool]:
    """The folds of a page by what they are called, and whether each is open."""
    found = re.findall(r"<details( open)?><summary>([^<]*)</summary>", page)
    return {title: bool(is_open) for is_open, title in found}


async def test_the_shelf_of_a_page_is_open(notes: RunningDaemon) -> None:
    """Beside a page the links of its shelf are unfolded, and those of no other."""
    for name, shelf in (("cron", "Tutorials"), ("proxy", "Topics"), ("cursor", "Desktop agents")):
        answer, _ = await drawn(notes, f"/api/docs/{name}")
        shelves = {title: each for title, each in folds(answer.text).items() if title in TITLES}
        assert shelves == {title: title == shelf for title in TITLES}
        assert f'<a href="/api/docs/{name}" aria-current="page">' in answer.text


async def test_a_long_page_has_contents(notes: RunningDaemon) -> None:
    """From six sections on a page begins with links to them, folded where they are many."""
    for name, is_open in (
        ("webhooks", True),
        ("commands", False),
        ("proxy", None),
        ("questions", True),
    ):
        answer, _ = await drawn(notes, f"/api/docs/{name}")
        assert folds(answer.text).get("On this page") is is_open, name
        contents = answer.text.partition('class="contents"')[2].partition("</nav>")[0]
        if is_open is not None:
            sections = [each for each in handbook()[name].sections if len(each.headings) == 2]
            assert re.findall(r'href="#([^"]*)"', contents) == [each.anchor for each in sections]
            assert answer.text.index("</h1>") < answer.text.index('class="contents"')


async def test_the_interface_names_the_handbook(notes: RunningDaemon) -> None:
    """The page about the interface leads to the handbook, and an unknown page is told."""
    _, page = await drawn(notes, "/api/docs")
    assert "/api/docs/handbook" in page.values("href", "a")
    answer, _ = await drawn(notes, "/api/docs/nothing")
    assert answer.status_code == 404
