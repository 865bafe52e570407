"""What a person has granted: asked for and unasked, what it holds, what is shown, how long it lasts.

No browser is sent to a program that its person has not let in, unless the person says so; how long a
replay is known as one, what ends with what, and what needs no secret of the daemon.
"""

import json
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet
from sqlalchemy import Connection

from finplan.daemon.auth.client_address import counted_as
from finplan.daemon.startup import LateSealer
from finplan.model.errors import SecretsUnreachable, TooManyRequests
from finplan.service.authorization.agents import sweep
from finplan.service.password_hashes import MOST_WAITING, Passwords
from finplan.store.queries import authorization
from tests.daemon.let_in import let_a_client_in
from tests.daemon.oauth import visitor
from tests.daemon.running import NOW, RunningDaemon, running_daemon
from tests.daemon.site.browsing import PASSWORD, browsing, invite_of

SEVERAL = ["http://127.0.0.1/callback", "https://reader.example.org/back"]


async def test_a_replay_is_known_for_a_day(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http, moment: list[datetime]
) -> None:
    """What is forgotten meanwhile is no used code: hours later it still ends what followed from it."""
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
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http, moment: list[datetime]
) -> None:
    """Weeks after it was used, and after all that is over was forgotten, it ends its successors."""
    first = await reader.tokens(ada)
    second = (await reader.refresh(first["refresh_token"])).json()
    moment[0] += timedelta(days=29)
    now = int(moment[0].timestamp() * 1000)
    await site.store.write(lambda c: sweep(c, now))

    await reader.refresh(first["refresh_token"])

    assert (await reader.refresh(second["refresh_token"])).json()["error"] == "invalid_grant"


async def test_an_access_token_refreshes_nothing(
    reader: visitor.Program, ada: visitor.Http
) -> None:
    """Nor is it used up by the try."""
    tokens = await reader.tokens(ada)

    refused = await reader.refresh(tokens["access_token"])

    assert (refused.status_code, refused.json()["error"]) == (400, "invalid_grant")
    assert (await reader.use(tokens["access_token"])).status_code == 200


async def test_who_asks_for_nothing_in_particular_may_look(
    reader: visitor.Program, ada: visitor.Http
) -> None:
    """Without a scope the least is asked for, whatever the client registered for."""
    tokens = await reader.tokens(ada, scope=None)

    assert tokens["scope"] == "service:read"
    assert "refresh_token" not in tokens


async def test_signing_in_has_its_time(
    reader: visitor.Program, ada: visitor.Http, moment: list[datetime]
) -> None:
    """A client that asks how fresh a session is, is told when it began, and the token's own times."""
    moment[0] += timedelta(hours=2)

    tokens = await reader.tokens(ada, scope="openid")

    keys = KeySet.import_key_set((await reader.http.get("/auth/oauth2/jwks")).json())
    claims = jwt.decode(tokens["id_token"], keys, algorithms=["RS256"]).claims
    assert claims["auth_time"] == NOW.timestamp()
    assert claims["iat"] == moment[0].timestamp()
    assert "nonce" not in claims


@pytest.mark.parametrize(("addresses", "status"), [(SEVERAL, 400), (SEVERAL[1:], 200)])
async def test_a_client_with_several_addresses_says_which(
    http: visitor.Http, ada: visitor.Http, addresses: list[str], status: int
) -> None:
    """The one that is registered need not be named; of several none is taken by chance."""
    reader = await visitor.program(http, redirect_uris=addresses)

    page = await ada.get(visitor.AUTHORIZE, params=reader.asking(redirect_uri=None))

    assert page.status_code == status
    assert "location" not in page.headers


@pytest.mark.thorough
@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post"])
async def test_a_client_with_a_secret_is_nobody_without_it(
    http: visitor.Http, ada: visitor.Http, method: str
) -> None:
    """Not for a refresh token either, whose finder knows no secret; what is refused uses nothing up."""
    reader = await visitor.program(http, token_endpoint_auth_method=method)
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
    reader: visitor.Program, http: visitor.Http, ada: visitor.Http
) -> None:
    """One that is made up, in the form or in the header, makes nobody of it."""
    code = (await reader.let_in(ada))["code"]
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": reader.redirect_uri,
        "code_verifier": reader.verifier,
    }

    posted = await reader.exchange(code, client_secret="fpx_made_up")
    basic = await http.post(visitor.TOKEN, data=form, auth=(reader.client["client_id"], "made up"))

    assert {posted.status_code, basic.status_code} == {401}
    assert (await reader.exchange(code)).status_code == 200


