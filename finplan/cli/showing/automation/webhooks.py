"""Webhooks and their deliveries as lines."""

from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.console.naming import shortened
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures
from finplan.model.automation.webhook import Webhook, WebhookDelivery, WebhookRecord

NO_WEBHOOKS = Text("No webhooks. `finplan webhooks add URL` registers one.", style="dim")
NO_DELIVERIES = Text("Nothing was sent to it in thirty days.", style="dim")

_STATES = {"pending": "on its way", "delivered": "arrived", "failed": "failed"}
_STYLES = {"pending": "yellow", "delivered": "green", "failed": "red"}


def draw_webhooks(records: Sequence[WebhookRecord], now: datetime | None = None) -> RenderableType:
    """List webhooks with how each fares; what is wrong with one is a sentence below the list."""
    if not records:
        return NO_WEBHOOKS
    now = now or datetime.now(UTC)
    short = shortened([each.webhook.id for each in records])
    listed = listing(
        (
            Column("address", gives_way=True),
            Column("told of", gives_way=True),
            Column("state"),
            Column("waiting"),
            Column("added"),
            Column("id", style="dim"),
        ),
        (_row(each, now, short[each.webhook.id]) for each in records),
    )
    troubles = [trouble for each in records if (trouble := _trouble(each, now)) is not None]
    return Group(listed, *troubles)


def draw_webhook(record: WebhookRecord, now: datetime | None = None) -> RenderableType:
    """One webhook with all that is known of it."""
    now = now or datetime.now(UTC)
    webhook = record.webhook
    former = record.former_secret_until
    facts: tuple[tuple[str, Content], ...] = (
        ("address", webhook.url),
        ("for", webhook.description or ""),
        ("told of", _events(webhook)),
        ("state", _state(record)),
        ("waiting", str(record.waiting)),
        ("added", figures.age(webhook.created_at, now)),
        ("former secret", "" if former is None else f"signs until {moment(former)}"),
        ("id", webhook.id),
    )
    listed = listing(
        (Column("", style="dim"), Column("", gives_way=True)),
        ((name, told) for name, told in facts if told),
    )
    trouble = _trouble(record, now)
    return listed if trouble is None else Group(listed, trouble)


def draw_deliveries(
    deliveries: Sequence[WebhookDelivery], now: datetime | None = None
) -> RenderableType:
    """List deliveries, each with what came of it."""
    if not deliveries:
        return NO_DELIVERIES
    now = now or datetime.now(UTC)
    short = shortened([each.id for each in deliveries])
    return listing(
        (
            Column("event"),
            Column("when"),
            Column("state"),
            Column("tries"),
            Column("what came of it", gives_way=True),
            Column("id", style="dim"),
        ),
        (_delivery(each, now, short[each.id]) for each in deliveries),
    )


def outcome(delivery: WebhookDelivery) -> Text:
    """What came of a delivery, as a sentence."""
    if delivery.status == "delivered":
        return Text(f"It arrived: the receiver answered {delivery.last_status}.", style="green")
    if not delivery.attempts:
        return Text("It is still on its way; `finplan webhooks deliveries` tells more.")
    told = delivery.last_error or "It has not arrived."
    if delivery.status == "failed":
        return Text(f"{told} It is not tried again.", style="red")
    return Text(f"{told} It is tried again at {moment(delivery.next_attempt_at)}.", style="yellow")


def host_of(url: str) -> str:
    """The host that a URL names."""
    return urlsplit(url).hostname or url


def moment(milliseconds: int) -> str:
    """An instant as it is shown, in the time of this machine."""
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"


def _row(record: WebhookRecord, now: datetime, short: str) -> tuple[Content, ...]:
    webhook = record.webhook
    waiting = str(record.waiting) if record.waiting else ""
    added = figures.age(webhook.created_at, now)
    return (webhook.url, _events(webhook), _state(record), waiting, added, short)


def _events(webhook: Webhook) -> str:
    return ", ".join(webhook.events)


def _state(record: WebhookRecord) -> Text:
    if record.webhook.disabled_at is not None:
        return Text("disabled", style="red")
    if record.failing_since is not None:
        return Text("failing", style="yellow")
    return Text("well", style="green")


def _trouble(record: WebhookRecord, now: datetime) -> Text | None:
    """What is wrong with a webhook, and what to do."""
    host = host_of(record.webhook.url)
    if record.webhook.disabled_at is not None:
        again = f"`finplan webhooks change {host} --enable` lets deliveries go on."
        return Text(f"{host}: {record.disabled_why or 'It is disabled.'} {again}")
    if record.failing_since is not None:
        since = figures.age(record.failing_since, now)
        return Text(f"{host}: failing since {since}. {record.last_error or ''}".rstrip())
    return None


def _delivery(delivery: WebhookDelivery, now: datetime, short: str) -> tuple[Content, ...]:
    state = Text(_STATES[delivery.status], style=_STYLES[delivery.status])
    if delivery.status == "pending" and delivery.attempts:
        told = f"{delivery.last_error} Next try {moment(delivery.next_attempt_at)}."
    elif delivery.status == "delivered":
        told = f"answered {delivery.last_status}"
    else:
        told = delivery.last_error or ""
    tries, when = str(delivery.attempts), figures.age(delivery.created_at, now)
    return (delivery.type, when, state, tries, told, short)
