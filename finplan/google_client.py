"""The secret of Google's client: of the environment, or of a file that nobody else reads."""

import os
from collections.abc import Mapping

from finplan.secret_files import secret_of
from finplan.settings import GOOGLE_CLIENT_VARIABLE, Places


def google_client_secret(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The secret of Google's client: of the environment, else of its file; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    return secret_of(GOOGLE_CLIENT_VARIABLE, places.google_client_secret, environ)
