"""What a client has already, and how it takes an answer: If-None-Match, Accept-Encoding, Accept."""

import asyncio
import gzip
import re
from collections.abc import Mapping

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

SMALLEST_PACKED = 1024
"""Below so many bytes an answer is sent as it is: packing would gain nothing."""

_TAG = re.compile(r'(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
_DRAWN = "_finplan_drawn_methods"
_LARGEST_PACKED_AT_ONCE = 64 * 1024
_LEVEL = 5


def is_packed_for(request: web.Request, content: bytes) -> bool:
    """Whether an answer is sent packed: a large one, to a client that takes it."""
    return len(content) >= SMALLEST_PACKED and takes_gzip(request)


def takes_gzip(request: web.Request) -> bool:
    """Whether the client takes gzip, and likes it no less than the plain answer (RFC 9110, 12.5.3)."""
    weights = _weights(request, hdrs.ACCEPT_ENCODING)
    packed = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return packed > 0 and packed >= weights.get("identity", 0.0)


def _weights(request: web.Request, header: str) -> Mapping[str, float]:
    """How much each of what a header accepts is liked, by its name."""
    weights: dict[str, float] = {}
    for each in ",".join(request.headers.getall(header, [])).split(","):
        name, *parameters = (part.strip().lower() for part in each.split(";"))
        weights[name] = _weight(parameters)
    return weights


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                weight = float(value)
            except ValueError:
                return 0.0
            return weight if 0 <= weight <= 1 else 0.0
    return 1.0


def wants_page(request: web.Request) -> bool:
    """Whether the client would rather read a page than JSON (RFC 9110, 12.5.1).

    A page is sent to who likes `text/html` more, or as much but by a closer name: a browser, not one
    who takes anything. JSON stays the default.
    """
    ranges = _weights(request, hdrs.ACCEPT)
    page, json = (_liking(ranges, each) for each in ("text/html", "application/json"))
    return page[0] > 0 and page > json


def drawn(handler: Handler, methods: frozenset[str]) -> Handler:
    """Mark the handler of a path of the interface that people look at in a browser, too, by methods."""
    setattr(handler, _DRAWN, methods)
    return handler


def is_looked_at(request: web.Request) -> bool:
    """Whether a person opens a route of the interface that is drawn, in a browser.

    What a browser says of itself is asked as well: a program may prefer pages, and gets envelopes.
    """
    navigates = request.headers.get("Sec-Fetch-Mode") == "navigate"
    is_drawn = request.method in getattr(request.match_info.handler, _DRAWN, ())
    return is_drawn and navigates and wants_page(request)


def _liking(ranges: Mapping[str, float], media_type: str) -> tuple[float, int]:
    """How much a media type is liked, and how closely the range that says so names it."""
    kind = media_type.partition("/")[0]
    for closeness, media_range in ((2, media_type), (1, f"{kind}/*"), (0, "*/*")):
        if media_range in ranges:
            return ranges[media_range], closeness
    return 0.0, 0


def has_already(request: web.Request, tag: str) -> bool:
    """Whether the client holds the answer of this tag; strong and weak tags compare as equal."""
    given = ",".join(request.headers.getall(hdrs.IF_NONE_MATCH, [])).strip()
    return given == "*" or tag in _TAG.findall(given)


def weak(tag: str) -> str:
    """A tag as it is sent: weak, since one tag stands for the answer packed and plain."""
    return f'W/"{tag}"'


async def pack(content: bytes) -> bytes:
    """Pack with gzip; a large answer does not hold up the others."""
    if len(content) <= _LARGEST_PACKED_AT_ONCE:
        return _packed(content)
    return await asyncio.to_thread(_packed, content)


def _packed(content: bytes) -> bytes:
    return gzip.compress(content, _LEVEL, mtime=0)
