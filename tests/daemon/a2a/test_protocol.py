"""A2A as others speak it: the agent card, the SDK's own client, and the conformance suite (TCK, 1.0).

Of the suite these are the mandatory requirements that concern finplan, by their ids. It is no package,
and its scenarios ask for an agent made for them; what it sends and asks of the answers is sent and asked
here.
"""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from a2a.client import A2ACardResolver, Client, ClientConfig, ClientFactory
from a2a.client.errors import A2AClientError
from a2a.types import a2a_pb2
from a2a.utils.errors import TaskNotFoundError

from tests.daemon.a2a.talking import VERSION, asked, call, error, message, post, result
from tests.daemon.mcp.connected import new_key
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

CARD = "/.well-known/agent-card.json"


async def card_of(running: RunningDaemon) -> dict[str, Any]:
    running.http.cookies.clear()
    answer = await running.http.get(CARD, headers={"Origin": "https://agents.example"})
    assert answer.status_code == 200
    read: dict[str, Any] = answer.json()
    return read


async def test_it_has_all_that_is_required(household: RunningDaemon) -> None:
    """CARD-DISC-001, CARD-PROTO-001 and 002, CARD-STRUCT-001: every required field holds something."""
    card = await card_of(household)

    required = {"name", "description", "version", "supportedInterfaces", "capabilities", "skills"}
    modes = {"defaultInputModes", "defaultOutputModes"}
    assert all(card[each] for each in required | modes)
    (interface,) = card["supportedInterfaces"]
    assert interface == {
        "url": f"{household.base_url}/a2a",
        "protocolBinding": "JSONRPC",
        "protocolVersion": "1.0",
    }
    assert set(card["capabilities"].values()) == {False}
    (skill,) = card["skills"]
    assert skill["id"] == "query_spending"
    assert all(skill[each] for each in ("name", "description", "tags", "examples"))


async def test_it_says_how_an_agent_is_let_in(household: RunningDaemon) -> None:
    """The schemes are those that are required, and the addresses of OAuth are those of the site."""
    card = await card_of(household)

    required = [name for each in card["securityRequirements"] for name in each["schemes"]]
    assert sorted(required) == sorted(card["securitySchemes"]) == ["apiKey", "oauth"]
    key = card["securitySchemes"]["apiKey"]["apiKeySecurityScheme"]
    assert key == {"location": "header", "name": "x-api-key"}
    oauth = card["securitySchemes"]["oauth"]["oauth2SecurityScheme"]
    metadata = (await household.http.get(oauth["oauth2MetadataUrl"])).json()
    flow = oauth["flows"]["authorizationCode"]
    assert flow["authorizationUrl"] == metadata["authorization_endpoint"]
    assert flow["tokenUrl"] == flow["refreshUrl"] == metadata["token_endpoint"]
    assert set(flow["scopes"]) == {"service:read"} <= set(metadata["scopes_supported"])
    assert flow["pkceRequired"] is True


async def test_its_examples_are_understood(household: RunningDaemon) -> None:
    """What the card says that one may ask is answered."""
    from tests.daemon.a2a.talking import asked

    for example in (await household.http.get(CARD)).json()["skills"][0]["examples"]:
        assert (await asked(household, example))["status"]["state"] == "TASK_STATE_COMPLETED"


async def test_it_holds_nothing_empty(household: RunningDaemon) -> None:
    """No field is null or empty, which readers of ProtoJSON take as left out.

    The API key alone, of the card and of its skill, has no scopes.
    """

    def values(each: Any) -> Iterator[Any]:
        yield each
        for inner in each.values() if isinstance(each, dict) else each:
            yield from values(inner) if isinstance(inner, dict | list) else (inner,)

    scopes = [each for each in values(await card_of(household)) if each in (None, "", {}, [])]
    assert scopes == [[], []]


async def test_who_shows_no_credential_is_told_how_to_get_one(household: RunningDaemon) -> None:
    """401 with the address of the metadata of this very part, for any body; a key in vain as well."""
    household.http.cookies.clear()
    for path in ("/a2a", "/a2a/"):
        for headers in ({}, {"x-api-key": "fp_wrong"}, {"Authorization": "Bearer no"}):
            answer = await household.http.post(path, content=b"{", headers=headers)
            assert answer.status_code == 401
            metadata = f"{household.base_url}/.well-known/oauth-protected-resource/a2a"
            challenge = answer.headers["www-authenticate"]
            assert challenge.startswith("Bearer ")
            assert f'resource_metadata="{metadata}"' in challenge
            told = (await household.http.get(metadata)).json()
            assert told["resource"] == f"{household.base_url}/a2a"


