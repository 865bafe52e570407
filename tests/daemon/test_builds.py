"""Builds that go on by themselves: asked for, joined, followed over REST."""

import asyncio
import json
from functools import partial
from typing import Any

import pytest

from finplan.model.connection import LinkRequest
from finplan.model.errors import NotFound
from finplan.operations.bank import LINK_CONNECTION
from finplan.service.context import Context
from finplan.service.planning import plans
from finplan.service.planning.plans import WorkedOut, work_out
from finplan.store.queries import plans as table
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH


@pytest.fixture
async def household(daemon: RunningDaemon) -> RunningDaemon:
    """A daemon with the demo household."""
    await daemon.client.call(LINK_CONNECTION, LinkRequest(provider="demo"))
    return daemon


class Gate:
    """Lets builds work their plan out one by one, when the test says so; `arrived` tells of each."""

    def __init__(self) -> None:
        self.arrived = asyncio.Semaphore(0)
        self.open = asyncio.Semaphore(0)

    async def work_out(self, context: Context) -> WorkedOut:
        self.arrived.release()
        await self.open.acquire()
        return await work_out(context)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(plans, "work_out", made.work_out)
    return made


async def ended(daemon: RunningDaemon, location: str) -> dict[str, Any]:
    """Ask for a build, as a client does, until it has ended."""
    async with asyncio.timeout(LONG_ENOUGH):
        while True:
            build: dict[str, Any] = (await daemon.http.get(location)).json()
            if build["status"] in {"succeeded", "failed"}:
                return build
            await asyncio.sleep(0.01)


