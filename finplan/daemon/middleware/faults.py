"""The middleware that turns whatever goes wrong behind it into an envelope."""

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler, Middleware

from finplan.daemon.auth.challenge import challenge_of
from finplan.daemon.errors import MalformedBody, answer_to, envelope

_UNREADABLE = MalformedBody("The body does not arrive as its headers say.")


def answering_faults(site_url: str) -> Middleware:
    """Every failure gets an envelope as its answer; one that a credential would help says which."""

    @web.middleware
    async def answer_faults(request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
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
            return answer_to(told, request)
        except Exception as error:  # noqa: BLE001 - All errors end here; `answer_to` logs them.
            answer = answer_to(error, request)
            challenge = challenge_of(error, request.path, site_url)
            if challenge is not None:
                answer.headers[hdrs.WWW_AUTHENTICATE] = challenge
            return answer

    return answer_faults


def _has_hung_up(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()
