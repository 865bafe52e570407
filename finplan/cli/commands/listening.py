"""`finplan webhooks listen`: a receiver of its own webhook, from the first delivery to Ctrl-C.

It receives on this machine, https by a certificate of its own, and verifies each delivery.
"""

import base64
import secrets
import signal
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
from queue import Empty, SimpleQueue
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from pydantic_core import from_json

from finplan import views
from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.session import Session
from finplan.client.announcement import LockHeld, hold
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.model.webhook import WEBHOOK_SECRET_PREFIX, CreatedWebhook, NewWebhook, WebhookId
from finplan.operations.webhook import (
    CREATE_WEBHOOK,
    LIST_WEBHOOKS,
    REMOVE_WEBHOOK,
    SHOW_WEBHOOK,
    TRY_WEBHOOK,
)
from finplan.webhooks import signing
from finplan.webhooks.listener import Listener, read_listener, write_listener

if TYPE_CHECKING:
    from finplan.model.webhook import WebhookEventType

DESCRIPTION = "finplan webhooks listen"
GONE = 404
"""The status that says there is no such webhook."""

LOOKS_EVERY = 15.0
"""After how long without a delivery it is looked whether any can come, in seconds."""

PATH_BYTES = 16
"""How much of the path nobody can guess, in bytes."""


def listen(session: Session, events: "tuple[WebhookEventType, ...]") -> None:
    """Receive at this machine, by a webhook that is there as long, and print what arrives.

    Raises CommandError where another one listens for the profile, and when its webhook is removed or
    disabled by somebody else.
    """
    # The daemon makes the folder that the lock is in, where there is none yet.
    _ = session.client
    try:
        with hold(session.settings.places.listener_lock), _ended_by_ctrl_c():
            _remove_stale_webhook(session)
            _receive(session, events)
    except LockHeld as held:
        process = f" (process {held.pid})" if held.pid else ""
        raise CommandError(
            f"Another `finplan webhooks listen` is running{process}. Stop it first.",
            NOT_THERE,
        ) from None


def _receive(session: Session, events: "tuple[WebhookEventType, ...]") -> None:
    places, arrived = session.settings.places, SimpleQueue[signing.CheckedDelivery]()
    receiver = LocalReceiver(places.data, f"/{secrets.token_urlsafe(PATH_BYTES)}")
    try:
        write_listener(places.listener, Listener(receiver.url, receiver.certificate))
        with _webhook(session, receiver.url, events) as webhook:
            secret = base64.b64decode(webhook.secret.removeprefix(WEBHOOK_SECRET_PREFIX))
            with receiver.handing_over(Judge(secret, lambda: _published(session)), arrived.put):
                session.call(TRY_WEBHOOK, WebhookId(id=webhook.id))
                session.say(
                    f"Listening at {receiver.url} with the temporary webhook {webhook.id}. A test event"
                    " is on its way. Press Ctrl-C to stop."
                )
                while True:
                    _print(session, _next(session, arrived, webhook.id))
    finally:
        receiver.close()


def _next(
    session: Session, arrived: "SimpleQueue[signing.CheckedDelivery]", webhook_id: str
) -> signing.CheckedDelivery:
    """The next delivery. Raises CommandError once none can come any more."""
    while True:
        try:
            return arrived.get(timeout=LOOKS_EVERY)
        except Empty:
            _expect_deliveries(session, webhook_id)


def _expect_deliveries(session: Session, webhook_id: str) -> None:
    """Refuse to wait for what cannot come; a daemon that does not answer now may do so later."""
    try:
        disabled = session.client.call(SHOW_WEBHOOK, WebhookId(id=webhook_id)).disabled_at
    except DaemonUnreachable:
        return
    except CallFailed as failed:
        happened = "removed" if failed.status == GONE else None
    else:
        happened = "disabled" if disabled is not None else None
    if happened is None:
        return
    raise CommandError(
        f"Someone {happened} the webhook {webhook_id}, so no more events arrive. Start"
        " listening again: `finplan webhooks listen`.",
        NOT_THERE,
    )


def _print(session: Session, arrival: signing.CheckedDelivery) -> None:
    if session.options.json:
        session.print_own(facts_of(arrival))
        return
    faults = (arrival.fault_of_secret, arrival.fault_of_key)
    how = views.locale.here(session.currency)
    session.show(views.webhooks.arrival(arrival.body, faults, how))


