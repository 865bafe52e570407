"""What a browser is shown where a program gets an envelope."""

from collections.abc import Mapping

from aiohttp import hdrs, web

from finplan.daemon.surfaces.negotiation import wants_page
from finplan.daemon.surfaces.pages.markup import element
from finplan.daemon.surfaces.pages.parts import sentence
from finplan.daemon.surfaces.site.forms import said_of
from finplan.daemon.surfaces.site.frame import HOME, heading, page
from finplan.model.errors import ErrorEnvelope, Fault, MisdirectedRequest

FOR_PROGRAMS = "/api/"
"""Below it every failure is an envelope, whoever asks."""

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


def draw_fault(request: web.Request, answer: web.Response) -> web.Response:
    """An envelope as a page, for a browser; as it is for a program."""
    if request.path.startswith(FOR_PROGRAMS) or not wants_page(request):
        return answer
    body = answer.body
    assert isinstance(body, bytes), "An envelope is written before it is answered."
    told = ErrorEnvelope.model_validate_json(body)
    drawn = page(
        _TITLES.get(answer.status, "Something went wrong"),
        heading(_TITLES.get(answer.status, "Something went wrong")),
        element("p", sentence(said_of(Fault(told.message, told.data)))),
        # From another host's name there is no way on but the one that the sentence names.
        None
        if answer.status == MisdirectedRequest.status
        else element("p", element("a", "Go to your plan", href=HOME)),
        status=answer.status,
        narrow=True,
    )
    for name in (hdrs.ALLOW, hdrs.RETRY_AFTER):
        if name in answer.headers:
            drawn.headers[name] = answer.headers[name]
    return drawn
