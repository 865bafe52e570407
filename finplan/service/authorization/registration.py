"""Clients that register themselves (RFC 7591): what they may say of themselves, and what they are told.

What is not known here is ignored, as the RFC has it; a client is told what holds for it.
"""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection

from finplan.model.base import readable_name
from finplan.service.authorization.addresses import RefusedRegistration, check_addresses
from finplan.service.authorization.names import GRANT_TYPES, PUBLIC
from finplan.service.authorization.scopes import SCOPES, in_order
from finplan.service.credentials import audit
from finplan.service.credentials.tokens import digest, new_token
from finplan.service.ids import new_id
from finplan.store.queries import authorization

SECRET_PREFIX = "fpx_"  # noqa: S105  # It is what each begins with.
PRUNED_AFTER = 24 * 60 * 60 * 1000
"""When a client that registered itself is forgotten if nobody has let it in."""

MOST_ADDRESSES = 20
AuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]
DEFAULT_METHOD: AuthMethod = "client_secret_basic"
_UNNAMED = "An unnamed client"


class ClientMetadata(BaseModel):
    """What a client says of itself; only what matters here is read."""

    model_config = ConfigDict(extra="ignore", strict=True)

    redirect_uris: Annotated[
        tuple[str, ...], Field(min_length=1, max_length=MOST_ADDRESSES, strict=False)
    ]
    client_name: Annotated[str, Field(max_length=200)] | None = None
    token_endpoint_auth_method: AuthMethod = DEFAULT_METHOD
    grant_types: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    response_types: Annotated[tuple[str, ...], Field(strict=False)] | None = None
    scope: str | None = None
    application_type: Literal["web", "native"] | None = None
    client_uri: str | None = None
    software_id: str | None = None
    software_version: str | None = None


def register(connection: Connection, body: bytes, address: str, now: int) -> Mapping[str, Any]:
    """Register a client; what it is told holds its secret, if it has one, this once.

    Raises RefusedRegistration.
    """
    said = _read(body)
    check_addresses(said.redirect_uris)
    if said.response_types is not None and "code" not in said.response_types:
        raise RefusedRegistration("invalid_client_metadata", "The response type is code.")
    if said.grant_types is not None and "authorization_code" not in said.grant_types:
        raise RefusedRegistration(
            "invalid_client_metadata", "A client is let in by the grant type authorization_code."
        )
    name = _name(said.client_name)
    scopes = " ".join(SCOPES) if not said.scope else in_order(said.scope.split())
    if not scopes:
        raise RefusedRegistration(
            "invalid_client_metadata",
            f"None of these scopes is known; there are {', '.join(SCOPES)}.",
        )
    authorization.sweep_clients(connection, now - PRUNED_AFTER)
    told = add_client(
        connection,
        name=name,
        addresses=said.redirect_uris,
        auth_method=said.token_endpoint_auth_method,
        scopes=scopes,
        owner=None,
        now=now,
    )
    audit.note_for_the_owner(
        connection, "client.registered", f"The client {name!r} registered itself.", address, now
    )
    echoed = said.model_dump(
        include={"application_type", "client_uri", "software_id", "software_version"},
        exclude_none=True,
    )
    return {
        **told,
        "client_id_issued_at": now // 1000,
        "client_name": name,
        "redirect_uris": list(said.redirect_uris),
        "token_endpoint_auth_method": said.token_endpoint_auth_method,
        "grant_types": list(GRANT_TYPES),
        "response_types": ["code"],
        "scope": scopes,
        **echoed,
    }


def add_client(
    connection: Connection,
    *,
    name: str,
    addresses: tuple[str, ...],
    auth_method: str,
    scopes: str,
    owner: int | None,
    now: int,
) -> Mapping[str, Any]:
    """Add a client, and answer its id, and its secret where it can keep one."""
    public_id = new_id("app")
    secret = None if auth_method == PUBLIC else new_token(SECRET_PREFIX)
    authorization.add_client(
        connection,
        {
            "id": public_id,
            "owner_no": owner,
            "name": name,
            "auth_method": auth_method,
            "secret_hash": None if secret is None else digest(secret),
            "redirect_uris": json.dumps(addresses),
            "scopes": scopes,
            "created_at": now,
        },
    )
    if secret is None:
        return {"client_id": public_id}
    return {"client_id": public_id, "client_secret": secret, "client_secret_expires_at": 0}


def _read(body: bytes) -> ClientMetadata:
    try:
        return ClientMetadata.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        wrong = (
            "invalid_redirect_uri"
            if field.startswith("redirect_uris")
            else "invalid_client_metadata"
        )
        raise RefusedRegistration(wrong, f"{field or 'The body'}: {first['msg']}") from None


def _name(said: str | None) -> str:
    if said is None:
        return _UNNAMED
    try:
        return readable_name(said)
    except ValueError as error:
        raise RefusedRegistration("invalid_client_metadata", f"client_name: {error}") from None
