"""What values settings may have, and what is said of one that cannot be."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DEMO_PROFILE = "demo"
"""The profile of the demo household, which its daemon links at its first start."""

LARGEST_RATE_LIMIT = 1_000_000_000

_SIGNING_KEY = re.compile(r"^[A-Za-z0-9_-]{43}$")
_HOST = re.compile(r"^(?![0-9.]+$)[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?\.?\Z")
PRINTED = re.compile(r"^[!-~]{1,500}\Z")
"""What an id or a secret of somebody else's looks like."""

PLAID_ENVIRONMENTS = ("sandbox", "production")
_COUNTRY = re.compile(r"^[A-Z]{2}\Z")
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

    return [_from_home(argument) for argument in split(command)]


def _from_home(argument: str) -> str:
    if not argument.startswith("~/"):
        return argument
    try:
        return str(Path(argument).expanduser())
    except RuntimeError:
        # A process without a home has none to put in its place.
        return argument


def whole_path(setting: str, text: str, named_by: Path | None) -> str:
    """Where a file is that a setting names: as seen from the folder of the file that names it.

    Without one it stands in the environment, which tells no folder. Raises SettingsError.
    """
    path = Path(_from_home(text))
    if named_by is not None:
        path = named_by / path
    if not path.is_absolute():
        raise SettingsError(
            f"FINPLAN_{setting.upper()} is {text!r}, which is not an absolute path. Write the"
            " whole path."
        )
    return str(path)


def check_value(setting: str, value: Any) -> None:
    """Raise SettingsError where a setting cannot have a value of its kind."""
    check = _CHECKS.get(setting)
    if check is not None:
        check(value)


def _check_port(port: int) -> None:
    if not 1 <= port <= 65535:
        raise SettingsError(f"The port {port} is not valid. Use a number between 1 and 65535.")


def _check_site_url(site_url: str) -> None:
    if not _is_origin(site_url):
        raise SettingsError(
            f"`site_url` cannot be {site_url!r}. Write only http:// or https://, the host and an"
            " optional port, such as https://money.example.org."
        )


def _check_log_level(level: str) -> None:
    if level not in _LOG_LEVELS:
        raise SettingsError(
            f"Unknown log level {level!r}. Choose one of: {', '.join(_LOG_LEVELS)}."
        )


def _check_upload_limit(upload_limit: int) -> None:
    if upload_limit < 1:
        raise SettingsError(
            f"The upload limit {upload_limit} is not valid. Use a number of bytes above 0."
        )


def _check_rate_limit(rate_limit: int) -> None:
    if not 1 <= rate_limit <= LARGEST_RATE_LIMIT:
        raise SettingsError(
            f"The rate limit {rate_limit} is not valid. Use 1 to {LARGEST_RATE_LIMIT:,} requests a"
            " minute for each credential; it cannot be turned off."
        )


def _check_signed_origins(origins: str) -> None:
    for pair in origins.split():
        origin, _, key = pair.partition("=")
        if not (_is_origin(origin) and _SIGNING_KEY.match(key)):
            raise SettingsError(
                f"The signed origin {pair!r} is not valid. Write https://host=KEY, where KEY is the"
                " `x` of its Ed25519 key: 43 letters, digits, - and _."
            )


def _check_registration(registration: str) -> None:
    if registration not in REGISTRATIONS:
        raise SettingsError(f"Unknown registration {registration!r}. Use `invite` or `open`.")


def _check_trusted_proxies(proxies: str) -> None:
    for proxy in proxies.split():
        if not _is_network(proxy):
            raise SettingsError(
                f"The trusted proxy {proxy!r} is not an address or network, such as 127.0.0.1 or"
                f" 10.0.0.0/8.{_of_commas(proxy)}"
            )


def _check_google_client_id(client: str) -> None:
    if not PRINTED.match(client):
        raise SettingsError(
            f"The Google client id {client!r} is not valid: it may not contain spaces."
        )


