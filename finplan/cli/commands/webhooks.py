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
    str, argument("WEBHOOK", "An id, the beginning of one, its address or its host.")
]
ToldOf = Annotated[
    list[str] | None,
    option(
        "EVENT",
        "What it is told of, once for each: plan.built, recurring.detected,"
        " bank.reconnect_required.",
        "--event",
    ),
]
Description = Annotated[str | None, option("TEXT", "What it is for; empty takes it away.")]


@app.callback(
    epilog=examples(
        "finplan webhooks add https://hooks.example.com/finplan --event plan.built",
        "finplan webhooks test hooks.example.com   Send a test, tell what came of it",
        "finplan webhooks listen                   Receive and print them here",
        "finplan webhooks deliveries hooks.example.com",
    )
)
def webhooks() -> None:
    """Addresses that are told of what happens: add, test, deliveries.

    A webhook is told by https when a plan is built, a charge comes again that no plan knew, or a bank
    wants you to sign in. Deliveries are signed, and tried again for three days.
    """


@app.command("list", rows=True)
def list_webhooks(context: typer.Context) -> None:
    """The webhooks and how each fares; the same as `finplan webhooks`."""
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
    url: Annotated[str, argument("URL", "Where deliveries go, by https.")],
    event: ToldOf = None,
    description: Description = None,
) -> None:
    """Register an address and print its id; below it the signing secret, this once.

    Without --event it is told of everything. Nobody can read the secret later; `finplan webhooks
    rotate` makes a new one.
    """
    session = Session.of(context)
    asked = model.webhook.NewWebhook(
        url=_url(url), events=_events(event or list(EVENTS)), description=description or None
    )
    handed_over = (
        "These are the id of the webhook and the secret that its deliveries are signed with. The secret"
        " is shown only now, so give it to the receiver."
    )
    row = operations.webhook.CREATE_WEBHOOK
    made = session.report(row, lambda _: handed_over, asked, prints=("id", "secret"))
    if made is not None:
        _tell_of_others(session, made)


@app.command()
def show(context: typer.Context, webhook: WhichWebhook) -> None:
    """One webhook with all that is known of it."""
    session = Session.of(context)
    if session.options.json:
        session.answer(operations.webhook.SHOW_WEBHOOK, _asked(session, webhook))
    else:
        session.show(views.webhooks.one(_record(session, webhook), views.locale.here()))


@app.command()
def change(
    context: typer.Context,
    webhook: WhichWebhook,
    url: Annotated[str | None, option("URL", "Where deliveries go.")] = None,
    event: ToldOf = None,
    description: Description = None,
    disable: Annotated[
        bool | None, flag("--disable/--enable", "Send nothing any more, or let deliveries go on.")
    ] = None,
) -> None:
    """Change where a webhook is, what it is told of, or whether it is told at all.

    What waits when a webhook is disabled has failed; the secret stays.
    """
    given: dict[str, Any] = {}
    if url is not None:
        given["url"] = _url(url)
    if event:
        given["events"] = _events(event)
    if description is not None:
        given["description"] = description or None
    if disable is not None:
        given["disabled"] = disable
    if not given:
        raise typer.BadParameter(
            "Say what is to change: --url, --event, --description, --disable or --enable."
        )
    session = Session.of(context)
    asked = model.webhook.WebhookChange(id=_asked(session, webhook).id, **given)
    session.report(operations.webhook.CHANGE_WEBHOOK, _changed, asked)


def _changed(changed: "model.webhook.Webhook") -> str:
    state = "Nothing is sent to it." if changed.disabled_at else "Deliveries go to it."
    return f"Changed the webhook {changed.url}. {state}"


@app.command()
def remove(context: typer.Context, webhook: WhichWebhook) -> None:
    """Remove a webhook with its deliveries; what waits is not sent any more."""
    session = Session.of(context)
    session.report(
        operations.webhook.REMOVE_WEBHOOK,
        lambda removed: f"Removed the webhook {removed.url}: it is told nothing any more.",
        _asked(session, webhook, exact=True),
    )


