"""What values settings may have, and what is said of one that cannot be."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

LARGEST_RATE_LIMIT = 1_000_000_000

_SIGNING_KEY = re.compile(r"^[A-Za-z0-9_-]{43}$")
_HOST = re.compile(r"^(?![0-9.]+$)[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\.?\Z")
PRINTED = re.compile(r"^[!-~]{1,500}\Z")
"""What an id or a secret of somebody else's looks like."""

REGISTRATIONS = ("invite", "open")
_LOG_LEVELS = ("debug", "info", "warning", "error")


class SettingsError(Exception):
    """A setting cannot be used; the message says which, why, and where it came from."""


def is_encrypted_or_here(url: str) -> bool:
    """Whether what is sent to an address is encrypted, or does not leave this machine."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if not host or parts.username is not None:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_here(host))


def _is_here(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def words_of_command(command: str) -> list[str]:
    """The program and the words of a command, which no shell reads; `~/` is the person's home.

    Raises ValueError where a quote is left open.
    """
    # A command that only reads settings without such a command does without this module.
    from shlex import split

    return [_from_home(word) for word in split(command)]


def _from_home(word: str) -> str:
    if not word.startswith("~/"):
        return word
    try:
        return str(Path(word).expanduser())
    except RuntimeError:
        # A process without a home has none to put in its place.
        return word


def whole_path(setting: str, text: str, named_by: Path | None) -> str:
    """Where a file is that a setting names: as seen from the folder of the file that names it.

    Without one it stands in the environment, which tells no folder. Raises SettingsError.
    """
    path = Path(_from_home(text))
    if named_by is not None:
        path = named_by / path
    if not path.is_absolute():
        raise SettingsError(
            f"FINPLAN_{setting.upper()} is {text!r}: write the whole path, since the daemon runs"
            " in another folder."
        )
    return str(path)


def check_values(values: Mapping[str, Any]) -> None:
    """Raise SettingsError for the first value that cannot be."""
    port = values.get("port")
    if port is not None and not 1 <= port <= 65535:
        raise SettingsError(f"The port {port} is not between 1 and 65535.")
    level = values.get("log_level")
    if level is not None and level not in _LOG_LEVELS:
        raise SettingsError(f"The log level {level!r} is not one of {', '.join(_LOG_LEVELS)}.")
    _check_people(values)
    _check_google(values)
    _check_webhooks(values)
    _check_notify_command(values)
    site_url = values.get("site_url")
    if site_url is not None and not _is_origin(site_url):
        raise SettingsError(
            f"The setting site_url cannot be {site_url!r}: it is how browsers reach the daemon. Write"
            " http:// or https:// and the host, with a port where there is one and nothing behind it,"
            " such as https://money.example.org."
        )
    upload_limit = values.get("upload_limit")
    if upload_limit is not None and upload_limit < 1:
        raise SettingsError(f"The upload limit {upload_limit} is not a number of bytes above 0.")
    rate_limit = values.get("rate_limit")
    if rate_limit is not None and not 1 <= rate_limit <= LARGEST_RATE_LIMIT:
        raise SettingsError(
            f"The rate limit {rate_limit} is not between 1 and {LARGEST_RATE_LIMIT:,} requests a"
            " minute for each credential. It cannot be off, since every answer tells it."
        )

    for each in (values.get("signed_origins") or "").split():
        origin, _, key = each.partition("=")
        if not (_is_origin(origin) and _SIGNING_KEY.match(key)):
            raise SettingsError(
                f"The signed origin {each!r} must look like https://host=KEY, where KEY is the `x` of"
                " its Ed25519 key: 43 letters, digits, - and _."
            )


def _check_people(values: Mapping[str, Any]) -> None:
    registration = values.get("registration")
    if registration is not None and registration not in REGISTRATIONS:
        raise SettingsError(f"The registration {registration!r} is not `invite` or `open`.")
    for each in (values.get("trusted_proxies") or "").split():
        if not _is_network(each):
            raise SettingsError(
                f"The trusted proxy {each!r} is no address or network, such as 127.0.0.1 or 10.0.0.0/8."
                f"{_of_commas(each)}"
            )


def _check_google(values: Mapping[str, Any]) -> None:
    client = values.get("google_client_id")
    if client is not None and not PRINTED.match(client):
        raise SettingsError(f"The Google client {client!r} is no client id: it has no space in it.")
    issuer = values.get("google_issuer")
    if issuer is not None and not (_is_origin(issuer) and is_encrypted_or_here(issuer)):
        raise SettingsError(
            f"The Google issuer {issuer!r} must look like https://host, without a path; http is for this"
            " machine alone."
        )


def _check_webhooks(values: Mapping[str, Any]) -> None:
    for each in (values.get("webhook_private_targets") or "").split():
        if not (_is_network(each) or _HOST.match(each)):
            raise SettingsError(
                f"The private target {each!r} of webhooks is no host or network, such as home.local or"
                f" 192.168.1.0/24.{_of_commas(each)}"
            )
    authorities = values.get("webhook_ca")
    if authorities is not None and not Path(authorities).is_file():
        raise SettingsError(
            f"`webhook_ca` names {authorities!r}, where there is no file. Write the path of a file of"
            " certificates (PEM)."
        )


def _check_notify_command(values: Mapping[str, Any]) -> None:
    command = values.get("notify_command")
    if command is None:
        return
    try:
        words = words_of_command(command)
    except ValueError:
        words = []
    if not words:
        raise SettingsError(
            f"The notify command {command!r} cannot be read: write a program and its words, each with a"
            " space in it in quotes, or `off`."
        )
    if "/" in words[0] and not Path(words[0]).is_absolute():
        raise SettingsError(
            f"The notify command begins with {words[0]!r}: write the whole path of the program, its bare"
            " name where it is on the search path, or ~/ for your home."
        )


def _is_network(text: str) -> bool:
    # A command that only reads settings without a proxy does without this module.
    from ipaddress import ip_network

    try:
        ip_network(text)
    except ValueError:
        return False
    return True


def _is_origin(url: str) -> bool:
    if not re.match(r"^https?://[^/?#@\s]+$", url):
        return False
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _of_commas(word: str) -> str:
    return " Between several stand spaces, no commas." if "," in word else ""
