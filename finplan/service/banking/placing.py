"""What a link becomes in the store: a connection of its own, or the new access of one that is there."""

from typing import Any

from sqlalchemy import Connection as Database
from sqlalchemy import RowMapping

from finplan.banks.base import Access, Aggregator
from finplan.model.connection import Institution, Provider, Reconnection
from finplan.model.errors import BadRequest, BankProviderError, Conflict
from finplan.service.banking.access import end_quietly, former_secret, values_of_access
from finplan.service.banking.connections import find_row
from finplan.service.banking.rhythm import next_try
from finplan.service.context import Context
from finplan.store.queries import connections as table
from finplan.store.queries import people


def may_link(
    database: Database, owner: int, bank: str, reconnect: Reconnection | None
) -> RowMapping | None:
    """The connection that a new access is for, None for a new one.

    Raises Conflict beside the demo household, NotFound, and BadRequest for a connection to another bank.
    """
    beside(database, owner, "aggregator")
    if reconnect is None:
        return None
    row = find_row(database, owner, reconnect.connection_id)
    if row["bank"] != bank:
        by = "statement files" if row["provider"] == "manual" else row["bank"] or row["provider"]
        raise BadRequest(
            f"{row['institution_name']} is reached by {by}, and this is a link by {bank}. Link it as a"
            " bank of its own: leave `reconnect` out."
        )
    return row


def beside(database: Database, owner: int, provider: str) -> str | None:
    """The id of the demo household if that is to be linked again.

    Raises Conflict where demo and real data would share a store.
    """
    for row in table.list_connections(database, owner):
        if provider == "demo" and row["provider"] == "demo":
            return str(row["id"])
        if "demo" in {provider, row["provider"]}:
            raise Conflict(
                "The demo household never shares a store with real data. Use another profile:"
                " `finplan --demo …` for the demo, `finplan --profile NAME …` for your own."
            )
    return None


def add_connection(
    database: Database,
    context: Context,
    connection_id: str,
    provider: Provider,
    institution: Institution | None,
    called: str,
    **more: Any,
) -> None:
    """Add a connection; it is `called` so where the person names no institution."""
    owner, now = context.caller.owner, context.milliseconds()
    values = {
        "id": connection_id,
        "owner_no": owner,
        "provider": provider,
        "institution_name": called if institution is None else institution.name,
        "institution_id": None if institution is None else institution.id,
        "status": "ok",
        "failures": 0,
        "created_at": now,
        # Who links a bank syncs it at once; should that die, it is tried again by itself.
        "next_try_at": next_try(connection_id, provider, now, failures=1),
        **more,
    }
    table.add_connection(database, values)
    people.raise_generation(database, owner)


def place_access(
    database: Database,
    context: Context,
    connection_id: str,
    former: RowMapping | None,
    bank: str,
    aggregator: Aggregator,
    access: Access,
    sealed: bytes,
    institution: Institution | None,
    *,
    is_same: bool,
) -> None:
    """Let an access be that of a new connection, or of the `former` one.

    `is_same` says that it is the access that there was, so that the next sync goes on from where it was.
    """
    if former is None:
        named: dict[str, Any] = {"named_by_bank": int(institution is None)}
        if institution is None:
            named["institution_id"] = access.institution_id
        values = {**values_of_access(bank, sealed), **named}
        called = access.institution or aggregator.title
        add_connection(
            database, context, connection_id, "aggregator", institution, called, **values
        )
        return
    row = find_row(database, context.caller.owner, connection_id)
    changed = values_of_access(bank, sealed)
    if not is_same:
        changed |= {"cursor": aggregator.after_relink(row["cursor"]), "unfinished": 0}
    table.change_connection(database, row["no"], changed)


async def refuse_another_bank(
    aggregator: Aggregator, former: RowMapping | None, access: Access
) -> None:
    """End an access that is to another institution than the connection that it was to renew.

    Raises BankProviderError then.
    """
    told = access.institution_id
    if former is None or not told or not former["institution_id"]:
        return
    if told == former["institution_id"]:
        return
    await end_quietly(aggregator, access.secret)
    other = access.institution or "another bank"
    raise BankProviderError(
        f"You signed in at {other}, and what is to be reconnected is {former['institution_name']}, so"
        f" nothing was changed. Begin again and sign in there, or link {other} as a bank of its own.",
        "aggregator",
        "login_required",
    )


async def secret_before(context: Context, former: RowMapping | None) -> str | None:
    """The secret of the access that a new one takes the place of, None where there is none."""
    return None if former is None else await former_secret(context, former)