def events_of(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream, as its standard says they are read; comments are left out."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line[:1] != ":")
        if fields:
            found.append((fields["event"], json.loads(fields["data"])))
    return found


@pytest.mark.thorough
async def test_a_build_is_accepted_and_found_until_it_is_done(household: RunningDaemon) -> None:
    """202 tells where to ask and when; in the end the build names the plan that it made."""
    answer = await household.http.post("/api/v1/plan/builds", json={})
    assert answer.status_code == 202
    assert answer.headers["retry-after"] == "1"
    begun = answer.json()
    assert answer.headers["location"] == f"/api/v1/plan/builds/{begun['id']}"
    assert begun["status"] == "queued"
    assert (begun["done"], begun["total"], begun["finishedAt"]) == (0, 2, None)

    done = await ended(household, answer.headers["location"])
    plan = (await household.http.get("/api/v1/plan")).json()
    assert done["status"] == "succeeded"
    assert done["done"] == done["total"] == 2
    assert done["planCreatedAt"] == plan["createdAt"]
    assert done["error"] is None


async def test_nothing_to_plan_with_is_said_at_once(daemon: RunningDaemon) -> None:
    """Without a connection no build is begun, whichever way is asked."""
    for path in ("/api/v1/plan/builds", "/api/v1/plan/build"):
        answer = await daemon.http.post(path)
        assert answer.status_code == 500
        assert answer.json()["code"] == "NO_CONNECTIONS"


@pytest.mark.thorough
async def test_who_asks_while_a_build_waits_joins_it(household: RunningDaemon, gate: Gate) -> None:
    """One that runs may have read old data: the next asker gets another, and who comes then that one."""
    async with asyncio.timeout(LONG_ENOUGH):
        first = (await household.http.post("/api/v1/plan/builds")).json()["id"]
        await gate.arrived.acquire()
        second = (await household.http.post("/api/v1/plan/builds")).json()["id"]
        third = (await household.http.post("/api/v1/plan/builds")).json()["id"]
        assert first != second == third

        gate.open.release()
        gate.open.release()
        for build in (first, second):
            done = await ended(household, f"/api/v1/plan/builds/{build}")
            assert done["status"] == "succeeded"
    assert len((await household.http.get("/api/v1/plans")).json()) == 2


@pytest.mark.thorough
async def test_a_build_is_followed_to_its_plan(household: RunningDaemon) -> None:
    """The stream tells each state once, in order, and closes with the plan itself."""
    answer = await household.http.post("/api/v1/plan/build")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.text.startswith(":\n\n")

    *messages, (last, plan) = events_of(answer.text)
    states = [build["status"] for name, build in messages if name == "message"]
    assert states == [each for each in ("queued", "running", "succeeded") if each in states]
    assert states[-1] == "succeeded"
    assert last == "done"
    assert plan == (await household.http.get("/api/v1/plan")).json()


@pytest.mark.thorough
async def test_a_stream_shows_that_it_lives(
    household: RunningDaemon, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While there is no news, comments come."""
    monkeypatch.setattr("finplan.daemon.surfaces.rest.answers.KEEP_ALIVE", 0.01)
    async with (
        asyncio.timeout(LONG_ENOUGH),
        household.http.stream("POST", "/api/v1/plan/build") as answer,
    ):
        signs = 0
        async for line in answer.aiter_lines():
            signs += line == ":"
            if signs == 4:
                break
    gate.open.release()


@pytest.mark.thorough
async def test_a_build_outlives_who_asked(household: RunningDaemon, gate: Gate) -> None:
    """A client that hangs up ends its stream and not the build."""
    async with asyncio.timeout(LONG_ENOUGH):
        async with household.http.stream("POST", "/api/v1/plan/build") as answer:
            async for line in answer.aiter_lines():
                if line.startswith("data: "):
                    build = json.loads(line.removeprefix("data: "))["id"]
                    break
            await gate.arrived.acquire()
        gate.open.release()
        assert (await ended(household, f"/api/v1/plan/builds/{build}"))["status"] == "succeeded"


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("failure", "code"),
    [(NotFound("It went."), "NOT_FOUND"), (RuntimeError("secret"), "INTERNAL_SERVER_ERROR")],
)
async def test_a_build_that_fails_says_why(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch, failure: Exception, code: str
) -> None:
    """The build and the stream carry the same envelope, and nothing of the inside."""

    async def fail(_context: Context) -> WorkedOut:
        raise failure

    monkeypatch.setattr(plans, "work_out", fail)
    answer = await household.http.post("/api/v1/plan/build")
    *messages, (last, envelope) = events_of(answer.text)

    assert last == "error"
    assert envelope["code"] == code
    assert envelope == messages[-1][1]["error"]
    assert "secret" not in answer.text
    assert messages[-1][1]["status"] == "failed"


@pytest.mark.thorough
async def test_a_build_that_a_daemon_left_behind_has_failed(
    household: RunningDaemon, gate: Gate
) -> None:
    """After a crash, the next start says of it that it failed, and what to do."""
    location = (await household.http.post("/api/v1/plan/builds")).headers["location"]
    async with asyncio.timeout(LONG_ENOUGH):
        await gate.arrived.acquire()
    await household.store.write(lambda c: plans.fail_unfinished_builds(c, 1_000))

    build = (await household.http.get(location)).json()
    assert build["status"] == "failed"
    assert build["finishedAt"] == 1_000
    assert "stopped before" in build["error"]["message"]


@pytest.mark.thorough
async def test_an_idempotency_key_begins_one_build(household: RunningDaemon) -> None:
    """Sent twice, the request names one build, though that has ended by then."""
    headers = {"Idempotency-Key": "once"}
    first = await household.http.post("/api/v1/plan/builds", headers=headers)
    await ended(household, first.headers["location"])
    again = await household.http.post("/api/v1/plan/builds", headers=headers)

    assert again.json() == first.json()
    assert again.status_code == 202
    assert again.headers["location"] == first.headers["location"]
    assert again.headers["idempotent-replayed"] == "true"


@pytest.mark.thorough
async def test_only_a_hundred_builds_are_kept(household: RunningDaemon, gate: Gate) -> None:
    """The oldest go; one that is asked for later is told so."""
    del gate
    location = (await household.http.post("/api/v1/plan/builds")).headers["location"]
    for number in range(table.BUILDS_KEPT):
        await household.store.write(
            partial(table.add_build, owner=1, build_id=f"bld_{number}", now=number)
        )

    gone = await household.http.get(location)
    assert gone.status_code == 404
    assert "hundred" in gone.json()["message"]