def facts_of(arrival: signing.CheckedDelivery) -> dict[str, Any]:
    """A delivery as a program reads it; `body` is null where it does not verify."""
    return {
        "id": arrival.id,
        "verified": arrival.verified,
        "faultOfSecret": arrival.fault_of_secret,
        "faultOfKey": arrival.fault_of_key,
        "body": from_json(arrival.body) if arrival.verified else None,
    }


def _published(session: Session) -> dict[str, str]:
    """The keys that the daemon publishes; none while it does not answer."""
    try:
        directory = session.client.published(signing.DIRECTORY_PATH)
    except (CallFailed, DaemonUnreachable):
        return {}
    return {key["kid"]: key["x"] for key in directory["keys"]}


@contextmanager
def _webhook(
    session: Session, url: str, events: "tuple[WebhookEventType, ...]"
) -> Iterator[CreatedWebhook]:
    """A webhook that is there as long as the block."""
    new = NewWebhook(url=url, events=events, description=DESCRIPTION)
    webhook = session.call(CREATE_WEBHOOK, new)
    try:
        yield webhook
    finally:
        try:
            _remove(session, webhook.id)
            # By this file the next listener knows what this one has left.
            session.settings.places.listener.unlink(missing_ok=True)
        except (CallFailed, DaemonUnreachable) as error:
            session.say(
                f"Could not remove the webhook {webhook.id}: {error} Remove it with `finplan webhooks"
                f" remove {webhook.id}`, or start `finplan webhooks listen` again."
            )


def _remove(session: Session, webhook_id: str) -> None:
    """Remove a webhook, which somebody else may have done before."""
    try:
        session.call(REMOVE_WEBHOOK, WebhookId(id=webhook_id))
    except CallFailed as failed:
        if failed.status != GONE:
            raise


def _remove_stale_webhook(session: Session) -> None:
    """Remove the webhook of a listener that was ended before it could do so itself."""
    listener = read_listener(session.settings.places.listener)
    if listener is None:
        return
    for webhook in session.call(LIST_WEBHOOKS):
        if webhook.url == listener.url:
            _remove(session, webhook.id)


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """End the block in order at Ctrl-C, at a terminal that is closed, and at SIGTERM."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = {signum: signal.signal(signum, end) for signum in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)


HERE = "127.0.0.1"
LARGEST_BODY = 2**20
"""How long a delivery may be, in bytes: no event comes near it."""

PATIENCE_WITH_SENDER = 30.0
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

    def check(self, received: signing.ReceivedDelivery) -> signing.CheckedDelivery:
        """What comes of verifying a delivery now."""
        of_secret = signing.fault_by_secret(received, self._secret, int(time.time()))
        # Who does not know the secret has nothing looked up for them.
        if of_secret is None and signing.key_name(received) not in self._published:
            self._published = self._directory()
        of_key = signing.fault_by_key(received, self._published)
        delivery = received.headers.get("webhook-id", "")
        return signing.CheckedDelivery(delivery, received.body, of_secret, of_key)


class LocalReceiver:
    """Listens at a free port of this machine until closed; `certificate` is what it shows (PEM)."""

    def __init__(self, folder: Path, path: str) -> None:
        self.certificate, key = make_certificate()
        self._server = _Server((HERE, 0), _Handler)
        self._server.path = path
        self._server.secured = _shown_by(folder, self.certificate, key)
        self.url = f"https://{HERE}:{self._server.server_port}{path}"

    @contextmanager
    def handing_over(
        self, judge: Judge, take: Callable[[signing.CheckedDelivery], None]
    ) -> Iterator[None]:
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
    take: Callable[[signing.CheckedDelivery], None]

    def get_request(self) -> tuple[socket.socket, Any]:
        plain, address = super().get_request()
        # Shaking hands is left to the connection's own thread, so that nobody holds up the others.
        secured = self.secured.wrap_socket(plain, server_side=True, do_handshake_on_connect=False)
        return secured, address

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks is its sender's trouble: finplan tries again by itself."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = PATIENCE_WITH_SENDER
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
            headers = {str(name).lower(): str(value) for name, value in self.headers.items()}
            received = signing.ReceivedDelivery(self.server.url, headers, body)
            checked = self.server.judge.check(received)
            self._answer(204 if checked.verified else 401)
            self.server.take(checked)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - The base class names it.
        """What arrives is told by who takes it."""


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
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
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
