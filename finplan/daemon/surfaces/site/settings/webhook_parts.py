"""What both pages of webhooks say: of events, of a webhook, and of a delivery."""

from collections.abc import Collection
from urllib.parse import urlencode

from finplan.daemon.surfaces.pages.markup import Markup, command, element, joined, tick
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import text_field
from finplan.daemon.surfaces.site.settings.settings_page import WEBHOOKS
from finplan.model import figures
from finplan.model.automation.webhook import LONGEST_URL, Webhook, WebhookDelivery, WebhookRecord

ONE, PAGE_FROM = "of", "from"
"""The names by which an address of the settings says of which webhook it is, and of which page."""

EVENTS = {
    "plan.built": "A plan was built",
    "recurring.detected": "A charge comes again that no plan knew",
    "bank.reconnect_required": "A bank wants you to sign in again",
    "webhook.test": "A test",
}
"""What is said of each event."""

_STATES = {"delivered": "arrived", "failed": "failed"}


def way_to(webhook_id: str, cursor: str | None = None) -> str:
    """Where the page of one webhook is; a cursor is of its later deliveries."""
    asked = {ONE: webhook_id} | ({} if cursor is None else {PAGE_FROM: cursor})
    return f"{WEBHOOKS}?{urlencode(asked)}"


def name_of(webhook: Webhook) -> Markup:
    """What a webhook is known by: its address and its id."""
    return joined(element("bdi", webhook.url), " ", command(webhook.id))


def facts_of(visit: Visit, record: WebhookRecord) -> list[str | None]:
    """What is known of a webhook, each in a few words; the first trouble it has, too."""
    webhook, former = record.webhook, record.former_secret_until
    return [
        webhook.description,
        ", ".join(webhook.events),
        f"since {visit.day(webhook.created_at)}",
        figures.count(record.waiting, "delivery", "deliveries") + " waiting"
        if record.waiting
        else None,
        None if former is None else f"the secret before signs, too, until {visit.moment(former)}",
        _trouble(visit, record),
        None if record.held_up is None else f"they cannot be signed: {record.held_up}",
    ]


def told_of(visit: Visit, delivery: WebhookDelivery) -> list[str]:
    """What is known of a delivery besides its event: when it was, and what came of it."""
    told = [
        visit.moment(delivery.created_at),
        _state(visit, delivery),
        figures.count(delivery.attempts, "try", "tries") if delivery.attempts else None,
        delivery.last_error,
    ]
    return [each for each in told if each is not None]


def address_field(value: str) -> Markup:
    """Where deliveries go."""
    return text_field(
        "url",
        "Address",
        value,
        hint="Where deliveries go: an https address.",
        autocomplete="off",
        inputmode="url",
        maxlength=LONGEST_URL,
        required=True,
    )


def purpose_field(value: str) -> Markup:
    """What a webhook is for, in the person's words."""
    return text_field(
        "description",
        "What it is for",
        value,
        hint="May be left empty.",
        autocomplete="off",
        maxlength=200,
    )


def event_ticks(wanted: Collection[str]) -> Markup:
    """What a webhook may be told of, each to tick; a test comes to any."""
    return element(
        "fieldset",
        element("legend", "What it is told of"),
        *(
            tick("events", event, told, event, ticked=event in wanted)
            for event, told in EVENTS.items()
            if event != "webhook.test"
        ),
    )


def _state(visit: Visit, delivery: WebhookDelivery) -> str:
    if delivery.status != "pending":
        return _STATES[delivery.status]
    if not delivery.attempts:
        return "on its way"
    return f"waiting, tried again {visit.moment(delivery.next_attempt_at)}"


def _trouble(visit: Visit, record: WebhookRecord) -> str | None:
    if record.webhook.disabled_at is not None:
        since = visit.moment(record.webhook.disabled_at)
        return f"disabled since {since}: {record.disabled_why or ''}".rstrip(": ")
    if record.failing_since is not None:
        since = visit.moment(record.failing_since)
        told = f"the last try failed: {record.last_error or ''}".rstrip(": ")
        return f"{told} No delivery has arrived since {since}."
    return None
