"""The secret of Google's client: of the environment, or of a file that nobody else reads."""

import os
from collections.abc import Mapping

from finplan.setting_values import PRINTED, SettingsError
from finplan.settings import GOOGLE_CLIENT_VARIABLE, Places


def google_client_secret(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The secret of Google's client: of the environment, else of its file; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    if environ.get(GOOGLE_CLIENT_VARIABLE):
        return environ[GOOGLE_CLIENT_VARIABLE]
    file = places.google_client_secret
    try:
        if file.stat().st_mode & 0o077:
            raise SettingsError(
                f"Others can read {file}, which holds a secret. Run `chmod 600` on it, and start again."
            )
        secret = file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        # What stands in it is not quoted: it may be the secret.
        raise SettingsError(f"{file} cannot be read as a secret in one line of ASCII.") from None
    if not PRINTED.match(secret):
        raise SettingsError(f"{file} holds no secret: write the client's secret into it, alone.")
    return secret
