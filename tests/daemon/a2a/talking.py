"""An agent of A2A that a test writes by hand: its calls, and what their answers hold."""

import json
from itertools import count
from typing import Any

import httpx

from tests.daemon.running import RunningDaemon

VERSION = {"A2A-Version": "1.0"}
_NUMBERS = count(1)


def call(method: str, params: Any) -> dict[str, Any]:
    """A call as it is sent."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def message(text: str, **fields: Any) -> dict[str, Any]:
    """A message of one part, of an id of its own."""
    number = f"message-{next(_NUMBERS)}"
    return {"messageId": number, "role": "ROLE_USER", "parts": [{"text": text}], **fields}


async def post(running: RunningDaemon, body: Any, **headers: str) -> httpx.Response:
    """Send a body in the version that is spoken."""
    sent = {"Content-Type": "application/json", **VERSION, **headers}
    return await running.http.post("/a2a", content=json.dumps(body), headers=sent)


async def told(running: RunningDaemon, method: str, params: Any) -> dict[str, Any]:
    """The whole answer to a call."""
    answer = await post(running, call(method, params))
    assert answer.status_code == 200, answer.text
    read: dict[str, Any] = answer.json()
    assert (read["jsonrpc"], read["id"]) == ("2.0", 1)
    return read


async def result(running: RunningDaemon, method: str, params: Any) -> dict[str, Any]:
    """What a call came to, which has to be no error."""
    read = await told(running, method, params)
    assert "error" not in read, read
    found: dict[str, Any] = read["result"]
    return found


async def error(running: RunningDaemon, method: str, params: Any) -> dict[str, Any]:
    """What a call was refused with."""
    read = await told(running, method, params)
    assert "result" not in read, read
    found: dict[str, Any] = read["error"]
    return found


async def asked(running: RunningDaemon, text: str, **fields: Any) -> dict[str, Any]:
    """The task of a question."""
    sent = await result(running, "SendMessage", {"message": message(text, **fields)})
    task: dict[str, Any] = sent["task"]
    return task


def words_of(task: dict[str, Any]) -> str:
    """What a task says: its answer in words, or what is asked back."""
    if "artifacts" in task:
        text: str = task["artifacts"][0]["parts"][0]["text"]
    else:
        text = task["status"]["message"]["parts"][0]["text"]
    return text


def data_of(task: dict[str, Any]) -> dict[str, Any]:
    """What a task has found, as data."""
    (data,) = (part["data"] for part in task["artifacts"][0]["parts"] if "data" in part)
    found: dict[str, Any] = data
    return found
