"""Settings: where a profile keeps its files and how its daemon is reached; read once, then frozen.

Each value comes from an environment variable, else from `finplan.toml` in the profile's
configuration folder, else from the default. `FINPLAN_HOME` puts everything into one folder instead
of the XDG places.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from finplan.setting_values import SettingsError, check_value, whole_path

DEFAULT_PORT = 8460
DATA_KEY_VARIABLE = "FINPLAN_DATA_KEY"
"""Where the data key may be given; it is no setting, so that nothing prints it."""

GOOGLE_CLIENT_VARIABLE = "FINPLAN_GOOGLE_CLIENT_SECRET"
PLAID_SECRET_VARIABLE = "FINPLAN_PLAID_SECRET"  # noqa: S105 - it is the name of one.
ENABLEBANKING_KEY_VARIABLE = "FINPLAN_ENABLEBANKING_KEY"
"""Where secrets of the person's own clients may be given; none is a setting, so nothing prints them."""

_CLIENTS = (GOOGLE_CLIENT_VARIABLE, PLAID_SECRET_VARIABLE, ENABLEBANKING_KEY_VARIABLE)
SECRET_VARIABLES = (DATA_KEY_VARIABLE, *_CLIENTS)
"""What of an environment stands in no file that finplan writes for another program."""

_XDG_VARIABLES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")

DEFAULT_GOOGLE_ISSUER = "https://accounts.google.com"
DEFAULT_UPLOAD_LIMIT = 64 * 2**20
"""How much an upload may hold unless the setting says otherwise, in bytes: some 300,000 rows as CSV."""

Origin = Literal["environment", "file", "default"]


class Places(NamedTuple):
    """The folders of one profile: configuration, data (0700), and state (logs)."""

    configuration: Path
    data: Path
    state: Path

    @property
    def database(self) -> Path:
        """The one SQLite store."""
        return self.data / "finplan.db"

    @property
    def data_key(self) -> Path:
        """Which key secrets in the store are sealed under, or the key itself (0600)."""
        return self.data / "data_key.json"

    @property
    def daemon_file(self) -> Path:
        """Where a running daemon says how it is reached (0600)."""
        return self.data / "daemon.json"

    @property
    def port_file(self) -> Path:
        """The port that was chosen at first start and is kept."""
        return self.data / "port"

    @property
    def daemon_lock(self) -> Path:
        """Held by the one daemon of the profile."""
        return self.data / "daemon.lock"

    @property
    def start_lock(self) -> Path:
        """Held by the one program that is starting the daemon."""
        return self.data / "start.lock"

    @property
    def listener(self) -> Path:
        """Where `finplan webhooks listen` says where it listens (0600)."""
        return self.data / "listener.json"

    @property
    def listener_lock(self) -> Path:
        """Held by the one listener of the profile."""
        return self.data / "listener.lock"

    @property
    def uploads(self) -> Path:
        """Where uploaded files wait while they are imported."""
        return self.data / "uploads"

    @property
    def backups(self) -> Path:
        """Copies of the store, one before each migration."""
        return self.data / "backups"

    @property
    def google_client_secret(self) -> Path:
        """The secret of Google's client, where the environment does not give it (0600)."""
        return self.configuration / "google_client_secret"

    @property
    def plaid_secret(self) -> Path:
        """The secret of the person's keys at Plaid, where the environment does not give it (0600)."""
        return self.configuration / "plaid_secret"

    @property
    def enablebanking_key(self) -> Path:
        """The application's key for Enable Banking, where the environment does not give it (0600)."""
        return self.configuration / "enablebanking.pem"

    @property
    def reserve(self) -> Path:
        """Room that is given up when the disk is full, so that the daemon can start."""
        return self.data / "reserve"

    @property
    def log(self) -> Path:
        """The daemon's log file, rotated."""
        return self.state / "daemon.log"


