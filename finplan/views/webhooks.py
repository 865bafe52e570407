"""Webhooks and their deliveries, and what arrives where one of them leads to this machine."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from finplan.model import figures, webhook
from finplan.model.characters import shortened
from finplan.views import page
from finplan.views.locale import Locale

SOON = 120
"""How many seconds, and how many minutes, are told as such."""

A_WHILE = 60_000
"""For how long a webhook has failed when it is said since when, in milliseconds."""


def webhooks(records: Sequence[webhook.WebhookRecord], how: Locale) -> page.Page:
    """Webhooks with how each fares; what is wrong with one is a sentence below the list."""
    short = shortened([record.webhook.id for record in records])
    rows = [
        (
            page.name(record.webhook.url),
            ", ".join(record.webhook.events),
            _state(record),
            str(record.waiting or ""),
            record.webhook.id,
        )
        for record in records
    ]
    columns = (
        page.col("address+", floor=25),
        page.col("events+", floor=18),
        "state",
        page.col("unsent", drops=1),
        "id#",
    )
    none = "No webhooks yet. Add one: `finplan webhooks add URL`."
    troubles = (text for record in records for text in _trouble(record, how, short))
    return page.of(page.listing(columns, rows, none), page.sentences(troubles), _held_up(records))


def one(record: webhook.WebhookRecord, how: Locale) -> page.Page:
    """One webhook with all that is known of it."""
    hook, former = record.webhook, record.former_secret_until
    return page.of(
        page.labelled(
            ("address", page.name(hook.url)),
            ("description", page.name(hook.description)) if hook.description else None,
            ("events", ", ".join(hook.events)),
            ("state", _state(record)),
            ("unsent", str(record.waiting)),
            ("added", how.age(hook.created_at)),
            None if former is None else ("previous secret", f"valid until {how.minute(former)}"),
            ("id", hook.id),
        ),
        page.sentences(_trouble(record, how, {hook.id: hook.id})),
        _held_up([record]),
    )


def _state(record: webhook.WebhookRecord) -> page.TextSpan:
    if record.webhook.disabled_at is not None:
        return page.TextSpan("disabled", "bad")
    if record.failing_since is not None:
        return page.TextSpan("last failed" if record.next_try_at is None else "retrying", "warn")
    return page.TextSpan("OK", "good")


def _trouble(record: webhook.WebhookRecord, how: Locale, short: dict[str, str]) -> Iterator[str]:
    """What is wrong with a webhook, and what to do; by an id, since several may be of one host."""
    key = short[record.webhook.id]
    which = f"{host_of(record.webhook.url)} ({key})"
    if record.webhook.disabled_at is not None:
        enable = f"`finplan webhooks change {key} --enable`"
        why = f" {record.disabled_why}" if record.disabled_why else ""
        yield f"{which} is disabled.{why} To enable it: {enable}."
    elif record.failing_since is not None:
        yield f"{which}: {' '.join(_failure(record, record.failing_since, how))}"


def _failure(record: webhook.WebhookRecord, since: int, how: Locale) -> Iterator[str]:
    yield "The last delivery failed."
    if record.last_error:
        yield record.last_error
    if how.now.timestamp() * 1000 - since >= A_WHILE:
        yield f"No delivery has succeeded since the first failure, {how.age(since)}."
    if record.next_try_at is not None:
        yield f"Next retry {when(record.next_try_at, how)}."


def _held_up(records: Sequence[webhook.WebhookRecord]) -> tuple[page.Sentence, ...]:
    reasons = sorted({record.held_up for record in records if record.held_up is not None})
    texts = (f"finplan cannot sign and send deliveries now. {reason}" for reason in reasons)
    return page.sentences(texts, "warn")


def deliveries(listed: Sequence[webhook.WebhookDelivery], how: Locale) -> page.Page:
    """Deliveries, each with what came of it."""
    rows = [
        (
            delivery.type,
            how.age(delivery.created_at),
            _state_of_delivery(delivery),
            str(delivery.attempts),
            page.mentioning(_result(delivery, how)),
            delivery.id,
        )
        for delivery in listed
    ]
    columns = (
        "event",
        "when",
        "state",
        page.col("tries", drops=1),
        page.col("result+", floor=12),
        "id#",
    )
    return page.of(page.listing(columns, rows, "No deliveries in the last thirty days."))


def _state_of_delivery(delivery: webhook.WebhookDelivery) -> page.TextSpan:
    if delivery.status == "pending":
        return page.TextSpan("retrying" if delivery.attempts else "pending", "warn")
    if delivery.status == "delivered":
        return page.TextSpan("delivered", "good")
    return page.TextSpan("failed", "bad")


def _result(delivery: webhook.WebhookDelivery, how: Locale) -> str:
    if delivery.status == "pending" and delivery.attempts:
        return f"{delivery.last_error} Next retry {when(delivery.next_attempt_at, how)}."
    if delivery.status == "delivered":
        return f"answered {delivery.last_status}"
    return delivery.last_error or ""


def outcome(delivery: webhook.WebhookDelivery, how: Locale, *, tried: bool = True) -> page.Page:
    """What came of a delivery in a sentence; `tried` is whether it was, since it was asked to."""
    failure = delivery.last_error or "The delivery failed."
    if delivery.status == "delivered":
        sentence, tone = f"Delivered: the receiver answered {delivery.last_status}.", "good"
    elif not (delivery.attempts and tried):
        sentence, tone = "Still pending. See `finplan webhooks deliveries`.", ""
    elif delivery.status == "failed":
        sentence, tone = f"{failure} No more retries.", "bad"
    else:
        sentence, tone = (
            f"{failure} Next retry {when(delivery.next_attempt_at, how)}.",
            "warn",
        )
    return page.of(page.sentences([sentence], tone))


def describe_former_secret(secret: webhook.NewSecret, how: Locale) -> str:
    """Until when the secrets before a new one sign."""
    older = "" if secret.older_until is None else " Any older secret is no longer valid."
    return f"The previous secret stays valid until {how.minute(secret.former_until)}.{older}"


def host_of(url: str) -> str:
    """The host that a URL names."""
    return urlsplit(url).hostname or url


def when(milliseconds: int, how: Locale) -> str:
    """When something is to come: "in 5 seconds", "in 5 minutes" to the nearest, else its instant."""
    seconds = -(-(milliseconds - int(how.now.timestamp() * 1000)) // 1000)
    if seconds <= 0:
        return "now"
    if seconds < SOON:
        return f"in {figures.count(seconds, 'second')}"
    if seconds < SOON * 60:
        return f"in {figures.count((seconds + 30) // 60, 'minute')}"
    return f"at {how.minute(milliseconds)}"


_ANY_EVENT: TypeAdapter[webhook.WebhookEvent] = TypeAdapter(webhook.WebhookEvent)
_INDENT = 10


def arrival(body: bytes, faults: tuple[str | None, str | None], how: Locale) -> page.Page:
    """A delivery as it arrived: when, what of, and what it says, or the `faults` of its signatures.

    One fault is by the secret, the other by the key.
    """
    kind, state = "", page.TextSpan("verified by secret and key", "good")
    if any(faults):
        # Whoever sent it, what it says is not repeated.
        ways = zip(("Secret", "Key"), faults, strict=True)
        state = page.TextSpan("not verified", "strong bad")
        texts = [f"{way}: {fault or 'Verified.'}" for way, fault in ways]
    else:
        try:
            event = _ANY_EVENT.validate_json(body)
        except ValidationError:
            texts = ["This version of finplan does not recognize this event."]
        else:
            kind, texts = f"{event.type}  ", [event_sentence(event, how)]
    return page.of(
        page.Sentence(
            (
                page.soft(f"{how.now.astimezone(how.zone):%H:%M:%S}  "),
                page.TextSpan(kind, "strong"),
                state,
            )
        ),
        (page.sentence(text, indent=_INDENT) for text in texts),
    )


def event_sentence(event: webhook.WebhookEvent, how: Locale) -> str:
    """What an event says."""
    if isinstance(event, webhook.PlanBuiltEvent):
        plan = event.data
        return (
            f"New plan ({figures.long_date(plan.generated_on)}): income {how.money(plan.income)} a"
            f" month, spending {how.money(plan.total_spend)}, surplus {how.money(plan.surplus)}. Net"
            f" worth {how.money(plan.net_worth)}, {figures.count(len(plan.actions), 'action')}."
        )
    if isinstance(event, webhook.RecurringDetectedEvent):
        charge = event.data.recurring
        if charge is None:
            count = figures.count(event.data.count, "new recurring charge")
            return f"{count} found."
        rhythm = charge.cadence.replace("_", " ")
        return f"New recurring charge: {charge.name}, {how.money(charge.amount)}, {rhythm}."
    if isinstance(event, webhook.BankReconnectRequiredEvent):
        return f"{event.data.connection.institution_name} needs you to sign in again."
    return f"Test of the webhook {event.data.webhook_id}."
