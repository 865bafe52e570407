"""The page of webhooks: what is told of what happens, how each fares, and what was sent."""

from aiohttp import web
from pydantic import ValidationError
from pydantic_core import to_json

from finplan.daemon.errors import refusal_of
from finplan.daemon.surfaces.pages.fields import button, hidden, tick
from finplan.daemon.surfaces.pages.markup import Markup, element, joined
from finplan.daemon.surfaces.pages.parts import command
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, form, text_field
from finplan.daemon.surfaces.site.settings.settings_page import (
    WEBHOOKS,
    SettingsPage,
    disclosed,
    framed,
    part,
    shown_once,
    thing,
    things,
)
from finplan.model import figures
from finplan.model.automation.webhook import (
    CreatedWebhook,
    DeliveryPage,
    DeliveryQuery,
    NewSecret,
    NewWebhook,
    WebhookChange,
    WebhookDelivery,
    WebhookId,
    WebhookRecord,
)
from finplan.model.base import read_json
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations.automation import (
    CHANGE_WEBHOOK,
    CREATE_WEBHOOK,
    LIST_DELIVERIES,
    LIST_WEBHOOK_RECORDS,
    REMOVE_WEBHOOK,
    ROTATE_SECRET,
    TRY_WEBHOOK,
)

SHOWN = 5
"""How many of the newest deliveries of each webhook are shown."""

EVENTS = {
    "plan.built": "A plan was built",
    "recurring.detected": "A charge comes again that no plan knew",
    "bank.reconnect_required": "A bank wants you to sign in again",
    "webhook.test": "A test",
}
"""What is said of each event."""

_STATES = {"pending": "on its way", "delivered": "arrived", "failed": "failed"}


async def _draw(visit: Visit, typed: TypedForm) -> Markup:
    records: tuple[WebhookRecord, ...] = await visit.perform(LIST_WEBHOOK_RECORDS)
    drawn = []
    for record in records:
        ask = DeliveryQuery(id=record.webhook.id, limit=SHOWN)
        page: DeliveryPage = await visit.perform(LIST_DELIVERIES, ask)
        drawn.append(_webhook(visit, record, page.deliveries))
    return part(
        "webhooks",
        "Webhooks",
        things(drawn, "Nothing is told of anything yet."),
        _adding(visit, typed),
        lead="An address of yours on the internet that is told of what happens, signed.",
    )


def _adding(visit: Visit, typed: TypedForm) -> Markup:
    wanted = typed.values.get("events", ("plan.built",))
    return form(
        visit,
        WEBHOOKS,
        element("h3", "Add a webhook"),
        text_field(
            "url",
            "Address",
            typed.one("url"),
            hint="Where deliveries go: an https address.",
            autocomplete="off",
            inputmode="url",
            maxlength=2000,
            required=True,
        ),
        text_field(
            "description",
            "What it is for",
            typed.one("description"),
            hint="May be left empty.",
            autocomplete="off",
            maxlength=200,
        ),
        element(
            "fieldset",
            element("legend", "What it is told of"),
            *(
                tick("events", event, told, event, ticked=event in wanted)
                for event, told in EVENTS.items()
                if event != "webhook.test"
            ),
        ),
        button("Add the webhook", "create-webhook", "main"),
    )


def _webhook(
    visit: Visit, record: WebhookRecord, deliveries: tuple[WebhookDelivery, ...]
) -> Markup:
    webhook = record.webhook
    disabled = webhook.disabled_at is not None
    facts = [
        webhook.description,
        ", ".join(webhook.events),
        f"since {visit.day(webhook.created_at)}",
        figures.count(record.waiting, "delivery", "deliveries") + " waiting"
        if record.waiting
        else None,
        _trouble(visit, record),
        None if record.held_up is None else f"they cannot be signed: {record.held_up}",
    ]
    name = joined(element("bdi", webhook.url), " ", command(webhook.id))
    return thing(
        name,
        facts,
        _deliveries(visit, webhook.id, deliveries),
        _acts(visit, webhook.id, disabled=disabled),
        ended=disabled,
    )


def _trouble(visit: Visit, record: WebhookRecord) -> str | None:
    if record.webhook.disabled_at is not None:
        since = visit.moment(record.webhook.disabled_at)
        return f"disabled since {since}: {record.disabled_why or ''}".rstrip(": ")
    if record.failing_since is not None:
        since = visit.moment(record.failing_since)
        told = f"the last try failed: {record.last_error or ''}".rstrip(": ")
        return f"{told} No delivery has arrived since {since}."
    return None


