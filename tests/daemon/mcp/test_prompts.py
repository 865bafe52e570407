"""Prompts and what is read over MCP: offered to whom they help, and worded with tools that are there."""

import json

import pytest
from mcp import MCPError
from mcp.types import TextContent, TextResourceContents

from finplan.daemon.surfaces.mcp.product import PROMPTS
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from tests.daemon.mcp.connected import ERAS, Era, connected
from tests.daemon.running import RunningDaemon


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
        with pytest.raises(MCPError, match="There is no prompt 'answer_questions'"):
            await client.get_prompt("answer_questions")


async def test_what_is_filled_in_is_said_in_one_line(household: RunningDaemon) -> None:
    """Without it stands what is meant otherwise; what has no place, or is too long, is refused."""
    async with connected(household) as client:
        assert "of this period: last month." in await said(client, "review_spending")
        filled = await said(client, "review_spending", period="march\n\x1b[31mand \u202eapril")
        assert "of this period: march [31mand april." in filled
        bike = await said(client, "can_i_afford", purchase="a bike for $900")
        assert bike.startswith("Can I afford this: a bike for $900.")
        assert "x" * 200 + "." in await said(client, "can_i_afford", purchase="x" * 200)
        for name, given, words in (
            ("review_spending", {"month": "march"}, "takes period only, not 'month'"),
            ("trim_charges", {"month": "march"}, "takes nothing, not 'month'"),
            ("can_i_afford", {"purchase": "x" * 201}, "200 characters at most"),
            ("review", {}, "There is no prompt 'review'"),
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
        with pytest.raises(MCPError, match="There is no such resource"):
            await client.read_resource("finplan://plans")
