"""The docs server of MCP, asked without a credential by the client of the protocol's own SDK."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp.types import TextResourceContents

from finplan.daemon.surfaces.mcp.docs_server import EXCERPT, MOST_PAGES, PIECE, TOLD_IN_FULL
from finplan.daemon.surfaces.mcp.transport import LARGEST_BODY
from finplan.handbook.pages import handbook
from finplan.store.handbook_index import MOST_SECTIONS
from tests.daemon.mcp.connected import ERAS, FOR_MCP, Era, text_of, told_by
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

LIST_TOOLS = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
TOKEN = 4
"""How many characters a token is, more or less."""


@asynccontextmanager
async def docs(running: RunningDaemon, era: Era = "2026-07-28") -> AsyncIterator[Client]:
    """A client of the docs server without any credential."""
    url = f"{running.base_url}/mcp/docs"
    async with (
        httpx2.AsyncClient(timeout=LONG_ENOUGH, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client


@pytest.mark.parametrize("era", ERAS)
async def test_the_handbook_is_searched_and_read(notes: RunningDaemon, era: Era) -> None:
    """In both eras anybody searches and reads, in shapes that are published, and changes nothing."""
    async with docs(notes, era) as client:
        tools = {each.name: each for each in (await client.list_tools()).tools}
        assert set(tools) == {"search_docs", "read_docs"}
        assert all(each.annotations and each.annotations.read_only_hint for each in tools.values())

        found = await told_by(client, "search_docs", query="nginx configuration")
        Draft202012Validator(tools["search_docs"].output_schema or False).validate(found)
        best = found["pages"][0]
        assert (best["page"], best["title"]) == ("proxy", "Behind a proxy")
        hit = best["sections"][0]
        assert (hit["section"], hit["heading"]) == ("nginx", "Behind a proxy › nginx")
        assert hit["url"] == f"{notes.base_url}/api/docs/proxy#nginx"
        assert "listen 443 ssl" in hit["excerpt"]
        assert len(hit["excerpt"]) <= EXCERPT

        read = await told_by(client, "read_docs", page="proxy", section="nginx")
        Draft202012Validator(tools["read_docs"].output_schema or False).validate(read)
        assert read["text"].startswith("    server {\n")
        assert read["nextOffset"] is None
        assert {"section": "caddy", "heading": "Caddy"} in read["sections"]


async def test_nothing_stays_open_for_strangers(notes: RunningDaemon) -> None:
    """Who would listen, or end a session, is told at once that there is none; any page may read it."""
    headers = {**FOR_MCP, "Origin": "https://inspector.example"}
    async with stranger(notes) as http:
        for method in ("GET", "DELETE"):
            answer = await http.request(method, "/mcp/docs", headers=headers)
            assert (answer.status_code, answer.headers["allow"]) == (405, "OPTIONS, POST")
            assert answer.headers["access-control-allow-origin"] == "*"


async def test_every_page_is_read_whole_in_pieces(notes: RunningDaemon) -> None:
    """Piece by piece a page comes as it was written; each is bounded and says where it goes on."""
    async with docs(notes) as client:
        for name in ("proxy", "statements", "commands"):
            text = ""
            offset: int | None = 0
            while offset is not None:
                result = await client.call_tool("read_docs", {"page": name, "offset": offset})
                told = result.structured_content
                assert told is not None
                assert 0 < len(told["text"]) <= PIECE
                text += told["text"]
                offset = told["nextOffset"]
                assert text_of(result).startswith(told["text"])
                assert ("at offset" in text_of(result)) is (offset is not None)
            assert text == handbook()[name].markdown
        beyond = await told_by(client, "read_docs", page="proxy", offset=10**6)
        assert (beyond["text"], beyond["nextOffset"]) == ("", None)


@pytest.mark.thorough
async def test_an_answer_stays_short(notes: RunningDaemon) -> None:
    """Whatever is searched or read, an answer stays within 4,000 tokens; sections lead on from there."""
    asked: list[tuple[str, dict[str, Any]]] = [
        ("search_docs", {"query": "finplan account plan list option", "limit": MOST_PAGES})
    ]
    for name, page in handbook().items():
        asked += [("read_docs", {"page": name}), ("read_docs", {"page": name, "offset": PIECE})]
        longest = max(page.sections[1:], key=lambda each: len(each.text), default=None)
        if longest is not None:
            asked.append(("read_docs", {"page": name, "section": longest.anchor}))
    async with docs(notes) as client:
        for tool, arguments in asked:
            result = await client.call_tool(tool, arguments)
            size = len(json.dumps(result.structured_content, separators=(",", ":")))
            assert size + len(text_of(result)) <= 4000 * TOKEN, (arguments, size)
        wide = await told_by(client, "search_docs", query="account plan list option", limit=10)
        told = [len(each["sections"]) for each in wide["pages"]]
        assert (max(told[:TOLD_IN_FULL]), set(told[TOLD_IN_FULL:])) == (MOST_SECTIONS, {1})
        group = await told_by(client, "read_docs", page="commands", section="finplan-plan")
        assert {"section": "finplan-plan-build", "heading": "finplan plan build"} in group[
            "sections"
        ]
        assert "finplan-webhooks-add" not in [each["section"] for each in group["sections"]]
        assert "finplan-webhooks" in [each["section"] for each in group["sections"]]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("search_docs", {"query": "proxy", "limits": 3}, "limits"),
        ("search_docs", {"query": ""}, "query"),
        ("search_docs", {"query": "proxy", "limit": 11}, "limit"),
        ("search_docs", {"query": "a" * 1001}, "query"),
        ("read_docs", {"page": "proxi"}, "Try proxy"),
        ("read_docs", {"page": "zzz"}, "statements"),
        ("read_docs", {"page": "proxy", "section": "nginz"}, "Try nginx."),
        ("read_docs", {"page": "periods", "section": "x"}, "without"),
        ("read_docs", {"page": "proxy", "offset": -1}, "offset"),
        ("read_docs", {"page": "../../README"}, "No page"),
    ],
)
async def test_what_is_wrong_is_refused(
    notes: RunningDaemon, name: str, arguments: dict[str, Any], told: str
) -> None:
    """Arguments are strict, and an unknown page or section is refused with what is near it."""
    async with docs(notes) as client:
        result = await client.call_tool(name, arguments)
    assert result.is_error
    assert told in text_of(result)


async def test_an_unknown_tool_and_no_results_are_told(notes: RunningDaemon) -> None:
    """A tool that there is not is an error; a search without results says so in words."""
    async with docs(notes) as client:
        nothing = await client.call_tool("search_docs", {"query": "zyzzyva"})
        assert nothing.structured_content == {"pages": []}
        assert "Try other words" in text_of(nothing)
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("get_plan", {})


@pytest.mark.parametrize("era", ERAS)
async def test_every_page_is_a_resource(notes: RunningDaemon, era: Era) -> None:
    """Each page is a resource at the address where anybody may fetch it, too."""
    async with docs(notes, era) as client:
        listed = (await client.list_resources()).resources
        assert [each.name for each in listed] == list(handbook())
        for each in (listed[0], listed[-1]):
            [content] = (await client.read_resource(each.uri)).contents
            assert isinstance(content, TextResourceContents)
            async with stranger(notes) as http:
                assert content.text == (await http.get(each.uri)).text
            assert each.size == len(content.text.encode())
        with pytest.raises(MCPError, match=r"Did you mean .*/proxy\.md\?"):
            await client.read_resource(f"{notes.base_url}/api/docs/proxi.md")


async def test_pages_of_any_origin_may_ask(notes: RunningDaemon) -> None:
    """A client in a page of another site may ask, without a session; no cookie is read."""
    origin = {"Origin": "https://inspector.example", **FOR_MCP}
    async with stranger(notes) as http:
        before = await http.options("/mcp/docs", headers=origin)
        asked = before.headers["access-control-allow-headers"].lower()
        assert {"mcp-session-id", "mcp-method", "mcp-name"} <= set(asked.split(", "))
        answer = await http.post("/mcp/docs", json=LIST_TOOLS, headers=origin)
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "mcp-session-id" not in answer.headers
        refused = await http.post("/mcp", json=LIST_TOOLS, headers=FOR_MCP)
        assert refused.status_code == 401


async def test_a_body_is_bounded(notes: RunningDaemon) -> None:
    """A megabyte to the byte is read; what is larger is refused, and no more of it is held."""
    assert LARGEST_BODY == 1_048_576
    whole = json.dumps(LIST_TOOLS).ljust(LARGEST_BODY)
    async with stranger(notes) as http:
        for content, status in ((whole, 200), (f"{whole} ", 413)):
            answer = await http.post(
                "/mcp/docs",
                content=content,
                headers={**FOR_MCP, "Content-Type": "application/json"},
            )
            assert answer.status_code == status
