"""Secrets of the environment, or of a file of the person's, alone in it and read by nobody else.

They are those of the person's own keys at aggregators, and that of Google's client.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from finplan.setting_values import PRINTED, SettingsError
from finplan.settings import (
    ENABLEBANKING_KEY_VARIABLE,
    GOOGLE_CLIENT_VARIABLE,
    PLAID_SECRET_VARIABLE,
    Places,
)

_LONGEST = 20_000


def secret_of(variable: str, file: Path, environ: Mapping[str, str]) -> str | None:
    """The secret of a variable, else of its file, in one line; None where there is neither.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    if environ.get(variable):
        return environ[variable]
    secret = _alone_in(file, "one line of ASCII")
    if secret is not None and not PRINTED.match(secret):
        raise SettingsError(
            f"{file} does not hold a secret. Write only the client's secret into it."
        )
    return secret


def private_key_of(variable: str, file: Path, environ: Mapping[str, str]) -> str | None:
    """The private key, as PEM, of a variable, else of its file; None where there is neither.

    Raises SettingsError for a file that others can read, or for what is no private key.
    """
    # A variable of one line has no breaks.
    text = environ.get(variable, "").replace("\\n", "\n")
    key = text or _alone_in(file, "a PEM private key")
    if key is not None and "PRIVATE KEY-----" not in key:
        source = variable if text else file
        raise SettingsError(f"{source} does not hold a private key. Put the PEM file there.")
    return key


def _alone_in(file: Path, what: str) -> str | None:
    """What a file holds that nobody else reads, None without one."""
    try:
        if file.stat().st_mode & 0o077:
            raise SettingsError(
                f"Others can read {file}, which holds a secret. Run `chmod 600` on it, and start"
                " again."
            )
        with file.open(encoding="ascii") as opened:
            return opened.read(_LONGEST).strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        # What stands in it is not quoted: it may be the secret.
        raise SettingsError(f"Cannot read {file}: it should hold {what}. Replace it.") from None


def plaid_secret(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The secret of the person's client at Plaid; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    return secret_of(PLAID_SECRET_VARIABLE, places.plaid_secret, environ)


def enablebanking_key(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The private key of the person's application at Enable Banking; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no private key.
    """
    return private_key_of(ENABLEBANKING_KEY_VARIABLE, places.enablebanking_key, environ)


def google_client_secret(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The secret of Google's client: of the environment, else of its file; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    return secret_of(GOOGLE_CLIENT_VARIABLE, places.google_client_secret, environ)
