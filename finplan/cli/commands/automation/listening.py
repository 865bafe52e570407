"""`finplan webhooks listen`: a receiver of its own webhook, from the first delivery to Ctrl-C."""

import base64
import secrets
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from finplan.cli.commands.automation.receiver import Judge, LocalReceiver
from finplan.cli.console.errors import NOT_THERE, CommandError
from finplan.cli.console.session import Session
from finplan.cli.showing.webhooks import draw_arrival, facts_of
from finplan.client.failures import CallFailed, DaemonUnreachable
from finplan.client.lock import LockHeld, hold
from finplan.model.automation.webhook import (
    WEBHOOK_SECRET_PREFIX,
    CreatedWebhook,
    NewWebhook,
    WebhookId,
)
from finplan.model.base import Nothing
from finplan.operations.webhook import (
    CREATE_WEBHOOK,
    LIST_WEBHOOKS,
    REMOVE_WEBHOOK,
    SHOW_WEBHOOK,
    TRY_WEBHOOK,
)
from finplan.webhooks.listener import Listener, read_listener, write_listener
from finplan.webhooks.signing import DIRECTORY_PATH
from finplan.webhooks.verifying import CheckedDelivery

if TYPE_CHECKING:
    from finplan.model.automation.webhook import WebhookEventType

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
            _remove_what_was_left(session)
            _receive(session, events)
    except LockHeld as held:
        raise CommandError(
            f"Another `finplan webhooks listen` runs (process {held.pid or 'unknown'}). End it first"
            " with Ctrl-C, or by its number.",
            NOT_THERE,
        ) from None


def _receive(session: Session, events: "tuple[WebhookEventType, ...]") -> None:
    places, arrived = session.settings.places, SimpleQueue[CheckedDelivery]()
    receiver = LocalReceiver(places.data, f"/{secrets.token_urlsafe(PATH_BYTES)}")
    try:
        write_listener(places.listener, Listener(receiver.url, receiver.certificate))
        with _webhook(session, receiver.url, events) as made:
            secret = base64.b64decode(made.secret.removeprefix(WEBHOOK_SECRET_PREFIX))
            with receiver.handing_over(Judge(secret, lambda: _published(session)), arrived.put):
                session.call(TRY_WEBHOOK, WebhookId(id=made.id))
                session.say(
                    f"Listening at {receiver.url} by the webhook {made.id}, which is there as long as"
                    " this runs. A test is on its way; Ctrl-C ends it."
                )
                while True:
                    _print(session, _next(session, arrived, made.id))
    finally:
        receiver.close()


def _next(
    session: Session, arrived: "SimpleQueue[CheckedDelivery]", webhook_id: str
) -> CheckedDelivery:
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
        if failed.status != GONE:
            return
        happened = "removed"
    else:
        if disabled is None:
            return
        happened = "disabled"
    raise CommandError(
        f"The webhook {webhook_id} was {happened} by somebody else, so nothing arrives any more."
        " `finplan webhooks listen` begins anew.",
        NOT_THERE,
    )


def _print(session: Session, arrival: CheckedDelivery) -> None:
    if session.options.json:
        session.print_own(facts_of(arrival))
    else:
        session.print(draw_arrival(arrival, session.currency, session.width))


def _published(session: Session) -> dict[str, str]:
    """The keys that the daemon publishes; none while it does not answer."""
    try:
        found = session.client.published(DIRECTORY_PATH)
    except (CallFailed, DaemonUnreachable):
        return {}
    return {each["kid"]: each["x"] for each in found["keys"]}


@contextmanager
def _webhook(
    session: Session, url: str, events: "tuple[WebhookEventType, ...]"
) -> Iterator[CreatedWebhook]:
    """A webhook that is there as long as the block."""
    made = session.call(CREATE_WEBHOOK, NewWebhook(url=url, events=events, description=DESCRIPTION))
    try:
        yield made
    finally:
        try:
            _remove(session, made.id)
            # By this file the next listener knows what this one has left.
            session.settings.places.listener.unlink(missing_ok=True)
        except (CallFailed, DaemonUnreachable) as error:
            session.say(
                f"The webhook {made.id} is still registered: {error} The next `finplan webhooks listen`"
                f" removes it, and so does `finplan webhooks remove {made.id}`."
            )


def _remove(session: Session, webhook_id: str) -> None:
    """Remove a webhook, which somebody else may have done before."""
    try:
        session.call(REMOVE_WEBHOOK, WebhookId(id=webhook_id))
    except CallFailed as failed:
        if failed.status != GONE:
            raise


def _remove_what_was_left(session: Session) -> None:
    """Remove the webhook of a listener that was ended before it could do so itself."""
    left = read_listener(session.settings.places.listener)
    if left is None:
        return
    for webhook in session.call(LIST_WEBHOOKS, Nothing()):
        if webhook.url == left.url:
            _remove(session, webhook.id)


@contextmanager
def _ended_by_ctrl_c() -> Iterator[None]:
    """End the block in order at Ctrl-C, at a terminal that is closed, and when told to end."""

    def end(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = {each: signal.signal(each, end) for each in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
