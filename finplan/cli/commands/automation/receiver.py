"""A receiver of deliveries on this machine: https by a certificate of its own, each one verified."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import IPv4Address
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from finplan.webhooks.verifying import (
    CheckedDelivery,
    ReceivedDelivery,
    fault_by_key,
    fault_by_secret,
    key_name,
)

HERE = "127.0.0.1"
LARGEST_BODY = 2**20
"""How long a delivery may be, in bytes: no event comes near it."""

PATIENCE = 30.0
"""How long a sender may take between two pieces, in seconds."""

VALID_FOR = timedelta(days=30)

PublishedKeys = Callable[[], dict[str, str]]
"""Answers the published keys: the `x` of each by its name."""


class Judge:
    """Verifies deliveries by one secret and by the keys of a directory, which is asked for a new one."""

    def __init__(self, secret: bytes, directory: PublishedKeys) -> None:
        self._secret = secret
        self._directory = directory
        self._published: dict[str, str] = {}

    def check(self, received: ReceivedDelivery) -> CheckedDelivery:
        """What comes of verifying a delivery now."""
        of_secret = fault_by_secret(received, self._secret, int(time.time()))
        # Who does not know the secret has nothing looked up for them.
        if of_secret is None and key_name(received) not in self._published:
            self._published = self._directory()
        of_key = fault_by_key(received, self._published)
        delivery = received.headers.get("webhook-id", "")
        return CheckedDelivery(delivery, received.body, of_secret, of_key)


class LocalReceiver:
    """Listens at a free port of this machine until closed; `certificate` is what it shows (PEM)."""

    def __init__(self, folder: Path, path: str) -> None:
        self.certificate, key = make_certificate()
        self._server = _Server((HERE, 0), _Handler)
        self._server.path = path
        self._server.secured = _shown_by(folder, self.certificate, key)
        self.url = f"https://{HERE}:{self._server.server_port}{path}"

    @contextmanager
    def handing_over(self, judge: Judge, take: Callable[[CheckedDelivery], None]) -> Iterator[None]:
        """Answer deliveries and hand each over with what came of verifying it, as long as the block."""
        self._server.judge, self._server.take, self._server.url = judge, take, self.url
        serving = threading.Thread(target=self._server.serve_forever, daemon=True)
        serving.start()
        try:
            yield
        finally:
            self._server.shutdown()
            serving.join()

    def close(self) -> None:
        """Listen no more."""
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    path: str
    url: str
    secured: ssl.SSLContext
    judge: Judge
    take: Callable[[CheckedDelivery], None]

    def get_request(self) -> tuple[socket.socket, Any]:
        plain, address = super().get_request()
        # Shaking hands is left to the connection's own thread, so that nobody holds up the others.
        secured = self.secured.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        return secured, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks is its sender's trouble: finplan tries again by itself."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = PATIENCE
    server_version = "finplan"
    sys_version = ""

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if self.path != self.server.path:
            self._answer(404)
        elif not (length.isascii() and length.isdigit() and int(length[:9]) <= LARGEST_BODY):
            self._answer(413)
        else:
            body = self.rfile.read(int(length[:9]))
            received = ReceivedDelivery(self.server.url, dict(_lowered(self.headers)), body)
            checked = self.server.judge.check(received)
            self._answer(204 if checked.verified else 401)
            self.server.take(checked)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - The base class names it.
        """What arrives is told by who takes it."""


def _lowered(headers: Any) -> Iterator[tuple[str, str]]:
    return ((str(name).lower(), str(value)) for name, value in headers.items())


def make_certificate() -> tuple[str, bytes]:
    """A certificate for this machine's own address, signed by itself, and its private key; both PEM."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "finplan webhooks listen")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # A clock that was set back a little since is no reason to trust it less.
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + VALID_FOR)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address(HERE))]), False)  # noqa: FBT003 - So the library asks for it.
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return certificate.public_bytes(serialization.Encoding.PEM).decode(), private


def _shown_by(folder: Path, certificate: str, key: bytes) -> ssl.SSLContext:
    """A server's side of TLS; the private key is in a file (0600) for that moment alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with NamedTemporaryFile(dir=folder) as file:
        file.write(certificate.encode() + key)
        file.flush()
        context.load_cert_chain(file.name)
    return context
