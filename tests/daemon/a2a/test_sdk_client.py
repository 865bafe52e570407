"""Somebody else's client of A2A, the SDK's, over a real socket: it finds the card and asks."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2
from a2a.utils.errors import TaskNotFoundError

from tests.daemon.mcp.connected import new_key
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH


@asynccontextmanager
async def a2a_client(running: RunningDaemon) -> AsyncIterator[Client]:
    """A client that knows the daemon's address and a key that may read."""
    key = (await new_key(running, "service:read"))["key"]
    async with httpx.AsyncClient(
        headers={"x-api-key": key}, timeout=LONG_ENOUGH, trust_env=False
    ) as http:
        card = await A2ACardResolver(http, running.base_url).get_agent_card()
        assert [each.url for each in card.supported_interfaces] == [f"{running.base_url}/a2a"]
        assert [each.id for each in card.skills] == ["query_spending"]
        yield ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)


def question(text: str, task_id: str = "") -> a2a_pb2.SendMessageRequest:
    message = a2a_pb2.Message(
        message_id=f"m {text}",
        task_id=task_id,
        role=a2a_pb2.ROLE_USER,
        parts=[a2a_pb2.Part(text=text)],
    )
    return a2a_pb2.SendMessageRequest(message=message)


async def sent(client: Client, text: str, task_id: str = "") -> a2a_pb2.Task:
    """The task that a message comes to."""
    (event,) = [each async for each in client.send_message(question(text, task_id))]
    assert event.HasField("task")
    return event.task


async def test_it_asks_and_is_answered(household: RunningDaemon) -> None:
    """What it reads of an answer is what REST tells of the same question."""
    spent = (
        await household.http.get(
            "/api/v1/spending?category=groceries&from=2026-02-01&to=2026-02-28"
        )
    ).json()
    async with a2a_client(household) as client:
        task = await sent(client, "groceries last month")
    assert task.status.state == a2a_pb2.TASK_STATE_COMPLETED
    text, data = task.artifacts[0].parts
    assert text.text.startswith("Understood: spending on `Groceries`, 2026-02-01 to 2026-02-28.")
    total = data.data.struct_value.fields["total"].number_value
    assert total == spent["total"] > 0


async def test_it_replies_and_asks_again(household: RunningDaemon) -> None:
    """It goes on in a task that waits, gets it, and lists its tasks a page at a time."""
    async with a2a_client(household) as client:
        waits = await sent(client, "grocries last month")
        assert waits.status.state == a2a_pb2.TASK_STATE_INPUT_REQUIRED
        done = await sent(client, "yes", waits.id)
        assert (done.id, done.status.state) == (waits.id, a2a_pb2.TASK_STATE_COMPLETED)
        assert await client.get_task(a2a_pb2.GetTaskRequest(id=done.id)) == done
        other = await sent(client, "travel last month")
        page = await client.list_tasks(a2a_pb2.ListTasksRequest(page_size=1))
        assert [each.id for each in page.tasks] == [other.id]
        assert (page.total_size, bool(page.next_page_token)) == (2, True)
        rest = await client.list_tasks(
            a2a_pb2.ListTasksRequest(page_size=1, page_token=page.next_page_token)
        )
        assert ([each.id for each in rest.tasks], rest.next_page_token) == ([done.id], "")


async def test_errors_are_its_own(household: RunningDaemon) -> None:
    """A task that is not there is its TaskNotFoundError, and a wrong key is no success."""
    async with a2a_client(household) as client:
        with pytest.raises(TaskNotFoundError):
            await client.get_task(a2a_pb2.GetTaskRequest(id="unknown"))
    async with httpx.AsyncClient(headers={"x-api-key": "wrong"}, trust_env=False) as http:
        card = await A2ACardResolver(http, household.base_url).get_agent_card()
        stranger = ClientFactory(ClientConfig(httpx_client=http, streaming=False)).create(card)
        with pytest.raises(A2AClientError):
            await sent(stranger, "groceries")
