"""API keys let other programs in: as far as their scopes go, until they are revoked."""

import asyncio
import hashlib
import re
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from finplan.daemon.rate_limit import Limiting
from finplan.model.base import Nothing
from finplan.model.credential import KeyId, KeyScope, NewKey
from finplan.model.errors import NotFound
from finplan.operation import AnyOperation
from finplan.operations.table import OPERATIONS
from finplan.service.context import Caller, Context
from finplan.service.credentials import keys
from finplan.store.queries import credentials as table
from finplan.store.queries import people
from finplan.store.store import Store
from finplan.store.store_file import LookUp
from tests.daemon.running import NOW, RunningDaemon, running_daemon

FORBIDDEN_TO_ALL = tuple(row for row in OPERATIONS if row.scope == "session")
READS = tuple(row for row in OPERATIONS if row.scope == "read")
WRITES = tuple(row for row in OPERATIONS if row.scope == "write")


def named(row: AnyOperation) -> str:
    return row.name


async def make_key(daemon: RunningDaemon, *scopes: KeyScope) -> dict[str, Any]:
    body: dict[str, Any] = {"name": "nightly script"}
    if scopes:
        body["scopes"] = scopes
    response = await daemon.http.post("/api/v1/keys", json=body)
    assert response.status_code == 201
    made: dict[str, Any] = response.json()
    return made


