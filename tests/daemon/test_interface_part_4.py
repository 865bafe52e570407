"""Parts 4 to 6 of the interface with exactly the payloads that they show, over a socket.

The shapes are those of part 2 (`tests/model/part2.py`), transcribed by hand. Where the interface shows
no shape, the product's own description is the judge.
"""

import base64
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from jsonschema import Draft202012Validator

from finplan.daemon.rate_limit import Limiting
from tests.daemon.mcp.connected import FOR_MCP, INITIALIZE
from tests.daemon.oauth import visitor
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.daemon.test_builds import ended, events_of
from tests.daemon.test_every_status import ROWS, assert_documented
from tests.model import part2

DEMO = {
    "provider": "demo",
    "publicToken": "public-demo",
    "institution": {"id": None, "name": "Demo Bank"},
    "reconnect": None,
}
HOOK = {"url": "https://hooks.example.com/finplan", "events": ["plan.built", "webhook.test"]}
DAYS = {"from": "2026-01-01", "to": "2026-03-31"}
ENDPOINTS = {"authorization": "authorize", "token": "token", "registration": "register"}
LIMIT = 120
WINDOW = 60


class Row(NamedTuple):
    """A row of part 4 below {base_url}: its payload, and another one for the same Idempotency-Key."""

    method: str
    path: str
    body: Any = None
    other: Any = None


PART_4: Mapping[str, Row] = {
    "link_connection": Row("POST", "/connections", DEMO, {**DEMO, "publicToken": "another"}),
    "build_plan": Row("POST", "/plan", {}),
    "view_plan": Row("GET", "/plan/view"),
    "start_build": Row("POST", "/plan/builds"),
    "stream_build": Row("POST", "/plan/build"),
    "set_rules": Row(
        "PUT",
        "/categories/rules/batch",
        {"rules": [{"payeeKey": "nobody", "category": "groceries"}]},
        {"rules": [{"payeeKey": "nobody", "category": "dining"}]},
    ),
    "query_spending": Row("GET", "/spending"),
    "create_webhook": Row("POST", "/webhooks", HOOK, {**HOOK, "description": "another"}),
}
"""The rows of part 4 below {base_url}, by operation; a Location leads to GET /plan/builds/{id}."""

# --- shapes --------------------------------------------------------------------------------------

ERROR: part2.Schema = {
    "type": "object",
    "properties": {
        "defined": part2.BOOLEAN,
        "code": part2.STRING,
        "status": part2.INTEGER,
        "message": part2.STRING,
        "data": {"type": "object"},
    },
    "required": ["code", "status", "message"],
    "additionalProperties": False,
}

BUILD = part2.obj(
    id=part2.STRING,
    status=part2.one_of("queued", "running", "succeeded", "failed"),
    step=part2.STRING,
    done=part2.INTEGER,
    total=part2.INTEGER,
    startedAt=part2.INTEGER,
    finishedAt=part2.nullable(part2.INTEGER),
    planCreatedAt=part2.nullable(part2.INTEGER),
    error=part2.nullable(ERROR),
)

SPENDING = part2.obj(
    from_=part2.DATE,
    to=part2.DATE,
    recorded=part2.nullable(part2.obj(from_=part2.DATE, to=part2.DATE)),
    groupBy=part2.one_of("category", "merchant", "month", None),
    total=part2.INTEGER,
    count=part2.INTEGER,
    groups=part2.array(
        part2.obj(
            key=part2.STRING,
            label=part2.STRING,
            total=part2.INTEGER,
            count=part2.INTEGER,
            share=part2.NUMBER,
        )
    ),
)

CREATED_WEBHOOK: part2.Schema = {
    **part2.WEBHOOK,
    "properties": {
        **part2.WEBHOOK["properties"],
        "secret": {"type": "string", "pattern": "^whsec_"},
    },
    "required": [*part2.WEBHOOK["required"], "secret"],
}


def assert_shape(schema: part2.Schema, value: Any) -> None:
    """A value has exactly the fields of a shape, with their types and ranges."""
    Draft202012Validator(schema).validate(value)


