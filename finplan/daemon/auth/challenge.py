"""What a refused request is told of how to be let in: `WWW-Authenticate` (RFC 6750, RFC 9728)."""

from finplan.model.errors import Fault, Forbidden, InsufficientScope, InvalidToken, Unauthorized

METADATA = "/.well-known/oauth-protected-resource"
_PARTS = ("/mcp", "/a2a")
"""What a token may be for alone, and what it has its metadata at."""


def challenge_of(fault: Exception, path: str, site_url: str) -> str | None:
    """The header's value for a fault at a path; None where no credential would help."""
    if not isinstance(fault, Fault) or not isinstance(fault, (Unauthorized, Forbidden)):
        return None
    part = path.rstrip("/") if path.rstrip("/") in _PARTS else ""
    metadata = f'resource_metadata="{site_url}{METADATA}{part}"'
    if isinstance(fault, InsufficientScope):
        return f'Bearer error="insufficient_scope", scope="{fault.scope}", {metadata}'
    if isinstance(fault, InvalidToken):
        return f'Bearer {metadata}, error="invalid_token"'
    if isinstance(fault, Unauthorized):
        return f"Bearer {metadata}"
    return None
