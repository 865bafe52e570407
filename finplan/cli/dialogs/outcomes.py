"""A delivery that somebody asked for: it is waited for, and told with what came of it."""

import time
from typing import TYPE_CHECKING

import typer

from finplan.cli.console.errors import NOT_TAKEN
from finplan.cli.console.session import Session

if TYPE_CHECKING:
    from finplan.model.automation.webhook import WebhookDelivery

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
    from finplan.model.automation.webhook import LARGEST_PAGE, DeliveryQuery
    from finplan.operations.webhook import LIST_DELIVERIES

    while True:
        asked = DeliveryQuery(id=hook, limit=LARGEST_PAGE, cursor=cursor)
        page = session.client.call(LIST_DELIVERIES, asked)
        found = next((each for each in page.deliveries if each.id == wanted.id), None)
        if found is not None or page.next_cursor is None:
            return found or wanted, cursor
        cursor = page.next_cursor
