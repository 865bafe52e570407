"""What every answer tells a browser, so that no page of another site reads or guesses what it is."""

from aiohttp import web

_TOLD = {
    "X-Content-Type-Options": "nosniff",
    # A page of another port is of the same site: SameSite cookies are sent along for it.
    "Cross-Origin-Resource-Policy": "same-origin",
}


async def guard(_request: web.Request, response: web.StreamResponse) -> None:
    """The signal by which every answer of the application is guarded."""
    add_guards(response)


def add_guards(response: web.StreamResponse) -> None:
    """Put the headers on an answer that does not say otherwise."""
    for name, value in _TOLD.items():
        response.headers.setdefault(name, value)
