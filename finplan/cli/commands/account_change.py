"""What a person types to correct an account, as the change that the daemon takes."""

import re
from collections.abc import Mapping
from typing import Any

from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.cli.console.typed_values import minor
from finplan.model.account import AccountChange

_AMOUNTS = {"balance": "The balance", "credit_limit": "The limit", "minimum_payment": "The minimum"}
_CLEARS = "none"
_PERCENT = re.compile(r"^[0-9]{1,4}(\.[0-9]{1,4})?%?$")


def change(account_id: str, typed: Mapping[str, Any], currency: str) -> AccountChange:
    """Read amounts in the account's currency and a rate in percent; "none" clears what may be empty.

    Raises a CommandError on what cannot be read.
    """
    fields = {field: _read(field, value, currency) for field, value in typed.items()}
    return AccountChange(id=account_id, **fields)


def _read(field: str, value: Any, currency: str) -> Any:
    if (
        field in ("balance", "credit_limit", "minimum_payment", "apr", "subtype")
        and value == _CLEARS
    ):
        return None
    if field in _AMOUNTS:
        return minor(value, currency, _AMOUNTS[field])
    if field == "apr":
        return _ratio(value)
    return value


def _ratio(percent: str) -> float:
    if _PERCENT.match(percent.replace(" ", "")) is None:
        raise CommandError(
            f"The rate {percent!r} is not a percentage; write it like 21.99.", BAD_INPUT
        )
    return round(float(percent.replace(" ", "").rstrip("%")) / 100, 6)
