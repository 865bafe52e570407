"""Two people in one store: whatever one asks by the other's ids, there is no such thing.

Every row of the table is asked by Bob, with all that Ada has: by its path where that names a thing, by
its question where that does, and else as it is. No answer shows a thing of hers, and no row of hers
changes.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from finplan.operations.table import OPERATIONS
from finplan.store.queries import imports, people
from finplan.store.queries.banking import links
from finplan.store.tables.tables import METADATA
from tests.daemon.let_in import claim_an_agent, let_a_client_in, let_an_agent_ask
from tests.daemon.recorded import BROWSER, sign_in_a_browser
from tests.daemon.running import RunningDaemon, running_daemon

ROWS = {row.name: row for row in OPERATIONS}
ADA = 1

FIRST, LATER = (
    "Date,Description,Amount (USD)\n2026-03-01,BAKERY NORTH,-3.10\n"
    f"2026-03-0{day},PLUMBER {word},-120.00\n2026-03-09,CAFE,-4.00\n"
    for day, word in ((5, "BILL 88"), (6, "INVOICE"))
)
"""Two files of one account, of which each lists one bill under another text and day."""

HIS = "Date,Payee,Amount (USD)\n2026-03-02,BOBS BARBER,-20.00\n2026-03-05,BOBS PAY,900.00\n"

Ids = Mapping[str, str]


@dataclass(frozen=True)
class Asked:
    """What Bob sends and is answered; Ada's things stand by their names, in a body in `<>`."""

    status: int = 404
    path: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    form: Mapping[str, str] | None = None


BY_PATH: Mapping[str, Asked] = {
    "show_connection": Asked(path="connection"),
    "unlink_connection": Asked(path="connection"),
    "show_unlinking": Asked(path="connection"),
    "show_link": Asked(path="link"),
    "sync_connection": Asked(path="connection"),
    "undo_import": Asked(path="import"),
    "cancel_import": Asked(path="running import"),
    "forget_import_profile": Asked(path="profile"),
    "show_account": Asked(path="account"),
    "change_account": Asked(path="account", body={"name": "Bob's", "hidden": True}),
    "show_transaction": Asked(path="transaction"),
    "change_transaction": Asked(path="transaction", body={"note": "Bob's"}),
    "decide_transfer": Asked(path="transfer", body={"verdict": "reject"}),
    "decide_recurring": Asked(path="recurring", body={"verdict": "dismiss"}),
    "decide_duplicate": Asked(path="duplicate", body={"verdict": "same"}),
    "show_build": Asked(path="build"),
    "run_job": Asked(path="job"),
    "show_webhook": Asked(path="webhook"),
    "change_webhook": Asked(path="webhook", body={"url": "https://bob.example.com/"}),
    "try_webhook": Asked(path="webhook"),
    "list_deliveries": Asked(path="webhook"),
    "retry_delivery": Asked(path="webhook"),
    "rotate_secret": Asked(path="webhook"),
    "remove_webhook": Asked(path="webhook"),
    "explain_plan": Asked(path="category"),
    "answer_task": Asked(path="task", body={"dismiss": True}),
    "undo_answer": Asked(path="answered task"),
    "change_category": Asked(path="category", body={"line": "essential"}),
    "remove_category": Asked(path="category"),
    "remove_rule": Asked(path="rule"),
    "revoke_key": Asked(path="key"),
    "end_session": Asked(path="session"),
    "revoke_invite": Asked(path="invite"),
    "revoke_client": Asked(path="client"),
    "revoke_agent": Asked(path="agent"),
}
"""Rows whose path names a thing."""

