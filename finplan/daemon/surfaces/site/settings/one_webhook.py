"""The page of one webhook: where it is and what it is told of, to be changed; what was sent."""

from typing import Any

from aiohttp import web
from pydantic import ValidationError
from pydantic_core import to_json

from finplan.daemon.errors import refusal_of
from finplan.daemon.surfaces.pages.markup import Markup, button, element, hidden
from finplan.daemon.surfaces.site.desk import Visit
from finplan.daemon.surfaces.site.forms import TypedForm, form
from finplan.daemon.surfaces.site.frame import see_other
from finplan.daemon.surfaces.site.settings.settings_page import (
    DONE,
    WEBHOOKS,
    part,
    thing,
    things,
)
from finplan.daemon.surfaces.site.settings.webhook_parts import (
    EVENTS,
    ONE,
    PAGE_FROM,
    address_field,
    event_ticks,
    facts_of,
    name_of,
    purpose_field,
    told_of,
    way_to,
)
from finplan.model.automation.webhook import (
    DeliveryId,
    DeliveryPage,
    DeliveryQuery,
    Webhook,
    WebhookChange,
    WebhookDelivery,
    WebhookId,
    WebhookRecord,
)
from finplan.model.base import read_json
from finplan.model.errors import BadRequest
from finplan.operations.webhook import (
    CHANGE_WEBHOOK,
    LIST_DELIVERIES,
    LIST_WEBHOOK_RECORDS,
    RETRY_DELIVERY,
    SHOW_WEBHOOK,
)

A_PAGE = 20
"""How many deliveries a page shows."""


async def draw_one(visit: Visit, typed: TypedForm) -> Markup:
    """The page of the webhook that the address names. Raises NotFound, BadRequest."""
    query = visit.request.query
    ask = DeliveryQuery(id=query[ONE], limit=A_PAGE, cursor=query.get(PAGE_FROM))
    page: DeliveryPage = await visit.perform(LIST_DELIVERIES, ask)
    records: tuple[WebhookRecord, ...] = await visit.perform(LIST_WEBHOOK_RECORDS)
    record = next(each for each in records if each.webhook.id == ask.id)
    return part(
        "webhook",
        "One webhook",
        element("ul", thing(name_of(record.webhook), facts_of(visit, record)), class_="things"),
        _changing(visit, record.webhook, typed),
        element("h3", "What was sent" if ask.cursor is None else "What was sent before"),
        things([_delivery(visit, record.webhook, each) for each in page.deliveries], "Nothing."),
        _further(ask, page),
    )


def _changing(visit: Visit, webhook: Webhook, typed: TypedForm) -> Markup:
    said = typed if typed.one("do") == "change-webhook" else None
    return form(
        visit,
        way_to(webhook.id),
        element("h3", "Change it"),
        hidden("id", webhook.id),
        address_field(webhook.url if said is None else said.one("url")),
        purpose_field((webhook.description or "") if said is None else said.one("description")),
        event_ticks(webhook.events if said is None else said.values.get("events", ())),
        button("Save", "change-webhook", "main"),
    )


def _delivery(visit: Visit, webhook: Webhook, delivery: WebhookDelivery) -> Markup:
    event, told = EVENTS[delivery.type], told_of(visit, delivery)
    is_tried = delivery.status == "failed" or (delivery.status == "pending" and delivery.attempts)
    again = None
    if is_tried and webhook.disabled_at is None:
        again = form(
            visit,
            way_to(webhook.id),
            hidden("id", webhook.id),
            hidden("delivery", delivery.id),
            button(
                "Try once more", "retry-delivery", aria_label=f"Try once more: {event}, {told[0]}"
            ),
            class_="confirm",
        )
    return thing(event, [*told, delivery.id], again)


def _further(ask: DeliveryQuery, page: DeliveryPage) -> Markup:
    ways = [element("a", "All webhooks", href=WEBHOOKS)]
    if ask.cursor is not None:
        ways.append(element("a", "The newest", href=way_to(ask.id)))
    if page.next_cursor is not None:
        ways.append(element("a", "Older ones", href=way_to(ask.id, page.next_cursor)))
    apart = [each for way in ways for each in (" · ", way)]
    return element("p", *apart[1:])


async def change(visit: Visit, typed: TypedForm) -> web.Response:
    """Change what was typed otherwise than it is; what is as it was is not looked at anew."""
    webhook: Webhook = await visit.perform(SHOW_WEBHOOK, WebhookId(id=typed.one("id")))
    url, events = typed.maybe("url"), typed.values.get("events")
    if url is None or not url.startswith("https://"):
        raise BadRequest("A webhook needs an address that begins with https://.")
    if events is None:
        raise BadRequest("A webhook that is told of nothing is of no use. Tick what it is told of.")
    given: dict[str, Any] = {}
    if url != webhook.url:
        given["url"] = url
    if typed.maybe("description") != webhook.description:
        given["description"] = typed.maybe("description")
    # A program may have wanted tests by name, too, which no box stands for.
    unshown = [each for each in webhook.events if each not in events and each == "webhook.test"]
    if {*events, *unshown} != set(webhook.events):
        given["events"] = [*events, *unshown]
    try:
        ask = read_json(WebhookChange, to_json({"id": webhook.id, **given}))
    except ValidationError as error:
        raise refusal_of(error) from error
    await visit.perform(CHANGE_WEBHOOK, ask)
    return see_other(f"{way_to(webhook.id)}&{DONE}=saved")


async def retry(visit: Visit, typed: TypedForm) -> web.Response:
    """Try a delivery once more."""
    ask = DeliveryId(id=typed.one("id"), delivery_id=typed.one("delivery"))
    await visit.perform(RETRY_DELIVERY, ask)
    return see_other(f"{way_to(ask.id)}&{DONE}=retried")
