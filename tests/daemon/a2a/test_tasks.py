"""What agents have asked is kept for their person alone, for a while, and over a restart."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from finplan.service import agent_tasks as service_tasks
from finplan.service.agent_tasks import keep_next
from finplan.service.automation.job import JobRun
from finplan.service.automation.kinds import prune
from finplan.service.context import Caller, Context
from finplan.service.people import new_owner
from finplan.store.queries import agent_tasks, people
from finplan.store.queries.agent_tasks import KEPT_FOR
from tests.daemon.a2a.talking import asked, call, error, message, post, result
from tests.daemon.mcp.connected import new_key
from tests.daemon.running import NOW, RunningDaemon, running_daemon, serving

CLEAR, UNCLEAR = "groceries last month", "How much at nowhere?"
CLEARED = "at Costco last month"


@pytest.fixture
async def timed(
    tmp_path: Path, household_store: Path, clock: list[datetime]
) -> AsyncIterator[RunningDaemon]:
    """The demo household, whose clock a test moves."""
    async with running_daemon(tmp_path, household_store, clock=lambda: clock[0]) as running:
        yield running


async def listed(running: RunningDaemon, **params: object) -> list[str]:
    page = await result(running, "ListTasks", params)
    return [each["id"] for each in page["tasks"]]


async def test_tasks_of_others_are_as_if_they_were_not(household: RunningDaemon) -> None:
    """Whatever names a task, somebody else's is answered by the bytes that an unknown one is."""
    theirs = (await asked(household, UNCLEAR, contextId="shared"))["id"]
    household.session.owner = await household.store.write(
        lambda c: people.add_person(c, new_owner("grace", 0))
    )
    named: list[tuple[str, Callable[[str], Any]]] = [
        ("GetTask", lambda each: {"id": each}),
        ("CancelTask", lambda each: {"id": each}),
        ("SendMessage", lambda each: {"message": message("x", taskId=each)}),
    ]
    for method, params in named:
        answers = [
            await post(household, call(method, params(each)))
            for each in (theirs, "agenttask_unknown")
        ]
        assert answers[0].content == answers[1].content
        assert answers[0].json()["error"]["code"] == -32001
    for which in ({}, {"contextId": "shared"}):
        page = await result(household, "ListTasks", which)
        assert (page["tasks"], page["totalSize"]) == ([], 0)


async def test_a_key_that_reads_is_enough(household: RunningDaemon) -> None:
    """A key that reads is enough, and sees what the person's other credentials asked."""
    reads = (await new_key(household, "service:read"))["key"]
    task = await asked(household, CLEAR)
    household.http.cookies.clear()
    answer = await post(household, call("GetTask", {"id": task["id"]}), **{"x-api-key": reads})
    assert answer.json()["result"] == task


async def test_they_outlive_the_daemon(tmp_path: Path, household_store: Path) -> None:
    """After a restart a task is told as before, and one that was open goes on."""
    async with running_daemon(tmp_path, household_store) as first:
        done, open_task = await asked(first, CLEAR), await asked(first, UNCLEAR)
    async with serving(tmp_path / "finplan.db", tmp_path / "again") as second:
        assert await result(second, "GetTask", {"id": done["id"]}) == done
        again = await asked(second, CLEARED, taskId=open_task["id"])
        assert again["id"] == open_task["id"]


async def test_tasks_are_forgotten_in_a_month(timed: RunningDaemon, clock: list[datetime]) -> None:
    """A task goes thirty days after it last changed; a newer one stays."""
    old = await asked(timed, UNCLEAR)
    clock[0] = NOW + timedelta(days=1)
    new = await asked(timed, CLEAR)
    end = int(NOW.timestamp() * 1000) + KEPT_FOR
    for now, left in ((end - 1, [new["id"], old["id"]]), (end, [new["id"]])):
        await timed.store.write(partial(agent_tasks.prune, now=now))
        assert await listed(timed) == left