def read(answer: httpx.Response, schema: part2.Schema, status: int = 200) -> Any:
    """The JSON of an answer whose status, shape and rate headers are the interface's."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert_rate(answer)
    body = answer.json()
    assert_shape(schema, body)
    return body


def refused(answer: httpx.Response, status: int, code: str) -> Any:
    """The envelope of a refusal."""
    body = read(answer, ERROR, status)
    assert (body["code"], body["status"]) == (code, status)
    return body


def assert_rate(answer: httpx.Response) -> None:
    """The three headers that every answer has."""
    limit, remaining, reset = (
        int(answer.headers[f"ratelimit-{name}"]) for name in ("limit", "remaining", "reset")
    )
    assert limit in (LIMIT, 30)
    assert 0 <= remaining < limit
    assert 0 <= reset <= WINDOW


# --- callers -------------------------------------------------------------------------------------


@pytest.fixture
def moment() -> list[datetime]:
    """The present instant; a test may set another one."""
    return [NOW]


@pytest.fixture
async def site(
    tmp_path: Path, empty_store: Path, moment: list[datetime]
) -> AsyncIterator[RunningDaemon]:
    """A daemon in which nothing has happened, with the interface's limit of requests."""
    limiting = Limiting(LIMIT)
    async with running_daemon(
        tmp_path, empty_store, limiting=limiting, clock=lambda: moment[0]
    ) as running:
        yield running


