"""OAuth clients and agents: other programs that a person lets in."""

from collections.abc import Sequence
from typing import Annotated, Literal, get_args
from urllib.parse import urlsplit

from pydantic import Field

from finplan.model.base import PathId, Timestamp, Wire
from finplan.model.names import Name

GrantScope = Literal[
    "service:read", "service:write", "openid", "profile", "email", "offline_access"
]
"""What a client may be granted."""

GRANT_SCOPES: tuple[GrantScope, ...] = get_args(GrantScope)


RedirectUri = Annotated[
    str, Field(min_length=1, max_length=2000, json_schema_extra={"format": "redirect-uri"})
]
"""Where a client's people are sent back to: encrypted, or a program on their own machine."""


def shown_scope(scope: GrantScope) -> str:
    """A scope as it stands in a list, where nothing else is called read or write."""
    return scope.removeprefix("service:")


def hosts_of(addresses: Sequence[str]) -> str:
    """Where a client's people are sent: the hosts, or the scheme of a program of their own machine.

    Whoever calls themselves by a known name still cannot choose a host that is not theirs.
    """
    parts = [urlsplit(each) for each in addresses]
    return ", ".join(dict.fromkeys(each.netloc or f"{each.scheme}:" for each in parts))


class OAuthClient(Wire):
    """A program that asks people for access; `yours` tells whether you made it or only let it in.

    `scopes` are what it may ask for, `granted` what you let it have and it still has. Of one that you
    only let in, `last_used_at` tells when it last got a token of yours.
    """

    id: str
    name: str
    redirect_uris: tuple[str, ...]
    kind: Literal["public", "confidential"]
    scopes: tuple[GrantScope, ...]
    granted: tuple[GrantScope, ...]
    created_at: Timestamp
    last_used_at: Timestamp | None
    yours: bool


class CreatedClient(OAuthClient):
    """A new client; a confidential one with its secret, which is shown this once."""

    secret: str | None


class NewClient(Wire):
    """Make a client; without scopes it may ask for all that can be granted."""

    name: Name
    redirect_uris: Annotated[
        tuple[RedirectUri, ...],
        Field(min_length=1, max_length=20),
    ]
    kind: Literal["public", "confidential"] = "public"
    scopes: tuple[GrantScope, ...] = ()


class ClientId(Wire):
    """Names a client."""

    id: PathId


class Agent(Wire):
    """An agent that came from an `address` without an account, and that you have claimed."""

    id: str
    address: str
    scopes: tuple[GrantScope, ...]
    created_at: Timestamp
    claimed_at: Timestamp | None
    last_used_at: Timestamp | None


class AgentId(Wire):
    """Names an agent."""

    id: PathId