@dataclass(frozen=True, slots=True)
class Settings:
    """One profile's settings, and where each came from.

    `upload_limit` is in bytes as they are unpacked, `rate_limit` in requests a minute.
    `port` None means: the one chosen at first start. `site_url` None means: 127.0.0.1 and the port.
    `signed_origins` None means: no origin's signed requests are counted for it. `registration` is
    `invite` or `open`. `trusted_proxies` None means: nobody is believed whom they forward.
    `google_client_id` None means: nobody signs in with Google. `webhook_private_targets` None means:
    webhooks are on the public internet alone; `webhook_ca` is a file of certificates that they may
    have besides those that the system trusts. `notify_command` None means: the owner of the machine is
    told on the desktop, where there is one. Without `plaid_client_id` no bank is reached through Plaid,
    without `enablebanking_application_id` none through Enable Banking; `enablebanking_redirect_url`
    None: the site's own, or one for nobody.
    """

    profile: str
    places: Places
    port: int | None = None
    site_url: str | None = None
    log_level: str = "info"
    upload_limit: int = DEFAULT_UPLOAD_LIMIT
    rate_limit: int = 120
    signed_origins: str | None = None
    registration: str = "invite"
    trusted_proxies: str | None = None
    google_client_id: str | None = None
    google_issuer: str = DEFAULT_GOOGLE_ISSUER
    webhook_private_targets: str | None = None
    webhook_ca: str | None = None
    notify_command: str | None = None
    plaid_client_id: str | None = None
    plaid_environment: str = "production"
    plaid_countries: str = "US"
    enablebanking_application_id: str | None = None
    enablebanking_redirect_url: str | None = None
    origins: Mapping[str, Origin] = field(default_factory=dict)

    @property
    def signing_keys(self) -> tuple[tuple[str, str], ...]:
        """The origins whose signatures are known, each with one of its public keys."""
        pairs = (pair.partition("=") for pair in (self.signed_origins or "").split())
        return tuple((origin.lower(), key) for origin, _, key in pairs)

    @property
    def proxies(self) -> tuple[str, ...]:
        """The addresses and networks of the proxies that say truly whom they forward."""
        return tuple((self.trusted_proxies or "").split())

    @property
    def private_targets(self) -> tuple[str, ...]:
        """The hosts and networks that webhooks may be on though they are private."""
        return tuple((self.webhook_private_targets or "").split())


_PROFILE = re.compile(r"^[a-z0-9][a-z0-9_-]{0,39}$")
_CHOOSABLE = {
    setting.name: int if setting.type in (int, int | None) else str
    for setting in fields(Settings)
    if setting.name not in {"profile", "places", "origins"}
}
"""Whatever a person may set, and whether it is a whole number or a text."""


@dataclass(frozen=True, slots=True)
class SettingFault:
    """What is wrong with a setting, and where it is put right; without a name it is the whole file."""

    name: str | None
    what: str
    advice: str

    def __str__(self) -> str:
        return f"{self.what} {self.advice}"


def load_settings(profile: str | None = None, environ: Mapping[str, str] = os.environ) -> Settings:
    """Read the settings of a profile (`FINPLAN_PROFILE`, else `default`).

    Raises SettingsError, which tells of all that cannot be.
    """
    settings, faults = read_settings(profile, environ)
    if faults:
        raise SettingsError(" ".join(map(str, faults)))
    return settings


def read_settings(
    profile: str | None = None, environ: Mapping[str, str] = os.environ
) -> tuple[Settings, tuple[SettingFault, ...]]:
    """As `load_settings`, but what cannot be is left at its default and told of.

    Raises SettingsError for the name of a profile alone.
    """
    name = profile or environ.get("FINPLAN_PROFILE") or "default"
    if not _PROFILE.match(name):
        raise SettingsError(
            f"{name!r} is not a valid profile name. Use lower-case letters, digits, - and _."
            + ("" if profile else " The name comes from the variable FINPLAN_PROFILE.")
        )
    places = places_of(name, environ)
    file = places.configuration / "finplan.toml"
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    from_file, faults = _read_file(file)
    for key in _CHOOSABLE:
        variable = f"FINPLAN_{key.upper()}"
        origins[key] = "default"
        try:
            if environ.get(variable):
                values[key] = _of_environment(key, environ[variable])
                origins[key] = "environment"
            elif key in from_file.content:
                values[key] = _of_file(key, from_file.content[key], places.configuration)
                origins[key] = "file"
        except SettingsError as error:
            there = f"the variable {variable}" if environ.get(variable) else from_file.place_of(key)
            faults.append(SettingFault(key, str(error), f"Correct or remove {there}."))
    return Settings(profile=name, places=places, origins=origins, **values), tuple(faults)


def places_of(profile: str, environ: Mapping[str, str] = os.environ) -> Places:
    """Where a profile's files are, as absolute paths: under FINPLAN_HOME, else the XDG places."""
    if environ.get("FINPLAN_HOME"):
        home = Path(environ["FINPLAN_HOME"]).expanduser().absolute() / profile
        return Places(home, home, home)

    def base(variable: str, default: str) -> Path:
        chosen = Path(environ.get(variable, ""))
        # The XDG specification says to ignore a relative path.
        if not chosen.is_absolute():
            chosen = Path(environ.get("HOME") or Path.home()) / default
        return chosen / "finplan" / profile

    return Places(
        configuration=base("XDG_CONFIG_HOME", ".config"),
        data=base("XDG_DATA_HOME", ".local/share"),
        state=base("XDG_STATE_HOME", ".local/state"),
    )


