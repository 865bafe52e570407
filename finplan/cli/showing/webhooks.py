"""Webhooks and their deliveries as lines, and what arrives where one of them leads here.

An arrival says what it is of, and whether it verifies.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError
from rich.console import Group, RenderableType
from rich.text import Text

from finplan.cli.showing.layout import page, wrapped
from finplan.cli.showing.listing import Column, Content, listing
from finplan.model import figures, webhook as webhooks
from finplan.model.characters import shortened
from finplan.webhooks.signing import CheckedDelivery

NO_WEBHOOKS = Text("No webhooks. `finplan webhooks add URL` registers one.", style="dim")
NO_DELIVERIES = Text("Nothing was sent to it in thirty days.", style="dim")

SOON = 120
"""How many seconds, and how many minutes, are told as such."""

A_WHILE = 60_000
"""For how long a webhook has failed when it is said since when, in milliseconds."""

_STATES = {"pending": "waiting", "delivered": "arrived", "failed": "failed"}
_STYLES = {"pending": "yellow", "delivered": "green", "failed": "red"}


def draw_webhooks(
    records: Sequence[webhooks.WebhookRecord], now: datetime | None = None
) -> RenderableType:
    """List webhooks with how each fares; what is wrong with one is a sentence below the list."""
    if not records:
        return NO_WEBHOOKS
    now = now or datetime.now(UTC)
    short = shortened([each.webhook.id for each in records])
    listed = listing(
        (
            Column("address", wraps=True),
            Column("told of", wraps=True),
            Column("state"),
            Column("waiting"),
            Column("id", style="dim"),
        ),
        (_row(each, short[each.webhook.id]) for each in records),
    )
    told = (_trouble(each, now, short[each.webhook.id]) for each in records)
    troubles = [trouble for trouble in told if trouble is not None]
    held_up = {each.held_up for each in records if each.held_up is not None}
    return Group(listed, *troubles, *map(_held_up, sorted(held_up)))


def draw_webhook(record: webhooks.WebhookRecord, now: datetime | None = None) -> RenderableType:
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
        (Column("", style="dim"), Column("", wraps=True)),
        ((name, told) for name, told in facts if told),
    )
    held_up = None if record.held_up is None else _held_up(record.held_up)
    return Group(listed, *filter(None, (_trouble(record, now, webhook.id), held_up)))


def draw_deliveries(
    deliveries: Sequence[webhooks.WebhookDelivery], now: datetime | None = None
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
            Column("what came of it", wraps=True),
            Column("id", style="dim"),
        ),
        (_delivery(each, now, short[each.id]) for each in deliveries),
    )


def outcome(
    delivery: webhooks.WebhookDelivery, now: datetime | None = None, *, tried: bool = True
) -> Text:
    """What came of a delivery, as a sentence; `tried` is whether it was, since it was asked to."""
    if delivery.status == "delivered":
        return Text(f"It arrived: the receiver answered {delivery.last_status}.", style="green")
    if not (delivery.attempts and tried):
        return Text("It is still on its way; `finplan webhooks deliveries` tells more.")
    told = delivery.last_error or "It has not arrived."
    if delivery.status == "failed":
        return Text(f"{told} It is not tried again.", style="red")
    again = when(delivery.next_attempt_at, now or datetime.now(UTC))
    return Text(f"{told} It is tried again {again}.", style="yellow")


def host_of(url: str) -> str:
    """The host that a URL names."""
    return urlsplit(url).hostname or url


def moment(milliseconds: int) -> str:
    """An instant as it is shown, in the time of this machine."""
    return f"{figures.moment(milliseconds):%Y-%m-%d %H:%M}"


def when(milliseconds: int, now: datetime) -> str:
    """When something is to come: "in 5 seconds", "in 5 minutes" to the nearest, else its instant."""
    seconds = -(-(milliseconds - int(now.timestamp() * 1000)) // 1000)
    if seconds <= 0:
        return "now"
    if seconds < SOON:
        return f"in {figures.count(seconds, 'second')}"
    if seconds < SOON * 60:
        return f"in {figures.count((seconds + 30) // 60, 'minute')}"
    return f"at {moment(milliseconds)}"


def _row(record: webhooks.WebhookRecord, short: str) -> tuple[Content, ...]:
    webhook = record.webhook
    waiting = str(record.waiting) if record.waiting else ""
    return (webhook.url, _events(webhook), _state(record), waiting, short)


def _events(webhook: webhooks.Webhook) -> str:
    return ", ".join(webhook.events)


def _state(record: webhooks.WebhookRecord) -> Text:
    if record.webhook.disabled_at is not None:
        return Text("disabled", style="red")
    if record.failing_since is not None:
        return Text("last failed" if record.next_try_at is None else "retrying", style="yellow")
    return Text("well", style="green")


def _trouble(record: webhooks.WebhookRecord, now: datetime, name: str) -> Text | None:
    """What is wrong with a webhook, and what to do; by an id, since several may be of one host."""
    which = f"{host_of(record.webhook.url)} ({name})"
    if record.webhook.disabled_at is not None:
        again = f"`finplan webhooks change {name} --enable` lets deliveries go on."
        return Text(f"{which}: {record.disabled_why or 'It is disabled.'} {again}")
    if record.failing_since is not None:
        return Text(f"{which}: {_failure(record, record.failing_since, now)}")
    return None


def _held_up(why: str) -> Text:
    return Text(f"Deliveries wait, since they cannot be signed: {why}", style="yellow")


def _failure(record: webhooks.WebhookRecord, since: int, now: datetime) -> str:
    told = ["The last try failed.", record.last_error]
    if now.timestamp() * 1000 - since >= A_WHILE:
        told.append(f"None has arrived since the first that failed, {figures.age(since, now)}.")
    if record.next_try_at is not None:
        told.append(f"It is tried again {when(record.next_try_at, now)}.")
    return " ".join(filter(None, told))


def _delivery(delivery: webhooks.WebhookDelivery, now: datetime, short: str) -> tuple[Content, ...]:
    is_first = delivery.status == "pending" and not delivery.attempts
    state = Text(
        "on its way" if is_first else _STATES[delivery.status], style=_STYLES[delivery.status]
    )
    if delivery.status == "pending" and delivery.attempts:
        told = f"{delivery.last_error} Next try {when(delivery.next_attempt_at, now)}."
    elif delivery.status == "delivered":
        told = f"answered {delivery.last_status}"
    else:
        told = delivery.last_error or ""
    tries, written = str(delivery.attempts), figures.age(delivery.created_at, now)
    return (delivery.type, written, state, tries, told, short)


VERIFIED = "verified by secret and key"
_ARRIVAL_INDENT = 10
_ANY_EVENT: TypeAdapter[webhooks.WebhookEvent] = TypeAdapter(webhooks.WebhookEvent)


def draw_arrival(
    arrival: CheckedDelivery, currency: str, width: int, now: datetime | None = None
) -> Text:
    """A delivery as it arrived: when, what of, whether it verifies, and below what it says."""
    head = Text(f"{now or datetime.now():%H:%M:%S}  ", style="dim")  # noqa: DTZ005 - As clocks here show it.
    if not arrival.verified:
        head.append("not verified", style="bold red")
        faults = (
            ("By the secret:", arrival.fault_of_secret),
            ("By the key:", arrival.fault_of_key),
        )
        # Whoever sent it, what it says is not repeated.
        told = [f"{by} {fault}" if fault else f"{by} it verifies." for by, fault in faults]
    elif (event := _event(arrival.body)) is None:
        head.append(VERIFIED, style="green")
        told = ["It is an event that this version does not know."]
    else:
        head.append(f"{event.type}  ", style="bold").append(VERIFIED, style="green")
        told = [in_a_sentence(event, currency)]
    below = (line for each in told for line in wrapped(each, width, indent=_ARRIVAL_INDENT))
    return page([head, *below])


def facts_of(arrival: CheckedDelivery) -> dict[str, Any]:
    """A delivery as a program reads it; `body` is null where it does not verify."""
    from pydantic_core import from_json

    return {
        "id": arrival.id,
        "verified": arrival.verified,
        "faultOfSecret": arrival.fault_of_secret,
        "faultOfKey": arrival.fault_of_key,
        "body": from_json(arrival.body) if arrival.verified else None,
    }


def in_a_sentence(event: webhooks.WebhookEvent, currency: str) -> str:
    """What an event says."""
    if isinstance(event, webhooks.PlanBuiltEvent):
        return _plan(event.data, currency)
    if isinstance(event, webhooks.RecurringDetectedEvent):
        return _recurring(event.data, currency)
    if isinstance(event, webhooks.BankReconnectRequiredEvent):
        return f"{event.data.connection.institution_name} wants you to sign in again."
    return f"A test of the webhook {event.data.webhook_id}."


def _plan(plan: webhooks.BuiltPlan, currency: str) -> str:
    income, spending, surplus, worth = (
        figures.money(each, currency)
        for each in (plan.income, plan.total_spend, plan.surplus, plan.net_worth)
    )
    return (
        f"A plan of {figures.long_date(plan.generated_on)} was built: income {income} a month,"
        f" spending {spending}, surplus {surplus}; net worth {worth};"
        f" {figures.count(len(plan.actions), 'action')}."
    )


def _recurring(found: webhooks.DetectedRecurring, currency: str) -> str:
    charge = found.recurring
    if charge is None:
        return f"{figures.count(found.count, 'charge')} that come again were found at once."
    rhythm = charge.cadence.replace("_", " ")
    return f"{charge.name} comes again: {figures.money(charge.amount, currency)}, {rhythm}."


def _event(body: bytes) -> webhooks.WebhookEvent | None:
    try:
        return _ANY_EVENT.validate_json(body)
    except ValidationError:
        return None
