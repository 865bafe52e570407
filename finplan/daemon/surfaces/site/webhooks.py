"""The pages of webhooks: what is told of what happens, how each fares, and what was sent.

One webhook has a page of its own: where it is and what it is told of, to be changed.
"""

from collections.abc import Collection
from typing import Any
from urllib.parse import urlencode

from aiohttp import web

from finplan.daemon.surfaces.pages import drawing, markup
from finplan.daemon.surfaces.site import settings_page
from finplan.daemon.surfaces.site.frame import TypedForm, build_ask, form, see_other, text_field
from finplan.daemon.surfaces.site.visit import Visit
from finplan.model import webhook as webhooks
from finplan.model.errors import BadRequest
from finplan.operation import Made
from finplan.operations import webhook as rows
from finplan.views import webhooks as views

OF_WEBHOOK, PAGE_FROM = "of", "from"
"""The names by which an address of the settings says of which webhook it is, and of which page."""

EVENTS = {
    "plan.built": "Plan built",
    "recurring.detected": "New recurring charge",
    "bank.reconnect_required": "Bank sign-in needed",
    "webhook.test": "Test",
}
"""What is said of each event."""


def way_to_webhook(webhook_id: str, cursor: str | None = None) -> str:
    """Where the page of one webhook is; a cursor is of its later deliveries."""
    query = {OF_WEBHOOK: webhook_id} | ({} if cursor is None else {PAGE_FROM: cursor})
    return f"{settings_page.WEBHOOKS}?{urlencode(query)}"


def _fields(url: str, description: str, events: Collection[str]) -> markup.Markup:
    """Where deliveries go, what for, and what of; a test comes to any."""
    return markup.join_markup(
        text_field(
            "url",
            "URL",
            url,
            hint="Must begin with https://.",
            autocomplete="off",
            inputmode="url",
            maxlength=webhooks.LONGEST_URL,
            required=True,
        ),
        text_field(
            "description",
            "Description",
            description,
            hint="Optional.",
            autocomplete="off",
            maxlength=200,
        ),
        markup.element(
            "fieldset",
            markup.element("legend", "Events"),
            *(
                markup.tick("events", event, label, event, ticked=event in events)
                for event, label in EVENTS.items()
                if event != "webhook.test"
            ),
        ),
    )


def _typed_fields(typed: TypedForm, *usual: str) -> markup.Markup:
    events = typed.values.get("events", usual)
    return _fields(typed.one("url"), typed.one("description"), events)


DELIVERIES_ON_A_PAGE = 20
"""How many deliveries a page shows."""


async def draw_one_webhook(visit: Visit, typed: TypedForm) -> markup.Markup:
    """The page of the webhook that the address names. Raises NotFound, BadRequest."""
    query = visit.request.query
    ask = webhooks.DeliveryQuery(
        id=query[OF_WEBHOOK], limit=DELIVERIES_ON_A_PAGE, cursor=query.get(PAGE_FROM)
    )
    page: webhooks.DeliveryPage = await visit.perform(rows.LIST_DELIVERIES, ask)
    records: tuple[webhooks.WebhookRecord, ...] = await visit.perform(rows.LIST_WEBHOOK_RECORDS)
    record = next(row for row in records if row.webhook.id == ask.id)
    can_try = record.webhook.disabled_at is None
    return settings_page.part(
        "webhook",
        "Webhook",
        drawing.draw_page(views.one(record, visit.how)),
        _changing(visit, record.webhook, typed),
        markup.element("h3", "Deliveries" if ask.cursor is None else "Older deliveries"),
        drawing.draw_things(
            views.deliveries(page.deliveries, visit.how),
            {
                delivery.id: _trying(visit, ask.id, delivery)
                for delivery in page.deliveries
                if can_try
            },
            ids=True,
        ),
        _further(ask, page),
    )