BY_QUESTION: Mapping[str, tuple[Asked, ...]] = {
    "list_transactions": (
        Asked(400, query={"account": "account"}),
        Asked(400, query={"merchant": "payee"}),
        Asked(400, query={"category": "category"}),
    ),
    "export_transactions": (
        Asked(400, query={"account": "account"}),
        Asked(400, query={"merchant": "payee"}),
    ),
    "query_spending": (
        Asked(400, query={"merchant": "payee"}),
        Asked(400, query={"category": "category"}),
    ),
    "set_rule": (
        Asked(404, body={"payeeKey": "<payee>", "category": "groceries"}),
        Asked(400, body={"payeeKey": "bobs barber", "category": "<category>"}),
    ),
    "set_rules": (
        Asked(200, body={"rules": [{"payeeKey": "<payee>", "category": "groceries"}]}),
        Asked(200, body={"rules": [{"payeeKey": "bobs barber", "category": "<category>"}]}),
    ),
    "create_category": (
        Asked(400, body={"name": "Boats", "line": "essential", "payeeKeys": ["<payee>"]}),
    ),
    "import_files": (Asked(400, form={"account": "account"}), Asked(200, form={})),
    "revoke_client": (Asked(path="client let in"),),
    "revoke_agent": (Asked(path="agent that asks"),),
}
"""Rows whose question may name things, or whose path several kinds of them."""

AS_IT_IS: Mapping[str, Asked] = {
    **{row.name: Asked(200) for row in OPERATIONS if row.method == "GET" and not row.path_names},
    "show_plan": Asked(404),
    "change_me": Asked(200, body={"name": "Bob"}),
    "change_settings": Asked(200, body={"targetMonths": 4}),
    "link_connection": Asked(
        201, body={"provider": "manual", "institution": {"id": None, "name": "Bank"}}
    ),
    # This daemon has no keys of an aggregator; what is said of them names nobody.
    "begin_link": Asked(500, body={"bank": "plaid"}),
    "sync_all": Asked(200, body={}),
    "build_plan": Asked(200, body={}),
    "start_build": Asked(202, body={}),
    "stream_build": Asked(200, body={}),
    "create_webhook": Asked(
        201, body={"url": "https://hooks.example.com/bob", "events": ["plan.built"]}
    ),
    "set_income": Asked(200, body={"monthly": 100_000}),
    "judge_suggestion": Asked(200, body={"name": "Car costs", "dismissed": True}),
    "create_key": Asked(201, body={"name": "Bob's"}),
    "create_client": Asked(
        201, body={"name": "Bob's", "redirectUris": ["https://bob.example.org/back"]}
    ),
    "set_password": Asked(200, body={"password": "bobs four words here"}),
    "create_sign_in_link": Asked(201),
    # Only the owner of the machine sees where its key is, makes it anew, and invites.
    "show_data_key": Asked(403),
    "rotate_data_key": Asked(403, body={}),
    "create_invite": Asked(403, body={"email": "carol@example.org"}),
    "delete_me": Asked(200),
}
"""Rows that name nothing, or that are also asked without naming anything."""


OF_FILES = ("import", "running import", "profile", "duplicate")
"""What comes of statement files, which never share a store with the demo household."""


def cases() -> list[tuple[str, Asked]]:
    """Each row with each question."""
    return [
        *BY_PATH.items(),
        *((name, asked) for name, several in BY_QUESTION.items() for asked in several),
        *AS_IT_IS.items(),
    ]


def test_every_row_is_asked() -> None:
    """An operation that is added has to be told apart here; one whose path names a thing, by that."""
    assert {name for name, _ in cases()} == ROWS.keys()
    assert BY_PATH.keys() == {row.name for row in OPERATIONS if row.path_names}


# --- the two ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Two:
    """A daemon that listens to Bob, what Ada has, and how her rows are."""

    daemon: RunningDaemon
    ids: Ids
    hers: Mapping[str, Any]


@asynccontextmanager
async def two_people(folder: Path, store: Path, *, demo: bool) -> AsyncIterator[Two]:
    """Ada with all that can be named, the demo household or statement files; Bob with a file."""
    async with running_daemon(folder, store) as daemon:
        ids = await (_household(daemon) if demo else _statements(daemon))
        bob = await daemon.store.write(
            lambda c: people.add_person(
                c, {"id": "usr_bob", "email": "bob@localhost", "created_at": 0, "time_zone": "UTC"}
            )
        )
        hers = await daemon.store.read(_rows_of_ada)
        daemon.session.owner = bob
        await _import(daemon, HIS, "Bob's account")
        yield Two(daemon, ids, hers)


