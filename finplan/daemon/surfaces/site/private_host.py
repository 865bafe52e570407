"""The private host: a name under `.localhost` that only one browser knows, for its session's cookie.

A browser sends the cookies of 127.0.0.1 to every port there, so any program of the machine that serves a
page could collect them. A name that no other program knows has cookies of its own, and browsers lead
each name under `.localhost` to this machine. The browser chooses the name once and keeps it for the
address of this daemon, in a storage that other ports cannot read; that takes the site's one script.
Without it, or in a browser that does not find the name, the session stays at the shared address.
"""

import secrets

from aiohttp import web

from finplan.daemon.auth.sessions import is_private_host
from finplan.daemon.surfaces.authorization_server import SERVER_PATHS
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden
from finplan.daemon.surfaces.site.desk import FrontDesk
from finplan.daemon.surfaces.site.frame import ARRIVE, SCRIPT_PATH, heading, page, script_digest

ARRIVAL = "arrival"
"""The form, and its field with the secret, by which a browser fetches its session."""

_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_LENGTH = 26


def has_private_host(request: web.Request, desk: FrontDesk) -> bool:
    """Whether a browser asks by the shared address that may have a private host."""
    return desk.arrivals is not None and wants_page(request) and not is_private_host(request.host)


def lead_to_private_host(desk: FrontDesk, cookie: str, path: str) -> web.Response:
    """The page that sends a browser to its private host, where it fetches its session."""
    assert desk.arrivals is not None, "Without arrivals no browser has a private host."
    hosts = f"http://*.localhost:{desk.port}"
    response = page(
        "You are signed in",
        heading("You are signed in"),
        element(
            "form",
            hidden(ARRIVAL, desk.arrivals.expect(cookie, path, desk.milliseconds())),
            button("Go to your plan", tone="main"),
            method="post",
            action=ARRIVE,
            id=ARRIVAL,
            data_name="".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)),
            # Pages of any origin may read it, so a browser that finds the name can tell.
            data_probe=SERVER_PATHS[1],
            class_="stack",
        ),
        find_private_host(),
        form_targets=(hosts,),
        connects=(hosts,),
        narrow=True,
    )
    # Under `same-origin` the private host would not be told by `Origin` which page sends the form.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def find_private_host(path: str | None = None) -> Markup:
    """The site's one script; where the page has no form to send, it leads to a path there."""
    return element("script", src=f"{SCRIPT_PATH}?{script_digest()}", data_path=path)
