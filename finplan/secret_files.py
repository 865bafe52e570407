"""A secret that the person has put into a file: it is alone in it, and nobody else reads it."""

from collections.abc import Mapping
from pathlib import Path

from finplan.setting_values import PRINTED, SettingsError


def secret_of(variable: str, file: Path, environ: Mapping[str, str]) -> str | None:
    """The secret of a variable, else of its file; None where there is neither.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    if environ.get(variable):
        return environ[variable]
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
