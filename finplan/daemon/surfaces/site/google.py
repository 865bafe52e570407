"""Signing in, joining, and connecting an account with Google: the way there, and the way back.

What a browser was sent to Google for is kept in a sealed cookie of that browser until it comes back.
Nobody else can write such a cookie, read it, or carry what Google answers into another browser.
"""

import base64
import hmac
import json
import secrets
from dataclasses import asdict, dataclass, field
from urllib.parse import urlencode

from aiohttp import web

from finplan.daemon.auth.google import GoogleRequest, GoogleSignIn, NotIdentified
from finplan.daemon.auth.sessions import refuse_other_sites
from finplan.daemon.middleware import CALLER
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages.markup import Markup, element
from finplan.daemon.surfaces.site import frame, handlers
from finplan.daemon.surfaces.site.visit import FrontDesk, begin_visit
from finplan.model.errors import BadRequest, Fault, Forbidden
from finplan.service.credentials import google
from finplan.service.credentials.google import GoogleIdentity
from finplan.store.sealing import CannotOpen

ERRAND_HOLDS = 600
"""How long one may take at Google, in seconds."""

LONGEST_PATH = 1000
LONGEST_INVITE = 200
"""More would not fit into a cookie, and no invite is as long."""

_ABOUT_ERRANDS = b"an errand to Google"


@dataclass(frozen=True, slots=True)
class GoogleErrand:
    """One way to Google and back: to sign in, to join by an `invite`, or to connect an account.

    `connects` is the credential of the session whose person's account is connected.
    """

    return_to: str
    invite: str | None = None
    connects: str | None = None
    ends: int = 0
    state: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    nonce: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48), repr=False)

    def asking(self, redirect_uri: str) -> GoogleRequest:
        """What Google is told of it."""
        return GoogleRequest(redirect_uri, self.state, self.nonce, self.verifier)


async def keep_errand(desk: FrontDesk, errand: GoogleErrand, response: web.Response) -> None:
    """Let a browser keep an errand until it comes back."""
    sealer = await desk.sealer()
    sealed = sealer.seal(json.dumps(asdict(errand)).encode(), _ABOUT_ERRANDS)
    response.set_cookie(
        _errand_cookie(desk),
        base64.urlsafe_b64encode(sealed).decode(),
        max_age=ERRAND_HOLDS,
        **desk.cookie_bounds,
    )


async def errand_of(desk: FrontDesk, request: web.Request) -> GoogleErrand:
    """The errand that a browser comes back from, with the state that it was sent with.

    Raises BadRequest for any other browser, or one that took too long.
    """
    cookie, state = request.cookies.get(_errand_cookie(desk)), request.query.get("state", "")
    errand = None if cookie is None else await _open_errand(desk, cookie)
    if errand is None or not hmac.compare_digest(errand.state.encode(), _plain_errand(state)):
        raise BadRequest(
            "This Google sign-in began in another browser, or was already used. Start again at"
            f" {desk.site_url}/sign-in, in the browser that you want to use."
        )
    if errand.ends <= desk.milliseconds():
        raise BadRequest(
            f"Signing in with Google took more than {ERRAND_HOLDS // 60} minutes. Start again at"
            f" {desk.site_url}/sign-in."
        )
    return errand


async def _open_errand(desk: FrontDesk, cookie: str) -> GoogleErrand | None:
    sealer = await desk.sealer()
    try:
        content = sealer.open(base64.urlsafe_b64decode(_plain_errand(cookie)), _ABOUT_ERRANDS)
    except (CannotOpen, ValueError):
        return None
    return GoogleErrand(**json.loads(content))


def _plain_errand(text: str) -> bytes:
    # Bytes that are no text arrive as lone surrogates.
    return text.encode(errors="surrogateescape")


def forget_errand(desk: FrontDesk, response: web.Response) -> web.Response:
    """Let a browser forget its errand, which is over whatever came of it."""
    response.del_cookie(_errand_cookie(desk), **desk.cookie_bounds)
    return response


def _errand_cookie(desk: FrontDesk) -> str:
    return f"{desk.browsers.cookie}_google"


INVITE = "invite"
CONNECT = "connect"
_CONNECTED = f"{frame.SETTINGS}/account?done=google-connected"


def way_to_google(label: str, **fields: str | None) -> Markup:
    """What leads to Google, in the looks of a button; what is None, or the first page, goes unsaid."""
    query = urlencode(
        {name: value for name, value in fields.items() if value not in {None, frame.HOME}}
    )
    way = f"{handlers.GOOGLE}?{query}" if query else handlers.GOOGLE
    return element("p", element("a", label, href=way, class_="button"), class_="stack")


async def lead_to_google(
    request: web.Request, desk: FrontDesk, _typed: frame.TypedForm
) -> web.Response:
    """Send a browser to Google. Raises Forbidden, BadRequest, GoogleUnreachable for a program."""
    try:
        return await _start_errand(request, desk)
    except Fault as fault:
        if not wants_page(request):
            raise
        return _draw_failure(request, fault)


