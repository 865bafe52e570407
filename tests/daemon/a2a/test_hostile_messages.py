"""Texts that speak to agents, terminals and pages, in messages and as payees: data, never obeyed."""

import json
import re
from typing import Any

import pytest

from tests.cli.hostile_household import UNSEEN
from tests.daemon.a2a.talking import asked, call, data_of, message, post, result, told, words_of
from tests.daemon.mcp.test_hostile_rows import HOSTILE, hostile
from tests.daemon.running import RunningDaemon

__all__ = ["hostile"]

DRAWS = ("](", "<", "![", "http://", "`")
LISTS = (
    "spending by merchant",
    "spending by merchant and month",
    "spending by category",
    "99 biggest purchases",
    "top 99 merchants",
)
"""Questions whose answers name what strangers wrote."""


def outside_of_code(text: str) -> str:
    """What of a text stands in no code span."""
    return re.sub("`[^`\n]*`", "", text)


def is_data(text: str) -> None:
    """A text hides nothing, and draws nothing outside of code spans."""
    assert UNSEEN.search(text) is None
    for drawn in DRAWS:
        assert drawn not in outside_of_code(text), (drawn, text)


def test_there_are_thirty() -> None:
    """Instructions to agents, markup, links, escape sequences and texts that turn round."""
    assert len(set(HOSTILE)) >= 30


@pytest.mark.thorough
async def test_payees_are_data(hostile: RunningDaemon) -> None:
    """Each name that a stranger wrote stands in a code span of the answer, and nothing is done."""
    before = (await hostile.http.get("/api/v1/connections")).json()
    merchants = (await hostile.http.get("/api/v1/spending?groupBy=merchant")).json()["groups"]
    shown = ""
    for question in LISTS:
        task = await asked(hostile, question)
        is_data(words_of(task))
        assert UNSEEN.search(json.dumps(data_of(task), ensure_ascii=False)) is None
        shown += words_of(task)
    answered = 0
    for each in merchants:
        task = await asked(hostile, f"spending at {each['label']}")
        is_data(words_of(task))
        shown += words_of(task)
        answered += "artifacts" in task
        if "artifacts" in task:
            assert data_of(task)["total"] in {
                sum(same["total"] for same in merchants if same["label"] == each["label"]),
                each["total"],
            }
    assert answered > len(merchants) / 2
    assert "IGNORE ALL" in shown.upper()
    assert (await hostile.http.get("/api/v1/connections")).json() == before


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", range(len(HOSTILE)))
async def test_messages_are_data(household: RunningDaemon, place: int) -> None:
    """Nothing is answered or done; what is asked back quotes it in one code span, and errors do not."""
    text = HOSTILE[place]
    before = (await household.http.get("/api/v1/connections")).json()
    task = await asked(household, text)
    assert task["status"]["state"] == "TASK_STATE_INPUT_REQUIRED"
    is_data(words_of(task))
    is_data(words_of(await asked(household, text, taskId=task["id"])))
    kept = await result(household, "GetTask", {"id": task["id"]})
    assert kept["history"][0]["parts"][0]["text"] == text
    for method, params in (
        (text[:80], {}),
        ("GetTask", {"id": text[:200]}),
        ("ListTasks", {"pageToken": text[:200], "status": text}),
        ("ListTasks", {"statusTimestampAfter": text[:40]}),
        ("SendMessage", {"message": {**message("x"), "role": text, text: text}}),
        ("SendMessage", {"message": message("x", taskId=text[:200])}),
        ("SendMessage", {"message": {**message("x"), "parts": [{"raw": text}]}}),
    ):
        error = (await told(household, method, params))["error"]
        assert text not in json.dumps(error, ensure_ascii=False)
        is_data(error["message"])
        for each in error.get("data", ()):
            for violation in each.get("fieldViolations", ()):
                is_data(violation["description"])
    assert (await household.http.get("/api/v1/connections")).json() == before


@pytest.mark.sampled(6)
@pytest.mark.parametrize("place", range(len(HOSTILE)))
async def test_bytes_hide_nothing(household: RunningDaemon, place: int) -> None:
    """As sent, no answer has a character that turns a text round or commands a terminal."""
    sent: dict[str, Any] = {"message": message(HOSTILE[place], contextId=HOSTILE[place][:150])}
    answer = await post(household, call("SendMessage", sent))
    assert UNSEEN.search(answer.content.decode()) is None
    assert answer.headers["content-type"].startswith("application/json")
    assert answer.headers["x-content-type-options"] == "nosniff"
