"""OAuth clients as a person sees them: those that they made, and those that they let in."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing
from finplan.model.credential import GRANT_SCOPES, ClientId, CreatedClient, NewClient, OAuthClient
from finplan.model.errors import BadRequest, NotFound
from finplan.operation import Made
from finplan.service.authorization.addresses import RefusedRegistration, check_addresses
from finplan.service.authorization.names import PUBLIC
from finplan.service.authorization.registration import add_client
from finplan.service.authorization.scopes import SCOPES, in_order
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.silencing import client_named, silence
from finplan.store.queries import authorization
from finplan.store.queries.authorization import HeldGrant


async def list_clients(context: Context, _ask: Nothing) -> tuple[OAuthClient, ...]:
    """The clients that the person made or that still hold what they granted, the newest first."""
    owner, now = context.caller.owner, context.milliseconds()

    def read(connection: Connection) -> tuple[OAuthClient, ...]:
        held = authorization.held_of(connection, owner, now)
        of = {no: [each for each in held if each.client_no == no] for no, _, _ in held}
        rows = authorization.list_clients(connection, owner)
        return tuple(
            _shown(row, owner, of.get(row["no"], ()))
            for row in rows
            if row["owner_no"] == owner or row["no"] in of
        )

    return await context.store.read(read)


async def create_client(context: Context, ask: NewClient) -> Made[CreatedClient]:
    """Make a client; the secret of a confidential one is in this answer and nowhere else.

    Raises BadRequest for an address that nobody may be sent to.
    """
    try:
        check_addresses(ask.redirect_uris)
    except RefusedRegistration as refused:
        raise BadRequest(refused.description) from None
    owner, now = context.caller.owner, context.milliseconds()

    def create(connection: Connection) -> Made[CreatedClient]:
        told = add_client(
            connection,
            name=ask.name,
            addresses=ask.redirect_uris,
            auth_method=PUBLIC if ask.kind == "public" else "client_secret_basic",
            scopes=in_order(ask.scopes) or " ".join(SCOPES),
            owner=owner,
            now=now,
        )
        said = f"Made the client {ask.name!r}."
        audit.note(connection, context.caller, "client.created", said, now)
        row = authorization.client_of_id(connection, told["client_id"])
        assert row is not None, "It was added just now."
        shown = _shown(row, owner).model_dump(by_alias=False)
        return Made(CreatedClient(secret=told.get("client_secret"), **shown), new=True)

    return await context.commit(create)


async def revoke_client(context: Context, ask: ClientId) -> OAuthClient:
    """Take back all that the person granted a client, and remove it if they made it."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> OAuthClient:
        row = authorization.find_client(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"There is no client {ask.id}. `finplan clients list` shows them.")
        authorization.end_grants(connection, owner, row["no"])
        removed = row["owner_no"] == owner
        why = f"The access of the program {row['name']!r}, which chose its address, was taken back."
        # Whoever else let it in loses it as well, where it is removed.
        of = None if removed else owner
        silence(connection, client_named(row["id"]), why, now, of)
        if removed:
            authorization.remove_client(connection, row["no"])
        took = f"Took back all that the client {row['name']!r} was granted"
        said = f"{took}, and removed it." if row["owner_no"] == owner else f"{took}."
        audit.note(connection, context.caller, "client.revoked", said, now)
        return _shown(row, owner)

    return await context.commit(revoke)


def _shown(row: RowMapping, owner: int, held: Sequence[HeldGrant] = ()) -> OAuthClient:
    yours = row["owner_no"] == owner
    granted = {scope for each in held for scope in each.scopes.split()}
    # When others use a program that they let in, too, is theirs to know.
    own_uses = [each.last_at for each in held if each.last_at is not None]
    return OAuthClient(
        id=row["id"],
        name=row["name"],
        redirect_uris=tuple(json.loads(row["redirect_uris"])),
        kind="public" if row["auth_method"] == PUBLIC else "confidential",
        scopes=tuple(row["scopes"].split()),
        granted=tuple(scope for scope in GRANT_SCOPES if scope in granted),
        created_at=row["created_at"],
        last_used_at=row["last_used_at"] if yours else max(own_uses, default=None),
        yours=yours,
    )
