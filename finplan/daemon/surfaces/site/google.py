"""Signing in, joining, and connecting an account with Google: the way there, and the way back."""

import hmac
from urllib.parse import urlencode

from aiohttp import web

from finplan.daemon.auth.google import GoogleSignIn, NotIdentified
from finplan.daemon.auth.sessions import refuse_other_sites
from finplan.daemon.middleware import CALLER
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages.markup import Markup, element
from finplan.daemon.surfaces.site.desk import FrontDesk, begin_visit
from finplan.daemon.surfaces.site.doors import (
    GOOGLE,
    GOOGLE_CALLBACK,
    RETURN_TO,
    let_in,
    local_path,
)
from finplan.daemon.surfaces.site.forms import TypedForm, alert, with_retry
from finplan.daemon.surfaces.site.frame import HOME, SETTINGS, SIGN_IN, heading, page, see_other
from finplan.daemon.surfaces.site.google_errand import (
    HOLDS,
    LONGEST_INVITE,
    LONGEST_PATH,
    GoogleErrand,
    errand_of,
    forget_errand,
    keep_errand,
)
from finplan.daemon.surfaces.site.private_host import find_private_host, has_private_host
from finplan.model.errors import BadRequest, Fault, Forbidden
from finplan.service.credentials import google
from finplan.service.credentials.google import GoogleIdentity

INVITE = "invite"
CONNECT = "connect"
_CONNECTED = f"{SETTINGS}/account?done=google-connected"


def way_to_google(label: str, **told: str | None) -> Markup:
    """What leads to Google, in the looks of a button; what is None, or the first page, goes unsaid."""
    query = urlencode({name: value for name, value in told.items() if value not in {None, HOME}})
    way = f"{GOOGLE}?{query}" if query else GOOGLE
    return element("p", element("a", label, href=way, class_="button"), class_="stack")


async def lead_to_google(request: web.Request, desk: FrontDesk, _typed: TypedForm) -> web.Response:
    """Send a browser to Google. Raises Forbidden, BadRequest, GoogleUnreachable for a program."""
    try:
        return await _led(request, desk)
    except Fault as fault:
        if not wants_page(request):
            raise
        return _not_done(request, fault)


async def _led(request: web.Request, desk: FrontDesk) -> web.Response:
    # Another site's page could let somebody join, or be signed in, who asked for neither.
    refuse_other_sites(request)
    desk.throttle.depart(desk.browsers.address_of(request))
    errand = await _errand(request, desk)
    if CALLER in request and errand.invite is None and errand.connects is None:
        return see_other(errand.return_to)
    way = await _client(desk).way(errand.asking(f"{desk.site_url}{GOOGLE_CALLBACK}"))
    response = see_other(way)
    await keep_errand(desk, errand, response)
    return response


async def _errand(request: web.Request, desk: FrontDesk) -> GoogleErrand:
    to, invite = local_path(request.query.get(RETURN_TO)), request.query.get(INVITE) or None
    if invite is not None and len(invite) > LONGEST_INVITE:
        raise BadRequest("This is no invite. Open the link that you were sent again.")
    return GoogleErrand(
        to if len(to) <= LONGEST_PATH else HOME,
        invite,
        await _connecting(request, desk),
        desk.milliseconds() + HOLDS * 1000,
    )


async def _connecting(request: web.Request, desk: FrontDesk) -> str | None:
    """The session whose account is to be connected. Raises Forbidden where no page of it asks."""
    shown = request.query.get(CONNECT)
    if shown is None:
        return None
    caller = request.get(CALLER)
    visit = None if caller is None else await begin_visit(request, desk, caller)
    if visit is None or not hmac.compare_digest(shown.encode(), visit.connecting_token.encode()):
        raise Forbidden("Connect Google from your own page: Settings, Account.")
    return visit.context.caller.credential


def _client(desk: FrontDesk) -> GoogleSignIn:
    assert desk.google is not None, "Without a client there is no way here."
    return desk.google


async def come_back(request: web.Request, desk: FrontDesk, _typed: TypedForm) -> web.Response:
    """Take what Google answers, once. Raises what signing in and joining do for a program."""
    try:
        response = await _taken(request, desk)
    except Fault as fault:
        if not wants_page(request):
            raise
        # Who left for Google from the private host has the errand there.
        elsewhere = isinstance(fault, BadRequest) and has_private_host(request, desk)
        response = _not_done(request, fault, elsewhere=elsewhere)
        # The address of this page has Google's code in it.
        response.headers["Referrer-Policy"] = "no-referrer"
    return forget_errand(desk, response)


async def _taken(request: web.Request, desk: FrontDesk) -> web.Response:
    browser = desk.browser_of(request)
    desk.throttle.knock(browser.address)
    errand = await errand_of(desk, request)
    identity = await _identified(request, desk, errand)
    if errand.connects is not None:
        response = await _connected(request, desk, errand, identity)
    else:
        cookie = await google.come_in(
            desk.store,
            identity,
            browser,
            desk.milliseconds(),
            invite=errand.invite,
            open_to_all=desk.is_open_to_all,
        )
        response = await let_in(request, desk, cookie, errand.return_to)
    desk.throttle.let_pass(browser.address)
    return response


async def _identified(
    request: web.Request, desk: FrontDesk, errand: GoogleErrand
) -> GoogleIdentity:
    client, now = _client(desk), desk.milliseconds()
    code = request.query.get("code")
    try:
        await client.check_issuer(request.query.get("iss"))
        if not code:
            raise Forbidden("Google was not allowed to say who you are. Nothing was changed.")
        asking = errand.asking(f"{desk.site_url}{GOOGLE_CALLBACK}")
        return await client.identify(code, asking, now // 1000)
    except NotIdentified:
        said = "What came from Google to sign somebody in could not be trusted."
        await google.note_failure(desk.store, said, desk.browser_of(request), now)
        raise


async def _connected(
    request: web.Request, desk: FrontDesk, errand: GoogleErrand, identity: GoogleIdentity
) -> web.Response:
    caller = request.get(CALLER)
    if caller is None or caller.credential != errand.connects:
        raise Forbidden(
            "You were signed out meanwhile, so no Google account was connected. Sign in, then connect it"
            " under Settings, Account."
        )
    await google.connect(desk.store, caller, identity, desk.milliseconds())
    response = see_other(_CONNECTED)
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _not_done(request: web.Request, fault: Fault, *, elsewhere: bool = False) -> web.Response:
    signed_in = CALLER in request
    return with_retry(
        fault,
        page(
            "That did not work with Google",
            heading("That did not work with Google"),
            alert(fault.message),
            element("p", element("a", "Go to your settings", href=SETTINGS))
            if signed_in
            else element("p", element("a", "Go to the page for signing in", href=SIGN_IN)),
            find_private_host(str(request.rel_url)) if elsewhere else None,
            connects=() if elsewhere else None,
            status=fault.status,
            narrow=True,
        ),
    )
