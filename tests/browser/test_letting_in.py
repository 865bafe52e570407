"""Letting programs, agents and oneself in, in a real browser: what a person reads, clicks, is led to."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
from aiohttp import web

from tests.browser.chromium import Chromium, must_have_axe, serving
from tests.daemon.oauth.visitor import CALLBACK, Program, introduced, program, stranger, use
from tests.daemon.running import RunningDaemon
from tests.daemon.site.browsing import PASSWORD, invite_of, link_of
from tests.daemon.site.test_google import ACCOUNT, GRACE, START, Scene, issuer, scene

pytestmark = [pytest.mark.slow, pytest.mark.judged]


@asynccontextmanager
async def waiting() -> AsyncIterator[tuple[str, list[dict[str, str]]]]:
    """A program on this machine that waits for the person: its address, and what it is told."""
    told: list[dict[str, str]] = []

    async def take(request: web.Request) -> web.Response:
        told.append(dict(request.query))
        return web.Response(text="<title>Back</title>You can close this.", content_type="text/html")

    async with serving({"/callback": take}) as address:
        yield f"{address}/callback", told


async def asked_for(http: httpx.AsyncClient) -> dict[str, Any]:
    """An agent that asks to be claimed by the owner."""
    agent = await introduced(http)
    return {**agent.told, **await agent.ask()}


async def test_a_program_is_let_in_and_taken_back(daemon: RunningDaemon, browser: Chromium) -> None:
    """Whoever is not signed in is asked to first; the browser then leads to the program and back."""
    link = daemon.base_url + await link_of(daemon)
    async with stranger(daemon) as http, waiting() as (address, told):
        reader = await program(http, client_name="Ledger Reader", redirect_uris=[CALLBACK])
        reader.redirect_uri = address
        asking = f"{daemon.base_url}/auth/oauth2/authorize?{urlencode(reader.asking())}"

        def allow() -> None:
            browser.go(asking)
            assert browser.path == "/sign-in"
            browser.go(link)
            browser.go(asking)
            assert "Ledger Reader wants" in browser.said
            assert "on this computer" in browser.said
            browser.click("button[value=allow]")
            assert browser.driver.title == "Back"

        await asyncio.to_thread(allow)
        got = await Program(http, reader.client, address, reader.verifier).exchange(told[0]["code"])
        token = got.json()["access_token"]
        assert (await use(http, token)).status_code == 200

        def take_back() -> None:
            browser.go(daemon.base_url + "/settings/developer")
            assert "Ledger Reader" in browser.said
            browser.one("#clients summary").click()
            browser.click("button[value=revoke-client]")
            assert "app no longer has access" in browser.said
            assert "No apps yet." in browser.said
            assert browser.complaints() == []

        await asyncio.to_thread(take_back)
        assert (await use(http, token)).status_code == 401


async def test_an_agent_is_claimed_and_revoked(daemon: RunningDaemon, browser: Chromium) -> None:
    """A wrong code is told; the right one claims; the settings show the agent, and revoke it."""
    link = daemon.base_url + await link_of(daemon)
    async with stranger(daemon) as http:
        agent = await asked_for(http)

        def claim() -> None:
            browser.go(link)
            browser.go(agent["verification_uri"])
            wrong = f"{(int(agent['user_code']) + 1) % 10**6:06}"
            browser.type(code=wrong)
            browser.click("button[value=claim]")
            assert "Wrong code" in browser.said
            browser.type(code=agent["user_code"])
            browser.click("button[value=claim]")
            assert "can now act for you" in browser.said
            browser.go(daemon.base_url + "/settings/developer")
            assert agent["registration_id"] in browser.said
            browser.one("#agents summary").click()
            browser.click("button[value=revoke-agent]")
            assert "Agent revoked" in browser.said
            assert browser.complaints() == []

        await asyncio.to_thread(claim)


async def test_axe_finds_nothing(daemon: RunningDaemon, browser: Chromium, tmp_path: Path) -> None:
    """Consent, claims and what the settings show of both keep nobody out."""
    must_have_axe()
    link = daemon.base_url + await link_of(daemon)
    async with stranger(daemon) as http:
        reader = await program(http, client_name="Ledger Reader " + "of long name " * 7)
        agent = await asked_for(http)
        asking = f"{daemon.base_url}/auth/oauth2/authorize?{urlencode(reader.asking())}"
        bad = f"{daemon.base_url}/auth/oauth2/authorize?client_id=nobody"
        await daemon.http.post("/api/v1/clients", json={"name": "Mine", "redirectUris": [CALLBACK]})
        found: list[str] = []

        def look(page: str, act: Callable[[], object]) -> None:
            act()
            found.extend(browser.judged(page, tmp_path))

        def walk() -> None:
            browser.go(link)
            look("consent", lambda: browser.go(asking))
            look("refused", lambda: browser.go(bad))
            look("claim", lambda: browser.go(agent["verification_uri"]))
            browser.type(code="000000")
            look("claim-wrong", lambda: browser.click("button[value=claim]"))
            look("no-claim", lambda: browser.go(f"{daemon.base_url}/claim?claim_attempt_token=x"))
            look("programs", lambda: browser.go(f"{daemon.base_url}/settings/developer"))
            browser.type(client_name="Another", redirect_uri=CALLBACK)
            browser.one("#kind-confidential").click()
            look("client-made", lambda: browser.click("button[value=create-client]"))
            assert "App registered" in browser.said

        await asyncio.to_thread(walk)
        assert found == []


__all__ = ["issuer", "scene"]

BUTTON = f'main a[href^="{START}"]'


async def test_google_is_connected_signed_in_with_and_disconnected(
    scene: Scene, browser: Chromium
) -> None:
    """Each button does what it says, by way of the issuer and back."""
    await scene.daemon.http.put("/api/v1/me/password", json={"password": PASSWORD})
    site, link = scene.daemon.base_url, scene.daemon.base_url + await link_of(scene.daemon)

    def walk() -> None:
        browser.go(link)
        browser.go(site + ACCOUNT)
        browser.click(BUTTON)
        assert "in with Google." in browser.said
        browser.forget()
        browser.go(f"{site}/settings/people")
        assert browser.path == "/sign-in"
        browser.click(BUTTON)
        assert browser.path == "/settings/people"
        browser.go(site + ACCOUNT)
        browser.click("button[value=disconnect-google]")
        assert "Google is disconnected" in browser.said
        assert browser.complaints() == []

    await asyncio.to_thread(walk)
    assert scene.issuer.asked.count("/authorize") == 2


async def test_the_buttons_keep_nobody_out(scene: Scene, browser: Chromium, tmp_path: Path) -> None:
    """Every page with a way to Google, connected or not, and the one for who may not come in."""
    must_have_axe()
    site, link = scene.daemon.base_url, scene.daemon.base_url + await link_of(scene.daemon)
    invite = site + await invite_of(scene.daemon, email=GRACE["email"])
    found: list[str] = []

    def look(page: str) -> None:
        found.extend(browser.judged(page, tmp_path))

    def walk() -> None:
        browser.go(f"{site}/sign-in")
        look("sign-in")
        browser.go(invite)
        look("join")
        browser.go(f"{site}/sign-in")
        browser.click(BUTTON)
        assert browser.path == "/sign-in/google/callback"
        look("refused")
        browser.go(link)
        browser.go(site + ACCOUNT)
        look("account")
        browser.click(BUTTON)
        assert "in with Google." in browser.said
        look("connected")

    await asyncio.to_thread(walk)
    assert found == []
