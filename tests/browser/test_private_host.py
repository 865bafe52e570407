"""The private host in a real browser: no other port of this machine is sent its session."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from aiohttp import web

from finplan.client.sign_in_page import sign_in_page
from finplan.daemon.auth.google import GoogleSignIn
from finplan.daemon.auth.sessions import is_private_host
from tests.browser.chromium import Chromium, serving
from tests.browser.test_letting_in import waiting
from tests.browser.test_site import TITLE, beside
from tests.daemon.oauth.visitor import CALLBACK, program, stranger
from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import PASSWORD, invite_of, link_of
from tests.daemon.site.fake_issuer import CLIENT, SECRET, serving_issuer
from tests.daemon.site.test_google import ACCOUNT, START

ASKING_TO_LET_IN = "Allow this app? – finplan"

pytestmark = [pytest.mark.slow, pytest.mark.judged]


@pytest.fixture
async def private(tmp_path: Path, household_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon whose browsers have private hosts, with the demo household."""
    async with running_daemon(tmp_path, household_store, private_hosts=True) as running:
        yield running


@pytest.fixture
def browser(browser: Chromium, private: RunningDaemon) -> Chromium:
    """A browser that nobody has used."""
    browser.driver.execute_cdp_cmd(
        "Storage.clearDataForOrigin", {"origin": private.base_url, "storageTypes": "all"}
    )
    return browser


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[str, list[str]]]:
    """Another program of this machine that serves a page: its port, and the cookies that it is sent."""
    sent: list[str] = []

    async def take(request: web.Request) -> web.Response:
        sent.append(request.headers.get("Cookie", ""))
        return web.Response(text="<title>Thief</title>Hello", content_type="text/html")

    async with serving({"/": take}) as address:
        yield address.rpartition(":")[2], sent


def host_of(browser: Chromium) -> str:
    return urlsplit(browser.driver.current_url).netloc


async def open_home(daemon: RunningDaemon, browser: Chromium, folder: Path) -> None:
    """Sign the browser in as `finplan open` does, and wait for the plan at the private host."""
    link = daemon.base_url + await link_of(daemon)

    def walk() -> None:
        with sign_in_page(link, daemon.token, folder) as page:
            browser.go(page.as_uri())
            browser.await_title(TITLE)
        assert is_private_host(host_of(browser))
        assert browser.complaints() == []

    await beside(walk)


async def test_no_other_port_is_sent_the_session(
    private: RunningDaemon, browser: Chromium, tmp_path: Path
) -> None:
    """Neither by 127.0.0.1 nor by localhost; the shared address leads back to the private host."""
    await open_home(private, browser, tmp_path)
    host = host_of(browser)
    await open_home(private, browser, tmp_path)
    assert host_of(browser) == host

    async with listening() as (port, sent):

        def walk() -> None:
            for name in ("127.0.0.1", "localhost"):
                browser.go(f"http://{name}:{port}/")
                assert browser.driver.title == "Thief"
            browser.go(f"{private.base_url}/settings/developer")
            browser.await_title("Developer, settings – finplan")
            assert host_of(browser) == host
            browser.go(f"http://localhost:{private.port}/api/v1/plan/view")
            browser.await_path("/api/v1/plan/view")
            assert "Surplus a" in browser.said
            assert host_of(browser) == host

        await beside(walk)
    assert sent == ["", ""]


async def test_a_program_is_let_in_from_the_shared_address(
    private: RunningDaemon, browser: Chromium, tmp_path: Path
) -> None:
    """Who is signed in is led to the question at once, and nobody else learns the private host."""
    await open_home(private, browser, tmp_path)
    async with stranger(private) as http, waiting() as (address, told):
        reader = await program(http, client_name="Ledger Reader", redirect_uris=[CALLBACK])
        reader.redirect_uri = address
        asking = f"{private.base_url}/auth/oauth2/authorize?{urlencode(reader.asking())}"

        def allow() -> None:
            browser.go(asking)
            browser.await_title(ASKING_TO_LET_IN)
            assert is_private_host(host_of(browser))
            browser.click("button[value=allow]")
            browser.await_title("Back")
            assert browser.driver.execute_script("return document.referrer") == ""
            assert browser.complaints() == []

        await beside(allow)
    assert set(told[0]) == {"code", "state", "iss"}
    assert told[0]["iss"] == f"{private.base_url}/auth"


