"""The private host over HTTP: who is taken there, who may fetch a session, and whom the door refuses.

So it is with a daemon that was started as people start it: by its settings, in its own process.
"""

import errno
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from finplan.client.connect import Ready, connect, probe
from finplan.daemon.auth.sessions import ARRIVAL_HOLDS, Arrivals
from finplan.daemon.port import holding_ipv6
from finplan.model.base import Nothing
from finplan.operations.credential import CREATE_SIGN_IN_LINK
from finplan.settings import Settings
from tests.daemon.ports import free_ports
from tests.daemon.running import RunningDaemon, running_daemon
from tests.daemon.site.browsing import ACCEPT, PASSWORD, Page, Visitor, browsing, invite_of, link_of
from tests.daemon.site.test_google import Clock
from tests.patience import LONG_ENOUGH

NAME = "abcdefghijklmnopqrstuvwxy2.localhost"
OTHER = "bbcdefghijklmnopqrstuvwxy2.localhost"


@dataclass
class Shared:
    """A daemon whose browsers have private hosts, a browser at its shared address, and its clock."""

    daemon: RunningDaemon
    browser: Visitor
    clock: Clock

    @property
    def host(self) -> str:
        return f"{NAME}:{self.daemon.port}"

    async def open(self) -> Page:
        """The page by which a browser that opens a link is sent to its private host."""
        answer = await self.browser.open()
        assert (answer.status_code, self.browser.session) == (200, None)
        assert answer.headers["referrer-policy"] == "strict-origin"
        return Page(answer.text)

    async def arrive(
        self, form: dict[str, list[str]], host: str | None = None, **headers: str
    ) -> httpx.Response:
        """Send the form as the script does, to the private host."""
        sent = {"host": host or self.host, "origin": self.daemon.base_url, **headers}
        return await self.browser.http.post("/arrive", data=form, headers=sent)


@pytest.fixture
async def shared(tmp_path: Path, empty_store: Path) -> AsyncIterator[Shared]:
    clock = Clock()
    async with (
        running_daemon(tmp_path, empty_store, private_hosts=True, clock=clock) as daemon,
        browsing(daemon) as browser,
    ):
        yield Shared(daemon, browser, clock)


async def test_a_session_is_fetched_once_and_at_the_private_host(shared: Shared) -> None:
    """The browser gets its cookie there, is led on, and a second try fetches nothing."""
    page = await shared.open()
    (form,) = page.forms
    arrived = await shared.arrive(form)
    assert (arrived.status_code, arrived.headers["location"]) == (303, "/")
    assert arrived.headers["set-cookie"].startswith(f"finplan_browser_{shared.daemon.port}=")
    headers = {"host": shared.host, "Sec-Fetch-Site": "same-origin"}
    cookie = arrived.headers["set-cookie"].partition(";")[0]
    settings = await shared.browser.http.get(
        "/settings/account", headers={**headers, "cookie": cookie}
    )
    assert settings.status_code == 200
    again = await shared.arrive(form)
    assert (again.status_code, again.headers["location"]) == (303, "/")
    assert "set-cookie" not in again.headers


async def test_a_session_is_not_waited_for_longer_than_a_minute(shared: Shared) -> None:
    (form,) = (await shared.open()).forms
    shared.clock.now += timedelta(milliseconds=ARRIVAL_HOLDS)
    late = await shared.arrive(form)
    assert (late.status_code, "set-cookie" in late.headers) == (303, False)
    assert (await shared.arrive(form, host=f"127.0.0.1:{shared.daemon.port}")).status_code == 401


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:{port}", 303),
        ("http://localhost:{port}", 303),
        (f"http://{NAME}:{{port}}", 303),
        (f"http://{OTHER}:{{port}}", 403),
        ("http://127.0.0.1:1", 403),
        ("http://evil.example", 403),
        ("null", 403),
        ("", 403),
    ],
)
async def test_only_this_daemons_pages_send_one(shared: Shared, origin: str, status: int) -> None:
    """Any other page would sign a browser in as somebody else; so might one that is not named."""
    (form,) = (await shared.open()).forms
    answer = await shared.arrive(form, origin=origin.format(port=shared.daemon.port))
    assert answer.status_code == status, answer.text


