"""No browser is sent to a program that its person has not let in, unless the person says so."""

import json
from pathlib import Path

import httpx
import pytest
from sqlalchemy import Connection

from tests.daemon.oauth.visitor import AUTHORIZE, answered, decide, program, stranger
from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import PASSWORD, browsing, invite_of

SILENT = [
    ("none", "consent_required", "have not let this program in", "not signed in"),
    (" none  none ", "consent_required", "have not let this program in", "not signed in"),
    ("none login", "invalid_request", "The prompt none goes", "The prompt none goes"),
]
"""What a request says that wants nobody asked, and what comes of it."""


@pytest.mark.parametrize(("prompt", "error", "unapproved", "signed_out"), SILENT)
async def test_nobody_is_sent_unasked_to_a_program_that_they_have_not_let_in(
    http: httpx.AsyncClient,
    ada: httpx.AsyncClient,
    prompt: str,
    error: str,
    unapproved: str,
    signed_out: str,
) -> None:
    """Anybody may register an address, so `prompt=none` leads to a page until the person allows."""
    reader = await program(http, redirect_uris=["https://evil.example/back"])
    reader.redirect_uri = "https://evil.example/back"
    asking = reader.asking(prompt=prompt)

    async def shown(person: httpx.AsyncClient) -> str:
        page = await person.get(AUTHORIZE, params=asking)
        assert (page.status_code, "location" in page.headers) == (400, False)
        assert "This program cannot be let in" in page.text
        return page.text

    assert unapproved in await shown(ada)
    assert signed_out in await shown(http)
    denied = await decide(ada, reader.asking(), "deny")
    assert denied.headers["location"].startswith("https://evil.example/back?error=access_denied")
    assert unapproved in await shown(ada)

    await reader.tokens(ada)

    assert answered(await ada.get(AUTHORIZE, params=asking))["error"] == error
    assert signed_out in await shown(http)


async def test_what_one_person_let_in_sends_nobody_else(
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Neither before another person allows it nor once its access was taken back is anybody sent."""
    reader = await program(http)
    asking = reader.asking(prompt="none")
    await reader.tokens(ada)
    async with browsing(site) as grace:
        invite = (await invite_of(site)).partition("=")[2]
        form = {"email": "grace@example.org", "password": PASSWORD, "again": PASSWORD}
        assert (await grace.post("/join", {**form, "invite": invite})).status_code == 303
        others = await grace.http.get(AUTHORIZE, params=asking)
    before = await ada.get(AUTHORIZE, params=asking)
    revoked = await site.http.delete(f"/api/v1/clients/{reader.client['client_id']}")
    after = await ada.get(AUTHORIZE, params=asking)

    assert (others.status_code, "location" in others.headers) == (400, False)
    assert "have not let this program in" in others.text
    assert (before.status_code, revoked.status_code, after.status_code) == (303, 200, 400)


async def test_a_program_that_wants_nobody_asked_is_told_what_for(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """One that the person has let in: to allow it once more, since everybody is asked each time."""
    reader = await program(http)
    await reader.tokens(ada)

    sent_back = await ada.get(AUTHORIZE, params=reader.asking(prompt="none"))

    told = answered(sent_back)
    assert (told["error"], told["state"]) == ("consent_required", "as/it&is")
    assert told["iss"] == f"{str(http.base_url).rstrip('/')}/auth"
    assert sent_back.headers["location"].startswith(f"{reader.redirect_uri}?")
    assert "code" not in told


async def test_nobody_is_sent_where_a_program_did_not_register(
    http: httpx.AsyncClient, ada: httpx.AsyncClient
) -> None:
    """Nor to an address that it did not register, though the person has let it in."""
    reader = await program(http)
    await reader.tokens(ada)
    wrong: list[dict[str, str | list[str]]] = [
        {**reader.asking(prompt="none", redirect_uri="https://evil.example/back")},
        {**reader.asking(prompt="none", client_id="app_unknown")},
        {**reader.asking(), "prompt": ["none", "none"]},
    ]
    for person in (ada, http):
        for asking in wrong:
            refused = await person.get(AUTHORIZE, params=asking)
            assert (refused.status_code, "location" in refused.headers) == (400, False)
            assert "This program cannot be let in" in refused.text


async def test_a_browser_is_led_to_where_it_may_be_signed_in(
    tmp_path: Path, empty_store: Path
) -> None:
    """At the shared address nobody is signed in, so the page looks for the browser's private host."""
    async with (
        running_daemon(tmp_path, empty_store, private_hosts=True) as daemon,
        stranger(daemon) as http,
    ):
        asking = (await program(http)).asking(prompt="none")
        shown = {
            host: await http.get(
                AUTHORIZE, params=asking, headers={"Accept": "text/html", **host_of}
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
    site: RunningDaemon, http: httpx.AsyncClient, ada: httpx.AsyncClient, address: str
) -> None:
    """Whatever a stored client has, nobody is asked to be sent there; what it was granted goes on."""
    reader = await program(http)
    tokens = await reader.tokens(ada)

    def register(connection: Connection) -> None:
        connection.exec_driver_sql(
            "UPDATE oauth_client SET redirect_uris = ?",
            (json.dumps([address, *reader.client["redirect_uris"]]),),
        )

    await site.store.write(register)

    for asking in (reader.asking(redirect_uri=address), {**reader.asking(), "prompt": "none"}):
        shown = await ada.get(AUTHORIZE, params={**asking, "redirect_uri": address})
        assert (shown.status_code, "location" in shown.headers) == (400, False)
        assert f"send you to {address}, an address" in shown.text
    assert (await ada.get(AUTHORIZE, params=reader.asking())).status_code == 200
    assert (await reader.refresh(tokens["refresh_token"])).status_code == 200
