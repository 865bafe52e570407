"""Amounts as Enable Banking writes them: a decimal text with its currency."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from finplan.model.money import CODES, LARGEST_AMOUNT, exponent, to_minor


class WrittenAmount(NamedTuple):
    """Minor units of a currency, with the sign that was written."""

    amount: int
    currency: str


def currency_of(told: object) -> str | None:
    """A currency's code, None for what is none; an account of several has `XXX`."""
    code = told.strip().upper() if isinstance(told, str) else ""
    return code if code in CODES else None


def read_amount(told: object) -> WrittenAmount | None:
    """An amount, None for what is none or is too large to be kept."""
    if not isinstance(told, Mapping):
        return None
    currency = currency_of(told.get("currency"))
    if currency is None:
        return None
    try:
        value = Decimal(str(told.get("amount")).strip())
        if not value.is_finite() or abs(value) > Decimal(LARGEST_AMOUNT).scaleb(
            -exponent(currency)
        ):
            return None
    except InvalidOperation:
        return None
    return WrittenAmount(to_minor(value, currency), currency)
