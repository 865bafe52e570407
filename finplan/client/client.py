"""The typed client: any row of the table, asked over HTTP; for plain code and for async code.

Plain code asks the daemon of this machine over HTTP/1.1, by the client that Python brings along.
What httpx itself would use is made for the whole web: pools, proxies, TLS, HTTP/2. Loading that
takes longer than anything else of a quick command, which asks a question or two.
"""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from time import sleep
from typing import Any, Self, cast

import httpx
from pydantic import TypeAdapter

from finplan import __version__
from finplan.client.failures import (
    CallFailed,
    DaemonUnreachable,
    Say,
    pause_before_again,
    say_nothing,
)
from finplan.client.request import SESSION_COOKIE, VERSION_HEADER, Request, build
from finplan.model.characters import visible
from finplan.model.installation import for_profile, notice_in
from finplan.operation import Answers, AnyOperation, Asks, Operation

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
        host, port = request.url.host, request.url.port or 80
        connection = HTTPConnection(host, port, timeout=CONNECT_PATIENCE)
        try:
            with _told_as(httpx.ConnectError):
                connection.connect()
            connection.sock.settimeout(None)
            _send_request(connection, request)
            with _told_as(httpx.ReadError):
                response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        headers = [
            (name.encode("latin-1"), value.encode("latin-1"))
            for name, value in response.getheaders()
        ]
        content = _AnswerContent(connection, response)
        return httpx.Response(response.status, headers=headers, stream=content)


class _AnswerContent(httpx.SyncByteStream):
    """An answer's content, read as it is asked for."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self._connection = connection
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        with _told_as(httpx.ReadError):
            while piece := self._response.read1(_PIECE):
                yield piece
            # read1 takes the end of the connection for the end of the content.
            if self._response.length:
                raise HTTPException(f"{self._response.length} bytes are missing")

    def close(self) -> None:
        """Let go of the connection, whether or not everything was read."""
        self._response.close()
        self._connection.close()


def _send_request(connection: HTTPConnection, request: httpx.Request) -> None:
    """Send the request; one that is refused before its end is left at that, for the answer tells why."""
    with suppress(httpx.WriteError):
        with _told_as(httpx.WriteError):
            path = request.url.raw_path.decode("ascii")
            connection.putrequest(request.method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in request.headers.raw:
                if name.lower() != b"connection":
                    connection.putheader(name.decode("ascii"), value)
            connection.putheader("Connection", "close")
            connection.endheaders()
        for piece in cast("httpx.SyncByteStream", request.stream):
            with _told_as(httpx.WriteError):
                connection.send(piece)


@contextmanager
def _told_as(as_error: type[httpx.TransportError]) -> Iterator[None]:
    """Raise what goes wrong on the wire as httpx's callers know it."""
    try:
        yield
    except OSError as error:
        raise as_error(str(error)) from error
    except HTTPException as error:
        raise httpx.RemoteProtocolError(str(error)) from error


Sent = Callable[[int], None]
"""Told how many more bytes of the files have been sent; fewer where they have to be sent again."""

FormParts = list[tuple[str, tuple[str | None, Any]]]


class _DaemonClient:
    """What is the same for plain and for async code: where the daemon is, and what its answers mean."""

    def __init__(
        self, url: str, token: str, say: Say = say_nothing, *, profile: str = "default"
    ) -> None:
        self.url = url
        self.profile = profile
        self.notice: str | None = None
        self._say = say
        self._manners = manners(url, token)

    def _pause_after(self, response: httpx.Response) -> int | None:
        """How long to wait before the same is asked again; keeps what the answer says to a person."""
        notice = notice_in(response.headers)
        self.notice = None if notice is None else for_profile(notice, self.profile)
        return pause_before_again(response.status_code, response.headers, self._say)

    def _content_of(self, response: httpx.Response) -> bytes:
        if VERSION_HEADER not in response.headers:
            raise DaemonUnreachable(f"{self.url} is not finplan's background service.")
        if response.is_success:
            return response.content
        envelope = json.loads(response.content)
        message = for_profile(envelope["message"], self.profile)
        raise CallFailed(response.status_code, envelope["code"], message, envelope.get("data"))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise DaemonUnreachable(
                f"finplan does not answer at {self.url}. Check the service with `finplan daemon status`."
            ) from error
        except httpx.TransportError as error:
            raise DaemonUnreachable(
                f"finplan at {self.url} closed the connection. See `finplan daemon logs`."
            ) from error


