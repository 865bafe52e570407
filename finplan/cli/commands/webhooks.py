"""`finplan webhooks`: addresses that are told of what happens.

A delivery that somebody asked for is waited for, and told with what came of it.
"""

import time
from typing import Annotated, Any

import typer

from finplan import model, operations, views
from finplan.cli.console.errors import NOT_TAKEN
from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, argument, examples, flag, option
from finplan.cli.console.session import Session
from finplan.cli.dialogs.lookup import meant_id

app = CommandApp(cls=RowsGroup)

WhichWebhook = Annotated[
    str,
    argument(
        "WEBHOOK", "The webhook's id, address or host. The first characters of the id are enough."
    ),
]
ToldOf = Annotated[
    list[str] | None,
    option(
        "EVENT",
        "Event to send; repeatable: plan.built, recurring.detected, bank.reconnect_required.",
        "--event",
    ),
]
Description = Annotated[str | None, option("TEXT", "Your note on it; '' removes it.")]


@app.callback(
    epilog=examples(
        "finplan webhooks add https://hooks.example.com/finplan --event plan.built",
        "finplan webhooks test hooks.example.com   Send a test event",
        "finplan webhooks listen                   Receive and print events here",
        "finplan webhooks deliveries hooks.example.com",
    )
)
def webhooks() -> None:
    """Add, test and remove webhooks that send events to your URL.

    finplan sends an event over https when it builds a plan, finds a new recurring charge, or needs you
    to sign in to a bank. It signs deliveries, and retries failed ones for three days.
    """


@app.command("list", rows=True)
def list_webhooks(context: typer.Context) -> None:
    """Webhooks and their status; same as `finplan webhooks`."""
    session = Session.of(context)
    if session.options.json:
        session.answer(operations.webhook.LIST_WEBHOOKS)
    else:
        session.tell(
            operations.webhook.LIST_WEBHOOK_RECORDS, lambda: views.webhooks.webhooks, money=False
        )


@app.command()
def add(
    context: typer.Context,
    url: Annotated[str, argument("URL", "The https address that receives events.")],
    event: ToldOf = None,
    description: Description = None,
) -> None:
    """Add a webhook and print its id and, only once, its signing secret.

    Without --event, the webhook gets all events. finplan does not show the secret again;
    `finplan webhooks rotate` creates a new one.
    """
    session = Session.of(context)
    request = model.webhook.NewWebhook(
        url=_url(url), events=_events(event or list(EVENTS)), description=description or None
    )
    handed_over = (
        "Added the webhook and printed its id and signing secret. Copy the secret to the receiver now;"
        " it is not shown again."
    )
    row = operations.webhook.CREATE_WEBHOOK
    webhook = session.report(row, lambda _: handed_over, request, prints=("id", "secret"))
    if webhook is not None:
        _tell_of_others(session, webhook)


@app.command()
def show(context: typer.Context, webhook: WhichWebhook) -> None:
    """Show one webhook in full."""
    session = Session.of(context)
    if session.options.json:
        session.answer(operations.webhook.SHOW_WEBHOOK, _pick_webhook(session, webhook))
    else:
        session.show(views.webhooks.one(_record(session, webhook), views.locale.here()))


@app.command()
def change(
    context: typer.Context,
    webhook: WhichWebhook,
    url: Annotated[str | None, option("URL", "New address.")] = None,
    event: ToldOf = None,
    description: Description = None,
    disable: Annotated[
        bool | None, flag("--disable/--enable", "Stop or resume deliveries.")
    ] = None,
) -> None:
    """Change a webhook's address, events or description; disable or enable it.

    If you disable a webhook, its pending deliveries fail. The webhook's secret stays the same.
    """
    changes: dict[str, Any] = {}
    if url is not None:
        changes["url"] = _url(url)
    if event:
        changes["events"] = _events(event)
    if description is not None:
        changes["description"] = description or None
    if disable is not None:
        changes["disabled"] = disable
    if not changes:
        raise typer.BadParameter(
            "Give at least one change: --url, --event, --description, --disable or --enable."
        )
    session = Session.of(context)
    request = model.webhook.WebhookChange(id=_pick_webhook(session, webhook).id, **changes)
    session.report(operations.webhook.CHANGE_WEBHOOK, _changed, request)


def _changed(changed: "model.webhook.Webhook") -> str:
    state = "disabled" if changed.disabled_at else "enabled"
    return f"Changed the webhook {changed.url}. It is {state}."


