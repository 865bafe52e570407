"""OAuth clients: those that register themselves (RFC 7591), those that a person made or let in.

What a client says of itself and is not known here is ignored, as the RFC has it; it is told what holds
for it. Which redirect URIs may be registered is said here, and whether one that is asked for is one of
them.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import SplitResult, urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection, RowMapping

from finplan.model.base import Nothing, readable_name
from finplan.model.credential import GRANT_SCOPES, ClientId, CreatedClient, NewClient, OAuthClient
from finplan.model.errors import BadRequest, NotFound
from finplan.operation import Made
from finplan.service.authorization.scopes import GRANT_TYPES, PUBLIC_CLIENT, SCOPES, in_order
from finplan.service.context import Context
from finplan.service.credentials import audit
from finplan.service.credentials.audit import name_client, silence
from finplan.service.credentials.keys import digest, new_token
from finplan.service.ids import new_id
from finplan.store.queries import authorization
from finplan.store.queries.authorization import HeldGrant

LONGEST_ADDRESS = 2000
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_OF_A_DOMAIN = re.compile(r"[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/.*", re.IGNORECASE)
"""A private-use scheme named after a domain of its owner (RFC 8252 section 7.1)."""

_OF_AN_EDITOR = re.compile(
    r"(?:cursor|vscode|vscode-insiders|windsurf)://[A-Za-z0-9_-]+\.[A-Za-z0-9._-]+(?:/[^?]*)?",
    re.IGNORECASE,
)
"""An address of one extension of an editor, without a query, which would be a command of the editor.

These register themselves, and register nothing if one of their addresses is refused.
"""

LARGEST_PORT = 65535
_ON_LOOPBACK = re.compile(
    r"(?P<host>http://(?:127\.0\.0\.1|\[::1\]|localhost))(?::(?P<port>[0-9]{1,5}))?(?P<rest>(?:[/?].*)?)"
)
"""Parted by its text: what parses addresses drops signs that a browser would be sent, such as a tab."""

_TOLD = frozenset(map(chr, range(0x20, 0x7F))) - set('"\\')
_TOLD_LENGTH = 100
_HOST = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


class RefusedRegistration(Exception):
    """What a client says of itself does not hold; `error` is by RFC 7591 section 3.2.2."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error = error
        self.description = description


def check_address(address: str) -> None:
    """Refuse an address that nobody may be sent to. Raises RefusedRegistration.

    It is encrypted, or of a program on the person's own machine: by loopback, by a private-use scheme
    of a domain, or by the scheme of an editor that is listed here.
    """
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise _refused_address("is not an address") from None
    if len(address) > LONGEST_ADDRESS or not address.isascii() or not address.isprintable():
        raise _refused_address("is too long, or contains characters that are not allowed")
    if any(sign in address for sign in " \"\\<>#'"):
        raise _refused_address("contains a fragment or a character that is not allowed")
    if not parts.scheme:
        raise _refused_address(
            "is incomplete; write the whole address, such as https://example.org/back or"
            " http://127.0.0.1:8765/back"
        )
    if parts.scheme in ("http", "https") and not _HOST.fullmatch(parts.netloc):
        raise _refused_address("lacks a host, or contains a user name")
    if parts.scheme == "http" and not is_loopback(parts):
        raise _refused_address(
            "is not encrypted; use https, or use http with the loopback address (127.0.0.1)"
        )
    of_a_program = any(form.fullmatch(address) for form in (_OF_A_DOMAIN, _OF_AN_EDITOR))
    if parts.scheme not in ("http", "https") and not of_a_program:
        raise _refused_address(
            "has a scheme that is not allowed. Use https, http on this machine (127.0.0.1, [::1] or"
            " localhost), or a scheme named after your domain, such as org.example.app:/back"
        )


def is_allowed_address(address: str) -> bool:
    """Whether somebody may be sent to an address."""
    try:
        check_address(address)
    except RefusedRegistration:
        return False
    return True


def check_addresses(addresses: Iterable[str]) -> None:
    """Refuse the first address that nobody may be sent to, and name it. Raises RefusedRegistration."""
    for address in addresses:
        try:
            check_address(address)
        except RefusedRegistration as refused:
            text = f"{refused.description} The address is {_named_address(address)}."
            raise RefusedRegistration(refused.error, text) from None


def is_same_address(registered: str, address: str) -> bool:
    """Whether a redirect goes where a client registered that it may.

    Texts are compared byte by byte. Only for a program on the person's own machine the port may be
    another one (RFC 8252 section 7.3), since it takes whichever is free.
    """
    if registered == address:
        return True
    ours, theirs = _ON_LOOPBACK.fullmatch(registered), _ON_LOOPBACK.fullmatch(address)
    if ours is None or theirs is None or int(theirs["port"] or 0) > LARGEST_PORT:
        return False
    return (ours["host"], ours["rest"]) == (theirs["host"], theirs["rest"])


def is_loopback(address: SplitResult) -> bool:
    """Whether an address is of a program on the person's own machine."""
    return address.hostname in _LOOPBACK


def _named_address(address: str) -> str:
    """An address in signs that an answer of RFC 6749 may hold, as far as it is told by."""
    readable = "".join(sign if sign in _TOLD else "?" for sign in address[:_TOLD_LENGTH])
    return f"'{readable}'" if len(address) <= _TOLD_LENGTH else f"'{readable}...'"


def _refused_address(why: str) -> RefusedRegistration:
    return RefusedRegistration("invalid_redirect_uri", f"A redirect URI {why}.")


SECRET_PREFIX = "fpx_"  # noqa: S105  # It is what each begins with.
PRUNED_AFTER = 24 * 60 * 60 * 1000
"""When a client that registered itself is forgotten if nobody has let it in."""