async def test_a_program_that_wants_nobody_asked_is_answered_from_the_private_host(
    private: RunningDaemon, browser: Chromium, tmp_path: Path
) -> None:
    """It asks at the shared address, where nobody is signed in; once let in, it gets its error."""
    await open_home(private, browser, tmp_path)
    async with stranger(private) as http, waiting() as (address, told):
        reader = await program(http, client_name="Ledger Reader", redirect_uris=[CALLBACK])
        reader.redirect_uri = address
        at = f"{private.base_url}/auth/oauth2/authorize"

        def ask() -> None:
            browser.go(f"{at}?{urlencode(reader.asking(prompt='none'))}")
            browser.await_text("not allowed this")
            assert is_private_host(host_of(browser))
            browser.go(f"{at}?{urlencode(reader.asking())}")
            browser.await_title(ASKING_TO_LET_IN)
            browser.click("button[value=allow]")
            browser.await_title("Back")
            browser.go(f"{at}?{urlencode(reader.asking(prompt='none'))}")
            browser.await_title("Back")

        await beside(ask)
    assert [each.get("error") for each in told] == [None, "consent_required"]


async def test_a_password_typed_at_the_shared_address_signs_in_at_the_private_host(
    private: RunningDaemon, browser: Chromium
) -> None:
    """So does joining; the same browser keeps its host."""
    link = private.base_url + await invite_of(private, email="grace@example.org")

    def walk() -> None:
        browser.go(link)
        browser.type(name="Grace", password=PASSWORD, again=PASSWORD)
        browser.click("main form .button")
        browser.await_title("Your plan – finplan")
        host = host_of(browser)
        assert is_private_host(host)
        browser.click(".out button")
        assert host_of(browser) == host
        browser.driver.execute_script("localStorage.clear()")
        browser.go(f"{private.base_url}/sign-in?return_to=/settings/activity")
        browser.await_title("Sign in – finplan")
        assert host_of(browser) == host
        browser.type(email="grace@example.org", password=PASSWORD)
        browser.click("main form .button")
        browser.await_title("Access log, settings – finplan")
        assert host_of(browser) == host
        assert browser.complaints() == []

    await beside(walk)


async def test_google_leads_back_to_the_private_host(
    tmp_path: Path, household_store: Path, started: Chromium
) -> None:
    """Google knows the shared address alone, and the browser goes on to where it left from."""
    async with (
        serving_issuer() as issuer,
        running_daemon(
            tmp_path,
            household_store,
            private_hosts=True,
            google=GoogleSignIn(issuer.url, CLIENT, SECRET),
        ) as daemon,
    ):
        started.forget()
        await open_home(daemon, started, tmp_path)

        def connect() -> None:
            host = host_of(started)
            started.go(f"{daemon.base_url}/settings/account")
            started.await_title("Account, settings – finplan")
            started.click(f"a[href^='{START}']")
            started.await_path(ACCOUNT)
            assert host_of(started) == host
            assert started.driver.current_url.endswith("?done=google-connected")

        await beside(connect)


@pytest.mark.parametrize("without", ["script", "name"])
async def test_without_a_private_host_one_signs_in_at_the_shared_address(
    private: RunningDaemon, browser: Chromium, without: str
) -> None:
    """With no script a button leads on; where the name is not found, the browser goes on by itself."""
    link = private.base_url + await link_of(private)
    ways: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
        "script": ("Emulation.setScriptExecutionDisabled", {"value": True}, {"value": False}),
        "name": ("Network.setBlockedURLs", {"urls": ["*.localhost:*"]}, {"urls": []}),
    }
    command, on, off = ways[without]

    def walk() -> None:
        browser.driver.execute_cdp_cmd("Network.enable", {})
        browser.driver.execute_cdp_cmd(command, on)
        try:
            browser.go(link)
            if without == "script":
                assert "signed in" in browser.driver.title
                browser.click("main form .button")
            browser.await_title(TITLE)
            assert host_of(browser) == f"127.0.0.1:{private.port}"
        finally:
            browser.driver.execute_cdp_cmd(command, off)

    await beside(walk)