async def test_a_page_of_another_origin_asks_nothing(household: RunningDaemon) -> None:
    """The card is for pages of any origin, what is asked of a person's money is not."""
    answer = await household.http.post("/a2a", json={}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403


async def test_a_large_body_is_refused(household: RunningDaemon) -> None:
    """A body has at most 64 KB, packed or not, and is refused as anywhere else."""
    import gzip

    begin, end = b'{"jsonrpc":"2.0","id":"', b'","method":"ListTasks"}'
    most = begin + b"x" * (65_536 - len(begin) - len(end)) + end
    read = await household.http.post("/a2a", content=most)
    assert read.status_code == 200, read.text
    body = most.replace(begin, begin + b"x")
    for content, coding in ((body, {}), (gzip.compress(body), {"Content-Encoding": "gzip"})):
        answer = await household.http.post("/a2a", content=content, headers=coding)
        assert (answer.status_code, answer.json()["code"]) == (413, "PAYLOAD_TOO_LARGE")
    packed = await household.http.post("/a2a", content=b"x", headers={"Content-Encoding": "br"})
    assert packed.status_code == 415


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
    first_line = text.text.partition("\n")[0]
    for understood in ("`Groceries`", "2026-02-01", "2026-02-28"):
        assert understood in first_line
    assert data.data.struct_value.fields["total"].number_value == spent["total"] > 0


async def test_it_replies_and_asks_again(household: RunningDaemon) -> None:
    """It goes on in a task that waits, gets it, and lists its tasks a page at a time."""
    async with a2a_client(household) as client:
        waits = await sent(client, "grocries last month")
        assert waits.status.state == a2a_pb2.TASK_STATE_INPUT_REQUIRED
        done = await sent(client, "groceries last month", waits.id)
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


UNCLEAR, CLEAR = "How much at nowhere?", "groceries last month"
INFO = "type.googleapis.com/google.rpc.ErrorInfo"


def reason_of(told: dict[str, Any]) -> str:
    (info,) = (each for each in told["data"] if each["@type"] == INFO)
    assert info["domain"] == "a2a-protocol.org"
    reason: str = info["reason"]
    return reason


async def test_core_send_001(household: RunningDaemon) -> None:
    """CORE-SEND-001, CORE-MULTI-001a, CORE-MULTI-003: a task, with ids of the agent's own."""
    tasks = [await asked(household, CLEAR) for _ in range(2)]
    assert all(task["id"] and task["contextId"] for task in tasks)
    assert tasks[0]["id"] != tasks[1]["id"]


@pytest.mark.parametrize("at_once", [None, False, True])
async def test_core_execution_mode(household: RunningDaemon, at_once: bool | None) -> None:
    """CORE-EXECUTION-MODE-001 and 002: the answer comes when the task has ended, and at once."""
    sent = {"message": message(CLEAR), "configuration": {"returnImmediately": at_once}}
    task = (await result(household, "SendMessage", sent))["task"]
    assert task["status"]["state"] == "TASK_STATE_COMPLETED"


async def test_core_send_002(household: RunningDaemon) -> None:
    """CORE-SEND-002: a task that has ended takes no more messages."""
    task = await asked(household, CLEAR)
    told = await error(household, "SendMessage", {"message": message("x", taskId=task["id"])})
    assert (told["code"], reason_of(told)) == (-32004, "UNSUPPORTED_OPERATION")


@pytest.mark.parametrize(
    "part",
    [
        {"raw": "dGNr", "mediaType": "application/x-unsupported-tck-type"},
        {"url": "https://example.com/a.pdf"},
        {"data": {"period": "last month"}},
        {"text": "<p>groceries</p>", "mediaType": "text/html"},
    ],
)
async def test_core_send_003(household: RunningDaemon, part: dict[str, Any]) -> None:
    """CORE-SEND-003: what is no text is refused as such."""
    sent = {"message": {**message(""), "parts": [part]}}
    told = await error(household, "SendMessage", sent)
    assert (told["code"], reason_of(told)) == (-32005, "CONTENT_TYPE_NOT_SUPPORTED")


async def test_core_get_001(household: RunningDaemon) -> None:
    """CORE-GET-001: a task is told as it was, with its status, artifacts and history."""
    task = await asked(household, CLEAR)
    assert await result(household, "GetTask", {"id": task["id"]}) == task
    assert {"status", "artifacts", "history"} <= set(task)


@pytest.mark.parametrize("method", ["GetTask", "CancelTask"])
async def test_core_get_002(household: RunningDaemon, method: str) -> None:
    """CORE-GET-002, CORE-CANCEL-003: a task that is not there is not found."""
    told = await error(household, method, {"id": "tck-nonexistent"})
    assert (told["code"], reason_of(told)) == (-32001, "TASK_NOT_FOUND")


async def test_core_list(household: RunningDaemon) -> None:
    """CORE-LIST-002 to 005: pages by tokens, what changed last first, the last of them with ""."""
    first = [await asked(household, CLEAR, contextId="ours") for _ in range(3)]
    again = await asked(household, UNCLEAR, contextId="ours")
    await asked(household, CLEAR, contextId="another")

    one = await result(household, "ListTasks", {"context_id": "ours", "page_size": 3})
    token = one["nextPageToken"]
    two = await result(
        household, "ListTasks", {"contextId": "ours", "pageSize": 3, "pageToken": token}
    )

    listed = [each["id"] for page in (one, two) for each in page["tasks"]]
    assert listed == [each["id"] for each in (again, *reversed(first))]
    assert (bool(token), two["nextPageToken"]) == (True, "")
    assert [(page["pageSize"], page["totalSize"]) for page in (one, two)] == [(3, 4), (3, 4)]
    assert not any("artifacts" in each for each in one["tasks"])


async def test_core_cancel(household: RunningDaemon) -> None:
    """CORE-CANCEL-001 and 002: a task that waits is cancelled, and one that has ended is not."""
    task = await asked(household, UNCLEAR)
    canceled = await result(household, "CancelTask", {"id": task["id"]})
    assert canceled["status"]["state"] == "TASK_STATE_CANCELED"
    for each in (task["id"], (await asked(household, CLEAR))["id"]):
        told = await error(household, "CancelTask", {"id": each})
        assert (told["code"], reason_of(told)) == (-32002, "TASK_NOT_CANCELABLE")


@pytest.mark.parametrize(
    ("method", "code", "reason"),
    [
        ("SendStreamingMessage", -32004, "UNSUPPORTED_OPERATION"),
        ("SubscribeToTask", -32004, "UNSUPPORTED_OPERATION"),
        ("GetExtendedAgentCard", -32004, "UNSUPPORTED_OPERATION"),
        *(
            (f"{verb}TaskPushNotificationConfig{s}", -32003, "PUSH_NOTIFICATION_NOT_SUPPORTED")
            for verb, s in (("Create", ""), ("Get", ""), ("List", "s"), ("Delete", ""))
        ),
    ],
)
async def test_core_cap(household: RunningDaemon, method: str, code: int, reason: str) -> None:
    """CORE-CAP-001 to 003: what the card does not declare is refused by its own error."""
    told = await error(household, method, {"taskId": "t", "message": message(CLEAR)})
    assert (told["code"], reason_of(told)) == (code, reason)


async def test_a_message_that_wants_push(household: RunningDaemon) -> None:
    """CORE-CAP-001: nor is a message taken that would have somebody told."""
    wanted = {"taskPushNotificationConfig": {"url": "https://example.com"}}
    told = await error(
        household, "SendMessage", {"message": message(CLEAR), "configuration": wanted}
    )
    assert (told["code"], reason_of(told)) == (-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED")


async def test_core_multi(household: RunningDaemon) -> None:
    """CORE-MULTI-002, 004, 005 and 006: contexts are kept, and follow from the task."""
    task = await asked(household, UNCLEAR, contextId="theirs")
    assert task["contextId"] == "theirs"
    missing = await error(household, "SendMessage", {"message": message("x", taskId="none")})
    assert missing["code"] == -32001
    wrong = message("x", taskId=task["id"], contextId="other")
    told = await error(household, "SendMessage", {"message": wrong})
    assert told["code"] == -32602
    assert told["data"][0]["fieldViolations"][0]["field"] == "message.contextId"
    assert (await asked(household, CLEAR, taskId=task["id"]))["contextId"] == "theirs"


async def test_core_hist(household: RunningDaemon) -> None:
    """CORE-HIST-001 to 006: as many of the last messages as are asked for, in their order."""
    open_task = await asked(household, UNCLEAR)
    last = message(CLEAR, taskId=open_task["id"])
    task = (await result(household, "SendMessage", {"message": last}))["task"]
    texts = [UNCLEAR, open_task["status"]["message"]["parts"][0]["text"], CLEAR]
    for length, kept in ((0, []), (1, texts[2:]), (2, texts[1:]), (9, texts), (None, texts)):
        got = await result(household, "GetTask", {"id": task["id"], "historyLength": length})
        assert ("history" in got) == bool(kept)
        assert [each["parts"][0]["text"] for each in got.get("history", ())] == kept
    sent = {"message": message(CLEAR), "configuration": {"historyLength": 0}}
    assert "history" not in (await result(household, "SendMessage", sent))["task"]


@pytest.mark.parametrize("version", ["", "0.3", "1.1", "2.0", "99.0", "1", "1.0.0.0", "11.0"])
async def test_ver_server_002(household: RunningDaemon, version: str) -> None:
    """VER-SERVER-002 and 003: every other version, and none, which stands for 0.3, is refused."""
    answer = await post(
        household, call("SendMessage", {"message": message(CLEAR)}), **{"A2A-Version": version}
    )
    told = answer.json()["error"]
    assert (told["code"], reason_of(told)) == (-32009, "VERSION_NOT_SUPPORTED")
    assert answer.json()["id"] == 1


@pytest.mark.parametrize("version", ["1.0", "1.0.7"])
async def test_ver_client_002(household: RunningDaemon, version: str) -> None:
    """VER-SERVER-001, VER-CLIENT-002: a patch number makes no difference."""
    answer = await post(household, call("ListTasks", {}), **{"A2A-Version": version})
    assert "result" in answer.json()


async def test_the_version_in_the_query(household: RunningDaemon) -> None:
    """Who cannot set the header says the version in the address."""
    body = call("ListTasks", {})
    spoken = await household.http.post("/a2a?A2A-Version=1.0", json=body)
    unsaid = await household.http.post("/a2a", json=body)
    assert ("result" in spoken.json(), "error" in unsaid.json()) == (True, True)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"", -32700),
        (b"\xff", -32700),
        (b"[" * 60_000, -32700),
        (b'{"jsonrpc":"2.0","id":NaN,"method":"ListTasks"}', -32700),
        (b"[]", -32600),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ListTasks"}]', -32600),
        (b'"text"', -32600),
        (b'{"jsonrpc":"2.0","method":"ListTasks"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ListTasks"}', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ListTasks"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ListTasks"}', -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ListTasks"}', -32600),
        (b'{"id":1,"method":"ListTasks"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"message/send"}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"NonExistentMethod","params":{}}', -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":[]}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{}}', -32602),
        (b'{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{}}', -32602),
    ],
)
async def test_jsonrpc_err(household: RunningDaemon, body: bytes, code: int) -> None:
    """JSONRPC-ERR-001 to 003, CORE-ERR-001 and 002: what is no call is refused by its code."""
    sent = {**VERSION, "Content-Type": "application/json"}
    answer = await household.http.post("/a2a", content=body, headers=sent)
    told = answer.json()
    assert (answer.status_code, told["error"]["code"]) == (200, code)
    assert told["error"]["message"].endswith(".")
    assert told["id"] == (1 if re.match(rb'\{.*"id":1[,}]', body) else None)


