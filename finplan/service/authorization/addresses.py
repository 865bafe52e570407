"""Redirect URIs: which may be registered, and whether one that is asked for is one of them."""

import re
from collections.abc import Iterable
from urllib.parse import SplitResult, urlsplit

LONGEST_ADDRESS = 2000
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_NEVER = frozenset(
    {
        # What browsers run, show or fetch by themselves.
        *("javascript", "vbscript", "livescript", "mocha", "data", "file", "blob", "filesystem"),
        *("about", "ws", "wss", "ftp", "ftps", "view-source", "jar", "res", "resource", "mhtml"),
        *("chrome", "edge", "brave", "opera", "vivaldi", "devtools", "wyciwyg", "content"),
        *("chrome-extension", "moz-extension", "safari-web-extension", "intent", "android-app"),
        # What systems open by themselves: folders, other machines, terminals, installers, help.
        *("smb", "cifs", "nfs", "afp", "dav", "davs", "sftp", "scp", "ssh", "telnet", "rlogin"),
        *("tn3270", "rdp", "vnc", "ldap", "ldaps", "dict", "gopher", "nntp", "news", "imap"),
        *("pop", "rtsp", "search", "search-ms", "shell", "hcp", "help", "ghelp", "man", "info"),
        *("its", "mk", "jnlp", "apt", "snap", "flatpak", "appstream", "market", "itms"),
        *("itms-apps", "itms-services", "admin", "trash", "recent", "computer", "network"),
        *("applescript", "localfile"),
        # What writes, calls or pays.
        *("mailto", "tel", "sms", "mms", "callto", "sip", "sips", "facetime", "facetime-audio"),
        *("xmpp", "irc", "ircs", "magnet", "bitcoin", "ethereum", "upi", "git", "svn"),
    }
)
"""Schemes that are no program's own, however an address of theirs is written."""

_OF_SYSTEMS = ("ms-", "x-", "web+")
"""How schemes begin that systems keep for themselves (`ms-msdt`, `x-man-page`), or any site may take."""

_NAMES_ONE = re.compile(r"//[A-Za-z0-9._~-]+(?::[0-9]{1,5})?(?:[/?].*)?")
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

    It is encrypted, or of a program on the person's own machine: by loopback, or by a scheme of its own,
    which is that of a domain (RFC 8252 section 7.1), or names whom it is for, as editors have theirs.
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
    if parts.scheme in _NEVER:
        raise _refused_address("has a scheme that nobody may be sent to")
    if parts.scheme in ("http", "https") and not _HOST.fullmatch(parts.netloc):
        raise _refused_address("names no host, or a user before it")
    if parts.scheme == "http" and not is_loopback(parts):
        raise _refused_address("is not encrypted; use https, or http on the loopback address")
    if parts.scheme not in ("http", "https") and not _is_of_a_program(parts.scheme, address):
        raise _refused_address(
            "has a scheme that is no program's own; use one of your domain, as org.example.app:/back, or"
            " one that names whom it is for, as editor://publisher.extension/back"
        )


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


def _is_of_a_program(scheme: str, address: str) -> bool:
    rest = address[len(scheme) + 1 :]
    if "." in scheme:
        return rest.startswith("/")
    return not scheme.startswith(_OF_SYSTEMS) and _NAMES_ONE.fullmatch(rest) is not None


def _refused_address(why: str) -> RefusedRegistration:
    return RefusedRegistration("invalid_redirect_uri", f"A redirect URI {why}.")
