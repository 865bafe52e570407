"""Money as a person types it, exactly."""

import re
from decimal import Decimal

from finplan.cli.console.errors import BAD_INPUT, CommandError
from finplan.model.money import LARGEST_AMOUNT, exponent, to_minor

_TYPED = re.compile(r"^(-?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]+))?$")
_SIZES = "write it like 42.50, 40..60, 40.. or ..60"


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


def sizes(text: str, currency: str) -> tuple[int | None, int | None]:
    """Read "40..60", "40..", "..60" or "42.50" as the least and the most minor units, None for no bound.

    Raises a CommandError when it is none, or its ends are the wrong way round.
    """
    what = "The size"
    least, dots, most = text.strip().partition("..")
    if not (least or most):
        raise CommandError(f"{what} {text!r} names no amount; {_SIZES}.", BAD_INPUT)
    if any(end.strip() and _TYPED.match(end.strip()) is None for end in (least, most)):
        raise CommandError(f"{what} {text!r} is not an amount; {_SIZES}.", BAD_INPUT)
    ends = [minor(end, currency, what) if end.strip() else None for end in (least, most)]
    if any(end is not None and end < 0 for end in ends):
        raise CommandError(
            f"{what} {text!r} has a minus; it is of money in and out alike, so write it without.",
            BAD_INPUT,
        )
    first, last = ends if dots else (ends[0], ends[0])
    if first is not None and last is not None and first > last:
        raise CommandError(f"{what} {text!r} ends below its beginning; turn it round.", BAD_INPUT)
    return first, last
