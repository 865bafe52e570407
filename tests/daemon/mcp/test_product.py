"""The product server of MCP, asked by the client of the protocol's own SDK over a real socket.

Of sessions of older clients everybody has their share, and nobody more; what a daemon loads for agents
it loads when the first of them comes.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from sse_starlette import EventSourceResponse

from finplan.daemon.surfaces.mcp import mount, transport
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.service.people import new_owner
from finplan.store.queries import people
from tests.daemon.mcp.connected import (
    ERAS,
    FOR_MCP,
    INITIALIZE,
    Era,
    connected,
    new_key,
    refusal,
    rest,
    text_of,
    told_by,
)
from tests.daemon.oauth.test_agents import a_guest
from tests.daemon.oauth.visitor import stranger
from tests.daemon.running import RunningDaemon
from tests.patience import LONG_ENOUGH

TOKEN = 4
"""Bytes: what a token of JSON and English comes to at least."""

READING = tuple(name for name, tool in TOOLS.items() if tool.effect == "reads")
ASKED: dict[str, dict[str, Any]] = {
    "query_spending": {"groupBy": "category", "byMonth": True, "period": "last 12 months"},
    "get_plan": {"parts": ["categories", "incomeSources", "recurring"]},
    "explain_figure": {"section": "allowance"},
    "get_forecast": {"days": 120},
    "list_transactions": {"limit": 50},
    "list_tasks": {"limit": 50},
    "link_connection": {"provider": "demo"},
    "set_category_rules": {"rules": [{"merchant": "Nobody", "category": "Groceries"}]},
}
"""The longest answer that each tool can be asked for; {} of the others."""


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
async def test_tools_agree_with_rest(household: RunningDaemon, era: Era) -> None:
    """In both eras a tool tells the figures that REST tells."""
    async with connected(household, era) as client:
        spent = await told_by(client, "query_spending", groupBy="merchant", limit=100)
        report = await rest(household, "/spending", groupBy="merchant")
        assert spent["total"] == report["total"]
        shown = report["groups"][:100]
        assert spent["groups"] == [
            {key: each[key] for key in ("key", "label", "total", "count")} | {"totals": None}
            for each in shown
        ]
        assert spent["leftOut"]["total"] == report["total"] - sum(g["total"] for g in shown)

        table = await told_by(client, "query_spending", byMonth=True, limit=5)
        months = await rest(household, "/spending/months")
        assert (table["months"], table["totals"]) == (months["months"], months["totals"])
        assert [each["totals"] for each in table["groups"]] == [
            each["totals"] for each in months["groups"][:5]
        ]
        left = table["leftOut"]
        assert left["total"] + sum(each["total"] for each in table["groups"]) == months["total"]
        assert left["groups"] == len(months["groups"]) - 5

        view = await rest(household, "/plan/view")
        plan = await told_by(client, "get_plan", parts=["categories", "recurring", "incomeSources"])
        assert plan["createdAt"] == view["createdAt"]
        for part in ("monthly", "emergencyFund", "actions", "notes", "budget", "window"):
            assert plan[part] == view["plan"][part]
        for part in ("categories", "recurring", "incomeSources"):
            assert plan[part] == view["plan"][part]
        assert plan["openTasks"] == len(view["openTasks"])

        snapshot = await told_by(client, "get_snapshot")
        assert snapshot["allowance"] == view["snapshot"]["allowance"]
        assert snapshot["balances"] == view["snapshot"]["balances"]

        ahead = await told_by(client, "get_forecast", days=60)
        forecast = await rest(household, "/forecast", days=60)
        assert (ahead["start"], ahead["lowest"]) == (forecast["start"], forecast["low"])
        assert ahead["points"][-1]["expected"] == forecast["days"][-1]["expected"]

        wealth = await told_by(client, "get_wealth")
        assert wealth["history"][-2:] == (await rest(household, "/wealth"))["history"][-2:]

        accounts = await told_by(client, "list_accounts")
        assert [each["balance"] for each in accounts["accounts"]] == [
            each["balance"] for each in await rest(household, "/accounts")
        ]

        rows = await told_by(client, "list_transactions", period="last month", limit=50)
        page = await rest(household, "/transactions", **{"from": "2026-02-01", "to": "2026-02-28"})
        assert [each["id"] for each in rows["transactions"]] == [
            each["id"] for each in page["transactions"][:50]
        ]

        tasks = await told_by(client, "list_tasks", limit=50)
        assert [each["id"] for each in tasks["tasks"]] == [
            each["id"] for each in await rest(household, "/tasks")
        ]


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
async def test_what_is_published_is_what_is_answered(household: RunningDaemon, era: Era) -> None:
    """Every answer follows its tool's published shape, names its currency, and is short."""
    async with connected(household, era) as client:
        published = {each.name: each for each in (await client.list_tools()).tools}
        assert list(published) == list(TOOLS)
        task = (await rest(household, "/tasks"))[0]["id"]
        row = (await rest(household, "/transactions", limit=1))["transactions"][0]["id"]
        asked = {
            **ASKED,
            "answer_task": {"id": task, "answer": "Groceries", "preview": True},
            "change_transaction": {"id": row, "category": "Groceries"},
        }
        for name, tool in published.items():
            Draft202012Validator.check_schema(tool.input_schema)
            assert tool.output_schema is not None
            arguments = asked.get(name, {})
            Draft202012Validator(tool.input_schema).validate(arguments)
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result.content
            Draft202012Validator(tool.output_schema).validate(result.structured_content)
            assert result.meta is not None
            assert result.meta["finplan/currency"] == "USD"
            assert result.meta["finplan/decimals"] == 2
            size = len(json.dumps(result.structured_content, separators=(",", ":")))
            assert size + len(text_of(result)) <= 4000 * TOKEN, name


