"""Whether the person's own keys at aggregators are whole, for `finplan doctor`."""

from collections.abc import Iterator

from finplan.bank_keys import enablebanking_key, plaid_secret
from finplan.cli.showing.installation import Finding
from finplan.setting_values import SettingsError
from finplan.settings import ENABLEBANKING_KEY_VARIABLE, PLAID_SECRET_VARIABLE, Settings


def findings_of_keys(settings: Settings) -> Iterator[Finding]:
    """What there is to say of the keys whose ids are set."""
    yield from _plaid(settings)
    yield from _enablebanking(settings)


def _plaid(settings: Settings) -> Iterator[Finding]:
    """Whether the person's keys at Plaid are both there."""
    if settings.plaid_client_id is None:
        return
    file = settings.places.plaid_secret
    try:
        secret = plaid_secret(settings.places)
    except SettingsError as error:
        yield Finding("plaid", "bad", str(error), f"Only you may read it: `chmod 600 {file}`.")
        return
    if secret is None:
        told = "`plaid_client_id` is set, and the secret of these keys is not"
        yield Finding("plaid", "bad", told, f"Write it into {file} or {PLAID_SECRET_VARIABLE}.")
        return
    yield Finding("plaid", "ok", f"keys for {settings.plaid_environment}")


def _enablebanking(settings: Settings) -> Iterator[Finding]:
    """Whether the application at Enable Banking has its key."""
    if settings.enablebanking_application_id is None:
        return
    file = settings.places.enablebanking_key
    try:
        key = enablebanking_key(settings.places)
    except SettingsError as error:
        advice = f"Put the key's PEM file there, and let only you read it: `chmod 600 {file}`."
        yield Finding("eu banks", "bad", str(error), advice)
        return
    if key is None:
        told = "`enablebanking_application_id` is set, and the private key of it is not"
        advice = f"Put its PEM file at {file}, or its text into {ENABLEBANKING_KEY_VARIABLE}."
        yield Finding("eu banks", "bad", told, advice)
        return
    yield Finding("eu banks", "ok", "an application with its key")