def _changing(visit: Visit, webhook: webhooks.Webhook, typed: TypedForm) -> markup.Markup:
    fields = _fields(webhook.url, webhook.description or "", webhook.events)
    if typed.one("do") == "change-webhook":
        fields = _typed_fields(typed)
    return form(
        visit,
        way_to_webhook(webhook.id),
        markup.element("h3", "Edit"),
        markup.hidden("id", webhook.id),
        fields,
        markup.button("Save", "change-webhook", "main"),
    )


def _trying(
    visit: Visit, webhook_id: str, delivery: webhooks.WebhookDelivery
) -> markup.Markup | None:
    if delivery.status == "delivered" or (delivery.status == "pending" and not delivery.attempts):
        return None
    spoken = f"Retry: {EVENTS[delivery.type]}, {visit.moment(delivery.created_at)}"
    return settings_page.form_about(
        visit,
        way_to_webhook(webhook_id),
        webhook_id,
        markup.hidden("delivery", delivery.id),
        markup.button("Retry", "retry-delivery", aria_label=spoken),
    )


def _further(ask: webhooks.DeliveryQuery, page: webhooks.DeliveryPage) -> markup.Markup:
    ways = [markup.element("a", "All webhooks", href=settings_page.WEBHOOKS)]
    if ask.cursor is not None:
        ways.append(markup.element("a", "Newest", href=way_to_webhook(ask.id)))
    if page.next_cursor is not None:
        ways.append(markup.element("a", "Older", href=way_to_webhook(ask.id, page.next_cursor)))
    apart = [piece for way in ways for piece in (" · ", way)]
    return markup.element("p", *apart[1:])


async def change_webhook(visit: Visit, typed: TypedForm) -> web.Response:
    """Change what was typed otherwise than it is; what is as it was is not looked at anew."""
    webhook: webhooks.Webhook = await visit.perform(
        rows.SHOW_WEBHOOK, webhooks.WebhookId(id=typed.one("id"))
    )
    url, events = _address_and_events(typed)
    changed: dict[str, Any] = {}
    if url != webhook.url:
        changed["url"] = url
    if typed.maybe("description") != webhook.description:
        changed["description"] = typed.maybe("description")
    # A program may have wanted tests by name, too, which no box stands for.
    unshown = [event for event in webhook.events if event not in events and event == "webhook.test"]
    if {*events, *unshown} != set(webhook.events):
        changed["events"] = [*events, *unshown]
    ask = build_ask(webhooks.WebhookChange, id=webhook.id, **changed)
    await visit.perform(rows.CHANGE_WEBHOOK, ask)
    return see_other(f"{way_to_webhook(webhook.id)}&{settings_page.DONE}=saved")


async def retry_delivery(visit: Visit, typed: TypedForm) -> web.Response:
    """Try a delivery once more."""
    ask = webhooks.DeliveryId(id=typed.one("id"), delivery_id=typed.one("delivery"))
    await visit.perform(rows.RETRY_DELIVERY, ask)
    return see_other(f"{way_to_webhook(ask.id)}&{settings_page.DONE}=retried")


async def _draw_webhooks(visit: Visit, typed: TypedForm) -> markup.Markup:
    if OF_WEBHOOK in visit.request.query:
        return await draw_one_webhook(visit, typed)
    records: tuple[webhooks.WebhookRecord, ...] = await visit.perform(rows.LIST_WEBHOOK_RECORDS)
    acts = {record.webhook.id: _acts(visit, record) for record in records}
    return settings_page.part(
        "webhooks",
        "Webhooks",
        drawing.draw_things(views.webhooks(records, visit.how), acts, ids=True),
        _adding(visit, typed),
        lead="finplan signs each event and sends it to your URL.",
    )


def _adding(visit: Visit, typed: TypedForm) -> markup.Markup:
    return form(
        visit,
        settings_page.WEBHOOKS,
        markup.element("h3", "Add a webhook"),
        _typed_fields(typed, "plan.built"),
        markup.button("Add", "create-webhook", "main"),
    )