async def test_a_person_has_five_hundred(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tasks that have stood longest make room, those of others do not."""
    assert agent_tasks.MOST_KEPT == 500
    monkeypatch.setattr(agent_tasks, "MOST_KEPT", 3)
    tasks = [(await asked(household, CLEAR))["id"] for _ in range(3)]
    ada = household.session.owner
    household.session.owner = await household.store.write(
        lambda c: people.add_person(c, new_owner("grace", 0))
    )
    await asked(household, UNCLEAR)
    household.session.owner = ada
    assert await listed(household) == tasks[::-1]
    fourth = (await asked(household, CLEAR))["id"]
    assert await listed(household) == [fourth, tasks[2], tasks[1]]


async def test_a_clock_that_was_set_back(
    timed: RunningDaemon, clock: list[datetime], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new task is answered and kept, also where all that are kept seem to be newer."""
    monkeypatch.setattr(agent_tasks, "MOST_KEPT", 2)
    tasks = [(await asked(timed, CLEAR))["id"] for _ in range(2)]
    clock[0] = NOW - timedelta(hours=1)
    early = [(await asked(timed, UNCLEAR))["id"] for _ in range(2)]
    assert await listed(timed) == [*tasks[::-1], early[1]]
    again = await asked(timed, CLEAR, taskId=early[1])
    assert again["status"]["state"] == "TASK_STATE_COMPLETED"


async def test_no_more_is_kept_than_a_question(household: RunningDaemon) -> None:
    """What is longer than any question, in whatever parts, is refused before it has a task."""
    half = {"text": "groceries and " * 18}
    long = {**message(""), "parts": [half, half]}
    for fields in ({}, {"taskId": (await asked(household, UNCLEAR))["id"]}):
        told = await error(household, "SendMessage", {"message": {**long, **fields}})
        (violation,) = told["data"][0]["fieldViolations"]
        assert violation["field"] == "message.parts"
        assert "500 characters" in violation["description"]
    assert len(await listed(household)) == 1
    asked_once = {**message(""), "parts": [half, {"text": "rent " * 49}]}
    assert "task" in await result(household, "SendMessage", {"message": asked_once})


async def test_a_task_that_goes_on_is_given_up_all_the_same(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between looking at a task and giving it up another message may come; only an end is in time."""

    async def after(words: str, task: dict[str, Any], *asked_for: Any) -> Any:
        monkeypatch.setattr(service_tasks, "keep_next", keep_next)
        await asked(household, words, taskId=task["id"])
        return await keep_next(*asked_for)

    for words, ends in ((UNCLEAR, False), (CLEAR, True)):
        task = await asked(household, UNCLEAR)
        monkeypatch.setattr(service_tasks, "keep_next", partial(after, words, task))
        if ends:
            assert (await error(household, "CancelTask", {"id": task["id"]}))["code"] == -32002
        else:
            given_up = await result(household, "CancelTask", {"id": task["id"]})
            assert given_up["status"]["state"] == "TASK_STATE_CANCELED"
            assert len(given_up["history"]) > len(task["history"])


async def test_lists_are_filtered(timed: RunningDaemon, clock: list[datetime]) -> None:
    """By context, by state and by the instant of the last change, which is inclusive."""
    first = (await asked(timed, CLEAR, contextId="a"))["id"]
    clock[0] = NOW + timedelta(milliseconds=1)
    second = (await asked(timed, UNCLEAR, contextId="b"))["id"]
    done, waits = "TASK_STATE_COMPLETED", "TASK_STATE_INPUT_REQUIRED"

    assert await listed(timed) == [second, first]
    assert await listed(timed, contextId="", status="", pageToken="") == [second, first]
    assert await listed(timed, status="TASK_STATE_UNSPECIFIED") == [second, first]
    assert await listed(timed, contextId="a") == [first]
    assert await listed(timed, status=waits) == [second]
    assert await listed(timed, status=done, contextId="b") == []
    assert await listed(timed, status="TASK_STATE_WORKING") == []
    at = "2026-03-18T12:00:00"
    assert await listed(timed, statusTimestampAfter=f"{at}.000Z") == [second, first]
    assert await listed(timed, statusTimestampAfter=f"{at}.001Z") == [second]
    assert await listed(timed, statusTimestampAfter="2026-03-18T13:00:00.001+01:00") == [second]
    assert await listed(timed, statusTimestampAfter=f"{at}.002Z") == []


async def test_what_changes_comes_first(timed: RunningDaemon, clock: list[datetime]) -> None:
    """A reply puts its task before those that are newer, with the instant of the reply."""
    first = (await asked(timed, UNCLEAR))["id"]
    clock[0] = NOW + timedelta(seconds=1)
    second = (await asked(timed, CLEAR))["id"]
    clock[0] = NOW + timedelta(seconds=2, milliseconds=45)
    replied = await asked(timed, CLEAR, taskId=first)

    assert replied["status"]["timestamp"] == "2026-03-18T12:00:02.045Z"
    assert await listed(timed) == [first, second]


async def test_a_token_is_of_its_filters(household: RunningDaemon) -> None:
    """A page token of other filters, or one that was cut off, begins no page."""
    for _ in range(3):
        await asked(household, CLEAR, contextId="a")
    token = (await result(household, "ListTasks", {"contextId": "a", "pageSize": 2}))[
        "nextPageToken"
    ]
    rest = {"contextId": "a", "pageToken": token}
    assert len((await result(household, "ListTasks", rest))["tasks"]) == 1
    for params in ({"pageToken": token}, {"contextId": "a", "pageToken": token[:-1]}):
        assert (await error(household, "ListTasks", params))["code"] == -32602


async def test_lists_have_artifacts_and_history_where_wanted(household: RunningDaemon) -> None:
    """With all of it, a list tells each task as GetTask does."""
    task = await asked(household, CLEAR)
    (told,) = (await result(household, "ListTasks", {"includeArtifacts": True}))["tasks"]
    assert told == task
    (short,) = (await result(household, "ListTasks", {"historyLength": 0}))["tasks"]
    assert set(short) == {"id", "contextId", "status"}


async def test_of_two_messages_at_once_one_is_the_next(household: RunningDaemon) -> None:
    """A task that went on meanwhile takes no message that did not know of it."""
    task = await asked(household, UNCLEAR)
    owner = household.session.owner
    values: dict[str, Any] = {
        "context_id": "c",
        "state": "TASK_STATE_COMPLETED",
        "asked": None,
        "said": "{}",
    }
    for turns, held in ((2, False), (1, True), (1, False)):
        go_on = partial(agent_tasks.go_on, owner=owner, task_id=task["id"], turns=turns)
        assert await household.store.write(partial(go_on, status_at=1, **values)) is held


async def test_a_page_is_full_and_the_last(household: RunningDaemon) -> None:
    """Fifty tasks are a page where it is not said, and none follows a page that holds the rest."""
    for _ in range(2):
        await asked(household, CLEAR)
    unsaid = await result(household, "ListTasks", {})
    assert (unsaid["pageSize"], unsaid["nextPageToken"]) == (50, "")
    exact = await result(household, "ListTasks", {"pageSize": 2})
    assert (len(exact["tasks"]), exact["nextPageToken"]) == (2, "")


async def test_the_hourly_job_forgets_them(timed: RunningDaemon) -> None:
    """What is pruned each hour holds the tasks whose time is over."""
    await asked(timed, CLEAR)
    caller = Caller(timed.session.owner, frozenset(), "schedule")
    for days, left in ((29, 1), (30, 0)):
        later = NOW + timedelta(days=days)
        context = Context(caller, timed.store, {}, partial(lambda at: at, later))
        await prune(context, cast("JobRun", None))
        assert len(await listed(timed)) == left


async def test_a_key_that_was_revoked_meanwhile_asks_nothing(household: RunningDaemon) -> None:
    """A call whose end arrives after its key was revoked is refused, and no task is kept."""
    made = await new_key(household, "service:read")
    body = json.dumps(call("SendMessage", {"message": message(CLEAR)})).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", household.port)
    head = (
        f"POST /a2a HTTP/1.1\r\nHost: 127.0.0.1:{household.port}\r\nx-api-key: {made['key']}\r\n"
        "A2A-Version: 1.0\r\nContent-Type: application/json\r\nConnection: close\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    writer.write(head.encode() + body[:-1])
    await writer.drain()
    # Another request on this loop is answered once the daemon has taken in the first half.
    await household.http.get("/health")
    await household.http.delete(f"/api/v1/keys/{made['id']}")
    writer.write(body[-1:])
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    assert int(answer.split(b" ", 2)[1]) == 401
    assert await listed(household) == []


async def test_a_key_that_only_writes_asks_nothing(household: RunningDaemon) -> None:
    """It is told which scope it lacks, before anything is said of what it sent."""
    writes = (await new_key(household, "service:write"))["key"]
    household.http.cookies.clear()
    answer = await post(household, "no call", **{"x-api-key": writes})
    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
    assert 'scope="service:read"' in answer.headers["www-authenticate"]
