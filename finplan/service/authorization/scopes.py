"""What may be granted: scopes, in words that a person reads before, and the parts of this site.

Clients name the site with and without a slash, the address of the API, or that of the MCP server; a
token for one part is refused by the others (RFC 8707). One for the site, or for nothing in particular,
is good for all. Of the person who let it in a client is told what they granted (OpenID Connect).
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection

from finplan.model.credential import KEY_SCOPES
from finplan.operation import Scope
from finplan.service.credentials.keys import ALLOWED
from finplan.store.queries import people

GRANT_TYPES = ("authorization_code", "refresh_token")
"""How a client asks for tokens."""

ASSERTION_GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
CLAIM_GRANT = "urn:example:agent-auth:grant-type:claim"
"""How an agent does that came without an account: by its assertion, and by its claim token."""

PUBLIC_CLIENT = "none"
"""How a client shows who it is that can keep no secret."""

AUTH_METHODS = ["client_secret_basic", "client_secret_post", PUBLIC_CLIENT]
"""How clients show who they are."""


OFFLINE = "offline_access"
OPENID = "openid"

SCOPES: Mapping[str, str] = MappingProxyType(
    {
        **{str(scope): means for scope, means in KEY_SCOPES.items()},
        OPENID: "See which finplan account this is.",
        "profile": "See your name.",
        "email": "See your e-mail address.",
        OFFLINE: (
            "Let this access continue while you are away, until you revoke it. The access also ends "
            "after 30 days without use."
        ),
    }
)
"""What each scope allows, in the order in which a person is asked."""

LEAST = "service:read"
"""What is asked for where a client does not say."""

AGENTS = ("service:read", "service:write")
"""What an agent may that came without an account."""


def in_order(scopes: Iterable[str]) -> str:
    """Scopes as one text, each once and in the order of the table; unknown ones are left out."""
    requested = set(scopes)
    return " ".join(scope for scope in SCOPES if scope in requested)


def allowed(scopes: str) -> frozenset[Scope]:
    """What a credential with these scopes may do."""
    granted = scopes.split()
    return frozenset(inside for scope, inside in ALLOWED.items() if scope in granted)


WHOLE_SITE = ""
PARTS_OF_SITE = ("/api", "/mcp", "/a2a")
"""The parts of the site that a token may be for alone."""


class UnknownResource(Exception):
    """A token is asked for something that is no part of this site."""


def resource_of(resources: Iterable[str], site_url: str) -> str:
    """The one path that the resources which a request names have in common. Raises UnknownResource."""
    paths = {_path_of_part(resource, site_url) for resource in resources}
    if len(paths) > 1:
        # A token for several parts is one for the site that holds them.
        return WHOLE_SITE
    return paths.pop() if paths else WHOLE_SITE


def is_resource_within(resource: str, granted: str) -> bool:
    """Whether a token for one resource may follow from a grant for another."""
    return granted in (WHOLE_SITE, resource)


def is_resource_for(resource: str, path: str) -> bool:
    """Whether a token is for what is at a path of the site."""
    return resource in (WHOLE_SITE, path) or path.startswith(f"{resource}/")


def _path_of_part(resource: str, site_url: str) -> str:
    if not resource.startswith(site_url):
        raise UnknownResource
    path = resource.removeprefix(site_url).rstrip("/")
    if path == WHOLE_SITE:
        return WHOLE_SITE
    for part in PARTS_OF_SITE:
        if path == part or path.startswith(f"{part}/"):
            return part
    raise UnknownResource


def userinfo(connection: Connection, owner: int, scopes: str) -> Mapping[str, Any] | None:
    """The claims about a person; None where it was not granted to know who they are."""
    granted = scopes.split()
    if OPENID not in granted:
        return None
    person = people.get_person(connection, owner)
    claims: dict[str, Any] = {"sub": person["id"]}
    if "profile" in granted and person["name"] is not None:
        claims["name"] = person["name"]
    if "email" in granted:
        # Nobody has sent a message to it to see who answers.
        claims |= {"email": person["email"], "email_verified": False}
    return claims