async def test_a_refresh_token_is_its_clients_alone(http: visitor.Http, ada: visitor.Http) -> None:
    """Another client gets nothing by it, not even the end of it."""
    reader, other = await visitor.program(http), await visitor.program(http)
    tokens = await reader.tokens(ada)

    stolen = await other.refresh(tokens["refresh_token"])

    assert (stolen.status_code, stolen.json()["error"]) == (400, "invalid_grant")
    assert (await reader.refresh(tokens["refresh_token"])).status_code == 200


SILENT = [
    ("none", "consent_required", "have not allowed this app", "not signed in"),
    (" none  none ", "consent_required", "have not allowed this app", "not signed in"),
    (
        "none login",
        "invalid_request",
        "The prompt value none cannot",
        "The prompt value none cannot",
    ),
]
"""What a request says that wants nobody asked, and what comes of it."""


@pytest.mark.parametrize(("prompt", "error", "unapproved", "signed_out"), SILENT)
async def test_nobody_is_sent_unasked_to_a_program_that_they_have_not_let_in(
    http: visitor.Http, ada: visitor.Http, prompt: str, error: str, unapproved: str, signed_out: str
) -> None:
    """Anybody may register an address, so `prompt=none` leads to a page until the person allows."""
    reader = await visitor.program(http, redirect_uris=["https://evil.example/back"])
    reader.redirect_uri = "https://evil.example/back"
    asking = reader.asking(prompt=prompt)

    async def shown(person: visitor.Http) -> str:
        page = await person.get(visitor.AUTHORIZE, params=asking)
        assert visitor.led_nowhere(page)
        return page.text

    assert unapproved in await shown(ada)
    assert signed_out in await shown(http)
    denied = await visitor.decide(ada, reader.asking(), "deny")
    assert denied.headers["location"].startswith("https://evil.example/back?error=access_denied")
    assert unapproved in await shown(ada)

    await reader.tokens(ada)

    assert visitor.answered(await ada.get(visitor.AUTHORIZE, params=asking))["error"] == error
    assert signed_out in await shown(http)


async def test_consent_sends_nobody_else(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http
) -> None:
    """Neither before another person allows it nor once its access was taken back is anybody sent."""
    asking = reader.asking(prompt="none")
    await reader.tokens(ada)
    async with browsing(site) as grace:
        invite = (await invite_of(site)).partition("=")[2]
        form = {"email": "grace@example.org", "password": PASSWORD, "again": PASSWORD}
        assert (await grace.post("/join", {**form, "invite": invite})).status_code == 303
        others = await grace.http.get(visitor.AUTHORIZE, params=asking)
    before = await ada.get(visitor.AUTHORIZE, params=asking)
    revoked = await site.http.delete(f"/api/v1/clients/{reader.client['client_id']}")
    after = await ada.get(visitor.AUTHORIZE, params=asking)

    assert visitor.led_nowhere(others)
    assert "not allowed this" in others.text
    assert (before.status_code, revoked.status_code) == (303, 200)
    assert visitor.led_nowhere(after)


async def test_a_program_that_asks_nobody_is_told(
    reader: visitor.Program, http: visitor.Http, ada: visitor.Http
) -> None:
    """One that the person has let in: to allow it once more, since everybody is asked each time."""
    await reader.tokens(ada)

    sent_back = await ada.get(visitor.AUTHORIZE, params=reader.asking(prompt="none"))

    told = visitor.answered(sent_back)
    assert (told["error"], told["state"]) == ("consent_required", "as/it&is")
    assert told["iss"] == f"{str(http.base_url).rstrip('/')}/auth"
    assert sent_back.headers["location"].startswith(f"{reader.redirect_uri}?")
    assert "code" not in told


async def test_addresses_are_those_registered(
    reader: visitor.Program, http: visitor.Http, ada: visitor.Http
) -> None:
    """Nor to an address that it did not register, though the person has let it in."""
    await reader.tokens(ada)
    wrong: list[dict[str, str | list[str]]] = [
        {**reader.asking(prompt="none", redirect_uri="https://evil.example/back")},
        {**reader.asking(prompt="none", client_id="app_unknown")},
        {**reader.asking(), "prompt": ["none", "none"]},
    ]
    for person in (ada, http):
        for asking in wrong:
            refused = await person.get(visitor.AUTHORIZE, params=asking)
            assert visitor.led_nowhere(refused)


