"""Connections on which a server can send only so much in answer to one request, whatever it is.

The client reads interim answers (1xx), the extensions of chunks and trailers without an end, and all of
that takes the time of the loop that it runs on. So bytes are counted as they arrive.
"""

from functools import partial
from typing import Any

import aiohttp
from aiohttp.client_proto import ResponseHandler


class AnsweredTooMuch(aiohttp.ClientError):
    """More arrived than an answer may have."""


class BoundedConnector(aiohttp.TCPConnector):
    """Makes connections that are closed once `most` bytes have arrived in answer to one request."""

    def __init__(self, most: int, **options: Any) -> None:
        super().__init__(**options)
        # The client has no public way to another protocol; the tests of floods fail if this one ends.
        handler: Any = _BoundedHandler
        self._factory = partial(handler, most, loop=self._loop)


class _BoundedHandler(ResponseHandler):
    """Hands on what arrives up to the bound, so that a status within it counts, and then ends."""

    def __init__(self, most: int, **options: Any) -> None:
        super().__init__(**options)
        self._most = self._left = most
        self._ended = False

    def set_response_params(self, **params: Any) -> None:
        """A request begins."""
        self._left = self._most
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
