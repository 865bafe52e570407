"""What stands behind the pages, and a visit to one of them by whom a session speaks for."""

import hashlib
import hmac
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from aiohttp import web

from finplan.daemon.auth.google import GoogleSignIn
from finplan.daemon.auth.sessions import Arrivals, BrowserSessions, LocalSession
from finplan.daemon.startup import LateSealer
from finplan.daemon.surfaces.site.statements.held_files import HeldFiles
from finplan.daemon.surfaces.site.throttle import Throttle
from finplan.model import figures
from finplan.model.base import Nothing, Wire
from finplan.model.errors import Forbidden
from finplan.model.user import HouseholdSettings, User
from finplan.operation import AnyOperation
from finplan.operations.person import SHOW_ME, SHOW_SETTINGS
from finplan.service.context import Caller, Context
from finplan.service.credentials.sessions import Browser
from finplan.service.password_hashes import Passwords
from finplan.store.store import Store

FORM_PROOF = "form_token"
"""The hidden field by which a form shows that a page of this very session sent it."""

_PURPOSE = b"a form of finplan"
_CONNECTING = b"connecting Google"


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """What stands behind the pages: who performs, for whom, and what signing in and joining need.

    `arrivals` are None where browsers have no private host.
    """

    perform: Callable[..., Awaitable[Any]]
    context_of: Callable[[Caller], Context]
    store: Store
    passwords: Passwords
    now: Callable[[], datetime]
    browsers: BrowserSessions
    local: LocalSession
    site_url: str
    registration: str
    throttle: Throttle
    sealer: LateSealer
    held: HeldFiles
    upload_limit: int
    google: GoogleSignIn | None
    port: int
    arrivals: Arrivals | None

    @property
    def is_open_to_all(self) -> bool:
        """Whether anybody may join, without an invite."""
        return self.registration == "open"

    def milliseconds(self) -> int:
        """The present instant as the interface writes it."""
        return int(self.now().timestamp() * 1000)

    def browser_of(self, request: web.Request) -> Browser:
        """Where a request comes from."""
        told = request.headers.get("User-Agent")
        # Bytes that are no text arrive as lone surrogates, which no store takes.
        said = told and told.encode(errors="surrogateescape").decode(errors="replace")
        return Browser(self.browsers.address_of(request), said)


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for a page by a person who is signed in."""

    request: web.Request
    desk: FrontDesk
    context: Context
    user: User
    settings: HouseholdSettings

    @property
    def shown_name(self) -> str:
        """What the person is called on their pages."""
        return self.user.name or self.user.email

    @property
    def form_token(self) -> str:
        """What the forms of this session carry, which nobody knows who cannot read its cookie."""
        return self._proof(_PURPOSE)

    @property
    def connecting_token(self) -> str:
        """What the way to Google carries that connects an account, as forms carry theirs."""
        return self._proof(_CONNECTING)

    def _proof(self, purpose: bytes) -> str:
        cookie = self.request.cookies[self.desk.browsers.cookie]
        return hmac.new(
            cookie.encode(errors="surrogateescape"), purpose, hashlib.sha256
        ).hexdigest()

    async def perform(self, operation: AnyOperation, ask: Wire | None = None) -> Any:
        """Perform a row of the table for the person."""
        return await self.desk.perform(self.context, operation, ask or Nothing())

    async def for_page(self, operation: AnyOperation) -> Any:
        """What a page of a row is drawn from."""
        return await self.desk.perform(self.context, operation, Nothing(), drawn=True)

    def check_form(self, token: str) -> None:
        """Refuse a form that no page of this session has drawn. Raises Forbidden."""
        if not hmac.compare_digest(token.encode(), self.form_token.encode()):
            raise Forbidden(
                "This form was opened before you signed in anew, or is not of this site. Open the page"
                " again, and send it from there."
            )

    def moment(self, milliseconds: int) -> str:
        """An instant as "21 November 2025, 09:05", where the person lives."""
        then = self._there(milliseconds)
        return f"{figures.long_date(then.date())}, {then:%H:%M}"

    def day(self, milliseconds: int) -> str:
        """The day of an instant as "21 November 2025", where the person lives."""
        return figures.long_date(self._there(milliseconds).date())

    def end(self, milliseconds: int) -> str:
        """The end of something: as an instant, or as that of its last day, where that is midnight."""
        zone = ZoneInfo(self.settings.time_zone)
        if milliseconds >= figures.LAST_INSTANT or not figures.is_midnight(milliseconds, zone):
            return self.moment(milliseconds)
        return f"the end of {figures.long_date(figures.last_day(milliseconds, zone))}"

    def _there(self, milliseconds: int) -> datetime:
        zone = ZoneInfo(self.settings.time_zone)
        return figures.moment(milliseconds, zone)


async def begin_visit(request: web.Request, desk: FrontDesk, caller: Caller) -> Visit:
    """A visit of a person whose session was found."""
    context = desk.context_of(caller)
    user = await desk.perform(context, SHOW_ME, Nothing())
    settings = await desk.perform(context, SHOW_SETTINGS, Nothing())
    return Visit(request, desk, context, user, settings)
