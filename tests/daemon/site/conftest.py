"""What tests of the site share: browsers in front of a daemon, and a household of two people."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import PASSWORD, Visitor, browsing, invite_of, signed_in


@pytest.fixture
async def visitor(daemon: RunningDaemon) -> AsyncIterator[Visitor]:
    """A browser that is not signed in, in front of a daemon without data."""
    async with browsing(daemon) as browser:
        yield browser


@pytest.fixture
async def owner(daemon: RunningDaemon) -> AsyncIterator[Visitor]:
    """The browser of who owns the machine, signed in."""
    async with signed_in(daemon) as browser:
        yield browser


@pytest.fixture
async def guest(daemon: RunningDaemon) -> AsyncIterator[Visitor]:
    """The browser of somebody else, who has joined by an invite."""
    async with browsing(daemon) as browser:
        link = await invite_of(daemon)
        form = {"email": "grace@example.org", "name": "Grace", "password": PASSWORD}
        joined = await browser.post(
            "/join", {**form, "again": PASSWORD, "invite": link.partition("=")[2]}
        )
        assert joined.status_code == 303, joined.text
        yield browser


@pytest.fixture
async def open_to_all(tmp_path: Path, empty_store: Path) -> AsyncIterator[Visitor]:
    """A browser in front of a daemon that anybody may join."""
    async with (
        running_daemon(tmp_path / "open", empty_store, registration="open") as daemon,
        browsing(daemon) as browser,
    ):
        yield browser


@pytest.fixture
async def at_home(household: RunningDaemon) -> AsyncIterator[Visitor]:
    """The browser of who owns the demo household, signed in."""
    async with signed_in(household) as browser:
        yield browser
