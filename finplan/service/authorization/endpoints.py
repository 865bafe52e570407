"""The endpoints of the authorization server, each a function over one transaction."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from authlib.common.urls import add_params_to_uri
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidRequestError
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oidc.core.errors import ConsentRequiredError, LoginRequiredError

from finplan.service.authorization.grants import (
    AssertionGrant,
    Challenge,
    ClaimGrant,
    CodeGrant,
    RefreshGrant,
)
from finplan.service.authorization.scopes import AUTH_METHODS, SCOPES
from finplan.service.authorization.server import (
    AskedRequest,
    Grantor,
    GrantReply,
    Parameters,
    RegisteredClient,
    Server,
    Setting,
    UnreadableRequest,
    refuse_unreadable,
)
from finplan.service.context import Caller
from finplan.service.credentials import audit
from finplan.service.credentials.keys import digest
from finplan.store.queries import authorization


@dataclass(frozen=True, slots=True)
class Consent:
    """What a person is asked: who wants what, and where they are sent afterwards."""

    client: str
    client_id: str
    redirect_uri: str
    scopes: tuple[str, ...]


class Refused(Exception):
    """A request for a code is not good, and nobody may be sent back; `description` says why."""

    def __init__(self, description: str) -> None:
        super().__init__(description)
        self.description = description


class _Revocation(RevocationEndpoint):  # type: ignore[misc]  # Authlib has no types.
    """A client takes back a token of its own; with a refresh token goes all that was granted."""

    CLIENT_AUTH_METHODS = AUTH_METHODS
    server: Server

    def query_token(
        self,
        token_string: str,
        token_type_hint: str | None,  # noqa: ARG002 - Authlib hands it over.
    ) -> "_OwnToken | None":
        """The token, of whichever kind."""
        connection = self.server.setting.connection
        row = authorization.TOKEN_OF_HASH.find(connection, digest(token_string))
        if row is None or row.grant_no is None:
            return None
        return _OwnToken(row, authorization.get_grant(connection, row.grant_no)["client_no"])

    def revoke_token(
        self,
        token: "_OwnToken",
        request: AskedRequest,  # noqa: ARG002 - Authlib hands it over.
    ) -> None:
        """End the token, or all that was granted with it."""
        _revoke(self.server.setting, token.row)


@dataclass(frozen=True, slots=True)
class _OwnToken:
    row: authorization.StoredToken
    client_no: int

    def check_client(self, client: RegisteredClient) -> bool:
        return client.no == self.client_no


def token(setting: Setting, request: AskedRequest) -> GrantReply:
    """The token endpoint."""
    server = _server(setting)
    try:
        refuse_unreadable(request.payload.pairs)
    except OAuth2Error as error:
        return _reply(server.handle_error_response(request, error))
    return _reply(server.whole_or_nothing(lambda: server.create_token_response(request)))


def revocation(setting: Setting, request: AskedRequest) -> GrantReply:
    """The revocation endpoint (RFC 7009). Who shows a token of an agent needs no client for it."""
    server = _server(setting)
    server.register_endpoint(_Revocation)
    # A hint is only one, and an unknown one is to be ignored (RFC 7009 section 2.1).
    pairs = [(name, value) for name, value in request.payload.pairs if name != "token_type_hint"]
    request.payload = Parameters(pairs)
    try:
        refuse_unreadable(request.payload.pairs)
    except OAuth2Error as error:
        return _reply(server.handle_error_response(request, error))
    raw_token = request.form.get("token")
    if raw_token and "client_id" not in request.form and "Authorization" not in request.headers:
        row = authorization.TOKEN_OF_HASH.find(setting.connection, digest(raw_token))
        if row is None or row.agent_no is not None:
            if row is not None:
                _revoke(setting, row)
            return GrantReply(200, {}, (("Cache-Control", "no-store"),))
    return _reply(
        server.whole_or_nothing(lambda: server.create_endpoint_response("revocation", request))
    )


def look_at_consent(
    setting: Setting, request: AskedRequest, owner: int | None
) -> Consent | GrantReply:
    """What to ask a person, or where to send them back with an error. Raises Refused.

    `owner` is None where nobody is signed in. Nobody has acted yet, so a person is sent back only to a
    client that they have let in (RFC 9700 section 4.11.2): anybody may register an address.
    """
    server = _server(setting)
    try:
        refuse_unreadable(request.payload.pairs)
        grant = server.get_consent_grant(request)
        _refuse_silence(request, grant.redirect_uri, signed_in=owner is not None)
    except OAuth2Error as error:
        if not _is_let_in(server, request, owner):
            raise Refused(_explain_refusal(server, request, error)) from None
        return _sent_back(server, request, error)
    return Consent(
        client=grant.client.name,
        client_id=grant.client.client_id,
        redirect_uri=grant.redirect_uri,
        scopes=tuple(scope for scope in SCOPES if scope in request.scope.split()),
    )


def decide(
    setting: Setting, request: AskedRequest, caller: Caller, signed_in_at: int, *, allow: bool
) -> GrantReply:
    """Let a client in, or refuse; answers where the person is sent back. Raises Refused."""
    server = _server(setting)
    grantor = Grantor(caller.owner, signed_in_at) if allow else None
    try:
        refuse_unreadable(request.payload.pairs)
        grant = server.get_consent_grant(request, grantor)
        reply = server.whole_or_nothing(
            lambda: server.create_authorization_response(request, grantor, grant)
        )
    except OAuth2Error as error:
        return _sent_back(server, request, error)
    if not allow:
        text = f"Denied access to the app {grant.client.name!r}."
        audit.note(setting.connection, caller, "client.refused", text, setting.now)
    return _add_issuer(server, reply)


def _refuse_silence(request: AskedRequest, redirect_uri: str, *, signed_in: bool) -> None:
    """Refuse what wants nobody to be asked, since every grant is asked for (OpenID Connect 3.1.2.1)."""
    prompts = set(request.payload.data.get("prompt", "").split())
    if "none" not in prompts:
        return
    if len(prompts) > 1:
        text = "The prompt value none cannot be combined with other values."
        raise InvalidRequestError(text, redirect_uri=redirect_uri)
    if not signed_in:
        raise LoginRequiredError("Nobody is signed in.", redirect_uri=redirect_uri)
    raise ConsentRequiredError(
        "The person must be asked for consent each time.", redirect_uri=redirect_uri
    )


def _is_let_in(server: Server, request: AskedRequest, owner: int | None) -> bool:
    """Whether the client that a request names holds a grant of a person."""
    client = server.query_client(request.payload.client_id or "")
    if owner is None or client is None:
        return False
    return authorization.holds_grants(server.setting.connection, owner, client.no)


def _server(setting: Setting) -> Server:
    server = Server(setting)
    server.register_grant(CodeGrant, [Challenge(required=True)])
    server.register_grant(RefreshGrant)
    server.register_grant(AssertionGrant)
    server.register_grant(ClaimGrant)
    return server


def _sent_back(server: Server, request: AskedRequest, error: OAuth2Error) -> GrantReply:
    if not error.redirect_uri:
        raise Refused(_explain_refusal(server, request, error))
    error.state = request.payload.state
    return _add_issuer(server, server.handle_error_response(request, error))


_WORDS: Mapping[str, str] = {
    "unsupported_response_type": (
        "The app asked for an unsupported response_type; finplan supports only `code`."
    ),
    LoginRequiredError.error: (
        "You are not signed in, and the app asked finplan not to show you a sign-in page."
    ),
    ConsentRequiredError.error: (
        "You have not allowed this app yet, and it asked finplan not to show you the question."
    ),
}
"""What a person reads of an error that means the same wherever it comes from."""


def _explain_refusal(server: Server, request: AskedRequest, error: OAuth2Error) -> str:
    """Explain to the person who was brought along why nobody is sent back."""
    query = request.payload.data
    if error.error in _WORDS:
        return _WORDS[error.error]
    if isinstance(error, UnreadableRequest):
        return str(error.description)
    if "client_id" not in query:
        return "The request does not say which app sent it: client_id is missing."
    client = server.query_client(query["client_id"])
    if client is None:
        return (
            "No app with this client_id is registered. The app may have been removed, or its "
            "registration may have expired because nobody allowed it. Have the app register again."
        )
    return _explain_address(client, query.get("redirect_uri")) or error.description or error.error


def _explain_address(client: RegisteredClient, address: str | None) -> str | None:
    """What is wrong with the address that a client wants a person sent back to; None if nothing is."""
    if address is None and len(client.redirect_uris) > 1:
        return (
            "The app registered several redirect addresses, but its request does not say which to "
            "use: redirect_uri is missing."
        )
    if address is not None and not client.check_redirect_uri(address):
        return (
            f"The app asked finplan to send you to {address}, an address that it did not register or"
            " that finplan does not allow."
        )
    return None


def _add_issuer(server: Server, reply: GrantReply) -> GrantReply:
    """The reply with who answers in it, so that no client takes one server for another (RFC 9207)."""
    assert reply.location is not None, "A request for a code always ends in a redirect."
    reply.location = add_params_to_uri(reply.location, [("iss", server.setting.issuer)])
    return reply


def _revoke(setting: Setting, row: authorization.StoredToken) -> None:
    if row.kind == "refresh" and row.grant_no is not None:
        _end_grant(setting, row.grant_no, row.owner)
    else:
        authorization.remove_token(setting.connection, row.no)
    text = "An app revoked one of its own tokens."
    audit.note_for(
        setting.connection, row.owner, "token.revoked", text, setting.address, setting.now
    )


def _end_grant(setting: Setting, no: int, owner: int) -> None:
    connection = setting.connection
    client_no = authorization.get_grant(connection, no)["client_no"]
    client = authorization.client_of_grant(connection, no)
    authorization.end_grant(connection, no)
    # A program that the person let in elsewhere, too, goes on there.
    if client is not None and not authorization.holds_grants(connection, owner, client_no):
        why = "The app that set the webhook's URL gave up its access."
        audit.silence(connection, audit.name_client(client), why, setting.now, owner)


def _reply(reply: Any) -> GrantReply:
    answered: GrantReply = reply
    headers = [(name, value) for name, value in answered.headers if name.lower() != "content-type"]
    body = dict(answered.body) if isinstance(answered.body, Mapping) else answered.body
    return GrantReply(answered.status, body, headers, answered.location)