@app.command()
def test(context: typer.Context, webhook: WhichWebhook) -> None:
    """Send a test event, and tell what came of it; the exit code is 6 unless it arrived."""
    session = Session.of(context)
    asked = _asked(session, webhook)
    tell_outcome(session, asked.id, session.call(operations.webhook.TRY_WEBHOOK, asked))


@app.command()
def listen(context: typer.Context, event: ToldOf = None) -> None:
    """Receive deliveries here, verify and print each, until Ctrl-C.

    It needs no address and no setting: a webhook of its own leads to this machine as long as it runs,
    and a test is sent to begin with. Without --event it is told of everything.
    """
    from finplan.cli.commands.listening import listen as receive

    receive(Session.of(context), _events(event or list(EVENTS)))


@app.command(rows=True)
def deliveries(
    context: typer.Context,
    webhook: WhichWebhook,
    limit: Annotated[int, option("N", "How many of the newest.", min=1, max=200)] = 20,
) -> None:
    """What was sent to one webhook in thirty days, the newest first."""
    session = Session.of(context)
    asked = model.webhook.DeliveryQuery(id=_asked(session, webhook).id, limit=limit)
    page = session.answer(operations.webhook.LIST_DELIVERIES, asked)
    if page is not None:
        session.show(views.webhooks.deliveries(page.deliveries, views.locale.here()))
        if page.next_cursor is not None:
            session.say(f"These are the newest {limit}; --limit shows more.")


@app.command()
def retry(
    context: typer.Context,
    webhook: WhichWebhook,
    delivery: Annotated[str, argument("DELIVERY", "An id, or the beginning of one of the newest.")],
) -> None:
    """Try a delivery once more, and tell what came of it; one that has failed for good, too.

    The exit code is 6 unless it arrived. A try that fails is none of the ten that come by themselves.
    """
    session = Session.of(context)
    hook = _asked(session, webhook).id
    if not is_whole(delivery):
        newest = model.webhook.DeliveryQuery(id=hook, limit=model.webhook.LARGEST_PAGE)
        page = session.call(operations.webhook.LIST_DELIVERIES, newest)
        candidates = [NamedId(each.id, (), each.type) for each in page.deliveries]
        listing = f"finplan webhooks deliveries {webhook}"
        delivery = pick(delivery, candidates, "delivery", listing, "deliveries")
    asked = model.webhook.DeliveryId(id=hook, delivery_id=delivery)
    tell_outcome(session, hook, session.call(operations.webhook.RETRY_DELIVERY, asked))


@app.command()
def rotate(
    context: typer.Context,
    webhook: WhichWebhook,
    yes: Annotated[
        bool, flag("--yes", "Do not ask, also where an older secret ends at once.")
    ] = False,
) -> None:
    """Give a webhook a new signing secret and print it, this once.

    For a day deliveries are signed with both, so that the receiver has time to change. Where an older
    secret still signs since the last change, it ends at once, and you are asked before.
    """
    session = Session.of(context)
    asked = _asked(session, webhook, exact=True)
    if not yes and not _older_may_end(session, asked.id):
        session.say("The secrets stay as they are.")
        return
    session.report(operations.webhook.ROTATE_SECRET, _rotated, asked, prints=("secret",))


def _rotated(made: "model.webhook.NewSecret") -> str:
    former = views.webhooks.rotated(made, views.locale.here())
    return f"This is the new signing secret, shown only now. {former}"


EVENTS: "tuple[model.webhook.WebhookEventType, ...]" = (
    "plan.built",
    "recurring.detected",
    "bank.reconnect_required",
)
"""What a webhook may want to be told; a test comes to any."""


