"""Two people of one store: Ada with everything that can be named, and Bob with a little.

The one who was there first owns the machine and has invited the other.

Every text that Ada's household holds has `MARK` in it, so that whatever is answered to anybody else
can be searched for it; Bob's statement files have nothing of hers.
"""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from finplan.client.request import SESSION_COOKIE
from finplan.service.credentials.sessions import Browser, begin_session
from finplan.store.queries import connections, imports
from finplan.store.tables.tables import METADATA
from tests.daemon.a2a.talking import asked
from tests.daemon.let_in import claim_an_agent, let_a_client_in, let_an_agent_ask
from tests.daemon.oauth.visitor import bearing, introduced, stranger
from tests.daemon.running import NOW, RunningDaemon
from tests.daemon.site.browsing import PASSWORD, Visitor, browsing, invite_of

_HEAD = "Date,Description,Amount (USD)\n"


def _monthly(day: int, text: str, amount: str) -> list[str]:
    months = ("2025-11", "2025-12", "2026-01", "2026-02", "2026-03")
    return [f"{month}-{day:02d},{text},{amount}" for month in months]


CHECKING = _HEAD + "\n".join(
    sorted(
        [
            *_monthly(1, "ZQXADA PAYROLL", "3000.00"),
            *_monthly(3, "ZQXADA STREAMING", "-12.99"),
            *_monthly(7, "ZQXADA GREENGROCER", "-61.20"),
            *_monthly(11, "ZQXADA QUUXHALL", "-44.00"),
            *_monthly(13, "ZQXADA FLIBBERT", "-35.10"),
            "2026-03-05,ZQXADA PLUMBER BILL 88,-120.00",
            "2026-03-09,ZQXADA CAFE,-4.00",
            "2026-03-10,TRANSFER TO ZQXADA SAVINGS,-500.00",
        ]
    )
)

LATER = (
    f"{_HEAD}2026-03-03,ZQXADA STREAMING,-12.99\n2026-03-06,ZQXADA PLUMBER INVOICE,-120.00\n"
    "2026-03-07,ZQXADA GREENGROCER,-61.20\n2026-03-09,ZQXADA CAFE,-4.00\n"
)
"""It lists one bill of the checking account's under another text and day."""

SAVINGS = f"{_HEAD}2026-03-10,TRANSFER FROM ZQXADA CHECKING,500.00\n2026-03-12,ZQXADA FEE,-1.00\n"
CARD = f"{_HEAD}2026-03-02,ZQXADA BOOKSHOP,-20.00\n2026-03-04,ZQXADA GARAGE,-90.00\n"

HIS = "Date,Payee,Amount (USD)\n" + "\n".join(
    [
        "2026-03-02,BOBS BARBER,-20.00",
        "2026-03-05,BOBS PAY,900.00",
        *(f"2026-03-{day:02d},BOBS SHOP {day},-{day}.17" for day in range(6, 15)),
    ]
)
"""Enough rows that an account of another name which has them is asked about."""


MARK = "zqxada"
API = "/api/v1"
HER_NAME, HER_ADDRESS = f"{MARK} Lovelace", f"{MARK}@example.org"

Ids = Mapping[str, str]
Rows = Mapping[str, list[tuple[Any, ...]]]

_NOW_MS = int(NOW.timestamp() * 1000)
_BOTH = "service:read service:write"


@dataclass(frozen=True)
class Settled:
    """A store with the two and their numbers: `ids` are Ada's things, `secrets` open doors."""

    database: Path
    ada: int
    bob: int
    ids: Ids
    secrets: Mapping[str, str]


async def settle_two(
    daemon: RunningDaemon, database: Path, *, ada_owns_the_machine: bool
) -> Settled:
    """Let Ada have everything, and Bob credentials of each kind; one of them invites the other."""
    first = daemon.session.owner
    link = (await invite_of(daemon)).partition("=")[2]
    if ada_owns_the_machine:
        ada, bob = first, await _let_join(daemon, link, "bob@example.org")
    else:
        ada, bob = await _let_join(daemon, link, "second@example.org"), first
    daemon.session.owner = ada
    ids = await _let_ada_have_all(daemon)
    if ada_owns_the_machine:
        ids |= await _let_ada_own_the_machine(daemon)
    secrets = {f"her {kind}": secret for kind, secret in (await _credentials(daemon)).items()}
    # The first use of a key is noted, and no other one while the clock stands.
    for name in ("her key", "her reading key"):
        await daemon.http.get(f"{API}/me", headers={"x-api-key": secrets[name]})
    secrets |= await _dead_credentials(daemon)
    daemon.session.owner = bob
    await _send_files(daemon, HIS, "Bobs account")
    ids |= await _let_bob_have_some(daemon)
    secrets |= {f"his {kind}": secret for kind, secret in (await _credentials(daemon)).items()}
    secrets["his agent"] = (await claim_an_agent(daemon))[1]
    if ada_owns_the_machine:
        secrets["guest"] = await _introduce_agent(daemon)
    # As many changes of each, so that what is kept of answers tells them apart by the person alone.
    await daemon.store.write(lambda c: c.exec_driver_sql("UPDATE person SET generation = 1000"))
    return Settled(database, ada, bob, ids, secrets)