async def test_the_tools_leave_room_for_questions(household: RunningDaemon) -> None:
    """What a model is told of the tools before any question stays within 6,000 tokens."""
    async with connected(household) as client:
        tools = (await client.list_tools()).tools
        told = [each.model_dump(mode="json", by_alias=True, exclude_none=True) for each in tools]
        assert len(json.dumps(told, separators=(",", ":"))) <= 6000 * TOKEN
        assert 12 <= len(tools) <= 16


async def test_what_is_asked_can_be_read_by_every_model(household: RunningDaemon) -> None:
    """No field of a question is of two types, as some models read none such; null is taken anyway."""
    async with connected(household) as client:
        for tool in (await client.list_tools()).tools:
            told = json.dumps(tool.input_schema)
            assert '"null"' not in told
            assert '"type": [' not in told
        left = await told_by(client, "query_spending", period=None, byMonth=False)
        assert left == await told_by(client, "query_spending")


async def test_reading_keys_are_offered_what_reads(household: RunningDaemon) -> None:
    """What changes something is hidden from a key that reads, and refused should it be called."""
    async with connected(household, scopes=("service:read",)) as client:
        assert [each.name for each in (await client.list_tools()).tools] == list(READING)
        for name in set(TOOLS) - set(READING):
            arguments = ASKED.get(name, {"id": "task_x", "dismiss": True} if "task" in name else {})
            if name == "set_category_rules":
                arguments = {**arguments, "confirm": True}
            if name == "change_transaction":
                row = (await rest(household, "/transactions", limit=1))["transactions"][0]
                arguments = {"id": row["id"], "note": "mine", "confirm": True}
            result = await client.call_tool(name, arguments)
            assert result.is_error, name
            assert result.meta is not None
            assert result.meta["finplan/error"]["code"] == "FORBIDDEN"


@pytest.mark.parametrize("word", ["Read", "service:read", "none", ""])
async def test_what_is_given_up_is_spelled_right(household: RunningDaemon, word: str) -> None:
    """Whoever would give up writing and misspells it is told so, instead of keeping it unsaid."""
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    answer = await household.http.post("/mcp", json=asked, headers={"finplan-scopes": word})
    assert answer.status_code == 400
    assert answer.json()["message"].startswith("The header `finplan-scopes` must be `read`")


async def test_annotations_are_honest(household: RunningDaemon) -> None:
    """A tool says that it only reads exactly when every row that it may perform does."""
    async with connected(household) as client:
        for tool in (await client.list_tools()).tools:
            rows = TOOLS[tool.name].rows
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint == all(row.scope == "read" for row in rows)
            assert tool.title
            assert tool.description


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
async def test_strict_arguments(household: RunningDaemon, era: Era) -> None:
    """What is not known is refused by name, never left out; near matches are offered."""
    async with connected(household, era) as client:
        assert "perod: This property is unknown; did you mean period?" in await refusal(
            client, "query_spending", {"perod": "last month"}
        )
        assert "did you mean groupBy?" in await refusal(
            client, "query_spending", {"group_by": "month"}
        )
        far = await refusal(client, "query_spending", {"zzz": 1, "period": 7})
        assert "did you mean" not in far
        assert "limit" in await refusal(client, "query_spending", {"limit": "2"})
        assert "limit" in await refusal(client, "list_transactions", {"limit": 51})
        near = await refusal(client, "query_spending", {"period": "last moth"})
        assert "last month" in near
        near = await refusal(client, "query_spending", {"category": ["Grocries"]})
        assert "Groceries" in near
        merchant = (await rest(household, "/spending", groupBy="merchant"))["groups"][0]["label"]
        assert merchant in await refusal(client, "query_spending", {"merchant": [merchant + "x"]})
        both = {"period": "last month", "from": "2026-01-01"}
        assert "not both" in await refusal(client, "query_spending", both)
        assert "sectoin" in await refusal(client, "explain_figure", {"sectoin": "monthly"})
        gone = await refusal(client, "answer_task", {"id": "task_none", "dismiss": True})
        assert "No open task task_none" in gone


