"""MCP Apps, prompts and resources: what a client is offered beside tools, and what is drawn for it.

Prompts are offered to whom they help, and worded with tools that are there; names of strangers stay
texts.
"""

import json
import re
from html import unescape
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.types import TextContent, TextResourceContents

from finplan.daemon.surfaces.mcp.apps import tree_of
from finplan.daemon.surfaces.mcp.product import PROMPTS
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.daemon.surfaces.pages.markup import element
from finplan.model.figures import money
from finplan.model.snapshot import Snapshot
from finplan.views.live_text import today_headed
from finplan.views.tasks import DIRECTIONS
from tests.daemon.mcp.connected import ERAS, Era, connected
from tests.daemon.running import RunningDaemon

APPS: dict[str, Any] = {"extensions": [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})]}
VIEWS = {
    "get_plan": "ui://finplan/get-plan",
    "build_plan": "ui://finplan/build-plan",
    "list_tasks": "ui://finplan/list-tasks",
}


def texts(tree: list[Any]) -> str:
    """All that a tree says."""
    return " ".join(
        each if isinstance(each, str) else texts(each[2:] if isinstance(each[0], str) else each)
        for each in tree
    )


def names(tree: list[Any]) -> set[str]:
    """The elements of a tree."""
    found = {each[0] for each in tree if isinstance(each, list)}
    return found.union(*(names(each[2:]) for each in tree if isinstance(each, list)))


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
async def test_views_are_for_clients_that_show_them(household: RunningDaemon, era: Era) -> None:
    """A client that declares the extension is told of three views; any other of none, nor drawn one."""
    async with connected(household, era, **APPS) as client:
        tools = {each.name: each.meta for each in (await client.list_tools()).tools}
        assert {name: told["ui"]["resourceUri"] for name, told in tools.items() if told} == VIEWS
        listed = {str(each.uri): each for each in (await client.list_resources()).resources}
        assert set(VIEWS.values()) <= set(listed)
        assert {listed[uri].mime_type for uri in VIEWS.values()} == {"text/html;profile=mcp-app"}
        shown = await client.call_tool("get_plan", {})
        assert shown.meta is not None
        now = Snapshot.model_validate_json((await household.http.get("/api/v1/snapshot")).content)
        assert today_headed(now)[0] in texts(shown.meta["finplan/view"])
        assert "finplan/view" not in json.dumps(shown.structured_content)
    async with connected(household, era) as client:
        assert not [each.name for each in (await client.list_tools()).tools if each.meta]
        resources = (await client.list_resources()).resources
        assert not [each for each in resources if str(each.uri).startswith("ui:")]
        plain = await client.call_tool("get_plan", {})
        assert plain.meta is not None
        assert "finplan/view" not in plain.meta