async def _household(daemon: RunningDaemon) -> Ids:
    """One thing of each kind that Ada has."""
    api = "/api/v1"

    async def sent(method: str, path: str, body: Any = None) -> Any:
        answer = await daemon.http.request(method, api + path, json=body)
        assert answer.is_success, answer.text
        return answer.json()

    async def first(path: str) -> Any:
        return (await sent("GET", path))[0]

    rows = (await sent("GET", "/transactions"))["transactions"]
    made = await sent("POST", "/categories", {"name": "Bicycles", "line": "discretionary"})
    # A shop may be called Target, as fields of the interface are: two words are a name for sure.
    keys = (row["payeeKey"] for row in rows if row["line"] == "discretionary")
    key = next(key for key in keys if " " in key)
    rule = await sent("PUT", "/categories/rules", {"payeeKey": key, "category": "dining"})
    await sign_in_a_browser(daemon)
    hook = await sent(
        "POST", "/webhooks", {"url": "https://hooks.example.com/ada", "events": ["plan.built"]}
    )
    answered = await first("/tasks")
    await sent("POST", f"/tasks/{answered['id']}/answer", {"answer": "groceries"})
    return {
        "connection": (await first("/connections"))["connection"]["id"],
        "account": (await first("/accounts"))["id"],
        "transaction": rows[0]["id"],
        "payee": key,
        "transfer": (await first("/transfers"))["id"],
        "recurring": (await first("/recurring"))["id"],
        "category": made["category"]["category"],
        "rule": rule["id"],
        "answered task": answered["id"],
        "task": (await first("/tasks"))["id"],
        "build": (await sent("POST", "/plan/builds", {}))["id"],
        "link": await _begin_link(daemon),
        # The machine's, which she owns.
        "job": "prune",
        "webhook": hook["id"],
        "delivery": (await sent("POST", f"/webhooks/{hook['id']}/test", {}))["id"],
        "key": (await sent("POST", "/keys", {"name": "Ada's"}))["id"],
        "invite": (await sent("POST", "/invites", {"email": "ines@example.org"}))["id"],
        "invited": "ines@example.org",
        "client": (
            await sent(
                "POST", "/clients", {"name": "Ada's", "redirectUris": ["https://ada.example.org/"]}
            )
        )["id"],
        "client let in": (await let_a_client_in(daemon))[0],
        "agent": (await claim_an_agent(daemon))[0],
        "agent that asks": await let_an_agent_ask(daemon),
        "session": (await first("/sessions"))["id"],
        "browser": BROWSER.user_agent or "",
        "user": (await sent("GET", "/me"))["id"],
    }


async def _begin_link(daemon: RunningDaemon) -> str:
    """A page of a bank's that Ada has opened and not finished at."""
    values = {
        "id": "lnk_adasownpageatabank",
        "owner_no": ADA,
        "bank": "plaid",
        "url": "https://bank.example/ada",
        "ticket": b"sealed",
        "status": "pending",
        "created_at": 0,
        "expires_at": 0,
        "next_look_at": 2**52,
    }
    await daemon.store.write(lambda c: links.add_link(c, values))
    return str(values["id"])


async def _statements(daemon: RunningDaemon) -> Ids:
    """What comes of statement files: an import, a running one, what was said of them, a duplicate."""
    await _import(daemon, FIRST, "Checking")
    await _import(daemon, LATER, "Checking")
    running = {"id": "imp_adasrunning", "owner_no": ADA, "started_at": 0}
    await daemon.store.write(lambda c: imports.start_import(c, running))

    async def first(path: str) -> Any:
        return (await daemon.http.get(f"/api/v1{path}")).json()[0]["id"]

    return {
        "import": await first("/imports"),
        "running import": "imp_adasrunning",
        "profile": await first("/imports/profiles"),
        "duplicate": await first("/duplicates"),
        "account": await first("/accounts"),
    }


