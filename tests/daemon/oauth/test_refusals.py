"""A request that is refused, however late, writes nothing but what has to last."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from authlib.oauth2.rfc6749 import InvalidRequestError
from sqlalchemy import Connection

from finplan.service.authorization import endpoints, grants
from finplan.service.authorization.grants import CodeGrant
from finplan.store.queries import authorization
from tests.daemon.oauth.test_agents import asked, entered, introduced, polled
from tests.daemon.oauth.visitor import REVOKE, answered, decide, program, use
from tests.daemon.running import RunningDaemon

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


async def test_a_code_that_is_refused_late_is_as_good_as_before(
    site: RunningDaemon,
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No token is left of it, and none was used up."""
    reader = await program(http)
    code = (await reader.let_in(ada, scope="openid"))["code"]
    before = await rows(site)
    with monkeypatch.context() as patched:
        patched.setattr(CodeGrant, "_id_token", refusing(lambda *_: None))
        refused = await reader.exchange(code)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert await rows(site) == before
    assert (await reader.exchange(code)).status_code == 200


async def test_a_refresh_that_is_refused_late_is_as_good_as_before(
    site: RunningDaemon,
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither the next tokens are left of it, nor is the one that was shown used."""
    reader = await program(http)
    shown = (await reader.tokens(ada))["refresh_token"]
    before = await rows(site)
    with monkeypatch.context() as patched:
        patched.setattr(authorization, "use_token", refusing(authorization.use_token))
        refused = await reader.refresh(shown)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert await rows(site) == before
    assert (await reader.refresh(shown)).status_code == 200


async def test_consent_that_is_refused_late_grants_nothing(
    site: RunningDaemon,
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program is told, and has neither a grant nor a code."""
    reader = await program(http)
    before = await rows(site)
    monkeypatch.setattr(grants, "_note", refusing(grants._note, reader.redirect_uri))

    told = answered(await decide(ada, reader.asking(), "allow"))

    assert told["error"] == "invalid_request"
    assert await rows(site) == before


async def test_a_token_that_is_not_taken_back_goes_on(
    site: RunningDaemon,
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whoever is told that it was not taken back can rely on it."""
    reader = await program(http)
    token = (await reader.tokens(ada))["access_token"]
    before = await rows(site)
    monkeypatch.setattr(endpoints, "_revoke", refusing(endpoints._revoke))
    form = {"token": token, "client_id": reader.client["client_id"]}

    refused = await http.post(REVOKE, data=form)

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert await rows(site) == before
    assert (await use(http, token)).status_code == 200


async def test_a_claim_that_is_refused_late_is_as_good_as_before(
    site: RunningDaemon,
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The claim token is good once, and a refusal is no use of it."""
    agent = await introduced(http)
    attempt = await asked(http, agent["claim_token"])
    await entered(ada, attempt["verification_uri"], attempt["user_code"])
    before = await rows(site)
    with monkeypatch.context() as patched:
        patched.setattr(authorization, "add_token", refusing(authorization.add_token))
        refused = await polled(http, agent["claim_token"])

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_request")
    assert await rows(site) == before
    assert (await polled(http, agent["claim_token"])).status_code == 200


async def test_what_has_to_last_does(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """A replay ends all that was granted and is on record once, and a poll that came early counts."""
    reader = await program(http)
    code = (await reader.let_in(ada))["code"]
    await reader.exchange(code)
    agent = await introduced(http)
    before = await rows(site)

    assert (await reader.exchange(code)).json()["error"] == "invalid_grant"
    assert (await polled(http, agent["claim_token"])).json()["error"] == "authorization_pending"

    after = await rows(site)
    assert [after[table] for table in TABLES[:3]] == [[], [], []]
    assert len(after["audit_event"]) == len(before["audit_event"]) + 1
    assert after["agent"] != before["agent"]
    assert (await polled(http, agent["claim_token"])).json()["error"] == "slow_down"
