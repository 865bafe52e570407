"""Authlib's authorization server over one transaction: clients, codes and tokens as its core asks."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from authlib.oauth2 import OAuth2Error, rfc6749
from authlib.oauth2.rfc6749.requests import OAuth2Payload
from sqlalchemy import Connection, RowMapping

from finplan.service.authorization import scopes
from finplan.service.authorization.clients import is_allowed_address, is_same_address
from finplan.service.authorization.signing import Signer
from finplan.service.credentials.keys import digest, new_token
from finplan.store.queries import authorization


@dataclass(frozen=True, slots=True)
class Grantor:
    """The person who grants, and when they signed in, in milliseconds."""

    owner: int
    signed_in_at: int


class RegisteredClient(rfc6749.ClientMixin):  # type: ignore[misc]  # Authlib has no types.
    """A client that is registered here."""

    def __init__(self, row: RowMapping) -> None:
        self.no: int = row["no"]
        self.client_id: str = row["id"]
        self.name: str = row["name"]
        self.auth_method: str = row["auth_method"]
        self.scopes: str = row["scopes"]
        # A client may have registered an address under rules that allowed more.
        self.redirect_uris: tuple[str, ...] = tuple(
            filter(is_allowed_address, json.loads(row["redirect_uris"]))
        )
        self._secret_hash: str | None = row["secret_hash"]

    def get_client_id(self) -> str:
        """Its id."""
        return self.client_id

    def get_default_redirect_uri(self) -> str | None:
        """The one address that it registered; with several it has to say which."""
        return self.redirect_uris[0] if len(self.redirect_uris) == 1 else None

    def get_allowed_scope(self, scope: str | None) -> str | None:
        """Of what it asks for, what it may be granted; None when that is nothing."""
        requested = set((scope or scopes.LEAST).split())
        return scopes.in_order(requested & set(self.scopes.split())) or None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether an address is one that it registered."""
        return any(is_same_address(registered, redirect_uri) for registered in self.redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        """Whether a secret is its own; hashes are compared, whose likeness tells nothing."""
        return self._secret_hash is not None and self._secret_hash == digest(client_secret)

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """Whether it may show who it is in this way: with a secret in either place, or without one."""
        return (method == scopes.PUBLIC_CLIENT) == (self.auth_method == scopes.PUBLIC_CLIENT)

    def check_response_type(self, response_type: str) -> bool:
        """Whether it may be answered in this way."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Whether it may ask for tokens in this way."""
        return grant_type in scopes.GRANT_TYPES


class StoredCode(rfc6749.AuthorizationCodeMixin):  # type: ignore[misc]
    """A code, with what was granted."""

    code_challenge_method = "S256"

    def __init__(self, code: RowMapping, grant: RowMapping) -> None:
        self.no: int = code["no"]
        self.grant_no: int = code["grant_no"]
        self.owner: int = code["owner_no"]
        self.code_challenge: str = code["challenge"]
        self.nonce: str | None = code["nonce"]
        self.signed_in_at: int = code["signed_in_at"]
        self.resource: str = grant["resource"]
        self._redirect_uri: str = code["redirect_uri"]
        self._scopes: str = grant["scopes"]

    def get_redirect_uri(self) -> str:
        """Where it was sent."""
        return self._redirect_uri

    def get_scope(self) -> str:
        """What was granted."""
        return self._scopes


class RefreshToken(rfc6749.TokenMixin):  # type: ignore[misc]
    """A refresh token of a grant."""

    def __init__(self, row: authorization.StoredToken, grant: RowMapping) -> None:
        assert row.grant_no is not None, "Agents have no refresh tokens."
        self.no = row.no
        self.grant_no = row.grant_no
        self.owner = row.owner
        self.resource = row.resource
        self.client_no: int = grant["client_no"]
        self._scopes = row.scopes

    def check_client(self, client: Any) -> bool:
        """Whether it was given to a client."""
        return isinstance(client, RegisteredClient) and client.no == self.client_no

    def get_scope(self) -> str:
        """What was granted."""
        return self._scopes


ACCESS_PREFIX = "fpa_"
REFRESH_PREFIX = "fpr_"
ACCESS_HOLDS = 60 * 60 * 1000
REFRESH_HOLDS = 30 * 24 * 60 * 60 * 1000
"""How long a refresh token may lie unused; each use gives a new one."""

ONCE = (
    *("grant_type", "client_id", "redirect_uri", "scope", "state", "code", "refresh_token"),
    *("response_type", "code_challenge", "code_challenge_method", "code_verifier", "nonce"),
    "prompt",
    *("assertion", "claim_token", "client_secret"),
)
"""Parameters that may be given once; a resource may be named several times."""


class InvalidTargetError(OAuth2Error):  # type: ignore[misc]  # Authlib has no types.
    """The resource is not of this site (RFC 8707)."""

    error = "invalid_target"


@dataclass(frozen=True, slots=True)
class Setting:
    """Where and when a request runs: its transaction, the instant, the site, who signs, where from.

    Without a `signer` nothing can be signed or read that was: what needs no secret goes on. What `lasts`
    is written even where the request is refused, which else writes nothing.
    """

    connection: Connection
    now: int
    site_url: str
    signer: Signer | None
    address: str
    issuer: str
    lasts: list[Callable[[], None]] = field(default_factory=list)

    @property
    def signs(self) -> Signer:
        """Who signs, for what cannot do without."""
        assert self.signer is not None, "Signing needs a signer."
        return self.signer


@dataclass(slots=True)
class GrantReply:
    """What is answered; `location` is where a browser is sent, which extensions may change."""

    status: int
    body: Mapping[str, Any] | str
    headers: Sequence[tuple[str, str]] = ()
    location: str | None = None


@dataclass(frozen=True, slots=True)
class Parameters(OAuth2Payload):  # type: ignore[misc]
    """The parameters of a query or a form, in order."""

    pairs: Sequence[tuple[str, str]]
    data: Mapping[str, str] = field(init=False)
    datalist: Mapping[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        lists: dict[str, list[str]] = {}
        for name, value in self.pairs:
            lists.setdefault(name, []).append(value)
        object.__setattr__(self, "datalist", lists)
        object.__setattr__(self, "data", {name: values[0] for name, values in lists.items()})


class AskedRequest(rfc6749.OAuth2Request):  # type: ignore[misc]
    """A request as Authlib's core reads it; `uri` is the address that the client knows."""

    def __init__(
        self,
        method: str,
        uri: str,
        pairs: Sequence[tuple[str, str]],
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(method, uri, headers=dict(headers or {}))
        self.payload = Parameters(pairs)

    @property
    def args(self) -> Mapping[str, str]:
        """The query."""
        return self.payload.data

    @property
    def form(self) -> Mapping[str, str]:
        """The form."""
        return self.payload.data


class Server(rfc6749.AuthorizationServer):  # type: ignore[misc]
    """The authorization server for one request."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(scopes_supported=list(scopes.SCOPES))
        self.setting = setting
        self.has_refused = False
        self.register_token_generator("default", _tokens)

    def query_client(self, client_id: str) -> RegisteredClient | None:
        """The client of an id."""
        row = authorization.client_of_id(self.setting.connection, client_id)
        return None if row is None else RegisteredClient(row)

    def whole_or_nothing(self, answer: Callable[[], GrantReply]) -> GrantReply:
        """Answer a request: one that is refused, however late, has written nothing but what lasts.

        Whatever is raised takes all of the transaction back, and this with it.
        """
        connection = self.setting.connection
        connection.exec_driver_sql("SAVEPOINT request")
        reply = answer()
        if self.has_refused:
            connection.exec_driver_sql("ROLLBACK TO request")
        connection.exec_driver_sql("RELEASE request")
        for write in self.setting.lasts:
            write()
        return reply

    def handle_error_response(self, request: AskedRequest, error: OAuth2Error) -> GrantReply:
        """The answer of a request that is refused."""
        self.has_refused = True
        refusal: GrantReply = super().handle_error_response(request, error)
        return refusal

    def save_token(self, token: Mapping[str, Any], request: AskedRequest) -> None:
        """Keep the hashes of the tokens that a grant gives, for the resource that is asked for."""
        source = request.authorization_code or request.refresh_token
        resource = self.resource_within(request, source.resource)
        kinds = (
            ("access", token["access_token"], resource, ACCESS_HOLDS),
            ("refresh", token.get("refresh_token"), source.resource, REFRESH_HOLDS),
        )
        for kind, secret, what_for, holds in kinds:
            if secret is not None:
                authorization.add_token(
                    self.setting.connection,
                    {
                        "owner_no": source.owner,
                        "grant_no": source.grant_no,
                        "hash": digest(secret),
                        "kind": kind,
                        # A refresh token keeps all that was granted, so that a later one may ask for it.
                        "scopes": token["scope"] if kind == "access" else source.get_scope(),
                        "resource": what_for,
                        "created_at": self.setting.now,
                        "expires_at": self.setting.now + holds,
                    },
                )
        authorization.note_client_use(self.setting.connection, request.client.no, self.setting.now)

    def resource_within(self, request: AskedRequest, granted: str) -> str:
        """The resource that a request names, within what was granted. Raises InvalidTargetError."""
        resources = request.payload.datalist.get("resource", [])
        if not resources:
            return granted
        resource = self.resource(resources)
        if not scopes.is_resource_within(resource, granted):
            raise InvalidTargetError("The grant is for another resource.")
        return resource

    def resource(self, resources: Sequence[str]) -> str:
        """The path of what is named. Raises InvalidTargetError."""
        try:
            return scopes.resource_of(resources, self.setting.site_url)
        except scopes.UnknownResource:
            raise InvalidTargetError("This resource is not on this site.") from None

    def create_oauth2_request(self, request: AskedRequest) -> AskedRequest:
        """The request, which is Authlib's already."""
        return request

    def handle_response(
        self, status: int, body: Any, headers: Sequence[tuple[str, str]]
    ) -> GrantReply:
        """What is answered, without HTTP."""
        location = next((value for name, value in headers if name == "Location"), None)
        return GrantReply(status, body, headers, location)

    def send_signal(self, name: str, *args: object, **kwargs: object) -> None:
        """Nobody listens."""


class UnreadableRequest(rfc6749.InvalidRequestError):  # type: ignore[misc]
    """A request whose parameters cannot be read; its description is for people, too."""


def refuse_unreadable(pairs: Sequence[tuple[str, str]]) -> None:
    """Refuse what no parameter may be. Raises UnreadableRequest.

    Authlib writes some values into what it answers, where RFC 6749 allows only some characters.
    """
    names: set[str] = set()
    for name, value in pairs:
        if name in names and name in ONCE:
            raise UnreadableRequest(f"The parameter {name} appears twice.")
        names.add(name)
        if name in ("state", "nonce"):
            continue
        if not value.isascii() or not value.isprintable() or '"' in value or "\\" in value:
            field = f"The parameter {name}" if name in ONCE or name == "resource" else "A parameter"
            raise UnreadableRequest(f"{field} contains a character that is not allowed.")


def _tokens(
    *, scope: str | None = None, include_refresh_token: bool = True, **_asked: object
) -> dict[str, Any]:
    """New tokens; one to refresh them where access was granted for while the person is away."""
    granted = (scope or "").split()
    token: dict[str, Any] = {
        "token_type": "Bearer",
        "access_token": new_token(ACCESS_PREFIX),
        "expires_in": ACCESS_HOLDS // 1000,
        "scope": " ".join(granted),
    }
    if include_refresh_token and scopes.OFFLINE in granted:
        token["refresh_token"] = new_token(REFRESH_PREFIX)
    return token
