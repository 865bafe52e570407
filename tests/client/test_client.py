"""The typed client: the same question and answer for plain and async code, failures as sentences.

One builder makes a request of a row and a question; the transport of plain code gives whole answers
or errors as httpx's callers know them.
"""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from hypothesis import given, strategies as st
from pydantic import Field

from finplan.client.client import AsyncDaemonClient, Client, LocalTransport, read_answer
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.client.request import build
from finplan.model.base import Nothing, Wire, read_query
from finplan.model.errors import Conflict
from finplan.operation import AnyOperation, Operation, Upload
from finplan.service.context import Context
from tests.daemon.running import RunningDaemon, running_daemon
from tests.family import MADE_UP
from tests.patience import LONG_ENOUGH


class Words(Wire):
    words: tuple[str, ...]


class Word(Wire):
    some_word: str


ECHO = Operation(MADE_UP, "echo", "POST", "/echo", Words, tuple[Word, ...], "read", "Echo.")
FAIL = Operation(MADE_UP, "fail", "GET", "/fail", Nothing, Nothing, "read", "Fail.")
IN_THE_WAY = "It is in the way."


async def perform(_context: Context, operation: AnyOperation, ask: Wire) -> Any:
    if operation is FAIL:
        raise Conflict(IN_THE_WAY, {"choices": ["a", "b"]})
    assert isinstance(ask, Words)
    return tuple(Word(some_word=word) for word in ask.words)


@pytest.fixture
async def echo(tmp_path: Path, empty_store: Path) -> AsyncIterator[RunningDaemon]:
    rows = (ECHO, FAIL)
    async with running_daemon(tmp_path, empty_store, operations=rows, perform=perform) as running:
        yield running


async def test_an_answer_has_its_rows_shape(echo: RunningDaemon) -> None:
    """Plain and async code get equal values; the raw answer is the daemon's JSON byte for byte."""
    ask = Words(words=("zwölf", 'q"'))
    with Client(echo.base_url, echo.token) as plain:
        answered = await asyncio.to_thread(plain.call, ECHO, ask)
        raw = await asyncio.to_thread(plain.call_raw, ECHO, ask)

    assert answered == (Word(some_word="zwölf"), Word(some_word='q"'))
    assert await echo.client.call(ECHO, ask) == answered
    assert await echo.client.call_raw(ECHO, ask) == raw
    assert raw == '[{"someWord":"zwölf"},{"someWord":"q\\""}]'.encode()
    assert read_answer(ECHO, raw) == answered


async def test_a_refusal_carries_the_envelope(echo: RunningDaemon) -> None:
    """Status, code, sentence and data arrive as the daemon gave them."""
    with pytest.raises(CallFailed) as failed:
        await echo.client.call(FAIL, Nothing())

    error = failed.value
    assert (error.status, error.code, error.message) == (409, "CONFLICT", IN_THE_WAY)
    assert error.data == {"choices": ["a", "b"]}
    assert str(error) == IN_THE_WAY


async def test_issues_are_part_of_the_sentence(echo: RunningDaemon) -> None:
    """What does not fit in a question is told line by line, by the outside name."""
    other = Operation(MADE_UP, "echo", "POST", "/echo", Word, Nothing, "read", "Ask wrongly.")

    with pytest.raises(CallFailed) as failed:
        await echo.client.call(other, Word(some_word="x"))

    failure, *issues = str(failed.value).splitlines()
    assert failure == "Input validation failed"
    assert [issue.split(":")[0] for issue in issues] == ["words", "someWord"]
    assert issues[0].endswith("is required")


async def test_a_wrong_token_is_a_refusal(echo: RunningDaemon) -> None:
    """A session of an earlier run of the daemon is told as such."""
    async with AsyncDaemonClient(echo.base_url, "old") as client:
        with pytest.raises(CallFailed) as failed:
            await client.call(FAIL, Nothing())

    assert failed.value.status == 401


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


