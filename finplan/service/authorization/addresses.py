"""Redirect URIs: which may be registered, and whether one that is asked for is one of them."""

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

LONGEST_ADDRESS = 2000
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_OF_A_DOMAIN = re.compile(r"[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:/.*", re.IGNORECASE)
"""A private-use scheme named after a domain of its owner (RFC 8252 section 7.1)."""

_OF_AN_EDITOR = re.compile(
    r"(?:cursor|vscode|vscode-insiders|windsurf)://[A-Za-z0-9_-]+\.[A-Za-z0-9._-]+(?:/[^?]*)?",
    re.IGNORECASE,
)
"""An address of one extension of an editor, without a query, which would be a command of the editor.

These register themselves, and register nothing if one of their addresses is refused.
"""

LARGEST_PORT = 65535
_ON_LOOPBACK = re.compile(
    r"(?P<host>http://(?:127\.0\.0\.1|\[::1\]|localhost))(?::(?P<port>[0-9]{1,5}))?(?P<rest>(?:[/?].*)?)"
)
"""Parted by its text: what parses addresses drops signs that a browser would be sent, such as a tab."""

_TOLD = frozenset(map(chr, range(0x20, 0x7F))) - set('"\\')
_TOLD_LENGTH = 100
_HOST = re.compile(r"([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?")


class RefusedRegistration(Exception):
    """What a client says of itself does not hold; `error` is by RFC 7591 section 3.2.2."""

    def __init__(self, error: str, description: str) -> None:
        super().__init__(description)
        self.error = error
        self.description = description


def check_address(address: str) -> None:
    """Refuse an address that nobody may be sent to. Raises RefusedRegistration.

    It is encrypted, or of a program on the person's own machine: by loopback, by a private-use scheme
    of a domain, or by the scheme of an editor that is listed here.
    """
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        raise _refused_address("is not an address") from None
    if len(address) > LONGEST_ADDRESS or not address.isascii() or not address.isprintable():
        raise _refused_address("is too long, or holds characters that no address may hold")
    if any(sign in address for sign in " \"\\<>#'"):
        raise _refused_address("holds a fragment, or a character that no address may hold")
    if not parts.scheme:
        raise _refused_address(
            "is not whole; write all of it, as https://example.org/back or http://127.0.0.1:8765/back"
        )
    if parts.scheme in ("http", "https") and not _HOST.fullmatch(parts.netloc):
        raise _refused_address("names no host, or a user before it")
    if parts.scheme == "http" and not is_loopback(parts):
        raise _refused_address("is not encrypted; use https, or http on the loopback address")
    if parts.scheme not in ("http", "https") and not _is_of_a_program(address):
        raise _refused_address(
            "has a scheme that is not allowed; use https, http on this machine (127.0.0.1, [::1] or"
            " localhost), or a scheme named after your domain, such as org.example.app:/back"
        )


def is_allowed(address: str) -> bool:
    """Whether somebody may be sent to an address."""
    try:
        check_address(address)
    except RefusedRegistration:
        return False
    return True


def check_addresses(addresses: Iterable[str]) -> None:
    """Refuse the first address that nobody may be sent to, and name it. Raises RefusedRegistration."""
    for address in addresses:
        try:
            check_address(address)
        except RefusedRegistration as refused:
            told = f"{refused.description} It is {_named(address)}."
            raise RefusedRegistration(refused.error, told) from None


def is_same_address(registered: str, asked: str) -> bool:
    """Whether a redirect goes where a client registered that it may.

    Texts are compared byte by byte. Only for a program on the person's own machine the port may be
    another one (RFC 8252 section 7.3), since it takes whichever is free.
    """
    if registered == asked:
        return True
    ours, theirs = _ON_LOOPBACK.fullmatch(registered), _ON_LOOPBACK.fullmatch(asked)
    if ours is None or theirs is None or int(theirs["port"] or 0) > LARGEST_PORT:
        return False
    return (ours["host"], ours["rest"]) == (theirs["host"], theirs["rest"])


def is_loopback(address: SplitResult) -> bool:
    """Whether an address is of a program on the person's own machine."""
    return address.hostname in _LOOPBACK


def _named(address: str) -> str:
    """An address in signs that an answer of RFC 6749 may hold, as far as it is told by."""
    shown = "".join(sign if sign in _TOLD else "?" for sign in address[:_TOLD_LENGTH])
    return f"'{shown}'" if len(address) <= _TOLD_LENGTH else f"'{shown}...'"


def _is_of_a_program(address: str) -> bool:
    return any(form.fullmatch(address) for form in (_OF_A_DOMAIN, _OF_AN_EDITOR))


def _refused_address(why: str) -> RefusedRegistration:
    return RefusedRegistration("invalid_redirect_uri", f"A redirect URI {why}.")