def _tell_of_others(session: Session, made: "model.webhook.CreatedWebhook") -> None:
    """Say that an address is told by other webhooks, too, where it is: some things come twice."""
    held = session.call(operations.webhook.LIST_WEBHOOKS)
    short = model.characters.shortened([each.id for each in held])
    others = [short[each.id] for each in held if each.url == made.url and each.id != made.id]
    if others:
        several = "both" if len(others) == 1 else "several"
        times = "twice" if len(others) == 1 else "once for each"
        session.say(
            f"That address has {', '.join(others)} as well: what {several} are told of arrives {times}."
            " `finplan webhooks remove ID` removes one."
        )


def _older_may_end(session: Session, webhook_id: str) -> bool:
    """Whether a secret that still signs beside the present one may end; true where there is none."""
    until = _record(session, webhook_id).former_secret_until
    if until is None:
        return True
    end = views.locale.here().minute(until)
    told = f"The secret before the present one signs until {end} and would end at once."
    if not session.interactive:
        raise typer.BadParameter(f"{told} Nobody can be asked here; --yes ends it all the same.")
    return session.confirm(f"{told} Give a new one?", default=False)


def _events(typed: list[str]) -> "tuple[model.webhook.WebhookEventType, ...]":
    found: list[model.webhook.WebhookEventType] = []
    for each in typed:
        event = next((event for event in EVENTS if event == each.strip().lower()), None)
        if event is None:
            raise typer.BadParameter(
                f"{each!r} is no event; there are {', '.join(EVENTS)}.", param_hint="--event"
            )
        found.append(event)
    return tuple(dict.fromkeys(found))


def _url(typed: str) -> str:
    if not typed.startswith("https://"):
        raise typer.BadParameter(
            f"Deliveries go by https alone, so {typed!r} has to begin with https://."
        )
    return typed


def _record(session: Session, text: str) -> "model.webhook.WebhookRecord":
    found = session.call(operations.webhook.LIST_WEBHOOK_RECORDS)
    meant = pick(text, map(_named, found), "webhook", "finplan webhooks list")
    return next(each for each in found if each.webhook.id == meant)


def _asked(session: Session, text: str, *, exact: bool = False) -> "model.webhook.WebhookId":
    row = operations.webhook.LIST_WEBHOOK_RECORDS
    meant = meant_id(session, text, row, _named, "webhook", exact=exact)
    return model.webhook.WebhookId(id=meant)


def _named(record: "model.webhook.WebhookRecord") -> NamedId:
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
    found = _awaited(session, hook, sent)
    if session.options.json:
        session.print_raw(found.model_dump_json().encode())
    else:
        session.show(views.webhooks.outcome(found, views.locale.here(), tried=found != sent))
    if found.status != "delivered":
        raise typer.Exit(NOT_TAKEN)


def _awaited(
    session: Session, hook: str, sent: "model.webhook.WebhookDelivery"
) -> "model.webhook.WebhookDelivery":
    """A delivery once it was tried, or as it is when that has taken too long."""
    found, cursor = _found(session, hook, sent, None)
    with session.busy("Waiting for the receiver"):
        for pause in PAUSES:
            # A try by hand that fails counts none, but then it waits for another instant, or for none.
            if found != sent:
                break
            time.sleep(pause)
            found, cursor = _found(session, hook, sent, cursor)
    return found


def _found(
    session: Session, hook: str, wanted: "model.webhook.WebhookDelivery", cursor: str | None
) -> "tuple[model.webhook.WebhookDelivery, str | None]":
    """A delivery as it stands now, and the cursor of the page that has it, from a page on."""
    asks = model.webhook.DeliveryQuery(id=hook, limit=model.webhook.LARGEST_PAGE)
    while True:
        asked = asks.model_copy(update={"cursor": cursor})
        page = session.client.call(operations.webhook.LIST_DELIVERIES, asked)
        found = next((each for each in page.deliveries if each.id == wanted.id), None)
        if found is not None or page.next_cursor is None:
            return found or wanted, cursor
        cursor = page.next_cursor
