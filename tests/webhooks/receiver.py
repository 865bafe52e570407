"""A receiver on this machine, by https with an authority of its own, that answers as a test tells it."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "receiver.test"
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class Authority:
    """An authority with the certificate and key of a server, all as files."""

    authorities: Path
    server: Path
    key: Path


@dataclass(frozen=True)
class Got:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def seconds(self) -> int:
        return int(self.headers["webhook-timestamp"])


async def _no_content(_request: web.Request) -> web.StreamResponse:
    return web.Response(status=204)


@dataclass
class Receiver:
    """What arrived, in order; `answer` may be changed at any time."""

    port: int = 0
    answer: Answer = _no_content
    got: list[Got] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def url(self, path: str = "/hook", host: str = HOST) -> str:
        return f"https://{host}:{self.port}{path}"

    async def take(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        self.got.append(Got(request.path, dict(request.headers), body))
        self.news.set()
        return await self.answer(request)


def make_authority(folder: Path, *names: str) -> Authority:
    """An authority, and a server's certificate by it for some names and addresses."""
    own = ec.generate_private_key(ec.SECP256R1())
    server = ec.generate_private_key(ec.SECP256R1())
    issuer = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    root = (
        _certificate(issuer, issuer, own.public_key())
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(own.public_key()), critical=False)
        .sign(own, hashes.SHA256())
    )
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, names[0])])
    leaf = (
        _certificate(subject, issuer, server.public_key())
        .add_extension(x509.SubjectAlternativeName([_name(each) for each in names]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(own.public_key()), critical=False
        )
        .sign(own, hashes.SHA256())
    )
    made = Authority(folder / "authorities.pem", folder / "server.pem", folder / "server.key")
    made.authorities.write_bytes(root.public_bytes(serialization.Encoding.PEM))
    made.server.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    made.key.write_bytes(
        server.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return made


def _certificate(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=365))
    )


def _name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        return x509.DNSName(text)


@asynccontextmanager
async def receiving(authority: Authority) -> AsyncIterator[Receiver]:
    """Receive on a free port of this machine."""
    receiver = Receiver()
    app = web.Application(client_max_size=2**20)
    app.router.add_route("*", "/{path:.*}", receiver.take)
    runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(authority.server, authority.key)
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    receiver.port = runner.addresses[0][1]
    try:
        yield receiver
    finally:
        await runner.cleanup()
