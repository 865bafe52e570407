"""Every tool for agents × every kind of caller: another's thing is as one that never was.

As over REST: what names a thing of Ada's is refused as what never was, nothing of hers is shown, and
nothing of hers changes. What a credential may not do is no tool of its. What is told as it happens is
told to the person whom it is about, and to nobody else.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourceUpdated
from mcp.shared.exceptions import MCPError

from finplan.daemon.surfaces import asgi
from finplan.daemon.surfaces.mcp import resources
from finplan.daemon.surfaces.mcp.resources import CATEGORIES, PLAN, ROWS
from finplan.daemon.surfaces.mcp.tools.registry import TOOLS
from finplan.service.context import Context
from finplan.service.derived.books import state_of_caller
from finplan.store.derived import State
from tests.daemon.authorization import callers
from tests.daemon.authorization.household import API, NOTED_OF_READING, Ids
from tests.daemon.authorization.matrix import Two, leaks, leaks_in, never_was, without
from tests.daemon.authorization.requests import Request, kinds_named, named_in, texts_of, with_ids
from tests.daemon.mcp.connected import FOR_MCP, INITIALIZE
from tests.patience import LONG_ENOUGH

DELIVERIES = (
    "SELECT d.owner_no, w.owner_no FROM webhook_delivery d"
    " LEFT JOIN webhook w ON w.no = d.webhook_no ORDER BY d.no"
)
"""Of each delivery whom it is about, and whose webhook is told."""

Arguments = Mapping[str, Any]

_SPLITS = [{"amount": -1000, "category": "<category>"}, {"amount": -1000, "category": "dining"}]
ASKED: Mapping[str, tuple[Arguments, ...]] = {
    "query_spending": (
        {},
        {"category": ["<category>"]},
        {"category": ["<category name>"]},
        {"except": ["<category>"]},
        {"except": ["<category name>"]},
        {"merchant": ["<payee>"]},
        {"account": "<account>"},
    ),
    "get_plan": ({},),
    "build_plan": ({},),
    "explain_figure": ({"section": "<category>"}, {"section": "<category name>"}),
    "get_snapshot": ({},),
    "get_forecast": ({},),
    "get_wealth": ({},),
    "list_accounts": ({},),
    "list_transactions": (
        {},
        {"text": "<payee>"},
        {"category": ["<category>"]},
        {"merchant": ["<payee>"]},
        {"account": ["<account>"]},
        {"cursor": "<cursor>"},
    ),
    "list_tasks": ({}, {"after": "<task>"}),
    "answer_task": (
        {"id": "<task>", "answer": "groceries"},
        {"id": "<task>", "dismiss": True},
        {"id": "<answered task>", "undo": True},
        {"id": "<his task>", "answer": "<category>"},
    ),
    "set_category_rules": (
        {"rules": [{"merchant": "<payee>", "category": "groceries"}], "confirm": True},
        {"rules": [{"merchant": "bobs barber", "category": "<category>"}], "confirm": True},
    ),
    "change_transaction": (
        {"id": "<transaction>", "note": "Bob's", "confirm": True},
        {"id": "<transaction>", "note": "Bob's"},
        {"id": "<his transaction>", "category": "<category>", "confirm": True},
        {"id": "<his transaction>", "splits": _SPLITS, "confirm": True},
    ),
    "list_connections": ({},),
    "link_connection": (
        {"link": "<link>"},
        {"provider": "aggregator", "reconnect": "<connection>"},
        {"bank": "plaid", "reconnect": "<connection>"},
    ),
    "sync_connections": ({}, {"id": "<connection>"}),
}
"""What each tool is asked, with things of Ada's in `<>`."""

FREE_TEXTS = frozenset(
    {
        *("query_spending.period", "list_transactions.period", "change_transaction.note"),
        *("change_transaction.splits.note", "change_transaction.tags", "list_transactions.tag"),
        *("query_spending.tag", "link_connection.provider", "link_connection.bank"),
        *("link_connection.institution", "link_connection.publicToken"),
    }
)
"""Texts of arguments that name no thing."""

LETS_IN = (*callers.OTHERS, callers.AT_MCP, callers.GUEST, *callers.OWN, callers.NARROWED)


def test_every_tool_is_asked() -> None:
    """A new tool, or a new text among the arguments of one, has to be asked here."""
    assert ASKED.keys() == TOOLS.keys()
    texts = {f"{tool.name}.{place}" for tool in TOOLS.values() for place in texts_of(tool.asks)}
    named = {
        f"{name}.{place}"
        for name, several in ASKED.items()
        for each in several
        for place in named_in(each)
    }
    assert texts == named | FREE_TEXTS


