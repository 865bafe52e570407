"""The transport of plain code, against sockets: whole answers or errors as httpx's callers know them."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from finplan.client.client import LocalTransport
from tests.patience import LONG_ENOUGH

CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
SIZED = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n"


@contextmanager
def answering(*answers: bytes, reading: int = 65536) -> Iterator[tuple[str, list[bytes]]]:
    """A server that answers one connection after the other, and keeps what it read of each."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LONG_ENOUGH)

        def serve() -> None:
            for answer in answers:
                connection, _ = server.accept()
                with connection:
                    heard.append(connection.recv(reading))
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", heard
        thread.join()


def local() -> httpx.Client:
    return httpx.Client(transport=LocalTransport(), trust_env=False)


@pytest.mark.parametrize(
    ("answer", "content"),
    [
        (SIZED + b"abcdef", b"abcdef"),
        (CHUNKED + b"3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n", b"abcdefg"),
        (b"HTTP/1.1 200 OK\r\n\r\nuntil the end", b"until the end"),
        (b"HTTP/1.1 204 No Content\r\n\r\n", b""),
    ],
)
def test_an_answer_comes_whole(answer: bytes, content: bytes) -> None:
    """However the end of an answer is told, its content is what was sent, and headers stay theirs."""
    with answering(answer) as (url, _), local() as client:
        response = client.get(url)
    assert response.content == content
    assert response.status_code in (200, 204)


@pytest.mark.parametrize(
    "answer", [SIZED + b"abc", CHUNKED + b"3\r\nabc\r\n4\r\nd", b"", b"SMTP\r\n"]
)
def test_an_answer_that_ends_too_early_is_none(answer: bytes) -> None:
    """What is cut off, or is no HTTP, raises; half an answer is never taken for a whole one."""
    with (
        answering(answer) as (url, _),
        local() as client,
        pytest.raises((httpx.ReadError, httpx.RemoteProtocolError)),
    ):
        client.get(url)


def test_nobody_listens() -> None:
    """A port where nobody listens is an error of connecting."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"
    with local() as client, pytest.raises(httpx.ConnectError):
        client.get(url)


def test_each_request_has_a_connection_of_its_own() -> None:
    """Nothing depends on how long the other side keeps a connection open."""
    with answering(SIZED + b"first.", SIZED + b"second") as (url, heard), local() as client:
        assert [client.get(url).content, client.get(f"{url}/a%20b?c=%26").content] == [
            b"first.",
            b"second",
        ]
    assert heard[1].startswith(b"GET /a%20b?c=%26 HTTP/1.1\r\n")
    for request in heard:
        assert request.lower().count(b"connection: ") == 1
        assert b"Connection: close\r\n" in request
        assert request.lower().count(b"\r\nhost: ") == 1


def test_a_refusal_that_comes_before_all_was_sent_is_read() -> None:
    """A server that answers an upload early and hangs up is heard; its answer tells why."""
    refusal = b"HTTP/1.1 413 Content Too Large\r\ncontent-length: 2\r\n\r\n{}"
    with answering(refusal) as (url, _), local() as client:
        assert client.post(url, content=_endless()).status_code == 413


def _endless() -> Iterator[bytes]:
    for _ in range(2000):
        yield b"x" * 65536


def test_a_file_that_cannot_be_read_is_no_trouble_of_the_wire(tmp_path: Path) -> None:
    """What reading the body raises comes through as it is, so that the person hears of the file."""

    def body() -> Iterator[bytes]:
        yield b"half"
        raise PermissionError(tmp_path)

    with answering(b"") as (url, _), local() as client, pytest.raises(PermissionError):
        client.post(url, content=body())
