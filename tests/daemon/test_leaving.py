"""DELETE /me: a person goes with everything of theirs, and nothing brings any of it back."""

import asyncio
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, insert, select

from finplan.client.request import SESSION_COOKIE
from finplan.daemon.auth.sessions import LocalSession
from finplan.operations.category import CREATE_CATEGORY
from finplan.service import dispatch
from finplan.service.credentials import membership
from finplan.service.people import ensure_owner, new_owner, new_person
from finplan.store.queries import people
from finplan.store.tables.tables import METADATA
from tests.daemon.let_in import claim_an_agent, let_a_client_in
from tests.daemon.running import NOW, RunningDaemon, running_daemon

ME = "/api/v1/me"
ADDRESSES = "SELECT email FROM person"
Rows = Mapping[str, list[tuple[Any, ...]]]


OF_NOBODY = frozenset({"last_number", "signing_key"})
"""Tables of what is the daemon's own, whoever comes and goes."""


def everything(connection: Connection) -> Rows:
    """Every row of every table."""
    return {
        table.name: sorted(tuple(row) for row in connection.execute(select(table)))
        for table in METADATA.sorted_tables
    }


def fill(connection: Connection, owner: int) -> None:
    """Give a person a row in every table there is, made up from the columns."""
    numbers = {"person": owner}
    for table in METADATA.sorted_tables:
        if table.name == "person":
            continue
        values: dict[str, Any] = {}
        for column in table.columns:
            parents = [key.column.table.name for key in column.foreign_keys]
            if parents:
                values[column.name] = numbers[parents[0]]
            elif column.name == "payee_no":
                values[column.name] = numbers["payee"]
            elif column.name != "no":
                text = f"{table.name} of {owner}"
                kinds: dict[type, Any] = {bytes: text.encode(), int: 7, float: 1.5}
                values[column.name] = kinds.get(column.type.python_type, text)
        key = connection.execute(insert(table).values(**values)).inserted_primary_key
        assert key is not None
        numbers[table.name] = key[0]


async def add_another(daemon: RunningDaemon) -> int:
    values = new_owner("grace", 0)
    return await daemon.store.write(lambda c: people.add_person(c, values))


@pytest.fixture
def announced() -> list[str]:
    return []


async def leave(daemon: RunningDaemon, **headers: str) -> httpx.Response:
    return await daemon.http.delete(ME, headers=headers)


def of_person(rows: Rows, owner: int) -> Rows:
    """The rows that say they are a person's."""
    tables = METADATA.tables
    found = {}
    for name, each in rows.items():
        names = [column.name for column in tables[name].columns]
        column = "no" if name == "person" else "owner_no"
        if column in names:
            found[name] = [row for row in each if row[names.index(column)] == owner]
    return found


# --- what goes, and what stays -------------------------------------------------------------------


async def test_nothing_of_the_person_stays(daemon: RunningDaemon) -> None:
    """Of a person with a row in every table no row is left; what is another's or nobody's stays."""
    other = await add_another(daemon)
    await daemon.store.write(lambda c: fill(c, other))
    untouched = await daemon.store.read(everything)
    owner = await ensure_owner(daemon.store, "ada", 0)
    await daemon.store.write(lambda c: fill(c, owner))
    before = await daemon.store.read(everything)
    # Every table takes part, and the machine has given the number of a person before.
    counted = {name: 3 if name == "last_number" else 2 for name in before}
    assert {name: len(rows) for name, rows in before.items()} == counted

    answer = await leave(daemon)
    after = await daemon.store.read(everything)

    assert answer.status_code == 200, answer.text
    assert all(rows == [] for rows in of_person(after, owner).values())
    assert [row for row in after["person"] if row[0] == other] == of_person(untouched, other)[
        "person"
    ]
    for name, rows in after.items():
        if name in OF_NOBODY:
            assert rows == before[name], name
        elif name != "person":
            assert rows == untouched[name], name
    # The other one, and who owns the machine now.
    assert len(after["person"]) == 2


async def test_the_answer_tells_what_went(household: RunningDaemon) -> None:
    """A delete answers the thing that went: who it was, and how much of each kind."""
    me = (await household.http.get(ME)).json()
    accounts = (await household.http.get("/api/v1/accounts")).json()
    await household.http.post("/api/v1/keys", json={"name": "a"})
    answer = (await leave(household)).json()

    assert answer["user"] == me
    assert answer["accounts"] == len(accounts)
    assert answer["transactions"] > 1000
    counted = ("connections", "plans", "keys", "imports", "rules", "answers")
    assert [answer[each] for each in counted] == [1, 1, 1, 0, 0, 0]
    assert answer["backups"] == []


async def test_copies_of_the_store_go_too(daemon: RunningDaemon) -> None:
    """The copies that were made before migrations hold the same rows: they go, and are named."""
    folder = daemon.store.backups
    folder.mkdir(exist_ok=True)
    copies = [folder / "before-0005-from-0003.db", folder / "before-0006-from-0005.db"]
    for copy in copies:
        copy.write_bytes(b"a copy")

    answer = (await leave(daemon)).json()

    assert answer["backups"] == [copy.name for copy in copies]
    assert not [copy for copy in copies if copy.exists()]


