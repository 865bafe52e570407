"""Credentials: the local session, API keys of programs and cookies of browsers, as far as each goes."""

import asyncio
import hashlib
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from finplan.daemon.auth.client_address import client_addresses
from finplan.daemon.auth.credentials import UseNotes
from finplan.daemon.auth.sessions import LocalSession, cookie_of, new_token
from finplan.daemon.rate_limit import Limiting
from finplan.model.base import Nothing
from finplan.model.credential import KeyId, KeyScope, NewKey
from finplan.model.errors import NotFound, StorageFull
from finplan.operation import AnyOperation
from finplan.operations.person import SHOW_ME
from finplan.operations.table import OPERATIONS
from finplan.service.context import Caller, Context
from finplan.service.credentials import keys
from finplan.store.queries import credentials as table, people
from finplan.store.store import Store
from finplan.store.store_file import LookUp
from tests.daemon.oauth.visitor import stranger
from tests.daemon.recorded import sign_in_a_browser
from tests.daemon.running import NOW, RunningDaemon, running_daemon

CHANGE_HASH = "UPDATE api_key SET hash = ? WHERE id = ?"
LOOK_UP_HASH = "EXPLAIN QUERY PLAN SELECT no FROM api_key WHERE hash = ?"


async def test_the_token_speaks_for_the_owner(daemon: RunningDaemon) -> None:
    """The session's cookie is enough to be the owner."""
    me = await daemon.client.call(SHOW_ME, Nothing())

    assert me.email == "ada@localhost"


@pytest.mark.parametrize("cookie", ["", "x", "{token}x", "x{token}", "gr\u00f6\u00dfer"])
async def test_any_other_token_is_refused(daemon: RunningDaemon, cookie: str) -> None:
    """Neither a part of the token nor more than it will do, nor anything that is not ASCII."""
    daemon.http.cookies.clear()
    shown = f"finplan_session={cookie.format(token=daemon.token)}".encode()

    response = await daemon.http.get("/api/me", headers={b"cookie": shown})

    assert response.status_code == 401


async def test_a_token_that_is_no_text_is_refused(daemon: RunningDaemon) -> None:
    """Bytes that are not UTF-8 are a wrong token like any other."""
    host = f"Host: 127.0.0.1:{daemon.port}\r\nConnection: close\r\n".encode()

    answer = await daemon.say(
        b"GET /api/me HTTP/1.1\r\n" + host + b"Cookie: finplan_session=\xff\r\n\r\n"
    )

    assert answer.startswith(b"HTTP/1.1 401")


def test_a_token_cannot_be_guessed_and_is_not_shown() -> None:
    """Tokens hold 256 random bits, and a session's representation keeps its own to itself."""
    tokens = {new_token() for _ in range(100)}

    assert len(tokens) == 100
    assert all(len(token) == 43 for token in tokens)
    assert "secret" not in repr(LocalSession(1, "secret"))


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
    async with stranger(daemon) as http:
        http.headers["x-api-key"] = key
        yield http


async def asked_with(daemon: RunningDaemon, key: str) -> httpx.Response:
    """What whoever shows a key is told of its person."""
    async with another_program(daemon, key) as program:
        return await program.get("/api/v1/me")


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


@pytest.mark.parametrize(
    ("scope", "own", "others"), [("service:read", READS, WRITES), ("service:write", WRITES, READS)]
)
async def test_a_key_does_what_its_scope_says(
    busy: RunningDaemon,
    scope: KeyScope,
    own: Sequence[AnyOperation],
    others: Sequence[AnyOperation],
) -> None:
    """Scopes stand for themselves: one alone gets 403 from every row of the other, and of no own."""
    made = await make_key(busy, scope)

    async with another_program(busy, made["key"]) as program:
        refused = {(await ask_row(program, row)).status_code for row in others}
        answered = {(await ask_row(program, row)).status_code for row in own}

    assert refused == {403}
    assert not {401, 403} & answered


