"""What a client gets that leaves things unsaid, and how long a replay is known as one."""

from datetime import datetime, timedelta

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from finplan.service.authorization.agents import sweep
from tests.daemon.oauth.visitor import AUTHORIZE, TOKEN, program, use
from tests.daemon.running import NOW, RunningDaemon

SEVERAL = ["http://127.0.0.1/callback", "https://reader.example.org/back"]


async def test_a_replay_is_known_for_a_day(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """What is forgotten meanwhile is no used code: hours later it still ends what followed from it."""
    reader = await program(http)
    code = (await reader.let_in(ada))["code"]
    tokens = (await reader.exchange(code)).json()
    moment[0] += timedelta(hours=23, minutes=59)
    now = int(moment[0].timestamp() * 1000)
    await site.store.write(lambda c: sweep(c, now))

    again = await reader.exchange(code)

    assert again.json()["error"] == "invalid_grant"
    assert (await reader.refresh(tokens["refresh_token"])).json()["error"] == "invalid_grant"
    kinds = [each["kind"] for each in (await site.http.get("/api/v1/audit")).json()]
    assert kinds.count("token.replayed") == 1


async def test_a_used_refresh_token_is_known_until_it_is_over(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """Weeks after it was used, and after all that is over was forgotten, it ends its successors."""
    reader = await program(http)
    first = await reader.tokens(ada)
    second = (await reader.refresh(first["refresh_token"])).json()
    moment[0] += timedelta(days=29)
    now = int(moment[0].timestamp() * 1000)
    await site.store.write(lambda c: sweep(c, now))

    await reader.refresh(first["refresh_token"])

    assert (await reader.refresh(second["refresh_token"])).json()["error"] == "invalid_grant"


async def test_an_access_token_refreshes_nothing(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Nor is it used up by the try."""
    reader = await program(http)
    tokens = await reader.tokens(ada)

    refused = await reader.refresh(tokens["access_token"])

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert (await use(http, tokens["access_token"])).status_code == 200


async def test_who_asks_for_nothing_in_particular_may_look(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Without a scope the least is asked for, whatever the client registered for."""
    reader = await program(http)

    tokens = await reader.tokens(ada, scope=None)

    assert tokens["scope"] == "service:read"
    assert "refresh_token" not in tokens


async def test_the_time_of_signing_in_is_that_of_the_session(
    http: httpx.AsyncClient, ada: httpx.AsyncClient, moment: list[datetime]
) -> None:
    """A client that asks how fresh a session is, is told when it began, and the token's own times."""
    reader = await program(http)
    moment[0] += timedelta(hours=2)

    tokens = await reader.tokens(ada, scope="openid")

    keys = KeySet.import_key_set((await http.get("/auth/oauth2/jwks")).json())
    claims = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims
    assert claims["auth_time"] == NOW.timestamp()
    assert claims["iat"] == moment[0].timestamp()
    assert "nonce" not in claims


@pytest.mark.parametrize(("addresses", "status"), [(SEVERAL, 400), (SEVERAL[1:], 200)])
async def test_a_client_with_several_addresses_says_which(
    http: httpx.AsyncClient, ada: httpx.AsyncClient, addresses: list[str], status: int
) -> None:
    """The one that is registered need not be named; of several none is taken by chance."""
    reader = await program(http, redirect_uris=addresses)

    page = await ada.get(AUTHORIZE, params=reader.asking(redirect_uri=None))

    assert page.status_code == status
    assert "location" not in page.headers


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_a_client_with_a_secret_is_nobody_without_it(
    http: httpx.AsyncClient, ada: httpx.AsyncClient, method: str
) -> None:
    """Not for a refresh token either, whose finder knows no secret; what is refused uses nothing up."""
    reader = await program(http, token_endpoint_auth_method=method)
    secret = reader.client["client_secret"]
    code = (await reader.let_in(ada))["code"]
    tokens = (await reader.exchange(code, client_secret=secret)).json()

    bare = await reader.refresh(tokens["refresh_token"])
    empty = await reader.refresh(tokens["refresh_token"], client_secret="")

    for refused in (bare, empty):
        assert (refused.status_code, refused.json()["error"]) == (401, "invalid_client")
    right = await reader.refresh(tokens["refresh_token"], client_secret=secret)
    assert right.status_code == 200


async def test_a_client_without_a_secret_shows_none(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """One that is made up, in the form or in the header, makes nobody of it."""
    reader = await program(http)
    code = (await reader.let_in(ada))["code"]
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": reader.redirect_uri,
        "code_verifier": reader.verifier,
    }

    posted = await reader.exchange(code, client_secret="fpx_made_up")
    basic = await http.post(TOKEN, data=form, auth=(reader.client["client_id"], "made up"))

    assert {posted.status_code, basic.status_code} == {401}
    assert (await reader.exchange(code)).status_code == 200


async def test_a_refresh_token_is_its_clients_alone(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Another client gets nothing by it, not even the end of it."""
    reader, other = await program(http), await program(http)
    tokens = await reader.tokens(ada)

    stolen = await other.refresh(tokens["refresh_token"])

    assert (stolen.status_code, stolen.json()["error"]) == (400, "invalid_grant")
    assert (await reader.refresh(tokens["refresh_token"])).status_code == 200
