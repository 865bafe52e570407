"""How tokens are got: by a person's code, a refresh token, an agent's assertion or claim token.

A code that comes a second time ends everything that followed from the first, since one of the two who
showed it has stolen it (OAuth 2.1 section 4.1.3); so does a refresh token. An agent without an account
gets tokens by its assertion, and by its claim token once it is claimed.
"""

from functools import partial
from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import (
    AuthorizationCodeGrant,
    BaseGrant,
    RefreshTokenGrant,
    TokenEndpointMixin,
)
from authlib.oauth2.rfc7636 import CodeChallenge
from sqlalchemy import RowMapping

from finplan.service.authorization.agents import ASSERTION_KIND, POLL_EACH, TRIES, assertion_of
from finplan.service.authorization.scopes import (
    ASSERTION_GRANT,
    AUTH_METHODS,
    CLAIM_GRANT,
    OPENID,
    WHOLE_SITE,
)
from finplan.service.authorization.server import (
    ACCESS_HOLDS,
    ACCESS_PREFIX,
    AskedRequest,
    Grantor,
    RefreshToken,
    RegisteredClient,
    Server,
    Setting,
    StoredCode,
)
from finplan.service.authorization.signing import NotSigned
from finplan.service.credentials import audit
from finplan.service.credentials.keys import digest, new_token
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
            raise InvalidRequestError("Missing code_challenge: PKCE with S256 is required.")
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
        query, now = request.payload.data, self.setting.now
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
                "redirect_uri": query.get("redirect_uri", ""),
                "challenge": query["code_challenge"],
                "nonce": query.get("nonce"),
                "signed_in_at": grantor.signed_in_at,
                "expires_at": now + CODE_HOLDS,
            },
        )
        text = f"Allowed the app {client.name!r}: {request.scope}."
        _note(self.setting, grantor.owner, "client.granted", text)

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
            text = f"The app {client.name!r} used a code twice, so its access was revoked."
            _end_replayed(self.setting, row["grant_no"], row["owner_no"], text)
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
        credential = RefreshToken(row, grant)
        if not credential.check_client(self.request.client):
            return None
        if row.used_at is not None:
            text = (
                f"The app {self.request.client.name!r} used a refresh token twice, so its access was"
                " revoked."
            )
            _end_replayed(setting, row.grant_no, row.owner, text)
            return None
        return None if row.expires_at <= setting.now else credential

    def authenticate_user(self, refresh_token: RefreshToken) -> Grantor:
        """Who granted."""
        return Grantor(refresh_token.owner, 0)

    def issue_token(self, user: Grantor, refresh_token: RefreshToken) -> dict[str, Any]:
        """New tokens; the next refresh token comes whatever part of the scopes is asked for."""
        granted = refresh_token.get_scope()
        scope = self.request.payload.scope or granted
        token: dict[str, Any] = self.generate_token(user=user, scope=granted)
        token["scope"] = " ".join(scope.split())
        return token

    def revoke_old_credential(self, refresh_token: RefreshToken) -> None:
        """Keep the token as used."""
        authorization.use_token(
            self.server.setting.connection, refresh_token.no, self.server.setting.now
        )


def _end_replayed(setting: Setting, grant_no: int, owner: int, text: str) -> None:
    """End all that was granted with what came twice, though the request is refused."""

    def end() -> None:
        client = authorization.client_of_grant(setting.connection, grant_no)
        authorization.end_grant(setting.connection, grant_no)
        if client is not None:
            # Whoever had the stolen one may have chosen the address.
            why = "A secret of the app that set the webhook's URL was used twice and may be stolen."
            audit.silence(setting.connection, audit.name_client(client), why, setting.now, owner)
        _note(setting, owner, "token.replayed", text)

    setting.lasts.append(end)


def _note(setting: Setting, owner: int, kind: Any, text: str) -> None:
    audit.note_for(setting.connection, owner, kind, text, setting.address, setting.now)


MOST_TOKENS_OF_AN_AGENT = 20
"""How many access tokens an agent has at a time; another one ends the oldest."""

SPARED = 500
"""How much too early an agent may ask that counts five seconds by its own clock, in milliseconds."""


class AuthorizationPendingError(OAuth2Error):  # type: ignore[misc]  # Authlib has no types.
    """The person has not entered the code yet."""

    error = "authorization_pending"


class SlowDownError(OAuth2Error):  # type: ignore[misc]
    """The agent asks more often than it was told."""

    error = "slow_down"


class ExpiredTokenError(OAuth2Error):  # type: ignore[misc]
    """The code or the claim token is over, or never was."""

    error = "expired_token"


