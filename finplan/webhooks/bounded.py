"""Connections on which a receiver can send only so much in answer to one request, whatever it is.

The client reads interim answers (1xx), the extensions of chunks and trailers without an end, and all of
that takes the time of the one loop that everything waits for. So bytes are counted as they arrive.
"""

from functools import partial
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler

RECEIVED_AT_MOST = 64 * 1024
"""How much may arrive in answer to one request before its connection is closed, in bytes."""


class AnsweredTooMuch(aiohttp.ClientError):
    """More arrived than an answer may have."""


class BoundedConnector(aiohttp.TCPConnector):
    """Makes connections that are closed once too much has arrived in answer to one request."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # The client has no public way to another protocol; the tests of floods fail if this one ends.
        handler: type[ResponseHandler] = _BoundedHandler
        self._factory = partial(handler, loop=self._loop)


class _BoundedHandler(ResponseHandler):
    """Hands on what arrives up to the bound, so that a status within it counts, and then ends."""

    _left = RECEIVED_AT_MOST
    _ended = False

    def set_response_params(self, **params: Any) -> None:
        """A request begins."""
        self._left = RECEIVED_AT_MOST
        super().set_response_params(**params)

    def data_received(self, data: bytes) -> None:
        """Count what arrives."""
        if self._ended:
            return
        allowed, self._left = data[: self._left], self._left - len(data)
        self._ended = self._left < 0
        super().data_received(allowed)
        if self._ended:
            self._end()

    def _end(self) -> None:
        self.set_exception(AnsweredTooMuch())
        if self.transport is not None:
            self.transport.abort()
