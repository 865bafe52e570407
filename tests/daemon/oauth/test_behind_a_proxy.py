"""A household server behind a proxy: its address is the site's, and so are issuer, links and cookies."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from finplan.daemon.auth.client_address import client_addresses
from tests.daemon.oauth.visitor import Http, program
from tests.daemon.running import RunningDaemon, running_daemon

SITE = "https://money.example"
CLIENT = "203.0.113.7"


@pytest.fixture
async def site(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon that trusts the proxy on its own machine."""
    async with running_daemon(
        tmp_path, empty_store, site_url=SITE, address_of=client_addresses(["127.0.0.1"])
    ) as running:
        yield running


@pytest.fixture
async def http(site: RunningDaemon) -> AsyncIterator[Http]:
    """The proxy, which hands on what a client of the network asks."""
    headers = {
        "Host": "money.example",
        "X-Forwarded-For": CLIENT,
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "evil.example",
    }
    async with httpx.AsyncClient(
        base_url=site.base_url, headers=headers, trust_env=False, verify=False
    ) as client:
        yield client


async def test_every_address_is_the_sites(site: RunningDaemon, http: Http) -> None:
    """The documents, the challenge and the links name the site, whatever a proxy says of hosts."""
    server = (await http.get("/.well-known/oauth-authorization-server/auth")).text
    resource = (await http.get("/.well-known/oauth-protected-resource")).json()
    refused = await http.get("/api/v1/me")
    link = await site.http.post("/api/v1/sessions/link", json={})
    invite = await site.http.post("/api/v1/invites", json={})

    assert f'"issuer":"{SITE}/auth"' in server
    assert "127.0.0.1" not in server
    assert "evil.example" not in server
    assert resource["resource"] == SITE
    assert f'resource_metadata="{SITE}/.well-known' in refused.headers["www-authenticate"]
    assert link.json()["url"].startswith(f"{SITE}/open?")
    assert invite.json()["url"].startswith(f"{SITE}/join?")


async def test_a_cookie_is_for_the_encrypted_site_alone(site: RunningDaemon, http: Http) -> None:
    """It is `__Host-`, so that no other host of the domain sets it, and goes by https only."""
    link = (await site.http.post("/api/v1/sessions/link", json={})).json()["url"]

    opened = await http.get(
        link.removeprefix(SITE), headers={"Accept": "text/html", "Sec-Fetch-Site": "none"}
    )

    cookie = opened.headers["set-cookie"]
    assert cookie.startswith("__Host-finplan=")
    assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert "Domain" not in cookie
    told = (await site.http.get("/api/v1/audit")).json()
    assert (told[0]["kind"], told[0]["address"]) == ("session.opened", CLIENT)


async def test_origins_are_the_sites(http: Http) -> None:
    """The site's own is let through, one without encryption or of another host is not."""
    statuses = {
        origin: (await http.post("/sign-in", headers={"Origin": origin}, data={})).status_code
        for origin in (SITE, "http://money.example", "https://evil.example")
    }
    assert statuses[SITE] != 403
    assert statuses["http://money.example"] == statuses["https://evil.example"] == 403


async def test_another_host_is_not_this_one(http: Http) -> None:
    """Whatever name points here, only the site's and the machine's own are answered."""
    assert (await http.get("/health", headers={"Host": "evil.example"})).status_code == 421


async def test_floods_are_counted_for_who_sends_them(http: Http) -> None:
    """One client's registrations do not use up another's, though both come by the proxy."""
    for _ in range(20):
        await program(http)
    full = await http.post("/auth/oauth2/register", json={"redirect_uris": ["https://a.example"]})
    other = await http.post(
        "/auth/oauth2/register",
        json={"redirect_uris": ["https://a.example"]},
        headers={"X-Forwarded-For": "203.0.113.8"},
    )
    assert (full.status_code, other.status_code) == (429, 201)