async def _import(daemon: RunningDaemon, content: str, account: str) -> None:
    answer = await daemon.http.post(
        "/api/v1/imports",
        files={"file": ("a.csv", content)},
        data={"account": account, "accountKind": "checking"},
    )
    assert answer.is_success, answer.text


def _rows_of_ada(connection: Connection) -> dict[str, Any]:
    """Every row that is hers, by table; builds and used keys go on by themselves."""
    queries = {
        table.name: f"SELECT * FROM {table.name} WHERE owner_no = {ADA}"
        for table in METADATA.sorted_tables
        if "owner_no" in table.c and table.name not in {"build", "plan", "shown_allowance"}
    }
    queries["balance_record"] = (
        "SELECT * FROM balance_record"
        f" WHERE account_no IN (SELECT no FROM account WHERE owner_no = {ADA})"
    )
    return {name: connection.exec_driver_sql(query).fetchall() for name, query in queries.items()}


async def ask(two: Two, name: str, asked: Asked) -> httpx.Response:
    """Ask a row as Bob, with Ada's ids where the case names them."""
    row, named = ROWS[name], json.dumps(asked.body)
    for kind, value in two.ids.items():
        named = named.replace(f"<{kind}>", value)
    path = row.path
    if asked.path:
        # A delivery is named after its webhook; a row that names one thing takes no notice of it.
        path = path.format(
            **{row.path_names[0]: two.ids[asked.path], "deliveryId": two.ids.get("delivery")}
        )
    sent: dict[str, Any] = {"params": {each: two.ids[kind] for each, kind in asked.query.items()}}
    if asked.form is not None:
        sent["files"] = {"file": ("b.csv", HIS)}
        sent["data"] = {each: two.ids[kind] for each, kind in asked.form.items()}
    elif asked.body is not None:
        sent["json"] = json.loads(named)
    return await two.daemon.http.request(row.method, f"/api/v1{path}", **sent)


@pytest.mark.thorough
@pytest.mark.parametrize("of_files", [False, True])
async def test_the_others_things_are_not_there(
    tmp_path: Path, empty_store: Path, household_store: Path, of_files: bool
) -> None:
    """The answer is that there is none, shows nothing of hers, and changes nothing of hers."""
    store = empty_store if of_files else household_store
    wrong: list[str] = []
    async with two_people(tmp_path, store, demo=not of_files) as two:
        for name, asked in sorted(cases(), key=lambda case: case[0] == "delete_me"):
            if (asked.path in OF_FILES) == of_files:
                answer = await ask(two, name, asked)
                wrong += [f"{name}: {each}" for each in _wrong(two, name, asked, answer)]
                rows = await two.daemon.store.read(_rows_of_ada)
                if (_but_who_left(rows) if name == "delete_me" else rows) != two.hers:
                    wrong.append(f"{name} changed her rows")
    assert not wrong, "\n".join(wrong)


def _but_who_left(rows: dict[str, Any]) -> dict[str, Any]:
    """Her rows without the one on her record that tells the owner of the machine who has left."""
    events = rows["audit_event"]
    (left,) = [event for event in events if "person.left" in event]
    return {**rows, "audit_event": [event for event in events if event is not left]}


def _wrong(two: Two, name: str, asked: Asked, answer: httpx.Response) -> Iterator[str]:
    if answer.status_code != asked.status:
        yield f"{answer.status_code} and not {asked.status}: {answer.text[:300]}"
    elif asked.path and answer.json()["code"] != "NOT_FOUND":
        yield f"the code is {answer.json()['code']}"
    elif name == "set_rules" and (answer.json()["saved"] or len(answer.json()["errors"]) != 1):
        yield "a rule was saved"
    said = {asked.path, *asked.query.values(), *(asked.form or {}).values()}
    in_body = json.dumps(asked.body)
    for kind, value in two.ids.items():
        if value in answer.text and kind not in said and f"<{kind}>" not in in_body:
            yield f"her {kind} is shown"
    if "ada@localhost" in answer.text:
        yield "her address is shown"