async def test_who_does_not_say_which_page_asks_fetches_nothing(shared: Shared) -> None:
    (form,) = (await shared.open()).forms
    headers = {"host": shared.host}
    assert (
        await shared.browser.http.post("/arrive", data=form, headers=headers)
    ).status_code == 403


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (f"{NAME}:{{port}}", 200),
        (f"{NAME.upper()}:{{port}}", 200),
        (f"{NAME}:1", 421),
        (NAME, 421),
        ("short.localhost:{port}", 421),
        (f"a{NAME}:{{port}}", 421),
        (f"{NAME}.evil.example:{{port}}", 421),
        (f"{NAME}:1.evil.example:{{port}}", 421),
        (f"{NAME.replace('a', '1')}:{{port}}", 421),
    ],
)
async def test_the_door_knows_private_hosts(shared: Shared, host: str, status: int) -> None:
    headers = {"host": host.format(port=shared.daemon.port)}
    assert (await shared.browser.http.get("/health", headers=headers)).status_code == status


async def test_without_private_hosts_there_are_none(daemon: RunningDaemon) -> None:
    """Their names are no hosts of the daemon, and a browser gets its session where it is."""
    headers = {"host": f"{NAME}:{daemon.port}"}
    assert (await daemon.http.get("/health", headers=headers)).status_code == 421
    async with browsing(daemon) as browser:
        opened = await browser.open()
        assert (opened.status_code, browser.session is None) == (303, False)
        assert (await browser.post("/arrive", {"arrival": "x"})).status_code == 404
        assert "script" not in (await browser.get("/sign-in")).headers["content-security-policy"]


async def test_passwords_and_invites_lead_there_too(shared: Shared) -> None:
    """No way of signing in leaves a session at the shared address of a browser that has another."""
    link = await invite_of(shared.daemon)
    form = {"email": "grace@example.org", "password": PASSWORD}
    joined = await shared.browser.post(
        "/join", {**form, "again": PASSWORD, "invite": link.partition("=")[2]}
    )
    signed_in = await shared.browser.post("/sign-in", {**form, "return_to": "/tasks"})
    assert shared.browser.session is None
    for answer, path in ((joined, "/"), (signed_in, "/tasks")):
        arrived = await shared.arrive(Page(answer.text).forms[0])
        assert arrived.headers["location"] == path


async def test_a_page_of_the_shared_address_leads_who_signed_in_elsewhere(shared: Shared) -> None:
    """The path is the one that was asked for; at the private host nobody is led away."""
    asked: dict[str, Any] = {"params": {"return_to": "/tasks?x=1"}}
    there = await shared.browser.http.get("/sign-in", **asked)
    (script,) = Page(there.text).all("script")
    assert script["data-path"] == "/tasks?x=1"
    assert "script-src 'self'; connect-src 'none'" in there.headers["content-security-policy"]
    sent = await shared.browser.http.get(script["src"])
    assert sent.headers["content-type"] == "text/javascript; charset=utf-8"
    here = await shared.browser.http.get("/sign-in", **asked, headers={"host": shared.host})
    assert "<script" not in here.text


async def test_a_program_keeps_its_cookie_where_it_is(shared: Shared) -> None:
    """Who takes no pages runs no script."""
    path = await link_of(shared.daemon)
    opened = await shared.browser.get(path, Accept="application/json")
    assert (opened.status_code, shared.browser.session is None) == (303, False)


def test_a_hundred_sessions_are_on_their_way_at_most() -> None:
    arrivals = Arrivals()
    tokens = [arrivals.expect(str(number), "/", 0) for number in range(101)]
    assert arrivals.fetch(tokens[0], 0) is None
    assert [arrivals.fetch(token, ARRIVAL_HOLDS - 1) for token in tokens[1:]] != []
    assert arrivals.fetch(tokens[1], 0) is None


def test_nobody_else_can_listen_where_browsers_look_first() -> None:
    """While the daemon has the port of `[::1]`, a program that binds it fails; where one has it, no."""
    port = free_ports(1)
    with holding_ipv6(port) as held:
        assert held
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with pytest.raises(OSError, check=lambda error: error.errno == errno.EADDRINUSE):
                other.bind(("::1", port))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("::1", port))
    with socket.create_server(("::1", port), family=socket.AF_INET6), holding_ipv6(port) as held:
        assert not held