@asynccontextmanager
async def speaking(two: Two, caller: callers.CallerKind) -> AsyncIterator[Client]:
    """A client of MCP with the credential of a kind of caller."""
    headers = dict(await caller.headers(two.daemon, two.settled))
    async with (
        httpx2.AsyncClient(headers=headers, timeout=LONG_ENOUGH, trust_env=False) as http,
        Client(
            streamable_http_client(f"{two.daemon.base_url}/mcp", http_client=http),
            mode="2026-07-28",
        ) as client,
    ):
        yield client


@pytest.mark.sampled(7)
@pytest.mark.parametrize("caller", LETS_IN, ids=lambda caller: caller.name)
async def test_a_tool_finds_nothing_of_anothers(two: Two, caller: callers.CallerKind) -> None:
    """Each tool is refused or finds nothing, alike for what is another's and for what never was."""
    hers, wrong = await two.rows(), []
    others = never_was(two.settled.ids)
    async with speaking(two, caller) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        assert offered == {tool.name for tool in TOOLS.values() if tool.scope in caller.scopes}
        for name, several in ASKED.items():
            for arguments in several:
                found = [*await _told(client, two, caller, name, arguments, others)]
                rows = await two.rows()
                if caller.whose != "owner" or name not in offered:
                    found += [
                        f"her {each} changed"
                        for each in hers
                        if rows[each] != hers[each] and each != NOTED_OF_READING
                    ]
                hers = rows
                wrong += [f"{name} {arguments}: {each}" for each in found]
    assert not wrong, "\n".join(wrong)


async def _told(
    client: Client,
    two: Two,
    caller: callers.CallerKind,
    name: str,
    arguments: Arguments,
    others: Ids,
) -> Iterator[str]:
    ids = two.settled.ids
    real = await client.call_tool(name, dict(with_ids(arguments, ids)))
    text, found = real.model_dump_json(), []
    kinds = kinds_named(arguments)
    if TOOLS[name].scope not in caller.scopes and (not real.is_error or "FORBIDDEN" not in text):
        found.append(f"it is no tool of theirs, and yet: {text[:300]}")
    if caller.whose == "owner":
        return iter(found)
    found += leaks_in(text, ids, kinds)
    if kinds:
        fake = (await client.call_tool(name, dict(with_ids(arguments, others)))).model_dump_json()
        if without(text, ids) != without(fake, others):
            found.append(f"another answer for hers: {text[:500]} and not {fake[:500]}")
    return iter(found)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "caller", [*callers.OTHERS[2:5], callers.GUEST], ids=lambda caller: caller.name
)
async def test_resources_are_the_callers(two: Two, caller: callers.CallerKind) -> None:
    """The plan and the categories that are read are those of whoever reads."""
    async with speaking(two, caller) as client:
        for uri in ROWS:
            told = (await client.read_resource(uri)).model_dump_json()
            assert not [*leaks_in(told, two.settled.ids, frozenset())]
        with pytest.raises(MCPError):
            await client.read_resource(f"finplan://plan/{two.settled.ids['user']}")


@pytest.mark.sampled(4)
@pytest.mark.parametrize("caller", callers.REFUSED, ids=lambda caller: caller.name)
async def test_nobody_opens_a_session(two: Two, caller: callers.CallerKind) -> None:
    """Who is nobody is refused by HTTP, and told where to ask for access."""
    headers = dict(await caller.headers(two.daemon, two.settled))
    answer = await two.http.post("/mcp", json=INITIALIZE, headers={**FOR_MCP, **headers})
    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")
    assert "/.well-known/oauth-protected-resource/mcp" in answer.headers["www-authenticate"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "caller", [*callers.OTHERS[:6], callers.GUEST], ids=lambda caller: caller.name
)
async def test_anothers_session_is_none(two: Two, caller: callers.CallerKind) -> None:
    """The session that Ada's key opened is, for every other credential, one that never was."""
    hers = {**FOR_MCP, "x-api-key": two.settled.secrets["her key"]}
    opened = await two.http.post("/mcp", json=INITIALIZE, headers=hers)
    session = opened.headers["mcp-session-id"]
    never = "0" * len(session)
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    for method, body in (("POST", json.dumps(listing)), ("DELETE", None), ("GET", None)):
        told = []
        for known in (session, never):
            shown = {**FOR_MCP, **await caller.headers(two.daemon, two.settled)}
            headers = {**shown, "mcp-session-id": known, "content-type": "application/json"}
            answer = await two.http.request(method, "/mcp", content=body, headers=headers)
            told.append((answer.status_code, answer.text.replace(known, "<session>")))
        assert told[0] == told[1]
        assert told[0][0] == 404
    still = await two.http.post("/mcp", json=listing, headers={**hers, "mcp-session-id": session})
    assert still.status_code == 200


