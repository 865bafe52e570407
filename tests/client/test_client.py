"""The typed client: the same question and answer for plain and async code, failures as sentences."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from finplan.client.client import AsyncDaemonClient, Client, read_answer
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.base import Nothing, Wire
from finplan.model.errors import Conflict
from finplan.operation import AnyOperation, Operation
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


async def perform(_context: Context, operation: AnyOperation, ask: Wire) -> Any:
    if operation is FAIL:
        raise Conflict("It is in the way.", {"choices": ["a", "b"]})
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
    assert (error.status, error.code, error.message) == (409, "CONFLICT", "It is in the way.")
    assert error.data == {"choices": ["a", "b"]}
    assert str(error) == "It is in the way."


async def test_issues_are_part_of_the_sentence(echo: RunningDaemon) -> None:
    """What does not fit in a question is told line by line, by the outside name."""
    other = Operation(MADE_UP, "echo", "POST", "/echo", Word, Nothing, "read", "Ask wrongly.")

    with pytest.raises(CallFailed) as failed:
        await echo.client.call(other, Word(some_word="x"))

    assert str(failed.value).splitlines() == [
        "Input validation failed",
        "words: This property is required",
        "someWord: This property is not known here",
    ]


async def test_a_wrong_token_is_a_refusal(echo: RunningDaemon) -> None:
    """A session of an earlier run of the daemon is told as such."""
    async with AsyncDaemonClient(echo.base_url, "old") as client:
        with pytest.raises(CallFailed) as failed:
            await client.call(FAIL, Nothing())

    assert failed.value.status == 401


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A server that answers its one connection with these bytes, and closes it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LONG_ENOUGH)

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        thread.join()


def test_nobody_there_is_a_sentence() -> None:
    """A port where nothing listens names the address and the command that tells more."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}"

    with (
        Client(url, "token") as client,
        pytest.raises(DaemonUnreachable, match=rf"{url}; `finplan daemon status`"),
    ):
        client.call(FAIL, Nothing())


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (b"", "hung up"),
        (b"HTTP/1.1 200 OK\r\nfinplan-version: 1\r\ncontent-length: 9\r\n\r\n{", "hung up"),
        (b"nonsense\r\n\r\n", "hung up"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", "not a finplan daemon"),
    ],
)
def test_a_broken_answer_is_a_sentence(answer: bytes, sentence: str) -> None:
    """Whatever answers instead of the daemon, or of all its answer, is told in a sentence."""
    with (
        answering(answer) as url,
        Client(url, "token") as client,
        pytest.raises(DaemonUnreachable, match=sentence),
    ):
        client.call(FAIL, Nothing())


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is said to the daemon never leaves the machine by way of a proxy."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    answer = b"HTTP/1.1 200 OK\r\nfinplan-version: 1\r\ncontent-length: 2\r\n\r\n{}"

    with answering(answer) as url, Client(url, "token") as client:
        assert client.call(FAIL, Nothing()) == Nothing()
