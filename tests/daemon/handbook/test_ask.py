"""NLWeb's /ask over a real socket: anybody asks the handbook in words."""

import json
from typing import Any

import httpx
import pytest

from finplan.daemon.surfaces.handbook.routes import LARGEST_BODY, MOST_RESULTS
from finplan.handbook.pages import LONGEST_QUESTION
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon

QUESTION = {"query": {"text": "nginx configuration"}}


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
    told = (await ask(notes, {"query": {"text": "How do I link my bank?"}})).json()
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
    nothing = {"query": {"text": "how do I zyzzyva"}}
    told = (await ask(notes, nothing)).json()
    assert told["results"] == []
    assert "/llms.txt" in told["message"]
    streamed = events((await ask(notes, {**nothing, "streaming": True})).text)
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
