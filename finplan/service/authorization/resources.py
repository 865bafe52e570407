"""What a token is for (RFC 8707): all of this site, or one part of it.

Clients name the site with and without a slash, the address of the API, or that of the MCP server; a
token for one part is refused by the others. One for the site, or for nothing in particular, is good
for all.
"""

from collections.abc import Iterable

WHOLE = ""
PARTS = ("/api", "/mcp", "/a2a")
"""The parts of the site that a token may be for alone."""


class UnknownResource(Exception):
    """A token is asked for something that is no part of this site."""


def resource_of(named: Iterable[str], site_url: str) -> str:
    """The one path that the resources which a request names have in common. Raises UnknownResource."""
    paths = {_path(each, site_url) for each in named}
    if len(paths) > 1:
        # A token for several parts is one for the site that holds them.
        return WHOLE
    return paths.pop() if paths else WHOLE


def is_within(asked: str, granted: str) -> bool:
    """Whether a token for one resource may follow from a grant for another."""
    return granted in (WHOLE, asked)


def is_for(resource: str, path: str) -> bool:
    """Whether a token is for what is at a path of the site."""
    return resource in (WHOLE, path) or path.startswith(f"{resource}/")


def _path(named: str, site_url: str) -> str:
    if not named.startswith(site_url):
        raise UnknownResource
    path = named.removeprefix(site_url).rstrip("/")
    if path == WHOLE:
        return WHOLE
    for part in PARTS:
        if path == part or path.startswith(f"{part}/"):
            return part
    raise UnknownResource