def test_nobody_there_is_a_sentence() -> None:
    """A port where nothing listens names the address and the command that tells more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"

    with (
        Client(url, "token") as client,
        pytest.raises(DaemonUnreachable, match=rf"{url}\. .*`finplan daemon status`"),
    ):
        client.call(FAIL, Nothing())


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"", "closed the connection"),
        (
            b"HTTP/1.1 200 OK\r\nfinplan-version: 1\r\ncontent-length: 9\r\n\r\n{",
            "closed the connection",
        ),
        (b"nonsense\r\n\r\n", "closed the connection"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "not finplan's background"),
    ],
)
def test_a_broken_answer_is_a_sentence(answer: bytes, sentence: str) -> None:
    """Whatever answers instead of the daemon, or of all its answer, is told in a sentence."""
    with (
        answering(answer) as (url, _),
        Client(url, "token") as client,
        pytest.raises(DaemonUnreachable, match=sentence),
    ):
        client.call(FAIL, Nothing())


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said to the daemon never leaves the machine by way of a proxy."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    answer = b"HTTP/1.1 200 OK\r\nfinplan-version: 1\r\ncontent-length: 2\r\n\r\n{}"

    with answering(answer) as (url, _), Client(url, "token") as client:
        assert client.call(FAIL, Nothing()) == Nothing()


class Look(Wire):
    id: str = "x"
    since: Annotated[date | None, Field(alias="from")] = None
    group_by: str | None = None
    limit: int = 5
    open: bool | None = None
    category: tuple[str, ...] = ()


LIST = Operation(MADE_UP, "list", "GET", "/things", Look, Nothing, "read", "List.")
SHOW = Operation(MADE_UP, "show", "GET", "/things/{id}", Look, Nothing, "read", "Show.")
CHANGE = Operation(MADE_UP, "change", "PATCH", "/things/{id}", Look, Nothing, "write", "Change.")
SEND = Operation(MADE_UP, "send", "POST", "/boxes/{id}", Look, Nothing, "write", "Send.", Upload())


def test_a_question_travels_in_the_query_of_a_get() -> None:
    """Names are the outside ones, a tuple repeats its name, and only what was set travels."""
    ask = Look(since=date(2026, 3, 1), open=True, category=("a", "b c"))

    request = build(LIST, ask)

    assert (request.method, request.path, request.body) == ("GET", "/api/v1/things", None)
    assert request.query == (
        ("from", "2026-03-01"),
        ("open", "true"),
        ("category", "a"),
        ("category", "b c"),
    )


def test_a_question_travels_in_the_body_of_a_change() -> None:
    """The path's names leave the body; null stays null, and what was not set stays absent."""
    request = build(CHANGE, Look(id="a b/ü", since=None, group_by="x"))

    assert request.path == "/api/v1/things/a%20b%2F%C3%BC"
    assert request.query == ()
    assert request.body is not None
    assert json.loads(request.body) == {"from": None, "groupBy": "x"}


def test_a_question_without_fields_is_an_empty_object() -> None:
    """A change always carries a JSON object, if an empty one."""
    row = Operation(MADE_UP, "go", "POST", "/go", Nothing, Nothing, "write", "Go.")

    assert build(row, Nothing()).body == b"{}"


def test_a_form_carries_the_fields_of_an_upload() -> None:
    """An upload's question travels as form values, as in a query string."""
    request = build(SEND, Look(id="b", open=False, limit=7))

    assert request.path == "/api/v1/boxes/b"
    assert request.form == (("limit", "7"), ("open", "false"))
    assert request.body is None


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_an_id_cannot_change_the_path(name: str) -> None:
    """What would lead to another path is told as the missing thing it is."""
    with pytest.raises(CallFailed) as failed:
        build(SHOW, Look(id=name))

    assert failed.value.status == 404


@pytest.mark.parametrize("ask", [Look(id="b\udcff"), Look(id="b", category=("a", "\udcff"))])
def test_bytes_of_no_text_are_refused_with_a_sentence(ask: Look) -> None:
    """In a path, a query or a list within one, no request can carry them; the property is named."""
    with pytest.raises(CallFailed, match=r"^(id|category) ") as failed:
        build(SHOW, ask)

    assert failed.value.status == 400


looks = st.builds(
    Look,
    since=st.none() | st.dates(),
    group_by=st.none() | st.text(),
    limit=st.integers(-(2**53), 2**53),
    open=st.none() | st.booleans(),
    category=st.lists(st.text()).map(tuple),
)


@given(looks)
def test_the_daemon_reads_the_same_question(ask: Look) -> None:
    """Whatever is asked in a query string is what the daemon's reader understands."""
    query: dict[str, list[str]] = {}
    for name, value in build(LIST, ask).query:
        query.setdefault(name, []).append(value)

    assert read_query(Look, query) == ask


CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
SIZED = b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n"


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
