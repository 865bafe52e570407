"""A person lets a client in: the code that is sent to it, once exchanged for tokens.

A code that comes a second time ends everything that followed from the first, since one of the two who
showed it has stolen it (OAuth 2.1 section 4.1.3); so does a refresh token.
"""

from typing import Any

from authlib.oauth2.rfc6749 import InvalidRequestError
from authlib.oauth2.rfc6749.grants import AuthorizationCodeGrant, RefreshTokenGrant
from authlib.oauth2.rfc7636 import CodeChallenge

from finplan.service.authorization.names import AUTH_METHODS
from finplan.service.authorization.scopes import OPENID
from finplan.service.authorization.server import AskedRequest, Server, Setting
from finplan.service.authorization.stored import (
    Grantor,
    RefreshToken,
    RegisteredClient,
    StoredCode,
)
from finplan.service.context import Caller
from finplan.service.credentials import audit
from finplan.service.credentials.sessions import EVERYTHING
from finplan.service.credentials.silencing import client_named, silence
from finplan.service.credentials.tokens import digest, new_token
from finplan.store.queries import authorization, people

CODE_PREFIX = "fpc_"
CODE_HOLDS = 60_000
"""A client exchanges a code at once."""

KNOWN_FOR = 24 * 60 * 60 * 1000
"""How long a used code is kept, so that a replay is known as one."""

ID_TOKEN_HOLDS = 60 * 60


class Challenge(CodeChallenge):  # type: ignore[misc]  # Authlib has no types.
    """PKCE as OAuth 2.1 has it: always, for every client, and by S256 alone."""

    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    SUPPORTED_CODE_CHALLENGE_METHOD = ("S256",)

    def validate_code_challenge(self, grant: Any, redirect_uri: str) -> None:
        """Refuse a request for a code without a challenge. Raises InvalidRequestError."""
        if not grant.request.payload.data.get("code_challenge"):
            raise InvalidRequestError("Missing code_challenge: PKCE with S256 is needed.")
        super().validate_code_challenge(grant, redirect_uri)


class CodeGrant(AuthorizationCodeGrant):  # type: ignore[misc]
    """The authorization code grant."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS
    request: AskedRequest
    server: Server

    @property
    def setting(self) -> Setting:
        """Where and when this runs."""
        return self.server.setting

    def validate_authorization_request(self) -> str:
        """Check what is asked for, and answer where the person is sent back to."""
        redirect_uri: str = super().validate_authorization_request()
        try:
            self.server.resource(self.request.payload.datalist.get("resource", []))
        except Exception as error:
            error.redirect_uri = redirect_uri  # type: ignore[attr-defined]
            raise
        return redirect_uri

    def save_authorization_code(self, code: str, request: AskedRequest) -> None:
        """Keep a code with what was granted."""
        grantor: Grantor = request.user
        client: RegisteredClient = request.client
        asked, now = request.payload.data, self.setting.now
        grant_no = authorization.add_grant(
            self.setting.connection,
            {
                "owner_no": grantor.owner,
                "client_no": client.no,
                "scopes": request.scope,
                "resource": self.server.resource(request.payload.datalist.get("resource", [])),
                "created_at": now,
            },
        )
        authorization.add_code(
            self.setting.connection,
            {
                "owner_no": grantor.owner,
                "grant_no": grant_no,
                "hash": digest(code),
                "redirect_uri": asked.get("redirect_uri", ""),
                "challenge": asked["code_challenge"],
                "nonce": asked.get("nonce"),
                "signed_in_at": grantor.signed_in_at,
                "expires_at": now + CODE_HOLDS,
            },
        )
        said = f"Let the client {client.name!r} in, for {request.scope}."
        _note(self.setting, grantor.owner, "client.granted", said)

    def generate_authorization_code(self) -> str:
        """A new code."""
        return new_token(CODE_PREFIX)

    def query_authorization_code(self, code: str, client: RegisteredClient) -> StoredCode | None:
        """The code, if it is the client's and was not used; a used one ends what followed from it."""
        connection, now = self.setting.connection, self.setting.now
        row = authorization.code_of_hash(connection, digest(code))
        if row is None:
            return None
        grant = authorization.get_grant(connection, row["grant_no"])
        if grant["client_no"] != client.no:
            return None
        if row["used_at"] is not None:
            said = f"A code of the client {client.name!r} came twice, so all that it had was taken back."
            _end_replayed(self.setting, row["grant_no"], row["owner_no"], said)
            return None
        return None if row["expires_at"] <= now else StoredCode(row, grant)

    def delete_authorization_code(self, authorization_code: StoredCode) -> None:
        """Keep the code as used."""
        until = self.setting.now + KNOWN_FOR
        authorization.use_code(
            self.setting.connection, authorization_code.no, self.setting.now, until
        )

    def authenticate_user(self, authorization_code: StoredCode) -> Grantor:
        """Who granted; without them there would be no code."""
        return Grantor(authorization_code.owner, authorization_code.signed_in_at)

    def create_token_response(self) -> tuple[int, dict[str, Any], Any]:
        """The tokens, with an id token where that was granted."""
        status, token, headers = super().create_token_response()
        if OPENID in token["scope"].split():
            token["id_token"] = self._id_token(self.request.authorization_code)
        return status, token, headers

    def _id_token(self, code: StoredCode) -> str:
        seconds = self.setting.now // 1000
        person = people.get_person(self.setting.connection, code.owner)
        claims = {
            "sub": person["id"],
            "aud": self.request.client.client_id,
            "iat": seconds,
            "exp": seconds + ID_TOKEN_HOLDS,
            "auth_time": code.signed_in_at // 1000,
        }
        if code.nonce is not None:
            claims["nonce"] = code.nonce
        return self.setting.signs.sign("RS256", "JWT", claims)