async def _start_errand(request: web.Request, desk: FrontDesk) -> web.Response:
    # Another site's page could let somebody join, or be signed in, who asked for neither.
    refuse_other_sites(request)
    desk.throttle.depart(desk.browsers.address_of(request))
    errand = await _new_errand(request, desk)
    if CALLER in request and errand.invite is None and errand.connects is None:
        return frame.see_other(errand.return_to)
    way = await _client(desk).way(errand.asking(f"{desk.site_url}{handlers.GOOGLE_CALLBACK}"))
    response = frame.see_other(way)
    await keep_errand(desk, errand, response)
    return response


async def _new_errand(request: web.Request, desk: FrontDesk) -> GoogleErrand:
    to, invite = (
        handlers.local_path(request.query.get(handlers.RETURN_TO)),
        request.query.get(INVITE) or None,
    )
    if invite is not None and len(invite) > LONGEST_INVITE:
        raise BadRequest("This is not an invite. Open the link that you received again.")
    return GoogleErrand(
        to if len(to) <= LONGEST_PATH else frame.HOME,
        invite,
        await _connecting(request, desk),
        desk.milliseconds() + ERRAND_HOLDS * 1000,
    )


async def _connecting(request: web.Request, desk: FrontDesk) -> str | None:
    """The session whose account is to be connected. Raises Forbidden where no page of it asks."""
    token = request.query.get(CONNECT)
    if token is None:
        return None
    caller = request.get(CALLER)
    visit = None if caller is None else await begin_visit(request, desk, caller)
    if visit is None or not hmac.compare_digest(token.encode(), visit.connecting_token.encode()):
        raise Forbidden("Connect Google under Settings, Account.")
    return visit.context.caller.credential


def _client(desk: FrontDesk) -> GoogleSignIn:
    assert desk.google is not None, "This route needs a Google client."
    return desk.google


async def come_back(request: web.Request, desk: FrontDesk, _typed: frame.TypedForm) -> web.Response:
    """Take what Google answers, once. Raises what signing in and joining do for a program."""
    try:
        response = await _finish_errand(request, desk)
    except Fault as fault:
        if not wants_page(request):
            raise
        # Who left for Google from the private host has the errand there.
        elsewhere = isinstance(fault, BadRequest) and handlers.has_private_host(request, desk)
        response = _draw_failure(request, fault, elsewhere=elsewhere)
        # The address of this page has Google's code in it.
        response.headers["Referrer-Policy"] = "no-referrer"
    return forget_errand(desk, response)


async def _finish_errand(request: web.Request, desk: FrontDesk) -> web.Response:
    browser = desk.browser_of(request)
    desk.throttle.knock(browser.address)
    errand = await errand_of(desk, request)
    identity = await _identify(request, desk, errand)
    if errand.connects is not None:
        response = await _connect_account(request, desk, errand, identity)
    else:
        cookie = await google.come_in(
            desk.store,
            identity,
            browser,
            desk.milliseconds(),
            invite=errand.invite,
            open_to_all=desk.is_open_to_all,
        )
        response = await handlers.let_in(request, desk, cookie, errand.return_to)
    desk.throttle.let_pass(browser.address)
    return response


async def _identify(request: web.Request, desk: FrontDesk, errand: GoogleErrand) -> GoogleIdentity:
    client, now = _client(desk), desk.milliseconds()
    code = request.query.get("code")
    try:
        await client.check_issuer(request.query.get("iss"))
        if not code:
            raise Forbidden("You did not allow Google to share your identity. Nothing changed.")
        asking = errand.asking(f"{desk.site_url}{handlers.GOOGLE_CALLBACK}")
        return await client.identify(code, asking, now // 1000)
    except NotIdentified:
        text = "Refused a Google sign-in that could not be verified."
        await google.note_failure(desk.store, text, desk.browser_of(request), now)
        raise


async def _connect_account(
    request: web.Request, desk: FrontDesk, errand: GoogleErrand, identity: GoogleIdentity
) -> web.Response:
    caller = request.get(CALLER)
    if caller is None or caller.credential != errand.connects:
        raise Forbidden(
            "You were signed out meanwhile, so Google was not connected. Sign in, then connect Google"
            " under Settings, Account."
        )
    await google.connect(desk.store, caller, identity, desk.milliseconds())
    response = frame.see_other(_CONNECTED)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _draw_failure(request: web.Request, fault: Fault, *, elsewhere: bool = False) -> web.Response:
    label, way = "Go to sign-in", frame.SIGN_IN
    if CALLER in request:
        label, way = "Go to settings", frame.SETTINGS
    return frame.narrow_page(
        "Google sign-in failed",
        element("p", element("a", label, href=way)),
        handlers.find_private_host(str(request.rel_url)) if elsewhere else None,
        connects=() if elsewhere else None,
        fault=fault,
    )
