"""`finplan webhooks`: addresses that are told of what happens.

A delivery that somebody asked for is waited for, and told with what came of it.
"""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from finplan.cli.console.errors import NOT_TAKEN
from finplan.cli.console.naming import NamedId, is_whole, pick
from finplan.cli.console.options import CommandApp, RowsGroup, examples
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.webhook import (
        CreatedWebhook,
        WebhookDelivery,
        WebhookEventType,
        WebhookRecord,
    )

app = CommandApp(cls=RowsGroup, invoke_without_command=True)

WhichWebhook = Annotated[
    str,
    typer.Argument(metavar="WEBHOOK", help="An id, the beginning of one, its address or its host."),
]
ToldOf = Annotated[
    list[str] | None,
    typer.Option(
        "--event",
        metavar="EVENT",
        help="What it is told of, once for each: plan.built, recurring.detected,"
        " bank.reconnect_required.",
    ),
]
Description = Annotated[
    str | None, typer.Option(metavar="TEXT", help="What it is for; empty takes it away.")
]


@app.callback(
    epilog=examples(
        "finplan webhooks add https://hooks.example.com/finplan --event plan.built",
        "finplan webhooks test hooks.example.com   Send a test, tell what came of it",
        "finplan webhooks listen                   Receive and print them here",
        "finplan webhooks deliveries hooks.example.com",
    )
)
def webhooks(context: typer.Context) -> None:
    """Addresses that are told of what happens: add, test, deliveries.

    A webhook is told by https when a plan is built, a charge comes again that no plan knew, or a bank
    wants you to sign in. Deliveries are signed, and tried again for three days.
    """
    if context.invoked_subcommand is None:
        _list(Session.of(context))


@app.command("list", rows=True)
def list_webhooks(context: typer.Context) -> None:
    """The webhooks and how each fares; the same as `finplan webhooks`."""
    _list(Session.of(context))


@app.command()
def add(
    context: typer.Context,
    url: Annotated[str, typer.Argument(metavar="URL", help="Where deliveries go, by https.")],
    event: ToldOf = None,
    description: Description = None,
) -> None:
    """Register an address and print its id; below it the signing secret, this once.

    Without --event it is told of everything. Nobody can read the secret later; `finplan webhooks
    rotate` makes a new one.
    """
    from finplan.model.webhook import NewWebhook
    from finplan.operations.webhook import CREATE_WEBHOOK

    session = Session.of(context)
    asked = NewWebhook(
        url=_url(url), events=_events(event or list(EVENTS)), description=description or None
    )
    made = session.answer(CREATE_WEBHOOK, asked)
    if made is not None:
        session.print_raw(made.id.encode())
        session.print_raw(made.secret.encode())
        session.say(
            "These are the id of the webhook and the secret that its deliveries are signed with. The"
            " secret is shown only now, so give it to the receiver."
        )
        _tell_of_others(session, made)


@app.command()
def show(context: typer.Context, webhook: WhichWebhook) -> None:
    """One webhook with all that is known of it."""
    from finplan.model.webhook import WebhookId
    from finplan.operations.webhook import SHOW_WEBHOOK

    session = Session.of(context)
    if session.options.json:
        session.answer(SHOW_WEBHOOK, WebhookId(id=_webhook_id(session, webhook)))
        return
    from finplan.cli.showing.webhooks import draw_webhook

    session.print(draw_webhook(_record(session, webhook)))


@app.command()
def change(
    context: typer.Context,
    webhook: WhichWebhook,
    url: Annotated[str | None, typer.Option(metavar="URL", help="Where deliveries go.")] = None,
    event: ToldOf = None,
    description: Description = None,
    disable: Annotated[
        bool | None,
        typer.Option("--disable/--enable", help="Send nothing any more, or let deliveries go on."),
    ] = None,
) -> None:
    """Change where a webhook is, what it is told of, or whether it is told at all.

    What waits when a webhook is disabled has failed; the secret stays.
    """
    from finplan.model.webhook import WebhookChange
    from finplan.operations.webhook import CHANGE_WEBHOOK

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
    changed = session.answer(
        CHANGE_WEBHOOK, WebhookChange(id=_webhook_id(session, webhook), **given)
    )
    if changed is not None:
        state = "Nothing is sent to it." if changed.disabled_at else "Deliveries go to it."
        session.say(f"Changed the webhook {changed.url}. {state}")


