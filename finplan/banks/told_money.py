"""Money as aggregators tell it: a code that may be none of a country's, and sums of any size."""

from decimal import Decimal

from finplan.model.money import CODES, LARGEST_AMOUNT, exponent, to_minor

NO_CURRENCY = "XXX"
"""ISO 4217's code for what is no money of a country, such as points and miles."""


def told_currency(code: object) -> str:
    """The currency that a code is of, `NO_CURRENCY` for what is no country's."""
    known = str(code or "").strip().upper()
    return known if known in CODES else NO_CURRENCY


def minor_units(value: Decimal, currency: str) -> int | None:
    """A sum in minor units, None for what is no number or too large to be kept."""
    if not value.is_finite():
        return None
    if abs(value) > Decimal(LARGEST_AMOUNT).scaleb(-exponent(currency)):
        return None
    return to_minor(value, currency)
