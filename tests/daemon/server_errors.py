"""The one check of schemathesis that is another here: which server errors an operation may answer."""

from typing import Any

from schemathesis.core.failures import ServerError

DEFINED = ("NO_CONNECTIONS", "UNSUPPORTED_PROVIDER", "BANK_PROVIDER_ERROR")
"""What the interface gives the status 500 to, and means: a bank is missing, unknown or fails."""


def server_errors_are_defined(_ctx: Any, response: Any, case: Any) -> None:
    """A 5xx passes only with `defined: true` and one of three codes; INTERNAL_SERVER_ERROR never."""
    if response.status_code < 500:
        return
    error = response.json()
    if error.get("defined") is not True or error.get("code") not in DEFINED:
        raise ServerError(operation=case.operation.label, status_code=response.status_code)