async def test_what_is_not_sent_as_json(household: RunningDaemon) -> None:
    """JSONRPC-SSE-002: a body of another type is refused as such."""
    sent = {**VERSION, "Content-Type": "text/plain"}
    answer = await household.http.post("/a2a", content=b"{}", headers=sent)
    assert answer.json()["error"]["code"] == -32005


async def test_the_address_with_a_slash(household: RunningDaemon) -> None:
    """The suite's client posts to the card's address and a slash."""
    answer = await household.http.post("/a2a/", json=call("ListTasks", {}), headers=VERSION)
    assert answer.json()["result"]["tasks"] == []


@pytest.mark.parametrize(
    ("method", "params", "field"),
    [
        ("ListTasks", {"pageSize": 0}, "pageSize"),
        ("ListTasks", {"pageSize": 101}, "pageSize"),
        ("ListTasks", {"pageSize": "5"}, "pageSize"),
        ("ListTasks", {"historyLength": -1}, "historyLength"),
        ("ListTasks", {"status": "completed"}, "status"),
        ("ListTasks", {"pageToken": "abc"}, "pageToken"),
        ("ListTasks", {"pageToken": "€"}, "pageToken"),
        ("ListTasks", {"statusTimestampAfter": "yesterday"}, "statusTimestampAfter"),
        ("GetTask", {"id": ""}, "id"),
        ("SendMessage", {"message": {**message("x"), "role": "ROLE_AGENT"}}, "message.role"),
        ("SendMessage", {"message": {**message("x"), "messageId": ""}}, "message.messageId"),
        ("SendMessage", {"message": {**message("x"), "parts": []}}, "message.parts"),
        ("SendMessage", {"message": {**message("x"), "parts": [{}]}}, "message.parts.0"),
        (
            "SendMessage",
            {"message": {**message("x"), "parts": [{"text": "a", "data": 1}]}},
            "message.parts.0",
        ),
        ("SendMessage", {"message": message(" ")}, "message.parts"),
        ("SendMessage", {"message": message("a" * 2001)}, "message.parts.0.text"),
        ("SendMessage", {"message": message("\ud800")}, "params"),
    ],
)
async def test_invalid_params(
    household: RunningDaemon, method: str, params: Any, field: str
) -> None:
    """CORE-ERR-002: parameters are looked at first, and the field that is wrong is named."""
    told = await error(household, method, params)
    assert told["code"] == -32602
    (bad,) = told["data"]
    assert bad["@type"] == "type.googleapis.com/google.rpc.BadRequest"
    assert field in [each["field"] for each in bad["fieldViolations"]]
    assert all(each["description"] for each in bad["fieldViolations"])
