"""A browser's cookie opens the daemon to its person, from our own pages and for as long as it holds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.daemon.auth.client_address import client_addresses
from finplan.daemon.auth.credentials import UseNotes
from finplan.daemon.auth.sessions import cookie_of
from finplan.model.errors import StorageFull
from finplan.operations.table import OPERATIONS
from tests.daemon.recorded import sign_in_a_browser
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.daemon.test_api_keys import another_program, ask_row, counted_writes, make_key

ME = "/api/v1/me"
OURS = {"Sec-Fetch-Site": "same-origin"}


@asynccontextmanager
async def browser(daemon: RunningDaemon, token: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client that carries a browser's cookie alone, and says what a browser says."""
    async with httpx.AsyncClient(
        base_url=daemon.base_url,
        cookies={cookie_of(daemon.base_url, daemon.port): token},
        headers=OURS,
        trust_env=False,
    ) as http:
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


async def test_a_session_ends_when_it_is_idle(
    tmp_path: Path, empty_store: Path, clock: list[datetime]
) -> None:
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
    await notes.finish(None)  # type: ignore[arg-type]  # It is the application's, and not asked.
    await asyncio.sleep(0)

    assert "the last use of session:7 was not noted" in caplog.text
    notes.note("session:7", lambda _connection: None)
    await notes.finish(None)  # type: ignore[arg-type]  # As above.


# --- pages of others -------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize("site", ["cross-site", "same-site", "", "SAME-ORIGIN", "nonsense"])
@pytest.mark.parametrize("method", ["GET", "PATCH"])
async def test_a_page_of_another_site_uses_no_cookie(
    daemon: RunningDaemon, method: str, site: str
) -> None:
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
            await program.put("/api/v1/me/password", json={"password": "four words of a key"}),
            await program.post("/api/v1/invites", json={}),
        ]

    assert [each.status_code for each in answers] == [403] * 4
