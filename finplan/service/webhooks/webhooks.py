"""Webhooks as a person manages them: registered, shown, changed, removed, their secrets changed.

The secrets that deliveries are signed with are made here, sealed in the store, and shown once.
"""

import base64
import secrets
from collections.abc import Sequence, Set as AbstractSet

from sqlalchemy import Connection, RowMapping

from finplan.model import webhook as webhooks
from finplan.model.base import Nothing
from finplan.model.errors import BadRequest, Conflict, NotFound, SecretsUnreachable
from finplan.operation import Made
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.ids import new_id
from finplan.service.outbox import is_wanted, know_what_is_there
from finplan.store.queries import deliveries as table
from finplan.store.sealing import CannotOpen, Sealer, about_webhook
from finplan.webhooks.targets import RefusedTarget

SECRET_BYTES = 32
OVERLAP = 24 * 60 * 60 * 1000
"""How long the former secret signs beside the new one, in milliseconds."""


def shown_secret(secret: bytes) -> str:
    """A secret as Standard Webhooks writes it."""
    return webhooks.WEBHOOK_SECRET_PREFIX + base64.b64encode(secret).decode()


def open_secrets(sealer: Sealer, webhook: RowMapping, now: int) -> tuple[bytes, ...]:
    """The secrets that sign now, the newest first; none where the newest cannot be opened."""
    try:
        newest = sealer.open(webhook["secret"], about_webhook(webhook["id"]))
    except CannotOpen:
        return ()
    former = webhook["former_secret"]
    if former is None or webhook["former_until"] <= now:
        return (newest,)
    try:
        return newest, sealer.open(former, about_webhook(webhook["id"]))
    except CannotOpen:
        return (newest,)


MOST = 20
"""How many webhooks a person has at most."""

BY_THE_PERSON = "You disabled it."
RECURRING: webhooks.WebhookEventType = "recurring.detected"


async def list_webhooks(context: Context, _ask: Nothing) -> tuple[webhooks.Webhook, ...]:
    """The person's webhooks, newest first."""
    rows = await context.store.read(lambda c: table.list_webhooks(c, context.caller.owner))
    return tuple(map(webhook_of, rows))


async def list_webhook_records(
    context: Context, _ask: Nothing
) -> tuple[webhooks.WebhookRecord, ...]:
    """The person's webhooks with how each fares, newest first."""
    owner, now = context.caller.owner, context.milliseconds()
    rows, waiting = await context.store.read(
        lambda c: (table.list_webhooks(c, owner), table.waiting(c, owner))
    )
    held_up = await _held_up(context) if waiting else None

    def record(row: RowMapping) -> webhooks.WebhookRecord:
        its = waiting.get(row["no"], table.WaitingDeliveries())
        return webhooks.WebhookRecord.of(
            row,
            webhook=webhook_of(row),
            waiting=its.count,
            held_up=held_up if its.count else None,
            next_try_at=its.next_try,
            former_secret_until=_still(row["former_until"], now),
        )

    return tuple(map(record, rows))


async def show_webhook(context: Context, ask: webhooks.WebhookId) -> webhooks.Webhook:
    """One webhook. Raises NotFound."""
    return webhook_of(await context.store.read(lambda c: find(c, context.caller.owner, ask.id)))


async def create_webhook(
    context: Context, ask: webhooks.NewWebhook
) -> Made[webhooks.CreatedWebhook]:
    """Register a webhook; its secret is in this answer and nowhere else.

    Raises BadRequest for an address that no delivery may go to, and Conflict for one too many.
    """
    await _check_url(context, ask.url)
    owner, now = context.caller.owner, context.milliseconds()
    secret, webhook_id = secrets.token_bytes(SECRET_BYTES), new_id("whk")
    sealer = await context.sealer()

    def create(connection: Connection) -> Made[webhooks.CreatedWebhook]:
        listed = table.list_webhooks(connection, owner)
        if len(listed) >= MOST:
            raise Conflict(
                f"You have {MOST} webhooks, the most allowed. Remove one with `finplan webhooks remove`."
            )
        _begin_to_know(connection, owner, ask.events)
        table.add_webhook(
            connection,
            {
                "id": webhook_id,
                "owner_no": owner,
                "url": ask.url,
                "description": ask.description,
                "events": _in_words(ask.events),
                "secret": sealer.seal(secret, about_webhook(webhook_id)),
                "created_at": now,
                "chosen_by": audit.program_of(connection, context.caller),
            },
        )
        text = f"Added the webhook {webhook_id} for {', '.join(dict.fromkeys(ask.events))}."
        audit.note(connection, context.caller, "webhook.created", text, now)
        webhook = webhook_of(find(connection, owner, webhook_id))
        return Made(webhooks.CreatedWebhook.of(webhook, secret=shown_secret(secret)), new=True)

    return await context.commit(create)


