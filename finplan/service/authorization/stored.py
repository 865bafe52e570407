"""Clients, codes and tokens of the store, as Authlib's core asks about them."""

import json
from dataclasses import dataclass
from typing import Any

from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin
from sqlalchemy import RowMapping

from finplan.service.authorization.addresses import is_allowed, is_same_address
from finplan.service.authorization.names import GRANT_TYPES, PUBLIC
from finplan.service.authorization.scopes import LEAST, in_order
from finplan.service.credentials.tokens import digest
from finplan.store.queries.authorization import StoredToken


@dataclass(frozen=True, slots=True)
class Grantor:
    """The person who grants, and when they signed in, in milliseconds."""

    owner: int
    signed_in_at: int


class RegisteredClient(ClientMixin):  # type: ignore[misc]  # Authlib has no types.
    """A client that is registered here."""

    def __init__(self, row: RowMapping) -> None:
        self.no: int = row["no"]
        self.client_id: str = row["id"]
        self.name: str = row["name"]
        self.auth_method: str = row["auth_method"]
        self.scopes: str = row["scopes"]
        # A client may have registered an address under rules that allowed more.
        self.redirect_uris: tuple[str, ...] = tuple(
            filter(is_allowed, json.loads(row["redirect_uris"]))
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
        asked = set((scope or LEAST).split())
        return in_order(asked & set(self.scopes.split())) or None

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        """Whether an address is one that it registered."""
        return any(is_same_address(each, redirect_uri) for each in self.redirect_uris)

    def check_client_secret(self, client_secret: str) -> bool:
        """Whether a secret is its own; hashes are compared, whose likeness tells nothing."""
        return self._secret_hash is not None and self._secret_hash == digest(client_secret)

    def check_endpoint_auth_method(self, method: str, _endpoint: str) -> bool:
        """Whether it may show who it is in this way: with a secret in either place, or without one."""
        return (method == PUBLIC) == (self.auth_method == PUBLIC)

    def check_response_type(self, response_type: str) -> bool:
        """Whether it may be answered in this way."""
        return response_type == "code"

    def check_grant_type(self, grant_type: str) -> bool:
        """Whether it may ask for tokens in this way."""
        return grant_type in GRANT_TYPES


class StoredCode(AuthorizationCodeMixin):  # type: ignore[misc]
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


class RefreshToken(TokenMixin):  # type: ignore[misc]
    """A refresh token of a grant."""

    def __init__(self, row: StoredToken, grant: RowMapping) -> None:
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
