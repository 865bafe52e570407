"""How a request comes to a page's handler: with a session, or for anybody."""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlencode, urlsplit

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from finplan.daemon.auth.sessions import is_encrypted, refuse_other_sites
from finplan.daemon.middleware import CALLER, for_visitors
from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.rest.uploads import Form, received
from finplan.daemon.surfaces.site.desk import FORM_PROOF, FrontDesk, Visit, begin_visit
from finplan.daemon.surfaces.site.forms import NOTHING_TYPED, TypedForm, read_form
from finplan.daemon.surfaces.site.frame import ARRIVE, HOME, SIGN_IN, SIGN_OUT, see_other
from finplan.daemon.surfaces.site.private_host import has_private_host, lead_to_private_host
from finplan.model.access.session import SessionId
from finplan.model.base import Nothing
from finplan.model.errors import Forbidden, NotFound, Unauthorized
from finplan.operations.credential import END_SESSION, LIST_SESSIONS
from finplan.service.credentials.sessions import LONGEST

OPEN, JOIN = "/open", "/join"
RETURN_TO = "return_to"

_LOCAL_PATH = re.compile(r"/(?!/)[A-Za-z0-9_/-]*(\?[!-\[\]-~]*)?")
"""One slash and then plain letters, so that no browser reads a host or another path out of it."""

GOOGLE = f"{SIGN_IN}/google"
GOOGLE_CALLBACK = f"{GOOGLE}/callback"
_DOORS = frozenset({OPEN, JOIN, ARRIVE, SIGN_IN, SIGN_OUT, GOOGLE, GOOGLE_CALLBACK})

AnswerAnybody = Callable[[web.Request, FrontDesk, TypedForm], Awaitable[web.Response]]
AnswerVisit = Callable[[Visit, TypedForm], Awaitable[web.Response]]
AnswerFiles = Callable[[Visit, Form], Awaitable[web.Response]]


def for_anybody(desk: FrontDesk, answer: AnswerAnybody) -> Handler:
    """A handler for whoever asks; what changes something is taken from pages of this site alone."""

    async def handle(request: web.Request) -> web.Response:
        typed = NOTHING_TYPED
        if request.method == hdrs.METH_POST:
            refuse_other_sites(request)
            typed = await read_form(request)
        return await answer(request, desk, typed)

    return for_visitors(handle)


def for_arrivals(desk: FrontDesk, answer: AnswerAnybody) -> Handler:
    """A handler for a form that a page of this daemon sends from another of its hosts.

    The door lets no other origin pass; who names none might be any, and would sign in whom it likes.
    """

    async def handle(request: web.Request) -> web.Response:
        if hdrs.ORIGIN not in request.headers:
            raise Forbidden(
                "This browser does not send an Origin header, so finplan cannot check who signs you in."
                " Use another browser."
            )
        return await answer(request, desk, await read_form(request))

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
            return await answer(await begin_visit(request, desk, caller), NOTHING_TYPED)
        typed = await read_form(request)
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
        raise Unauthorized(
            "This is a page for people who are signed in. Programs find the interface at /api/v1, which"
            " /api/docs describes."
        )
    wanted = request.path if request.method == hdrs.METH_POST else str(request.rel_url)
    if wanted == HOME:
        return see_other(SIGN_IN)
    return see_other(f"{SIGN_IN}?{urlencode({RETURN_TO: wanted})}")


def local_path(said: str | None) -> str:
    """Where to lead a person back to: a page of this site, else its first one.

    No door is led to, since a link that signs somebody in would do so for whoever wrote it.
    """
    if said is None or not _LOCAL_PATH.fullmatch(said) or urlsplit(said).path in _DOORS:
        return HOME
    return said


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
    response = see_other(path)
    response.set_cookie(
        desk.browsers.cookie,
        cookie,
        max_age=LONGEST // 1000,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=is_encrypted(desk.site_url),
    )
    # The address that let somebody in may hold a secret.
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


async def end_own_session(request: web.Request, desk: FrontDesk) -> None:
    """End the session that a browser shows, if it holds; one that ends meanwhile has ended."""
    caller = request.get(CALLER)
    if caller is None:
        return
    context = desk.context_of(caller)
    for each in await desk.perform(context, LIST_SESSIONS, Nothing()):
        if each.current:
            # It may have ended since it was found, its person's account with it.
            with suppress(NotFound, Unauthorized):
                await desk.perform(context, END_SESSION, SessionId(id=each.id))


def forget_cookie(desk: FrontDesk, response: web.Response) -> web.Response:
    """Let a browser forget its session."""
    response.del_cookie(
        desk.browsers.cookie,
        path="/",
        httponly=True,
        samesite="Lax",
        secure=is_encrypted(desk.site_url),
    )
    return response