async def send(daemon: RunningDaemon, method: str, path: str, body: Any = None) -> Any:
    """Ask REST with the local session, which has to succeed."""
    answer = await daemon.http.request(method, API + path, json=body)
    assert answer.is_success, answer.text
    return answer.json()


# --- what Ada has ---------------------------------------------------------------------------------


async def _let_ada_have_all(daemon: RunningDaemon) -> dict[str, str]:
    """One thing of each kind, each with the mark in its texts."""
    me = await send(daemon, "PATCH", "/me", {"name": HER_NAME, "email": HER_ADDRESS})
    for content, account in (
        (CHECKING, "Checking"),
        (LATER, "Checking"),
        (SAVINGS, "Savings"),
        (CARD, "Card"),
    ):
        await _send_files(daemon, content, f"{MARK} {account}")
    rows = (await send(daemon, "GET", "/transactions?limit=200"))["transactions"]
    groceries = next(row for row in rows if "GREENGROCER" in row["raw"])
    made = await send(
        daemon, "POST", "/categories", {"name": f"{MARK} Bicycles", "line": "discretionary"}
    )
    own = made["category"]["category"]
    word = {"note": f"{MARK} paid half", "category": own}
    await send(daemon, "PUT", f"/transactions/{groceries['id']}", word)
    rule = await send(
        daemon,
        "PUT",
        "/categories/rules",
        {"payeeKey": groceries["payeeKey"], "category": "dining"},
    )
    hook = await send(daemon, "POST", "/webhooks", _hook("plan.built"))
    answered = await _first(daemon, "/tasks")
    await send(daemon, "POST", f"/tasks/{answered['id']}/answer", {"answer": own})
    await send(daemon, "POST", "/plan", {})
    task = await asked(daemon, f"How much did I spend at {MARK} greengrocer in march?")
    unclear = await asked(daemon, f"How much at {MARK} nowhere?")
    page = await send(daemon, "GET", "/transactions?limit=1")
    return {
        "user": me["id"],
        "connection": (await _first(daemon, "/connections"))["connection"]["id"],
        "account": (await _first(daemon, "/accounts"))["id"],
        "transaction": groceries["id"],
        "payee": groceries["payeeKey"],
        "transfer": (await _first(daemon, "/transfers"))["id"],
        "recurring": (await _first(daemon, "/recurring"))["id"],
        "duplicate": (await _first(daemon, "/duplicates"))["id"],
        "import": (await _first(daemon, "/imports"))["id"],
        "profile": (await _first(daemon, "/imports/profiles"))["id"],
        "running import": await _begin_import(daemon),
        "category": own,
        "category name": f"{MARK} Bicycles",
        "rule": rule["id"],
        "planned": (await send(daemon, "POST", "/planned", _trip(f"{MARK} trip")))["id"],
        "answered task": answered["id"],
        "task": (await _first(daemon, "/tasks"))["id"],
        "build": await _build(daemon),
        "link": await _begin_link(daemon),
        "webhook": hook["id"],
        "delivery": (await send(daemon, "POST", f"/webhooks/{hook['id']}/test", {}))["id"],
        "key": (await send(daemon, "POST", "/keys", {"name": f"{MARK} key"}))["id"],
        "client": (await send(daemon, "POST", "/clients", _client()))["id"],
        "client let in": (await let_a_client_in(daemon))[0],
        "agent": (await claim_an_agent(daemon))[0],
        "agent that asks": await let_an_agent_ask(daemon),
        "session": await _sign_in(daemon),
        "claim attempt": await _attempt(daemon),
        "agent task": task["id"],
        "agent task that asks back": unclear["id"],
        "context": task["contextId"],
        "cursor": page["nextCursor"],
    }