def _check_google_issuer(issuer: str) -> None:
    if not (_is_origin(issuer) and is_encrypted_or_here(issuer)):
        raise SettingsError(
            f"The Google issuer {issuer!r} is not valid. Write https://host without a path; http"
            " works only for this machine."
        )


def _check_private_targets(targets: str) -> None:
    for target in targets.split():
        if not (_is_network(target) or _HOST.match(target)):
            raise SettingsError(
                f"The private webhook target {target!r} is not a host or network, such as home.local"
                f" or 192.168.1.0/24.{_of_commas(target)}"
            )


def _check_webhook_ca(authorities: str) -> None:
    if not Path(authorities).is_file():
        raise SettingsError(
            f"`webhook_ca` names {authorities!r}, but no such file exists. Write the path of a"
            " certificate file (PEM)."
        )


def _check_notify_command(command: str) -> None:
    try:
        arguments = words_of_command(command)
    except ValueError:
        arguments = []
    if not arguments:
        raise SettingsError(
            f"The notify command {command!r} is not valid. Write a program and its arguments,"
            " quoted where they contain spaces, or `off`."
        )
    if "/" in arguments[0] and not Path(arguments[0]).is_absolute():
        raise SettingsError(
            f"The notify command begins with {arguments[0]!r}. Write the program's whole path, ~/ for"
            " your home, or a name on the search path."
        )


def _check_plaid_client_id(client: str) -> None:
    if not PRINTED.match(client):
        raise SettingsError(
            f"The Plaid client id {client!r} is not valid: it may not contain spaces."
        )


def _check_plaid_environment(environment: str) -> None:
    if environment not in PLAID_ENVIRONMENTS:
        raise SettingsError(
            f"Unknown Plaid environment {environment!r}. Use `production`, or `sandbox` for made-up"
            " banks."
        )


def _check_plaid_countries(countries: str) -> None:
    for country in countries.split() or [""]:
        if not _COUNTRY.match(country):
            raise SettingsError(
                f"The Plaid country {country!r} is not a code of two capital letters, such as US or"
                f" CA.{_of_commas(country)}"
            )


def _check_enablebanking_application(application: str) -> None:
    if not PRINTED.match(application):
        raise SettingsError(
            f"The Enable Banking application id {application!r} is not valid: it may not contain"
            " spaces. It looks like 8-4-4-4-12 letters and digits."
        )


def _check_enablebanking_redirect(url: str) -> None:
    try:
        parts = urlsplit(url)
        is_plain = parts.scheme == "https" and bool(parts.hostname) and parts.username is None
        is_plain = is_plain and parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:
        is_plain = False
    if not is_plain or "?" in url or "#" in url or not PRINTED.match(url):
        raise SettingsError(
            f"The redirect address {url!r} is not valid. Write an address that your Enable Banking"
            " application lists: https://, a host and an optional path."
        )


_CHECKS: Mapping[str, Callable[[Any], None]] = {
    "port": _check_port,
    "site_url": _check_site_url,
    "log_level": _check_log_level,
    "upload_limit": _check_upload_limit,
    "rate_limit": _check_rate_limit,
    "signed_origins": _check_signed_origins,
    "registration": _check_registration,
    "trusted_proxies": _check_trusted_proxies,
    "google_client_id": _check_google_client_id,
    "google_issuer": _check_google_issuer,
    "webhook_private_targets": _check_private_targets,
    "webhook_ca": _check_webhook_ca,
    "notify_command": _check_notify_command,
    "plaid_client_id": _check_plaid_client_id,
    "plaid_environment": _check_plaid_environment,
    "plaid_countries": _check_plaid_countries,
    "enablebanking_application_id": _check_enablebanking_application,
    "enablebanking_redirect_url": _check_enablebanking_redirect,
}


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


def _of_commas(value: str) -> str:
    return " Separate several with spaces, not commas." if "," in value else ""
