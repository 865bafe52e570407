"""The middleware that turns whatever goes wrong behind it into an envelope, or a page for a browser."""

from collections.abc import Callable

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from finplan.daemon.auth.challenge import challenge_of
from finplan.daemon.errors import MalformedBody, answer_to, envelope
from finplan.model.errors import Unauthorized

_UNREADABLE = MalformedBody("The body does not arrive as its headers say.")


DrawFault = Callable[[web.Request, web.Response], web.Response]
"""Draws an envelope as a page where a browser is to be told; answers the envelope where a program is."""


def answering_faults(site_url: str, draw: DrawFault) -> Middleware:
    """Every failure gets an envelope as its answer; one that a credential would help says which.

    Who would rather read a page is sent what `draw` makes of it.
    """

    @web.middleware
    async def answer_faults(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            answer = await handler(request)
        except (ConnectionError, web.RequestPayloadError) as error:
            if _has_hung_up(request):
                # Nobody is there to be told, and it is no failure of the daemon.
                return envelope(
                    defined=False,
                    code="CLIENT_CLOSED_REQUEST",
                    status=499,
                    message="The client hung up.",
                )
            told = _UNREADABLE if isinstance(error, web.RequestPayloadError) else error
            answer = draw(request, answer_to(told, request))
        except Exception as error:  # noqa: BLE001 - All errors end here; `answer_to` logs them.
            refusal = answer_to(error, request)
            challenge = challenge_of(error, request.path, site_url)
            if challenge is not None:
                refusal.headers[hdrs.WWW_AUTHENTICATE] = challenge
            answer = draw(request, refusal)
        if answer.status == web.HTTPUnauthorized.status_code:
            plain = challenge_of(Unauthorized(""), request.path, site_url) or ""
            answer.headers.setdefault(hdrs.WWW_AUTHENTICATE, plain)
        return answer

    return answer_faults


def _has_hung_up(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()
