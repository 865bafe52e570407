"""Every row × every status that is documented for it: it is answered so, with the documented body.

`situation_of` makes each status happen to any row. Whatever is answered on the way must be documented,
too, so a status that is missing from the description fails here.
"""

import asyncio
import errno
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from finplan.banks.http import BankHttp
from finplan.banks.plaid.api import PlaidKeys
from finplan.banks.plaid.bank import Plaid
from finplan.client.request import SESSION_COOKIE
from finplan.daemon.rate_limit import Limiting
from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces.openapi import description as openapi
from finplan.model.base import Wire
from finplan.model.errors import Conflict, SecretsUnreachable
from finplan.operation import AnyOperation, Creates, Made, Upload, UploadedFile
from finplan.operations.table import OPERATIONS
from finplan.service import dispatch
from finplan.service.context import Context
from tests.daemon import recorded
from tests.daemon.let_in import claim_an_agent
from tests.daemon.running import RunningDaemon, running_daemon

Document = dict[str, Any]
DOCUMENT: Document = openapi.document(OPERATIONS, "http://127.0.0.1:8460")
ROWS = {row.name: row for row in OPERATIONS}
KEY = {"Idempotency-Key": "one"}


NOT_ALWAYS = {
    *((status, "Idempotent-Replayed") for status in (200, 201, 202)),
    (409, "Retry-After"),
}
"""Headers that an answer has only where a key came again, or where its request still runs.

That of a notice is there only while there is one.
"""


@dataclass(frozen=True)
class Sent:
    """A request to a row: what stands in the path, the query string and the body."""

    path: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None


def documented() -> list[tuple[AnyOperation, int, str]]:
    """Every row with every status, and the code of each error."""
    found = []
    for row in OPERATIONS:
        for status, reference in DOCUMENT["paths"][row.path][row.method.lower()][
            "responses"
        ].items():
            content = resolved(reference).get("content", {}).get("application/json", {})
            schema = content.get("schema", {})
            for each in map(resolved, schema.get("oneOf", [schema])):
                code = each.get("properties", {}).get("code", {}).get("const", "")
                found.append((row, int(status), code))
    return found


def resolved(schema: Document) -> Document:
    while "$ref" in schema:
        found: Any = DOCUMENT
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        schema = found
    return schema


def assert_documented(row: AnyOperation, answer: httpx.Response) -> None:
    """The status, the body and the headers of an answer are what the description says."""
    responses = DOCUMENT["paths"][row.path][row.method.lower()]["responses"]
    assert str(answer.status_code) in responses, (answer.status_code, answer.text)
    response = resolved(responses[str(answer.status_code)])
    for name in response["headers"]:
        is_seldom = name == "Finplan-Notice" or (answer.status_code, name) in NOT_ALWAYS
        assert name in answer.headers or is_seldom, name
    if "content" not in response:
        assert answer.content == b""
        return
    media_type = answer.headers["content-type"].partition(";")[0]
    schema = response["content"][media_type]["schema"]
    if media_type == "application/json":
        Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(
            answer.json()
        )


# --- daemons -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Stores:
    """The stores that a situation may begin with, and a folder for its daemon."""

    folder: Path
    empty: Path
    household: Path

    @asynccontextmanager
    async def daemon(self, row: AnyOperation, **parts: Any) -> AsyncIterator[RunningDaemon]:
        """A daemon for a row: statement files never share a store with the demo household."""
        store = self.empty if row.path.startswith("/imports") else self.household
        async with running_daemon(self.folder, parts.pop("store", store), **parts) as running:
            yield running


@pytest.fixture
def stores(tmp_path: Path, empty_store: Path, household_store: Path) -> Stores:
    return Stores(tmp_path, empty_store, household_store)


async def send(daemon: RunningDaemon, row: AnyOperation, sent: Sent, **more: Any) -> httpx.Response:
    names = {name: sent.path.get(name, "nothing") for name in row.path_names}
    headers = {**sent.headers, **more.pop("headers", {})}
    given: dict[str, Any] = {"params": dict(sent.query)} if sent.query else {}
    if sent.content is not None:
        given["content"] = sent.content
    elif isinstance(row.body, Upload):
        given["files"] = {"file": ("march.csv", recorded.STATEMENT)}
        given["data"] = sent.body or {}
    elif sent.body is not None:
        given["json"] = sent.body
    path = f"/api/v1{row.path.format(**names)}"
    return await daemon.http.request(row.method, path, headers=headers, **given, **more)