async def test_a_browser_is_led_to_where_it_signs_in(tmp_path: Path, empty_store: Path) -> None:
    """At the shared address nobody is signed in, so the page looks for the browser's private host."""
    async with (
        running_daemon(tmp_path, empty_store, private_hosts=True) as daemon,
        visitor.stranger(daemon) as http,
    ):
        asking = (await visitor.program(http)).asking(prompt="none")
        shown = {
            host: await http.get(
                visitor.AUTHORIZE, params=asking, headers={"Accept": "text/html", **host_of}
            )
            for host, host_of in (
                ("shared", {}),
                ("private", {"Host": f"{'a' * 26}.localhost:{daemon.port}"}),
            )
        }

    assert {host: page.status_code for host, page in shown.items()} == {
        "shared": 400,
        "private": 400,
    }
    assert 'data-path="/auth/oauth2/authorize?' in shown["shared"].text
    assert (
        "script-src 'self'; connect-src 'none'"
        in shown["shared"].headers["content-security-policy"]
    )
    assert "<script" not in shown["private"].text


@pytest.mark.parametrize("address", ["javascript:alert(1)", "myapp:/back", "http://b.example/"])
async def test_an_address_registered_under_older_rules_leads_nowhere(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http, address: str
) -> None:
    """Whatever a stored client has, nobody is asked to be sent there; what it was granted goes on."""
    tokens = await reader.tokens(ada)

    def register(connection: Connection) -> None:
        connection.exec_driver_sql(
            "UPDATE oauth_client SET redirect_uris = ?",
            (json.dumps([address, *reader.client["redirect_uris"]]),),
        )

    await site.store.write(register)

    for asking in (reader.asking(redirect_uri=address), {**reader.asking(), "prompt": "none"}):
        shown = await ada.get(visitor.AUTHORIZE, params={**asking, "redirect_uri": address})
        assert visitor.led_nowhere(shown)
        assert f"send you to {address}, an address" in shown.text
    assert (await ada.get(visitor.AUTHORIZE, params=reader.asking())).status_code == 200
    assert (await reader.refresh(tokens["refresh_token"])).status_code == 200


async def listed(site: RunningDaemon) -> list[dict[str, Any]]:
    """The clients, as the person's own session is told."""
    return list((await site.http.get("/api/v1/clients")).json())


async def test_a_client_tells_what_it_was_granted(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http, moment: list[datetime]
) -> None:
    """All that it still holds, in the order of the table, whatever else it may ask for."""
    await reader.tokens(ada, scope="service:read")
    moment[0] += timedelta(minutes=1)
    await reader.tokens(ada, scope="offline_access openid service:read")

    (shown,) = await listed(site)

    assert shown["granted"] == ["service:read", "openid", "offline_access"]
    assert shown["scopes"] == reader.client["scope"].split()
    assert shown["lastUsedAt"] == int(moment[0].timestamp() * 1000)


async def test_what_is_over_is_granted_no_more(
    site: RunningDaemon, http: visitor.Http, ada: visitor.Http, moment: list[datetime]
) -> None:
    """An hour ends what a token alone holds, to the second; a refresh token holds on."""
    lasting, short = await visitor.program(http), await visitor.program(http, client_name="Short")
    await lasting.tokens(ada, scope="service:read offline_access")
    await short.tokens(ada, scope="service:write")
    moment[0] += timedelta(hours=1, seconds=-1)
    before = {each["name"]: each["granted"] for each in await listed(site)}
    moment[0] += timedelta(seconds=1)
    after = {each["name"]: each["granted"] for each in await listed(site)}

    kept = ["service:read", "offline_access"]
    assert before == {"Ledger Reader": kept, "Short": ["service:write"]}
    assert after == {"Ledger Reader": kept}


async def test_a_waiting_code_is_a_grant(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http
) -> None:
    """What was allowed is shown at once, though the program has not come for it yet."""
    await visitor.decide(ada, reader.asking(scope="service:read"), "allow")

    (shown,) = await listed(site)

    assert (shown["granted"], shown["lastUsedAt"]) == (["service:read"], None)