async def _let_ada_own_the_machine(daemon: RunningDaemon) -> Ids:
    """What only the owner of the machine has: invites, and the machine's own jobs."""
    invite = await send(daemon, "POST", "/invites", {"email": f"ines@{MARK}.example"})
    return {"invite": invite["id"], "job": "prune"}


def _hook(event: str) -> Mapping[str, Any]:
    return {
        "url": f"https://hooks.example.com/{MARK}",
        "events": [event],
        "description": f"{MARK} dashboard",
    }


def _client() -> Mapping[str, Any]:
    return {"name": f"{MARK} program", "redirectUris": [f"https://{MARK}.example.org/back"]}


async def _first(daemon: RunningDaemon, path: str) -> Any:
    listed = await send(daemon, "GET", path)
    assert listed, f"Ada has nothing at {path}."
    return listed[0]


async def _send_files(daemon: RunningDaemon, content: str, account: str) -> None:
    kind = "credit" if account.endswith("Card") else "checking"
    answer = await daemon.http.post(
        f"{API}/imports",
        files={"file": (f"{account}.csv", content)},
        data={"account": account, "accountKind": kind},
    )
    assert answer.is_success, answer.text


async def _build(daemon: RunningDaemon) -> str:
    """A build that is over, so that nothing of hers goes on by itself."""
    told = await daemon.http.post(f"{API}/plan/build", json={})
    found = re.search(r'"id":"(bld_\w+)"', told.text)
    assert found is not None, told.text
    return found[1]


async def _begin_import(daemon: RunningDaemon) -> str:
    """An import that goes on for as long as the test."""
    running = {"id": f"imp_{MARK}running", "owner_no": daemon.session.owner, "started_at": _NOW_MS}
    await daemon.store.write(lambda c: imports.start_import(c, running))
    return str(running["id"])


async def _begin_link(daemon: RunningDaemon) -> str:
    """A page of a bank that she has opened and not finished at."""
    values = {
        "id": f"lnk_{MARK}openpage",
        "owner_no": daemon.session.owner,
        "bank": "plaid",
        "url": f"https://bank.example/{MARK}",
        "ticket": b"sealed",
        "status": "pending",
        "created_at": _NOW_MS,
        "expires_at": 2**52,
        "next_look_at": 2**52,
    }
    await daemon.store.write(lambda c: connections.add_link(c, values))
    return str(values["id"])


async def _attempt(daemon: RunningDaemon) -> str:
    """The id by which a form names the agent that asks her."""
    query = "SELECT id FROM claim_attempt ORDER BY no DESC LIMIT 1"
    return str(await daemon.store.read(lambda c: c.exec_driver_sql(query).scalar_one()))


async def _sign_in(daemon: RunningDaemon) -> str:
    """A browser of hers; answers the id of its session."""
    await begin_browser_session(daemon, daemon.session.owner, f"Mozilla/5.0 {MARK}")
    return str((await _first(daemon, "/sessions"))["id"])


async def begin_browser_session(
    daemon: RunningDaemon, owner: int, name: str = "Mozilla/5.0"
) -> str:
    """Sign a browser of a person in; answers its cookie."""
    browser = Browser("127.0.0.1", name)
    return await daemon.store.write(
        lambda c: begin_session(c, owner, browser, "by a link", _NOW_MS)
    )


@asynccontextmanager
async def browsing_as(daemon: RunningDaemon, owner: int) -> AsyncIterator[Visitor]:
    """The browser of a person, signed in."""
    async with browsing(daemon) as browser:
        browser.http.cookies.set(browser.cookie, await begin_browser_session(daemon, owner))
        yield browser


# --- credentials ----------------------------------------------------------------------------------


async def _credentials(daemon: RunningDaemon) -> dict[str, str]:
    """Keys and tokens of whom the local session speaks for, each of some scopes."""
    read = "service:read"
    return {
        "key": await _key(daemon, scopes=_BOTH.split()),
        "reading key": await _key(daemon, scopes=[read]),
        "token": (await let_a_client_in(daemon))[1],
        "reading token": (await let_a_client_in(daemon, read))[1],
        "scopeless token": (await let_a_client_in(daemon, "openid profile email"))[1],
        "token of another part": (await let_a_client_in(daemon, resource="/mcp"))[1],
    }


async def _key(daemon: RunningDaemon, **ask: Any) -> str:
    return str((await send(daemon, "POST", "/keys", {"name": "a key", **ask}))["key"])