async def good(daemon: RunningDaemon, row: AnyOperation) -> Sent:
    """A request that the row can answer, after whatever must come before it."""
    asked = recorded.ASKED.get(row.name, {})
    path: dict[str, str] = {}
    await _prepare(daemon, row)
    if row.name in recorded.FIRST:
        parameter, listed, steps = recorded.FIRST[row.name]
        page = (await daemon.http.get(f"/api/v1{listed}")).json()
        thing = (page if isinstance(page, list) else page["transactions"])[0]
        for step in steps:
            thing = thing[step]
        path = {parameter: thing}
    elif row.name == "show_build":
        path = {"id": (await send(daemon, ROWS["start_build"], Sent())).json()["id"]}
    elif row.path_names == ("category",):
        path = {"category": await _made_category(daemon)}
    query = dict(asked.get("parameters", {}))
    if row.name in recorded.OF_AN_OWN_ACCOUNT:
        path = {"id": await _own_account(daemon)}
        path |= {name: query.pop(name) for name in row.path_names if name in query}
    if row.path_names == ("section",):
        path = {"section": query.pop("section")}
    body = asked.get("body")
    if row.name in ("set_rule", "set_rules"):
        rules = (await daemon.http.get("/api/v1/categories/rules")).json()
        rule = {"payeeKey": rules[0]["payeeKey"], "category": "groceries"}
        body = rule if row.name == "set_rule" else {"rules": [rule]}
    return Sent(path, query, body)


AFTER: Mapping[str, str] = {
    "change_planned": "add_planned",
    "remove_planned": "add_planned",
    "remove_rule": "set_rule",
    "revoke_key": "create_key",
    "revoke_invite": "create_invite",
    "revoke_client": "create_client",
}
"""What another row must have made first."""


async def _prepare(daemon: RunningDaemon, row: AnyOperation) -> None:
    if row.name in ("undo_import", "list_import_profiles", "forget_import_profile"):
        await send(daemon, ROWS["import_files"], Sent(body=recorded.STATEMENT_FORM))
    if row.name == "undo_answer":
        await send(daemon, ROWS["answer_task"], await good(daemon, ROWS["answer_task"]))
    if row.name in AFTER:
        await send(daemon, ROWS[AFTER[row.name]], await good(daemon, ROWS[AFTER[row.name]]))
    if row.name in recorded.OF_A_WEBHOOK:
        await send(daemon, ROWS["create_webhook"], await good(daemon, ROWS["create_webhook"]))
    if row.name == "revoke_agent":
        await claim_an_agent(daemon)
    if row.name == "end_session":
        await recorded.sign_in_a_browser(daemon)


async def _made_category(daemon: RunningDaemon) -> str:
    made = await send(
        daemon, ROWS["create_category"], Sent(body=recorded.ASKED["create_category"]["body"])
    )
    return str(made.json()["category"]["category"])


async def _own_account(daemon: RunningDaemon) -> str:
    """An account that the person adds, with two balances."""
    made = await send(daemon, ROWS["add_account"], Sent(body=recorded.ASKED["add_account"]["body"]))
    added = str(made.json()["account"]["id"])
    await send(
        daemon, ROWS["set_balance"], Sent({"id": added}, body=recorded.ASKED["set_balance"]["body"])
    )
    return added


# --- what can happen to every row ----------------------------------------------------------------

Situation = Callable[[Stores, AnyOperation], Awaitable[httpx.Response]]
EMPTY_HANDED = (
    *("cancel_import", "decide_duplicate", "retry_delivery"),
    *("begin_link", "show_link"),
)
"""Rows for which nothing is there in these stores: see `_performed_elsewhere`."""