@pytest.fixture
async def planned(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon with the demo household and its plan, with the interface's limit of requests."""
    async with running_daemon(tmp_path, household_store, limiting=Limiting(LIMIT)) as running:
        yield running


@asynccontextmanager
async def program_of(daemon: RunningDaemon) -> AsyncIterator[httpx.AsyncClient]:
    """A program with an API key of the person's."""
    made = await daemon.http.post("/api/v1/keys", json={"name": "A program"})
    async with visitor.stranger(daemon) as http:
        http.headers["x-api-key"] = made.json()["key"]
        yield http


async def send(http: httpx.AsyncClient, row: Row, root: str = "/api/v1", **more: Any) -> Any:
    """Send the payload of a row."""
    given = {} if row.body is None else {"json": row.body}
    return await http.request(row.method, f"{root}{row.path}", **given, **more)


# --- connections ---------------------------------------------------------------------------------

ABSENT = object()
TOKENS = (ABSENT, None, "public-demo")
INSTITUTIONS = (
    ABSENT,
    None,
    {"name": "Demo Bank"},
    {"id": None, "name": "Demo Bank"},
    {"id": "ins_1", "name": "Demo Bank"},
)
RECONNECTS = (ABSENT, None, {"connectionId": "con_nobody"})


def link_payloads(provider: str) -> list[dict[str, Any]]:
    """Every combination of the documented fields, each present, null or absent."""
    names = ("publicToken", "institution", "reconnect")
    return [
        {"provider": provider}
        | {name: value for name, value in zip(names, values, strict=True) if value is not ABSENT}
        for values in product(TOKENS, INSTITUTIONS, RECONNECTS)
    ]


async def test_the_demo_is_linked_by_the_payload_shown(site: RunningDaemon) -> None:
    """201 and a record; a second time the same record with 200, by the other root too."""
    async with program_of(site) as http:
        first = await send(http, PART_4["link_connection"])
        again = await send(http, PART_4["link_connection"], "/api")

    record = read(first, part2.CONNECTION_RECORD, 201)
    assert record["connection"]["provider"] == "demo"
    assert record["connection"]["institutionName"] == "Demo Bank"
    assert record["lastSyncedAt"] is not None
    assert read(again, part2.CONNECTION_RECORD) == record
    assert_documented(ROWS["link_connection"], first)


@pytest.mark.thorough
async def test_the_demo_takes_every_combination(site: RunningDaemon) -> None:
    """The daemon links one household, does not use the token, and refuses `reconnect` by name."""
    ids = set[str]()
    async with program_of(site) as http:
        for body in link_payloads("demo"):
            answer = await http.post("/api/v1/connections", json=body)
            if body.get("reconnect") is not None:
                message = refused(answer, 400, "BAD_REQUEST")["message"]
                assert message.startswith("The demo household")
                assert "`reconnect`" in message
                continue
            record = read(answer, part2.CONNECTION_RECORD, 200 if ids else 201)
            ids.add(record["connection"]["id"])
    assert len(ids) == 1


@pytest.mark.thorough
async def test_statement_files_take_every_combination(site: RunningDaemon) -> None:
    """The institution names the connection, the token is not used, `reconnect` is refused."""
    async with program_of(site) as http:
        for body in link_payloads("manual"):
            answer = await http.post("/api/v1/connections", json=body)
            if body.get("reconnect") is not None:
                message = refused(answer, 400, "BAD_REQUEST")["message"]
                assert message.startswith("Statement files")
                assert "`reconnect`" in message
                continue
            record = read(answer, part2.CONNECTION_RECORD, 201)
            name = "Statement files" if body.get("institution") is None else "Demo Bank"
            assert record["connection"]["provider"] == "manual"
            assert record["connection"]["institutionName"] == name


async def test_an_aggregator_wants_a_token_that_it_knows(site: RunningDaemon) -> None:
    """The daemon asks for a missing token, refuses an unknown one, and knows no such connection."""
    async with program_of(site) as http:
        for body in link_payloads("aggregator"):
            answer = await http.post("/api/v1/connections", json=body)
            if body.get("publicToken") is not None:
                refused(answer, 500, "UNSUPPORTED_PROVIDER")
            elif body.get("reconnect") is not None:
                refused(answer, 404, "NOT_FOUND")
            else:
                message = refused(answer, 400, "BAD_REQUEST")["message"]
                assert "`publicToken`" in message


async def test_a_provider_that_does_not_exist_is_unsupported(site: RunningDaemon) -> None:
    """Whatever else is sent, UNSUPPORTED_PROVIDER says which providers there are."""
    async with program_of(site) as http:
        for body in link_payloads("nobody"):
            answer = await http.post("/api/v1/connections", json=body)
            message = refused(answer, 500, "UNSUPPORTED_PROVIDER")["message"]
            assert "aggregator, demo, manual" in message


@pytest.mark.parametrize(
    "change",
    [
        {"provider": None},
        {"publicToken": 5},
        {"institution": "Demo Bank"},
        {"institution": {"id": None}},
        {"institution": {"id": 5, "name": "Demo Bank"}},
        {"reconnect": True},
        {"reconnect": {}},
        {"nonsense": None},
    ],
    ids=str,
)
async def test_another_type_is_a_bad_request(site: RunningDaemon, change: dict[str, Any]) -> None:
    """The refusal names the field that has another type or is unknown."""
    async with program_of(site) as http:
        answer = await http.post("/api/v1/connections", json={**DEMO, **change})
    (issue,) = refused(answer, 400, "BAD_REQUEST")["data"]["issues"]
    assert issue["path"][0] == next(iter(change))


# --- plans ---------------------------------------------------------------------------------------


async def test_a_plan_is_built_at_once(planned: RunningDaemon) -> None:
    """`{}` or no body answers the plan; the view has the same one with snapshot and tasks."""
    async with program_of(planned) as http:
        built = await send(http, PART_4["build_plan"])
        without_body = await http.post("/api/v1/plan")
        viewed = await send(http, PART_4["view_plan"])

    stored = read(built, part2.STORED_PLAN)
    assert read(without_body, part2.STORED_PLAN)["plan"] == stored["plan"]
    assert_documented(ROWS["view_plan"], viewed)
    view = viewed.json()
    assert_rate(viewed)
    assert view["plan"] == stored["plan"]
    assert_shape(part2.SNAPSHOT, view["snapshot"])
    assert view["openTasks"]
    for task in view["openTasks"]:
        assert_shape(part2.TASK, task)


async def test_without_a_bank_there_is_nothing_to_plan_with(site: RunningDaemon) -> None:
    """Each way to a plan answers NO_CONNECTIONS."""
    async with program_of(site) as http:
        for name in ("build_plan", "view_plan", "start_build", "stream_build"):
            refused(await send(http, PART_4[name]), 500, "NO_CONNECTIONS")


@pytest.mark.parametrize("body", [None, {}], ids=["without a body", "with an empty one"])
async def test_a_build_is_followed_to_its_end(planned: RunningDaemon, body: Any) -> None:
    """202 with Location and Retry-After; what stands there succeeds, and names the plan it stored."""
    async with program_of(planned) as http:
        answer = await send(http, PART_4["start_build"]._replace(body=body))
        begun = read(answer, BUILD, 202)
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.headers["location"].endswith(f"/plan/builds/{begun['id']}")
        read(await http.get(answer.headers["location"]), BUILD)
        build = await ended(planned, answer.headers["location"])
        stored = read(await http.get("/api/v1/plan"), part2.STORED_PLAN)

    assert_shape(BUILD, build)
    assert build["status"] == "succeeded"
    assert build["planCreatedAt"] == stored["createdAt"]


async def test_a_build_is_streamed(planned: RunningDaemon) -> None:
    """The same as server-sent events: a build at each step, and the stored plan in the end."""
    async with program_of(planned) as http:
        answer = await send(http, PART_4["stream_build"])

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert_rate(answer)
    *steps, (last, stored) = events_of(answer.text)
    assert {name for name, _ in steps} == {"message"}
    for _, build in steps:
        assert_shape(BUILD, build)
    assert steps[-1][1]["status"] == "succeeded"
    assert last == "done"
    assert_shape(part2.STORED_PLAN, stored)


# --- rules and spending --------------------------------------------------------------------------


async def test_a_hundred_merchants_are_filed_in_one_call(planned: RunningDaemon) -> None:
    """An error names its merchant's index and stops no other; 101 merchants are refused."""
    async with program_of(planned) as http:
        known = (await http.get("/api/v1/categories/rules")).json()
        rules = [{"payeeKey": rule["payeeKey"], "category": "groceries"} for rule in known[:5]]
        rules[1]["category"] = "no category"
        rules += [{"payeeKey": f"nobody {n}", "category": "dining"} for n in range(95)]
        row = PART_4["set_rules"]
        result = read(
            await send(http, row._replace(body={"rules": rules})), part2.RULE_BATCH_RESULT
        )
        too_many = await send(http, row._replace(body={"rules": [*rules, rules[0]]}))

    assert len(rules) == 100
    assert [rule["payeeKey"] for rule in result["saved"]] == [
        known[index]["payeeKey"] for index in (0, 2, 3, 4)
    ]
    assert [error["index"] for error in result["errors"]] == [1, *range(5, 100)]
    refused(too_many, 400, "BAD_REQUEST")


@pytest.mark.parametrize("grouping", ["category", "merchant", "month"])
async def test_spending_is_exact_in_every_grouping(planned: RunningDaemon, grouping: str) -> None:
    """Groups add up to the total, and a filter by one group answers that group's total."""
    async with program_of(planned) as http:

        async def query(**more: str) -> Any:
            return read(await http.get("/api/v1/spending", params={**DAYS, **more}), SPENDING)

        whole, grouped = await query(), await query(groupBy=grouping)
        first = grouped["groups"][0]
        narrowed = await query(**{grouping: first["key"]}) if grouping != "month" else None

    assert (whole["from"], whole["to"]) == (DAYS["from"], DAYS["to"])
    assert grouped["total"] == whole["total"] == sum(group["total"] for group in grouped["groups"])
    assert grouped["count"] == whole["count"] == sum(group["count"] for group in grouped["groups"])
    if narrowed is not None:
        assert narrowed["total"] == first["total"]


# --- webhooks (parts 4 and 6) --------------------------------------------------------------------


@pytest.mark.parametrize("more", [{}, {"description": "The flat's dashboard"}], ids=str)
async def test_a_webhook_is_registered(site: RunningDaemon, more: dict[str, str]) -> None:
    """201 with a secret of 32 bytes; the list of webhooks does not show it."""
    async with program_of(site) as http:
        row = PART_4["create_webhook"]
        made = read(await send(http, row._replace(body={**HOOK, **more})), CREATED_WEBHOOK, 201)
        (listed,) = read(await http.get("/api/v1/webhooks"), part2.array(part2.WEBHOOK))

    assert len(base64.b64decode(made.pop("secret").removeprefix("whsec_"), validate=True)) == 32
    assert listed == made
    assert made["description"] == more.get("description")
    assert (made["url"], made["events"]) == (HOOK["url"], HOOK["events"])
    assert made["disabledAt"] is None


@pytest.mark.parametrize(
    "body",
    [
        {**HOOK, "url": "http://hooks.example.com/finplan"},
        {**HOOK, "url": "https://127.0.0.1/finplan"},
        {**HOOK, "events": ["plan.deleted"]},
        {"events": HOOK["events"]},
    ],
    ids=["not encrypted", "private", "an event of no kind", "nowhere"],
)
async def test_a_webhook_is_refused(site: RunningDaemon, body: dict[str, Any]) -> None:
    """A webhook needs a public https address and events of the four kinds."""
    async with program_of(site) as http:
        refused(await http.post("/api/v1/webhooks", json=body), 400, "BAD_REQUEST")


# --- what holds for every row --------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("root", ["/api/v1", "/api"])
@pytest.mark.parametrize("name", PART_4)
async def test_no_credential_is_answered_401(site: RunningDaemon, name: str, root: str) -> None:
    """The challenge begins with the address of the metadata, whatever is wrong."""
    metadata = f'Bearer resource_metadata="{site.base_url}/.well-known/oauth-protected-resource"'
    async with visitor.stranger(site) as http:
        for headers in ({}, {"x-api-key": "fpk_nobodys"}, visitor.bearing("fpa_nobodys")):
            answer = await send(http, PART_4[name], root, headers=headers)
            refused(answer, 401, "UNAUTHORIZED")
            assert answer.headers["www-authenticate"].startswith(metadata)


async def test_the_server_for_agents_answers_401_too(site: RunningDaemon) -> None:
    """The challenge names the MCP server's own metadata; the docs server needs no credential."""
    metadata = f'"{site.base_url}/.well-known/oauth-protected-resource/mcp"'
    async with visitor.stranger(site) as http:
        for headers in ({}, visitor.bearing("fpa_nobodys")):
            answer = await http.post("/mcp", json=INITIALIZE, headers={**FOR_MCP, **headers})
            refused(answer, 401, "UNAUTHORIZED")
            challenge = answer.headers["www-authenticate"]
            assert challenge.startswith(f"Bearer resource_metadata={metadata}")
        documentation = await http.post("/mcp/docs", json=INITIALIZE, headers=FOR_MCP)
    assert documentation.status_code == 200


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PART_4)
async def test_without_a_version_the_current_one_answers(planned: RunningDaemon, name: str) -> None:
    """`/api` takes every row that `/api/v1` takes."""
    row = PART_4[name]
    async with program_of(planned) as http:
        by_version, by_alias = await send(http, row), await send(http, row, "/api")
    if row.method == "GET":
        assert by_alias.json() == by_version.json()
        assert by_alias.headers["etag"] == by_version.headers["etag"]
    assert by_version.is_success, by_version.text
    assert by_alias.status_code == by_version.status_code
    for answer in (by_version, by_alias):
        assert_documented(ROWS[name], answer)
        assert_rate(answer)