@pytest.mark.parametrize("shown", [b"", b"fpk_", b"x" * 5000, b"gr\xc3\xb6\xc3\x9fer", b"\xff\xfe"])
async def test_a_wrong_key_is_refused_beside_any_other(daemon: RunningDaemon, shown: bytes) -> None:
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
    untouched = await asked_with(daemon, other["key"])
    again = await daemon.http.delete(f"/api/v1/keys/{made['id']}")

    assert (before.status_code, after.status_code, untouched.status_code) == (200, 401, 200)
    assert "www-authenticate" in after.headers
    assert "revoked" in after.json()["message"]
    assert revoked.status_code == again.status_code == 200
    assert revoked.json()["revokedAt"] == again.json()["revokedAt"] == NOW.timestamp() * 1000
    listed = (await daemon.http.get("/api/v1/keys")).json()
    assert [each["id"] for each in listed] == [other["id"], made["id"]]


async def test_a_key_has_its_end(tmp_path: Path, empty_store: Path, clock: list[datetime]) -> None:
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
    assert "expired" in over.json()["message"]
    assert "www-authenticate" in over.headers


async def test_typos_are_not_sought(daemon: RunningDaemon, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert (await asked_with(daemon, secret)).status_code == 200
    assert len(asked) == 1


async def test_a_key_of_an_earlier_release_goes_on(daemon: RunningDaemon) -> None:
    """Keys that were made of 43 letters of another alphabet, without a checksum, let in as before."""
    former = "fpk_" + "aB3-_" * 8 + "xyz"
    made = await make_key(daemon)
    digest = hashlib.sha256(former.encode()).hexdigest()
    await daemon.store.write(lambda c: c.exec_driver_sql(CHANGE_HASH, (digest, made["id"])))

    assert (await asked_with(daemon, former)).status_code == 200
    assert (await asked_with(daemon, made["key"])).status_code == 401


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
async def test_a_key_wants_a_name_and_scopes(daemon: RunningDaemon, body: dict[str, Any]) -> None:
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
    answer = await asked_with(daemon, made["key"])
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
    assert (await asked_with(daemon, hers.answer.key)).json()["email"] == "eve@localhost"
    assert (await asked_with(daemon, made["key"])).json()["email"] == "ada@localhost"


async def test_a_person_who_goes_takes_the_keys_along(daemon: RunningDaemon) -> None:
    """When the person is deleted, each of their keys is refused at its next use."""
    made = await make_key(daemon)

    def delete(connection: Connection) -> None:
        connection.exec_driver_sql("DELETE FROM person")

    await daemon.store.write(delete)
    response = await asked_with(daemon, made["key"])

    assert response.status_code == 401


async def test_a_key_is_looked_up_by_its_hash(daemon: RunningDaemon) -> None:
    """The hash is unique and indexed, so that a request costs one look-up."""
    with sqlite3.connect(daemon.store.path) as database:
        plan = database.execute(LOOK_UP_HASH, ("x",)).fetchall()
    database.close()

    assert "USING INDEX" in plan[0][3] or "USING COVERING INDEX" in plan[0][3]


ME = "/api/v1/me"
OURS = {"Sec-Fetch-Site": "same-origin"}


@asynccontextmanager
async def browser(daemon: RunningDaemon, token: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that carries a browser's cookie alone, and says what a browser says."""
    async with stranger(daemon) as http:
        http.cookies.set(cookie_of(daemon.base_url, daemon.port), token)
        http.headers.update(OURS)
        yield http


def test_each_daemon_has_a_cookie_of_its_own() -> None:
    """Profiles on one machine do not sign each other out; if encrypted, only the host itself sets it."""
    assert cookie_of("http://127.0.0.1:8460", 8460) != cookie_of("http://127.0.0.1:8461", 8461)
    assert cookie_of("https://money.example", 8460).startswith("__Host-")


async def test_a_cookie_speaks_for_its_person(daemon: RunningDaemon) -> None:
    """It may all that the person may, credentials too, and is known as the one that asks."""
    async with browser(daemon, await sign_in_a_browser(daemon)) as http:
        me = await http.get(ME)
        listed = (await http.get("/api/v1/sessions")).json()
        made = await http.post("/api/v1/keys", json={"name": "by a browser"})

    assert me.json()["email"] == "ada@localhost"
    assert [each["current"] for each in listed] == [True]
    assert made.status_code == 201


@pytest.mark.parametrize("cookie", ["", "fps_", "x" * 5000, "gr\u00f6\u00dfer"])
async def test_a_wrong_cookie_is_refused(daemon: RunningDaemon, cookie: str) -> None:
    """Neither nothing nor a part of one lets anybody in."""
    name = cookie_of(daemon.base_url, daemon.port)
    daemon.http.cookies.clear()
    headers = {b"cookie": f"{name}={cookie}".encode(), b"sec-fetch-site": b"same-origin"}

    answer = await daemon.http.get(ME, headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED")


async def test_a_cookie_is_for_its_daemon(daemon: RunningDaemon) -> None:
    """Under another name it is none, and the local session's cookie takes no browser's."""
    token = await sign_in_a_browser(daemon)
    daemon.http.cookies.clear()
    for name in ("finplan_browser_1", "__Host-finplan", "finplan_session"):
        headers = {"cookie": f"{name}={token}", **OURS}
        assert (await daemon.http.get(ME, headers=headers)).status_code == 401


async def test_an_ended_session_is_refused_at_its_next_use(daemon: RunningDaemon) -> None:
    """200 before, 401 right after; another one goes on."""
    async with (
        browser(daemon, await sign_in_a_browser(daemon)) as one,
        browser(daemon, await sign_in_a_browser(daemon)) as other,
    ):
        listed = (await one.get("/api/v1/sessions")).json()
        mine = next(each["id"] for each in listed if each["current"])
        assert (await other.delete(f"/api/v1/sessions/{mine}")).status_code == 200
        assert ((await one.get(ME)).status_code, (await other.get(ME)).status_code) == (401, 200)


async def test_idle_sessions_end(tmp_path: Path, empty_store: Path, clock: list[datetime]) -> None:
    """After a week that nobody used it."""
    async with (
        running_daemon(tmp_path, empty_store, clock=lambda: clock[0]) as daemon,
        browser(daemon, await sign_in_a_browser(daemon)) as http,
    ):
        for days, status in ((6, 200), (12, 200), (19, 401)):
            clock[0] = NOW + timedelta(days=days)
            assert (await http.get(ME)).status_code == status
            await daemon.store._writer.alone(lambda _engine: None)


async def test_a_use_is_noted_once_a_minute(
    tmp_path: Path, empty_store: Path, clock: list[datetime]
) -> None:
    """Reading stays reading: within the minute after a noted use nothing is written."""
    async with running_daemon(tmp_path, empty_store, clock=lambda: clock[0]) as daemon:
        token = await sign_in_a_browser(daemon)
        writes, noted = counted_writes(daemon), []
        async with browser(daemon, token) as http:
            for second in (0, 59, 60, 61, 119, 120):
                clock[0] = NOW + timedelta(seconds=second)
                assert (await http.get(ME)).status_code == 200
                # The write was queued before the answer left, and what is read here comes after it.
                await daemon.store._writer.alone(lambda _engine: None)
                noted.append((await daemon.http.get("/api/v1/sessions")).json()[0]["lastUsedAt"])

    first = int(NOW.timestamp() * 1000)
    assert [(each - first) // 1000 for each in noted] == [0, 0, 60, 60, 60, 120]
    assert len(writes) == 2


async def test_a_full_disk_notes_nothing_and_refuses_nobody(
    daemon: RunningDaemon, caplog: pytest.LogCaptureFixture
) -> None:
    """A use that cannot be noted is told in the log, by the number of the credential."""
    notes = UseNotes(daemon.store)

    def fail(_connection: object) -> None:
        raise StorageFull("full")

    notes.note("session:7", fail)
    await notes.finish()
    await asyncio.sleep(0)

    assert "session:7 was not" in caplog.text
    notes.note("session:7", lambda _connection: None)
    await notes.finish()


# --- pages of others -------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "SAME-ORIGIN", "nonsense"])
@pytest.mark.parametrize("method", ["GET", "PATCH"])
async def test_foreign_pages_use_no_cookie(daemon: RunningDaemon, method: str, site: str) -> None:
    """Not even one of another port of this machine, and neither for reading nor for writing."""
    async with browser(daemon, await sign_in_a_browser(daemon)) as http:
        answer = await http.request(
            method, ME, headers={"Sec-Fetch-Site": site}, json={"name": "Eve"}
        )
        me = await http.get(ME)

    assert (answer.status_code, answer.json()["code"]) == (403, "FORBIDDEN")
    assert me.json()["name"] is None


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("method", "headers", "status"),
    [
        ("GET", {"Sec-Fetch-Site": "none"}, 200),
        ("PATCH", {"Sec-Fetch-Site": "none"}, 200),
        ("GET", {}, 200),
        ("PATCH", {}, 403),
        ("PATCH", {"Origin": "{site}"}, 200),
        ("PATCH", {"Origin": "http://127.0.0.1:1"}, 403),
        ("PATCH", {"Origin": "null"}, 403),
    ],
)
async def test_a_browser_that_says_nothing_only_reads(
    daemon: RunningDaemon, method: str, headers: dict[str, str], status: int
) -> None:
    """Older ones tell the page's origin when they write; who tells neither changes nothing."""
    async with browser(daemon, await sign_in_a_browser(daemon)) as http:
        del http.headers["Sec-Fetch-Site"]
        said = {name: value.format(site=daemon.base_url) for name, value in headers.items()}
        sent: dict[str, Any] = {"json": {"name": "Ada"}} if method == "PATCH" else {}
        answer = await http.request(method, ME, headers=said, **sent)

    assert answer.status_code == status


# --- several credentials ---------------------------------------------------------------------------


async def test_a_key_counts_before_a_cookie(daemon: RunningDaemon) -> None:
    """A wrong key is refused though a good cookie is shown, and a good one does what it may alone."""
    token = await sign_in_a_browser(daemon)
    key = (await make_key(daemon, "service:read"))["key"]
    async with browser(daemon, token) as http:
        wrong = await http.get(ME, headers={"x-api-key": "fpk_x"})
        right = await http.patch(ME, headers={"x-api-key": key}, json={"name": "Ada"})

    assert (wrong.status_code, right.status_code) == (401, 403)


async def test_a_wrong_local_session_is_made_good_by_no_cookie(daemon: RunningDaemon) -> None:
    """The first kind of credential that is shown is the one that counts."""
    async with browser(daemon, await sign_in_a_browser(daemon)) as http:
        http.cookies.set("finplan_session", "wrong")
        assert (await http.get(ME)).status_code == 401


@pytest.mark.thorough
async def test_nothing_opens_a_row_without_a_credential(daemon: RunningDaemon) -> None:
    """Every row asks for one; what tells nothing of anybody does not."""
    daemon.http.cookies.clear()
    refused = {row.name: (await ask_row(daemon.http, row)).status_code for row in OPERATIONS}
    opened = [
        (await daemon.http.get(path)).status_code
        for path in ("/health", "/api/openapi.json", "/api/docs")
    ]

    assert set(refused.values()) == {401}
    assert opened == [200] * 3


async def test_where_it_was_done_from_is_on_record(tmp_path: Path, empty_store: Path) -> None:
    """Of a key, a browser and the command line, behind a trusted proxy the client's own address."""
    address_of = client_addresses(("127.0.0.1",))
    client = {"X-Forwarded-For": "203.0.113.9"}
    async with running_daemon(tmp_path, empty_store, address_of=address_of) as daemon:
        token = await sign_in_a_browser(daemon)
        await daemon.http.post("/api/v1/sessions/link")
        async with browser(daemon, token) as http:
            await http.post("/api/v1/sessions/link", headers=client)
        events: list[dict[str, Any]] = (await daemon.http.get("/api/v1/audit")).json()

    told = [(each["credential"], each["address"]) for each in events[:2]]
    assert told == [("session:1", "203.0.113.9"), ("session", "127.0.0.1")]


async def test_a_key_never_uses_what_a_session_may(daemon: RunningDaemon) -> None:
    """It neither lists browsers nor makes a link that would sign one in."""
    async with another_program(daemon, (await make_key(daemon))["key"]) as program:
        answers = [
            await program.get("/api/v1/sessions"),
            await program.post("/api/v1/sessions/link"),
            await program.put("/api/v1/me/password", json={"password": "correct horse battery"}),
            await program.post("/api/v1/invites", json={}),
        ]

    assert [each.status_code for each in answers] == [403] * 4
