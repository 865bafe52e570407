"""The pages by which people come in: with a password, by a link of the machine, by an invite."""

from urllib.parse import urlencode

from aiohttp import web

from finplan.client.sign_in_page import PROOF, is_proof
from finplan.daemon.auth.sessions import is_private_host, refuse_other_sites
from finplan.daemon.middleware import CALLER
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages.markup import button, command, element, hidden
from finplan.daemon.surfaces.site import frame, handlers
from finplan.daemon.surfaces.site.google import INVITE, way_to_google
from finplan.daemon.surfaces.site.visit import FrontDesk, Visit
from finplan.model.credential import SHORTEST_PASSWORD
from finplan.model.errors import BadRequest, Fault, Forbidden, Unauthorized
from finplan.model.user import UserChange
from finplan.service.credentials import sign_in
from finplan.service.credentials.sessions import use_link
from finplan.service.people import local_time_zone

PASSWORD_HINT = f"At least {SHORTEST_PASSWORD} characters, such as four unrelated words."


async def show_sign_in(
    request: web.Request, desk: FrontDesk, _typed: frame.TypedForm
) -> web.Response:
    """The page for signing in; who is signed in already is led on."""
    to = handlers.local_path(request.query.get(handlers.RETURN_TO))
    if CALLER in request:
        return frame.see_other(to)
    if handlers.has_private_host(request, desk) and not desk.site_url.endswith(f"//{request.host}"):
        # A browser keeps the name of its private host for one address, and `localhost` is another.
        return frame.see_other(f"{desk.site_url}{request.rel_url}")
    return _sign_in_page(desk, to, elsewhere=handlers.has_private_host(request, desk))


async def take_sign_in(
    request: web.Request, desk: FrontDesk, typed: frame.TypedForm
) -> web.Response:
    """Sign in with an address and a password. Raises Unauthorized, TooManyRequests for a program."""
    email, to = typed.one("email").strip(), handlers.local_path(typed.one(handlers.RETURN_TO))
    try:
        cookie = await _begin_session(request, desk, email, typed.one("password"))
    except Fault as fault:
        if not wants_page(request):
            raise
        return _sign_in_page(desk, to, email=email, fault=fault)
    return await handlers.let_in(request, desk, cookie, to)


async def _begin_session(request: web.Request, desk: FrontDesk, email: str, password: str) -> str:
    browser = desk.browser_of(request)
    desk.throttle.enter(email, browser.address)
    cookie = await sign_in.sign_in(
        desk.store, desk.passwords, email, password, browser, desk.milliseconds()
    )
    desk.throttle.succeed(email, browser.address)
    return cookie


def _sign_in_page(
    desk: FrontDesk,
    to: str,
    *,
    email: str = "",
    fault: Fault | None = None,
    elsewhere: bool = False,
) -> web.Response:
    """The page for signing in; a browser may be signed in `elsewhere`, and is then led there."""
    return frame.narrow_page(
        "Sign in",
        frame.form(
            None,
            frame.SIGN_IN,
            hidden(handlers.RETURN_TO, to),
            frame.email_field(email),
            frame.password_field("password", "Password", "current-password"),
            button("Sign in", tone="main"),
        ),
        element(
            "p",
            "On the machine that runs finplan you need no password: ",
            command("finplan open"),
            " signs you in.",
            class_="soft",
        ),
        None if desk.google is None else way_to_google("Sign in with Google", return_to=to),
        element("p", "No account yet? ", element("a", "Create one", href=handlers.JOIN), ".")
        if desk.is_open_to_all
        else None,
        handlers.find_private_host(to) if elsewhere else None,
        connects=() if elsewhere else None,
        fault=fault,
    )


async def sign_out(visit: Visit, _typed: frame.TypedForm) -> web.Response:
    """End the session of the browser that asks."""
    await handlers.end_own_session(visit.request, visit.desk)
    return handlers.forget_cookie(visit.desk, frame.see_other(frame.SIGN_IN))


# --- by a link of the machine ----------------------------------------------------------------------


async def open_by_link(
    request: web.Request, desk: FrontDesk, _typed: frame.TypedForm
) -> web.Response:
    """Sign in by a link, which its use uses up; a browser that only looks ahead does not use it.

    Raises Forbidden, Unauthorized for a program.
    """
    try:
        cookie = await _use_link(request, desk)
    except (Forbidden, Unauthorized) as fault:
        if not wants_page(request):
            raise
        way = element("p", element("a", "Sign in with a password", href=frame.SIGN_IN))
        return frame.narrow_page("This link cannot sign you in", way, fault=fault)
    return await handlers.let_in(request, desk, cookie, frame.HOME)