@app.command()
def remove(context: typer.Context, webhook: WhichWebhook) -> None:
    """Remove a webhook with its deliveries; what waits is not sent any more."""
    from finplan.model.webhook import WebhookId
    from finplan.operations.webhook import REMOVE_WEBHOOK

    session = Session.of(context)
    asked = WebhookId(id=_webhook_id(session, webhook, exact=True))
    removed = session.answer(REMOVE_WEBHOOK, asked)
    if removed is not None:
        session.say(f"Removed the webhook {removed.url}: it is told nothing any more.")


@app.command()
def test(context: typer.Context, webhook: WhichWebhook) -> None:
    """Send a test event, and tell what came of it; the exit code is 6 unless it arrived."""
    from finplan.model.webhook import WebhookId
    from finplan.operations.webhook import TRY_WEBHOOK

    session = Session.of(context)
    asked = WebhookId(id=_webhook_id(session, webhook))
    tell_outcome(session, asked.id, session.call(TRY_WEBHOOK, asked))


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
    limit: Annotated[
        int, typer.Option(min=1, max=200, metavar="N", help="How many of the newest.")
    ] = 20,
) -> None:
    """What was sent to one webhook in thirty days, the newest first."""
    from finplan.model.webhook import DeliveryQuery
    from finplan.operations.webhook import LIST_DELIVERIES

    session = Session.of(context)
    asked = DeliveryQuery(id=_webhook_id(session, webhook), limit=limit)
    page = session.answer(LIST_DELIVERIES, asked)
    if page is None:
        return
    from finplan.cli.showing.webhooks import draw_deliveries

    session.print(draw_deliveries(page.deliveries))
    if page.next_cursor is not None:
        session.say(f"These are the newest {limit}; --limit shows more.")


@app.command()
def retry(
    context: typer.Context,
    webhook: WhichWebhook,
    delivery: Annotated[
        str,
        typer.Argument(metavar="DELIVERY", help="An id, or the beginning of one of the newest."),
    ],
) -> None:
    """Try a delivery once more, and tell what came of it; one that has failed for good, too.

    The exit code is 6 unless it arrived. A try that fails is none of the ten that come by themselves.
    """
    from finplan.model.webhook import LARGEST_PAGE, DeliveryId, DeliveryQuery
    from finplan.operations.webhook import LIST_DELIVERIES, RETRY_DELIVERY

    session = Session.of(context)
    hook = _webhook_id(session, webhook)
    if not is_whole(delivery):
        page = session.call(LIST_DELIVERIES, DeliveryQuery(id=hook, limit=LARGEST_PAGE))
        candidates = [NamedId(each.id, (), each.type) for each in page.deliveries]
        listing = f"finplan webhooks deliveries {webhook}"
        delivery = pick(delivery, candidates, "delivery", listing, "deliveries")
    asked = DeliveryId(id=hook, delivery_id=delivery)
    tell_outcome(session, hook, session.call(RETRY_DELIVERY, asked))


@app.command()
def rotate(
    context: typer.Context,
    webhook: WhichWebhook,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask, also where an older secret ends at once.")
    ] = False,
) -> None:
    """Give a webhook a new signing secret and print it, this once.

    For a day deliveries are signed with both, so that the receiver has time to change. Where an older
    secret still signs since the last change, it ends at once, and you are asked before.
    """
    from finplan.cli.showing.webhooks import moment
    from finplan.model.webhook import WebhookId
    from finplan.operations.webhook import ROTATE_SECRET

    session = Session.of(context)
    asked = WebhookId(id=_webhook_id(session, webhook, exact=True))
    if not yes and not _older_may_end(session, asked.id):
        session.say("The secrets stay as they are.")
        return
    made = session.answer(ROTATE_SECRET, asked)
    if made is not None:
        session.print_raw(made.secret.encode())
        session.say(
            "This is the new signing secret, shown only now. The one before signs beside it until"
            f" {moment(made.former_until)}."
        )
        if made.older_until is not None:
            session.say("The one before that signs no more.")


EVENTS: "tuple[WebhookEventType, ...]" = (
    "plan.built",
    "recurring.detected",
    "bank.reconnect_required",
)
"""What a webhook may want to be told; a test comes to any."""