def _acts(visit: Visit, record: webhooks.WebhookRecord) -> markup.Markup:
    webhook_id, disabled = record.webhook.id, record.webhook.disabled_at is not None
    ends = None
    if record.former_secret_until is not None:
        until = visit.moment(record.former_secret_until)
        ends = (
            f"The previous secret works until {until}. If you rotate the secret again before then, "
            "that previous secret stops working at once."
        )
    acts = {
        "enable-webhook": ("Enable", "main"),
        "try-webhook": ("Send test", "main"),
        "disable-webhook": ("Disable", ""),
        "rotate-secret": ("Rotate secret", ""),
        "remove-webhook": ("Remove", "danger"),
    }
    left_out = {"try-webhook", "disable-webhook"} if disabled else {"enable-webhook"}
    return settings_page.draw_disclosure(
        "Manage …",
        f"the webhook {webhook_id}",
        markup.element(
            "p",
            markup.element("a", "Deliveries and events", href=way_to_webhook(webhook_id)),
        ),
        *(
            settings_page.form_about(
                visit,
                settings_page.WEBHOOKS,
                webhook_id,
                markup.element("p", ends, class_="hint")
                if ends and does == "rotate-secret"
                else None,
                markup.button(label, does, kind),
            )
            for does, (label, kind) in acts.items()
            if does not in left_out
        ),
    )


def _address_and_events(typed: TypedForm) -> tuple[str, Collection[str]]:
    """Where a webhook is to be and what it is told of. Raises BadRequest."""
    url, events = typed.maybe("url"), typed.values.get("events")
    if url is None or not url.startswith("https://"):
        raise BadRequest("Enter a URL that begins with https://.")
    if events is None:
        raise BadRequest("Choose at least one event.")
    return url, events


async def _create(visit: Visit, typed: TypedForm) -> web.Response:
    url, events = _address_and_events(typed)
    description = typed.maybe("description")
    ask = build_ask(webhooks.NewWebhook, url=url, events=events, description=description)
    reply: Made[webhooks.CreatedWebhook] = await visit.perform(rows.CREATE_WEBHOOK, ask)
    return _secret(visit, "Webhook added", reply.answer.url, reply.answer.secret)


async def _rotate(visit: Visit, typed: TypedForm) -> web.Response:
    new_secret: webhooks.NewSecret = await visit.perform(
        rows.ROTATE_SECRET, webhooks.WebhookId(id=typed.one("id"))
    )
    return _secret(
        visit, "New secret", views.describe_former_secret(new_secret, visit.how), new_secret.secret
    )


def _secret(visit: Visit, title: str, text: str, secret: str) -> web.Response:
    once = "finplan signs deliveries with this secret. Copy it now; it is not shown again."
    return settings_page.draw_result(
        visit,
        settings_page.WEBHOOKS,
        title,
        markup.element("p", markup.name(text)),
        markup.element("p", once),
        settings_page.shown_once(secret, "Signing secret"),
    )


WEBHOOKS_PAGE = settings_page.SettingsPage(
    settings_page.WEBHOOKS,
    _draw_webhooks,
    {
        "create-webhook": _create,
        "rotate-secret": _rotate,
        "try-webhook": settings_page.acting(rows.TRY_WEBHOOK, "tried"),
        "disable-webhook": settings_page.acting(rows.CHANGE_WEBHOOK, "disabled", disabled=True),
        "enable-webhook": settings_page.acting(rows.CHANGE_WEBHOOK, "enabled", disabled=False),
        "remove-webhook": settings_page.acting(rows.REMOVE_WEBHOOK, "removed"),
        "change-webhook": change_webhook,
        "retry-delivery": retry_delivery,
    },
    {
        "tried": "Test sent. Reload the page to see the result.",
        "disabled": "Webhook disabled.",
        "enabled": "Webhook enabled.",
        "saved": "Saved.",
        "retried": "Retry started. Reload the page to see the result.",
        "removed": "Webhook removed.",
    },
)