CHANGING = [name for name, row in PART_4.items() if row.method != "GET"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [name for name in CHANGING if name != "stream_build"])
async def test_a_key_makes_a_request_take_effect_once(planned: RunningDaemon, name: str) -> None:
    """The same answer comes again, and another body under the same key is 422."""
    row, key = PART_4[name], {"Idempotency-Key": "one"}
    async with program_of(planned) as http:
        first = await send(http, row, headers=key)
        again = await send(http, row, headers=key)
        if row.other is not None:
            other = await send(http, row._replace(body=row.other), headers=key)
            refused(other, 422, "UNPROCESSABLE_CONTENT")
    assert first.is_success, first.text
    assert "idempotent-replayed" not in first.headers
    assert again.headers["idempotent-replayed"] == "true"
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers.get("location") == first.headers.get("location")


async def test_a_stream_and_a_delete_take_a_key(planned: RunningDaemon) -> None:
    """The stream accepts a key; a delete with the same key answers again and removes once."""
    key = {"Idempotency-Key": "one"}
    async with program_of(planned) as http:
        streamed = await send(http, PART_4["stream_build"], headers=key)
        made = read(await send(http, PART_4["create_webhook"]), CREATED_WEBHOOK, 201)
        path = f"/api/v1/webhooks/{made['id']}"
        first, again = [await http.delete(path, headers=key) for _ in range(2)]
        gone = await http.delete(path, headers={"Idempotency-Key": "two"})
    assert streamed.status_code == 200
    assert read(first, part2.WEBHOOK)["id"] == made["id"]
    assert (again.content, again.headers["idempotent-replayed"]) == (first.content, "true")
    refused(gone, 404, "NOT_FOUND")


