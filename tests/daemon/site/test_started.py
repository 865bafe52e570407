"""The site of a daemon that was started as people start it: by its settings, in its own process."""

import socket
from dataclasses import replace

import httpx
import pytest

from finplan.client.connect import Ready, connect, probe
from finplan.model.base import Nothing
from finplan.operations.credential import CREATE_SIGN_IN_LINK
from finplan.settings import Settings
from tests.daemon.ports import free_ports
from tests.daemon.site.browsing import ACCEPT, Page
from tests.daemon.test_process import settings
from tests.patience import LONG_ENOUGH

__all__ = ["settings"]

HEADERS = {"Accept": ACCEPT, "Sec-Fetch-Site": "none"}


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
        page = Page(browser.get("/").text)
        assert ("No account yet? Make one" in page.said) is shown
        # A browser without the site's script goes on by a button, and stays at the shared address.
        (form,) = Page(browser.get(link).text).forms
        came = browser.post("/arrive", data=form, headers={"Origin": found.url})
        assert "There is nothing to plan with yet" in Page(came.text).said

    log = settings.places.log.read_text(encoding="utf-8")
    assert "GET /open 200" in log
    assert "POST /arrive 303" in log
    assert form["arrival"][0] not in log
    assert link.partition("=")[2] not in log


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
    assert "browsers have no private host" in log