@app.command()
def remove(context: typer.Context, webhook: WhichWebhook) -> None:
    """Remove a webhook and its deliveries; pending ones are not sent."""
    session = Session.of(context)
    session.report(
        operations.webhook.REMOVE_WEBHOOK,
        lambda removed: f"Removed the webhook {removed.url}.",
        _pick_webhook(session, webhook, exact=True),
    )


@app.command()
def test(context: typer.Context, webhook: WhichWebhook) -> None:
    """Send a test event and show the result; the exit code is 6 if it is not delivered."""
    session = Session.of(context)
    request = _pick_webhook(session, webhook)
    tell_outcome(session, request.id, session.call(operations.webhook.TRY_WEBHOOK, request))


@app.command()
def listen(context: typer.Context, event: ToldOf = None) -> None:
    """Test receiver: print and verify deliveries here until Ctrl-C.

    This needs no setup: finplan adds a temporary webhook for this machine and sends a test event.
    Without --event, the webhook gets all events.
    """
    from finplan.cli.commands.listening import listen as receive

    receive(Session.of(context), _events(event or list(EVENTS)))


@app.command(rows=True)
def deliveries(
    context: typer.Context,
    webhook: WhichWebhook,
    limit: Annotated[int, option("N", "Deliveries to show.", min=1, max=200)] = 20,
) -> None:
    """Deliveries of the last 30 days, newest first."""
    session = Session.of(context)
    query = model.webhook.DeliveryQuery(id=_pick_webhook(session, webhook).id, limit=limit)
    page = session.answer(operations.webhook.LIST_DELIVERIES, query)
    if page is not None:
        session.show(views.webhooks.deliveries(page.deliveries, views.locale.here()))
        if page.next_cursor is not None:
            session.say(f"Showing the newest {limit}. For more: --limit N.")


@app.command()
def retry(
    context: typer.Context,
    webhook: WhichWebhook,
    delivery: Annotated[
        str,
        argument(
            "DELIVERY", "The delivery's id. For a recent delivery, its first characters are enough."
        ),
    ],
) -> None:
    """Retry a delivery and show the result; the exit code is 6 if it is not delivered.

    You can also retry a delivery that finplan gave up on. A failed retry does not use up one of the ten
    automatic attempts.
    """
    session = Session.of(context)
    hook = _pick_webhook(session, webhook).id
    if not is_whole(delivery):
        newest = model.webhook.DeliveryQuery(id=hook, limit=model.webhook.LARGEST_PAGE)
        page = session.call(operations.webhook.LIST_DELIVERIES, newest)
        candidates = [NamedId(record.id, (), record.type) for record in page.deliveries]
        listing = f"finplan webhooks deliveries {webhook}"
        delivery = pick(delivery, candidates, "delivery", listing, "deliveries")
    request = model.webhook.DeliveryId(id=hook, delivery_id=delivery)
    tell_outcome(session, hook, session.call(operations.webhook.RETRY_DELIVERY, request))


@app.command()
def rotate(
    context: typer.Context,
    webhook: WhichWebhook,
    yes: Annotated[
        bool, flag("--yes", "Skip the confirmation, even if an older secret stops working at once.")
    ] = False,
) -> None:
    """Rotate a webhook's signing secret and print the new secret once.

    The previous secret stays valid for a day: put the new one into your receiver by then. If you also
    rotated the secret less than a day ago, the secret from before that rotation stops working at
    once. finplan asks you first.
    """
    session = Session.of(context)
    request = _pick_webhook(session, webhook, exact=True)
    if not yes and not _older_may_end(session, request.id):
        session.say("Nothing was changed.")
        return
    session.report(operations.webhook.ROTATE_SECRET, _rotated, request, prints=("secret",))


def _rotated(secret: "model.webhook.NewSecret") -> str:
    former = views.webhooks.describe_former_secret(secret, views.locale.here())
    return f"Printed the new signing secret; it is not shown again. {former}"


EVENTS: "tuple[model.webhook.WebhookEventType, ...]" = (
    "plan.built",
    "recurring.detected",
    "bank.reconnect_required",
)
"""What a webhook may want to be told; a test comes to any."""


def _tell_of_others(session: Session, webhook: "model.webhook.CreatedWebhook") -> None:
    """Say that an address is told by other webhooks, too, where it is: some things come twice."""
    webhooks = session.call(operations.webhook.LIST_WEBHOOKS)
    short = model.characters.shortened([hook.id for hook in webhooks])
    others = [
        short[hook.id] for hook in webhooks if hook.url == webhook.url and hook.id != webhook.id
    ]
    if others:
        have = "Webhook {} has" if len(others) == 1 else "Webhooks {} have"
        times = "twice" if len(others) == 1 else "several times"
        session.say(
            f"{have.format(', '.join(others))} the same address, so an event that more than one"
            f" webhook sends arrives {times}. To remove one: `finplan webhooks remove ID`."
        )