async def test_a_program_manages_no_credentials(site: RunningDaemon) -> None:
    """An API key cannot manage keys or clients; revoked, it answers 401 on its next use."""
    async with program_of(site) as http:
        for path in ("/keys", "/clients"):
            refused(await http.get(f"/api/v1{path}"), 403, "FORBIDDEN")
            refused(await http.post(f"/api/v1{path}", json={"name": "mine"}), 403, "FORBIDDEN")
        (key,) = (await site.http.get("/api/v1/keys")).json()
        refused(await http.delete(f"/api/v1/keys/{key['id']}"), 403, "FORBIDDEN")
        assert (await site.http.delete(f"/api/v1/keys/{key['id']}")).status_code == 200
        refused(await http.get("/api/v1/me"), 401, "UNAUTHORIZED")


async def test_the_description_names_every_row(site: RunningDaemon) -> None:
    """Version 1.0.0, with each path of part 4 and its method."""
    async with visitor.stranger(site) as http:
        answer = await http.get("/api/openapi.json")
    assert_rate(answer)
    document = answer.json()
    assert document["info"]["version"] == "1.0.0"
    paths = {(row.method, row.path) for row in PART_4.values()} | {("GET", "/plan/builds/{id}")}
    for method, path in paths:
        assert method.lower() in document["paths"][path]


