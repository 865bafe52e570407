"""How requests are framed on a connection: aiohttp's parser, and what it does not say of a body."""

from collections.abc import Sequence
from typing import Any

from aiohttp import HttpVersion10, HttpVersion11, StreamReader, web
from aiohttp.http import HttpProcessingError, RawRequestMessage
from aiohttp.http_exceptions import BadStatusLine, ContentEncodingError

Parsed = tuple[Sequence[tuple[RawRequestMessage, StreamReader]], bool, bytes]

_VERSIONS = (HttpVersion10, HttpVersion11)

_OF_A_BODY_CUT_SHORT = "deflate"
"""All that aiohttp says of a deflated body that ends too early, by the same error."""


class Framing:
    """aiohttp's parser of one connection, and the body that arrives on it.

    Where framing breaks in the middle of a body, aiohttp's parser tells the connection only, and
    whoever reads the body would wait for ever: here the body is told too.
    """

    __slots__ = ("_body", "_parser")

    def __init__(self, parser: Any) -> None:
        self._parser = parser
        self._body: StreamReader | None = None

    def __getattr__(self, name: str) -> Any:
        """Whatever else aiohttp asks of its parser."""
        return getattr(self._parser, name)

    def feed_data(self, data: bytes) -> Parsed:
        """The requests that begin in these bytes. Raises HttpProcessingError for what is not HTTP."""
        try:
            parsed: Parsed = self._parser.feed_data(data)
        except HttpProcessingError as error:
            self.break_off(web.RequestPayloadError(str(error)))
            raise
        for message, body in parsed[0]:
            if message.version not in _VERSIONS:
                raise BadStatusLine("", f"HTTP/{message.version} is not spoken here.")
            self._body = body
        return parsed

    @property
    def is_within_a_body(self) -> bool:
        """Whether the rest of a body is to come."""
        body = self._body
        return body is not None and not body.is_eof() and body.exception() is None

    def break_off(self, error: BaseException) -> None:
        """Let whoever reads the body that is arriving fail with `error`."""
        if self.is_within_a_body:
            assert self._body is not None
            self._body.set_exception(error)


def names_an_unread_coding(error: BaseException | None) -> bool:
    """Whether a request was refused for a Content-Encoding that aiohttp knows but cannot unpack."""
    return isinstance(error, ContentEncodingError) and error.message != _OF_A_BODY_CUT_SHORT
