"""Money as a person types it, exactly."""

import re
from decimal import Decimal

from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.model.money import LARGEST_AMOUNT, exponent, to_minor

_TYPED = re.compile(r"^(-?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]+))?$")


def minor(text: str, currency: str, what: str) -> int:
    """Read an amount like "1,840.25" as minor units. Raises a CommandError when it is not exact."""
    typed = _TYPED.match(text.strip())
    if typed is None:
        raise CommandError(f"{what} {text!r} is not an amount; write it like 1840.25.", BAD_INPUT)
    sign, units, fraction = typed.groups()
    if len((fraction or "").rstrip("0")) > exponent(currency):
        digits = exponent(currency)
        raise CommandError(
            f"{what} {text!r} has more than the {digits} decimals of {currency}.", BAD_INPUT
        )
    amount = to_minor(Decimal(f"{sign}{units.replace(',', '')}.{fraction or 0}"), currency)
    if abs(amount) > LARGEST_AMOUNT:
        raise CommandError(
            f"{what} {text!r} is larger than any amount that can be kept.", BAD_INPUT
        )
    return amount