class _AgentGrant(BaseGrant, TokenEndpointMixin):  # type: ignore[misc]
    """A grant that names its agent by what it shows, and needs no client."""

    request: AskedRequest
    server: Server
    agent: RowMapping

    @property
    def setting(self) -> Setting:
        """Where and when this runs."""
        return self.server.setting

    def access(self) -> dict[str, Any]:
        """A new access token of the agent, never one to refresh it by."""
        token, now = new_token(ACCESS_PREFIX), self.setting.now
        holds = ACCESS_HOLDS
        if self.agent["claimed_at"] is None:
            # No guest is let in after its day.
            holds = min(holds, self.agent["expires_at"] - now)
        authorization.add_token(
            self.setting.connection,
            {
                "owner_no": self.agent["owner_no"],
                "agent_no": self.agent["no"],
                "hash": digest(token),
                "kind": "access",
                "scopes": self.agent["scopes"],
                "resource": self.server.resource_within(self.request, WHOLE_SITE),
                "created_at": now,
                "expires_at": now + holds,
            },
        )
        authorization.end_agents_oldest(
            self.setting.connection, self.agent["no"], MOST_TOKENS_OF_AN_AGENT
        )
        authorization.change_agent(self.setting.connection, self.agent["no"], {"last_used_at": now})
        return {
            "access_token": token,
            "token_type": "Bearer",
            "expires_in": holds // 1000,
            "scope": self.agent["scopes"],
        }


class AssertionGrant(_AgentGrant):
    """The JWT bearer grant (RFC 7523) for assertions of our own, good again and again until they end."""

    GRANT_TYPE = ASSERTION_GRANT

    def validate_token_request(self) -> None:
        """Find the agent of an assertion that still holds. Raises InvalidGrantError."""
        assertion = self.request.form.get("assertion")
        if not assertion:
            raise InvalidRequestError("Missing assertion in request.")
        try:
            claims = self.setting.signs.read("ES256", ASSERTION_KIND, assertion, self.setting.now)
        except NotSigned:
            raise InvalidGrantError(
                "The assertion is not from this server, or has expired."
            ) from None
        agent = authorization.agent_of_id(self.setting.connection, str(claims.get("sub")))
        if agent is None or claims.get("gen") != agent["generation"]:
            raise InvalidGrantError("The assertion was revoked.")
        if agent["claimed_at"] is None and agent["expires_at"] <= self.setting.now:
            raise InvalidGrantError("Nobody claimed this agent in time.")
        self.agent = agent

    def create_token_response(self) -> tuple[int, dict[str, Any], Any]:
        """An access token for an hour."""
        return 200, self.access(), self.TOKEN_RESPONSE_HEADER


class ClaimGrant(_AgentGrant):
    """The agent asks again and again whether its person has claimed it; the answer is given once."""

    GRANT_TYPE = CLAIM_GRANT

    def validate_token_request(self) -> None:
        """Find the agent of a claim token, once it is claimed.

        Raises ExpiredTokenError, AuthorizationPendingError and SlowDownError.
        """
        claim_token = self.request.form.get("claim_token")
        if not claim_token:
            raise InvalidRequestError("Missing claim_token in request.")
        connection, now = self.setting.connection, self.setting.now
        agent = authorization.agent_of_claim(connection, digest(claim_token))
        if agent is None:
            raise ExpiredTokenError("The claim token has expired, was used, or was refused.")
        if agent["claimed_at"] is not None:
            self.agent = agent
            return
        if agent["expires_at"] <= now:
            raise ExpiredTokenError("Nobody claimed this agent in time.")
        before = agent["polled_at"]
        polled = {"polled_at": now}
        self.setting.lasts.append(
            partial(authorization.change_agent, connection, agent["no"], polled)
        )
        attempt = authorization.attempt_of_agent(connection, agent["no"])
        if attempt is not None and (attempt["expires_at"] <= now or attempt["tries"] >= TRIES):
            raise ExpiredTokenError("The code has expired. Ask for a new code.")
        if before is not None and now - before < POLL_EACH - SPARED:
            raise SlowDownError("Ask at most once every five seconds.")
        raise AuthorizationPendingError("The person has not entered the code yet.")

    def create_token_response(self) -> tuple[int, dict[str, Any], Any]:
        """An access token for the person's account, and the assertion by which it is renewed."""
        authorization.change_agent(self.setting.connection, self.agent["no"], {"claim_hash": None})
        agent = authorization.get_agent(self.setting.connection, self.agent["no"])
        assertion = assertion_of(agent, self.setting.signs, self.setting.now)
        return 200, {**self.access(), **assertion}, self.TOKEN_RESPONSE_HEADER