async def test_nothing_can_be_read_from_the_disk(household: RunningDaemon) -> None:
    """What was deleted is no longer in the file, nor in the log beside it."""
    path = household.store.path
    files = [path, path.with_name(path.name + "-wal")]
    newest = (await household.http.get("/api/v1/transactions")).json()["transactions"]
    raw = max((row["raw"] for row in newest), key=len).encode()
    assert any(raw in file.read_bytes() for file in files)

    await leave(household)

    assert not any(raw in file.read_bytes() for file in files if file.exists())


async def test_the_next_owner_takes_no_address_from_anybody(
    daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who follows may be called as who left, or as somebody who stays, who alone signs in by that."""
    monkeypatch.setattr(membership, "local_user_name", lambda: "ada")
    assert (await leave(daemon)).status_code == 200
    daemon.http.cookies.set(SESSION_COOKIE, daemon.session.token)
    other = await daemon.store.write(
        lambda c: people.add_person(c, new_person("Grace@localhost", None, "UTC", 0))
    )
    monkeypatch.setattr(membership, "local_user_name", lambda: "grace")
    assert (await leave(daemon)).status_code == 200

    rows = await daemon.store.read(people.list_people)
    assert [(row["no"], row["email_key"]) for row in rows] == [
        (daemon.session.owner, None),
        (other, "grace@localhost"),
    ]


# --- credentials ---------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_every_credential_ends_at_once(
    tmp_path: Path, household_store: Path, announced: list[str]
) -> None:
    """Keys and the session are refused at their next use; the new session is somebody fresh's."""
    sessions: list[LocalSession] = []
    async with running_daemon(
        tmp_path, household_store, announce=lambda: announced.append(sessions[0].token)
    ) as daemon:
        sessions.append(daemon.session)
        former = (await daemon.http.get(ME)).json()
        made = await daemon.http.post("/api/v1/keys", json={"name": "a"})
        key = {"x-api-key": made.json()["key"]}
        assert (await daemon.http.get(ME, headers=key)).status_code == 200

        assert (await leave(daemon)).status_code == 200

        assert (await daemon.http.get(ME)).status_code == 401
        assert (await daemon.http.get(ME, headers=key)).status_code == 401
        assert len(announced) == 1
        assert announced[0] != daemon.token
        daemon.http.cookies.set(SESSION_COOKIE, announced[0])
        fresh = await daemon.http.get(ME)
        assert fresh.status_code == 200
        assert fresh.json()["id"] != former["id"]
        assert (await daemon.http.get("/api/v1/connections")).json() == []
        linked = await daemon.http.post("/api/v1/connections", json={"provider": "demo"})
        assert linked.status_code == 201
        assert (await daemon.http.get("/api/v1/plan/view")).status_code == 200


async def test_anothers_key_goes_on(daemon: RunningDaemon) -> None:
    """Who stays keeps their credentials."""
    made = (await daemon.http.post("/api/v1/keys", json={"name": "a"})).json()
    other = await add_another(daemon)
    give = f"UPDATE api_key SET owner_no = {other}"
    await daemon.store.write(lambda c: c.exec_driver_sql(give))

    await leave(daemon)

    daemon.http.cookies.clear()
    answer = await daemon.http.get(ME, headers={"x-api-key": made["key"]})
    assert answer.json()["email"] == "grace@localhost"


async def test_programs_that_were_let_in_go_too(daemon: RunningDaemon) -> None:
    """Tokens of clients and agents are refused at their next use, and so is a client of theirs.

    One that registered itself stays, since others may have let it in too.
    """
    client, token = await let_a_client_in(daemon)
    _, agents_token = await claim_an_agent(daemon)
    made = {"name": "Mine", "redirectUris": ["https://mine.example.org/back"]}
    own = (await daemon.http.post("/api/v1/clients", json=made)).json()["id"]
    session = daemon.http.cookies
    bearers = [{"Authorization": f"Bearer {each}"} for each in (token, agents_token)]

    async def statuses() -> list[int]:
        daemon.http.cookies = httpx.Cookies()
        return [(await daemon.http.get(ME, headers=each)).status_code for each in bearers]

    assert await statuses() == [200, 200]
    daemon.http.cookies = session
    await leave(daemon)

    assert await statuses() == [401, 401]
    rows = await daemon.store.read(everything)
    names = ("oauth_grant", "oauth_code", "oauth_token", "agent", "claim_attempt")
    assert [rows[name] for name in names] == [[]] * len(names)
    kept = [row[1] for row in rows["oauth_client"]]
    assert kept == [client]
    assert own not in kept


async def test_a_key_may_not(daemon: RunningDaemon) -> None:
    """Only a first-party session deletes its person."""
    made = (await daemon.http.post("/api/v1/keys", json={"name": "a"})).json()
    session = daemon.http.cookies.get(SESSION_COOKIE)
    daemon.http.cookies.clear()
    refused = await leave(daemon, **{"x-api-key": made["key"]})

    assert (refused.status_code, refused.json()["code"]) == (403, "FORBIDDEN")
    daemon.http.cookies.set(SESSION_COOKIE, str(session))
    assert (await daemon.http.get(ME)).status_code == 200


# --- nothing comes back --------------------------------------------------------------------------


async def test_the_same_request_again_deletes_nobody_else(daemon: RunningDaemon) -> None:
    """Sent again, with its Idempotency-Key or without, it is refused: who sent it is gone."""
    first = await leave(daemon, **{"Idempotency-Key": "one"})
    fresh = await daemon.store.read(everything)

    assert first.status_code == 200
    for headers in ({"Idempotency-Key": "one"}, {}):
        assert (await leave(daemon, **headers)).status_code == 401
    assert await daemon.store.read(everything) == fresh
    assert fresh["kept_reply"] == []


async def test_the_machine_has_an_owner_at_its_next_start(daemon: RunningDaemon) -> None:
    """The local session is never another person's, and nobody gets the number of who left."""
    first = await ensure_owner(daemon.store, "ada", 0)
    other = await add_another(daemon)
    await leave(daemon)
    second = await ensure_owner(daemon.store, "ada", 0)
    daemon.http.cookies.set(SESSION_COOKIE, daemon.session.token)
    await leave(daemon)
    third = await ensure_owner(daemon.store, "ada", 0)

    assert len({first, second, third, other}) == 4
    assert daemon.session.owner == third


@pytest.mark.thorough
async def test_work_that_runs_brings_nothing_back(household: RunningDaemon) -> None:
    """Whatever runs while the person goes ends well or is refused, and leaves no row behind."""
    owner = household.session.owner
    http = household.http

    def ask(method: str, path: str, body: Any = None, key: str | None = None) -> Any:
        headers = {} if key is None else {"Idempotency-Key": key}
        return http.request(method, f"/api/v1{path}", json=body, headers=headers)

    answers = await asyncio.gather(
        ask("POST", "/plan", {}),
        ask("POST", "/plan/builds", {}),
        ask("POST", "/connections/sync", {}),
        ask("POST", "/plan", {}, "a"),
        http.delete(ME),
        *(ask("POST", "/keys", {"name": f"key {each}"}, f"key {each}") for each in range(5)),
        *(ask("POST", "/categories", {"name": f"C{n}", "line": "essential"}) for n in range(5)),
        *(ask("GET", path) for path in ("/plan", "/tasks", "/snapshot", "/wealth", "/accounts")),
    )

    assert {answer.status_code for answer in answers} <= {200, 201, 202, 401}
    household.http.cookies.set(SESSION_COOKIE, household.session.token)
    assert (await household.http.get(ME)).status_code == 200
    rows = await household.store.read(everything)
    assert all(found == [] for found in of_person(rows, owner).values())
    # Only the fresh owner is there.
    assert all(len(found) <= 1 for found in rows.values())


async def test_a_late_write_of_who_left_is_refused(tmp_path: Path, household_store: Path) -> None:
    """A request that had begun before, and writes after, is told 401 and changes nothing."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def perform(context: Any, operation: Any, ask: Any, *files: Any, **how: Any) -> Any:
        if operation is CREATE_CATEGORY:
            begun.set()
            await go_on.wait()
        return await dispatch.perform(context, operation, ask, *files, **how)

    async with running_daemon(tmp_path, household_store, perform=perform) as daemon:
        body = {"name": "Kites", "line": "essential"}
        tasks = [
            asyncio.create_task(daemon.http.post("/api/v1/categories", json=body, headers=headers))
            for headers in ({}, {"Idempotency-Key": "one"})
        ]
        await begun.wait()
        await leave(daemon)
        go_on.set()
        answers = await asyncio.gather(*tasks)

        assert [answer.status_code for answer in answers] == [401, 401]
        rows = await daemon.store.read(everything)
        assert rows["custom_category"] == rows["kept_reply"] == []


async def test_the_clock_of_the_fresh_owner_begins_anew(daemon: RunningDaemon) -> None:
    """Who comes after knows nothing of who was there: no name, and a new beginning."""
    await daemon.http.patch(ME, json={"name": "Ada", "email": "ada@example.org"})
    await leave(daemon)
    (person,) = await daemon.store.read(people.list_people)

    assert person["name"] is None
    assert "ada@example.org" not in person.values()
    assert (person["created_at"], person["generation"]) == (int(NOW.timestamp() * 1000), 0)


async def test_who_stays_keeps_a_copy(daemon: RunningDaemon) -> None:
    """When one of several leaves, a copy that holds nothing of theirs takes the place of the others."""
    await add_another(daemon)
    folder = daemon.store.backups
    await asyncio.to_thread(daemon.store.back_up, folder / "before.db")

    answer = await leave(daemon)

    assert answer.json()["backups"] == ["before.db"]
    (copy,) = await asyncio.to_thread(lambda: list(folder.glob("*.db")))
    with closing(sqlite3.connect(copy)) as database:
        addresses = {row[0] for row in database.execute(ADDRESSES)}
    assert "grace@localhost" in addresses
    assert "ada@localhost" not in addresses