async def test_a_session_at_the_shared_address_ends_with_the_next_one(shared: Shared) -> None:
    """It was sent to every port, so no way of signing in leaves it there."""
    path = await link_of(shared.daemon)
    assert (await shared.browser.get(path, Accept="application/json")).status_code == 303
    former = {"cookie": f"{shared.browser.cookie}={shared.browser.session}"}
    opened = await shared.browser.open()
    assert opened.headers["set-cookie"].startswith(f'{shared.browser.cookie}="";')
    shared.browser.http.cookies.clear()
    refused = await shared.browser.http.get("/settings/account", headers=former)
    assert (refused.status_code, refused.headers["location"].partition("?")[0]) == (303, "/sign-in")


async def test_localhost_leads_to_the_one_shared_address(shared: Shared) -> None:
    """A browser keeps the name of its private host for that address alone."""
    headers = {"host": f"localhost:{shared.daemon.port}"}
    led = await shared.browser.http.get("/sign-in?return_to=/tasks", headers=headers)
    assert led.headers["location"] == f"{shared.daemon.base_url}/sign-in?return_to=/tasks"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Sec-Fetch-Mode": "navigate"}, 200),
        ({"Sec-Fetch-Mode": "cors"}, 403),
        ({"Sec-Fetch-Mode": "no-cors"}, 403),
        ({}, 403),
    ],
)
async def test_a_visit_from_the_shared_address_is_let_in(
    shared: Shared, headers: dict[str, str], status: int
) -> None:
    """It is another site to the private host; nothing but a visit of its pages is taken from there."""
    (form,) = (await shared.open()).forms
    cookie = (await shared.arrive(form)).headers["set-cookie"].partition(";")[0]
    sent = {"host": shared.host, "cookie": cookie, "Sec-Fetch-Site": "cross-site", **headers}
    assert (await shared.browser.http.get("/api/v1/me", headers=sent)).status_code == status
    changed = await shared.browser.http.patch("/api/v1/me", json={"name": "X"}, headers=sent)
    assert changed.status_code == 403
    at_shared = sent | {"host": f"127.0.0.1:{shared.daemon.port}"}
    assert (await shared.browser.http.get("/api/v1/me", headers=at_shared)).status_code == 403


HEADERS = {"Accept": ACCEPT, "Sec-Fetch-Site": "none"}


@pytest.mark.thorough
@pytest.mark.parametrize(("registration", "shown"), [("open", True), ("invite", False)])
def test_who_may_join_is_a_setting(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, registration: str, shown: bool
) -> None:
    """The daemon's pages follow the setting, and the machine's link opens the plan."""
    monkeypatch.setenv("FINPLAN_REGISTRATION", registration)
    with connect(settings, lambda _said: None) as client:
        link = client.call(CREATE_SIGN_IN_LINK, Nothing()).url
    found = probe(settings)
    assert isinstance(found, Ready)
    with httpx.Client(
        base_url=found.url, headers=HEADERS, follow_redirects=True, timeout=LONG_ENOUGH
    ) as browser:
        assert ("No account yet?" in Page(browser.get("/").text).said) is shown
        # A browser without the site's script goes on by a button, and stays at the shared address.
        (form,) = Page(browser.get(link).text).forms
        came = browser.post("/arrive", data=form, headers={"Origin": found.url})
        assert "No transactions yet" in Page(came.text).said

    log = settings.places.log.read_text(encoding="utf-8")
    assert "GET /open 200" in log
    assert "POST /arrive 303" in log
    assert form["arrival"][0] not in log
    assert link.partition("=")[2] not in log


@pytest.mark.thorough
def test_a_port_that_another_program_listens_to_gives_no_private_host(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Browsers would ask that program first, at `[::1]`, and send it the session."""
    port = free_ports(1)
    monkeypatch.setenv("FINPLAN_PORT", str(port))
    with socket.create_server(("::1", port), family=socket.AF_INET6):
        with connect(replace(settings, port=port), lambda _said: None) as client:
            link = client.call(CREATE_SIGN_IN_LINK, Nothing()).url
        with httpx.Client(headers=HEADERS, timeout=LONG_ENOUGH) as browser:
            assert browser.get(link).status_code == 303
    log = settings.places.log.read_text(encoding="utf-8")
    assert "a private host" in log
