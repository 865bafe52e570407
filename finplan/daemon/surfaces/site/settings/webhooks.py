"""The page of webhooks: what is told of what happens, how each fares, and what was sent."""

from aiohttp import web
from pydantic import ValidationError
from pydantic_core import to_json

from finplan.daemon.errors import refusal_of
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, form
from finplan.daemon.surfaces.site.settings.one_webhook import change, draw_one, retry
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
from finplan.daemon.surfaces.site.settings.webhook_parts import (
    EVENTS,
    ONE,
    address_field,
    event_ticks,
    facts_of,
    name_of,
    purpose_field,
    told_of,
    way_to,
)
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
from finplan.operations.webhook import (
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


async def _draw(visit: Visit, typed: TypedForm) -> Markup:
    if ONE in visit.request.query:
        return await draw_one(visit, typed)
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
        lead="An address of yours that is told of what happens, signed.",
    )


def _adding(visit: Visit, typed: TypedForm) -> Markup:
    wanted = typed.values.get("events", ("plan.built",))
    return form(
        visit,
        WEBHOOKS,
        element("h3", "Add a webhook"),
        address_field(typed.one("url")),
        purpose_field(typed.one("description")),
        event_ticks(wanted),
        button("Add the webhook", "create-webhook", "main"),
    )


def _webhook(
    visit: Visit, record: WebhookRecord, deliveries: tuple[WebhookDelivery, ...]
) -> Markup:
    webhook = record.webhook
    return thing(
        name_of(webhook),
        facts_of(visit, record),
        _deliveries(visit, webhook.id, deliveries),
        _acts(visit, record),
    )


def _deliveries(
    visit: Visit, webhook_id: str, deliveries: tuple[WebhookDelivery, ...]
) -> Markup | None:
    if not deliveries:
        return None
    told = (
        element("li", " · ".join([EVENTS[each.type], *told_of(visit, each)])) for each in deliveries
    )
    return disclosed(
        "What was sent",
        f"to {webhook_id}",
        element("ul", *told, class_="small"),
        element("p", element("a", "All that was sent", href=way_to(webhook_id))),
    )


def _acts(visit: Visit, record: WebhookRecord) -> Markup:
    webhook_id, disabled = record.webhook.id, record.webhook.disabled_at is not None
    ends = None
    if record.former_secret_until is not None:
        until = visit.moment(record.former_secret_until)
        ends = f"A new secret ends the one before, which signs until {until}, at once."
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
        element(
            "p", element("a", "Change its address and what it is told of", href=way_to(webhook_id))
        ),
        *(
            form(
                visit,
                WEBHOOKS,
                hidden("id", webhook_id),
                element("p", ends, class_="hint") if ends and does == "rotate-secret" else None,
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
        "change-webhook": change,
        "retry-delivery": retry,
    },
    {
        "tried": "A test is on its way; open the page again to see what came of it.",
        "disabled": "Nothing is sent there any more.",
        "enabled": "Deliveries go on.",
        "saved": "The webhook is as it stands here.",
        "retried": "It is tried once more; open the page again to see what came of it.",
        "removed": "The webhook is told nothing any more.",
    },
)
