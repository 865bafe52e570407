"""HTTP/1.1 to the daemon of this machine, by the client that Python brings along.

What httpx itself would use is made for the whole web: pools, proxies, TLS, HTTP/2. Loading that takes
longer than anything else of a quick command, which asks a question or two.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import cast

import httpx

CONNECT_PATIENCE = 5.0
"""Seconds until a connection must stand; an answer may take as long as it takes."""

_PIECE = 1 << 16


class LocalTransport(httpx.BaseTransport):
    """Sends each request over a connection of its own, which ends with the answer's last byte.

    Raises httpx.ConnectError when nobody listens, httpx.ReadError when the other side hangs up and
    httpx.RemoteProtocolError when it does not speak HTTP. What reading a request's own body raises
    comes through as it is.
    """

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and answer with what came back, its content still to be read."""
        connection = HTTPConnection(
            request.url.host, request.url.port or 80, timeout=CONNECT_PATIENCE
        )
        try:
            with _told(httpx.ConnectError):
                connection.connect()
            connection.sock.settimeout(None)
            _send(connection, request)
            with _told(httpx.ReadError):
                response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in response.getheaders()
        ]
        return httpx.Response(
            response.status, headers=headers, stream=_Content(connection, response)
        )


class _Content(httpx.SyncByteStream):
    """An answer's content, read as it is asked for."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self._connection = connection
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _told(httpx.ReadError):
            while piece := self._response.read1(_PIECE):
                yield piece
            # read1 takes the end of the connection for the end of the content.
            if self._response.length:
                raise HTTPException(f"{self._response.length} bytes are missing")

    def close(self) -> None:
        """Let go of the connection, whether or not everything was read."""
        self._response.close()
        self._connection.close()


def _send(connection: HTTPConnection, request: httpx.Request) -> None:
    """Send the request; one that is refused before its end is left at that, for the answer tells why."""
    with suppress(httpx.WriteError):
        with _told(httpx.WriteError):
            connection.putrequest(
                request.method,
                request.url.raw_path.decode("ascii"),
                skip_host=True,
                skip_accept_encoding=True,
            )
            for name, value in request.headers.raw:
                if name.lower() != b"connection":
                    connection.putheader(name.decode("ascii"), value)
            connection.putheader("Connection", "close")
            connection.endheaders()
        for piece in cast("httpx.SyncByteStream", request.stream):
            with _told(httpx.WriteError):
                connection.send(piece)


@contextmanager
def _told(as_error: type[httpx.TransportError]) -> Iterator[None]:
    """Raise what goes wrong on the wire as httpx's callers know it."""
    try:
        yield
    except OSError as error:
        raise as_error(str(error)) from error
    except HTTPException as error:
        raise httpx.RemoteProtocolError(str(error)) from error