def environment_of_places(
    settings: Settings, environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """What of an environment says where a profile's files are, for what starts in another folder."""
    if environ.get("FINPLAN_HOME"):
        # It may be relative to the folder where the person is, and goes before the others.
        return {"FINPLAN_HOME": str(settings.places.data.parent)}
    return {name: environ[name] for name in _XDG_VARIABLES if environ.get(name)}


def environment_of_settings(settings: Settings) -> dict[str, str]:
    """The settings that come from the environment, by their variables; paths are whole."""
    return {
        f"FINPLAN_{name.upper()}": value
        for name, value, origin in describe(settings)
        if origin == "environment"
    }


def describe(settings: Settings) -> list[tuple[str, str, Origin]]:
    """Each setting with its value and where it came from, in the order of declaration."""
    return [
        (name, str(getattr(settings, name)), settings.origins.get(name, "default"))
        for name in _CHOOSABLE
    ]


def marks_of_file(settings: Settings) -> dict[str, str]:
    """A mark of each value that a change of the file may change: of all but those of the environment.

    Equal values have equal marks; a mark is short, whatever the value.
    """
    # Commands do without this module.
    from hashlib import sha256

    return {
        name: sha256(value.encode()).hexdigest()[:12]
        for name, value, origin in describe(settings)
        if origin != "environment"
    }


def not_in_force(profile: str, in_force: Mapping[str, str]) -> list[str]:
    """The settings whose values in the file are not those that a daemon has told the marks of.

    What cannot be comes into force nowhere.
    """
    # What this shell sets besides is no word of the file.
    own = {f"FINPLAN_{name.upper()}" for name in _CHOOSABLE}
    environ = {name: value for name, value in os.environ.items() if name not in own}
    settings, faults = read_settings(profile, environ)
    wrong = {fault.name for fault in faults}
    return [
        name
        for name, mark in marks_of_file(settings).items()
        if in_force.get(name, mark) != mark and name not in wrong and None not in wrong
    ]


@dataclass(frozen=True, slots=True)
class _SettingsFile:
    path: Path
    text: str = ""
    content: Mapping[str, Any] = field(default_factory=dict)

    def place_of(self, key: str) -> str:
        """Where the value of a key stands, in words."""
        begins = re.compile(rf"""\s*+(?:\[\s*+)?["']?{re.escape(key)}["']?\s*[]=.]""")
        for number, line in enumerate(self.text.splitlines(), 1):
            if begins.match(line):
                return f"line {number} of {self.path}"
        return f"it in {self.path}"


def _read_file(path: Path) -> tuple[_SettingsFile, list[SettingFault]]:
    """What a file says of the known settings, and what is wrong with it as a whole."""
    try:
        text = path.read_text(encoding="utf-8")
        file = _SettingsFile(path, text, tomllib.loads(text))
    except FileNotFoundError:
        return _SettingsFile(path), []
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        sentence = f"Cannot read the settings file {path}: {error}."
        return _SettingsFile(path), [
            SettingFault(None, sentence, "Correct the file, or move it to another folder.")
        ]
    names = ", ".join(_CHOOSABLE)
    return file, [
        SettingFault(
            key,
            f"Unknown setting {key!r}; the settings are {names}.",
            f"Correct or remove {file.place_of(key)}.",
        )
        for key in sorted(set(file.content) - set(_CHOOSABLE))
    ]


def _of_environment(key: str, text: str) -> Any:
    value: Any = text
    if _CHOOSABLE[key] is int:
        try:
            value = int(text)
        except ValueError:
            variable = f"FINPLAN_{key.upper()}"
            raise SettingsError(f"{variable} is {text!r}, not a whole number.") from None
    return _checked(key, value, None)


def _of_file(key: str, value: Any, folder: Path) -> Any:
    # TOML knows types: `port = true` and `port = 8460.5` are mistakes, not numbers to convert.
    if type(value) is not _CHOOSABLE[key]:
        expected = "a whole number" if _CHOOSABLE[key] is int else 'a string in "quotes"'
        raise SettingsError(f"{key} in finplan.toml is {value!r}, not {expected}.")
    return _checked(key, value, folder)


def _checked(key: str, value: Any, named_by: Path | None) -> Any:
    if key == "webhook_ca":
        value = whole_path(key, value, named_by)
    check_value(key, value)
    return value
