"""An agent finds out what a person asks, by calling tools and reading nothing but what they tell."""

import json
from pathlib import Path

import pytest
from mcp.types import TextContent

from tests.daemon.mcp.connected import connected
from tests.daemon.mcp.evaluation.questions import OF_NAMES, QUESTIONS, Asked, Told
from tests.daemon.running import running_daemon

MOST = 4000 * 4
"""Bytes of an answer: 4,000 tokens of at least four."""


EVERY = (*QUESTIONS, *OF_NAMES)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("asked", EVERY, ids=lambda asked: asked.words)
async def test_tools_alone_solve_questions(tmp_path: Path, known_store: Path, asked: Asked) -> None:
    """Each question has its known answer, and no call on the way tells more than 4,000 tokens."""
    told: Told = []
    async with running_daemon(tmp_path, known_store) as daemon, connected(daemon) as client:
        for tool, arguments in asked.calls:
            given = arguments(told) if callable(arguments) else arguments
            result = await client.call_tool(tool, dict(given))
            assert not result.is_error, result.content
            structured = result.structured_content
            words = "".join(each.text for each in result.content if isinstance(each, TextContent))
            assert len(json.dumps(structured, separators=(",", ":"))) + len(words) <= MOST
            told.append(structured)
    assert asked.read(told) == asked.known


def test_forty_eight_questions() -> None:
    """There are forty-eight, no two alike, and none is solved by one call."""
    assert len({asked.words for asked in EVERY}) == 48
    assert all(len(asked.calls) > 1 for asked in EVERY)
