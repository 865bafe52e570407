"""Scopes: what may be granted, in words that a person reads before granting it."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from finplan.model.credential import KEY_SCOPES
from finplan.operation import Scope
from finplan.service.credentials.keys import ALLOWED

OFFLINE = "offline_access"
OPENID = "openid"

SCOPES: Mapping[str, str] = MappingProxyType(
    {
        **{str(scope): means for scope, means in KEY_SCOPES.items()},
        OPENID: "Know which account of finplan this is.",
        "profile": "Know your name.",
        "email": "Know your e-mail address.",
        OFFLINE: "Keep this access until you take it back, also while you are away; it ends once it was"
        " not used for 30 days.",
    }
)
"""What each scope allows, in the order in which a person is asked."""

LEAST = "service:read"
"""What is asked for where a client does not say."""

AGENTS = ("service:read", "service:write")
"""What an agent may that came without an account."""


def in_order(scopes: Iterable[str]) -> str:
    """Scopes as one text, each once and in the order of the table; unknown ones are left out."""
    asked = set(scopes)
    return " ".join(scope for scope in SCOPES if scope in asked)


def allowed(scopes: str) -> frozenset[Scope]:
    """What a credential with these scopes may do."""
    words = scopes.split()
    return frozenset(inside for scope, inside in ALLOWED.items() if scope in words)