def _list(session: Session) -> None:
    from finplan.model.base import Nothing
    from finplan.operations.webhook import LIST_WEBHOOK_RECORDS, LIST_WEBHOOKS

    if session.options.json:
        session.answer(LIST_WEBHOOKS, Nothing())
        return
    found = session.answer(LIST_WEBHOOK_RECORDS, Nothing())
    if found is not None:
        from finplan.cli.showing.webhooks import draw_webhooks

        session.print(draw_webhooks(found))


def _tell_of_others(session: Session, made: "CreatedWebhook") -> None:
    """Say that an address is told by other webhooks, too, where it is: some things come twice."""
    from finplan.model.base import Nothing
    from finplan.model.characters import shortened
    from finplan.operations.webhook import LIST_WEBHOOKS

    held = session.call(LIST_WEBHOOKS, Nothing())
    short = shortened([each.id for each in held])
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
    from finplan.cli.showing.webhooks import moment
    from finplan.model.base import Nothing
    from finplan.operations.webhook import LIST_WEBHOOK_RECORDS

    found = session.call(LIST_WEBHOOK_RECORDS, Nothing())
    until = next(
        (each.former_secret_until for each in found if each.webhook.id == webhook_id), None
    )
    if until is None:
        return True
    told = f"The secret before the present one signs until {moment(until)} and would end at once."
    if not session.interactive:
        raise typer.BadParameter(f"{told} Nobody can be asked here; --yes ends it all the same.")
    return session.confirm(f"{told} Give a new one?", default=False)


def _events(typed: list[str]) -> "tuple[WebhookEventType, ...]":
    found: list[WebhookEventType] = []
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


def _record(session: Session, text: str) -> "WebhookRecord":
    from finplan.model.base import Nothing
    from finplan.operations.webhook import LIST_WEBHOOK_RECORDS

    found = session.call(LIST_WEBHOOK_RECORDS, Nothing())
    meant = _pick(text, found, exact=False)
    return next(each for each in found if each.webhook.id == meant)


def _webhook_id(session: Session, text: str, *, exact: bool = False) -> str:
    if is_whole(text):
        return text
    from finplan.model.base import Nothing
    from finplan.operations.webhook import LIST_WEBHOOK_RECORDS

    return _pick(text, session.call(LIST_WEBHOOK_RECORDS, Nothing()), exact=exact)


def _pick(text: str, found: "tuple[WebhookRecord, ...]", *, exact: bool) -> str:
    from finplan.cli.showing.webhooks import host_of

    candidates = [
        NamedId(
            each.webhook.id,
            tuple(
                filter(
                    None,
                    (each.webhook.url, host_of(each.webhook.url), each.webhook.description),
                )
            ),
            ", ".join(each.webhook.events),
        )
        for each in found
    ]
    return pick(text, candidates, "webhook", "finplan webhooks list", exact=exact)


PAUSES = (0.25, 0.5, 1.0, 1.5, 2.0, *(3.0,) * 9)
"""How long is waited before it is asked once more, in seconds: together longer than any attempt takes.

Most receivers answer at once; one that does not takes a few of the requests that a person has a minute.
"""


def tell_outcome(session: Session, hook: str, sent: "WebhookDelivery") -> None:
    """Wait until a delivery was tried, and tell what came of it; exit code 6 unless it has arrived.

    With --json the delivery is printed as it is by then.
    """
    found = _awaited(session, hook, sent)
    if session.options.json:
        session.print_raw(found.model_dump_json().encode())
    else:
        from finplan.cli.showing.webhooks import outcome

        session.print(outcome(found, tried=found != sent))
    if found.status != "delivered":
        raise typer.Exit(NOT_TAKEN)


def _awaited(session: Session, hook: str, sent: "WebhookDelivery") -> "WebhookDelivery":
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
    session: Session, hook: str, wanted: "WebhookDelivery", cursor: str | None
) -> "tuple[WebhookDelivery, str | None]":
    """A delivery as it stands now, and the cursor of the page that has it, from a page on."""
    from finplan.model.webhook import LARGEST_PAGE, DeliveryQuery
    from finplan.operations.webhook import LIST_DELIVERIES

    while True:
        asked = DeliveryQuery(id=hook, limit=LARGEST_PAGE, cursor=cursor)
        page = session.client.call(LIST_DELIVERIES, asked)
        found = next((each for each in page.deliveries if each.id == wanted.id), None)
        if found is not None or page.next_cursor is None:
            return found or wanted, cursor
        cursor = page.next_cursor
