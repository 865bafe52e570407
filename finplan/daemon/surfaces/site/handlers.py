"""How a request comes to a page's handler: with a session, or for anybody, or as an error's page.

A browser is shown a page where a program gets an envelope.

The private host is a name under `.localhost` that only one browser knows, for its session's cookie. A
browser sends the cookies of 127.0.0.1 to every port there, so any program of the machine that serves a
page could collect them. A name that no other program knows has cookies of its own, and browsers lead
each name under `.localhost` to this machine. The browser chooses the name once and keeps it for the
address of this daemon, in a storage that other ports cannot read; that takes the site's one script.
Without it, or in a browser that does not find the name, the session stays at the shared address.
"""

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from finplan.client.request import SESSION_COOKIE
from finplan.daemon.auth.credentials import KEY_HEADER
from finplan.daemon.auth.sessions import is_private_host, refuse_other_sites
from finplan.daemon.middleware import CALLER, for_visitors
from finplan.daemon.surfaces.authorization_server import SERVER_PATHS
from finplan.daemon.surfaces.negotiation import is_looked_at, wants_page
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden, sentence
from finplan.daemon.surfaces.rest.uploads import Form, received
from finplan.daemon.surfaces.site import frame
from finplan.daemon.surfaces.site.visit import FORM_PROOF, FrontDesk, Visit, begin_visit
from finplan.model import errors
from finplan.model.base import Nothing
from finplan.model.credential import SessionId
from finplan.operations.credential import END_SESSION, LIST_SESSIONS
from finplan.service.credentials.sessions import LONGEST

ARRIVAL = "arrival"
"""The form, and its field with the secret, by which a browser fetches its session."""

_LETTERS_OF_HOST = "abcdefghijklmnopqrstuvwxyz234567"
_LENGTH_OF_HOST = 26


def has_private_host(request: web.Request, desk: FrontDesk) -> bool:
    """Whether a browser asks by the shared address that may have a private host."""
    return desk.arrivals is not None and wants_page(request) and not is_private_host(request.host)


def lead_to_private_host(desk: FrontDesk, cookie: str, path: str) -> web.Response:
    """The page that sends a browser to its private host, where it fetches its session."""
    assert desk.arrivals is not None, "Without arrivals no browser has a private host."
    hosts = f"http://*.localhost:{desk.port}"
    response = frame.narrow_page(
        "You are signed in",
        element(
            "form",
            hidden(ARRIVAL, desk.arrivals.expect(cookie, path, desk.milliseconds())),
            button("Go to your plan", tone="main"),
            method="post",
            action=frame.ARRIVE,
            id=ARRIVAL,
            data_name="".join(secrets.choice(_LETTERS_OF_HOST) for _ in range(_LENGTH_OF_HOST)),
            # Pages of any origin may read it, so a browser that finds the name can tell.
            data_probe=SERVER_PATHS[1],
            class_="stack",
        ),
        find_private_host(),
        form_targets=(hosts,),
        connects=(hosts,),
    )
    # Under `same-origin` the private host would not be told by `Origin` which page sends the form.
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


def find_private_host(path: str | None = None) -> Markup:
    """The site's one script; where the page has no form to send, it leads to a path there."""
    return element("script", src=f"{frame.SCRIPT_PATH}?{frame.script_digest()}", data_path=path)


OPEN, JOIN = "/open", "/join"
RETURN_TO = "return_to"

_LOCAL_PATH = re.compile(r"/(?!/)[A-Za-z0-9_/-]*(\?[!-\[\]-~]*)?")
"""One slash and then plain letters, so that no browser reads a host or another path out of it."""

GOOGLE = f"{frame.SIGN_IN}/google"
GOOGLE_CALLBACK = f"{GOOGLE}/callback"
_SIGN_IN_PATHS = frozenset(
    {OPEN, JOIN, frame.ARRIVE, frame.SIGN_IN, frame.SIGN_OUT, GOOGLE, GOOGLE_CALLBACK}
)

