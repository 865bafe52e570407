"""Receivers that never stop: an attempt reads so many bytes and no more, whatever they are."""

import asyncio

import pytest

from finplan.webhooks.retries import Attempt
from finplan.webhooks.sending import RECEIVED_AT_MOST
from tests.patience import LONG_ENOUGH
from tests.webhooks.raw import a_letter, a_sender, replying
from tests.webhooks.receiver import Authority

OK = b"HTTP/1.1 200 OK\r\n"
INTERIM = b"HTTP/1.1 103 Early Hints\r\n\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
TOO_MUCH = Attempt(None, "More than 64 KB arrived before there was an answer with a status.")
GOES_ON_FOR = 64 * 1024 * 1024
"""What no buffer of a connection takes; a receiver that could send it was read without a bound."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("begins", "goes_on", "expected"),
    [
        (b"", INTERIM * 1000, TOO_MUCH),
        (b"", b"HTTP/1.1 100 Continue\r\nX-A: " + b"a" * 4000 + b"\r\n\r\n", TOO_MUCH),
        (CHUNKED + b"1;", b"a" * 40_000, Attempt(200)),
        (CHUNKED, b"1;" + b"a" * 4000 + b"\r\na\r\n", Attempt(200)),
        (OK + b"Content-Length: 999999999\r\n\r\n", b"a" * 40_000, Attempt(200)),
        (OK + b"\r\n", b"a" * 300_000, Attempt(200)),
    ],
    ids=["interim", "long interim", "one extension", "extensions", "body", "body until closed"],
)
async def test_a_flood_is_ended(
    authority: Authority, begins: bytes, goes_on: bytes, expected: Attempt
) -> None:
    """The connection is closed after so many bytes; a status among them counts, nothing else does."""
    ended = asyncio.Event()
    sent = 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await reader.readuntil(b"\r\n\r\n")
        writer.write(begins)
        try:
            while sent < GOES_ON_FOR:
                writer.write(goes_on)
                sent += len(goes_on)
                await writer.drain()
        finally:
            ended.set()

    async with replying(authority, flood) as url, a_sender(authority) as sender:
        async with asyncio.timeout(LONG_ENOUGH):
            assert await sender.send(a_letter(url), 0) == expected
            await ended.wait()
    assert sent < GOES_ON_FOR


@pytest.mark.parametrize(("beyond", "status"), [(0, 204), (1, None)])
async def test_the_bound_is_to_the_byte(
    authority: Authority, beyond: int, status: int | None
) -> None:
    """A status that ends with the last byte allowed counts, and a byte more is too much."""
    last = b"HTTP/1.1 204 No Content\r\n\r\n"
    room = RECEIVED_AT_MOST - len(last) + beyond
    hints = INTERIM * (room // len(INTERIM) - 100)
    field = b"HTTP/1.1 103 Early Hints\r\nX: \r\n\r\n"
    hints += field.replace(b": ", b": " + b"a" * (room - len(hints) - len(field)))
    assert len(hints + last) == RECEIVED_AT_MOST + beyond

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(hints + last)
        await writer.drain()
        await reader.read()

    async with replying(authority, reply) as url, a_sender(authority) as sender:
        async with asyncio.timeout(LONG_ENOUGH):
            assert (await sender.send(a_letter(url), 0)).status == status


async def test_each_request_has_the_whole_bound(authority: Authority) -> None:
    """On a connection that serves again nothing is left over of the answers before."""
    body = b"a" * 12_000
    answer = OK + b"Content-Length: %d\r\n\r\n" % len(body) + body
    connections = 0

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while True:
            await reader.readuntil(b"\r\n\r\n{}")
            writer.write(answer)
            await writer.drain()

    async with replying(authority, reply) as url, a_sender(authority) as sender:
        async with asyncio.timeout(LONG_ENOUGH):
            for _ in range(2 * RECEIVED_AT_MOST // len(body)):
                assert await sender.send(a_letter(url), 0) == Attempt(200)
    assert connections == 1
