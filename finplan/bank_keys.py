"""The secrets of the person's own keys at aggregators: of the environment, or of a file."""

import os
from collections.abc import Mapping

from finplan.secret_files import private_key_of, secret_of
from finplan.settings import ENABLEBANKING_KEY_VARIABLE, PLAID_SECRET_VARIABLE, Places


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
