"""The documents by which a program finds out how it is let in (RFC 9728, RFC 8414, OpenID Discovery).

Clients look for the same document at several paths, so it is at all of them.
"""

from collections.abc import Mapping
from typing import Any

from finplan.model.access.key import KEY_SCOPES
from finplan.service.authorization.names import (
    ASSERTION_GRANT,
    AUTH_METHODS,
    CLAIM_GRANT,
    GRANT_TYPES,
)
from finplan.service.authorization.scopes import SCOPES

PROTECTED = "/.well-known/oauth-protected-resource"
PROTECTED_PATHS: Mapping[str, str] = {
    PROTECTED: "",
    f"{PROTECTED}/mcp": "/mcp",
    f"{PROTECTED}/a2a": "/a2a",
    f"{PROTECTED}/api": "/api",
    f"{PROTECTED}/api/v1": "/api/v1",
}
"""Where the metadata of a resource is, with the resource's own path: each may be asked a token for."""

ISSUER_PATH = "/auth"
SERVER_PATHS = (
    "/.well-known/oauth-authorization-server/auth",
    "/.well-known/oauth-authorization-server",
    "/auth/.well-known/oauth-authorization-server",
    "/auth/.well-known/openid-configuration",
    "/.well-known/openid-configuration/auth",
    "/.well-known/openid-configuration",
)
"""Where the metadata of the authorization server is."""

AUTHORIZE, TOKEN, REGISTER, REVOKE, JWKS, USERINFO = (
    f"{ISSUER_PATH}/oauth2/{name}"
    for name in ("authorize", "token", "register", "revoke", "jwks", "userinfo")
)
IDENTITY = "/agent/identity"
CLAIM = "/agent/identity/claim"
CLAIM_PAGE = "/claim"
SKILL = "/auth.md"


def issuer_of(site_url: str) -> str:
    """Who the authorization server of a site is."""
    return f"{site_url}{ISSUER_PATH}"


def protected_resource(site_url: str, path: str) -> Mapping[str, Any]:
    """The metadata of a part of the site that takes tokens."""
    return {
        "resource": f"{site_url}{path}",
        "authorization_servers": [issuer_of(site_url)],
        "scopes_supported": list(KEY_SCOPES),
        "bearer_methods_supported": ["header"],
        "resource_name": "finplan",
        "resource_documentation": f"{site_url}/api/docs",
    }


def authorization_server(site_url: str) -> Mapping[str, Any]:
    """The metadata of the authorization server, with how agents come without an account."""
    return {
        "issuer": issuer_of(site_url),
        "authorization_endpoint": f"{site_url}{AUTHORIZE}",
        "token_endpoint": f"{site_url}{TOKEN}",
        "registration_endpoint": f"{site_url}{REGISTER}",
        "revocation_endpoint": f"{site_url}{REVOKE}",
        "jwks_uri": f"{site_url}{JWKS}",
        "userinfo_endpoint": f"{site_url}{USERINFO}",
        "scopes_supported": list(SCOPES),
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": [
            *GRANT_TYPES,
            ASSERTION_GRANT,
            CLAIM_GRANT,
        ],
        "token_endpoint_auth_methods_supported": ["none", *AUTH_METHODS[:2]],
        "revocation_endpoint_auth_methods_supported": ["none", *AUTH_METHODS[:2]],
        "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": True,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "claims_supported": ["sub", "name", "email", "email_verified", "auth_time", "nonce"],
        "service_documentation": f"{site_url}/api/docs",
        "agent_auth": {
            "skill": f"{site_url}{SKILL}",
            "identity_endpoint": f"{site_url}{IDENTITY}",
            "claim_endpoint": f"{site_url}{CLAIM}",
            "identity_types_supported": ["anonymous"],
        },
    }