async def success(stores: Stores, row: AnyOperation) -> httpx.Response:
    """The row answers."""
    if row.name in EMPTY_HANDED:
        return await _performed_elsewhere(stores, row)
    async with stores.daemon(row) as daemon:
        return await send(daemon, row, await good(daemon, row))


async def _performed_elsewhere(stores: Stores, row: AnyOperation) -> httpx.Response:
    # What their performers answer is tested in their own room; here it travels.
    shown = openapi.examples()[row.name]

    async def perform(_context: Context, operation: AnyOperation, _ask: Wire, *_files: Any) -> Any:
        answer: Wire = operation.answers.model_validate_json(json.dumps(shown["answer"]))
        return Made(answer, new=True) if isinstance(operation.body, Creates) else answer

    async with stores.daemon(row, perform=perform) as daemon:
        return await send(daemon, row, Sent(shown.get("parameters", {}), body=shown.get("body")))


async def made(stores: Stores, row: AnyOperation) -> httpx.Response:
    """What is made is new."""
    if row.name in EMPTY_HANDED:
        return await _performed_elsewhere(stores, row)
    store = {"store": stores.empty} if row.name == "link_connection" else {}
    async with stores.daemon(row, **store) as daemon:
        return await send(daemon, row, await good(daemon, row))


async def not_modified(stores: Stores, row: AnyOperation) -> httpx.Response:
    """The caller holds the answer already."""
    async with stores.daemon(row) as daemon:
        sent = await good(daemon, row)
        tag = (await send(daemon, row, sent)).headers["etag"]
        return await send(daemon, row, sent, headers={"If-None-Match": tag})


