"""How an agent without an account gets tokens: by its assertion, and by its claim token once claimed."""

from functools import partial
from typing import Any

from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import InvalidGrantError, InvalidRequestError
from authlib.oauth2.rfc6749.grants import BaseGrant, TokenEndpointMixin
from sqlalchemy import RowMapping

from finplan.service.authorization.agents import ASSERTION_KIND, POLL_EACH, TRIES, assertion_of
from finplan.service.authorization.names import ASSERTION_GRANT, CLAIM_GRANT
from finplan.service.authorization.resources import WHOLE
from finplan.service.authorization.server import (
    ACCESS_HOLDS,
    ACCESS_PREFIX,
    AskedRequest,
    Server,
    Setting,
)
from finplan.service.authorization.signing import NotSigned
from finplan.service.credentials.tokens import digest, new_token
from finplan.store.queries import authorization

MOST_TOKENS = 20
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
                "resource": self.server.resource_within(self.request, WHOLE),
                "created_at": now,
                "expires_at": now + holds,
            },
        )
        authorization.end_agents_oldest(self.setting.connection, self.agent["no"], MOST_TOKENS)
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
        shown = self.request.form.get("assertion")
        if not shown:
            raise InvalidRequestError("Missing assertion in request.")
        try:
            claims = self.setting.signs.read("ES256", ASSERTION_KIND, shown, self.setting.now)
        except NotSigned:
            raise InvalidGrantError("The assertion is not of this server, or is over.") from None
        agent = authorization.agent_of_id(self.setting.connection, str(claims.get("sub")))
        if agent is None or claims.get("gen") != agent["generation"]:
            raise InvalidGrantError("The assertion was taken back.")
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
        shown = self.request.form.get("claim_token")
        if not shown:
            raise InvalidRequestError("Missing claim_token in request.")
        connection, now = self.setting.connection, self.setting.now
        agent = authorization.agent_of_claim(connection, digest(shown))
        if agent is None:
            raise ExpiredTokenError("The claim token is over, was used, or was refused.")
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
            raise ExpiredTokenError("The code is over. Ask for another one.")
        if before is not None and now - before < POLL_EACH - SPARED:
            raise SlowDownError("Ask every five seconds.")
        raise AuthorizationPendingError("The person has not entered the code yet.")

    def create_token_response(self) -> tuple[int, dict[str, Any], Any]:
        """An access token for the person's account, and the assertion by which it is renewed."""
        authorization.change_agent(self.setting.connection, self.agent["no"], {"claim_hash": None})
        agent = authorization.get_agent(self.setting.connection, self.agent["no"])
        told = assertion_of(agent, self.setting.signs, self.setting.now)
        return 200, {**self.access(), **told}, self.TOKEN_RESPONSE_HEADER