def _older_may_end(session: Session, webhook_id: str) -> bool:
    """Whether a secret that still signs beside the present one may end; true where there is none."""
    until = _record(session, webhook_id).former_secret_until
    if until is None:
        return True
    end = views.locale.here().minute(until)
    text = f"An older secret is valid until {end}. If you rotate now, it stops working at once."
    if not session.interactive:
        raise typer.BadParameter(
            f"{text} Cannot ask for confirmation here: add --yes to rotate anyway."
        )
    return session.confirm(f"{text} Rotate anyway?", default=False)


def _events(typed: list[str]) -> "tuple[model.webhook.WebhookEventType, ...]":
    events: list[model.webhook.WebhookEventType] = []
    for name in typed:
        event = next((event for event in EVENTS if event == name.strip().lower()), None)
        if event is None:
            raise typer.BadParameter(
                f"{name!r} is not an event. Choose from: {', '.join(EVENTS)}.", param_hint="--event"
            )
        events.append(event)
    return tuple(dict.fromkeys(events))


def _url(typed: str) -> str:
    if not typed.startswith("https://"):
        raise typer.BadParameter(f"The address {typed!r} must begin with https://.")
    return typed


def _record(session: Session, text: str) -> "model.webhook.WebhookRecord":
    records = session.call(operations.webhook.LIST_WEBHOOK_RECORDS)
    meant = pick(text, map(_name_webhook, records), "webhook", "finplan webhooks list")
    return next(record for record in records if record.webhook.id == meant)


def _pick_webhook(session: Session, text: str, *, exact: bool = False) -> "model.webhook.WebhookId":
    row = operations.webhook.LIST_WEBHOOK_RECORDS
    meant = meant_id(session, text, row, _name_webhook, "webhook", exact=exact)
    return model.webhook.WebhookId(id=meant)


def _name_webhook(record: "model.webhook.WebhookRecord") -> NamedId:
    hook = record.webhook
    names = (hook.url, views.webhooks.host_of(hook.url), hook.description)
    return NamedId(hook.id, tuple(filter(None, names)), ", ".join(hook.events))


PAUSES = (0.25, 0.5, 1.0, 1.5, 2.0, *(3.0,) * 9)
"""How long is waited before it is asked once more, in seconds: together longer than any attempt takes.

Most receivers answer at once; one that does not takes a few of the requests that a person has a minute.
"""


def tell_outcome(session: Session, hook: str, sent: "model.webhook.WebhookDelivery") -> None:
    """Wait until a delivery was tried, and tell what came of it; exit code 6 unless it has arrived.

    With --json the delivery is printed as it is by then.
    """
    delivery = _wait_for_delivery(session, hook, sent)
    if session.options.json:
        session.print_raw(delivery.model_dump_json().encode())
    else:
        session.show(views.webhooks.outcome(delivery, views.locale.here(), tried=delivery != sent))
    if delivery.status != "delivered":
        raise typer.Exit(NOT_TAKEN)


def _wait_for_delivery(
    session: Session, hook: str, sent: "model.webhook.WebhookDelivery"
) -> "model.webhook.WebhookDelivery":
    """A delivery once it was tried, or as it is when that has taken too long."""
    delivery, cursor = _find_delivery(session, hook, sent, None)
    with session.busy("Waiting for the receiver"):
        for pause in PAUSES:
            # A try by hand that fails counts none, but then it waits for another instant, or for none.
            if delivery != sent:
                break
            time.sleep(pause)
            delivery, cursor = _find_delivery(session, hook, sent, cursor)
    return delivery


def _find_delivery(
    session: Session, hook: str, sent: "model.webhook.WebhookDelivery", cursor: str | None
) -> "tuple[model.webhook.WebhookDelivery, str | None]":
    """A delivery as it stands now, and the cursor of the page that has it, from a page on."""
    asks = model.webhook.DeliveryQuery(id=hook, limit=model.webhook.LARGEST_PAGE)
    while True:
        query = asks.model_copy(update={"cursor": cursor})
        page = session.client.call(operations.webhook.LIST_DELIVERIES, query)
        match = next((delivery for delivery in page.deliveries if delivery.id == sent.id), None)
        if match is not None or page.next_cursor is None:
            return match or sent, cursor
        cursor = page.next_cursor