async def _dead_credentials(daemon: RunningDaemon) -> dict[str, str]:
    """Credentials of Ada's that are over, or were taken back."""
    revoked = await send(daemon, "POST", "/keys", {"name": "a key"})
    await send(daemon, "DELETE", f"/keys/{revoked['id']}")
    over = await send(daemon, "POST", "/keys", {"name": "a key", "expiresAt": _NOW_MS + 60_000})
    await daemon.store.write(
        lambda c: c.exec_driver_sql(
            "UPDATE api_key SET expires_at = ? WHERE id = ?", (_NOW_MS, over["id"])
        )
    )
    client, token = await let_a_client_in(daemon)
    await send(daemon, "DELETE", f"/clients/{client}")
    cookie = await begin_browser_session(daemon, daemon.session.owner)
    newest = "SELECT id FROM browser_session ORDER BY no DESC LIMIT 1"
    session = await daemon.store.read(lambda c: c.exec_driver_sql(newest).scalar_one())
    await send(daemon, "DELETE", f"/sessions/{session}")
    return {
        "revoked key": revoked["key"],
        "key that is over": over["key"],
        "revoked token": token,
        "token that is over": (await let_a_client_in(daemon, expires_at=_NOW_MS))[1],
        "session that has ended": cookie,
    }


async def _let_join(daemon: RunningDaemon, invite: str, email: str) -> int:
    """Somebody joins by an invite of the machine's owner; answers their number."""
    typed = {"email": email, "name": "Bob", "password": PASSWORD, "again": PASSWORD}
    async with browsing(daemon) as browser:
        joined = await browser.post("/join", {**typed, "invite": invite})
        assert joined.status_code == 303, joined.text
    number = "SELECT no FROM person WHERE email = ?"
    return int(await daemon.store.read(lambda c: c.exec_driver_sql(number, (email,)).scalar_one()))


def _trip(name: str) -> Mapping[str, Any]:
    return {"name": name, "amount": 200_000, "month": "2199-07"}


async def _let_bob_have_some(daemon: RunningDaemon) -> Ids:
    """What questions are about that name a thing of Ada's beside one of his."""
    rows = (await send(daemon, "GET", "/transactions"))["transactions"]
    barber = next(row["id"] for row in rows if "BARBER" in row["raw"])
    made = await send(daemon, "POST", "/categories", {"name": "Harbour", "line": "essential"})
    url = "https://hooks.example.com/his"
    hook = await send(daemon, "POST", "/webhooks", {"url": url, "events": ["plan.built"]})
    return {
        "his transaction": barber,
        "his category": made["category"]["category"],
        "his planned": (await send(daemon, "POST", "/planned", _trip("Walk")))["id"],
        "his task": (await _first(daemon, "/tasks"))["id"],
        "his webhook": hook["id"],
    }


async def _introduce_agent(daemon: RunningDaemon) -> str:
    """An agent that nobody claims, with the demo household; answers its access token."""
    async with stranger(daemon) as http:
        token = await (await introduced(http)).token()
        demo, shown = {"provider": "demo"}, bearing(token)
        linked = await http.post(f"{API}/connections", json=demo, headers=shown)
        assert linked.status_code == 201, linked.text
        return token


def local_cookie(daemon: RunningDaemon) -> str:
    """The cookie of the local session, as a header has it."""
    return f"{SESSION_COOKIE}={daemon.session.token}"


# --- whether Ada's rows are as they were ----------------------------------------------------------

NOTED_OF_READING = "shown_allowance"
"""The table in which it is noted, a moment later, what a person was shown."""

_OF_NOBODY = frozenset({"last_number", "signing_key"})


def rows_of(connection: Connection, owner: int) -> Rows:
    """Every row that is a person's, by table: their own, and those of what is theirs."""
    return dict(_queried(connection, owner))


def _queried(connection: Connection, owner: int) -> Iterator[tuple[str, list[tuple[Any, ...]]]]:
    for table in METADATA.sorted_tables:
        if table.name in _OF_NOBODY:
            continue
        if table.name == "person":
            which = f"no = {owner}"
        elif "owner_no" in table.c:
            which = f"owner_no = {owner}"
        else:
            key = next(iter(table.foreign_keys))
            parent = key.column.table.name
            which = f"{key.parent.name} IN (SELECT no FROM {parent} WHERE owner_no = {owner})"
        found = connection.exec_driver_sql(f"SELECT * FROM {table.name} WHERE {which}").fetchall()
        yield table.name, [tuple(row) for row in found]
