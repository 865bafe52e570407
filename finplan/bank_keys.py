"""The secrets of the person's own keys at aggregators: of the environment, or of a file."""

import os
from collections.abc import Mapping

from finplan.secret_files import secret_of
from finplan.settings import PLAID_SECRET_VARIABLE, Places


def plaid_secret(places: Places, environ: Mapping[str, str] = os.environ) -> str | None:
    """The secret of the person's client at Plaid; None where there is none.

    Raises SettingsError for a file that others can read, or that holds no secret.
    """
    return secret_of(PLAID_SECRET_VARIABLE, places.plaid_secret, environ)
