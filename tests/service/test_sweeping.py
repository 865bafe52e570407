"""What lets nobody in any more is forgotten; what still may is kept."""

import asyncio
import shutil
from pathlib import Path

from sqlalchemy import Connection

from finplan.service.authorization.sweeping import sweep
from finplan.service.people.people import new_person
from finplan.store.queries import people
from finplan.store.queries.access import agents, audit, clients, grants, sessions
from finplan.store.queries.access.audit import KEPT_FOR
from finplan.store.store import Store

NOW = 2 * KEPT_FOR
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
    sessions.add_session(connection, {**ends, **session})
    sessions.add_link(connection, {**ends, "hash": f"l{name}"})
    client = {"id": name, "name": name, "auth_method": "none", "redirect_uris": "[]"}
    clients.add_client(connection, {**client, "scopes": "", "created_at": 0})
    row = clients.client_of_id(connection, name)
    assert row is not None
    made = {"owner_no": owner, "scopes": "", "resource": "", "created_at": 0}
    grant = grants.add_grant(connection, {**made, "client_no": row["no"]})
    code = {"redirect_uri": "", "challenge": "", "signed_in_at": 0, "hash": f"c{name}"}
    grants.add_code(connection, {**ends, **code, "grant_no": grant})
    token = {**made, **ends, "kind": "refresh", "hash": f"t{name}"}
    grants.add_token(connection, {**token, "grant_no": grant})
    agent = {"id": name, "scopes": "", "created_at": 0, "address": "", "claim_hash": name}
    agents.add_agent(connection, {**agent, "owner_no": guest_no, "expires_at": over})
    agent_row = agents.agent_of_id(connection, name)
    assert agent_row is not None
    attempt = {"id": name, "view_hash": name, "code_hash": "", "email_key": "", "created_at": 0}
    agents.begin_attempt(
        connection,
        {**attempt, "owner_no": guest_no, "agent_no": agent_row["no"], "expires_at": over},
    )
    event = {"id": name, "owner_no": owner, "kind": "key.created", "text": ""}
    audit.add_event(connection, {**event, "at": over - KEPT_FOR})


def counts(connection: Connection) -> dict[str, int]:
    """How many rows each table has."""
    return {
        table: connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()
        for table in TABLES
    }


async def test_what_is_over_is_forgotten(empty_store: Path, tmp_path: Path) -> None:
    """To the millisecond: of two rows of each kind the one that is over goes, with what hung on it."""
    database = tmp_path / "finplan.db"
    await asyncio.to_thread(shutil.copy, empty_store, database)
    store = Store.open(database, tmp_path / "backups")
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
