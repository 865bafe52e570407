"""A request that is sent slowly does nothing for whoever may not any more when its end arrives."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import pytest
from sqlalchemy import Connection

from tests.daemon.oauth.test_agents import asked, entered, exchanged, introduced, polled
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD

Finish = Callable[[], Awaitable[int]]


@asynccontextmanager
async def half_sent(
    site: RunningDaemon, method: str, path: str, said: object, credential: str
) -> AsyncIterator[Finish]:
    """A request of which the last byte is still to come; sending it answers the status."""
    body = json.dumps(said).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = (
        f"{method} /api/v1{path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n{credential}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    writer.write(head.encode() + body[:-1])
    await writer.drain()
    # Another request on this loop is answered once the daemon has taken in the first half.
    await site.http.get("/health")

    async def finish() -> int:
        writer.write(body[-1:])
        answer = await reader.read()
        return int(answer.split(b" ", 2)[1])

    try:
        yield finish
    finally:
        writer.close()
        await writer.wait_closed()


def _newest(connection: Connection) -> int:
    return int(connection.exec_driver_sql("SELECT max(no) FROM person").scalar_one())


async def test_a_key_that_was_revoked_meanwhile(site: RunningDaemon) -> None:
    """It is refused when the request is whole."""
    made = (await site.http.post("/api/v1/keys", json={"name": "k"})).json()
    said = {"name": "Boats", "line": "discretionary"}
    credential = f"x-api-key: {made['key']}"
    async with half_sent(site, "POST", "/categories", said, credential) as finish:
        await site.http.delete(f"/api/v1/keys/{made['id']}")
        assert await finish() == 401


async def test_a_session_that_was_ended_meanwhile(
    site: RunningDaemon, ada: httpx.AsyncClient
) -> None:
    """A new password signs it out, and it makes no key after that."""
    cookie = "; ".join(f"{each.name}={each.value}" for each in ada.cookies.jar)
    credential = f"Cookie: {cookie}\r\nSec-Fetch-Site: same-origin"
    async with half_sent(site, "POST", "/keys", {"name": "late"}, credential) as finish:
        answer = await site.http.put("/api/v1/me/password", json={"password": PASSWORD})
        assert answer.json() == {"endedSessions": 1}
        assert await finish() == 401
    assert (await site.http.get("/api/v1/keys")).json() == []


async def test_a_guest_that_was_claimed_meanwhile(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """What it began is refused, and whoever joins next has a number that nobody has had."""
    agent = await introduced(http)
    token = (await exchanged(http, agent["identity_assertion"])).json()["access_token"]
    before = await site.store.read(_newest)
    async with half_sent(site, "POST", "/plan", {}, f"Authorization: Bearer {token}") as finish:
        attempt = await asked(http, agent["claim_token"])
        await entered(ada, attempt["verification_uri"], attempt["user_code"])
        assert (await polled(http, agent["claim_token"])).status_code == 200
        assert await finish() == 401
    await introduced(http)
    after = await site.store.read(_newest)
    assert after > before


@pytest.mark.parametrize("body", [b"grant_type=\xff", b"grant_type=%FF", b"a=1&" * 60])
async def test_a_form_that_is_no_text(http: httpx.AsyncClient, body: bytes) -> None:
    """It is refused in the words of the RFC, whatever its charset says."""
    for kind in ("", "; charset=idna", "; charset=nope"):
        for path in ("/auth/oauth2/token", "/auth/oauth2/revoke"):
            answer = await http.post(
                path,
                content=body,
                headers={"Content-Type": f"application/x-www-form-urlencoded{kind}"},
            )
            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


@pytest.mark.parametrize("shown", [b"Basic //46/w==", b"Basic \xff", b"Basic !", b"Basic "])
async def test_a_client_whose_secret_is_no_text(http: httpx.AsyncClient, shown: bytes) -> None:
    """It is told so, and the daemon does not stumble."""
    answer = await http.post(
        "/auth/oauth2/token",
        data={"grant_type": "refresh_token", "refresh_token": "x"},
        headers={b"Authorization": shown.strip()},
    )
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_a_wrong_poll_uses_nothing_up(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """A claim token that is sent with a resource of elsewhere is as good as before."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    await entered(ada, attempt["verification_uri"], attempt["user_code"])
    claim = "urn:example:agent-auth:grant-type:claim"
    form = {"grant_type": claim, "claim_token": agent["claim_token"]}
    elsewhere = {**form, "resource": "https://elsewhere.example/"}

    wrong = await http.post("/auth/oauth2/token", data=elsewhere)

    assert wrong.json()["error"] == "invalid_target"
    assert (await polled(http, agent["claim_token"])).status_code == 200


async def test_no_program_changes_the_address_that_one_signs_in_with(site: RunningDaemon) -> None:
    """A key may change the name, and nothing that lets anybody in."""
    made = (await site.http.post("/api/v1/keys", json={"name": "k"})).json()
    shown = {"x-api-key": made["key"], "Cookie": ""}
    address = await site.http.patch("/api/v1/me", json={"email": "e@example.org"}, headers=shown)
    name = await site.http.patch("/api/v1/me", json={"name": "Ada"}, headers=shown)
    assert (address.status_code, name.status_code) == (403, 200)


async def test_what_is_no_http_is_answered_behind_a_proxy_too(site: RunningDaemon) -> None:
    """A header without a colon, and one that is too large, get the envelope that says so."""
    for head in (b"Bad Header\r\n", b"X-Big: " + b"x" * 60_000 + b"\r\n"):
        told = await site.say(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + head + b"\r\n")
        assert b" 400 " in told.split(b"\r\n", 1)[0], told[:200]
        assert b'"code"' in told
