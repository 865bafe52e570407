"""The private key of the application at Enable Banking: of the environment, or of its own file."""

import os
from collections.abc import Mapping

from finplan.setting_values import SettingsError
from finplan.settings import ENABLEBANKING_KEY_VARIABLE, Places

_LONGEST = 20_000


def enablebanking_key(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The key as PEM: of the environment, else of its file; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no private key.
    """
    given = environ.get(ENABLEBANKING_KEY_VARIABLE)
    if given:
        # A variable of one line has no breaks.
        return _checked(given.replace("\\n", "\n"), ENABLEBANKING_KEY_VARIABLE)
    file = places.enablebanking_key
    try:
        if file.stat().st_mode & 0o077:
            raise SettingsError(
                f"Others can read {file}, which holds a private key. Run `chmod 600` on it, and start"
                " again."
            )
        with file.open(encoding="ascii") as opened:
            return _checked(opened.read(_LONGEST), str(file))
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        # What stands in it is not quoted: it may be the key.
        raise SettingsError(f"{file} cannot be read as a private key in PEM.") from None


def _checked(key: str, place: str) -> str:
    if "PRIVATE KEY-----" not in key:
        raise SettingsError(
            f"{place} holds no private key: put the PEM file there that Enable Banking gave you when you"
            " registered your application."
        )
    return key.strip()
