"""What a browser is shown where a program gets an envelope."""

from collections.abc import Mapping

from aiohttp import hdrs, web

from finplan.client.request import SESSION_COOKIE
from finplan.daemon.auth.credentials import KEY_HEADER
from finplan.daemon.surfaces.negotiation import is_looked_at, wants_page
from finplan.daemon.surfaces.pages.markup import element, sentence
from finplan.daemon.surfaces.site.doors import ask_to_sign_in
from finplan.daemon.surfaces.site.forms import said_of
from finplan.daemon.surfaces.site.frame import HOME, heading, page
from finplan.model.errors import (
    ErrorEnvelope,
    Fault,
    MisdirectedRequest,
    NoConnections,
    StoreDamaged,
    Unauthorized,
)

FOR_PROGRAMS = "/api/"
"""Below it a failure is an envelope, but where a person looks at what is drawn there."""

_TITLES: Mapping[int, str] = {
    400: "That could not be read",
    401: "Not signed in",
    403: "Not allowed",
    404: "Nothing is here",
    405: "That cannot be done here",
    409: "Something stands against it",
    413: "That is too much",
    421: "This is another site",
    429: "Too often",
    503: "Out of reach for now",
    507: "The disk is full",
}


_TITLES_OF_CODES = {NoConnections.code: "There is nothing to plan with yet"}
_DAMAGED = "The store is damaged"
_SAID = {
    NoConnections.code: "None of your bank accounts is here. Your first page says how to bring them in."
}
"""What is said instead of an envelope's words, which name commands that not everybody has."""


def draw_fault(request: web.Request, answer: web.Response) -> web.Response:
    """An envelope as a page, for a browser; as it is for a program."""
    if request.path.startswith(FOR_PROGRAMS):
        if not is_looked_at(request):
            return answer
        if answer.status == Unauthorized.status and not _shows_a_programs_credential(request):
            return ask_to_sign_in(request)
    elif not wants_page(request):
        return answer
    body = answer.body
    assert isinstance(body, bytes), "An envelope is written before it is answered."
    told = ErrorEnvelope.model_validate_json(body)
    is_damage = told.message == StoreDamaged.example
    title = (
        _DAMAGED
        if is_damage
        else _TITLES_OF_CODES.get(told.code) or _TITLES.get(answer.status, "Something went wrong")
    )
    drawn = page(
        title,
        heading(title),
        element("p", sentence(_SAID.get(told.code) or said_of(Fault(told.message, told.data)))),
        # From another host's name there is no way on but the one that the sentence names.
        None
        if answer.status == MisdirectedRequest.status
        else element("p", element("a", "Go to your plan", href=HOME)),
        status=answer.status,
        narrow=True,
    )
    for name in (hdrs.ALLOW, hdrs.RETRY_AFTER, hdrs.WWW_AUTHENTICATE):
        if name in answer.headers:
            drawn.headers[name] = answer.headers[name]
    return drawn


def _shows_a_programs_credential(request: web.Request) -> bool:
    by_header = any(name in request.headers for name in (hdrs.AUTHORIZATION, KEY_HEADER))
    return by_header or SESSION_COOKIE in request.cookies
