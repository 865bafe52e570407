"""What lets nobody in any more is forgotten; what still may is kept."""

import asyncio
import shutil
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection

from finplan.service.authorization.agents import forget_what_is_over, sweep
from finplan.service.people import new_person
from finplan.store.queries import (
    authorization,
    credentials,
    people,
)
from finplan.store.queries.credentials import EVENTS_KEPT_FOR
from finplan.store.store import Store

NOW = 2 * EVENTS_KEPT_FOR
TABLES = (
    *("person", "browser_session", "sign_in_link", "oauth_client", "oauth_grant", "oauth_code"),
    *("oauth_token", "agent", "claim_attempt", "audit_event"),
)


def fill(connection: Connection, name: str, over: int) -> None:
    """One row of each kind that is over at an instant; only what the person has stays for ever."""
    owner = people.add_person(connection, new_person(f"{name}@localhost", None, "UTC", 0))
    guest = new_person(f"{name}@guest.invalid", None, "UTC", 0)
    guest_no = people.add_person(connection, {**guest, "guest_until": over})
    ends = {"owner_no": owner, "expires_at": over}
    session = {"id": name, "created_at": 0, "last_used_at": 0, "address": "", "hash": f"s{name}"}
    credentials.add_session(connection, {**ends, **session})
    credentials.add_sign_in_link(connection, {**ends, "hash": f"l{name}"})
    client = {"id": name, "name": name, "auth_method": "none", "redirect_uris": "[]"}
    authorization.add_client(connection, {**client, "scopes": "", "created_at": 0})
    row = authorization.client_of_id(connection, name)
    assert row is not None
    made = {"owner_no": owner, "scopes": "", "resource": "", "created_at": 0}
    grant = authorization.add_grant(connection, {**made, "client_no": row["no"]})
    code = {"redirect_uri": "", "challenge": "", "signed_in_at": 0, "hash": f"c{name}"}
    authorization.add_code(connection, {**ends, **code, "grant_no": grant})
    token = {**made, **ends, "kind": "refresh", "hash": f"t{name}"}
    authorization.add_token(connection, {**token, "grant_no": grant})
    agent = {"id": name, "scopes": "", "created_at": 0, "address": "", "claim_hash": name}
    authorization.add_agent(connection, {**agent, "owner_no": guest_no, "expires_at": over})
    agent_row = authorization.agent_of_id(connection, name)
    assert agent_row is not None
    attempt = {"id": name, "view_hash": name, "code_hash": "", "email_key": "", "created_at": 0}
    authorization.begin_attempt(
        connection,
        {**attempt, "owner_no": guest_no, "agent_no": agent_row["no"], "expires_at": over},
    )
    event = {"id": name, "owner_no": owner, "kind": "key.created", "text": ""}
    credentials.add_audit_event(connection, {**event, "at": over - EVENTS_KEPT_FOR})


async def opened(empty_store: Path, folder: Path) -> Store:
    """A store without anybody in it."""
    database = folder / "finplan.db"
    await asyncio.to_thread(shutil.copy, empty_store, database)
    return Store.open(database, folder / "backups")


def counts(connection: Connection) -> dict[str, int]:
    """How many rows each table has."""
    return {
        table: connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
        for table in TABLES
    }


async def test_what_is_over_is_forgotten(empty_store: Path, tmp_path: Path) -> None:
    """To the millisecond: of two rows of each kind the one that is over goes, with what hung on it."""
    store = await opened(empty_store, tmp_path)
    try:
        await store.write(lambda c: fill(c, "over", NOW))
        await store.write(lambda c: fill(c, "holds", NOW + 1))
        before = await store.read(counts)

        await store.write(lambda c: sweep(c, NOW))

        after = await store.read(counts)
    finally:
        store.close()
    assert set(before.values()) == {2, 4}
    # The two people stay, and a client that somebody let in may be let in again.
    assert after == {**dict.fromkeys(TABLES, 1), "person": 3, "oauth_client": 2}


async def test_it_is_forgotten_in_batches(
    empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One guest and a batch of each other table at a time, until nothing more is over."""
    monkeypatch.setattr(credentials, "FORGOTTEN_AT_ONCE", 2)
    store = await opened(empty_store, tmp_path)
    left = []
    try:
        for number in range(5):
            await store.write(partial(fill, name=f"over{number}", over=NOW))
        await store.write(lambda c: fill(c, "holds", NOW + 1))
        more = True
        while more:
            more = await store.write(lambda c: sweep(c, NOW))
            left.append(await store.read(counts))
        agents_left = [each["agent"] for each in left]
        sessions_left = [each["browser_session"] for each in left]
        grants_left = [each["oauth_grant"] for each in left]
        events_left = [each["audit_event"] for each in left]
    finally:
        store.close()

    assert agents_left == [5, 4, 3, 2, 1, 1]
    assert sessions_left == grants_left == events_left == [4, 2, 1, 1, 1, 1]
    assert left[-1] == {**dict.fromkeys(TABLES, 1), "person": 7, "oauth_client": 6}


@pytest.mark.parametrize(
    "table", ["browser_session", "sign_in_link", "oauth_token", "oauth_code", "audit_event"]
)
async def test_each_table_is_forgotten_to_its_last_row(
    empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """Also where nothing else is over, or less of it."""
    monkeypatch.setattr(credentials, "FORGOTTEN_AT_ONCE", 2)
    store = await opened(empty_store, tmp_path)
    others = {*TABLES} - {table, "person", "oauth_client"}
    if table in {"oauth_token", "oauth_code"}:
        others.remove("oauth_grant")

    def leave_one_table(connection: Connection) -> None:
        for other in others:
            connection.exec_driver_sql(f"DELETE FROM {other}")

    try:
        for number in range(5):
            await store.write(partial(fill, name=f"over{number}", over=NOW))
        await store.write(leave_one_table)
        await forget_what_is_over(store, NOW)
        after = await store.read(counts)
    finally:
        store.close()
    assert after[table] == 0


async def test_a_batch_is_followed_by_the_next(
    empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has it forgotten goes on until nothing more is over, and lets other changes in between."""
    monkeypatch.setattr(credentials, "FORGOTTEN_AT_ONCE", 1)
    store = await opened(empty_store, tmp_path)
    try:
        for number in range(4):
            await store.write(partial(fill, name=f"over{number}", over=NOW))
        forgetting = asyncio.create_task(forget_what_is_over(store, NOW))
        await asyncio.sleep(0)
        between = (await store.write(counts))["agent"]
        await forgetting
        after = await store.read(counts)
    finally:
        store.close()

    assert between > 0
    assert [after[each] for each in ("agent", "browser_session", "oauth_grant")] == [0, 0, 0]


async def test_clients_that_nobody_let_in_go_in_batches(
    empty_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each registration takes some of them along."""
    monkeypatch.setattr(credentials, "FORGOTTEN_AT_ONCE", 2)
    store = await opened(empty_store, tmp_path)
    client = {"auth_method": "none", "redirect_uris": "[]", "scopes": "", "name": "x"}
    try:
        for number in range(5):
            values = {**client, "id": f"app_{number}", "created_at": number}
            await store.write(partial(authorization.add_client, values=values))
        more = [await store.write(lambda c: authorization.sweep_clients(c, 4)) for _ in range(3)]
        left = (await store.read(counts))["oauth_client"]
    finally:
        store.close()

    assert (more, left) == ([True, True, False], 1)
