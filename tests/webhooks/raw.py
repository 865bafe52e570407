"""A receiver that answers with raw bytes, which no server of HTTP would send."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from finplan.webhooks.courier import Letter
from finplan.webhooks.sending import Sender, Vetting
from finplan.webhooks.signing import MessageKey
from finplan.webhooks.targets import PrivateTargets
from tests.webhooks.desk import SITE
from tests.webhooks.receiver import HOST, Authority

Reply = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def replying(authority: Authority, reply: Reply) -> AsyncIterator[str]:
    """The URL of a server that lets `reply` do as it likes with each connection, request unread."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(authority.server, authority.key)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            await reply(reader, writer)
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://{HOST}:{server.sockets[0].getsockname()[1]}/"


@asynccontextmanager
async def a_sender(authority: Authority) -> AsyncIterator[Sender]:
    """A sender to whom every name leads to this machine."""

    async def key_of(_now: int) -> MessageKey:
        return MessageKey("key", Ed25519PrivateKey.from_private_bytes(bytes(32)))

    async def look_up(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    sender = Sender(
        SITE, key_of, Vetting(PrivateTargets.of([HOST]), look_up), authority.authorities
    )
    try:
        yield sender
    finally:
        await sender.close()


def a_letter(url: str, until: int = 0) -> Letter:
    """A letter to a URL, claimed until an instant."""
    return Letter(1, "dlv_1", 1, url, b"{}", (b"secret",), 0, until)