class RefreshGrant(RefreshTokenGrant):  # type: ignore[misc]
    """The refresh token grant: each refresh token is good once, and gives the next one."""

    TOKEN_ENDPOINT_AUTH_METHODS = AUTH_METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True
    request: AskedRequest
    server: Server

    def authenticate_refresh_token(self, refresh_token: str) -> RefreshToken | None:
        """The token, if it was not used; a used one ends all that was granted with it."""
        setting = self.server.setting
        row = authorization.TOKEN_OF_HASH.find(setting.connection, digest(refresh_token))
        if row is None or row.kind != "refresh" or row.grant_no is None:
            return None
        grant = authorization.get_grant(setting.connection, row.grant_no)
        found = RefreshToken(row, grant)
        if not found.check_client(self.request.client):
            return None
        if row.used_at is not None:
            said = (
                f"A refresh token of the client {self.request.client.name!r} came twice, so all that it"
                " had was taken back."
            )
            _end_replayed(setting, row.grant_no, row.owner, said)
            return None
        return None if row.expires_at <= setting.now else found

    def authenticate_user(self, refresh_token: RefreshToken) -> Grantor:
        """Who granted."""
        return Grantor(refresh_token.owner, 0)

    def issue_token(self, user: Grantor, refresh_token: RefreshToken) -> dict[str, Any]:
        """New tokens; the next refresh token comes whatever part of the scopes is asked for."""
        granted = refresh_token.get_scope()
        asked = self.request.payload.scope or granted
        token: dict[str, Any] = self.generate_token(user=user, scope=granted)
        token["scope"] = " ".join(asked.split())
        return token

    def revoke_old_credential(self, refresh_token: RefreshToken) -> None:
        """Keep the token as used."""
        authorization.use_token(
            self.server.setting.connection, refresh_token.no, self.server.setting.now
        )


def _end_replayed(setting: Setting, grant_no: int, owner: int, said: str) -> None:
    """End all that was granted with what came twice, though the request is refused."""

    def end() -> None:
        client = authorization.client_of_grant(setting.connection, grant_no)
        authorization.end_grant(setting.connection, grant_no)
        if client is not None:
            # Whoever had the stolen one may have chosen the address.
            why = "A secret of the program that chose its address came twice, and may be stolen."
            silence(setting.connection, client_named(client), why, setting.now, owner)
        _note(setting, owner, "token.replayed", said)

    setting.lasts.append(end)


def _note(setting: Setting, owner: int, kind: Any, said: str) -> None:
    caller = Caller(owner, EVERYTHING, "session", "", setting.address)
    audit.note(setting.connection, caller, kind, said, setting.now)