async def unfit(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A property that nobody knows."""
    async with stores.daemon(row) as daemon:
        return await send(daemon, row, Sent(query={"nonsense": "1"}))


async def without_credential(stores: Stores, row: AnyOperation) -> httpx.Response:
    """No credential."""
    async with stores.daemon(row) as daemon:
        daemon.http.cookies.clear()
        answer = await send(daemon, row, Sent())
        assert "resource_metadata=" in answer.headers["www-authenticate"]
        return answer


async def another_scope(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A key that is good for something else."""
    scope = "service:write" if row.scope == "read" else "service:read"
    async with stores.daemon(row) as daemon:
        made = await send(daemon, ROWS["create_key"], Sent(body={"name": "a", "scopes": [scope]}))
        daemon.http.cookies.clear()
        return await send(daemon, row, Sent(), headers={"x-api-key": made.json()["key"]})


async def not_there(stores: Stores, row: AnyOperation) -> httpx.Response:
    """What the row is about does not exist."""
    bodies: Mapping[str, Any] = {
        "change_account": {"name": "a"},
        "set_balance": recorded.ASKED["set_balance"]["body"],
        "change_planned": {"name": "a"},
        "change_transaction": {"note": "a"},
        "decide_transfer": {"verdict": "confirm"},
        "decide_recurring": {"verdict": "confirm"},
        "decide_duplicate": {"verdict": "same"},
        "answer_task": {"dismiss": True},
        "change_category": {"line": "essential"},
        "judge_suggestion": {"name": "nothing", "dismissed": True},
        "set_rule": {"payeeKey": "nobody at all", "category": "groceries"},
        "begin_link": {"bank": "plaid", "reconnect": {"connectionId": "nothing"}},
    }
    more: dict[str, Any] = {}
    if row.name in ("show_plan", "begin_link"):
        more["store"] = stores.empty
    if row.name == "begin_link":
        more["aggregators"] = {"plaid": Plaid(BankHttp("Plaid"), PlaidKeys("id", "s", "sandbox"))}
    async with stores.daemon(row, **more) as daemon:
        return await send(daemon, row, Sent({"date": "2025-06-30"}, body=bodies.get(row.name)))


async def still_running(stores: Stores, row: AnyOperation) -> httpx.Response:
    """The same request, with the same key, is on its way."""
    begun, over = asyncio.Event(), asyncio.Event()

    async def perform(
        context: Context, operation: AnyOperation, ask: Wire, *files: Any, **how: Any
    ) -> Any:
        if not over.is_set() and operation is row:
            begun.set()
            await over.wait()
        return await dispatch.perform(context, operation, ask, *files, **how)

    async with stores.daemon(row, perform=perform) as daemon:
        sent = _any_question(row)
        first = asyncio.create_task(send(daemon, row, sent, headers=KEY))
        await begun.wait()
        answer = await send(daemon, row, sent, headers=KEY)
        over.set()
        assert_documented(row, await first)
        assert answer.headers["retry-after"] == "1"
        return answer


def _any_question(row: AnyOperation) -> Sent:
    """A question of the right shape, about things that need not be there."""
    shown = openapi.examples()[row.name]
    parameters = dict(shown.get("parameters", {}))
    path = {name: str(parameters.pop(name)) for name in row.path_names}
    return Sent(path, parameters, shown.get("body"))


async def too_large(stores: Stores, row: AnyOperation) -> httpx.Response:
    """More than the row takes."""
    limit = {"upload_limit": 100} if isinstance(row.body, Upload) else {}
    async with stores.daemon(row, **limit) as daemon:
        if isinstance(row.body, Upload):
            return await send(daemon, row, Sent())
        large = b" " * (1024 * 1024 + 1)
        return await send(
            daemon, row, Sent(content=large, headers={"Content-Type": "application/json"})
        )


async def another_type(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A body of a type, or where none is taken a coding, that is not read here."""
    takes_a_body = row.method in ("POST", "PUT", "PATCH")
    headers = {"Content-Type": "text/plain"} if takes_a_body else {"Content-Encoding": "br"}
    async with stores.daemon(row) as daemon:
        return await send(daemon, row, Sent(content=b"x", headers=headers))


async def silent(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A client that says nothing more before its body is complete."""
    path = row.path.format_map(dict.fromkeys(row.path_names, "nothing"))
    kind = "multipart/form-data; boundary=x" if isinstance(row.body, Upload) else "application/json"
    async with stores.daemon(row, patience=0.05) as daemon:
        answer = await daemon.say(
            f"{row.method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{daemon.port}\r\n"
            f"Cookie: {SESSION_COOKIE}={daemon.token}\r\nContent-Type: {kind}\r\n"
            "Content-Length: 20\r\n\r\n".encode()
        )
    head, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)


async def expectant(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A client that expects what nobody can do."""
    async with stores.daemon(row) as daemon:
        return await send(daemon, row, Sent(), headers={"Expect": "wonders"})


async def another_host(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A name that somebody made point here."""
    async with stores.daemon(row) as daemon:
        return await send(daemon, row, Sent(), headers={"Host": "evil.example"})


async def another_question(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A key that stands for another question."""
    async with stores.daemon(row) as daemon:
        first = _any_question(row)
        other = Sent(first.path, *_otherwise(row, first))
        assert_documented(row, await send(daemon, row, first, headers=KEY))
        return await send(daemon, row, other, headers=KEY)


def _otherwise(row: AnyOperation, first: Sent) -> tuple[Mapping[str, Any], Any]:
    """The same question with something else in it."""
    others: Mapping[str, Any] = {
        "import_files": {"dryRun": "true"},
        "change_me": {"name": "Grace"},
        "add_account": {"name": "Boat", "kind": "other"},
        "set_balance": {"date": "2025-06-30", "balance": 1},
        "add_planned": {"name": "Trip", "amount": 1, "month": "2199-07"},
        "try_changes": {"changes": []},
        "change_planned": {"amount": 1},
        "link_connection": {"provider": "manual", "institution": {"name": "b"}},
        "begin_link": {"bank": "simplefin"},
        "set_income": {"monthly": None},
        "answer_task": {"dismiss": True},
        "judge_suggestion": {"name": "Golf", "dismissed": False},
        "create_key": {"name": "another"},
        "create_invite": {"days": 1},
        "create_client": {"name": "another", "redirectUris": ["https://b.example.org/back"]},
        "set_password": {"password": "four other words here"},
        "create_category": {"name": "Boats", "line": "essential"},
        "set_rule": {"payeeKey": "b", "category": "car"},
        "set_rules": {"rules": []},
        "create_webhook": {"url": "https://b.example.org/", "events": ["plan.built"]},
        "change_webhook": {"disabled": True},
    }
    if row.name == "unlink_connection":
        return {"keep": "true"}, None
    if row.method == "DELETE":
        return {}, None
    changed = {"verdict": "auto"} if "verdict" in (first.body or {}) else {}
    return {}, others.get(row.name, changed)


async def too_many(stores: Stores, row: AnyOperation) -> httpx.Response:
    """One more than the limit."""
    async with stores.daemon(row, limiting=Limiting(1)) as daemon:
        made = await send(daemon, ROWS["create_key"], Sent(body={"name": "a"}))
        daemon.http.cookies.clear()
        key = {"x-api-key": made.json()["key"]}
        assert_documented(row, await send(daemon, row, Sent(), headers=key))
        answer = await send(daemon, row, Sent(), headers=key)
        assert int(answer.headers["retry-after"]) >= 0
        return answer


def failing(error: Exception) -> Situation:
    """The performer fails."""

    async def fail(
        _context: Context, _row: AnyOperation, _ask: Wire, *_files: UploadedFile
    ) -> None:
        raise error

    async def situation(stores: Stores, row: AnyOperation) -> httpx.Response:
        async with stores.daemon(row, perform=fail) as daemon:
            return await send(daemon, row, _any_question(row))

    return situation


async def without_the_key(stores: Stores, row: AnyOperation) -> httpx.Response:
    """What is to happen once, while the keyring does not give the key."""

    def refuse() -> bytes:
        raise SecretsUnreachable("The data key is in the keyring, which is locked.")

    async with stores.daemon(row, sealer=LateSealer(refuse), data_key=None) as daemon:
        return await send(daemon, row, _any_question(row), headers={"Idempotency-Key": "k"})


async def without_a_bank(stores: Stores, row: AnyOperation) -> httpx.Response:
    """Nothing is linked, so there is nothing to plan with."""
    async with stores.daemon(row, store=stores.empty) as daemon:
        return await send(daemon, row, _any_question(row))


async def another_provider(stores: Stores, row: AnyOperation) -> httpx.Response:
    """A bank of a kind that there is not."""
    async with stores.daemon(row) as daemon:
        named = "bank" if row.name == "begin_link" else "provider"
        return await send(daemon, row, Sent(body={named: "nobody"}))


SITUATIONS: Mapping[str, Situation] = {
    "BAD_REQUEST": unfit,
    "UNAUTHORIZED": without_credential,
    "FORBIDDEN": another_scope,
    "NOT_FOUND": not_there,
    "TIMEOUT": silent,
    "CONFLICT": still_running,
    "PAYLOAD_TOO_LARGE": too_large,
    "UNSUPPORTED_MEDIA_TYPE": another_type,
    "EXPECTATION_FAILED": expectant,
    "MISDIRECTED_REQUEST": another_host,
    "UNPROCESSABLE_CONTENT": another_question,
    "TOO_MANY_REQUESTS": too_many,
    "NO_CONNECTIONS": without_a_bank,
    "UNSUPPORTED_PROVIDER": another_provider,
    "INTERNAL_SERVER_ERROR": failing(RuntimeError("a mistake")),
    "SERVICE_UNAVAILABLE": without_the_key,
    "INSUFFICIENT_STORAGE": failing(OSError(errno.ENOSPC, "No space left on device")),
}


def situation_of(row: AnyOperation, status: int, code: str) -> Situation:
    """How a status comes about."""
    if code:
        return SITUATIONS[code]
    if status == 304:
        return not_modified
    return made if status == 201 else success


@pytest.mark.sampled(10)
@pytest.mark.parametrize(
    ("row", "status", "code"),
    documented(),
    ids=[f"{row.name}-{status}-{code}".rstrip("-") for row, status, code in documented()],
)
async def test_a_documented_status_is_answered(
    stores: Stores, row: AnyOperation, status: int, code: str
) -> None:
    """The row answers the status in the situation that the description tells, and as it says."""
    answer = await situation_of(row, status, code)(stores, row)

    assert answer.status_code == status, answer.text
    assert_documented(row, answer)
    if code:
        assert answer.json()["code"] == code


# --- what contradicts one row alone ---------------------------------------------------------------

AT_ONCE: Mapping[str, Sent] = {
    "link_connection": Sent(body={"provider": "manual", "institution": {"name": "Bank"}}),
    "create_category": Sent(body={"name": "Groceries", "line": "essential"}),
    "change_category": Sent({"category": "groceries"}, body={"line": "discretionary"}),
    "remove_category": Sent({"category": "groceries"}),
    "create_invite": Sent(body={"email": "Ada@LOCALHOST"}),
}
"""What the demo household refuses the first time."""

TWICE = ("undo_import", "answer_task")
"""What cannot be done a second time."""

ELSEWHERE = {
    *("decide_transfer", "decide_duplicate", "sync_connection", "change_transaction"),
    *("create_webhook", "try_webhook", "retry_delivery", "begin_link", "rotate_data_key"),
    *("unlink_connection", "change_account"),
}
"""What is decided about rows, or synced of a bank, that went, webhooks, names that another account has,
and pages of banks: their own rooms look."""


def test_each_rows_own_conflicts_are_looked_at() -> None:
    """Every row that names Conflict among its faults is below, or in its own room."""
    named = {row.name for row in OPERATIONS if Conflict in row.faults}
    here = {*AT_ONCE, *TWICE, "import_files", "cancel_import", "remove_rule"}
    here |= {"add_account", "remove_account"}
    assert named == here | ELSEWHERE


@pytest.mark.parametrize("name", AT_ONCE)
async def test_the_household_refuses(stores: Stores, name: str) -> None:
    """What contradicts the demo household, or a built-in category, is a conflict."""
    async with stores.daemon(ROWS[name]) as daemon:
        assert_conflict(ROWS[name], await send(daemon, ROWS[name], AT_ONCE[name]))


@pytest.mark.parametrize("name", TWICE)
async def test_it_is_done_once(stores: Stores, name: str) -> None:
    """What is done already cannot be done again."""
    async with stores.daemon(ROWS[name]) as daemon:
        sent = await good(daemon, ROWS[name])
        assert (await send(daemon, ROWS[name], sent)).status_code == 200
        assert_conflict(ROWS[name], await send(daemon, ROWS[name], sent))


async def test_statement_files_stay_apart_from_the_demo(stores: Stores) -> None:
    """No statement file comes into the demo household."""
    row = ROWS["import_files"]
    async with stores.daemon(row, store=stores.household) as daemon:
        assert_conflict(row, await send(daemon, row, Sent()))


async def test_what_is_over_cannot_be_cancelled(stores: Stores) -> None:
    """An import that is committed is undone, not cancelled."""
    row = ROWS["cancel_import"]
    async with stores.daemon(row) as daemon:
        imported = (await send(daemon, ROWS["import_files"], Sent())).json()["id"]
        assert_conflict(row, await send(daemon, row, Sent({"id": imported})))


async def test_one_account_is_added_once(stores: Stores) -> None:
    """A second account of the same name is refused."""
    row = ROWS["add_account"]
    async with stores.daemon(row) as daemon:
        sent = await good(daemon, row)
        assert (await send(daemon, row, sent)).status_code == 201
        assert_conflict(row, await send(daemon, row, sent))


async def test_only_own_accounts_are_removed(stores: Stores) -> None:
    """An account of a bank stays until the bank is unlinked."""
    row = ROWS["remove_account"]
    async with stores.daemon(row) as daemon:
        of_bank = (await daemon.http.get("/api/v1/accounts")).json()[0]["id"]
        assert_conflict(row, await send(daemon, row, Sent({"id": of_bank})))


async def test_only_own_rules_are_removed(stores: Stores) -> None:
    """An inferred rule is overruled, not removed."""
    row = ROWS["remove_rule"]
    async with stores.daemon(row) as daemon:
        rules = (await daemon.http.get("/api/v1/categories/rules")).json()
        inferred = next(rule["id"] for rule in rules if rule["source"] != "user")
        assert_conflict(row, await send(daemon, row, Sent({"id": inferred})))


def assert_conflict(row: AnyOperation, answer: httpx.Response) -> None:
    assert answer.status_code == 409, answer.text
    assert_documented(row, answer)
