"""First-party sessions: that of this machine's command line, and those of browsers.

A browser's cookie is sent by pages of other sites too, and by other programs' pages on this machine,
which share its name and its cookies whatever their port. What such a page asks for is refused by the
headers that browsers add and no page can change (`Sec-Fetch-Site`, `Origin`). A private host is a name
under `.localhost` that one browser knows; a session may be on its way there.
"""

import hmac
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import NamedTuple
from urllib.parse import urlsplit

from aiohttp import hdrs, web

from finplan.client.request import SESSION_COOKIE
from finplan.daemon.auth.client_address import AddressOf
from finplan.daemon.auth.credentials import UseNotes
from finplan.model.errors import Forbidden, Unauthorized
from finplan.service.context import Caller
from finplan.service.credentials import sessions
from finplan.store.store import Store

ARRIVAL_HOLDS = 60_000
"""How long an arrival is waited for, in milliseconds."""

_MOST_ARRIVALS = 100
_PRIVATE_HOST = re.compile(r"[a-z2-7]{26}\.localhost:[0-9]{1,5}")


def is_private_host(host: str) -> bool:
    """Whether a host is one that a browser may have to itself, whatever its port."""
    return _PRIVATE_HOST.fullmatch(host.lower()) is not None


class Arrival(NamedTuple):
    """A session's cookie, the path that the browser is led to, and until when both are kept."""

    cookie: str
    path: str
    ends: int


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The sessions that are on their way; the oldest gives way to the newest beyond a hundred."""

    _waiting: OrderedDict[str, Arrival] = field(default_factory=OrderedDict, repr=False)

    def expect(self, cookie: str, path: str, now: int) -> str:
        """Keep a session; answers the secret that fetches it, once and within a minute."""
        token = secrets.token_urlsafe(32)
        self._waiting[token] = Arrival(cookie, path, now + ARRIVAL_HOLDS)
        while len(self._waiting) > _MOST_ARRIVALS:
            self._waiting.popitem(last=False)
        return token

    def fetch(self, token: str, now: int) -> Arrival | None:
        """Take a session out; None when there is none, or it was waited for too long."""
        arrival = self._waiting.pop(token, None)
        return arrival if arrival is not None and now < arrival.ends else None


SITE_HEADER = "Sec-Fetch-Site"
_OURS = frozenset({"same-origin", "none"})
_SAFE = frozenset({hdrs.METH_GET, hdrs.METH_HEAD, hdrs.METH_OPTIONS})
ENDED = "The session has ended; run the command again, or sign in again."


def new_token() -> str:
    """A secret that cannot be guessed, safe in a cookie."""
    return secrets.token_urlsafe(32)


@dataclass(slots=True)
class LocalSession:
    """Who shows the token speaks for the owner and may do everything."""

    owner: int
    token: str = field(repr=False)

    def renew(self, owner: int) -> None:
        """End the session, and begin another one's with a new token."""
        self.owner, self.token = owner, new_token()

    def caller_of(self, request: web.Request) -> Caller | None:
        """Whom a request speaks for; None when it shows no token. Raises Unauthorized."""
        cookie = request.cookies.get(SESSION_COOKIE)
        if cookie is None:
            return None
        # Bytes that are no text arrive as lone surrogates, which only this way back can encode.
        if not hmac.compare_digest(cookie.encode(errors="surrogateescape"), self.token.encode()):
            raise Unauthorized(ENDED)
        return Caller(self.owner, sessions.EVERYTHING, "session")


def cookie_of(site_url: str, port: int) -> str:
    """The name of a browser's cookie: of one that only this host sets, where the site is encrypted.

    Daemons of several profiles are one host to a browser, so each has its own.
    """
    return "__Host-finplan" if is_encrypted(site_url) else f"finplan_browser_{port}"


def is_encrypted(site_url: str) -> bool:
    """Whether browsers reach the site by https."""
    return urlsplit(site_url).scheme == "https"


@dataclass(frozen=True, slots=True)
class BrowserSessions:
    """Finds the session of a browser's cookie; nothing is remembered, so one that ended is refused."""

    store: Store
    now: Callable[[], datetime]
    notes: UseNotes
    address_of: AddressOf
    cookie: str

    async def caller_of(self, request: web.Request) -> Caller | None:
        """Whom a request of our own pages speaks for; None when it shows no cookie.

        Raises Unauthorized when the session has ended, Forbidden when another site's page asks.
        """
        if self.cookie not in request.cookies:
            return None
        if not _is_led_to_private_host(request):
            refuse_other_sites(request)
        caller = await self.find(request)
        if caller is None:
            raise Unauthorized(ENDED)
        return caller

    async def find(self, request: web.Request) -> Caller | None:
        """Whom a browser's cookie speaks for, whoever's page asks; None when for nobody."""
        cookie = request.cookies.get(self.cookie)
        if cookie is None:
            return None
        now = int(self.now().timestamp() * 1000)
        address = self.address_of(request)
        session = await sessions.find_session(self.store, cookie, address, now)
        if session is None:
            return None
        if session.stale:
            work = partial(sessions.note_use, no=session.no, now=now)
            self.notes.note(session.caller.credential, work)
        return session.caller


def _is_led_to_private_host(request: web.Request) -> bool:
    """Whether a browser goes to its private host, as the shared address leads it: another site to it.

    No other page knows the way there, and a page that is gone to tells nothing to who led there.
    """
    is_visit = request.method in _SAFE and request.headers.get("Sec-Fetch-Mode") == "navigate"
    return is_visit and is_private_host(request.host)


def refuse_other_sites(request: web.Request) -> None:
    """Refuse what a page of another site, or of another port, makes a browser send. Raises Forbidden.

    The order is that of Go's `http.CrossOriginProtection`; a foreign Origin is refused at the door.
    """
    site = request.headers.get(SITE_HEADER)
    if site is not None:
        if site not in _OURS:
            raise Forbidden("A page of another site cannot use finplan.")
        return
    if request.method not in _SAFE and hdrs.ORIGIN not in request.headers:
        raise Forbidden(
            "This browser does not say which page sent the form, so nothing changed. Use another"
            " browser."
        )