MOST_ADDRESSES = 20
AuthMethod = Literal["none", "client_secret_basic", "client_secret_post"]
DEFAULT_METHOD: AuthMethod = "client_secret_basic"
_UNNAMED = "Unnamed app"


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
    metadata = _read_metadata(body)
    check_addresses(metadata.redirect_uris)
    if metadata.response_types is not None and "code" not in metadata.response_types:
        raise _refused_metadata("The response type must be code.")
    if metadata.grant_types is not None and "authorization_code" not in metadata.grant_types:
        raise _refused_metadata("The grant types must include authorization_code.")
    name = _name_of_client(metadata.client_name)
    scopes = " ".join(SCOPES) if not metadata.scope else in_order(metadata.scope.split())
    if not scopes:
        raise _refused_metadata(f"Unknown scopes. The scopes are {', '.join(SCOPES)}.")
    authorization.sweep_clients(connection, now - PRUNED_AFTER)
    client = add_client(
        connection,
        name=name,
        addresses=metadata.redirect_uris,
        auth_method=metadata.token_endpoint_auth_method,
        scopes=scopes,
        owner=None,
        now=now,
    )
    audit.note_for_the_owner(
        connection, "client.registered", f"The app {name!r} registered itself.", address, now
    )
    echoed = metadata.model_dump(
        include={"application_type", "client_uri", "software_id", "software_version"},
        exclude_none=True,
    )
    return {
        **client,
        "client_id_issued_at": now // 1000,
        "client_name": name,
        "redirect_uris": list(metadata.redirect_uris),
        "token_endpoint_auth_method": metadata.token_endpoint_auth_method,
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
    secret = None if auth_method == PUBLIC_CLIENT else new_token(SECRET_PREFIX)
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


def _refused_metadata(why: str) -> RefusedRegistration:
    return RefusedRegistration("invalid_client_metadata", why)


def _read_metadata(body: bytes) -> ClientMetadata:
    try:
        return ClientMetadata.model_validate_json(body or b"{}")
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        is_address = field.startswith("redirect_uris")
        wrong = "invalid_redirect_uri" if is_address else "invalid_client_metadata"
        raise RefusedRegistration(wrong, f"{field or 'The body'}: {first['msg']}") from None


def _name_of_client(name: str | None) -> str:
    if name is None:
        return _UNNAMED
    try:
        return readable_name(name)
    except ValueError as error:
        raise _refused_metadata(f"client_name: {error}") from None


async def list_clients(context: Context, _ask: Nothing) -> tuple[OAuthClient, ...]:
    """The clients that the person made or that still hold what they granted, the newest first."""
    owner, now = context.caller.owner, context.milliseconds()

    def read(connection: Connection) -> tuple[OAuthClient, ...]:
        grants = authorization.held_of(connection, owner, now)
        of = {no: [grant for grant in grants if grant.client_no == no] for no, _, _ in grants}
        rows = authorization.list_clients(connection, owner)
        return tuple(
            _shown_client(row, owner, of.get(row["no"], ()))
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
        registration = add_client(
            connection,
            name=ask.name,
            addresses=ask.redirect_uris,
            auth_method=PUBLIC_CLIENT if ask.kind == "public" else "client_secret_basic",
            scopes=in_order(ask.scopes) or " ".join(SCOPES),
            owner=owner,
            now=now,
        )
        text = f"Registered the app {ask.name!r}."
        audit.note(connection, context.caller, "client.created", text, now)
        row = authorization.client_of_id(connection, registration["client_id"])
        assert row is not None, "It was added just now."
        client = _shown_client(row, owner)
        return Made(CreatedClient.of(client, secret=registration.get("client_secret")), new=True)

    return await context.commit(create)


async def revoke_client(context: Context, ask: ClientId) -> OAuthClient:
    """Take back all that the person granted a client, and remove it if they made it."""
    owner, now = context.caller.owner, context.milliseconds()

    def revoke(connection: Connection) -> OAuthClient:
        row = authorization.find_client(connection, owner, ask.id)
        if row is None:
            raise NotFound(f"No app {ask.id}. List your apps with `finplan clients list`.")
        authorization.end_grants(connection, owner, row["no"])
        removed = row["owner_no"] == owner
        why = f"The app {row['name']!r}, which set the webhook's URL, lost access."
        # Whoever else let it in loses it as well, where it is removed.
        of = None if removed else owner
        silence(connection, name_client(row["id"]), why, now, of)
        if removed:
            authorization.remove_client(connection, row["no"])
        did = "Removed" if removed else "Revoked the access of"
        text = f"{did} the app {row['name']!r}."
        audit.note(connection, context.caller, "client.revoked", text, now)
        return _shown_client(row, owner)

    return await context.commit(revoke)


def _shown_client(row: RowMapping, owner: int, grants: Sequence[HeldGrant] = ()) -> OAuthClient:
    yours = row["owner_no"] == owner
    granted = {scope for grant in grants for scope in grant.scopes.split()}
    # When others use a program that they let in, too, is theirs to know.
    own_uses = [grant.last_at for grant in grants if grant.last_at is not None]
    return OAuthClient.of(
        row,
        redirect_uris=tuple(json.loads(row["redirect_uris"])),
        kind="public" if row["auth_method"] == PUBLIC_CLIENT else "confidential",
        scopes=tuple(row["scopes"].split()),
        granted=tuple(scope for scope in GRANT_SCOPES if scope in granted),
        last_used_at=row["last_used_at"] if yours else max(own_uses, default=None),
        yours=yours,
    )