async def _use_link(request: web.Request, desk: FrontDesk) -> str:
    if not request.query.get("link"):
        raise Unauthorized(
            "This page needs a sign-in link. Run `finplan open` on the machine that runs finplan; it"
            " creates a link and opens it."
        )
    if any("prefetch" in request.headers.get(name, "") for name in ("Sec-Purpose", "Purpose")):
        raise Forbidden(
            "This link works once, so finplan does not let browsers load it in advance. Open the link"
            " yourself."
        )
    link = request.query.get("link", "")
    try:
        # The page of `finplan open` is a file, which browsers take for another site.
        if not is_proof(request.query.get(PROOF, ""), desk.local.token, link):
            refuse_other_sites(request)
    except Forbidden as fault:
        # Another site's page could sign a person in as somebody else.
        raise Forbidden(
            "You were not signed in, because another site opened this link. Paste the link into the"
            " address bar instead; it still works."
        ) from fault
    browser, now = desk.browser_of(request), desk.milliseconds()
    return await desk.store.write(lambda connection: use_link(connection, link, browser, now))


# --- at the private host ---------------------------------------------------------------------------


async def arrive(request: web.Request, desk: FrontDesk, typed: frame.TypedForm) -> web.Response:
    """Let a browser in that fetches its session. Raises Unauthorized, Forbidden for a program."""
    assert desk.arrivals is not None, "Without arrivals no browser is led here."
    arrival = desk.arrivals.fetch(typed.one(handlers.ARRIVAL), desk.milliseconds())
    if arrival is None:
        if is_private_host(request.host):
            # Whoever goes back to the page that led here is signed in already; anybody else is asked to.
            return frame.see_other(frame.HOME)
        raise Unauthorized(
            "This page was already used, or is more than a minute old. Sign in again."
        )
    return await handlers.let_in_here(request, desk, arrival.cookie, arrival.path)


# --- by an invite ----------------------------------------------------------------------------------


async def show_joining(
    request: web.Request, desk: FrontDesk, _typed: frame.TypedForm
) -> web.Response:
    """The page for joining, by an invite or where anybody may."""
    return await _joining(request, desk, frame.NOTHING_TYPED, request.query.get(INVITE) or None)


async def take_joining(
    request: web.Request, desk: FrontDesk, typed: frame.TypedForm
) -> web.Response:
    """Join, and be signed in. Raises what joining does for a program."""
    invite = typed.maybe(INVITE)
    try:
        cookie = await _join_person(request, desk, typed, invite)
    except Fault as fault:
        if not wants_page(request):
            raise
        return await _joining(request, desk, typed, invite, fault)
    return await handlers.let_in(request, desk, cookie, frame.HOME)


async def _join_person(
    request: web.Request, desk: FrontDesk, typed: frame.TypedForm, invite: str | None
) -> str:
    browser = desk.browser_of(request)
    desk.throttle.knock(browser.address)
    if invite is None and not desk.is_open_to_all:
        raise Forbidden("You need an invite to join. Ask the owner of this machine for one.")
    who = frame.parse_ask(UserChange, email=typed.one("email").strip(), name=typed.maybe("name"))
    assert who.email is not None, "An empty address was refused."
    if typed.one("password") != typed.one("again"):
        raise BadRequest("The two passwords differ. Type the same password twice.")
    joining = sign_in.Joining(who.email, typed.one("password"), who.name, local_time_zone(), invite)
    return await sign_in.join(desk.store, desk.passwords, joining, browser, desk.milliseconds())


async def _joining(
    request: web.Request,
    desk: FrontDesk,
    typed: frame.TypedForm,
    invite: str | None,
    fault: Fault | None = None,
) -> web.Response:
    open_invite: sign_in.InviteShown | None = None
    if invite is not None:
        token, now = invite, desk.milliseconds()
        try:
            open_invite = await desk.store.read(lambda c: sign_in.look_at_invite(c, token, now))
        except Unauthorized as over:
            if not wants_page(request):
                raise
            return _no_joining(over)
    elif not desk.is_open_to_all:
        refusal = Forbidden(
            "You need an invite to join. The owner of this machine creates one under Settings, People,"
            " or with `finplan invites create`."
        )
        return _no_joining(refusal)
    fixed = None if open_invite is None else open_invite.email
    by = (
        ("Create your own account on this finplan. Nobody else sees your data.",)
        if open_invite is None
        else (
            element("bdi", open_invite.by),
            " invites you to create your own account on this finplan. You do not see each other's data.",
        )
    )
    return frame.narrow_page(
        "Join finplan",
        frame.form(
            None,
            handlers.JOIN,
            None if invite is None else hidden(INVITE, invite),
            frame.email_field(fixed or typed.one("email"), readonly=fixed is not None),
            frame.name_field(typed.one("name")),
            frame.password_field("password", "Password", "new-password", PASSWORD_HINT),
            frame.password_field("again", "Repeat password", "new-password"),
            button("Join", tone="main"),
        ),
        None if desk.google is None else way_to_google("Join with Google", invite=invite),
        element(
            "p",
            "Already have an account? ",
            element(
                "a",
                "Sign in",
                href=f"{frame.SIGN_IN}?{urlencode({handlers.RETURN_TO: frame.HOME})}",
            ),
            ".",
            class_="soft",
        ),
        lead=by,
        fault=fault,
    )


def _no_joining(fault: Fault) -> web.Response:
    way = element("p", element("a", "Sign in", href=frame.SIGN_IN))
    return frame.narrow_page("You cannot join", way, fault=fault)