async def test_categories_by_their_names(household: RunningDaemon) -> None:
    """A category may be asked for as a person reads it, in any case, or by its id."""
    async with connected(household) as client:
        by_id = await told_by(client, "query_spending", category=["groceries"])
        assert by_id == await told_by(client, "query_spending", category=["GROCERIES"])
        assert by_id["total"] > 0


async def post(running: RunningDaemon, headers: dict[str, str], body: Any) -> httpx.Response:
    async with stranger(running) as http:
        return await http.post("/mcp", headers={**FOR_MCP, **headers}, json=body)


async def test_without_a_credential(household: RunningDaemon) -> None:
    """Whoever shows none is told where to find out how to get one."""
    answer = await post(household, {}, INITIALIZE)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == (
        f'Bearer resource_metadata="{household.base_url}/.well-known/oauth-protected-resource/mcp"'
    )
    assert answer.json()["code"] == "UNAUTHORIZED"


async def test_a_session_belongs_to_one_credential(household: RunningDaemon) -> None:
    """Another credential, of the same person even, finds no session that it did not open."""
    mine, other = await new_key(household, "service:read"), await new_key(household, "service:read")
    opened = await post(household, {"x-api-key": mine["key"]}, INITIALIZE)
    assert opened.status_code == 200
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert (await post(household, {"x-api-key": other["key"], **session}, ask)).status_code == 404
    assert (await post(household, {"x-api-key": mine["key"], **session}, ask)).status_code == 200