AnswerAnybody = Callable[[web.Request, FrontDesk, frame.TypedForm], Awaitable[web.Response]]
AnswerVisit = Callable[[Visit, frame.TypedForm], Awaitable[web.Response]]
AnswerFiles = Callable[[Visit, Form], Awaitable[web.Response]]


def for_anybody(desk: FrontDesk, answer: AnswerAnybody) -> Handler:
    """A handler for whoever asks; what changes something is taken from pages of this site alone."""

    async def handle(request: web.Request) -> web.Response:
        typed = frame.NOTHING_TYPED
        if request.method == hdrs.METH_POST:
            refuse_other_sites(request)
            typed = await frame.read_form(request)
        return await answer(request, desk, typed)

    return for_visitors(handle)


def for_arrivals(desk: FrontDesk, answer: AnswerAnybody) -> Handler:
    """A handler for a form that a page of this daemon sends from another of its hosts.

    The door lets no other origin pass; who names none might be any, and would sign in whom it likes.
    """

    async def handle(request: web.Request) -> web.Response:
        if hdrs.ORIGIN not in request.headers:
            raise errors.Forbidden(
                "This browser sends no Origin header, so finplan cannot check which site signs "
                "you in. Use"
                " another browser."
            )
        return await answer(request, desk, await frame.read_form(request))

    return for_visitors(handle)


def for_the_signed_in(desk: FrontDesk, answer: AnswerVisit) -> Handler:
    """A handler for who is signed in; anybody else is asked to, and led back.

    A form is taken from a page of this site and of this session alone.
    """

    async def handle(request: web.Request) -> web.Response:
        if request.method == hdrs.METH_POST:
            refuse_other_sites(request)
        caller = request.get(CALLER)
        if caller is None:
            return ask_to_sign_in(request)
        if request.method != hdrs.METH_POST:
            return await answer(await begin_visit(request, desk, caller), frame.NOTHING_TYPED)
        typed = await frame.read_form(request)
        # The session may have ended while the form came.
        caller = await desk.browsers.find(request)
        if caller is None:
            return ask_to_sign_in(request)
        visit = await begin_visit(request, desk, caller)
        visit.check_form(typed.one(FORM_PROOF))
        return await answer(visit, typed)

    return for_visitors(handle)


def for_files_of_the_signed_in(desk: FrontDesk, answer: AnswerFiles) -> Handler:
    """As `for_the_signed_in`, for a form with files; nobody else's are taken in."""

    async def handle(request: web.Request) -> web.StreamResponse:
        refuse_other_sites(request)
        if CALLER not in request:
            return ask_to_sign_in(request)
        async with received(request, desk.held.uploads, desk.upload_limit) as sent:
            # The session may have ended while the files came.
            caller = await desk.browsers.find(request)
            if caller is None:
                return ask_to_sign_in(request)
            visit = await begin_visit(request, desk, caller)
            visit.check_form(next(iter(sent.fields.get(FORM_PROOF, ())), ""))
            return await answer(visit, sent)

    return for_visitors(handle)


def ask_to_sign_in(request: web.Request) -> web.Response:
    """Send a browser to the page for signing in. Raises Unauthorized for a program."""
    if not wants_page(request):
        raise errors.Unauthorized(
            "Sign in to see this page. Programs use the interface at /api/v1; see /api/docs."
        )
    path = request.path if request.method == hdrs.METH_POST else str(request.rel_url)
    if path == frame.HOME:
        return frame.see_other(frame.SIGN_IN)
    return frame.see_other(f"{frame.SIGN_IN}?{urlencode({RETURN_TO: path})}")


def local_path(path: str | None) -> str:
    """Where to lead a person back to: a page of this site, else its first one.

    Nobody is led to `_SIGN_IN_PATHS`: a link that signs somebody in would do so for whoever wrote it.
    """
    if path is None or not _LOCAL_PATH.fullmatch(path) or urlsplit(path).path in _SIGN_IN_PATHS:
        return frame.HOME
    return path


