"""A request that is refused, however late, writes nothing but what has to last.

One that is sent slowly does nothing for whoever may not any more when its end arrives.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from authlib.oauth2.rfc6749 import InvalidRequestError
from sqlalchemy import Connection

from finplan.service.authorization import endpoints, grants
from finplan.service.authorization.grants import CodeGrant
from finplan.store.queries import authorization
from tests.daemon.oauth.visitor import REVOKE, Agent, Http, Program, answered, decide, introduced
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD

TABLES = ("oauth_grant", "oauth_code", "oauth_token", "agent", "audit_event")


async def rows(site: RunningDaemon) -> dict[str, list[Any]]:
    """All that the authorization server has written."""

    def read(connection: Connection) -> dict[str, list[Any]]:
        return {
            table: list(connection.exec_driver_sql(f"SELECT * FROM {table} ORDER BY no"))
            for table in TABLES
        }

    return await site.store.read(read)


def refusing(work: Callable[..., Any], back: str | None = None) -> Callable[..., Any]:
    """A function that does its work, and is refused only then."""

    def refuse(*arguments: Any, **named: Any) -> Any:
        work(*arguments, **named)
        raise InvalidRequestError("Something is wrong after all.", redirect_uri=back)

    return refuse


@asynccontextmanager
async def refused_late(
    site: RunningDaemon, owner: Any, name: str, work: Callable[..., Any] | None = None
) -> AsyncIterator[None]:
    """A function of the server does its work, or another one, and then refuses: no row is changed."""
    before = await rows(site)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(owner, name, refusing(work or getattr(owner, name)))
        yield
    assert await rows(site) == before


async def test_a_late_refusal_spares_codes(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """No token is left of it, and none was used up."""
    code = (await reader.let_in(ada, scope="openid"))["code"]
    async with refused_late(site, CodeGrant, "_id_token", lambda *_: None):
        refused = await reader.exchange(code)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert (await reader.exchange(code)).status_code == 200


async def test_late_refusals_spare_tokens(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """Neither the next tokens are left of it, nor is the one that was shown used."""
    shown = (await reader.tokens(ada))["refresh_token"]
    async with refused_late(site, authorization, "use_token"):
        refused = await reader.refresh(shown)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert (await reader.refresh(shown)).status_code == 200


async def test_consent_that_is_refused_late_grants_nothing(
    site: RunningDaemon, reader: Program, ada: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program is told, and has neither a grant nor a code."""
    before = await rows(site)
    monkeypatch.setattr(grants, "_note", refusing(grants._note, reader.redirect_uri))

    told = answered(await decide(ada, reader.asking(), "allow"))

    assert told["error"] == "invalid_request"
    assert await rows(site) == before


async def test_a_token_still_held_goes_on(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """Whoever is told that it was not taken back can rely on it."""
    token = (await reader.tokens(ada))["access_token"]
    form = {"token": token, "client_id": reader.client["client_id"]}
    async with refused_late(site, endpoints, "_revoke"):
        refused = await reader.http.post(REVOKE, data=form)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert (await reader.use(token)).status_code == 200


async def test_a_late_refusal_spares_claims(site: RunningDaemon, agent: Agent, ada: Http) -> None:
    """The claim token is good once, and a refusal is no use of it."""
    await agent.be_claimed(ada)
    async with refused_late(site, authorization, "add_token"):
        refused = await agent.poll()

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert (await agent.poll()).status_code == 200


async def test_what_has_to_last_does(site: RunningDaemon, reader: Program, ada: Http) -> None:
    """A replay ends all that was granted and is on record once, and a poll that came early counts."""
    code = (await reader.let_in(ada))["code"]
    await reader.exchange(code)
    agent = await introduced(reader.http)
    before = await rows(site)

    assert (await reader.exchange(code)).json()["error"] == "invalid_grant"
    assert (await agent.poll()).json()["error"] == "authorization_pending"

    after = await rows(site)
    assert [after[table] for table in TABLES[:3]] == [[], [], []]
    assert len(after["audit_event"]) == len(before["audit_event"]) + 1
    assert after["agent"] != before["agent"]
    assert (await agent.poll()).json()["error"] == "slow_down"


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


async def test_a_session_that_was_ended_meanwhile(site: RunningDaemon, ada: Http) -> None:
    """A new password signs it out, and it makes no key after that."""
    cookie = "; ".join(f"{each.name}={each.value}" for each in ada.cookies.jar)
    credential = f"Cookie: {cookie}\r\nSec-Fetch-Site: same-origin"
    async with half_sent(site, "POST", "/keys", {"name": "late"}, credential) as finish:
        answer = await site.http.put("/api/v1/me/password", json={"password": PASSWORD})
        assert answer.json() == {"endedSessions": 1}
        assert await finish() == 401
    assert (await site.http.get("/api/v1/keys")).json() == []


async def test_a_guest_claimed_meanwhile(site: RunningDaemon, agent: Agent, ada: Http) -> None:
    """What it began is refused, and whoever joins next has a number that nobody has had."""
    token = await agent.token()
    before = await site.store.read(_newest)
    async with half_sent(site, "POST", "/plan", {}, f"Authorization: Bearer {token}") as finish:
        await agent.be_claimed(ada)
        assert (await agent.poll()).status_code == 200
        assert await finish() == 401
    await introduced(agent.http)
    assert await site.store.read(_newest) > before


@pytest.mark.parametrize("body", [b"grant_type=\xff", b"grant_type=%FF", b"a=1&" * 60])
async def test_a_form_that_is_no_text(http: Http, body: bytes) -> None:
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
async def test_a_client_whose_secret_is_no_text(http: Http, shown: bytes) -> None:
    """It is told so, and the daemon does not stumble."""
    answer = await http.post(
        "/auth/oauth2/token",
        data={"grant_type": "refresh_token", "refresh_token": "x"},
        headers={b"Authorization": shown.strip()},
    )
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")


async def test_a_wrong_poll_uses_nothing_up(agent: Agent, ada: Http) -> None:
    """A claim token that is sent with a resource of elsewhere is as good as before."""
    await agent.be_claimed(ada)

    wrong = await agent.poll(resource="https://elsewhere.example/")

    assert wrong.json()["error"] == "invalid_target"
    assert (await agent.poll()).status_code == 200


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