async def test_a_client_of_ones_own_is_no_grant(
    site: RunningDaemon, http: visitor.Http, ada: visitor.Http
) -> None:
    """Making one grants nothing; letting it in does, and taking it back ends that."""
    body = {"name": "Mine", "redirectUris": ["http://127.0.0.1/callback"]}
    made = (await site.http.post("/api/v1/clients", json=body)).json()
    before = await listed(site)
    await visitor.Program(http, {"client_id": made["id"]}).tokens(ada, scope="service:read")
    after = await listed(site)
    gone = (await site.http.delete(f"/api/v1/clients/{made['id']}")).json()

    assert (made["granted"], before[0]["granted"]) == ([], [])
    assert after[0]["granted"] == ["service:read"]
    assert gone["granted"] == []


async def test_the_developer_page_tells_what_a_program_holds(
    reader: visitor.Program, ada: visitor.Http
) -> None:
    """What it is allowed, where it sends people, and when it was last used."""
    await reader.tokens(ada, scope="service:read offline_access")

    page = (await ada.get("/settings/developer")).text

    assert "you allow read, offline_access" in page
    assert "127.0.0.1" in page
    assert "last used " in page


async def test_when_others_use_a_program_is_theirs_to_know(
    site: RunningDaemon, http: visitor.Http, ada: visitor.Http, moment: list[datetime]
) -> None:
    """Who only let it in reads when it last came for them; who made it, when it last came at all."""
    body = {"name": "Mine", "redirectUris": ["http://127.0.0.1/callback"]}
    made = (await site.http.post("/api/v1/clients", json=body)).json()
    reader = await visitor.program(http)
    await reader.tokens(ada, scope="service:read")
    last = int(moment[0].timestamp() * 1000)

    def come_for_another(connection: Connection) -> None:
        for public_id in (made["id"], reader.client["client_id"]):
            row = authorization.client_of_id(connection, public_id)
            assert row is not None
            authorization.note_client_use(connection, row["no"], last + 1)

    await site.store.write(come_for_another)

    used = {each["name"]: each["lastUsedAt"] for each in await listed(site)}
    assert used == {"Ledger Reader": last, "Mine": last + 1}


async def test_a_link_ends_with_the_password(site: RunningDaemon, http: visitor.Http) -> None:
    """One that was made before a new password signs nobody in after it."""
    link = (await site.http.post("/api/v1/sessions/link", json={})).json()["url"]
    await site.http.put("/api/v1/me/password", json={"password": PASSWORD})
    opened = await http.get(link, headers={"Accept": "text/html", "Sec-Fetch-Site": "none"})
    assert opened.status_code == 401


async def test_a_client_that_was_let_in_once_is_kept(
    site: RunningDaemon, reader: visitor.Program, ada: visitor.Http, moment: list[datetime]
) -> None:
    """Though its tokens are over and forgotten, it is known when it comes again."""
    await reader.tokens(ada, scope="service:read")
    moment[0] += timedelta(days=2)
    now = int(moment[0].timestamp() * 1000)
    await site.store.write(lambda c: sweep(c, now))

    await visitor.program(reader.http)

    assert (await reader.refresh("x")).json()["error"] == "invalid_grant"


@pytest.fixture
async def locked(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon whose data key cannot be reached."""

    def refuse() -> bytes:
        raise SecretsUnreachable("The keyring is locked.")

    sealer = LateSealer(refuse)
    async with running_daemon(tmp_path / "locked", empty_store, sealer=sealer) as running:
        yield running


async def test_what_needs_no_secret_goes_on(locked: RunningDaemon) -> None:
    """With the keyring locked a token is good, and is given back; only what is signed is refused."""
    client_id, token = await let_a_client_in(locked)
    async with visitor.stranger(locked) as http:
        assert (await visitor.use(http, token)).status_code == 200
        answer = await http.post(visitor.REVOKE, data={"token": token, "client_id": client_id})
        assert (answer.status_code, answer.json()) == (200, {})
        assert (await visitor.use(http, token)).status_code == 401
        agent = await http.post("/agent/identity", json={"type": "anonymous"})
        assert (agent.status_code, agent.json()["code"]) == (503, "SERVICE_UNAVAILABLE")


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:2", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("unknown", "unknown"),
    ],
)
def test_a_network_of_ipv6_is_one_client(address: str, counted: str) -> None:
    """Who has one address of it has all; an IPv4 address is the same however it is written."""
    assert counted_as(address) == counted


async def test_who_comes_while_many_wait_is_told_so() -> None:
    """No more passwords wait than anybody would wait for."""
    passwords = Passwords(_waiting=MOST_WAITING)
    with pytest.raises(TooManyRequests):
        await passwords.verify(None, "x")
    passwords = Passwords(_waiting=MOST_WAITING - 1)
    assert not (await passwords.verify(None, "x")).fits
