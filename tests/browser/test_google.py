"""Signing in with Google in a real browser: the buttons lead there and back, and keep nobody out."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.chromium import LOOKS, Chromium, chromium, must_have_axe
from tests.browser.test_letting_in import judged
from tests.daemon.site.browsing import PASSWORD, invite_of, link_of
from tests.daemon.site.test_google import ACCOUNT, GRACE, START, Scene, issuer, scene

pytestmark = [pytest.mark.slow, pytest.mark.judged]

__all__ = ["issuer", "scene"]

BUTTON = f'main a[href^="{START}"]'


@pytest.fixture(scope="module")
def started() -> Iterator[Chromium]:
    """The one browser of these tests."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def browser(started: Chromium) -> Chromium:
    """A browser that nobody has used."""
    started.forget()
    started.complaints()
    started.look(*LOOKS[-1])
    return started


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
        assert "From now on you can sign in with Google." in browser.said
        browser.forget()
        browser.go(f"{site}/settings/people")
        assert browser.path == "/sign-in"
        browser.click(BUTTON)
        assert browser.path == "/settings/people"
        browser.go(site + ACCOUNT)
        browser.click("button[value=disconnect-google]")
        assert "Google lets you in no longer." in browser.said
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
        found.extend(judged(browser, page, tmp_path))

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
        assert "From now on you can sign in with Google." in browser.said
        look("connected")

    await asyncio.to_thread(walk)
    assert found == []
