"""The handbook in a real browser: it is read and searched, and keeps nobody out."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from finplan.handbook.pages import handbook
from tests.browser.chromium import NARROW, WIDE, Chromium, Scheme, must_have_axe
from tests.daemon.running import RunningDaemon, running_daemon

pytestmark = [pytest.mark.slow, pytest.mark.judged]

INDEX = "/api/docs/handbook"


@pytest.fixture
async def daemon(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    """A daemon that the browser was never let into."""
    async with running_daemon(tmp_path, empty_store) as running:
        yield running


async def test_a_question_leads_to_its_section(daemon: RunningDaemon, browser: Chromium) -> None:
    """Whoever types a question reads which pages answer it, and is led to the section."""

    def walk() -> None:
        browser.go(daemon.base_url + INDEX)
        browser.type(query="nginx configuration")
        browser.await_another_page(browser.one("form button").click)
        browser.click('a[href$="/proxy#nginx"]')
        assert browser.path == "/api/docs/proxy"
        assert "proxy_buffering off;" in browser.said
        assert browser.complaints() == []

    await asyncio.to_thread(walk)


async def test_axe_finds_nothing(daemon: RunningDaemon, browser: Chromium) -> None:
    """No page violates what axe checks, narrow by night and wide by day, nor is it too wide."""
    must_have_axe()
    # Of a page's colors none hangs on its width.
    looks: tuple[tuple[int, Scheme], ...] = ((NARROW, "dark"), (WIDE, "light"))
    paths = [
        "/api/docs",
        INDEX,
        f"{INDEX}?query=statement",
        *(f"/api/docs/{name}" for name in handbook()),
    ]

    def walk() -> list[str]:
        wrong = []
        for width, scheme in looks:
            browser.look(width, scheme)
            for path in paths:
                browser.go(daemon.base_url + path)
                found = [*browser.barriers(), *browser.complaints()]
                wrong += [f"{path} at {width}, {scheme}: {each}" for each in found]
        return wrong

    assert await asyncio.to_thread(walk) == []