# --- programs that a person lets in (part 5) -----------------------------------------------------


async def test_discovery_leads_to_every_endpoint(site: RunningDaemon) -> None:
    """A resource names its issuer, whose metadata names every endpoint."""
    url, auth = site.base_url, f"{site.base_url}/auth"
    async with visitor.stranger(site) as http:
        for part in ("", "/mcp"):
            resource = await http.get(f"/.well-known/oauth-protected-resource{part}")
            assert resource.json()["resource"] == f"{url}{part}"
            assert resource.json()["authorization_servers"] == [auth]
            assert_rate(resource)
        documents = [
            (await http.get(path)).json()
            for path in (
                "/.well-known/oauth-authorization-server/auth",
                "/auth/.well-known/openid-configuration",
            )
        ]
    for document in documents:
        assert document["issuer"] == auth
        for name, path in ENDPOINTS.items():
            assert document[f"{name}_endpoint"] == f"{auth}/oauth2/{path}"
        agents = document["agent_auth"]
        assert agents["identity_endpoint"] == f"{url}/agent/identity"
        assert agents["claim_endpoint"] == f"{url}/agent/identity/claim"
        assert "anonymous" in agents["identity_types_supported"]


async def test_a_program_is_let_in_by_its_person(site: RunningDaemon) -> None:
    """It registers, exchanges its code, renews its token, and uses it for REST and MCP."""
    metadata = {"redirect_uris": [visitor.CALLBACK], "token_endpoint_auth_method": "none"}
    async with visitor.stranger(site) as http, visitor.browser(site) as person:
        registered = await http.post(visitor.REGISTER, json=metadata)
        assert registered.status_code == 201, registered.text
        reader = visitor.Program(http, registered.json())
        tokens = await reader.tokens(person)
        renewed = (await reader.refresh(tokens["refresh_token"])).json()
        token = visitor.bearing(renewed["access_token"])
        me = await http.get("/api/v1/me", headers=token)
        opened = await http.post("/mcp", json=INITIALIZE, headers={**FOR_MCP, **token})
        managing = await http.post("/api/v1/keys", json={"name": "mine"}, headers=token)

    assert tokens["scope"] == visitor.WORKING_SCOPE
    assert read(me, part2.USER)["email"] == "ada@localhost"
    assert opened.status_code == 200
    refused(managing, 403, "FORBIDDEN")


