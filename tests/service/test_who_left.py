"""Who has joined leaves: no copy of the store holds a row of theirs in the end, and nothing waits.

What lets nobody in any more is forgotten; what still may is kept.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from sqlalchemy import Connection, select

from finplan.model.base import Nothing
from finplan.model.credential import NewInvite
from finplan.model.errors import Conflict, StoreDamaged
from finplan.service.authorization.agents import (
    UNCLAIMED_FOR,
    ask_claim,
    forget_what_is_over,
    sweep,
    welcome,
)
from finplan.service.authorization.grants import AssertionGrant
from finplan.service.authorization.server import AskedRequest, Server, Setting
from finplan.service.automation.kinds import copy_when_changed
from finplan.service.context import Context
from finplan.service.credentials import membership
from finplan.service.credentials.keys import digest
from finplan.service.credentials.membership import delete_me
from finplan.service.people import new_person
from finplan.store.backup import back_up, is_good, remove_backups
from finplan.store.queries import authorization, credentials, people, rows
from finplan.store.queries.credentials import EVENTS_KEPT_FOR
from finplan.store.store import Store
from finplan.store.tables.tables import claim_attempt, person
from tests.patience import LONG_ENOUGH
from tests.present import present
from tests.service import test_credentials
from tests.service.test_automation import NOTHING_SEEN
from tests.store.test_backups import flip, root_of

GRACE = "grace@example.org"
HALF_HOUR = 30 * 60 * 1000


class SignsNothing:
    """Stands in for the keys of the authorization server."""

    issuer = "https://finplan.example/auth"

    def sign(self, *_told: Any) -> str:
        return "signed"


@pytest.fixture
def ada(newcomer: Context) -> Context:
    return replace(newcomer, passwords=test_credentials.CountedPasswords())


@pytest.fixture
async def grace(ada: Context) -> Context:
    """Somebody who joined by an invite, while others were open."""
    for email in ("GRACE@example.org", "eve@example.org", None):
        await membership.create_invite(ada, NewInvite(email=email))
    return await test_credentials.by_browser(
        ada, await test_credentials.join(ada, await test_credentials.invited(ada, GRACE), GRACE)
    )


async def claims_of(context: Context) -> list[str]:
    """The addresses that agents ask for."""

    def read(connection: Connection) -> list[str]:
        return list(connection.execute(select(claim_attempt.c.email_key)).scalars())

    return await context.store.read(read)


async def test_the_owner_reads_who_left(ada: Context, grace: Context) -> None:
    """On their record it stands who left, when and where from; it is no command line that did it."""
    await delete_me(grace, Nothing())

    left = (await test_credentials.told(ada))[-1:]
    here = test_credentials.HERE.address
    test_credentials.assert_told(left, [("person.left", GRACE, None, here)])


async def test_an_owner_who_leaves_has_one_unrecorded_heir(ada: Context, grace: Context) -> None:
    """Who follows on the machine has seen nothing, and nobody else reads who owned it."""
    await delete_me(ada, Nothing())

    assert "person.left" not in [kind for kind, *_ in await test_credentials.told(grace)]


async def test_open_invites_for_who_left_are_taken_back(ada: Context, grace: Context) -> None:
    """However the address is written; other invites stay, and the one that was used is remembered."""
    await delete_me(grace, Nothing())

    kept = {
        (each.email, each.used_at is None) for each in await membership.list_invites(ada, Nothing())
    }
    assert kept == {("eve@example.org", True), (None, True), (GRACE, False)}


async def test_no_agent_waits_for_who_left(ada: Context, grace: Context) -> None:
    """The address that an agent asked for is erased, and that of somebody else is not."""

    def ask(connection: Connection) -> None:
        for email in (GRACE.upper(), "eve@example.org"):
            agent = welcome(connection, cast("Any", SignsNothing()), "::1", test_credentials.MS)
            ask_claim(connection, agent["claim_token"], email, "::1", "", test_credentials.MS)

    await ada.store.write(ask)
    assert sorted(await claims_of(ada)) == ["eve@example.org", GRACE]

    await delete_me(grace, Nothing())

    assert await claims_of(ada) == ["eve@example.org"]


async def test_a_guests_token_ends_with_its_day(ada: Context) -> None:
    """An access token of an agent that nobody claimed never outlives the guest's day."""
    now = test_credentials.MS
    came = now - UNCLAIMED_FOR + HALF_HOUR

    def ask(connection: Connection) -> tuple[int, int]:
        told = welcome(connection, cast("Any", SignsNothing()), "::1", came)
        setting = Setting(connection, now, "", None, "::1", "")
        grant = AssertionGrant(AskedRequest("POST", SignsNothing.issuer, []), Server(setting))
        grant.agent = present(authorization.agent_of_id(connection, told["registration_id"]))
        given = grant.access()
        kept = authorization.TOKEN_OF_HASH.find(connection, digest(given["access_token"]))
        return given["expires_in"] * 1000, present(kept).expires_at - now

    assert await ada.store.write(ask) == (HALF_HOUR, HALF_HOUR)