async def test_a_view_is_one_file_that_loads_nothing(household: RunningDaemon) -> None:
    """Its policy lets its own style and script alone, and it names no other address."""
    async with connected(household, **APPS) as client:
        for uri in VIEWS.values():
            (file,) = (await client.read_resource(uri)).contents
            assert file.mime_type == APP_MIME_TYPE
            page = unescape(file.text)  # type: ignore[union-attr]
            assert re.search(r"default-src 'none'; script-src 'sha256-[^']+'; style-src", page)
            assert set(re.findall(r"https?://[\w./]+", page)) == {"http://www.w3.org/2000/svg"}
            assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", page)
            assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|import)\(", page)
            assert "prefers-color-scheme: dark) {" not in page
            assert len(page) < 40_000


async def view(client: Client, name: str, **given: Any) -> str:
    """What the view of a tool's answer says."""
    result = await client.call_tool(name, given)
    assert not result.is_error, result.content
    assert result.meta is not None
    return " ".join(texts(result.meta["finplan/view"]).split())


async def test_a_question_is_answered_in_place(household: RunningDaemon) -> None:
    """Looked at, kept and taken back, each answer is drawn with what it moves and moved."""
    async with connected(household, **APPS) as client:
        told = (await client.call_tool("list_tasks", {})).structured_content
        task = next(each for each in told["tasks"] if each["kind"] == "categorize_payee")
        assert f"Which category is {task['about']} ?" in await view(client, "list_tasks")
        given = {"id": task["id"], "answer": "travel"}
        before = await view(client, "answer_task", **given, preview=True)
        assert f"Put {task['about']} in Travel ?" in before
        assert f"Puts {task['count']:,} transactions (" in before
        after = await view(client, "answer_task", **given)
        assert f"{task['about']} is now in Travel: {task['count']:,} transactions" in after
        lately = (await view(client, "list_tasks")).partition("Recently answered")[2]
        assert f"{task['about']} is now in Travel" in lately
        assert "Undone" in await view(client, "answer_task", id=task["id"], undo=True)


def test_a_tree_is_what_a_browser_would_read() -> None:
    """Elements, attributes and texts come through; what was escaped is a text."""
    drawn = element("p", "a & <b>", element("input", name="x", required=True), class_="soft")
    assert tree_of(drawn) == [
        ["p", {"class": "soft"}, "a & <b>", ["input", {"name": "x", "required": ""}]]
    ]
    svg = element("svg", element("rect", width="1"), viewBox="0 0 1 1")
    assert tree_of(svg) == [["svg", {"viewBox": "0 0 1 1"}, ["rect", {"width": "1"}]]]


@pytest.mark.thorough
async def test_the_script_builds_all_that_is_drawn(household: RunningDaemon) -> None:
    """Every element that a view is sent is one that its script makes."""
    async with connected(household, **APPS) as client:
        (file,) = (await client.read_resource(VIEWS["get_plan"])).contents
        script = file.text.partition("<script>")[2]  # type: ignore[union-attr]
        known = set(
            re.findall(r"[a-z0-9]+", script.partition("DRAWINGS")[2].partition("REFUSED")[0])
        )
        for name in VIEWS:
            result = await client.call_tool(name, {})
            assert result.meta is not None
            assert names(result.meta["finplan/view"]) <= known


@pytest.mark.thorough
async def test_a_part_of_a_question_in_place(household: RunningDaemon) -> None:
    """A view asks for one amount or about each row, and says of which rows an answer is."""
    async with connected(household, **APPS) as client:
        told = (await household.http.get("/api/v1/tasks")).json()
        task = next(each for each in told if each["kind"] == "categorize_payee")
        amount = task["charges"][0]["amount"]
        shown = await view(client, "list_tasks")
        assert "Exact amount" in shown
        assert "Ask individually" in shown
        given = {"id": task["id"], "answer": "travel"}
        exact = f"Only transactions of exactly {money(amount, 'USD')}."
        assert exact in await view(client, "answer_task", **given, amount=amount, preview=True)
        out = await view(client, "answer_task", **given, direction="out", preview=True)
        assert DIRECTIONS["out"] in out
        nothing = await view(client, "answer_task", id=task["id"], each=True, preview=True)
        assert nothing == "This changes no transactions. Nothing is saved yet."
        each = await view(client, "answer_task", id=task["id"], each=True)
        assert each.endswith("transaction separately.")


async def said(client: object, name: str, **filled: str) -> str:
    """What a prompt says to the model, in the person's name."""
    told = await client.get_prompt(name, filled or None)  # type: ignore[attr-defined]
    (message,) = told.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return message.content.text


@pytest.mark.parametrize("era", ERAS)
async def test_prompts_are_for_who_may_use_their_tools(household: RunningDaemon, era: Era) -> None:
    """Each says what its tools are for; one that stores answers is hidden from mere readers."""
    async with connected(household, era) as client:
        listed = {each.name for each in (await client.list_prompts()).prompts}
        assert listed == set(PROMPTS)
        for name, prompt in PROMPTS.items():
            text = await said(client, name)
            assert {tool for tool in TOOLS if tool in text} == set(prompt.tools)
    async with connected(household, era, ["service:read"]) as client:
        reading = {each.name for each in (await client.list_prompts()).prompts}
        assert reading == listed - {"answer_questions"}
        with pytest.raises(MCPError, match="Unknown prompt 'answer_questions'"):
            await client.get_prompt("answer_questions")


async def test_what_is_filled_in_is_said_in_one_line(household: RunningDaemon) -> None:
    """Without it stands what is meant otherwise; what has no place, or is too long, is refused."""
    async with connected(household) as client:
        assert "in this period: last month." in await said(client, "review_spending")
        filled = await said(client, "review_spending", period="march\n\x1b[31mand \u202eapril")
        assert "in this period: march [31mand april." in filled
        bike = await said(client, "can_i_afford", purchase="a bike for $900")
        assert bike.startswith("Can I afford a bike for $900? ")
        assert "x" * 200 + "?" in await said(client, "can_i_afford", purchase="x" * 200)
        for name, given, words in (
            ("review_spending", {"month": "march"}, "only the argument period, not 'month'"),
            ("trim_charges", {"month": "march"}, "no arguments, not 'month'"),
            ("can_i_afford", {"purchase": "x" * 201}, "at most 200 characters"),
            ("review", {}, "Unknown prompt 'review'"),
        ):
            with pytest.raises(MCPError, match=words):
                await client.get_prompt(name, given)


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
async def test_the_plan_and_the_handbook_are_read_as_resources(
    household: RunningDaemon, era: Era
) -> None:
    """The plan is what get_plan tells, and each page of the handbook is as it was written."""
    async with connected(household, era, ["service:read"]) as client:
        listed = {str(each.uri): each for each in (await client.list_resources()).resources}
        (plan,) = (await client.read_resource("finplan://plan")).contents
        assert isinstance(plan, TextResourceContents)
        told = (await client.call_tool("get_plan", {})).structured_content
        assert (plan.mime_type, json.loads(plan.text)) == ("application/json", told)
        uri = next(each for each in listed if each.endswith("/periods.md"))
        (page,) = (await client.read_resource(uri)).contents
        assert isinstance(page, TextResourceContents)
        assert page.text.startswith("# Periods")
        assert len(page.text.encode()) == listed[uri].size
        with pytest.raises(MCPError, match="Unknown resource"):
            await client.read_resource("finplan://plans")