# --- agents without an account (part 5) ----------------------------------------------------------


async def come(http: httpx.AsyncClient) -> tuple[visitor.Agent, str]:
    """Come without an account, and exchange the assertion."""
    answer = await http.post("/agent/identity", json={"type": "anonymous"})
    assert answer.status_code == 200, answer.text
    assert_rate(answer)
    agent = visitor.Agent(http, answer.json())
    assert isinstance(agent.told["identity_assertion"], str)
    assert agent.told["claim_token"].startswith("clm_")
    token = await agent.exchange()
    assert token.status_code == 200, token.text
    assert token.json()["expires_in"] == 3600
    return agent, token.json()["access_token"]


@pytest.mark.thorough
async def test_an_agent_reaches_the_demo_alone(site: RunningDaemon) -> None:
    """It links the demo by the payload shown; other providers and webhooks are 403."""
    async with visitor.stranger(site) as http:
        http.headers.update(visitor.bearing((await come(http))[1]))
        first = await send(http, PART_4["link_connection"])
        again = await send(http, PART_4["link_connection"])
        for provider in ("manual", "aggregator"):
            body = {**DEMO, "provider": provider}
            refused(await http.post("/api/v1/connections", json=body), 403, "FORBIDDEN")
        refused(await send(http, PART_4["create_webhook"]), 403, "FORBIDDEN")
        built = await send(http, PART_4["build_plan"])

    record = read(first, part2.CONNECTION_RECORD, 201)
    assert read(again, part2.CONNECTION_RECORD) == record
    read(built, part2.STORED_PLAN)


async def test_a_person_claims_an_agent(site: RunningDaemon, moment: list[datetime]) -> None:
    """The answer has the code at its top level; once entered, the agent acts for its person."""
    async with visitor.stranger(site) as http, visitor.browser(site) as person:
        guest, access = await come(http)
        answer = await guest.claim()
        assert answer.status_code == 200, answer.text
        attempt = answer.json()
        names = ("user_code", "verification_uri", "expires_in", "interval")
        assert {name: attempt[name] for name in names} == attempt["claim_attempt"]
        assert (attempt["expires_in"], attempt["interval"]) == (600, 5)
        assert attempt["verification_uri"].startswith(f"{site.base_url}/claim")

        pending = await guest.poll()
        assert (pending.status_code, pending.json()["error"]) == (400, "authorization_pending")
        moment[0] += timedelta(seconds=attempt["interval"])
        done = await visitor.entered(person, "/claim", attempt["user_code"])
        assert done.status_code == 200, done.text

        got = (await guest.poll()).json()
        me = await http.get("/api/v1/me", headers=visitor.bearing(got["access_token"]))
        before = await http.get("/api/v1/me", headers=visitor.bearing(access))
        stale = await guest.exchange()
        (agent,) = (await site.http.get("/api/v1/agents")).json()
        assert (await site.http.delete(f"/api/v1/agents/{agent['id']}")).status_code == 200
        after = await http.get("/api/v1/me", headers=visitor.bearing(got["access_token"]))

    assert read(me, part2.USER)["email"] == "ada@localhost"
    assert got["identity_assertion"] != guest.told["identity_assertion"]
    refused(before, 401, "UNAUTHORIZED")
    assert (stale.status_code, stale.json()["error"]) == (400, "invalid_grant")
    refused(after, 401, "UNAUTHORIZED")


async def test_a_request_beyond_the_limit_says_when_to_try_again(site: RunningDaemon) -> None:
    """The 121st request of a minute is 429 with Retry-After, for this credential alone."""
    async with program_of(site) as http:
        for _ in range(LIMIT):
            assert_rate(await http.get("/api/v1/me"))
        answer = await http.get("/api/v1/me")
    refused(answer, 429, "TOO_MANY_REQUESTS")
    assert 0 <= int(answer.headers["retry-after"]) <= WINDOW
    assert (await site.http.get("/api/v1/me")).status_code == 200