async def let_in(request: web.Request, desk: FrontDesk, cookie: str, path: str) -> web.Response:
    """Give a browser its new session, and lead it to a path; at its private host, if it can have one."""
    if has_private_host(request, desk):
        # A session that this browser has here would still be sent to every port.
        await end_own_session(request, desk)
        return forget_cookie(desk, lead_to_private_host(desk, cookie, path))
    return await let_in_here(request, desk, cookie, path)


async def let_in_here(
    request: web.Request, desk: FrontDesk, cookie: str, path: str
) -> web.Response:
    """Give a browser its new session at this host, in the place of the one that it had here."""
    await end_own_session(request, desk)
    response = frame.see_other(path)
    response.set_cookie(desk.browsers.cookie, cookie, max_age=LONGEST // 1000, **desk.cookie_bounds)
    # The address that let somebody in may hold a secret.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def end_own_session(request: web.Request, desk: FrontDesk) -> None:
    """End the session that a browser shows, if it holds; one that ends meanwhile has ended."""
    caller = request.get(CALLER)
    if caller is None:
        return
    context = desk.context_of(caller)
    for session in await desk.perform(context, LIST_SESSIONS, Nothing()):
        if session.current:
            # It may have ended since it was found, its person's account with it.
            with suppress(errors.NotFound, errors.Unauthorized):
                await desk.perform(context, END_SESSION, SessionId(id=session.id))


def forget_cookie(desk: FrontDesk, response: web.Response) -> web.Response:
    """Let a browser forget its session."""
    response.del_cookie(desk.browsers.cookie, **desk.cookie_bounds)
    return response


FOR_PROGRAMS = "/api/"
"""Below it a failure is an envelope, but where a person looks at what is drawn there."""

_TITLES: Mapping[int, str] = {
    400: "Invalid request",
    401: "Not signed in",
    403: "Not allowed",
    404: "Not found",
    405: "Not possible here",
    409: "Conflict",
    413: "Too large",
    421: "Wrong address",
    429: "Too many requests",
    503: "Not available right now",
    507: "Disk full",
}


def draw_fault(request: web.Request, answer: web.Response, fault: Exception) -> web.Response:
    """A failure's envelope as a page, for a browser; as it is for a program."""
    if request.path.startswith(FOR_PROGRAMS):
        if not is_looked_at(request):
            return answer
        if answer.status == errors.Unauthorized.status and not _shows_a_programs_credential(
            request
        ):
            return ask_to_sign_in(request)
    elif not wants_page(request):
        return answer
    body = answer.body
    assert isinstance(body, bytes), "An envelope is written before it is answered."
    envelope = errors.ErrorEnvelope.model_validate_json(body)
    title = _TITLES.get(answer.status, "Something went wrong")
    text = frame.describe_fault(errors.Fault(envelope.message, envelope.data))
    if isinstance(fault, errors.StoreDamaged):
        title = "The store is damaged"
    elif isinstance(fault, errors.NoConnections):
        title = "No transactions yet"
        # The envelope's words name commands that not everybody has.
        text = "Your plan needs transactions. The start page shows how to import them."
    drawn = frame.narrow_page(
        title,
        element("p", sentence(text)),
        # From another host's name there is no way on but the one that the sentence names.
        None
        if answer.status == errors.MisdirectedRequest.status
        else element("p", element("a", "Go to your plan", href=frame.HOME)),
        status=answer.status,
    )
    for name in (hdrs.ALLOW, hdrs.RETRY_AFTER, hdrs.WWW_AUTHENTICATE):
        if name in answer.headers:
            drawn.headers[name] = answer.headers[name]
    return drawn


def _shows_a_programs_credential(request: web.Request) -> bool:
    by_header = any(name in request.headers for name in (hdrs.AUTHORIZATION, KEY_HEADER))
    return by_header or SESSION_COOKIE in request.cookies