class Client(_DaemonClient):
    """A daemon's client for plain code; close it, or use it in a `with` block.

    Where the daemon has been asked too much in a minute it waits and asks again, and `say`s so. `notice`
    is the sentence that the last answer carried for a person, None without one.
    """

    @cached_property
    def _http(self) -> httpx.Client:
        return httpx.Client(transport=LocalTransport(), **self._manners)

    def call(
        self,
        operation: Operation[Asks, Answers],
        ask: Asks,
        files: Sequence[Path] = (),
        on_sent: Sent | None = None,
    ) -> Answers:
        """Ask, and answer the row's shape. Raises CallFailed, DaemonUnreachable, OSError."""
        return read_answer(operation, self.call_raw(operation, ask, files, on_sent))

    def call_raw(
        self,
        operation: Operation[Asks, Answers],
        ask: Asks,
        files: Sequence[Path] = (),
        on_sent: Sent | None = None,
    ) -> bytes:
        """Ask, and answer the daemon's JSON byte for byte; fails as `call` does."""
        request = build(operation, ask)
        with _parts(request, files, on_sent) as parts:
            return self._answered(_arguments(request, parts), parts)

    def page(self, operation: Operation[Asks, Answers], ask: Asks) -> str:
        """Ask for the page that people are shown in a browser; fails as `call` does."""
        arguments = _arguments(build(operation, ask), None)
        arguments["headers"]["accept"] = "text/html"
        return self._answered(arguments, None).decode()

    def _answered(self, arguments: dict[str, Any], parts: FormParts | None) -> bytes:
        while True:
            with self._explained():
                response = self._http.request(**arguments)
            pause = self._pause_after(response)
            if pause is None:
                return self._content_of(response)
            _rewind(parts)
            sleep(pause)

    def download(
        self, operation: Operation[Asks, Answers], ask: Asks, take: Callable[[bytes], object]
    ) -> None:
        """Ask a row whose body is a Download, and hand over the file piece by piece.

        Fails as `call` does; a file that ends too early is a DaemonUnreachable.
        """
        request = _arguments(build(operation, ask), None)
        while True:
            with self._explained(), self._http.stream(**request) as response:
                pause = self._pause_after(response)
                if response.is_success and VERSION_HEADER in response.headers:
                    for piece in response.iter_bytes():
                        take(piece)
                    return
                response.read()
            if pause is None:
                self._content_of(response)
                return
            sleep(pause)

    def published(self, path: str) -> Any:
        """The JSON of a document that the daemon publishes at a path; fails as `call` does."""
        with self._explained():
            return json.loads(self._content_of(self._http.get(path)))

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncDaemonClient(_DaemonClient):
    """A daemon's client for async code: as `Client`, awaited, but for downloads."""

    @cached_property
    def _http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(**self._manners)

    async def call(
        self,
        operation: Operation[Asks, Answers],
        ask: Asks,
        files: Sequence[Path] = (),
        on_sent: Sent | None = None,
    ) -> Answers:
        """Ask, and answer the row's shape. Raises CallFailed, DaemonUnreachable, OSError."""
        return read_answer(operation, await self.call_raw(operation, ask, files, on_sent))

    async def call_raw(
        self,
        operation: Operation[Asks, Answers],
        ask: Asks,
        files: Sequence[Path] = (),
        on_sent: Sent | None = None,
    ) -> bytes:
        """Ask, and answer the daemon's JSON byte for byte; fails as `call` does."""
        request = build(operation, ask)
        with _parts(request, files, on_sent) as parts:
            while True:
                with self._explained():
                    response = await self._http.request(**_arguments(request, parts))
                pause = self._pause_after(response)
                if pause is None:
                    return self._content_of(response)
                _rewind(parts)
                await pass_by(pause)

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def pass_by(seconds: float) -> None:
    """Wait, while other work goes on."""
    # Plain code, such as a quick command, starts without the modules of an event loop.
    import asyncio

    await asyncio.sleep(seconds)


def read_answer(operation: Operation[Asks, Answers], content: bytes) -> Answers:
    """Read a row's answer from the daemon's JSON."""
    answer: Answers = _reader(operation).validate_json(content)
    return answer


@cache
def _reader(operation: AnyOperation) -> TypeAdapter[Any]:
    return TypeAdapter(operation.answers)


def manners(url: str, token: str) -> dict[str, Any]:
    """How a client of httpx talks to the daemon of this machine: the arguments that it is made with."""
    return {
        "base_url": url,
        "headers": {
            VERSION_HEADER: __version__,
            "cookie": f"{SESSION_COOKIE}={token}",
            # Within one machine, packing an answer takes longer than sending it.
            "accept-encoding": "identity",
        },
        # Only connecting may not take long: a build or an import takes as long as it takes.
        "timeout": httpx.Timeout(None, connect=CONNECT_PATIENCE),
        # The daemon is on this machine: no proxy stands between, and there is no TLS to verify,
        # so the certificates of the world are not loaded.
        "trust_env": False,
        "verify": False,
    }


def _arguments(request: Request, parts: FormParts | None) -> dict[str, Any]:
    headers = {"content-type": "application/json"} if request.body is not None else {}
    return {
        "method": request.method,
        "url": request.path,
        "params": request.query or None,
        "content": request.body,
        "files": parts,
        "headers": headers,
    }


class _CountedFile(io.BufferedReader):
    """A file that tells how much of it has been read."""

    def __init__(self, path: Path, on_sent: Sent | None) -> None:
        super().__init__(io.FileIO(path))
        self._on_sent = on_sent

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        if self._on_sent is not None:
            self._on_sent(len(chunk))
        return chunk

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        before, after = self.tell(), super().seek(offset, whence)
        if self._on_sent is not None and after != before:
            self._on_sent(after - before)
        return after


@contextmanager
def _parts(
    request: Request, files: Sequence[Path], on_sent: Sent | None
) -> Iterator[FormParts | None]:
    if request.form is None:
        yield None
        return
    parts: FormParts = [(name, (None, value)) for name, value in request.form]
    with ExitStack() as opened:
        for path in files:
            file = opened.enter_context(_CountedFile(path, on_sent))
            parts.append(("file", (_sent_name(path), file)))
        yield parts


def _sent_name(path: Path) -> str:
    """A file's name as a form can carry it, without control characters and bytes of no text."""
    name = visible(path.name) or "upload"
    # Readers of forms take a semicolon for the end of the name, even between quotation marks.
    return name.replace(";", "%3B")


def _rewind(parts: FormParts | None) -> None:
    """Have nothing sent yet, of what the daemon has not taken."""
    for _, (_, content) in parts or ():
        if isinstance(content, _CountedFile):
            content.seek(0)