@asynccontextmanager
async def another_program(daemon: RunningDaemon, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that carries a key and no cookie."""
    async with httpx.AsyncClient(
        base_url=daemon.base_url, headers={"x-api-key": key}, trust_env=False
    ) as http:
        yield http


async def ask_row(http: httpx.AsyncClient, row: AnyOperation) -> httpx.Response:
    path = row.path.format(**dict.fromkeys(row.path_names, "x"))
    return await http.request(row.method, f"/api/v1{path}")


@pytest.fixture
async def busy(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon that may be asked as often as a test likes."""
    async with running_daemon(tmp_path, empty_store, limiting=Limiting(100_000)) as running:
        yield running


async def test_a_key_is_shown_once_and_kept_as_a_hash(daemon: RunningDaemon) -> None:
    """The secret is in the answer that made it; neither the list nor the store's files hold it."""
    made = await make_key(daemon)
    listed = (await daemon.http.get("/api/v1/keys")).json()

    secret = made.pop("key")
    assert secret.startswith(made["prefix"])
    assert re.fullmatch("fpk_[0-9A-Za-z]{49}", secret)
    assert listed == [made]
    assert made["scopes"] == ["service:read", "service:write"]
    files = [path.read_bytes() for path in daemon.store.path.parent.glob("finplan.db*")]
    assert any(made["prefix"].encode() in content for content in files)
    assert not any(secret[len(made["prefix"]) :].encode() in content for content in files)


async def test_a_key_speaks_for_its_person(daemon: RunningDaemon) -> None:
    """With the header alone, without any cookie, the person's data are reached."""
    made = await make_key(daemon)

    async with another_program(daemon, made["key"]) as program:
        me = await program.get("/api/v1/me")
        changed = await program.patch("/api/v1/me", json={"name": "Ada"})

    assert me.json()["email"] == "ada@localhost"
    assert changed.json()["name"] == "Ada"


async def test_what_needs_the_session_refuses_every_key(busy: RunningDaemon) -> None:
    """No key manages credentials, whatever it asks for: 403 for each row of that scope."""
    made = await make_key(busy)

    async with another_program(busy, made["key"]) as program:
        answers = {row.name: await ask_row(program, row) for row in FORBIDDEN_TO_ALL}

    assert len(answers) >= 3
    for answer in answers.values():
        assert answer.status_code == 403
        assert answer.json()["code"] == "FORBIDDEN"


async def test_a_reading_key_changes_nothing(busy: RunningDaemon) -> None:
    """A key with `service:read` alone gets 403 from every row that writes, and reads every other."""
    made = await make_key(busy, "service:read")

    async with another_program(busy, made["key"]) as program:
        refused = {row.name: (await ask_row(program, row)).status_code for row in WRITES}
        read = {row.name: (await ask_row(program, row)).status_code for row in READS}

    assert set(refused.values()) == {403}
    assert not {401, 403} & set(read.values())


async def test_a_writing_key_reads_nothing(busy: RunningDaemon) -> None:
    """Scopes stand for themselves: `service:write` alone gets 403 from every row that reads."""
    made = await make_key(busy, "service:write")

    async with another_program(busy, made["key"]) as program:
        refused = {row.name: (await ask_row(program, row)).status_code for row in READS}
        written = {row.name: (await ask_row(program, row)).status_code for row in WRITES}

    assert set(refused.values()) == {403}
    assert not {401, 403} & set(written.values())


@pytest.mark.parametrize("shown", [b"", b"fpk_", b"x" * 5000, b"gr\xc3\xb6\xc3\x9fer", b"\xff\xfe"])
async def test_a_wrong_key_is_refused_whatever_else_is_shown(
    daemon: RunningDaemon, shown: bytes
) -> None:
    """401 with the challenge, though the request carries a good cookie as well."""
    response = await daemon.http.get("/api/v1/me", headers={b"x-api-key": shown})

    assert response.status_code == 401
    assert response.json()["code"] == "UNAUTHORIZED"
    assert response.headers["www-authenticate"] == (
        f'Bearer resource_metadata="{daemon.base_url}/.well-known/oauth-protected-resource"'
    )


async def test_two_keys_are_one_too_many(daemon: RunningDaemon) -> None:
    """A request that shows two good keys is refused: it could mean either."""
    first, second = await make_key(daemon), await make_key(daemon)
    headers = [("x-api-key", first["key"]), ("x-api-key", second["key"])]

    response = await daemon.http.get("/api/v1/me", headers=headers)

    assert response.status_code == 401


async def test_a_revoked_key_is_refused_at_its_next_use(daemon: RunningDaemon) -> None:
    """200 before, 401 with the challenge right after; revoking again changes nothing more."""
    made = await make_key(daemon)
    other = await make_key(daemon)

    async with another_program(daemon, made["key"]) as program:
        before = await program.get("/api/v1/me")
        revoked = await daemon.http.delete(f"/api/v1/keys/{made['id']}")
        after = await program.get("/api/v1/me")
    async with another_program(daemon, other["key"]) as program:
        untouched = await program.get("/api/v1/me")
    again = await daemon.http.delete(f"/api/v1/keys/{made['id']}")

    assert (before.status_code, after.status_code, untouched.status_code) == (200, 401, 200)
    assert "www-authenticate" in after.headers
    assert "revoked" in after.json()["message"]
    assert revoked.status_code == again.status_code == 200
    assert revoked.json()["revokedAt"] == again.json()["revokedAt"] == NOW.timestamp() * 1000
    listed = (await daemon.http.get("/api/v1/keys")).json()
    assert [each["id"] for each in listed] == [other["id"], made["id"]]


async def test_a_key_holds_until_its_end(
    tmp_path: Path, empty_store: Path, clock: list[datetime]
) -> None:
    """The millisecond before its end a key lets in, at its end it does not; no key is made over."""
    end = int(NOW.timestamp() * 1000) + 1000
    body = {"name": "for a second", "expiresAt": end}
    async with running_daemon(tmp_path, empty_store, clock=lambda: clock[0]) as daemon:
        made = (await daemon.http.post("/api/v1/keys", json=body)).json()
        assert (made["expiresAt"], (await listed_keys(daemon))[0]["expiresAt"]) == (end, end)
        async with another_program(daemon, made["key"]) as program:
            clock[0] = NOW + timedelta(milliseconds=999)
            assert (await program.get("/api/v1/me")).status_code == 200
            clock[0] = NOW + timedelta(milliseconds=1000)
            over = await program.get("/api/v1/me")
        again = await daemon.http.post("/api/v1/keys", json=body)
        later = await daemon.http.post("/api/v1/keys", json=body | {"expiresAt": end + 1})

    assert (over.status_code, again.status_code, later.status_code) == (401, 400, 201)
    assert "over" in over.json()["message"]
    assert "www-authenticate" in over.headers


async def test_a_mistyped_key_is_not_looked_for(
    daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key whose checksum is wrong is refused unread; one with a right one is looked up."""
    made = await make_key(daemon)
    asked: list[object] = []
    look_up = Store.look_up

    async def count(store: Store, looked: LookUp[Any], *parameters: Any) -> Any:
        if looked is table.KEY_OF_HASH:
            asked.append(parameters)
        return await look_up(store, looked, *parameters)

    monkeypatch.setattr(Store, "look_up", count)
    secret = made["key"]
    another = "1" if secret[20] != "1" else "2"
    mistyped = [
        secret[:20] + another + secret[21:],
        secret[:-1] + ("0" if secret[-1] != "0" else "1"),
    ]
    for key in mistyped:
        async with another_program(daemon, key) as program:
            assert (await program.get("/api/v1/me")).status_code == 401
    assert asked == []
    async with another_program(daemon, secret) as program:
        assert (await program.get("/api/v1/me")).status_code == 200
    assert len(asked) == 1


async def test_a_key_of_an_earlier_release_goes_on(daemon: RunningDaemon) -> None:
    """Keys that were made of 43 letters of another alphabet, without a checksum, let in as before."""
    former = "fpk_" + "aB3-_" * 8 + "xyz"
    made = await make_key(daemon)
    digest = hashlib.sha256(former.encode()).hexdigest()
    change = "UPDATE api_key SET hash = ? WHERE id = ?"
    await daemon.store.write(lambda c: c.exec_driver_sql(change, (digest, made["id"])))

    async with another_program(daemon, former) as program:
        assert (await program.get("/api/v1/me")).status_code == 200
    async with another_program(daemon, made["key"]) as program:
        assert (await program.get("/api/v1/me")).status_code == 401


async def listed_keys(daemon: RunningDaemon) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = (await daemon.http.get("/api/v1/keys")).json()
    return listed


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x", "scopes": []},
        {"name": "x", "scopes": ["session"]},
        {"name": "x", "scopes": ["service:read", "service:read"]},
        {"name": "x", "scopes": ["openid"]},
        {"name": "x", "key": "mine"},
    ],
)
async def test_a_key_is_asked_for_by_name_and_scopes(
    daemon: RunningDaemon, body: dict[str, Any]
) -> None:
    """A key without a name, or with a scope that no key may have, is not made."""
    response = await daemon.http.post("/api/v1/keys", json=body)

    assert response.status_code == 400
    assert (await daemon.http.get("/api/v1/keys")).json() == []


async def test_the_last_use_is_noted_once_a_minute(tmp_path: Path, empty_store: Path) -> None:
    """The first use is noted, further ones only a minute later: reading stays reading."""
    clock = [NOW]
    async with running_daemon(tmp_path, empty_store, clock=lambda: clock[0]) as daemon:
        made = await make_key(daemon)
        writes = counted_writes(daemon)
        noted = await noting(daemon, clock, made["key"], [0, 1, 59, 61, 62, 119, 122])

    assert len(writes) == 3
    instants = [int((NOW + timedelta(seconds=each)).timestamp() * 1000) for each in (0, 61, 122)]
    assert noted == [
        instants[0], instants[0], instants[0], instants[1], instants[1], instants[1], instants[2]
    ]  # fmt: skip


def counted_writes(daemon: RunningDaemon) -> list[object]:
    """A list that grows by one with each write of the daemon from now on."""
    write, writes = daemon.store.write, list[object]()

    async def write_and_count(work: Any) -> Any:
        writes.append(work)
        return await write(work)

    daemon.store.write = write_and_count  # type: ignore[method-assign, assignment]
    return writes


async def test_of_two_daemons_one_notes_a_use(daemon: RunningDaemon) -> None:
    """A use that was noted within the minute stays as it is, whoever else would note one."""
    await make_key(daemon)

    def note_twice(connection: Connection) -> int:
        (no,) = connection.exec_driver_sql("SELECT no FROM api_key").one()
        table.note_key_use(connection, no, 100_000, 40_000)
        table.note_key_use(connection, no, 130_000, 70_000)
        return int(connection.exec_driver_sql("SELECT last_used_at FROM api_key").scalar_one())

    assert await daemon.store.write(note_twice) == 100_000


async def noting(
    daemon: RunningDaemon, clock: list[datetime], key: str, seconds: list[int]
) -> list[int]:
    """When the key was last used as the store knows, after a use at each of some seconds."""
    noted = []
    async with another_program(daemon, key) as program:
        for each in seconds:
            clock[0] = NOW + timedelta(seconds=each)
            assert (await program.get("/api/v1/me")).status_code == 200
            # The write was queued before the answer left, and what is read here comes after it.
            await daemon.store._writer.alone(lambda _engine: None)
            noted.append((await daemon.http.get("/api/v1/keys")).json()[0]["lastUsedAt"])
    return noted


async def test_using_a_key_waits_for_no_write(daemon: RunningDaemon) -> None:
    """While something long is written, a request with a key that was never used is answered."""
    made = await make_key(daemon)
    busy, go_on = threading.Event(), threading.Event()

    def take_long(_connection: Connection) -> None:
        busy.set()
        assert go_on.wait(20)

    writing = asyncio.create_task(daemon.store.write(take_long))
    await asyncio.to_thread(busy.wait, 10)
    async with another_program(daemon, made["key"]) as program:
        answer = await program.get("/api/v1/me")
    go_on.set()
    await writing

    assert answer.status_code == 200


async def test_keys_of_others_are_not_there(daemon: RunningDaemon) -> None:
    """Another person neither sees nor revokes a key, and what it is used for is its maker's."""
    made = await make_key(daemon)

    def add(connection: Connection) -> int:
        values = {"id": "usr_2", "email": "eve@localhost", "created_at": 0, "time_zone": "UTC"}
        return people.add_person(connection, values)

    eve = await daemon.store.write(add)
    caller = Caller(eve, frozenset({"read", "write", "session"}), "session")
    context = Context(caller, daemon.store, {}, lambda: NOW)
    hers = await keys.create_key(context, NewKey(name="hers"))

    assert [key.name for key in await keys.list_keys(context, Nothing())] == ["hers"]
    with pytest.raises(NotFound):
        await keys.revoke_key(context, KeyId(id=made["id"]))
    async with another_program(daemon, hers.answer.key) as program:
        assert (await program.get("/api/v1/me")).json()["email"] == "eve@localhost"
    async with another_program(daemon, made["key"]) as program:
        assert (await program.get("/api/v1/me")).json()["email"] == "ada@localhost"


async def test_a_person_who_goes_takes_the_keys_along(daemon: RunningDaemon) -> None:
    """When the person is deleted, each of their keys is refused at its next use."""
    made = await make_key(daemon)

    def delete(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM person")

    await daemon.store.write(delete)
    async with another_program(daemon, made["key"]) as program:
        response = await program.get("/api/v1/me")

    assert response.status_code == 401


async def test_a_key_is_looked_up_by_its_hash(daemon: RunningDaemon) -> None:
    """The hash is unique and indexed, so that a request costs one look-up."""
    with sqlite3.connect(daemon.store.path) as database:
        plan = database.execute(
            "EXPLAIN QUERY PLAN SELECT no FROM api_key WHERE hash = ?", ("x",)
        ).fetchall()
    database.close()

    assert "USING INDEX" in plan[0][3] or "USING COVERING INDEX" in plan[0][3]