async def change_webhook(context: Context, ask: webhooks.WebhookChange) -> webhooks.Webhook:
    """Change a webhook, disable it, or let deliveries go on; what is absent stays.

    Raises NotFound, and BadRequest for an address that no delivery may go to.
    """
    fields, owner, now = ask.model_fields_set - {"id"}, context.caller.owner, context.milliseconds()
    _refuse_nulls(ask, fields)
    if ask.url is not None:
        await _check_url(context, ask.url)

    def change(connection: Connection) -> webhooks.Webhook:
        row = find(connection, owner, ask.id)
        values = _values(ask, fields)
        is_let_go_on = ask.disabled is False and row["disabled_at"] is not None
        if ask.events is not None or is_let_go_on:
            _begin_to_know(connection, owner, ask.events or row["events"].split())
        is_moved = ask.url not in {None, row["url"]}
        if is_moved:
            # How its former address fared says nothing of the new one.
            values |= dict.fromkeys(table.HEALTH)
        if is_let_go_on or is_moved:
            values["chosen_by"] = audit.program_of(connection, context.caller)
        if values:
            table.change_webhook(connection, row["no"], values)
        if ask.disabled is not None:
            _turn(connection, row, disabled=ask.disabled, now=now)
        if fields:
            text = f"Changed the webhook {ask.id}: {', '.join(sorted(fields))}."
            audit.note(connection, context.caller, "webhook.changed", text, now)
        return webhook_of(find(connection, owner, ask.id))

    return await context.commit(change)


async def remove_webhook(context: Context, ask: webhooks.WebhookId) -> webhooks.Webhook:
    """Remove a webhook with its deliveries; what waits is not sent any more. Raises NotFound."""
    owner, now = context.caller.owner, context.milliseconds()

    def remove(connection: Connection) -> webhooks.Webhook:
        row = find(connection, owner, ask.id)
        table.remove_webhook(connection, row["no"])
        text = f"Removed the webhook {ask.id}."
        audit.note(connection, context.caller, "webhook.removed", text, now)
        return webhook_of(row)

    return await context.commit(remove)


async def rotate_secret(context: Context, ask: webhooks.WebhookId) -> webhooks.NewSecret:
    """Give a webhook a new secret; the one before signs beside it for a day, none older.

    Raises NotFound.
    """
    owner, now = context.caller.owner, context.milliseconds()
    await context.store.read(lambda c: find(c, owner, ask.id))
    secret, sealer = secrets.token_bytes(SECRET_BYTES), await context.sealer()

    def rotate(connection: Connection) -> webhooks.NewSecret:
        row = find(connection, owner, ask.id)
        values = {
            "secret": sealer.seal(secret, about_webhook(ask.id)),
            "former_secret": row["secret"],
            "former_until": now + OVERLAP,
        }
        program = audit.program_of(connection, context.caller)
        table.change_webhook(connection, row["no"], values)
        older_until = _still(row["former_until"], now)
        text = (
            f"Rotated the secret of the webhook {ask.id}. The previous secret signs"
            " deliveries for another day."
        )
        if older_until is not None:
            text += " The secret before it no longer signs deliveries."
        if program is not None:
            # Nobody can take back what a program has seen.
            text += " The app knows the new secret until you rotate it again."
        audit.note(connection, context.caller, "webhook.secret_changed", text, now)
        return webhooks.NewSecret(
            id=ask.id,
            secret=shown_secret(secret),
            former_until=now + OVERLAP,
            older_until=older_until,
        )

    return await context.commit(rotate)


def find(connection: Connection, owner: int, webhook_id: str) -> RowMapping:
    """A person's webhook. Raises NotFound."""
    row = table.find_webhook(connection, owner, webhook_id)
    if row is None:
        raise NotFound(f"No webhook {webhook_id}. List them: `finplan webhooks list`.")
    return row


def webhook_of(row: RowMapping) -> webhooks.Webhook:
    """A webhook as the interface shows it."""
    return webhooks.Webhook.of(row, events=tuple(row["events"].split()))


async def _held_up(context: Context) -> str | None:
    """Why nothing can be signed now, None where it can be."""
    try:
        await context.sealer()
    except SecretsUnreachable as unreachable:
        return unreachable.message
    return None


async def _check_url(context: Context, url: str) -> None:
    try:
        await context.vet_target(url)
    except RefusedTarget as refused:
        raise BadRequest(f"This URL cannot receive webhooks. {refused}") from None


def _turn(connection: Connection, row: RowMapping, *, disabled: bool, now: int) -> None:
    if disabled and row["disabled_at"] is None:
        audit.disable(connection, row, BY_THE_PERSON, now)
    elif not disabled:
        # It begins anew: failures of before count no more.
        values = dict.fromkeys(("disabled_at", "disabled_why", *table.HEALTH))
        table.change_webhook(connection, row["no"], values)


def _refuse_nulls(ask: webhooks.WebhookChange, fields: AbstractSet[str]) -> None:
    for name in fields - {"description"}:
        if getattr(ask, name) is None:
            raise BadRequest(f"`{name}` cannot be null. Omit it to keep the current value.")


def _values(ask: webhooks.WebhookChange, fields: AbstractSet[str]) -> dict[str, object]:
    values: dict[str, object] = {
        name: getattr(ask, name) for name in fields & {"url", "description"}
    }
    return values if ask.events is None else {**values, "events": _in_words(ask.events)}


def _begin_to_know(connection: Connection, owner: int, events: Sequence[str]) -> None:
    """Where nobody was told what comes again and somebody is from now on, all there is now is known."""
    if RECURRING in events and not is_wanted(connection, owner, RECURRING):
        know_what_is_there(connection, owner)


def _in_words(events: Sequence[webhooks.WebhookEventType]) -> str:
    return " ".join(dict.fromkeys(events))


def _still(until: int | None, now: int) -> int | None:
    return None if until is None or until <= now else until
