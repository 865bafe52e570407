"""The record of what lets people in, and the end of webhooks that were let in by what is taken back.

Each event is written in the transaction of what it tells of. Its words hold no secret.

Webhooks end with what chose them: once a program's access is taken back, nothing goes where it chose.
A program is named so that it is known whatever tokens it gets: `key:7`, `agent:7`, `client:app_…`.
"""

from sqlalchemy import Connection, RowMapping

from finplan.model.credential import AuditEvent, AuditKind, AuditQuery
from finplan.model.errors import Unauthorized
from finplan.service.context import Caller, Context
from finplan.service.ids import new_id
from finplan.store.queries import authorization, credentials, deliveries, people


async def list_audit(context: Context, ask: AuditQuery) -> tuple[AuditEvent, ...]:
    """What happened to the person's credentials, the newest first."""
    owner = context.caller.owner
    rows = await context.store.read(
        lambda c: credentials.list_audit_events(c, owner, ask.limit, ask.before)
    )
    return tuple(map(AuditEvent.of, rows))


def describe_departure(email: str) -> str:
    """What the owner of the machine is told of somebody who deleted their account."""
    return f"{email} deleted their account and all of their data."


def note(connection: Connection, caller: Caller, kind: AuditKind, text: str, now: int) -> None:
    """Record what a caller did, or what was done in their name."""
    note_for(connection, caller.owner, kind, text, caller.address, now, caller.credential or None)


def note_for(
    connection: Connection,
    owner: int,
    kind: AuditKind,
    text: str,
    address: str | None,
    now: int,
    credential: str | None = None,
) -> None:
    """Record for a person what happened, without a credential where none was shown."""
    credentials.add_audit_event(
        connection,
        {
            "id": new_id("aud"),
            "owner_no": owner,
            "at": now,
            "kind": kind,
            "credential": credential,
            "address": address,
            "text": text,
        },
    )


def note_for_the_owner(
    connection: Connection, kind: AuditKind, text: str, address: str | None, now: int
) -> None:
    """Record what nobody's account did, for who owns the machine."""
    owner = people.only_person(connection)
    if owner is not None:
        note_for(connection, owner["no"], kind, text, address, now)


def program_of(connection: Connection, caller: Caller) -> str | None:
    """The program that a caller is, None for the person.

    Raises Unauthorized for one whose access was taken back since it asked.
    """
    kind, _, number = caller.credential.partition(":")
    if kind == "grant":
        client = authorization.client_of_grant(connection, int(number))
        name = None if client is None else name_client(client)
    elif kind == "agent":
        name = caller.credential if authorization.is_agent_there(connection, int(number)) else None
    elif kind == "key":
        name = caller.credential if credentials.is_key_active(connection, int(number)) else None
    else:
        return None
    if name is None:
        raise Unauthorized("This credential was just revoked.")
    return name


def name_client(client_id: str) -> str:
    """The name of a client, however often it was let in."""
    return f"client:{client_id}"


def silence(
    connection: Connection, program: str, why: str, now: int, owner: int | None = None
) -> None:
    """Let nothing go any more to where a program chose, of one person or of everybody."""
    for webhook in deliveries.chosen_by(connection, program, owner):
        silence_one(connection, webhook, why, now)


def silence_those_over(connection: Connection, now: int) -> None:
    """Let nothing go any more to where a key or a client chose whose access has ended by itself."""
    for webhook in deliveries.chosen_by_keys_over(connection, now):
        silence_one(connection, webhook, "The API key that set the webhook's URL has expired.", now)
    for webhook in deliveries.chosen_by_clients_over(connection, now):
        why = "The access of the app that set the webhook's URL has expired."
        silence_one(connection, webhook, why, now)


def silence_one(connection: Connection, webhook: RowMapping, why: str, now: int) -> None:
    """Disable a webhook that the person did not disable, and record it."""
    disable(connection, webhook, why, now)
    text = f"Disabled the webhook {webhook['id']}. {why}"
    note_for(connection, webhook["owner_no"], "webhook.disabled", text, None, now)


def disable(connection: Connection, webhook: RowMapping, why: str, now: int) -> None:
    """Let no delivery go to a webhook any more; what waits for it has failed."""
    values = {"disabled_at": now, "disabled_why": why}
    deliveries.change_webhook(connection, webhook["no"], values)
    deliveries.give_up(connection, webhook["no"], now)