async def test_who_listens_is_answered_at_once(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stream of a session begins before there is anything to tell; one era has no such stream."""
    monkeypatch.setattr(EventSourceResponse, "DEFAULT_PING_INTERVAL", 3600)
    shown = {"x-api-key": (await new_key(household, "service:read"))["key"]}
    opened = await post(household, shown, INITIALIZE)
    listening = {**shown, "accept": "text/event-stream"}
    session = {**listening, "mcp-session-id": opened.headers["mcp-session-id"]}
    url = f"{household.base_url}/mcp"
    async with httpx.AsyncClient(trust_env=False, timeout=LONG_ENOUGH) as http:
        async with http.stream("GET", url, headers=session) as answer:
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/event-stream")
        modern = {**listening, "mcp-protocol-version": "2026-07-28"}
        assert (await http.get(url, headers=modern)).status_code == 405


async def test_a_revoked_key_is_refused_at_its_next_use(household: RunningDaemon) -> None:
    """An open session outlives no credential."""
    key = await new_key(household, "service:read")
    shown = {"x-api-key": key["key"]}
    opened = await post(household, shown, INITIALIZE)
    session = {**shown, "mcp-session-id": opened.headers["mcp-session-id"]}
    ask = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert (await post(household, session, ask)).status_code == 200
    assert (await household.http.delete(f"/api/v1/keys/{key['id']}")).status_code == 200
    refused = await post(household, session, ask)
    assert (refused.status_code, refused.json()["code"]) == (401, "UNAUTHORIZED")
    assert "resource_metadata" in refused.headers["www-authenticate"]


async def test_a_key_revoked_while_a_question_comes(household: RunningDaemon) -> None:
    """A question whose body comes after its key was revoked is refused, although its head was not."""
    key = await new_key(household, "service:read")
    body = json.dumps(INITIALIZE).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", household.port)
    writer.write(
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{household.port}\r\nX-Api-Key: {key['key']}\r\n"
        "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
        f"Expect: 100-continue\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    )
    assert b" 100 " in await asyncio.wait_for(reader.readline(), LONG_ENOUGH)
    assert (await household.http.delete(f"/api/v1/keys/{key['id']}")).status_code == 200
    writer.write(body)
    await reader.readline()
    assert b" 401 " in await asyncio.wait_for(reader.readline(), LONG_ENOUGH)
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"origin": "https://evil.example"}, 403), ({"host": "evil.example"}, 421)],
)
async def test_only_for_this_daemon(
    household: RunningDaemon, headers: dict[str, str], status: int
) -> None:
    """A page of another origin, and a name that was made to point here, reach nothing."""
    key = await new_key(household, "service:read")
    answer = await post(household, {"x-api-key": key["key"], **headers}, INITIALIZE)
    assert answer.status_code == status


async def test_a_body_too_large(household: RunningDaemon) -> None:
    """A question of more than a megabyte is refused as everywhere."""
    key = await new_key(household, "service:read")
    body = {**INITIALIZE, "padding": "x" * 1_100_000}
    answer = await post(household, {"x-api-key": key["key"]}, body)
    assert answer.status_code == 413
    assert answer.json()["code"] == "PAYLOAD_TOO_LARGE"


@pytest.mark.thorough
@pytest.mark.parametrize("era", ERAS)
async def test_a_build_tells_how_it_goes(household: RunningDaemon, era: Era) -> None:
    """build_plan tells its steps, keeps the plan, and answers what the plan says."""
    steps: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        steps.append((progress, message))

    before = (await rest(household, "/plan"))["createdAt"]
    async with connected(household, era) as client:
        built = await client.call_tool("build_plan", {}, progress_callback=note)
    stored = await rest(household, "/plan")
    assert stored["createdAt"] > before
    assert built.structured_content["createdAt"] == stored["createdAt"]
    assert built.structured_content["monthly"] == stored["plan"]["monthly"]
    assert steps[-1][1] == "Done"
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


async def test_nobody_keeps_others_out(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many a person's clients open at once, others open theirs; one that ends makes room."""
    monkeypatch.setattr(transport, "MOST_OF_A_PERSON", 2)
    mine = [{"x-api-key": (await new_key(household, "service:read"))["key"]} for _ in range(3)]
    answers = await asyncio.gather(*(post(household, key, INITIALIZE) for key in mine * 2))
    let_in = [each for each in answers if each.status_code == 200]
    refused = [each.json() for each in answers if each.status_code == 429]
    assert (len(let_in), len(refused)) == (2, 4)
    assert refused[0]["message"].startswith("Your agents have 2 open MCP sessions")

    owner, household.session.owner = (
        household.session.owner,
        await household.store.write(lambda c: people.add_person(c, new_owner("grace", 0))),
    )
    theirs = {"cookie": "; ".join(f"{k}={v}" for k, v in household.http.cookies.items())}
    assert (await post(household, theirs, INITIALIZE)).status_code == 200

    household.session.owner = owner
    session = let_in[0].headers["mcp-session-id"]
    ended = [
        await household.http.delete("/mcp", headers={"mcp-session-id": session, **key})
        for key in mine
    ]
    assert [each.status_code for each in ended].count(200) == 1
    assert (await post(household, mine[0], INITIALIZE)).status_code == 200


@pytest.mark.thorough
async def test_a_guest_has_fewer(household: RunningDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent that nobody has claimed may come again and again, and takes no more for that."""
    monkeypatch.setattr(transport, "MOST_OF_A_GUEST", 1)
    async with stranger(household) as http:
        _, shown = await a_guest(http)
    assert [(await post(household, shown, INITIALIZE)).status_code for _ in range(2)] == [200, 429]


_SERVED = """
import asyncio, sys
from pathlib import Path
from tests.daemon.running import running_daemon

async def serve():
    async with running_daemon(Path(sys.argv[1]), Path(sys.argv[2])) as daemon:
        for path in ("/api/v1/me", "/health", "/mcp/server-card", "/.well-known/ai-catalog.json"):
            assert (await daemon.http.get(path)).status_code == 200, path
        print("mcp" in sys.modules)
        await daemon.http.post("/mcp/docs", json={})
        print("mcp" in sys.modules)

asyncio.run(serve())
"""


@pytest.mark.thorough
def test_the_sdk_is_loaded_when_first_asked(tmp_path: Path, empty_store: Path) -> None:
    """Neither REST nor the cards of the servers load the SDK of MCP; the first request to one does."""
    done = subprocess.run(
        [sys.executable, "-c", _SERVED, str(tmp_path), str(empty_store)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[3],
    )
    assert done.stdout.split() == ["False", "True"]


async def test_others_are_answered_while_it_is_loaded(
    household: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes first waits for the SDK, however long that takes, and nobody else does."""
    begun, may_go_on = asyncio.Event(), Event()
    loop = asyncio.get_running_loop()

    def load(_module: str) -> None:
        loop.call_soon_threadsafe(begun.set)
        assert may_go_on.wait(LONG_ENOUGH)

    monkeypatch.setattr(mount, "import_module", load)
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"accept": "application/json, text/event-stream"}
    first = [
        asyncio.create_task(household.http.post("/mcp/docs", json=asked, headers=accepts))
        for _ in range(2)
    ]
    await asyncio.wait_for(begun.wait(), LONG_ENOUGH)
    assert (await household.http.get("/health")).status_code == 200
    assert not any(each.done() for each in first)
    may_go_on.set()
    assert [(await each).status_code for each in first] == [200, 200]