def _deliveries(
    visit: Visit, webhook_id: str, deliveries: tuple[WebhookDelivery, ...]
) -> Markup | None:
    if not deliveries:
        return None
    return disclosed(
        "What was sent",
        f"to {webhook_id}",
        element("ul", *(element("li", _told(visit, each)) for each in deliveries), class_="small"),
    )


def _told(visit: Visit, delivery: WebhookDelivery) -> str:
    told = [
        EVENTS[delivery.type],
        visit.moment(delivery.created_at),
        _STATES[delivery.status],
        figures.count(delivery.attempts, "try", "tries") if delivery.attempts else None,
        delivery.last_error,
    ]
    return " · ".join(each for each in told if each is not None)


def _acts(visit: Visit, webhook_id: str, *, disabled: bool) -> Markup:
    acts = {
        "enable-webhook": ("Let deliveries go on", "main"),
        "try-webhook": ("Send a test", "main"),
        "disable-webhook": ("Disable", ""),
        "rotate-secret": ("New secret", ""),
        "remove-webhook": ("Remove this webhook", "danger"),
    }
    left_out = {"try-webhook", "disable-webhook"} if disabled else {"enable-webhook"}
    return disclosed(
        "Change …",
        f"the webhook {webhook_id}",
        *(
            form(
                visit,
                WEBHOOKS,
                hidden("id", webhook_id),
                button(label, does, kind),
                class_="confirm",
            )
            for does, (label, kind) in acts.items()
            if does not in left_out
        ),
    )


async def _create(visit: Visit, typed: TypedForm) -> web.Response:
    url, events = typed.maybe("url"), typed.values.get("events")
    if url is None or not url.startswith("https://"):
        raise BadRequest("A webhook needs an address that begins with https://.")
    if events is None:
        raise BadRequest("A webhook that is told of nothing is of no use. Tick what it is told of.")
    said = {"url": url, "events": events, "description": typed.maybe("description")}
    try:
        ask = read_json(NewWebhook, to_json(said))
    except ValidationError as error:
        raise refusal_of(error) from error
    made: Made[CreatedWebhook] = await visit.perform(CREATE_WEBHOOK, ask)
    return _secret(visit, "Your new webhook", made.answer.url, made.answer.secret)


async def _rotate(visit: Visit, typed: TypedForm) -> web.Response:
    made: NewSecret = await visit.perform(ROTATE_SECRET, WebhookId(id=typed.one("id")))
    until = visit.moment(made.former_until)
    told = f"The secret before signs beside it until {until}."
    if made.older_until is not None:
        told += " The one before that signs no more."
    return _secret(visit, "The new secret", told, made.secret)


def _secret(visit: Visit, title: str, told: str, secret: str) -> web.Response:
    return framed(
        visit,
        WEBHOOKS,
        part(
            "made",
            title,
            element("p", element("bdi", told)),
            element(
                "p", "Deliveries are signed with this secret. Copy it now: it is not shown again."
            ),
            shown_once(secret, "The signing secret"),
            element("p", element("a", "I have copied it", href=WEBHOOKS, class_="button main")),
        ),
    )


async def _try(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(TRY_WEBHOOK, WebhookId(id=typed.one("id")))
    return "tried"


async def _disable(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(CHANGE_WEBHOOK, WebhookChange(id=typed.one("id"), disabled=True))
    return "disabled"


async def _enable(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(CHANGE_WEBHOOK, WebhookChange(id=typed.one("id"), disabled=False))
    return "enabled"


async def _remove(visit: Visit, typed: TypedForm) -> str:
    await visit.perform(REMOVE_WEBHOOK, WebhookId(id=typed.one("id")))
    return "removed"


PAGE = SettingsPage(
    WEBHOOKS,
    _draw,
    {
        "create-webhook": _create,
        "rotate-secret": _rotate,
        "try-webhook": _try,
        "disable-webhook": _disable,
        "enable-webhook": _enable,
        "remove-webhook": _remove,
    },
    {
        "tried": "A test is on its way; open the page again to see what came of it.",
        "disabled": "Nothing is sent there any more.",
        "enabled": "Deliveries go on.",
        "removed": "The webhook is told nothing any more.",
    },
)