async def test_nobody_leaves_a_damaged_store(grace: Context) -> None:
    """The backups, which go first, may be all that can be restored; so nothing goes."""
    store = grace.store
    await store.compact()
    copy = store.backups / "daily-2026-11-21.db"
    store.back_up(copy)
    flip(store.path, root_of(store.path, "person"))
    with pytest.raises(StoreDamaged):
        await delete_me(grace, Nothing())
    assert is_good(copy)


@pytest.fixture
def released() -> Iterator[Event]:
    """What the writing thread waits for, and is told of at the latest when the test is over."""
    event = Event()
    yield event
    event.set()


def _people_in(copy: Path) -> set[str]:
    with closing(sqlite3.connect(copy)) as store:
        return {row[0] for row in store.execute("SELECT id FROM person")}


async def test_a_copy_made_before_the_deletion_took_effect_goes_too(
    newcomer: Context, released: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The daily copy, made after the first copies went and before the rows did."""
    folder, owner = newcomer.store.backups, newcomer.caller.owner
    first = folder / "first.db"
    await asyncio.to_thread(newcomer.store.back_up, first)

    def left(connection: Connection) -> str:
        return str(connection.execute(select(person.c.id).where(person.c.no == owner)).scalar_one())

    gone = await newcomer.store.read(left)
    removed, loop = asyncio.Event(), asyncio.get_running_loop()

    def remove_and_tell(folder: Path) -> tuple[str, ...]:
        names = remove_backups(folder)
        loop.call_soon_threadsafe(removed.set)
        return names

    monkeypatch.setattr(membership, "remove_backups", remove_and_tell)
    busy = asyncio.create_task(newcomer.store.write(lambda _: released.wait()))
    leaving = asyncio.create_task(delete_me(newcomer, Nothing()))
    async with asyncio.timeout(LONG_ENOUGH):
        await removed.wait()
        made = await copy_when_changed(newcomer, NOTHING_SEEN)
        (daily,) = folder.glob("*.db")
        assert (made.result, _people_in(daily)) == ("ok", {gone})
        released.set()
        answer = await leaving
        await busy
    assert answer.backups == ("first.db", daily.name)
    assert list(folder.iterdir()) == []


def test_a_copy_that_is_removed_while_it_is_made_is_none(
    tmp_path: Path, empty_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever makes it is told so, and nothing of it is left."""
    folder = tmp_path / "backups"
    connect = sqlite3.connect

    def connect_then_remove(path: Path, **options: Any) -> sqlite3.Connection:
        opened: sqlite3.Connection = connect(path, **options)
        if path.suffix == ".part":
            assert remove_backups(folder) == ("daily.part",)
        return opened

    monkeypatch.setattr(sqlite3, "connect", connect_then_remove)
    with pytest.raises(Conflict, match="deleted their account during"):
        back_up(empty_store, folder / "daily.db")
    assert list(folder.iterdir()) == []


def test_a_copy_made_meanwhile_goes_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What gets its name between one look and the next is found by the next."""
    part, whole = tmp_path / "daily.part", tmp_path / "daily.db"
    part.touch()
    glob = Path.glob

    def glob_then_finish(folder: Path, pattern: str) -> list[Path]:
        found = list(glob(folder, pattern))
        if part.exists():
            part.rename(whole)
        return found

    monkeypatch.setattr(Path, "glob", glob_then_finish)
    remove_backups(tmp_path)
    assert list(tmp_path.iterdir()) == []


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
    row = present(authorization.client_of_id(connection, name))
    made = {"owner_no": owner, "scopes": "", "resource": "", "created_at": 0}
    grant = authorization.add_grant(connection, {**made, "client_no": row["no"]})
    code = {"redirect_uri": "", "challenge": "", "signed_in_at": 0, "hash": f"c{name}"}
    authorization.add_code(connection, {**ends, **code, "grant_no": grant})
    token = {**made, **ends, "kind": "refresh", "hash": f"t{name}"}
    authorization.add_token(connection, {**token, "grant_no": grant})
    agent = {"id": name, "scopes": "", "created_at": 0, "address": "", "claim_hash": name}
    authorization.add_agent(connection, {**agent, "owner_no": guest_no, "expires_at": over})
    agent_row = present(authorization.agent_of_id(connection, name))
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
    monkeypatch.setattr(rows, "FORGOTTEN_AT_ONCE", 2)
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
    monkeypatch.setattr(rows, "FORGOTTEN_AT_ONCE", 2)
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
    monkeypatch.setattr(rows, "FORGOTTEN_AT_ONCE", 1)
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
    monkeypatch.setattr(rows, "FORGOTTEN_AT_ONCE", 2)
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