PROGRAMS = [*callers.OTHERS[2:5], callers.GUEST]


async def _build(two: Two, key: dict[str, str]) -> str:
    """Build a plan as it is told; answers the id of the build."""
    told = await two.http.post(f"{API}/plan/build", json={}, headers=key)
    found = re.search(r'"id":"(bld_\w+)"', told.text)
    assert found is not None, told.text
    return found[1]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("caller", PROGRAMS, ids=lambda caller: caller.name)
async def test_a_build_is_told_to_its_person(two: Two, caller: callers.CallerKind) -> None:
    """Who builds while Ada builds is told of their own build, and her event is no event of theirs."""
    hers = {"x-api-key": two.settled.secrets["her key"]}
    hers_id, mine = await asyncio.gather(
        _build(two, hers), two.ask(caller, Request("POST", f"{API}/plan/build", {"json": {}}))
    )
    assert "event: done" in mine.text
    assert hers_id not in mine.text
    assert not [*leaks(mine, two.settled.ids, frozenset())]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("caller", PROGRAMS, ids=lambda caller: caller.name)
async def test_a_change_is_told_to_its_person(
    two: Two, caller: callers.CallerKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who listens to their plan hears of their own change first, whatever changes for Ada before it."""
    monkeypatch.setattr(resources, "LOOKED_EVERY", 0.01)
    monkeypatch.setattr(asgi, "CHECKED_EVERY", 0.01)
    looks: asyncio.Queue[int] = asyncio.Queue()

    async def note(context: Context) -> State:
        looks.put_nowait(context.caller.owner)
        return await state_of_caller(context)

    monkeypatch.setattr(f"{resources.__name__}.state_of_caller", note)
    async with (
        speaking(two, caller) as client,
        client.listen(resource_subscriptions=[PLAN, CATEGORIES]) as heard,
    ):
        hers = {"x-api-key": two.settled.secrets["her key"]}
        silent = asyncio.ensure_future(anext(heard))
        for changes in ({"monthly": 123_400}, {"monthly": 234_500}):
            changed = await two.http.put(f"{API}/snapshot/income", json=changes, headers=hers)
            assert changed.status_code == 200, changed.text
            while not looks.empty():
                looks.get_nowait()
            for _ in range(3):
                await asyncio.wait_for(looks.get(), LONG_ENOUGH)
            assert not silent.done()
        mine = {"json": {"monthly": 345_600}}
        assert (await two.ask(caller, Request("PUT", f"{API}/snapshot/income", mine))).is_success
        assert isinstance(await asyncio.wait_for(silent, LONG_ENOUGH), ResourceUpdated)


async def test_a_webhook_is_told_of_its_person(two: Two) -> None:
    """What happens to Ada is written for her webhook alone, and Bob's for his."""

    async def written() -> list[tuple[int, int]]:
        found = await two.daemon.store.read(lambda c: c.exec_driver_sql(DELIVERIES).all())
        return [(row[0], row[1]) for row in found]

    for owner, secret in ((two.settled.ada, "her key"), (two.settled.bob, "his key")):
        before = len(await written())
        await _build(two, {"x-api-key": two.settled.secrets[secret]})
        assert set((await written())[before:]) == {(owner, owner)}


async def test_what_came_once_is_replayed_to_its_person(two: Two) -> None:
    """Another's Idempotency-Key is as one that was never sent."""
    once = {"Idempotency-Key": "once"}
    body = {"name": "Sailing", "line": "discretionary"}
    hers = {"x-api-key": two.settled.secrets["her key"], **once}
    first = await two.http.post(f"{API}/categories", json=body, headers=hers)
    again = await two.http.post(f"{API}/categories", json=body, headers=hers)
    assert again.headers["Idempotent-Replayed"] == "true"
    for caller in callers.OTHERS[:1]:
        other = {"json": {**body, "line": "essential"}, "headers": once}
        mine = await two.ask(caller, Request("POST", f"{API}/categories", other))
        assert mine.status_code == 201, mine.text
        assert "Idempotent-Replayed" not in mine.headers
        assert first.json()["category"]["category"] not in mine.text
